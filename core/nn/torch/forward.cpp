#include "core/nn/torch/forward.h"

#include <ATen/ATen.h>

namespace tabula {
namespace {

class Forward {
 public:
  Forward(const Net& net, const TensorMap& weights) : net_(net), weights_(weights) {}

  at::Tensor tower(const at::Tensor& planes) const {
    at::Tensor x = at::relu(convolution("input", planes));
    for (int i = 0; i < net_.config.blocks; ++i) x = block("block." + std::to_string(i) + ".", x);
    return x;
  }

  at::Tensor policy_features(const at::Tensor& x) const {
    return at::relu(convolution("policy.conv", x));
  }

  at::Tensor moves(const std::string& head, const at::Tensor& features) const {
    if (net_.shape.action_planes == 0) return linear(head + ".out", by_cell(features));
    const at::Tensor on_board = convolution(head + ".out", features).flatten(1);
    if (net_.shape.extras() == 0) return on_board;
    return at::cat({on_board, linear(head + ".extra", features.mean({2, 3}))}, 1);
  }

  at::Tensor value_hidden(const at::Tensor& x) const {
    return at::relu(linear("value.hidden", by_cell(at::relu(convolution("value.conv", x)))));
  }

  at::Tensor linear(const std::string& name, const at::Tensor& x) const {
    return at::linear(x, weights_.at(name + ".weight"), weights_.at(name + ".bias"));
  }

 private:
  // Every argument is spelt out: only so does a traced convolution reach oneDNN.
  at::Tensor convolution(const std::string& name, const at::Tensor& x) const {
    const at::Tensor& weight = weights_.at(name + ".weight");
    const std::int64_t pad = weight.size(2) / 2;
    return at::conv2d(x, weight, weights_.at(name + ".bias"), {1, 1}, {pad, pad}, {1, 1}, 1);
  }

  at::Tensor block(const std::string& name, const at::Tensor& x) const {
    const at::Tensor first = at::relu(convolution(name + "first", x));
    at::Tensor second = convolution(name + "second", first);
    if (net_.config.pooling == Pooling::squeeze) {
      const at::Tensor squeezed = at::relu(linear(name + "squeeze", second.mean({2, 3})));
      second = second * spread(at::sigmoid(linear(name + "excite", squeezed)));
    }
    if (net_.config.pooling == Pooling::global) {
      const at::Tensor pooled = at::cat({first.mean({2, 3}), first.amax({2, 3})}, 1);
      second = second + spread(linear(name + "pool", pooled));
    }
    return at::relu(x + second);
  }

  static at::Tensor spread(const at::Tensor& channels) {
    return channels.unsqueeze(2).unsqueeze(3);
  }
  static at::Tensor by_cell(const at::Tensor& features) {
    return features.permute({0, 2, 3, 1}).flatten(1);
  }

  const Net& net_;
  const TensorMap& weights_;
};

}  // namespace

NetOutputs forward(const Net& net, const TensorMap& weights, const at::Tensor& planes) {
  const Forward f(net, weights);
  const at::Tensor x = f.tower(planes), features = f.policy_features(x), hidden = f.value_hidden(x);
  return {f.moves("policy", features), f.linear("value.wdl", hidden),
          f.linear("value.moves", hidden), f.moves("reply", features)};
}

at::Tensor engine_outputs(const Net& net, const TensorMap& weights, const at::Tensor& planes) {
  const Forward f(net, weights);
  const at::Tensor x = f.tower(planes), hidden = f.value_hidden(x);
  return at::cat({f.moves("policy", f.policy_features(x)), f.linear("value.wdl", hidden),
                  f.linear("value.moves", hidden)},
                 1);
}

TensorMap tensors_of(const Net& net, at::Device device, at::ScalarType type) {
  TensorMap tensors;
  for (const auto& [name, tensor] : net.weights) {
    auto* values = const_cast<float*>(tensor.values.data());  // only read, then copied
    tensors[name] =
        at::from_blob(values, tensor.shape, at::kFloat).to(device, type, false, /*copy=*/true);
  }
  return tensors;
}

}  // namespace tabula
