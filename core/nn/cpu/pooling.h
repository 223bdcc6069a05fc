#pragma once
#include <string>

#include "core/nn/cpu/linear.h"
#include "core/nn/net.h"

namespace tabula {

Linear linear_of(const Net& net, const std::string& name);

// How a block's second convolution is scaled (squeeze) or shifted (global), channel by channel.
class BlockPooling {
 public:
  BlockPooling(const Net& net, int block);
  // squeeze: the means of the second convolution give its scale.
  // global: means, then maxima, of the first (2 x channels a row) give a shift.
  void run(int rows, const float* pooled, float* out);

 private:
  Pooling kind_;
  int channels_;
  Linear squeeze_, excite_, pool_;
  std::vector<float> squeezed_;
};

}  // namespace tabula
