#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/search/play_stats.h"
#include "core/search/rounds.h"
#include "core/search/self_play.h"

namespace tabula {

// Which game is to be played. The seed decides all of it; the number only names it.
struct GameTicket {
  std::uint64_t number = 0, seed = 0;
  std::shared_ptr<const GameRecord> adjourned = nullptr;  // to be played on, instead of a new one
};

// Many games of self-play side by side, one batch of questions a round. A game that is over makes
// room for the next, and its record does not depend on its neighbours. No threads: one worker
// thread owns a group, or two in turns, so that one plays while the other's questions are out.
class GameGroup {
 public:
  // Asked whenever there is room; nothing means not now, and to be asked again next round.
  using Next = std::function<std::optional<GameTicket>()>;
  // The record is the group's, and valid for the call.
  using Finished = std::function<void(const GameRecord&)>;

  GameGroup(const Rules& rules, const GameConfig& config, int games, Next next, Finished finished);

  // The questions of all games, answered by expand() in the same order. None: all are over.
  std::span<const Question> gather();
  void expand(std::span<const Answer> answers);
  // Both, with an evaluator between them. Returns the number of questions.
  std::size_t round(Evaluator& evaluator);

  // Searches that begin from now on are this model's (SelfPlayGame::use). While those of the one
  // before go on, each asks its own: a batch for each model a round.
  void use(std::uint32_t model);
  using EvaluatorOf = std::function<Evaluator&(std::uint32_t model)>;
  // A round in two halves: begin_round() puts the questions out and returns their number,
  // finish_round() waits for the answers that are still out. Evaluators finish batches in the order
  // in which they were begun, so groups that share them must too.
  std::size_t begin_round(const EvaluatorOf& evaluator_of);
  void finish_round();
  std::uint32_t oldest_model() const;  // of the searches under way; requires: models only go up

  // Calls with the record of each game under way that has a ply at least, as it is now, and forgets
  // all games: for a worker that must end.
  void adjourn(const Finished& adjourned);

  PlayStats stats() const;

 private:
  void advance(SelfPlayGame& game);
  bool begin(SelfPlayGame& game);
  struct Asked {  // the questions of one model's searches
    Batch batch;
    Evaluator* evaluator = nullptr;  // null: answered
    std::uint32_t model = 0;
  };
  void settle(Asked& asked);

  std::vector<SelfPlayGame> games_;
  Next next_;
  Finished finished_;
  Batch batch_;
  std::vector<Asked> asked_;  // of this round, and room for more
  PlayStats stats_;
  std::uint32_t newest_model_ = 0;
};

}  // namespace tabula
