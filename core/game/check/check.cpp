#include "core/game/check/check.h"

#include <algorithm>

#include "core/game/check/laws.h"

namespace tabula {
namespace {

constexpr int kRecordings = 16;  // games that are replayed side by side afterwards

class Checker {
 public:
  Checker(const Rules& rules, const CheckConfig& config, Trace& trace)
      : rules_(rules), config_(config), trace_(trace) {}

  std::vector<Breach> run() {
    for (int i = 0; i < config_.playouts; ++i) {
      collect([&] { playout(i); });
      trace_.finished_playout();
    }
    for (std::size_t i = 0; i < recordings_.size(); ++i)
      collect([&] {
        check_interleaved(rules_, trace_, recordings_[i],
                          recordings_[(i + 1) % recordings_.size()]);
      });
    if (breaches_.empty())
      collect([&] {
        for (int i = 0; i < kRecordings; ++i)
          check_play_out(rules_, trace_, mix(config_.seed) ^ std::uint64_t(i));
      });
    collect([&] { check_threads(rules_, trace_, recordings_, config_.threads); });
    return std::move(breaches_);
  }

 private:
  template <class F>
  void collect(F check) {
    try {
      check();
    } catch (Breach& breach) {
      if (!std::ranges::count(breaches_, breach.law, &Breach::law))
        breaches_.push_back(std::move(breach));
    }
  }

  void playout(int number) {
    Rng rng(mix(config_.seed) + std::uint64_t(number));
    const int symmetry = number % rules_.symmetries();
    Specimen position(rules_, trace_, Trace::kMain);
    Specimen image(rules_, trace_, Trace::kMirror);
    Recording recording;
    const auto& t = rules_.table();
    check_turn(position);
    while (position.turn() != TABULA_OVER && position.ply() < t.max_plies) {
      check_position(position);
      if (symmetry != 0) check_symmetry(position, image, symmetry);
      identity_.check(position);
      recording.behaviour.push_back(behaviour(position));
      const std::vector<Action> legal = position.legal();
      const Action action = legal[rng.below(std::uint32_t(legal.size()))];
      if (symmetry != 0)
        image.apply(image_of(rules_, symmetry, action, position.turn() == TABULA_CHANCE));
      const Specimen before(position, Trace::kTwin);
      position.apply(action);
      identity_.check_move(before, action, position);
    }
    end(position, image, symmetry);
    recording.moves = position.moves();
    recording.result = result_of(position);
    if (std::ssize(recordings_) < kRecordings) recordings_.push_back(std::move(recording));
  }

  void end(Specimen& position, Specimen& image, int symmetry) {
    if (position.turn() != TABULA_OVER && !rules_.table().result_at_limit)
      position.breach("the game ends within max_plies",
                      "over after " + std::to_string(rules_.table().max_plies) + " plies",
                      "a game that goes on: raise max_plies, or say with result_at_limit() who is "
                      "ahead when the engine stops it");
    check_end(position);
    if (symmetry != 0) check_symmetry(position, image, symmetry);
  }

  const Rules& rules_;
  const CheckConfig config_;
  Trace& trace_;
  IdentityLaw identity_;
  std::vector<Recording> recordings_;
  std::vector<Breach> breaches_;
};

}  // namespace

std::vector<Breach> check_contract(const Rules& rules, const CheckConfig& config, Trace& trace) {
  return Checker(rules, config, trace).run();
}

}  // namespace tabula
