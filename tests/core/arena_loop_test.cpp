// Arenas on a running store.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/arena/store_link.h"
#include "tests/arenas.h"
#include "tests/program.h"

using namespace tabula;

namespace {

const Rules& game() { return shipped("tictactoe"); }

// A store with models, the first of which is the champion.
class Site {
 public:
  explicit Site(const std::vector<Net>& nets = {}, const Rules& rules = game()) : rules_(rules) {
    start();
    for (const Net& net : nets) models.push_back(publish(address(), net));
    if (!models.empty()) CHECK(ask<Done>(Promote{0, models[0], 0}).changed);
  }
  void start() { server_.emplace(service(folder_), rules_); }
  void stop() { server_.reset(); }
  std::string address() const { return "ipc://" + (folder_ / "s"); }
  template <class Reply, class Request>
  Reply ask(const Request& request) {
    return Client(address(), {}).ask<Reply>(request);
  }
  std::uint64_t open(const std::string& candidate, const std::string& champion,
                     const MatchSettings& settings, std::uint32_t slots) {
    return ask<Done>(OpenMatch{{.candidate = candidate,
                                .champion = champion,
                                .slots = slots,
                                .settings = to_text(settings)}})
        .number;
  }
  Reader reader() const { return Reader(folder_ / "games.db"); }
  std::string champion() const { return reader().champion().model; }
  std::string verdict(std::uint64_t match) const {
    const auto row = reader().match(match);
    return row ? row->verdict : "";
  }
  // The last verdict on a candidate.
  std::string verdict_on(const std::string& candidate) const {
    std::string last;
    for (const MatchRow& match : reader().matches())
      if (match.candidate == candidate) last = match.verdict;
    return last;
  }
  std::size_t reported(std::uint64_t match) const { return reader().reported(match).size(); }

  std::vector<std::string> models;

 private:
  const Rules& rules_;
  Scratch folder_;
  std::optional<RunningServer> server_;
};

std::vector<Net> some_nets(int count) {
  std::vector<Net> nets;
  for (int i = 0; i < count; ++i) nets.push_back(small_net(game(), std::uint64_t(i) + 1));
  return nets;
}

// Plays all its pairs, so that there is something to share.
MatchSettings long_match() {
  return {.gated = false, .seed = 77, .simulations = 30, .opening_plies = 2};
}

std::string publish_broken(const std::string& address, std::uint64_t seed) {
  TensorFile file = to_tensor_file(small_net(game(), seed));
  file.tensors.erase("value.wdl.weight");
  Client client(address, {});
  return publish_model(client, {}, {}, encode_safetensors(file));
}

std::map<std::uint32_t, std::string> results(const Site& site, std::uint64_t match) {
  std::map<std::uint32_t, std::string> slots;
  for (const SlotRow& row : site.reader().reported(match))
    CHECK(slots.emplace(row.slot, row.result).second);
  return slots;
}

// "pairs_here" of each worker, as far as it said.
std::map<std::string, double> shares(Site& site) {
  std::map<std::string, double> out;
  const auto status = nlohmann::json::parse(site.ask<Status>(AskStatus{}).json);
  for (const auto& program : status["programs"])
    if (program["figures"].contains("pairs_here"))
      out[program["worker"]] = program["figures"]["pairs_here"];
  return out;
}

}  // namespace

TEST_CASE(
    "several arenas share a match, each slot counts once, and it comes out as for one alone") {
  const auto nets = some_nets(2);
  Site shared(nets), alone(nets);
  const auto match = shared.open(shared.models[1], shared.models[0], long_match(), 60);
  const auto single = alone.open(alone.models[1], alone.models[0], long_match(), 60);
  std::map<std::string, double> played;
  {
    std::vector<std::unique_ptr<RunningArena>> arenas;
    for (const char* worker : {"a", "b", "c"})
      arenas.push_back(std::make_unique<RunningArena>(quick_arena(shared.address(), worker)));
    CHECK(eventually([&] {
      for (const auto& [worker, pairs] : shares(shared)) played[worker] = pairs;
      return !shared.verdict(match).empty();
    }));
  }
  for (const char* worker : {"a", "b", "c"}) CHECK(played[worker] > 0);
  const RunningArena arena(quick_arena(alone.address()));
  CHECK(eventually([&] { return !alone.verdict(single).empty(); }));
  CHECK(results(shared, match).size() == 60);
  CHECK(results(shared, match) == results(alone, single));
  CHECK(shared.verdict(match) == alone.verdict(single));
  CHECK(shared.verdict(match).starts_with("rated: "));
}

