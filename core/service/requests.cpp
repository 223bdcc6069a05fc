// What a store does for those who ask.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/base/die_at.h"
#include "core/base/digest.h"
#include "core/base/log.h"
#include "core/data/safetensors.h"
#include "core/service/server_impl.h"

namespace tabula {
namespace {

constexpr std::int64_t kLongestWaitMs = 30'000;
constexpr std::size_t kMostReaders = 1024;
constexpr std::uint64_t kLongestLease = 86400;

std::string fingerprint_text(std::uint64_t rules) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(rules));
  return text;
}

bool is_model_name(const std::string& id) {
  Digest digest;
  return from_hex(id, digest);
}

}  // namespace

void Server::Impl::on(const Caller& caller, const Hello&) {
  const Role role = role_of(caller.account).value_or(Role::viewer);
  reply(caller, Welcome{.game = rules->name(),
                        .rules = rules->fingerprints().rules,
                        .account = caller.account,
                        .role = std::string(role_name(role)),
                        .head = head});
}

void Server::Impl::on(const Caller& caller, Append append) {
  if (append.games.empty()) return reply(caller, Receipts{});
  std::vector<Arrival> arrivals;
  for (Append::Item& game : append.games) {
    arrivals.push_back(
        config.check_games
            ? gate.admit(game.id, std::move(game.bytes), caller.account)
            : Arrival{.id = game.id, .bytes = std::move(game.bytes), .account = caller.account});
    if (arrivals.back().kind == Arrival::Kind::refused)
      note_refused_game(caller.account, arrivals.back().reason);
  }
  die_at("service.received");
  if (!intake.take(caller.route, caller.request, std::move(arrivals), clock_ms()))
    refuse(caller, "the store has more games than it can write at the moment.", true);
}

void Server::Impl::on(const Caller& caller, const Read& asked) {
  if (readers.size() >= kMostReaders && !readers.contains(caller.route))
    return refuse(caller, "too many wait for games.", true);
  Read read = asked;
  read.max_bytes = std::min<std::uint64_t>(read.max_bytes, kMaxPage);
  read.pages = std::clamp<std::uint64_t>(read.pages, 1, kMaxPages);
  const auto wait = std::int64_t(std::min<std::uint64_t>(read.wait_ms, kLongestWaitMs));
  readers[caller.route] = {caller, read, clock_ms() + wait};
  serve_readers();
}

// The next page; false if it was the last one.
bool Server::Impl::send_page(WaitingReader& reading) {
  Read& read = reading.read;
  Page page{false, reader.read(read.after, std::size_t(read.max_bytes))};
  if (page.page.damaged > 0)
    log("rows of the database are damaged and were not sent; see 'tabula db check'",
        {{"rows", std::to_string(page.page.damaged)}});
  page.more = --read.pages > 0 && page.page.next < head;
  read.after = page.page.next;
  reply(reading.caller, page);
  return page.more;
}

// One page for each who waits and has something to read, so that nobody waits for the others.
void Server::Impl::serve_readers() {
  for (auto each = readers.begin(); each != readers.end();) {
    WaitingReader& reading = each->second;
    const bool due = reading.read.after < head || reading.until <= clock_ms();
    each = due && !send_page(reading) ? readers.erase(each) : std::next(each);
  }
}

void Server::Impl::on(const Caller& caller, const Models& asked) {
  ModelList list{reader.models(asked.after)};
  if (list.models.size() > kMaxRows) list.models.resize(kMaxRows);
  reply(caller, list);
}

void Server::Impl::on(const Caller& caller, const Fetch& fetch) {
  const std::optional<ModelRow> row =
      is_model_name(fetch.id) ? reader.model(fetch.id) : std::nullopt;
  if (!row) return refuse(caller, "there is no model '" + fetch.id + "' here.");
  if (fetch.offset > row->bytes) return refuse(caller, "the model is not so long.");
  reply(caller, Piece{fetch.offset, *row, files.piece(fetch.id, fetch.offset, kModelPiece)});
}

void Server::Impl::on(const Caller& caller, const Publish& publish) {
  const ModelRow& row = publish.row;
  if (!is_model_name(row.id)) return refuse(caller, "a model is named by 64 hexadecimal digits.");
  if (row.bytes == 0 || row.bytes > kMaxModelBytes)
    return refuse(caller, "a model may have 1 to " + std::to_string(kMaxModelBytes) + " bytes.");
  if (keys && !is_signed(keys->models, row.id, row.signature))
    return refuse(caller, "the model is not signed with this run's key.");
  if (models.contains(row.id) || reader.model(row.id))
    return reply(caller, Published{row.bytes, true});
  if (publish.offset + publish.bytes.size() > row.bytes)
    return refuse(caller, "the model is longer than was said.");
  const std::uint64_t received = files.receive(row.id, publish.offset, publish.bytes);
  if (received < row.bytes) return reply(caller, Published{received, false});
  finish_model(caller, row);
}

