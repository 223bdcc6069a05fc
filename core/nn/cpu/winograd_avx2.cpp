// Compiled for AVX2 and FMA: no inline function of the standard library may be used here, or the
// linker could take this file's copy for a processor that lacks them.
#include <immintrin.h>

#include "core/nn/cpu/winograd_kernel.h"

namespace tabula {
namespace {

struct Avx2 {
  using Register = __m256;
  static constexpr int kFloats = kAvx2Floats;
  static constexpr int kMostTiles = 6;  // 12 sums, and registers to spare for what feeds them

  static Register zero() { return _mm256_setzero_ps(); }
  static Register load(const float* from) { return _mm256_load_ps(from); }
  static Register all(const float* from) { return _mm256_broadcast_ss(from); }
  static void store(float* to, Register x) { _mm256_store_ps(to, x); }
  static Register add(Register a, Register b) { return _mm256_add_ps(a, b); }
  static Register sub(Register a, Register b) { return _mm256_sub_ps(a, b); }
  static Register max(Register a, Register b) { return _mm256_max_ps(a, b); }
  static Register multiply_add(Register a, Register b, Register c) {
    return _mm256_fmadd_ps(a, b, c);
  }
  static void prefetch(const float* at) { _mm_prefetch(at, _MM_HINT_T0); }
};

}  // namespace

void convolve_winograd_avx2(const WinogradConvolution& c) { Winograd<Avx2>::convolve(c); }

}  // namespace tabula
