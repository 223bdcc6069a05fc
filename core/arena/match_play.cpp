// One match, from the first slot to the verdict.
#include <utility>

#include "core/arena/arena_impl.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/printable.h"

namespace tabula {
namespace {

constexpr std::size_t kLongestReason = 500;
constexpr std::int64_t kIdleMs = 50;      // while others play what is left
constexpr std::int64_t kTellMs = 30'000;  // between lines about a match under way

std::string figure(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%+.1f", value);
  return text;
}

}  // namespace

Net Arena::Impl::fetch(const std::string& model) {
  Net net = net_of(decode_safetensors(store.fetch(model), model), model);
  check_made_for(net, *rules);
  return net;
}

std::string Arena::Impl::unplayable(const std::string& who, const Error& error) {
  return who + " cannot be played: " + printable(error.what(), kLongestReason);
}

// Nothing if the model cannot play: then the match is decided.
std::optional<Player> Arena::Impl::load(const MatchRow& match, const std::string& model,
                                        int simulations) try {
  return net_player(model.substr(0, 12), fetch(model), *rules, simulations, config.engine);
} catch (const StoreAway&) {
  throw;
} catch (const Error& error) {
  const bool candidate = model == match.candidate;
  decide(match, {.kind = candidate ? Verdict::Kind::not_better : Verdict::Kind::skipped,
                 .reason = unplayable(candidate ? "it" : "its opponent", error)});
  return {};
}

void Arena::Impl::play(const MatchRow& match) {
  const MatchSettings settings = parse_match_settings(match.settings);
  std::vector<MoveList> openings =
      draw_openings(*rules, settings.seed, settings.opening_plies, match.slots);
  if (openings.size() < match.slots) {
    decide(match, {.kind = Verdict::Kind::void_match,
                   .reason = "it has more slots than there are openings"});
    return;
  }
  std::vector<Player> players;
  for (const std::string& model : {match.candidate, match.champion}) {
    std::optional<Player> player = load(match, model, settings.simulations);
    if (!player) return;
    players.push_back(std::move(*player));
  }
  MatchWork work(*rules, store, match, settings, std::move(openings), players,
                 std::max(1, config.games_at_once / 2), config.lease_seconds);
  next_line = clock_ms() + kTellMs;
  for (std::int64_t next_look = 0; !store.stopped();) {
    const bool busy = work.round();
    throttle.pause();
    if (!busy) wait(kIdleMs);
    if (clock_ms() < next_look) continue;
    next_look = clock_ms() + config.poll_ms;
    try {
      if (look(work)) return;
    } catch (const StoreAway& error) {
      note_away(error);
    }
  }
}

bool Arena::Impl::look(MatchWork& work) {
  work.report();
  const Standing standing = work.standing();
  if (standing.decided) {
    decide(work.match(), verdict_of(standing, work.settings()), standing.better);
    return true;
  }
  view.refresh(store);
  answers();
  beat(&work, standing);
  if (clock_ms() >= next_line) {
    next_line = clock_ms() + kTellMs;
    log("a match is under way", {{"match", std::to_string(work.match().number)},
                                 {"pairs", std::to_string(standing.reported)},
                                 {"llr", figure(standing.sprt.llr)},
                                 {"elo", figure(estimate_elo(standing.sprt.counts).elo)}});
  }
  if (!config.gated) promote_at_once();
  const MatchRow* match = view.match(work.match().number);
  return !match || !match->open ||
         (work.settings().gated && match->champion != view.champion().model);
}

}  // namespace tabula
