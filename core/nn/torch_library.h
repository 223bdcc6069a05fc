// LibTorch is loaded when it is first wanted: programs start without it, and images that do not
// train need not carry it.
#pragma once
#include <memory>
#include <string>

#include "core/nn/engine.h"
#include "core/nn/trainer.h"

namespace tabula {

struct TorchEngineConfig {
  std::string device = "auto";  // cpu, cuda:N
  int in_flight = 2;            // batches
  bool frozen = true;           // a frozen, optimised script; false: layer by layer
  int threads = 0;              // of the calling thread's layers on the processor; 0: as they are
};

// What lib/tabula/torch.so offers. The two are always built together.
struct TorchLibrary {
  std::unique_ptr<Engine> (*engine)(const Net& net, const TorchEngineConfig& config);
  std::unique_ptr<Trainer> (*trainer)(const Net& net, const TrainConfig& config);
  std::unique_ptr<Peers> (*peers)(const PeersConfig& config);
  bool (*has_cuda)();
};

// Which engine, by the words of the options --engine, --kernel and --device.
struct EngineConfig {
  std::string engine = "auto";  // cpu, torch; auto: torch where it finds a GPU
  std::string kernel = "auto";  // of the cpu engine
  std::string device = "auto";  // of the torch engine
  int in_flight = 2;            // batches of the torch engine; requires: 1 at least
};
// Whether LibTorch's engine is meant. Throws Error for words that do not go together.
bool takes_torch(const EngineConfig& config);
int batches_in_flight(const EngineConfig& config);  // of the engine that is meant
std::unique_ptr<Engine> make_engine(const Net& net, const EngineConfig& config);

bool torch_installed();
bool gpu_found();  // by LibTorch: asking takes a while where there may be one
// Throws Error if this installation has no LibTorch, or it cannot be loaded.
const TorchLibrary& torch_library();

}  // namespace tabula
