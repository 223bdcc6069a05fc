#include "core/nn/torch/device.h"

#include <ATen/Context.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "core/base/error.h"

namespace tabula {
namespace {

int gpus() {
  return at::hasCUDA() ? int(c10::impl::VirtualGuardImpl(c10::kCUDA).deviceCount()) : 0;
}

}  // namespace

c10::Device device_named(const std::string& name) {
  if (name == "cpu" || (name == "auto" && gpus() == 0)) return {c10::kCPU};
  if (name == "auto") return {c10::kCUDA, 0};
  for (int i = 0; i < gpus(); ++i)
    if (name == "cuda:" + std::to_string(i) || (i == 0 && name == "cuda"))
      return {c10::kCUDA, c10::DeviceIndex(i)};
  if (!name.starts_with("cuda"))
    throw Error("'" + name + "' is no device; say auto, cpu or cuda:N.");
  throw Error("there is no device '" + name + "' here: LibTorch sees " + std::to_string(gpus()) +
              " GPUs.");
}

}  // namespace tabula
