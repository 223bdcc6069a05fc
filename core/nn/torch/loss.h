#pragma once
#include <torch/types.h>

#include "core/nn/torch/forward.h"
#include "core/nn/trainer.h"

namespace tabula {

struct BatchTensors {
  at::Tensor planes, legal, policy, reply, wdl, moves_left;
  at::Tensor policy_share, reply_share, moves_left_share;
};
BatchTensors to_tensors(const TrainingBatch& batch, const NetShape& shape, at::Device device,
                        at::ScalarType type);

// Over how many rows each loss is a mean, weights counted: of the batch, or of all trainers' parts.
struct LossCounts {
  double rows = 0, policy = 0, reply = 0, moves_left = 0;
  static LossCounts of(const TrainingBatch& batch);
};

struct LossParts {
  at::Tensor total;  // weighted, without L2
  at::Tensor policy, wdl, moves_left, reply;
  Losses numbers() const;
};

// Cross-entropies of policy (over legal moves), result and reply; Huber's loss of log(1 + plies).
LossParts losses_of(const NetOutputs& outputs, const BatchTensors& batch, const LossCounts& counts,
                    const TrainConfig& config);

}  // namespace tabula
