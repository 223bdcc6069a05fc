#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/store/ownership.h"
#include "core/store/reader.h"
#include "front/db.h"

namespace tabula {
namespace {

using Json = nlohmann::ordered_json;

std::string joined_models(const std::vector<std::string>& models) {
  std::string text;
  for (const std::string& model : models) text += (text.empty() ? "" : " ") + model.substr(0, 12);
  return text;
}

// Refusals by who sent what, and why: {account, worker, reason} and how often.
using Refusals = std::map<std::array<std::string, 3>, std::uint64_t>;

Refusals refusals_in(const Reader& reader) {
  Refusals refusals;
  reader.each_quarantined([&](const Reader::Quarantined& one) {
    ++refusals[{one.account, one.worker, one.reason}];
  });
  return refusals;
}

Json json_of(const Totals& totals) {
  return {{"games", totals.games},
          {"positions", totals.positions},
          {"bytes", totals.bytes},
          {"seen_games", totals.seen_games},
          {"seen_positions", totals.seen_positions},
          {"retired", totals.retired},
          {"dropped", totals.dropped},
          {"quarantined", totals.quarantined},
          {"adjourned", totals.adjourned},
          {"abandoned", totals.abandoned}};
}

Json stats_json(const Reader& reader) {
  const Identity identity = reader.identity();
  const Champion champion = reader.champion();
  Json stats = {{"game", identity.game},
                {"plugin", identity.plugin},
                {"head", reader.head()},
                {"totals", json_of(reader.totals())},
                {"models", reader.models().size()},
                {"matches", reader.matches().size()},
                {"champion", {{"model", champion.model}, {"version", champion.version}}},
                {"origins", Json::array()},
                {"quarantine", Json::array()}};
  for (const Reader::Origin& origin : reader.origins())
    stats["origins"].push_back({{"account", origin.account},
                                {"worker", origin.worker},
                                {"models", origin.models},
                                {"games", origin.games},
                                {"positions", origin.positions},
                                {"quarantined", origin.quarantined}});
  for (const auto& [key, count] : refusals_in(reader))
    stats["quarantine"].push_back(
        {{"account", key[0]}, {"worker", key[1]}, {"reason", key[2]}, {"records", count}});
  return stats;
}

void print_line(const std::string& name, const std::string& value) {
  std::cout << std::left << std::setw(18) << name << value << "\n";
}

void print_head(const Reader& reader, const std::string& path) {
  const Totals t = reader.totals();
  const auto text = [](auto number) { return std::to_string(number); };
  print_line("game", reader.identity().game);
  print_line("games", text(t.games) + " now, " + text(t.seen_games) + " ever (" + text(t.retired) +
                          " retired, " + text(t.dropped) + " dropped)");
  print_line("positions", text(t.positions) + " now, " + text(t.seen_positions) + " ever");
  print_line("bytes", text(t.bytes));
  print_line("adjourned", text(t.adjourned) + " waiting, " + text(t.abandoned) + " never finished");
  print_line("quarantine", text(t.quarantined));
  print_line("models", text(reader.models().size()));
  const Champion champion = reader.champion();
  print_line("champion", champion.model.empty()
                             ? "none"
                             : champion.model + ", the " + text(champion.version) + ". one");
  const std::optional<Owner> owner = owner_of(path);
  print_line("in use", owner ? "by process " + text(owner->process) + " on " + owner->host +
                                   (owner->address.empty() ? "" : ", at " + owner->address)
                             : "by nobody");
}

void print_row(const std::string& account, const std::string& worker, std::uint64_t number,
               const std::string& rest) {
  std::cout << std::left << std::setw(16) << account << std::setw(24) << worker << std::right
            << std::setw(10) << number << "  " << rest << "\n";
}

}  // namespace

int db_stats_command(const Args& args) {
  std::string path;
  bool json = false;
  Options options("tabula db stats PATH [--json]",
                  "Shows how much there is, who made it, and what was refused from whom.");
  options.argument("PATH", path);
  options.flag("json", json, "print JSON");
  if (!options.parse(args)) return 0;
  const Reader reader(path);
  if (json) {
    std::cout << stats_json(reader).dump(2, ' ', true, Json::error_handler_t::replace) << "\n";
    return 0;
  }
  print_head(reader, path);
  std::cout << "\naccount         worker                       games  models\n";
  for (const Reader::Origin& origin : reader.origins())
    print_row(origin.account, origin.worker, origin.games, joined_models(origin.models));
  const Refusals refusals = refusals_in(reader);
  if (refusals.empty()) return 0;
  std::cout << "\naccount         worker                     refused  why\n";
  for (const auto& [key, count] : refusals) print_row(key[0], key[1], count, key[2]);
  return 0;
}

}  // namespace tabula
