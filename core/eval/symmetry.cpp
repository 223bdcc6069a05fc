#include <algorithm>
#include <vector>

#include "core/base/rng.h"
#include "core/eval/evaluator.h"
#include "core/eval/in_flight.h"

namespace tabula {
namespace {

class Drawn : public Evaluator {
 public:
  explicit Drawn(std::unique_ptr<Evaluator> inner)
      : inner_(std::move(inner)), turned_(std::size_t(inner_->in_flight())) {}

  void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
    begin(questions, answers);
    finish();
  }
  int in_flight() const override { return turned_.most(); }

  void begin(std::span<const Question> questions, std::span<Answer> answers) override {
    std::vector<Question>& turned = turned_.begin();
    turned.assign(questions.begin(), questions.end());
    for (Question& question : turned) {
      const auto order = std::uint64_t(question.state->rules().symmetries());
      question.symmetry = order == 1 ? 0 : int(mix(question.state->hash()) % order);
    }
    inner_->begin(turned, answers);
  }
  void finish() override {
    turned_.finish();
    inner_->finish();
  }

 private:
  std::unique_ptr<Evaluator> inner_;
  InFlight<std::vector<Question>> turned_;
};

// Asks for every image of every position, in order, and takes the mean.
class Averaged : public Evaluator {
 public:
  explicit Averaged(std::unique_ptr<Evaluator> inner) : inner_(std::move(inner)) {}

  void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
    ask(questions);
    inner_->evaluate(turned_, turned_answers_);
    const Question* image = turned_.data();
    const Answer* answer = turned_answers_.data();
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const int order = questions[i].state->rules().symmetries();
      const float share = 1.f / float(order);
      std::ranges::fill(questions[i].policy, 0.f);
      answers[i] = {};
      for (int s = 0; s < order; ++s, ++image, ++answer) {
        for (std::size_t a = 0; a < image->policy.size(); ++a)
          questions[i].policy[a] += share * image->policy[a];
        answers[i].value.win += share * answer->value.win;
        answers[i].value.draw += share * answer->value.draw;
        answers[i].value.loss += share * answer->value.loss;
        answers[i].moves_left += share * answer->moves_left;
      }
    }
  }

 private:
  void ask(std::span<const Question> questions) {
    std::size_t images = 0, floats = 0;
    for (const Question& question : questions) {
      const auto order = std::size_t(question.state->rules().symmetries());
      images += order;
      floats += order * question.policy.size();
    }
    policies_.resize(floats);
    turned_answers_.resize(images);
    turned_.clear();
    float* next = policies_.data();
    for (const Question& question : questions)
      for (int s = 0; s < question.state->rules().symmetries(); ++s) {
        turned_.push_back({question.state, question.legal, {next, question.policy.size()}, s});
        next += question.policy.size();
      }
  }

  std::unique_ptr<Evaluator> inner_;
  std::vector<Question> turned_;
  std::vector<Answer> turned_answers_;
  std::vector<float> policies_;
};

}  // namespace

std::unique_ptr<Evaluator> with_symmetry(std::unique_ptr<Evaluator> inner, SymmetryUse use) {
  if (use == SymmetryUse::drawn) return std::make_unique<Drawn>(std::move(inner));
  return std::make_unique<Averaged>(std::move(inner));
}

}  // namespace tabula
