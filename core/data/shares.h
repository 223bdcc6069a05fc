#pragma once
#include <cmath>
#include <cstdint>

namespace tabula {

// Shares of a whole as whole numbers of 1/65535, which add up to it exactly. Each share ends where
// the sum so far, rounded, ends; so what was rounded once stays as it is.
constexpr std::uint32_t kShareUnits = 65535;

class ShareRounder {
 public:
  // The sum of all shares, added in the order in which they come. requires: none is negative
  explicit ShareRounder(double sum) : scale_(kShareUnits / sum) {}

  std::uint32_t next(float share) {
    sum_ += share;
    const std::uint32_t before = end_;
    end_ = std::uint32_t(std::lround(sum_ * scale_));
    return end_ - before;
  }

 private:
  double scale_, sum_ = 0;
  std::uint32_t end_ = 0;
};

constexpr float share_of(std::uint32_t units) { return float(units) / float(kShareUnits); }

}  // namespace tabula
