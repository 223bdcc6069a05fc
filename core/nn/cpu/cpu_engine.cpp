#include <algorithm>

#include "core/base/error.h"
#include "core/nn/cpu/heads.h"
#include "core/nn/cpu/processor.h"
#include "core/nn/engine.h"

namespace tabula {
namespace {

class CpuEngine : public Engine {
 public:
  CpuEngine(const Net& net, std::unique_ptr<Tower> tower)
      : shape_(net.shape), tower_(std::move(tower)), heads_(net) {
    const auto width = std::size_t(tower_->most_rows() * shape_.cells() * net.config.head_channels);
    policy_.resize(width);
    value_.resize(width);
  }

  void run(int rows, const float* planes, float* outputs) override {
    const Features features{policy_.data(), value_.data()};
    while (rows > 0) {
      const int now = std::min(rows, tower_->most_rows());
      tower_->run(now, planes, features);
      heads_.run(now, features, outputs);
      planes += std::ptrdiff_t(now) * shape_.plane_floats();
      outputs += std::ptrdiff_t(now) * shape_.outputs();
      rows -= now;
    }
  }

  std::string name() const override { return tower_->name(); }

 private:
  NetShape shape_;
  std::unique_ptr<Tower> tower_;
  Heads heads_;
  std::vector<float> policy_, value_;
};

std::unique_ptr<Tower> tower_of(const Net& net, Kernel kernel) {
  if (kernel == Kernel::bf16 && !amx_usable())
    throw Error(
        "this processor has no AMX tiles (or hides them), which the bf16 kernel needs; use "
        "fp32.");
  if (kernel == Kernel::winograd && !winograd_usable(net.shape))
    throw Error(
        "the winograd kernel needs a processor with AVX2 and FMA and a game with a board; use "
        "fp32.");
  if (kernel == Kernel::bf16_plain) return plain_tile_tower(net);
  const bool any = kernel == Kernel::automatic;
  if (kernel == Kernel::bf16 || (any && amx_usable())) return amx_tower(net);
  if (kernel == Kernel::winograd || (any && winograd_is_faster(net.shape)))
    return winograd_tower(net, avx512_usable());
  return onednn_tower(net);
}

}  // namespace

Kernel parse_kernel(const std::string& name) {
  if (name == "auto") return Kernel::automatic;
  if (name == "fp32") return Kernel::fp32;
  if (name == "winograd") return Kernel::winograd;
  if (name == "bf16") return Kernel::bf16;
  if (name == "bf16-plain") return Kernel::bf16_plain;
  throw Error("'" + name + "' is no kernel; say auto, fp32, winograd, bf16 or bf16-plain.");
}

std::unique_ptr<Engine> cpu_engine(const Net& net, Kernel kernel) {
  return std::make_unique<CpuEngine>(net, tower_of(net, kernel));
}

}  // namespace tabula