TEST_CASE("a report that is sent again changes neither slot nor verdict") {
  Site site(some_nets(2));
  const auto match = site.open(site.models[1], site.models[0], long_match(), 20);
  const RunningArena arena(quick_arena(site.address()));
  CHECK(eventually([&] { return site.reported(match) > 3; }));
  const auto before = results(site, match);
  for (const auto& [slot, result] : before)
    CHECK_FALSE(site.ask<Done>(ReportSlot{match, slot, "4 00 00"}).changed);
  CHECK(eventually([&] { return !site.verdict(match).empty(); }));
  const auto after = results(site, match);
  for (const auto& [slot, result] : before) CHECK(after.at(slot) == result);
  CHECK(after.size() == 20);
}

TEST_CASE("the first candidate is promoted without a match") {
  Site site;
  const RunningArena arena(quick_arena(site.address()));
  const std::string first = publish(site.address(), small_net(game(), 1));
  CHECK(eventually([&] { return site.champion() == first; }));
  CHECK(site.reader().champion().match == 0);
  CHECK(site.reader().matches().empty());
}

TEST_CASE("the newest candidate is tested, and older ones are marked as skipped") {
  Site site(some_nets(5));
  const RunningArena arena(quick_arena(site.address()));
  CHECK(eventually([&] {
    for (std::size_t i = 1; i < 5; ++i)
      if (site.verdict_on(site.models[i]).empty()) return false;
    return true;
  }));
  for (std::size_t i = 1; i < 4; ++i)
    CHECK(site.verdict_on(site.models[i]) == "skipped: candidate 5 was there and is newer");
  const auto verdict = parse_verdict(site.verdict_on(site.models[4]));
  REQUIRE(verdict);
  REQUIRE(verdict->figures);
  CHECK(verdict->figures->pairs > 0);
  CHECK((site.champion() == site.models[4]) == (verdict->kind == Verdict::Kind::better));
}

TEST_CASE("a stronger candidate is found better and promoted by its match, a weaker one is not") {
  const Rules& rules = shipped("connect4");
  Site site({stubborn_net(rules, 0), blank_net(rules)}, rules);
  ArenaConfig config = quick_arena(site.address());
  config.simulations = 40;
  config.most_pairs = 300;
  const RunningArena arena(config);
  CHECK(eventually([&] { return !site.verdict_on(site.models[1]).empty(); }));
  CHECK(site.verdict_on(site.models[1]).starts_with("better: +"));
  CHECK(site.champion() == site.models[1]);
  CHECK(site.reader().champion().match == site.reader().matches().back().number);
  const std::string weak = publish(site.address(), stubborn_net(rules, 6));
  CHECK(eventually([&] { return !site.verdict_on(weak).empty(); }));
  CHECK(site.verdict_on(weak).starts_with("not better: -"));
  CHECK(site.champion() == site.models[1]);
}

TEST_CASE("a match goes on where a stopped arena left it, and where the store was away") {
  const auto nets = some_nets(2);
  Site site(nets), calm(nets);
  const auto match = site.open(site.models[1], site.models[0], long_match(), 60);
  const auto undisturbed = calm.open(calm.models[1], calm.models[0], long_match(), 60);
  for (const std::size_t until : {10, 25}) {
    RunningArena arena(quick_arena(site.address()));
    CHECK(eventually([&] { return site.reported(match) >= until; }));
    arena.stop();
    CHECK(site.verdict(match).empty());
  }
  const RunningArena arena(quick_arena(site.address())), other(quick_arena(calm.address()));
  CHECK(eventually([&] { return site.reported(match) >= 35; }));
  site.stop();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  site.start();
  CHECK(eventually([&] { return !site.verdict(match).empty(); }));
  CHECK(eventually([&] { return !calm.verdict(undisturbed).empty(); }));
  CHECK(results(site, match) == results(calm, undisturbed));
  CHECK(site.verdict(match) == calm.verdict(undisturbed));
}

TEST_CASE("a candidate that cannot be loaded is not better, and says why") {
  Site site(some_nets(1));
  const std::string broken = publish_broken(site.address(), 2);
  const RunningArena arena(quick_arena(site.address()));
  CHECK(eventually([&] { return !site.verdict_on(broken).empty(); }));
  CHECK(site.verdict_on(broken).starts_with("not better: it cannot be played: "));
  CHECK(site.champion() == site.models[0]);
  const std::string next = publish(site.address(), small_net(game(), 3));
  CHECK(eventually([&] { return !site.verdict_on(next).empty(); }));
}

