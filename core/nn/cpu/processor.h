// What this processor can really do, found out without dying of SIGILL.
#pragma once
#include <cstdint>

namespace tabula {

// What CPUID says about AMX. On some virtual machines the flags are there but leaf 0x1D, which
// describes the tiles, is hidden; oneDNN then configures no tiles and dies.
struct AmxFacts {
  bool flagged = false;         // amx_tile, amx_bf16 and the AVX-512 parts that our kernel needs
  std::uint32_t max_leaf = 0;   // CPUID.0
  std::uint32_t tile_leaf = 0;  // CPUID.1D.0 EAX: the highest palette
};
AmxFacts amx_facts();

// Must oneDNN be kept from AMX? It is safe to call guard_onednn() as often as one likes; it acts
// before oneDNN's first primitive, for LibTorch's use of it too.
bool onednn_needs_guard(const AmxFacts& facts);
void guard_onednn();

// Runs a function in a child process: did it return true? A crash is no.
bool survives(bool (*probe)());

// Flagged by the processor and let through by the operating system.
bool avx2_usable();  // with FMA
bool avx512_usable();
bool avx512_bf16_usable();  // with the parts for words and for narrow registers

// May our own kernel use tiles here? Asks the kernel for them and tries, once.
bool amx_usable();

}  // namespace tabula
