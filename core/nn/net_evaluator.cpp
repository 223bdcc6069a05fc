#include <algorithm>
#include <cassert>
#include <vector>

#include "core/base/error.h"
#include "core/base/portable_math.h"
#include "core/eval/in_flight.h"
#include "core/nn/engine.h"

namespace tabula {
namespace {

// Turns logits into chances, in place; returns nothing new for equal input on any machine.
void softmax(std::span<float> logits) {
  const float most = *std::ranges::max_element(logits);
  float sum = 0;
  for (float& x : logits) sum += x = portable_exp(x - most);
  const float scale = 1 / sum;
  for (float& x : logits) x *= scale;
}

class NetEvaluator : public Evaluator {
 public:
  NetEvaluator(std::unique_ptr<Engine> engine, const NetShape& shape)
      : engine_(std::move(engine)),
        shape_(shape),
        slots_(std::size_t(engine_->in_flight())),
        turned_(std::size_t(shape.plane_floats())) {}

  void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
    begin(questions, answers);
    finish();
  }

  int in_flight() const override { return slots_.most(); }

  void begin(std::span<const Question> questions, std::span<Answer> answers) override {
    assert(questions.size() == answers.size());
    if (questions.size() > kMostBatch)
      throw Error("a batch of " + std::to_string(questions.size()) +
                  " positions is over the limit of " + std::to_string(kMostBatch) +
                  "; play fewer games together.");
    Slot& slot = slots_.begin();
    slot.questions = questions;
    slot.answers = answers;
    const auto width = std::size_t(shape_.plane_floats());
    slot.planes.resize(questions.size() * width);
    slot.outputs.resize(questions.size() * std::size_t(shape_.outputs()));
    for (std::size_t i = 0; i < questions.size(); ++i)
      encode(questions[i], std::span(slot.planes).subspan(i * width, width));
    engine_->begin(int(questions.size()), slot.planes.data(), slot.outputs.data());
  }

  void finish() override {
    engine_->finish();
    Slot& slot = slots_.finish();
    float* row = slot.outputs.data();
    for (std::size_t i = 0; i < slot.questions.size(); ++i, row += shape_.outputs())
      slot.answers[i] = answer(slot.questions[i], row);
  }

 private:
  struct Slot {
    std::span<const Question> questions;
    std::span<Answer> answers;
    std::vector<float> planes, outputs;
  };

  void encode(const Question& question, std::span<float> planes) {
    if (question.symmetry == 0) return question.state->encode(planes);
    question.state->encode(turned_);
    question.state->rules().map_planes(question.symmetry, shape_.planes, turned_.data(),
                                       planes.data());
  }

  Answer answer(const Question& question, float* row) const {
    const Rules& rules = question.state->rules();
    for (std::size_t i = 0; i < question.legal.size(); ++i)
      question.policy[i] = row[rules.map_action(question.symmetry, question.legal[i])];
    softmax(question.policy);
    float* wdl = row + shape_.actions;
    softmax({wdl, 3});
    return {.value = {wdl[0], wdl[1], wdl[2]},
            .moves_left = std::max(0.f, portable_exp(wdl[3]) - 1)};
  }

  std::unique_ptr<Engine> engine_;
  NetShape shape_;
  InFlight<Slot> slots_;
  std::vector<float> turned_;
};

}  // namespace

std::unique_ptr<Evaluator> net_evaluator(std::unique_ptr<Engine> engine, const NetShape& shape) {
  return std::make_unique<NetEvaluator>(std::move(engine), shape);
}

}  // namespace tabula
