#include <algorithm>

#include "core/eval/evaluator.h"

namespace tabula {
namespace {

class Uniform : public Evaluator {
 public:
  void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const std::span<float> policy = questions[i].policy;
      std::ranges::fill(policy, 1.f / float(policy.size()));
      answers[i] = {.value = Wdl::certain(0)};
    }
  }
};

}  // namespace

std::unique_ptr<Evaluator> uniform_evaluator() { return std::make_unique<Uniform>(); }

}  // namespace tabula
