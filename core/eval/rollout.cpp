#include <algorithm>
#include <optional>

#include "core/eval/evaluator.h"
#include "core/game/playout.h"

namespace tabula {
namespace {

class Rollout : public Evaluator {
 public:
  Rollout(int playouts, std::uint64_t seed) : playouts_(playouts), seed_(seed) {}

  void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const std::span<float> policy = questions[i].policy;
      std::ranges::fill(policy, 1.f / float(policy.size()));
      answers[i] = play(*questions[i].state);
    }
  }

 private:
  Answer play(const State& from) {
    if (!scratch_ || &scratch_->rules() != &from.rules()) {
      scratch_.emplace(from);
      playout_.emplace(from.rules());
    }
    Rng rng(from.hash() ^ mix(seed_));
    int counts[3] = {};  // player 0 loses, draws, wins
    long plies = 0;
    for (int i = 0; i < playouts_; ++i) {
      *scratch_ = from;
      ++counts[playout_->finish(*scratch_, rng) + 1];
      plies += scratch_->ply() - from.ply();
    }
    const float share = 1.f / float(playouts_);
    const Wdl wdl{float(counts[2]) * share, float(counts[1]) * share, float(counts[0]) * share};
    return {.value = wdl.seen_by(from.turn()), .moves_left = float(plies) * share};
  }

  int playouts_;
  std::uint64_t seed_;
  std::optional<State> scratch_;
  std::optional<Playout> playout_;
};

}  // namespace

std::unique_ptr<Evaluator> rollout_evaluator(int playouts, std::uint64_t seed) {
  return std::make_unique<Rollout>(playouts, seed);
}

}  // namespace tabula
