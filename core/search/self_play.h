#pragma once
#include <cstdint>
#include <span>

#include "core/base/rng.h"
#include "core/game/playout.h"
#include "core/search/game_config.h"
#include "core/search/record.h"
#include "core/search/search.h"

namespace tabula {

// One game that plays against itself, in the manner of Search: the caller carries questions to an
// Evaluator and answers back. What happens follows from seed, configuration and evaluator alone.
class SelfPlayGame {
 public:
  SelfPlayGame(const Rules& rules, const GameConfig& config);

  // Begins a game, to be played by gather(). The record of the last one is gone.
  void start(std::uint64_t number, std::uint64_t seed);
  // Goes on with a game that another worker adjourned, from its record as it was then. It need not
  // come out as if it had been played on there: the tree is gone.
  // requires: its moves are legal, and it has not ended
  void resume(const GameRecord& adjourned);
  bool over() const { return !running_; }  // also before the first start()

  void abandon() { running_ = false; }

  // Plays whatever can be played without an answer, and returns how many questions there are then:
  // 0 when the game is over. Throws GameError, with the moves of the game, if the game's code
  // fails.
  int gather();
  Question question(int index) { return search_.question(index); }
  int open() const { return search_.open(); }
  void expand(std::span<const Answer> answers) { search_.expand(answers); }  // for each question

  // The number, for the record, of whoever answers the searches that begin from now on. The search
  // under way stays with the one it began with, and a tree of another is not kept.
  void use(std::uint32_t model) { next_model_ = model; }
  std::uint32_t model() const { return model_; }  // of the search under way

  const GameRecord& record() const { return record_; }
  const State& state() const { return state_; }
  std::uint64_t descents() const { return search_.descents(); }  // in all games

 private:
  void begin();
  void play_opening();
  bool play_opening_ply();
  void next_search(const Action* played);
  void play();
  std::size_t choose_move();
  bool gives_up(int player);
  void count_bad(int player, const Wdl& value);
  void note_policy(PlyRecord& ply);
  void apply(const PlyRecord& ply);
  void finish(Ending ending, int result);

  GameConfig config_;
  State start_, state_, before_;
  Playout playout_;
  Search search_;
  Rng rng_;
  SearchResult result_;
  GameRecord record_;
  bool running_ = false, begun_ = false;
  bool full_ = true;  // the search under way
  std::uint32_t model_ = 0, next_model_ = 0;
  int bad_moves_[2] = {};           // in a row: of each player's searches, those that looked lost
  std::uint64_t ply_descents_ = 0;  // at the end of the last search
};

}  // namespace tabula
