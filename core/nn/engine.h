// Engines compute a network's outputs from planes; NetEvaluator makes an Evaluator of one.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/eval/evaluator.h"
#include "core/nn/net.h"

namespace tabula {

// One engine belongs to one thread. What a row gets does not depend on the rows beside it nor on
// how many they are.
class Engine {
 public:
  virtual ~Engine() = default;

  // planes: rows x planes x cells. outputs: rows x (actions logits, 3 WDL logits, log(1 + plies)).
  virtual void run(int rows, const float* planes, float* outputs) = 0;

  // The same in two halves, so that tree work goes on meanwhile: begin() may return before the
  // outputs are there, finish() waits for the oldest batch begun. At most in_flight() are begun;
  // planes and outputs stay where they are until finish().
  virtual int in_flight() const { return 1; }
  virtual void begin(int rows, const float* planes, float* outputs) { run(rows, planes, outputs); }
  virtual void finish() {}

  virtual std::string name() const = 0;  // what computes: "fp32 oneDNN jit:avx2"
};

// On the processor, without LibTorch. `fp32` is oneDNN's, `winograd` fp32 by convolutions of our
// own. `automatic` takes bf16 where the processor has AMX tiles, else whichever fp32 was measured
// faster. `bf16_plain` computes what the tiles would, slowly and anywhere: it keeps them honest.
enum class Kernel { automatic, fp32, winograd, bf16, bf16_plain };
Kernel parse_kernel(const std::string& name);  // auto, fp32, winograd, bf16, bf16-plain
std::unique_ptr<Engine> cpu_engine(const Net& net, Kernel kernel = Kernel::automatic);

constexpr std::size_t kMostBatch = 16384;  // positions; more is somebody's mistake

// Judges positions by a network. requires: the engine's net was made for the questions' game
std::unique_ptr<Evaluator> net_evaluator(std::unique_ptr<Engine> engine, const NetShape& shape);

}  // namespace tabula
