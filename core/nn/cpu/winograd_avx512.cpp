// Compiled for AVX-512: no inline function of the standard library may be used here, or the
// linker could take this file's copy for a processor that lacks it.
#include <immintrin.h>

#include "core/nn/cpu/winograd_kernel.h"

namespace tabula {
namespace {

struct Avx512 {
  using Register = __m512;
  static constexpr int kFloats = kAvx512Floats;
  static constexpr int kMostTiles = 12;  // a sum each: enough to hide how long a multiply-add takes

  static Register zero() { return _mm512_setzero_ps(); }
  static Register load(const float* from) { return _mm512_load_ps(from); }
  static Register all(const float* from) { return _mm512_set1_ps(*from); }
  static void store(float* to, Register x) { _mm512_store_ps(to, x); }
  static Register add(Register a, Register b) { return _mm512_add_ps(a, b); }
  static Register sub(Register a, Register b) { return _mm512_sub_ps(a, b); }
  static Register max(Register a, Register b) { return _mm512_max_ps(a, b); }
  static Register multiply_add(Register a, Register b, Register c) {
    return _mm512_fmadd_ps(a, b, c);
  }
  static void prefetch(const float* at) { _mm_prefetch(at, _MM_HINT_T0); }
};

}  // namespace

void convolve_winograd_avx512(const WinogradConvolution& c) { Winograd<Avx512>::convolve(c); }

}  // namespace tabula
