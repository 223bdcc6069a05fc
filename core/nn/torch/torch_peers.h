#pragma once
#include <ATen/ATen.h>

#include <memory>

#include "core/nn/peers.h"

namespace tabula {

class TorchPeers : public Peers {
 public:
  virtual void sum(at::Tensor& values) = 0;         // over all, in place; throws PeersLost
  virtual void from_first(at::Tensor& values) = 0;  // in place; throws PeersLost
};

std::unique_ptr<Peers> torch_peers(const PeersConfig& config);

}  // namespace tabula
