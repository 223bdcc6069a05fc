#include "games/connect4/solver/solver.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <numeric>
#include <span>

namespace tabula::connect4 {

namespace {

// What the side to move scores by winning with the next stone, when `stones` are on the board.
// On a board too full for that stone it is a draw.
constexpr int win_score(int stones) { return std::max(21 - stones / 2, 0); }

// The best and the worst for a side that can neither win nor be made to lose within two plies.
constexpr int best_score(int stones) { return win_score(stones + 2); }
constexpr int worst_score(int stones) { return -win_score(stones + 3); }

// A score beyond this is a short win or loss, cheap to find or to rule out.
constexpr int kShortWin = 12;

// Claims say who wins, not when: above this null window they settle nothing.
constexpr int kBestClaim = 0;

// From here on a look at all children in the table costs more than it saves.
constexpr int kLookAheadStones = 28;

// Mirror images share an entry.
std::uint64_t table_key(const Position& position) {
  return std::min(position.key(), mirror(position.key()));
}

}  // namespace

struct Solver::Range {
  int lower, upper;
  bool contains(int score) const { return lower <= score && score <= upper; }
  int next_alpha() const;
  void update(int bound, int alpha) { (bound > alpha ? lower : upper) = bound; }
};

// Bounds by position. An entry holds the whole key, so it can never answer for another position.
// A bucket is two entries: the first keeps what took most work, the second what came last.
class Solver::Table {
 public:
  // Huge pages, where the system grants them, save a quarter of the search's time.
  explicit Table(std::size_t bytes)
      : buckets_(std::bit_floor(std::max(bytes / sizeof(Bucket), std::size_t{2}))) {
    void* memory = mmap(nullptr, buckets_ * sizeof(Bucket), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    madvise(memory, buckets_ * sizeof(Bucket), MADV_HUGEPAGE);
    bucket_ = static_cast<Bucket*>(memory);
  }
  ~Table() { munmap(bucket_, buckets_ * sizeof(Bucket)); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  // Where the search will look next. (GCC 12 drops a prefetch wrapped in a const function.)
  const void* place(std::uint64_t key) const { return &bucket(key); }

  Range find(std::uint64_t key, Range otherwise) const {
    for (Entry entry : bucket(key))
      if ((entry & kKeyMask) == key) return {unpack(entry >> 49), unpack(entry >> 55)};
    return otherwise;
  }

  void store(std::uint64_t key, Range range, std::uint64_t nodes) {
    const auto work = std::min<std::uint64_t>(std::bit_width(nodes) / 3, 7);
    auto& [most_work, latest] = bucket(key);
    const bool outranked = most_work >> 61 > work && (most_work & kKeyMask) != key;
    (outranked ? latest : most_work) =
        key | pack(range.lower) << 49 | pack(range.upper) << 55 | work << 61;
  }

 private:
  // From the lowest bit: key 49, lower bound 6, upper bound 6, work 3. All zero when empty.
  using Entry = std::uint64_t;
  using Bucket = std::array<Entry, 2>;
  static constexpr Entry kKeyMask = (Entry{1} << 49) - 1;
  static constexpr int kBias = 32;

  static Entry pack(int score) { return static_cast<unsigned>(score + kBias); }
  static int unpack(Entry bits) { return static_cast<int>(bits & 0x3f) - kBias; }

  Bucket& bucket(std::uint64_t key) const {
    const std::uint64_t scattered = key * 0x9e3779b97f4a7c15;
    return bucket_[scattered >> (65 - std::bit_width(buckets_))];
  }

  std::size_t buckets_;
  Bucket* bucket_;
};

Solver::Solver(std::size_t table_bytes) : table_(std::make_unique<Table>(table_bytes)) {}
Solver::~Solver() = default;

int Solver::score(const Position& position) { return narrow(position, false).lower; }

int Solver::sign(const Position& position) {
  const Range range = narrow(position, true);
  return range.contains(0) ? 0 : range.lower > 0 ? 1 : -1;
}

bool Solver::above(const Position& position, int bound) {
  const int stones = position.stones();
  if (position.winning()) return win_score(stones) > bound;
  if (!position.safe()) return -win_score(stones + 1) > bound;
  return search(position, bound) > bound;
}

std::array<std::optional<int>, kColumns> Solver::move_scores(
    const Position& position, const std::function<void(int, int)>& on_score) {
  std::array<std::optional<int>, kColumns> scores;
  for (int column = 0; column < kColumns; ++column) {
    const Cells cell = position.legal(column);
    if (!cell) continue;
    const Position next = position.after(cell);
    const int at_end = position.winning() & cell ? win_score(position.stones()) : 0;
    const int found = next.over() ? at_end : -score(next);
    scores[static_cast<std::size_t>(column)] = found;
    if (on_score) on_score(column, found);
  }
  return scores;
}

// Which null window to try next: short wins and losses, then the sign, then halves of what is left.
int Solver::Range::next_alpha() const {
  if (!contains(0)) return std::midpoint(lower, upper);
  if (upper > kShortWin || lower < -kShortWin) return (upper > -lower ? upper : lower) / 2;
  return upper > 0 ? 0 : -1;
}

Solver::Range Solver::narrow(const Position& position, bool sign_only) {
  const int stones = position.stones();
  if (position.winning()) return {win_score(stones), win_score(stones)};
  if (!position.safe()) return {-win_score(stones + 1), -win_score(stones + 1)};

  Range range{worst_score(stones), best_score(stones)};
  while (range.lower < range.upper && (!sign_only || range.contains(0))) {
    const int alpha = range.next_alpha();
    range.update(search(position, alpha), alpha);
  }
  return range;
}

// Returns a bound on the score: a lower one if it is above alpha, else an upper one.
// requires: no winning() cell and at least one safe() cell.
int Solver::search(const Position& position, int alpha) {
  ++nodes_;
  const int stones = position.stones();
  Range range{worst_score(stones), best_score(stones)};
  if (range.lower > alpha) return range.lower;
  if (range.upper <= alpha) return range.upper;
  if (alpha >= 0 ? !position.mover_can_line_up() : !position.opponent_can_line_up()) return 0;

  const Cells moves = position.safe();
  if (at_most_one(moves)) return search_moves(position, moves, alpha);

  const std::uint64_t key = table_key(position);
  range = table_->find(key, range);
  if (range.lower > alpha) return range.lower;
  if (range.upper <= alpha) return range.upper;

  const std::uint64_t nodes_before = nodes_;
  const int bound = search_moves(position, moves, alpha);
  range.update(bound, alpha);
  table_->store(key, range, nodes_ - nodes_before);
  return bound;
}

int Solver::search_moves(const Position& position, Cells moves, int alpha) {
  struct Child {
    Position position;
    std::uint64_t key;
    int threats;
  };
  std::array<Child, kColumns> children;
  std::size_t count = 0;
  const int stones = position.stones();
  for (int column : {3, 2, 4, 1, 5, 0, 6}) {
    const Cells cell = moves & column_cells(column);
    if (!cell) continue;
    const Position next = position.after(cell);
    if (!next.safe()) return best_score(stones);  // a double threat, or the last stone of a draw
    if (alpha <= kBestClaim)
      if (const int claimed = -next.claim(); claimed > alpha) return claimed;
    const Child child{next, table_key(next), std::popcount(next.their_threats())};
    __builtin_prefetch(table_->place(child.key));

    // Most threats first, the centre first among equals.
    std::size_t i = count++;
    for (; i > 0 && children[i - 1].threats < child.threats; --i) children[i] = children[i - 1];
    children[i] = child;
  }
  const std::span ordered(children.data(), count);

  // One child known to be good enough spares the search of those before it.
  if (stones < kLookAheadStones && count > 1)
    for (const Child& child : ordered) {
      const int known = -table_->find(child.key, {0, best_score(stones + 1)}).upper;
      if (known > alpha) return known;
    }

  int best = worst_score(stones);
  for (const Child& child : ordered) {
    best = std::max(best, -search(child.position, -alpha - 1));
    if (best > alpha) break;
  }
  return best;
}

}  // namespace tabula::connect4
