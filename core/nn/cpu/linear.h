// Dense layers whose sums are taken in one fixed order, whatever the number of rows.
#pragma once
#include <span>
#include <vector>

namespace tabula {

// out = in * weights + bias, row by row. Outputs are padded to whole groups of kLanes.
class Linear {
 public:
  static constexpr int kLanes = 8;

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

// Some groups of outputs for some rows: every sum in the order of the inputs.
struct LinearBlock {
  int rows, groups, inputs, in_stride;
  const float *in, *weights, *bias;
  float* sums;  // rows x groups x kLanes
};
void linear_block_plain(const LinearBlock& block);
void linear_block_avx2(const LinearBlock& block);  // requires: AVX2 and FMA

}  // namespace tabula
