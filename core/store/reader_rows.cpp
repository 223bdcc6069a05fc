// What a reader sees besides the log.
#include <algorithm>
#include <map>

#include "core/store/reader_impl.h"
#include "core/store/registry_rows.h"
#include "core/store/seal.h"

namespace tabula {
namespace {

ModelRow model_in(Database& database, const Query& row) {
  require_sound(database, row, "model");
  return {.id = row.text(1),
          .number = row.count(0),
          .bytes = row.count(2),
          .step = row.count(3),
          .parent = row.text(4),
          .account = row.text(5),
          .signature = row.text(7),
          .made = row.number(6)};
}

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::map<std::int64_t, Reader::Origin> read_origins(Database& database) {
  std::map<std::int64_t, Reader::Origin> origins;
  Query row(database, "SELECT * FROM origin");
  while (row.next()) {
    require_sound(database, row, "origin");
    origins[row.number(0)] = {row.text(1), row.text(2), lines_in(row.bytes(3))};
  }
  return origins;
}

}  // namespace

std::vector<ModelRow> Reader::models(std::uint64_t after_number) const {
  Query row(impl_->database, "SELECT * FROM model WHERE number > ? ORDER BY number",
            {number_value(after_number)});
  std::vector<ModelRow> models;
  while (row.next()) models.push_back(model_in(impl_->database, row));
  return models;
}

std::optional<ModelRow> Reader::model(const std::string& id) const {
  Query row(impl_->database, "SELECT * FROM model WHERE id = ?", {id});
  return row.next() ? std::optional(model_in(impl_->database, row)) : std::nullopt;
}

Champion Reader::champion() const { return read_champion(impl_->database); }

std::vector<MatchRow> Reader::matches(std::uint64_t after_number) const {
  Query row(impl_->database, "SELECT * FROM match WHERE number > ? ORDER BY number",
            {number_value(after_number)});
  std::vector<MatchRow> matches;
  while (row.next()) matches.push_back(match_in(impl_->database, row));
  return matches;
}

std::optional<MatchRow> Reader::match(std::uint64_t number) const {
  return read_match(impl_->database, number);
}

std::vector<SlotRow> Reader::reported(std::uint64_t match) const {
  Query row(impl_->database, "SELECT * FROM slot WHERE match = ? AND reported = 1 ORDER BY slot",
            {number_value(match)});
  std::vector<SlotRow> slots;
  while (row.next()) {
    require_sound(impl_->database, row, "slot");
    slots.push_back({std::uint32_t(row.count(1)), row.text(5), row.text(3)});
  }
  return slots;
}

std::vector<Reader::Origin> Reader::origins() const {
  Database& database = impl_->database;
  const Transaction moment(database, Transaction::Kind::read);
  std::map<std::int64_t, Origin> origins = read_origins(database);
  Query games(database,
              "SELECT origin, count(*), sum(positions) FROM log WHERE kind = 0 GROUP BY origin");
  while (games.next()) {
    origins[games.number(0)].games = games.count(1);
    origins[games.number(0)].positions = games.count(2);
  }
  Query refused(database, "SELECT origin, count(*) FROM quarantine GROUP BY origin");
  while (refused.next()) origins[refused.number(0)].quarantined = refused.count(1);
  std::vector<Origin> all;
  for (auto& [number, origin] : origins) all.push_back(std::move(origin));
  return all;
}

void Reader::each_quarantined(const std::function<void(const Quarantined&)>& visit) const {
  Database& database = impl_->database;
  const Transaction moment(database, Transaction::Kind::read);
  std::map<std::int64_t, Origin> origins = read_origins(database);
  Query row(database, "SELECT * FROM quarantine ORDER BY number");
  while (row.next()) {
    if (!sound(row, "quarantine")) continue;
    const Origin& origin = origins[row.number(3)];
    Quarantined found{.number = row.count(0),
                      .when = row.number(1),
                      .account = origin.account,
                      .worker = origin.worker,
                      .reason = row.text(5),
                      .bytes = row.text(6)};
    std::copy_n(row.bytes(2).begin(), found.id.size(), found.id.begin());
    visit(found);
  }
}

}  // namespace tabula
