// The inner loops of a dense layer. The AVX2 file includes this: nothing of the standard library.
#pragma once

namespace tabula {

constexpr int kLinearLanes = 8;

// Some groups of outputs for some rows: every sum in the order of the inputs.
struct LinearBlock {
  int rows, groups, inputs, in_stride;
  const float *in, *weights, *bias;
  float* sums;  // rows x groups x kLinearLanes
};
void linear_block_plain(const LinearBlock& block);
void linear_block_avx2(const LinearBlock& block);  // requires: AVX2 and FMA

}  // namespace tabula
