#pragma once
#include <algorithm>
#include <cstdint>

namespace tabula {

// How many more samples may be drawn if each position is to be used so often: a bucket that every
// new position fills and every step empties. It holds no more than would use the whole window so
// often: what has left the window cannot be made up for.
class ReuseBudget {
 public:
  explicit ReuseBudget(double reuse, double tokens = 0) : reuse_(reuse), tokens_(tokens) {}

  void add_positions(double fresh, double in_window) {
    tokens_ = std::min(tokens_ + reuse_ * fresh, reuse_ * in_window);
  }
  bool allows(int samples) const { return tokens_ >= double(samples); }
  void spend(int samples) { tokens_ -= double(samples); }
  double tokens() const { return tokens_; }

 private:
  double reuse_, tokens_;
};

}  // namespace tabula
