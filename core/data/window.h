#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

#include "core/data/examples.h"

namespace tabula {

// Sizes count examples. The window holds the newest n0 * (1 + beta * ((n / n0)^alpha - 1) / alpha)
// of the n seen so far, all of them until there are n0, and never more than the limits allow.
struct WindowConfig {
  double first = 50000;  // n0
  double alpha = 0.75;  // how its size grows with the data: 1 as they do, near 0 as their logarithm
  double beta = 0.4;    // its growth at n0: the share of new data that does not push out old
  bool cheap = true;    // plies of cheap searches are examples, too: of values, not of policies
  std::size_t max_positions = 20'000'000;
  std::size_t max_bytes = std::size_t{4} << 30;  // of records in memory
};

std::size_t window_positions(const WindowConfig& config, std::uint64_t seen);

// A record's memory, as a window counts it.
std::size_t bytes_of(const GameRecord& game);

struct Example {
  std::shared_ptr<const GameRecord> game;
  std::size_t ply;
};

// The games a trainer learns from, in the order in which they came. Thread-safe: any number of
// threads may draw while another adds and drops; what was drawn stays valid.
class Window {
 public:
  // `seen`: examples that came before this window was made.
  explicit Window(const WindowConfig& config, std::uint64_t seen = 0)
      : config_(config), seen_(seen) {}

  // The oldest games leave until all limits hold; the newest always stays.
  // requires: the game has ended, its moves are legal, the sequence is above all before it
  void add(std::uint64_t sequence, GameRecord game);
  // Takes a game back. False if it is not here.
  bool drop(std::uint64_t sequence);

  // Appends so many rows, each drawn from all examples alike, seen through any symmetry alike. The
  // same window and stream give the same rows. requires: positions() > 0
  void fill(ExampleWriter& writer, Rng& rng, int rows, TrainingBatch& batch) const;
  // One such example. requires: positions() > 0
  Example draw(Rng& rng) const;

  std::size_t positions() const;  // examples
  std::size_t games() const;
  std::size_t bytes() const;
  std::uint64_t seen() const;            // examples ever
  std::uint64_t first_sequence() const;  // of the oldest game; 0: none

 private:
  struct Entry {
    std::uint64_t sequence, first;           // of its examples, in the numbering of all
    std::shared_ptr<const GameRecord> game;  // null: dropped
  };
  std::uint64_t end_of(std::size_t index) const;
  Example draw_locked(Rng& rng) const;
  void take_out(std::size_t index);
  void shrink();
  void renumber();

  WindowConfig config_;
  mutable std::mutex mutex_;
  std::deque<Entry> entries_;  // the first is not dropped
  std::uint64_t end_ = 0;      // number of the next example
  std::size_t positions_ = 0, games_ = 0, bytes_ = 0;
  std::uint64_t seen_;
};

}  // namespace tabula
