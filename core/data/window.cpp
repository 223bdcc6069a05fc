#include "core/data/window.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tabula {
namespace {

bool counts(const PlyRecord& ply, bool cheap) {
  const bool searched_cheaply = !ply.full && ply.descents > 0;
  return is_example(ply) && (cheap || !searched_cheaply);
}

std::size_t examples_in(const GameRecord& game, bool cheap) {
  return std::size_t(
      std::ranges::count_if(game.plies, [&](const PlyRecord& ply) { return counts(ply, cheap); }));
}

// requires: there are more examples than `index`
std::size_t ply_of_example(const GameRecord& game, std::size_t index, bool cheap) {
  std::size_t ply = 0;
  while (!counts(game.plies[ply], cheap) || index-- > 0) ++ply;
  return ply;
}

// Uniform in [0, n). The bias is below n / 2^64.
std::uint64_t below(Rng& rng, std::uint64_t n) { return rng.next() % n; }

}  // namespace

std::size_t window_positions(const WindowConfig& config, std::uint64_t seen) {
  const double ratio = std::max(1., double(seen) / config.first);
  const double size =
      config.first * (1 + config.beta * (std::pow(ratio, config.alpha) - 1) / config.alpha);
  return std::size_t(std::min(size, double(config.max_positions)));
}

std::size_t bytes_of(const GameRecord& game) {
  return sizeof game + game.plies.capacity() * sizeof(PlyRecord) +
         game.policy.capacity() * sizeof(PolicyEntry);
}

void Window::add(std::uint64_t sequence, GameRecord game) {
  assert(game.ending != Ending::none);
  game.plies.shrink_to_fit();
  game.policy.shrink_to_fit();
  const std::size_t examples = examples_in(game, config_.cheap), bytes = bytes_of(game);
  auto shared = std::make_shared<const GameRecord>(std::move(game));

  const std::scoped_lock lock(mutex_);
  assert(entries_.empty() || entries_.back().sequence < sequence);
  if (examples == 0) return;
  entries_.push_back({sequence, end_, std::move(shared)});
  end_ += examples;
  seen_ += examples;
  positions_ += examples;
  bytes_ += bytes;
  ++games_;
  shrink();
}

bool Window::drop(std::uint64_t sequence) {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::lower_bound(entries_, sequence, {}, &Entry::sequence);
  if (found == entries_.end() || found->sequence != sequence || !found->game) return false;
  take_out(std::size_t(found - entries_.begin()));
  while (!entries_.empty() && !entries_.front().game) entries_.pop_front();
  // Draws that meet a dropped game are repeated: at most one more on average.
  if (!entries_.empty() && end_ - entries_.front().first > 2 * positions_) renumber();
  return true;
}

void Window::shrink() {
  const std::size_t most = window_positions(config_, seen_);
  while (games_ > 1 && (positions_ > most || bytes_ > config_.max_bytes)) {
    take_out(0);
    while (!entries_.front().game) entries_.pop_front();
  }
}

void Window::take_out(std::size_t index) {
  Entry& entry = entries_[index];
  positions_ -= end_of(index) - entry.first;
  bytes_ -= bytes_of(*entry.game);
  --games_;
  entry.game.reset();
}

void Window::renumber() {
  std::deque<Entry> kept;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].game) continue;
    kept.push_back({entries_[i].sequence, end, entries_[i].game});
    end += end_of(i) - entries_[i].first;
  }
  entries_ = std::move(kept);
  end_ = end;
}

std::uint64_t Window::end_of(std::size_t index) const {
  return index + 1 < entries_.size() ? entries_[index + 1].first : end_;
}

Example Window::draw(Rng& rng) const {
  const std::scoped_lock lock(mutex_);
  return draw_locked(rng);
}

Example Window::draw_locked(Rng& rng) const {
  assert(positions_ > 0);
  const std::uint64_t first = entries_.front().first;
  for (;;) {
    const std::uint64_t number = first + below(rng, end_ - first);
    const auto after = std::ranges::upper_bound(entries_, number, {}, &Entry::first);
    const Entry& entry = *std::prev(after);
    if (entry.game)
      return {entry.game, ply_of_example(*entry.game, number - entry.first, config_.cheap)};
  }
}

void Window::fill(ExampleWriter& writer, Rng& rng, int rows, TrainingBatch& batch) const {
  std::vector<Example> drawn;
  drawn.reserve(std::size_t(rows));
  {
    const std::scoped_lock lock(mutex_);
    for (int i = 0; i < rows; ++i) drawn.push_back(draw_locked(rng));
  }
  const auto symmetries = std::uint32_t(writer.rules().symmetries());
  for (const Example& example : drawn)
    writer.add(*example.game, example.ply, int(rng.below(symmetries)), batch);
}

std::size_t Window::positions() const {
  const std::scoped_lock lock(mutex_);
  return positions_;
}

std::size_t Window::games() const {
  const std::scoped_lock lock(mutex_);
  return games_;
}

std::size_t Window::bytes() const {
  const std::scoped_lock lock(mutex_);
  return bytes_;
}

std::uint64_t Window::first_sequence() const {
  const std::scoped_lock lock(mutex_);
  return entries_.empty() ? 0 : entries_.front().sequence;
}

std::uint64_t Window::seen() const {
  const std::scoped_lock lock(mutex_);
  return seen_;
}

}  // namespace tabula
