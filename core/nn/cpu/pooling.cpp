#include "core/nn/cpu/pooling.h"

#include "core/base/portable_math.h"

namespace tabula {

Linear linear_of(const Net& net, const std::string& name) {
  const Tensor& weight = net.weights.at(name + ".weight");
  const auto outputs = int(weight.shape[0]), inputs = int(weight.values.size()) / outputs;
  return {inputs, outputs, weight.values, net[name + ".bias"]};
}

BlockPooling::BlockPooling(const Net& net, int block)
    : kind_(net.config.pooling), channels_(net.config.channels) {
  const std::string name = "block." + std::to_string(block) + ".";
  if (kind_ == Pooling::squeeze) {
    squeeze_ = linear_of(net, name + "squeeze");
    excite_ = linear_of(net, name + "excite");
  }
  if (kind_ == Pooling::global) pool_ = linear_of(net, name + "pool");
}

void BlockPooling::run(int rows, const float* pooled, float* out) {
  if (kind_ == Pooling::global)
    return pool_.run(rows, pooled, 2 * channels_, out, channels_, false);
  squeezed_.resize(std::size_t(rows) * std::size_t(squeeze_.outputs()));
  squeeze_.run(rows, pooled, channels_, squeezed_.data(), squeeze_.outputs(), true);
  excite_.run(rows, squeezed_.data(), squeeze_.outputs(), out, channels_, false);
  for (int i = 0; i < rows * channels_; ++i) out[i] = 1 / (1 + portable_exp(-out[i]));
}

}  // namespace tabula
