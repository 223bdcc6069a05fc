// The network as LibTorch computes it: the reference for every engine, and what is trained.
#pragma once
#include <torch/types.h>

#include <map>
#include <string>

#include "core/nn/net.h"

namespace tabula {

using TensorMap = std::map<std::string, at::Tensor>;

struct NetOutputs {
  at::Tensor policy, wdl, moves, reply;  // logits, except moves: log(1 + plies left)
};

// planes: [rows, planes, board rows, board cols]
NetOutputs forward(const Net& net, const TensorMap& weights, const at::Tensor& planes);
// What an Engine returns: [rows, outputs]
at::Tensor engine_outputs(const Net& net, const TensorMap& weights, const at::Tensor& planes);

TensorMap tensors_of(const Net& net, at::Device device, at::ScalarType type);

}  // namespace tabula
