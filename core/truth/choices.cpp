#include "core/truth/choices.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "core/base/hash.h"
#include "core/search/rounds.h"
#include "core/truth/crew.h"

namespace tabula {
namespace {

// What the threads share: positions are dealt out in order.
class Desk {
 public:
  Desk(std::span<const State> positions, const std::function<void(std::size_t)>& on_choice)
      : positions_(positions), on_choice_(on_choice), choices_(positions.size()) {}

  // The next one to choose a move for, or as many as there are if none is left.
  std::size_t next() { return std::min(next_++, end()); }
  std::vector<std::size_t> next(std::size_t count) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < count; ++i)
      if (const std::size_t index = next(); index < end()) indices.push_back(index);
    return indices;
  }
  std::size_t end() const { return positions_.size(); }
  const State& at(std::size_t index) const { return positions_[index]; }
  void choose(std::size_t index, std::size_t move) {
    choices_[index] = move;
    const std::lock_guard lock(mutex_);
    ++done_;
    if (on_choice_) on_choice_(done_);
  }
  std::vector<std::size_t> choices() && { return std::move(choices_); }

 private:
  std::span<const State> positions_;
  const std::function<void(std::size_t)>& on_choice_;
  std::vector<std::size_t> choices_;  // each written by one thread
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

// By priors alone, a batch at a time.
void choose_by_prior(Desk& desk, Evaluator& evaluator, std::size_t together) {
  for (auto indices = desk.next(together); !indices.empty(); indices = desk.next(together)) {
    std::vector<std::vector<Action>> legal;
    std::vector<std::vector<float>> policies;
    std::vector<Question> questions;
    for (std::size_t index : indices) {
      legal.push_back(desk.at(index).legal());
      policies.emplace_back(legal.back().size());
      questions.push_back({&desk.at(index), legal.back(), policies.back()});
    }
    std::vector<Answer> answers(questions.size());
    evaluator.evaluate(questions, answers);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const auto most = std::ranges::max_element(policies[i]);
      desk.choose(indices[i], std::size_t(most - policies[i].begin()));
    }
  }
}

// Searches side by side; whichever is done makes room for the next position at once, so that
// batches stay full to the end.
class Searchers {
 public:
  Searchers(Desk& desk, const Choosing& choosing)
      : desk_(desk),
        seed_(choosing.seed),
        gumbel_(choosing.search.method == Method::gumbel),
        searches_(std::size_t(choosing.together), Search(choosing.search, 0)),
        indices_(searches_.size()) {
    for (std::size_t i = 0; i < searches_.size(); ++i) start_next(i);
    while (!searches_.empty() && indices_.back() == desk_.end()) drop_last();
  }

  void run(Evaluator& evaluator) {
    Batch batch;
    while (!searches_.empty()) {
      run_round(searches_, evaluator, batch);
      for (std::size_t i = 0; i < searches_.size(); ++i)
        if (searches_[i].done()) finish(i);
    }
  }

 private:
  void start_next(std::size_t i) {
    indices_[i] = desk_.next();
    if (indices_[i] == desk_.end()) return;
    searches_[i].reseed(Hash().add(seed_).add(indices_[i]).value());
    searches_[i].start(desk_.at(indices_[i]), false);
  }
  // A place that nothing comes to is filled from the back.
  void finish(std::size_t i) {
    while (i < searches_.size() && searches_[i].done()) {
      searches_[i].result(result_);
      desk_.choose(indices_[i], gumbel_ ? result_.best : safest_move(result_));  // as in play
      start_next(i);
      if (indices_[i] != desk_.end()) continue;
      std::swap(searches_[i], searches_.back());
      std::swap(indices_[i], indices_.back());
      drop_last();
    }
  }
  void drop_last() {
    searches_.pop_back();
    indices_.pop_back();
  }

  Desk& desk_;
  std::uint64_t seed_;
  bool gumbel_;
  std::vector<Search> searches_;
  std::vector<std::size_t> indices_;  // of their positions
  SearchResult result_;
};

}  // namespace

MoveChooser::MoveChooser(MakeEvaluator make, const Choosing& choosing)
    : make_(std::move(make)), choosing_(choosing), evaluators_(std::size_t(choosing.threads)) {}

Evaluator& MoveChooser::evaluator(int thread) {
  std::unique_ptr<Evaluator>& own = evaluators_[std::size_t(thread)];
  if (!own) own = make_();
  return *own;
}

std::vector<std::size_t> MoveChooser::choose(std::span<const State> positions,
                                             const std::function<void(std::size_t)>& on_choice) {
  Desk desk(positions, on_choice);
  const auto busy = int(std::min(evaluators_.size(), positions.size()));
  if (busy == 0) return {};
  work_together(busy, [&](int thread) {
    if (choosing_.search.simulations == 0)
      choose_by_prior(desk, evaluator(thread), std::size_t(choosing_.together));
    else
      Searchers(desk, choosing_).run(evaluator(thread));
  });
  return std::move(desk).choices();
}

}  // namespace tabula
