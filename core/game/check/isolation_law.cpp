#include <algorithm>
#include <chrono>
#include <latch>
#include <mutex>
#include <optional>
#include <thread>

#include "core/base/hash.h"
#include "core/game/check/laws.h"
#include "core/game/state.h"

namespace tabula {
namespace {

constexpr auto kTogether = std::chrono::milliseconds(100);

// As behaviour(), through State: threads have no use for guards and traces.
std::uint64_t state_behaviour(const State& state, std::vector<float>& planes) {
  Hash hash;
  hash.add(std::uint64_t(state.turn()));
  const std::vector<Action> legal = state.legal();
  hash.add_bytes(std::as_bytes(std::span(legal)));
  planes.resize(std::size_t(state.rules().plane_floats()));
  if (state.at_chance())
    state.odds(legal, planes = std::vector<float>(legal.size()));
  else
    state.encode(planes);
  return hash.add_bytes(std::as_bytes(std::span(planes))).value();
}

// The ply at which a replay first answers something else, if any.
std::optional<std::size_t> first_difference(const Rules& rules, const Recording& game) {
  State state(rules);
  std::vector<float> planes;
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
    if (state.over() || state_behaviour(state, planes) != game.behaviour[ply]) return ply;
    state.apply(game.moves[ply]);
  }
  if (state.result() != game.result) return game.moves.size();
  return std::nullopt;
}

}  // namespace

void check_interleaved(const Rules& rules, Trace& trace, const Recording& game,
                       const Recording& other) {
  Specimen here(rules, trace, Trace::kMain), there(rules, trace, Trace::kOther);
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
    if (behaviour(here) != game.behaviour[ply])
      here.breach("games do not disturb one another",
                  "the answers this position gave when its game was played alone",
                  "others, with a second game played in turn: the rules keep hidden state");
    here.apply(game.moves[ply]);
    if (ply < other.moves.size()) {
      behaviour(there);
      there.apply(other.moves[ply]);
    }
  }
  if (result_of(here) != game.result)
    here.breach("games do not disturb one another", "result " + std::to_string(game.result),
                std::to_string(result_of(here)));
}

void check_threads(const Rules& rules, Trace& trace, const std::vector<Recording>& games,
                   int threads) {
  if (games.empty()) return;
  trace.start(Trace::kMain);
  trace.call(Trace::kMain, "several threads at once");
  std::mutex mutex;
  std::optional<Breach> found;
  std::latch ready(threads);  // all begin at once, and play for a while: a race needs company
  const auto replay = [&](std::size_t offset) {
    ready.arrive_and_wait();
    const auto end = std::chrono::steady_clock::now() + kTogether;
    for (std::size_t i = 0; i < games.size() || std::chrono::steady_clock::now() < end; ++i) {
      const Recording& game = games[(i + offset) % games.size()];
      trace.tick();
      std::string came = "others, with several threads at work: the rules keep hidden state";
      std::optional<std::size_t> ply;
      try {
        ply = first_difference(rules, game);
      } catch (const GameError& e) {
        ply = 0;
        came = e.what();
      }
      if (!ply) continue;
      const std::lock_guard lock(mutex);
      if (found) return;
      found = Breach{"threads do not disturb one another",
                     "the answers this position gave when its game was played alone",
                     came,
                     {game.moves.begin(), game.moves.begin() + std::ptrdiff_t(*ply)}};
    }
  };
  {
    std::vector<std::jthread> workers;
    workers.reserve(std::size_t(threads));
    for (int i = 0; i < threads; ++i)
      workers.emplace_back(replay, games.size() * std::size_t(i) / std::size_t(threads));
  }
  if (found) throw *found;
}

}  // namespace tabula
