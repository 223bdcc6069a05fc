#include <algorithm>
#include <cstring>
#include <vector>

#include "core/base/hash.h"
#include "core/eval/evaluator.h"
#include "core/eval/in_flight.h"

namespace tabula {
namespace {

// A table of buckets of four entries; the least recently used of a bucket makes room. Everything is
// allocated at the start: an entry has room for as many priors as the game has legal moves.
class Cache : public Evaluator {
 public:
  Cache(std::unique_ptr<Evaluator> inner, const Rules& rules, std::size_t bytes, CacheStats* stats)
      : inner_(std::move(inner)),
        width_(std::size_t(rules.max_legal())),
        slots_(std::size_t(inner_->in_flight())),
        stats_(stats) {
    const std::size_t entry = sizeof(Entry) + width_ * sizeof(float);
    buckets_ = std::max<std::size_t>(1, bytes / (entry * kWays));
    entries_.resize(buckets_ * kWays);
    policies_.resize(buckets_ * kWays * width_);
  }

  void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
    begin(questions, answers);
    finish();
  }
  int in_flight() const override { return slots_.most(); }

  void begin(std::span<const Question> questions, std::span<Answer> answers) override {
    Slot& slot = slots_.begin();
    slot.answers = answers;
    slot.missed.clear();
    slot.places.clear();
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const Key key = key_of(questions[i]);
      if (const Entry* entry = find(key)) {
        answers[i] = entry->answer;
        std::memcpy(questions[i].policy.data(), policy_of(*entry),
                    questions[i].policy.size() * sizeof(float));
      } else {
        slot.missed.push_back(questions[i]);
        slot.places.push_back({i, key});
      }
    }
    if (stats_) stats_->asked += questions.size();
    if (stats_) stats_->hits += questions.size() - slot.missed.size();
    slot.fresh.resize(slot.missed.size());
    if (!slot.missed.empty()) inner_->begin(slot.missed, slot.fresh);
  }

  void finish() override {
    Slot& slot = slots_.finish();
    if (!slot.missed.empty()) inner_->finish();
    for (std::size_t j = 0; j < slot.missed.size(); ++j) {
      slot.answers[slot.places[j].index] = slot.fresh[j];
      keep(slot.places[j].key, slot.fresh[j], slot.missed[j].policy);
    }
  }

 private:
  static constexpr std::size_t kWays = 4;
  struct Key {
    std::uint64_t position = 0, legal = 0;
    bool operator==(const Key&) const = default;
  };
  struct Entry {
    Key key;
    Answer answer;
    std::uint64_t used = 0;  // 0: empty
  };
  struct Place {
    std::size_t index;
    Key key;
  };
  struct Slot {
    std::span<Answer> answers;
    std::vector<Question> missed;
    std::vector<Answer> fresh;  // of the missed
    std::vector<Place> places;
  };

  static Key key_of(const Question& question) {
    return {question.state->hash(), Hash().add_bytes(std::as_bytes(question.legal)).value()};
  }
  Entry* bucket(const Key& key) { return &entries_[mix(key.position) % buckets_ * kWays]; }
  float* policy_of(const Entry& entry) {
    return &policies_[std::size_t(&entry - entries_.data()) * width_];
  }
  const Entry* find(const Key& key) {
    Entry* const first = bucket(key);
    for (Entry* entry = first; entry < first + kWays; ++entry)
      if (entry->used != 0 && entry->key == key) {
        entry->used = ++clock_;
        return entry;
      }
    return nullptr;
  }
  void keep(const Key& key, const Answer& answer, std::span<const float> policy) {
    Entry* const first = bucket(key);
    Entry& entry = *std::ranges::min_element(first, first + kWays, {}, &Entry::used);
    entry = {key, answer, ++clock_};
    std::memcpy(policy_of(entry), policy.data(), policy.size() * sizeof(float));
  }

  std::unique_ptr<Evaluator> inner_;
  std::size_t width_, buckets_ = 0;
  std::vector<Entry> entries_;
  std::vector<float> policies_;
  std::uint64_t clock_ = 0;
  InFlight<Slot> slots_;
  CacheStats* stats_;
};

}  // namespace

std::unique_ptr<Evaluator> with_cache(std::unique_ptr<Evaluator> inner, const Rules& rules,
                                      std::size_t bytes, CacheStats* stats) {
  return std::make_unique<Cache>(std::move(inner), rules, bytes, stats);
}

}  // namespace tabula
