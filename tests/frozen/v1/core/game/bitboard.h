#pragma once
#include <bit>
#include <cstdint>

namespace tabula {

// A set of cells of a board, as bits. Cells are numbered row by row from the top left; bits past
// the last cell are always zero, so equal sets have equal bytes.
template <int Rows, int Cols>
class Bitboard {
 public:
  static constexpr int kCells = Rows * Cols, kWords = (kCells + 63) / 64;

  constexpr Bitboard() = default;
  static constexpr Bitboard of(int cell) { return Bitboard().with(cell); }
  static constexpr Bitboard all() { return ~Bitboard(); }
  static constexpr Bitboard row(int r) {
    Bitboard board;
    for (int c = 0; c < Cols; ++c) board.set(r * Cols + c);
    return board;
  }
  static constexpr Bitboard column(int c) {
    Bitboard board;
    for (int r = 0; r < Rows; ++r) board.set(r * Cols + c);
    return board;
  }

  constexpr bool test(int cell) const { return words_[cell >> 6] >> (cell & 63) & 1; }
  constexpr void set(int cell) { words_[cell >> 6] |= std::uint64_t{1} << (cell & 63); }
  constexpr void clear(int cell) { words_[cell >> 6] &= ~(std::uint64_t{1} << (cell & 63)); }
  constexpr Bitboard with(int cell) const {
    Bitboard board = *this;
    board.set(cell);
    return board;
  }

  constexpr bool any() const {
    std::uint64_t seen = 0;
    for (int i = 0; i < kWords; ++i) seen |= words_[i];
    return seen != 0;
  }
  constexpr int count() const {
    int count = 0;
    for (int i = 0; i < kWords; ++i) count += std::popcount(words_[i]);
    return count;
  }
  // The lowest cell. requires: any()
  constexpr int first() const {
    int i = 0;
    while (i + 1 < kWords && words_[i] == 0) ++i;
    return i * 64 + std::countr_zero(words_[i]);
  }
  // Calls visit(cell) for every cell, ascending.
  template <class F>
  constexpr void each(F visit) const {
    for (int i = 0; i < kWords; ++i)
      for (std::uint64_t w = words_[i]; w; w &= w - 1) visit(i * 64 + std::countr_zero(w));
  }

  // All cells one step away: down by `rows`, right by `cols`, each -1, 0 or 1. Off the edge is off
  // the board.
  template <int DownBy, int RightBy>
  constexpr Bitboard shifted() const {
    static_assert(DownBy >= -1 && DownBy <= 1 && RightBy >= -1 && RightBy <= 1);
    constexpr int by = DownBy * Cols + RightBy;
    Bitboard from = *this;
    if constexpr (RightBy == 1) from = from & ~column(Cols - 1);
    if constexpr (RightBy == -1) from = from & ~column(0);
    if constexpr (by >= 0) return from.up_by(by) & all();
    return from.down_by(-by);
  }
  // The cells beside these, up, down, left and right.
  constexpr Bitboard neighbours() const {
    return shifted<1, 0>() | shifted<-1, 0>() | shifted<0, 1>() | shifted<0, -1>();
  }

  friend constexpr Bitboard operator&(Bitboard a, Bitboard b) {
    for (int i = 0; i < kWords; ++i) a.words_[i] &= b.words_[i];
    return a;
  }
  friend constexpr Bitboard operator|(Bitboard a, Bitboard b) {
    for (int i = 0; i < kWords; ++i) a.words_[i] |= b.words_[i];
    return a;
  }
  friend constexpr Bitboard operator^(Bitboard a, Bitboard b) {
    for (int i = 0; i < kWords; ++i) a.words_[i] ^= b.words_[i];
    return a;
  }
  constexpr Bitboard operator~() const {
    Bitboard board;
    for (int i = 0; i < kWords; ++i) board.words_[i] = ~words_[i] & last(i);
    return board;
  }
  constexpr Bitboard& operator|=(Bitboard b) { return *this = *this | b; }
  constexpr Bitboard& operator&=(Bitboard b) { return *this = *this & b; }
  constexpr Bitboard& operator^=(Bitboard b) { return *this = *this ^ b; }
  constexpr bool operator==(const Bitboard&) const = default;

 private:
  static constexpr std::uint64_t last(int word) {  // the bits of a word that are cells
    const int used = kCells - word * 64;
    return used >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << used) - 1;
  }
  constexpr Bitboard up_by(int n) const {
    Bitboard board;
    for (int i = 0; i < kWords; ++i)
      board.words_[i] = words_[i] << n | (i > 0 && n > 0 ? words_[i - 1] >> (64 - n) : 0);
    return board;
  }
  constexpr Bitboard down_by(int n) const {
    Bitboard board;
    for (int i = 0; i < kWords; ++i)
      board.words_[i] = words_[i] >> n | (i + 1 < kWords && n > 0 ? words_[i + 1] << (64 - n) : 0);
    return board;
  }
  std::uint64_t words_[kWords] = {};
};

}  // namespace tabula
