// The residual tower on the processor: from planes to what the heads look at.
#pragma once
#include <memory>
#include <string>

#include "core/nn/net.h"

namespace tabula {

// Heads' inputs: rows x cells x head channels, of the policy and of the value.
struct Features {
  float *policy, *value;
};

class Tower {
 public:
  virtual ~Tower() = default;
  virtual int most_rows() const = 0;  // of one run: what fits the caches
  virtual void run(int rows, const float* planes, const Features& out) = 0;
  virtual std::string name() const = 0;
};

std::unique_ptr<Tower> onednn_tower(const Net& net);

// Convolutions of our own need 3 x 3 kernels, AVX2 and FMA.
bool winograd_usable(const NetShape& shape);
bool winograd_is_faster(const NetShape& shape);
// requires: winograd_usable(), and avx512_usable() if that is wanted. The same numbers either way,
// bit by bit.
std::unique_ptr<Tower> winograd_tower(const Net& net, bool avx512);

std::unique_ptr<Tower> amx_tower(const Net& net);         // requires: amx_usable()
std::unique_ptr<Tower> plain_tile_tower(const Net& net);  // the same sums, without tiles

}  // namespace tabula
