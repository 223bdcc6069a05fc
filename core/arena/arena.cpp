#include "core/arena/arena.h"

#include <utility>

#include "core/arena/arena_impl.h"
#include "core/base/clock.h"
#include "core/base/health.h"
#include "core/base/log.h"
#include "core/base/memory.h"

namespace tabula {
namespace {

constexpr std::int64_t kAgainMs = 3000;  // before a store that did not do it is asked again

void require(bool sound, const char* sentence) {
  if (!sound) throw Error(sentence);
}

}  // namespace

void ArenaConfig::check() const {
  sprt.check();
  require(simulations >= 1 && simulations <= 1'000'000, "--arena-simulations takes 1 to 1000000.");
  require(games_at_once >= 2 && games_at_once <= 4096, "--games-at-once takes 2 to 4096.");
  require(most_pairs >= 1 && most_pairs <= int(kMaxEntries), "--arena-pairs takes 1 to 16384.");
  require(rating_pairs >= 1 && rating_pairs <= int(kMaxEntries),
          "--rating-pairs takes 1 to 16384.");
  require(share > 0 && share <= 1, "--share takes more than 0, and at most 1.");
  require(cores >= 1, "--cores takes at least 1.");
  require(lease_seconds >= 1 && lease_seconds <= 86400, "--lease takes 1 to 86400 seconds.");
}

void Arena::Impl::wait(std::int64_t ms) {
  std::unique_lock lock(mutex);
  woken.wait_for(lock, std::chrono::milliseconds(ms), [this] { return store.stopped(); });
}

void Arena::Impl::note_away(const StoreAway& error) {
  if (!away && !store.stopped()) log("waiting for the store", {{"reason", error.what()}});
  away = true;
  say_health(false, "the store does not answer");
}

void Arena::Impl::answers() {
  say_health(true);
  if (std::exchange(away, false)) log("the store answers again");
}

void Arena::Impl::greet() {
  const auto welcome = store.ask<Welcome>(Hello{"arena", config.worker});
  const RulesPtr found = find_rules(welcome.game);
  if (found->fingerprints().rules != welcome.rules)
    throw Error("the store's games are of other rules than those of " + found->name() + " in " +
                found->origin().string() + ".");
  if (welcome.role != "arena" && welcome.role != "admin")
    throw Error("the key of " + welcome.account + " is a " + welcome.role +
                "'s; an arena needs one with the role arena.");
  // An engine that this machine cannot run must not be held against a candidate.
  make_engine(new_net(*found, {.blocks = 1, .channels = 32}, 0), config.engine);
  rules = found;
  log("testing candidates", {{"store", config.address},
                             {"game", rules->name()},
                             {"gate", config.gated ? "sprt" : "none"}});
}

// Looks at the run and does the next thing: promotes, plays a match to its end, or waits.
void Arena::Impl::turn() {
  if (!rules) greet();
  view.refresh(store);
  answers();
  beat(nullptr, {});
  if (promote_at_once()) return;
  if (const std::optional<MatchRow> match = next_match())
    play(*match);
  else
    wait(config.poll_ms);
}

void Arena::Impl::run() {
  while (!store.stopped()) {
    try {
      turn();
    } catch (const StoreAway& error) {
      note_away(error);
      wait(kAgainMs);
    } catch (const RefusedByStore& error) {
      if (!rules) throw;  // it wants nothing to do with us
      log("the store refuses", {{"reason", error.what()}});
      wait(kAgainMs);
    }
  }
}

// A sign of life with figures. That it gets lost does not matter.
void Arena::Impl::beat(const MatchWork* work, const Standing& standing) {
  if (clock_ms() < next_beat) return;
  next_beat = clock_ms() + config.beat_ms;
  Beat beat{"arena", config.worker, {}};
  const auto say = [&](const char* name, double value) { beat.figures.push_back({name, value}); };
  say("champion", double(view.number_of(view.champion().model)));
  say("memory", resident_megabytes());
  if (work) {
    const EloEstimate elo = estimate_elo(standing.sprt.counts);
    say("match", double(work->match().number));
    say("candidate", double(view.number_of(work->match().candidate)));
    say("pairs", standing.reported);
    say("pairs_here", work->played());
    say("slots", work->match().slots);
    say("llr", standing.sprt.llr);
    say("elo", elo.elo);
    say("elo_low", elo.low);
    say("elo_high", elo.high);
  }
  store.ask<Done>(beat);
}

Arena::Arena(const ArenaConfig& config, FindRules find_rules) {
  config.check();
  impl_ = std::make_unique<Impl>(config, std::move(find_rules));
}
Arena::~Arena() = default;

void Arena::run() { impl_->run(); }

void Arena::stop() {
  const std::lock_guard lock(impl_->mutex);
  impl_->store.stop();
  impl_->woken.notify_all();
}

}  // namespace tabula
