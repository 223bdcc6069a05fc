#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "tests/fake_evaluator.h"
#include "tests/support.h"

using namespace tabula;

namespace {

// Positions of random play where a player moves.
std::vector<State> positions(const Rules& rules, int count, std::uint64_t seed) {
  std::vector<State> found;
  Rng rng(seed);
  Playout playout(rules);
  for (State state(rules); int(found.size()) < count; state = State(rules))
    for (; !state.over(); state.apply(playout.draw(state, rng)))
      if (!state.at_chance() && int(found.size()) < count) found.push_back(state);
  return found;
}

struct Judged {
  std::vector<float> policy;
  Answer answer;
  bool operator==(const Judged& other) const {
    return policy == other.policy && answer.value == other.answer.value &&
           answer.moves_left == other.answer.moves_left;
  }
};

// What an evaluator says about states, asked in batches of a size.
std::vector<Judged> judged(Evaluator& evaluator, const std::vector<State>& states,
                           std::size_t batch) {
  std::vector<Judged> all(states.size());
  std::vector<std::vector<Action>> legal;
  for (const State& state : states) legal.push_back(state.legal());
  for (std::size_t from = 0; from < states.size(); from += batch) {
    std::vector<Question> questions;
    for (std::size_t i = from; i < std::min(from + batch, states.size()); ++i) {
      all[i].policy.resize(legal[i].size());
      questions.push_back({&states[i], legal[i], all[i].policy});
    }
    std::vector<Answer> answers(questions.size());
    evaluator.evaluate(questions, answers);
    for (std::size_t i = 0; i < answers.size(); ++i) all[from + i].answer = answers[i];
  }
  return all;
}

std::unique_ptr<Evaluator> fake() { return std::make_unique<FakeEvaluator>(); }

}  // namespace

TEST_CASE("evaluators give policies and values that sum to one") {
  const auto states = positions(shipped("connect4"), 50, 1);
  std::unique_ptr<Evaluator> all[] = {uniform_evaluator(), rollout_evaluator(5, 1),
                                      with_symmetry(fake(), SymmetryUse::averaged)};
  for (auto& evaluator : all)
    for (const Judged& one : judged(*evaluator, states, 7)) {
      CHECK(std::accumulate(one.policy.begin(), one.policy.end(), 0.f) == doctest::Approx(1));
      const Wdl& v = one.answer.value;
      CHECK(v.win + v.draw + v.loss == doctest::Approx(1));
    }
}

TEST_CASE("an answer does not depend on the batch that its question fell in") {
  for (const char* game : {"connect4", "einstein", "go5"}) {
    const auto states = positions(shipped(game), 60, 2);
    std::unique_ptr<Evaluator> all[] = {
        rollout_evaluator(3, 9), with_symmetry(fake(), SymmetryUse::drawn),
        with_symmetry(fake(), SymmetryUse::averaged),
        with_cache(rollout_evaluator(3, 9), shipped(game), 1 << 14)};
    for (auto& evaluator : all) {
      const auto alone = judged(*evaluator, states, 1);
      for (std::size_t batch : {2u, 7u, 60u}) CHECK((judged(*evaluator, states, batch) == alone));
    }
  }
}

TEST_CASE("rollouts see who is winning") {
  const State won = after(shipped("connect4"), "1 7 2 7 3");  // player 1 must block column 4
  auto evaluator = rollout_evaluator(400, 3);
  CHECK(judged(*evaluator, {won}, 1)[0].answer.value.mean() < -0.1f);
  CHECK(judged(*evaluator, {won}, 1)[0].answer.moves_left > 1);
}

TEST_CASE("a drawn symmetry is the same for equal positions and not always the same") {
  struct Spy : FakeEvaluator {
    void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
      for (const Question& q : questions) ++(*seen)[std::size_t(q.symmetry)];
      FakeEvaluator::evaluate(questions, answers);
    }
    std::vector<int>* seen;
  };
  std::vector<int> seen(8);
  auto spy = std::make_unique<Spy>();
  spy->seen = &seen;
  auto evaluator = with_symmetry(std::move(spy), SymmetryUse::drawn);
  const auto states = positions(shipped("go5"), 200, 3);
  CHECK((judged(*evaluator, states, 10) == judged(*evaluator, states, 3)));
  for (int count : seen) CHECK(count > 0);
}

TEST_CASE("the mean over all symmetries is the same for a position and its mirror image") {
  // An evaluator that looks at the planes, through the symmetry it is told.
  struct Looking : Evaluator {
    void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
      for (std::size_t i = 0; i < questions.size(); ++i) {
        const Question& q = questions[i];
        const Rules& rules = q.state->rules();
        std::vector<float> planes(std::size_t(rules.plane_floats())), turned(planes);
        q.state->encode(planes);
        rules.map_planes(q.symmetry, rules.table().planes, planes.data(), turned.data());
        float weight = 0.1f, seen = 0;
        for (float x : turned) seen += x * (weight = weight * 1.1f);
        float sum = 0;
        for (std::size_t a = 0; a < q.legal.size(); ++a)
          sum += q.policy[a] =
              1 + std::fabs(std::sin(seen + float(rules.map_action(q.symmetry, q.legal[a]))));
        for (float& p : q.policy) p /= sum;
        const float win = 0.5f + 0.5f * std::sin(seen);
        answers[i] = {.value = {win, 0, 1 - win}};
      }
    }
  };
  auto evaluator = with_symmetry(std::make_unique<Looking>(), SymmetryUse::averaged);
  const Rules& rules = shipped("connect4");
  const auto both = judged(*evaluator, {after(rules, "1 2 2 5"), after(rules, "7 6 6 3")}, 2);
  CHECK(both[0].answer.value.win == doctest::Approx(both[1].answer.value.win));
  for (std::size_t a = 0; a < 7; ++a)
    CHECK(both[0].policy[a] == doctest::Approx(both[1].policy[6 - a]));
}

TEST_CASE("a cache answers exactly, counts its hits, and keeps to its memory") {
  const Rules& rules = shipped("connect4");
  const auto states = positions(rules, 300, 4);
  CacheStats stats;
  auto inner = std::make_unique<FakeEvaluator>();
  auto cached = with_cache(std::move(inner), rules, 1 << 20, &stats);
  auto plain = fake();
  const auto truth = judged(*plain, states, 16);
  CHECK((judged(*cached, states, 16) == truth));
  const std::uint64_t first = stats.hits;
  CHECK((judged(*cached, states, 16) == truth));
  CHECK(stats.asked == 600);
  CHECK(stats.hits - first == 300);

  CacheStats small_stats;
  auto small = with_cache(fake(), rules, 1 << 12, &small_stats);  // room for a few dozen
  for (int i = 0; i < 3; ++i) CHECK((judged(*small, states, 16) == truth));
  CHECK(small_stats.hits < small_stats.asked / 2);
}

TEST_CASE("a cache hit whose legal moves differ is a miss") {
  const Rules& rules = shipped("connect4");
  const State state(rules);
  const std::vector<Action> all = state.legal(), some = {1, 3};
  std::vector<float> policy_all(7), policy_some(2);
  CacheStats stats;
  auto cached = with_cache(fake(), rules, 1 << 16, &stats);
  const Question questions[] = {{&state, all, policy_all}, {&state, some, policy_some}};
  Answer answers[2];
  for (int i = 0; i < 2; ++i) cached->evaluate({questions + i, 1}, {answers + i, 1});
  CHECK(stats.hits == 0);
  CHECK(policy_some[0] + policy_some[1] == doctest::Approx(1));
}
