#pragma once
#include "core/base/hash.h"
#include "core/eval/evaluator.h"

namespace tabula {

// Opinions drawn from a hash of the position: no network, and yet every position is different.
class FakeEvaluator : public Evaluator {
 public:
  void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
    ++batches;
    for (std::size_t i = 0; i < questions.size(); ++i) answers[i] = judge(questions[i]);
  }

  static Answer judge(const Question& question) {
    Hash hash;
    hash.add(question.state->hash()).add(std::uint64_t(question.symmetry));
    Rng rng(hash.value());
    float sum = 0;
    for (float& prior : question.policy) sum += prior = 0.05f + rng.uniform();
    for (float& prior : question.policy) prior /= sum;
    const float win = rng.uniform(), draw = (1 - win) * rng.uniform() / 2;
    return {.value = {win, draw, 1 - win - draw}, .moves_left = 10 * rng.uniform()};
  }

  int batches = 0;
};

}  // namespace tabula
