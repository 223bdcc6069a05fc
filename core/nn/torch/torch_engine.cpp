// Inference by LibTorch, on a GPU or on the processor: one code for all devices.
#include "core/nn/torch/torch_engine.h"
#include "core/nn/torch/torch_peers.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/csrc/jit/passes/graph_rewrite_helper.h>
#include <torch/script.h>

#include <cstring>

#include "core/eval/in_flight.h"
#include "core/nn/torch/device.h"
#include "core/nn/torch/forward.h"

namespace tabula {
namespace {

using torch::jit::Module;
using torch::jit::Stack;

// The network as a script with its weights as constants, which LibTorch then optimises.
Module frozen_script(const Net& net, const TensorMap& weights, const at::Tensor& example) {
  Module module("net");
  module.register_attribute("training", c10::BoolType::get(), false);
  const auto compute = [&](const Stack& in) -> Stack {
    return {engine_outputs(net, weights, in.at(0).toTensor())};
  };
  const auto no_name = [](const torch::autograd::Variable&) { return std::string(); };
  const auto traced = torch::jit::tracer::trace({example}, compute, no_name, true, false, &module);
  torch::jit::graph_rewrite_helper::replaceConvolutionWithAtenConv(traced.first->graph);
  const c10::QualifiedName name(*module.type()->name(), "forward");
  module.type()->addMethod(
      module._ivalue()->compilation_unit()->create_function(name, traced.first->graph));
  Module frozen = torch::jit::freeze(module);
  return torch::jit::optimize_for_inference(frozen);
}

class TorchEngine : public Engine {
 public:
  TorchEngine(const Net& net, const TorchEngineConfig& config)
      : net_(net), device_(device_named(config.device)), slots_(new_slots(config.in_flight)) {
    at::InferenceMode inference;
    type_ = device_.is_cpu() ? at::kFloat : at::kHalf;
    weights_ = tensors_of(net, device_, type_);
    net_.weights.clear();
    if (config.threads > 0) at::set_num_threads(config.threads);
    if (config.frozen) script_ = frozen_script(net_, weights_, input_for(1).to(device_, type_));
  }

  void run(int rows, const float* planes, float* outputs) override {
    begin(rows, planes, outputs);
    finish();
  }

  int in_flight() const override { return slots_.most(); }

  // Copies in and out are on the batch's own stream, from and to pinned memory, so that they and
  // the other batch's layers go on side by side.
  void begin(int rows, const float* planes, float* outputs) override {
    at::InferenceMode inference;
    Slot& slot = slots_.begin();
    slot.to = outputs;
    if (slot.in.numel() == 0 || slot.in.size(0) != rows) slot.in = input_for(rows);
    std::memcpy(slot.in.data_ptr<float>(), planes, slot.in.nbytes());
    const c10::StreamGuard guard(slot.stream);
    const at::Tensor out = compute(slot.in.to(device_, type_, /*non_blocking=*/true));
    slot.out = at::empty(out.sizes(), pinned());
    slot.out.copy_(out, /*non_blocking=*/true);
  }

  void finish() override {
    Slot& slot = slots_.finish();
    if (!device_.is_cpu()) slot.stream.synchronize();
    std::memcpy(slot.to, slot.out.data_ptr<float>(), slot.out.nbytes());
  }

  std::string name() const override {
    return std::string("LibTorch ") + (script_ ? "frozen " : "eager ") + device_.str();
  }

 private:
  struct Slot {
    c10::Stream stream;
    at::Tensor in, out;
    float* to = nullptr;
  };

  c10::Stream new_stream() const {
    const c10::impl::VirtualGuardImpl guard(device_.type());
    return device_.is_cpu() ? guard.getStream(device_) : guard.getStreamFromGlobalPool(device_);
  }
  std::vector<Slot> new_slots(int count) const {
    std::vector<Slot> slots;
    for (int i = 0; i < count; ++i) slots.push_back({new_stream(), {}, {}});
    return slots;
  }
  at::TensorOptions pinned() const {
    return at::TensorOptions(at::kFloat).pinned_memory(!device_.is_cpu());
  }
  at::Tensor input_for(int rows) const {
    return at::zeros({rows, net_.shape.planes, net_.shape.rows, net_.shape.cols}, pinned());
  }
  at::Tensor compute(const at::Tensor& planes) {
    if (script_) return script_->forward({planes}).toTensor();
    return engine_outputs(net_, weights_, planes);
  }

  Net net_;
  c10::Device device_;
  at::ScalarType type_ = at::kFloat;
  TensorMap weights_;
  std::optional<Module> script_;
  InFlight<Slot> slots_;
};

const TorchLibrary kLibrary = {torch_engine, torch_trainer, torch_peers, at::hasCUDA};

}  // namespace

std::unique_ptr<Engine> torch_engine(const Net& net, const TorchEngineConfig& config) {
  return std::make_unique<TorchEngine>(net, config);
}

}  // namespace tabula

extern "C" __attribute__((visibility("default"))) const tabula::TorchLibrary*
tabula_torch_library() {
  return &tabula::kLibrary;
}
