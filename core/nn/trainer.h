// Training, which only LibTorch does. Nothing of LibTorch shows here.
#pragma once
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/data/training_batch.h"
#include "core/nn/net.h"
#include "core/nn/peers.h"

namespace tabula {

enum class Optimizer { sgd, adamw };

struct TrainConfig {
  Optimizer optimizer = Optimizer::adamw;
  float learning_rate = 1e-3f;
  float momentum = 0.9f;           // of SGD; AdamW's first
  float second_momentum = 0.999f;  // of AdamW
  float l2 = 1e-4f;                // on weights, not on biases; with AdamW decoupled decay
  float clip = 1;                  // most length of the gradient; 0: any
  float ema = 0.999f;              // weights published are an average over about 1/(1-ema) steps
  float policy_weight = 1, wdl_weight = 1.5f, moves_left_weight = 0.05f, reply_weight = 0.15f;
  int threads = 0;              // 0: all
  std::string device = "auto";  // cpu, cuda:N
};

// Means over the batch; the parts are not weighted, the total is.
struct Losses {
  double total = 0, policy = 0, wdl = 0, moves_left = 0, reply = 0, l2 = 0;
  double gradient = 0;  // its length before clipping
};

// A step came to no number; the weights are as they were before it.
class LossIsNoNumber : public Error {
  using Error::Error;
};

class Trainer {
 public:
  virtual ~Trainer() = default;

  virtual Losses step(const TrainingBatch& batch) = 0;  // throws LossIsNoNumber
  virtual void set_learning_rate(float rate) = 0;
  virtual void set_threads(int threads) = 0;  // of the calling thread's steps

  // From now on steps are made with the others, who all begin where the first one is: a batch is
  // then a part of theirs, and losses are those of all of it. Throws PeersLost, as steps do then.
  virtual void join(std::shared_ptr<Peers> peers) = 0;

  virtual Net net() const = 0;      // the weights as they are
  virtual Net average() const = 0;  // and as they were lately, on average: play with these
  // Everything a trainer is made of but its configuration: goes on from there bit by bit.
  virtual TensorFile state() const = 0;
  virtual void restore(const TensorFile& state) = 0;

  // The whole loss, L2 included, and its gradient, in double precision: laws for tests.
  virtual double loss(const TrainingBatch& batch) = 0;
  virtual std::map<std::string, std::vector<double>> gradients(const TrainingBatch& batch) = 0;

  virtual double seconds_in_torch() const = 0;  // of all steps so far, without copying batches
};

}  // namespace tabula
