#pragma once

namespace tabula {

// Chances of a win, a draw and a loss, as seen by one player. Sums to 1.
struct Wdl {
  float win = 0, draw = 0, loss = 0;

  float mean() const { return win - loss; }
  Wdl flipped() const { return {loss, draw, win}; }  // the same position, seen by the opponent
  Wdl seen_by(int player) const { return player == 0 ? *this : flipped(); }
  static Wdl certain(int result) {
    return {float(result > 0), float(result == 0), float(result < 0)};
  }
  bool operator==(const Wdl&) const = default;
};

}  // namespace tabula
