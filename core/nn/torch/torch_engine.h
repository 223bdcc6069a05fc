#pragma once
#include "core/nn/torch_library.h"

namespace tabula {
std::unique_ptr<Engine> torch_engine(const Net& net, const TorchEngineConfig& config);
std::unique_ptr<Trainer> torch_trainer(const Net& net, const TrainConfig& config);
}  // namespace tabula
