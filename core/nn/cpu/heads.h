#pragma once
#include "core/nn/cpu/linear.h"
#include "core/nn/cpu/tower.h"

namespace tabula {

// Policy, WDL and moves left from the tower's features. See parameters_of() for the layers.
class Heads {
 public:
  explicit Heads(const Net& net);
  // outputs: rows x shape.outputs()
  void run(int rows, const Features& features, float* outputs);

 private:
  void policy_by_cell(int rows, const float* features, float* outputs);

  NetShape shape_;
  int channels_;
  Linear policy_, extra_, hidden_, value_;  // value: WDL, then moves left
  std::vector<float> by_cell_, means_, hidden_out_;
};

}  // namespace tabula
