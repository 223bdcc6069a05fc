#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/base/wdl.h"
#include "core/game/state.h"

namespace tabula {

// A position to be judged, and where its policy goes.
struct Question {
  const State* state;  // a player moves here
  std::span<const Action> legal;
  std::span<float> policy;  // written by the evaluator: policy[i] is the prior of legal[i]
  int symmetry = 0;         // look at this image of the position
};

struct Answer {
  Wdl value;             // for the player to move
  float moves_left = 0;  // plies until the end; 0 if the evaluator does not say
};

// Judges positions in batches. A pure function of the position and its own seed or weights: what a
// position gets does not depend on its neighbours in a batch, on the order, or on what came before.
// Not thread-safe: each worker thread owns its own.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // requires: as many answers as questions
  virtual void evaluate(std::span<const Question> questions, std::span<Answer> answers) = 0;

  // The same in two halves, for evaluators that work while their caller does: begin() may return
  // before the answers are there, finish() waits for the oldest batch begun. At most in_flight()
  // are begun at once; questions and answers stay where they are until finish().
  virtual int in_flight() const { return 1; }
  virtual void begin(std::span<const Question> questions, std::span<Answer> answers) {
    evaluate(questions, answers);
  }
  virtual void finish() {}
};

// Every move alike, every position a draw.
std::unique_ptr<Evaluator> uniform_evaluator();

// Every move alike; the value is what `playouts` random games came to, their moves drawn from a
// hash of position and seed.
std::unique_ptr<Evaluator> rollout_evaluator(int playouts, std::uint64_t seed);

// Looks at positions through a symmetry: one drawn from the position's hash, or the mean of all.
enum class SymmetryUse { drawn, averaged };
std::unique_ptr<Evaluator> with_symmetry(std::unique_ptr<Evaluator> inner, SymmetryUse use);

struct CacheStats {
  std::uint64_t asked = 0, hits = 0;
};

// Remembers answers in a bounded amount of memory. Put it outermost: it is keyed by position,
// before a symmetry is drawn. A hit whose legal moves differ is a miss. `stats`, if given, outlives
// it.
std::unique_ptr<Evaluator> with_cache(std::unique_ptr<Evaluator> inner, const Rules& rules,
                                      std::size_t bytes, CacheStats* stats = nullptr);

}  // namespace tabula
