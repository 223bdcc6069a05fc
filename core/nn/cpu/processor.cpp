#include "core/nn/cpu/processor.h"

#include <cpuid.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <dnnl.hpp>
#include <mutex>

#include "core/nn/cpu/tile_convolution.h"

namespace tabula {
namespace {

struct Leaf {
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
};

std::uint32_t max_leaf() { return std::uint32_t(__get_cpuid_max(0, nullptr)); }

Leaf cpuid(std::uint32_t leaf, std::uint32_t subleaf) {
  Leaf out;
  if (leaf <= max_leaf()) __cpuid_count(leaf, subleaf, out.a, out.b, out.c, out.d);
  return out;
}

bool bit(std::uint32_t word, int n) { return word >> n & 1; }

// Tile registers are granted to a process on request.
bool request_tiles() {
  constexpr int kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

}  // namespace

AmxFacts amx_facts() {
  const Leaf seven = cpuid(7, 0), more = cpuid(7, 1);
  const bool avx512 = bit(seven.b, 16) && bit(seven.b, 30) && bit(seven.b, 31) && bit(more.a, 5);
  const bool tiles = bit(seven.d, 24) && bit(seven.d, 22);
  return {avx512 && tiles, max_leaf(), cpuid(0x1d, 0).a};
}

bool onednn_needs_guard(const AmxFacts& facts) {
  return facts.flagged && (facts.max_leaf < 0x1d || facts.tile_leaf == 0);
}

void guard_onednn() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (onednn_needs_guard(amx_facts())) dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx512_core_bf16);
  });
}

bool survives(bool (*probe)()) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGILL, SIG_DFL);
    _exit(probe() ? 0 : 1);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

bool avx2_usable() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

bool avx512_usable() { return __builtin_cpu_supports("avx512f"); }

bool avx512_bf16_usable() {
  return avx512_usable() && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bf16");
}

bool amx_usable() {
  static const bool usable = amx_facts().flagged && request_tiles() && survives(try_amx);
  return usable;
}

}  // namespace tabula
