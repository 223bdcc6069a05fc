#pragma once
#include <condition_variable>
#include <mutex>

#include "core/arena/arena.h"
#include "core/arena/match_work.h"
#include "core/arena/run_view.h"
#include "core/arena/throttle.h"

namespace tabula {

struct Arena::Impl {
  Impl(const ArenaConfig& arena, FindRules find)
      : config(arena),
        find_rules(std::move(find)),
        store(arena.address, arena.keys),
        throttle(arena.share, arena.cores) {}

  ArenaConfig config;
  FindRules find_rules;
  ArenaStore store;
  Throttle throttle;
  RulesPtr rules;
  RunView view;
  std::mutex mutex;
  std::condition_variable woken;
  bool away = false;  // the store did not answer last time
  std::int64_t next_beat = 0, next_line = 0;

  // arena.cpp: the loop.
  void run();
  void greet();
  void turn();
  void wait(std::int64_t ms);
  void note_away(const StoreAway& error);
  void answers();  // the store does
  void beat(const MatchWork* work, const Standing& standing);

  // matchmaking.cpp: who plays whom.
  bool promote_at_once();  // whether it did
  std::optional<MatchRow> next_match();
  std::optional<MatchRow> lowest_open();
  std::optional<Verdict> why_stale(const MatchRow& match) const;
  void open_gated();
  void open_rating();
  void open(const std::string& candidate, const std::string& champion, bool gated, int pairs);
  void skip_older(const ModelRow& candidate);
  void write_down(const ModelRow& model, const Verdict& verdict);
  bool decide(const MatchRow& match, const Verdict& verdict, bool promote = false);

  // match_play.cpp: one match.
  Net fetch(const std::string& model);  // throws StoreAway, or Error if it cannot be played
  static std::string unplayable(const std::string& who, const Error& error);
  void play(const MatchRow& match);
  std::optional<Player> load(const MatchRow& match, const std::string& model, int simulations);
  bool look(MatchWork& work);  // whether the match is over
};

}  // namespace tabula
