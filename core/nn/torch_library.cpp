#include "core/nn/torch_library.h"

#include <dlfcn.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/game/registry.h"
#include "core/nn/cpu/processor.h"

namespace tabula {
namespace {

std::filesystem::path library_path() { return installed_plugins().parent_path() / "torch.so"; }

const TorchLibrary& load() {
  if (!torch_installed())
    throw Error(
        "this installation of Tabula has no LibTorch, which training and '--engine torch' "
        "need; install it with LibTorch, or use '--engine cpu'.");
  guard_onednn();
  // Its threads beyond the first spin while they wait, and take whole processors from self-play;
  // what they would speed up is a hundredth of a step.
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  setenv("GLOG_minloglevel", "3", 0);  // c10d tells of every host that it cannot reach yet
  void* handle = dlopen(library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw Error("LibTorch cannot be loaded: " + std::string(dlerror()) + ".");
  const auto offered =
      reinterpret_cast<const TorchLibrary* (*)()>(dlsym(handle, "tabula_torch_library"));
  if (!offered) throw Error("'" + library_path().string() + "' is not a library of Tabula.");
  return *offered();
}

}  // namespace

// A GPU may be asked for by its name; a kernel is the cpu engine's own.
bool takes_torch(const EngineConfig& config) {
  const std::string& name = config.engine;
  if (name != "auto" && name != "cpu" && name != "torch")
    throw Error("'" + name + "' is no engine; say auto, cpu or torch.");
  const bool gpu = config.device.starts_with("cuda");
  if (name == "cpu" && gpu)
    throw Error("the engine 'cpu' does not run on '" + config.device + "'; use '--engine torch'.");
  return name == "torch" || gpu ||
         (name == "auto" && config.kernel == "auto" && config.device == "auto" && gpu_found());
}

int batches_in_flight(const EngineConfig& config) {
  return takes_torch(config) ? config.in_flight : 1;
}

std::unique_ptr<Engine> make_engine(const Net& net, const EngineConfig& config) {
  if (takes_torch(config))
    return torch_library().engine(net, {.device = config.device, .in_flight = config.in_flight});
  if (config.device != "auto" && config.device != "cpu")
    throw Error("'" + config.device + "' is no device; say auto, cpu or cuda:N.");
  return cpu_engine(net, parse_kernel(config.kernel));
}

bool torch_installed() { return std::filesystem::exists(library_path()); }

bool gpu_found() {
  return std::filesystem::exists("/dev/nvidiactl") && torch_installed() &&
         torch_library().has_cuda();
}

const TorchLibrary& torch_library() {
  static const TorchLibrary& library = load();
  return library;
}

}  // namespace tabula
