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
  void* handle = dlopen(library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw Error("LibTorch cannot be loaded: " + std::string(dlerror()) + ".");
  const auto offered =
      reinterpret_cast<const TorchLibrary* (*)()>(dlsym(handle, "tabula_torch_library"));
  if (!offered) throw Error("'" + library_path().string() + "' is not a library of Tabula.");
  return *offered();
}

}  // namespace

bool torch_installed() { return std::filesystem::exists(library_path()); }

const TorchLibrary& torch_library() {
  static const TorchLibrary& library = load();
  return library;
}

}  // namespace tabula
