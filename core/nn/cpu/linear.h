// Dense layers whose sums are taken in one fixed order, whatever the number of rows.
#pragma once
#include <span>
#include <vector>

namespace tabula {

// out = in * weights + bias, row by row. Outputs are padded to whole groups of kLinearLanes.
class Linear {
 public:
  Linear() = default;
  // weights: outputs x inputs, row-major
  Linear(int inputs, int outputs, std::span<const float> weights, std::span<const float> bias);

  int inputs() const { return inputs_; }
  int outputs() const { return outputs_; }
  // requires: `out` apart from `in`. Rows begin `in_stride` and `out_stride` floats apart.
  void run(int rows, const float* in, int in_stride, float* out, int out_stride, bool relu) const;

 private:
  int inputs_ = 0, outputs_ = 0, groups_ = 0;
  std::vector<float> packed_;  // [group][input][lane]
  std::vector<float> bias_;    // [group][lane]
};

}  // namespace tabula