TEST_CASE("what cannot be loaded is not promoted without a match either") {
  for (const bool gated : {true, false}) {
    Site site;
    ArenaConfig config = quick_arena(site.address());
    config.gated = gated;
    const RunningArena arena(config);
    const std::string broken = publish_broken(site.address(), 2);
    CHECK(eventually([&] { return !site.verdict_on(broken).empty(); }));
    CHECK(site.verdict_on(broken).starts_with("not better: it cannot be played: "));
    CHECK(site.champion().empty());
    const std::string first = publish(site.address(), small_net(game(), 3));
    CHECK(eventually([&] { return site.champion() == first; }));
    const std::string next = publish(site.address(), small_net(game(), 4));
    CHECK(eventually([&] { return !site.verdict_on(next).empty(); }));
    CHECK(site.reader().matches().back().champion == first);
  }
}

TEST_CASE("a match against a champion that has moved is void, and its candidate is tested again") {
  Site site(some_nets(3));
  const auto match = site.open(site.models[2], site.models[0], MatchSettings{}, 60);
  CHECK(site.ask<Done>(Promote{1, site.models[1], 0}).changed);
  const RunningArena arena(quick_arena(site.address()));
  CHECK(eventually([&] {
    return site.verdict_on(site.models[2]).starts_with("better") ||
           site.verdict_on(site.models[2]).starts_with("not better");
  }));
  CHECK(site.verdict(match) == "void: the champion moved meanwhile");
  CHECK(site.reader().matches().back().champion == site.models[1]);
}

TEST_CASE("of two matches with one candidate the first is played; what cannot be played is void") {
  Site site(some_nets(2));
  MatchSettings settings = long_match();
  const auto first = site.open(site.models[1], site.models[0], settings, 10);
  const auto second = site.open(site.models[1], site.models[0], settings, 10);
  const auto unreadable = site.ask<Done>(OpenMatch{{.candidate = "x", .slots = 3}}).number;
  const auto too_long = site.open(site.models[0], site.models[1], settings, 1000);
  const RunningArena arena(quick_arena(site.address()));
  CHECK(eventually([&] {
    return !site.verdict(first).empty() && !site.verdict(second).empty() &&
           !site.verdict(unreadable).empty() && !site.verdict(too_long).empty();
  }));
  CHECK(site.verdict(second) == "void: match 1 has its candidate");
  CHECK(site.verdict(first).starts_with("rated: "));
  CHECK(site.verdict(unreadable).starts_with("void: "));
  CHECK(site.verdict(too_long) == "void: it has more slots than there are openings");
}

TEST_CASE("without a gate the newest is promoted at once, and rated while nothing newer comes") {
  Site site;
  ArenaConfig config = quick_arena(site.address());
  config.gated = false;
  const RunningArena arena(config);
  const std::string first = publish(site.address(), small_net(game(), 1));
  CHECK(eventually([&] { return site.champion() == first; }));
  const std::string second = publish(site.address(), small_net(game(), 2));
  CHECK(eventually([&] { return site.champion() == second; }));
  CHECK(eventually([&] { return !site.verdict_on(second).empty(); }));
  const std::string third = publish(site.address(), small_net(game(), 3));
  CHECK(eventually([&] { return !site.verdict_on(third).empty(); }));
  CHECK(site.champion() == third);
  const auto matches = site.reader().matches();
  REQUIRE(matches.size() == 2);
  CHECK(matches[0].champion == first);
  CHECK(matches[1].champion == second);
  for (const MatchRow& match : matches) {
    CHECK(match.verdict.starts_with("rated: "));
    CHECK(parse_verdict(match.verdict)->figures->pairs == 10);
  }
}

TEST_CASE("an arena refuses a store of other rules, and waits for one that is not there") {
  const Scratch folder;
  ArenaConfig config = quick_arena("ipc://" + (folder / "s"));
  Arena other(config, [](const std::string&) { return RulesPtr(&shipped("go5"), [](auto*) {}); });
  std::string said;
  std::thread thread([&] {
    try {
      other.run();
    } catch (const Error& error) {
      said = error.what();
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  RunningServer server(service(folder), game());
  thread.join();
  CHECK(said.find("of other rules") != said.npos);
  config.share = 0;
  CHECK_THROWS_AS(Arena(config, {}), Error);
}

TEST_CASE("a model that does not come because the store is away is not condemned") {
  const Scratch scratch;
  ArenaStore store("ipc://" + (scratch / "nobody"), {});
  std::jthread stops([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    store.stop();
  });
  CHECK_THROWS_AS(store.fetch(std::string(64, '0')), StoreAway);
}