// Empty, or why this file is no model of this store.
std::string Server::Impl::check_model(const ModelRow& row) const {
  const TensorFile file = read_tensor_file(files.path(row.id));
  const auto says = [&](const char* key, const std::string& wanted) {
    const auto found = file.metadata.find(key);
    return found != file.metadata.end() && found->second == wanted;
  };
  if (!says("game", rules->name())) return "the model plays another game.";
  if (!says("rules", fingerprint_text(rules->fingerprints().rules)))
    return "the model was made for other rules.";
  return "";
}

void Server::Impl::finish_model(const Caller& caller, const ModelRow& sent) {
  ModelRow row = sent;
  row.account = caller.account;
  row.made = unix_seconds();
  writer.post(
      [this, caller, row](Store& writing) -> Writer::Then {
        files.complete(row.id);
        if (const std::string fault = check_model(row); !fault.empty()) {
          std::filesystem::remove(files.path(row.id));
          throw Error(fault);
        }
        writing.add_model(row);
        return [this, caller, row] {
          models.insert(row.id);
          log("a model was published", {{"model", row.id.substr(0, 12)}, {"account", row.account}});
          reply(caller, Published{row.bytes, true});
        };
      },
      [this, caller](const std::exception& error) { refuse_after(caller, error); });
}

void Server::Impl::on(const Caller& caller, const AskChampion&) {
  reply(caller, ChampionIs{reader.champion()});
}

void Server::Impl::on(const Caller& caller, const Promote& promote) {
  write(caller, [promote](Store& writing) {
    return Done{writing.move_champion(promote.version, promote.model, promote.match), 0};
  });
}

void Server::Impl::on(const Caller& caller, const OpenMatch& open) {
  write(caller, [open](Store& writing) { return Done{true, writing.open_match(open.match)}; });
}

void Server::Impl::on(const Caller& caller, const Matches& asked) {
  MatchList list{reader.matches(asked.after)};
  if (list.matches.size() > kMaxRows) list.matches.resize(kMaxRows);
  reply(caller, list);
}

void Server::Impl::on(const Caller& caller, const AskSlot& asked) {
  write(caller, [asked, account = caller.account](Store& writing) {
    const std::int64_t now = steady_unix_seconds();
    const std::optional<std::uint32_t> slot = writing.lend_slot(
        asked.match, account, now, now + std::int64_t(std::min(asked.seconds, kLongestLease)));
    return LentSlot{slot.has_value(), slot.value_or(0)};
  });
}

void Server::Impl::on(const Caller& caller, const ReportSlot& report) {
  write(caller, [report, account = caller.account](Store& writing) {
    return Done{writing.report_slot(report.match, report.slot, report.result, account), 0};
  });
}

void Server::Impl::on(const Caller& caller, const Reports& asked) {
  reply(caller, ReportList{reader.reported(asked.match)});
}

void Server::Impl::on(const Caller& caller, const Decide& decide) {
  write(caller, [decide](Store& writing) {
    return Done{writing.decide_match(decide.match, decide.verdict, decide.promote), 0};
  });
}

void Server::Impl::on(const Caller& caller, const TakeAdjourned&) {
  write(caller, [this, account = caller.account](Store& writing) {
    const std::int64_t now = steady_unix_seconds();
    const std::optional<AdjournedGame> game =
        writing.lend_adjourned(account, now, now + config.lend_seconds);
    return Adjourned{game ? game->bytes : ""};
  });
}

void Server::Impl::on(const Caller& caller, const Beat& beat) {
  presence.beat(caller.account, beat, clock_ms());
  reply(caller, Done{true, head});
}

void Server::Impl::on(const Caller& caller, const AskStatus&) {
  nlohmann::json status = nlohmann::json::parse(summarise().json());
  status.update(nlohmann::json::parse(presence.json(clock_ms())));
  std::string text = status.dump(-1, ' ', true);
  if (text.size() > kMaxStatus) {  // thousands of workers: the figures of all, but not of each
    status["programs"] = nlohmann::json::array();
    text = status.dump(-1, ' ', true);
  }
  reply(caller, Status{text});
}

void Server::Impl::on(const Caller& caller, const Drop& drop) {
  writer.post(
      [this, caller, drop](Store& writing) -> Writer::Then {
        const std::uint64_t games = writing.drop(drop.filter, drop.reason);
        return [this, caller, games] {
          head = reader.head();
          reply(caller, Dropped{games});
        };
      },
      [this, caller](const std::exception& error) { refuse_after(caller, error); });
}

}  // namespace tabula
