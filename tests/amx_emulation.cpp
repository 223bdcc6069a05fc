#include "tests/amx_emulation.h"

#include <ucontext.h>

#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <optional>

namespace tabula {
namespace {

// Tiles as palette 1 has them: 16 rows of 64 bytes, of which a configuration uses a part.
struct Tile {
  std::uint8_t bytes[16][64] = {};
  int rows = 0, row_bytes = 0;
};
Tile tiles[8];
bool configured = false;
long count = 0;
struct sigaction former;

// The instructions that we emulate have a three-byte VEX prefix, an opcode of map 0F 38, a ModRM
// byte and perhaps an address (Intel's manual, volume 2, "Intel AMX").
struct Instruction {
  int prefix = 0;  // 0, 1: 66, 2: F3, 3: F2
  int opcode = 0, mod = 0, reg = 0, rm = 0, vvvv = 0;
  std::uint8_t* address = nullptr;  // base + displacement
  std::int64_t index = 0;           // the register that a tile's rows are apart
  int length = 0;
};

std::int64_t& register_of(ucontext_t& context, int number) {
  static constexpr int kWhere[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                     REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                     REG_R12, REG_R13, REG_R14, REG_R15};
  return reinterpret_cast<std::int64_t&>(context.uc_mcontext.gregs[kWhere[number]]);
}

template <class T>
T read(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::optional<Instruction> decode(ucontext_t& context) {
  const auto* code = reinterpret_cast<const std::uint8_t*>(context.uc_mcontext.gregs[REG_RIP]);
  const auto* at = code;
  if (at[0] != 0xc4 || (at[1] & 0x1f) != 2) return {};  // VEX, map 0F 38
  const bool x = !(at[1] & 0x40), b = !(at[1] & 0x20);
  Instruction out;
  out.prefix = at[2] & 3;
  out.vvvv = ~(at[2] >> 3) & 15;
  out.opcode = at[3];
  const int modrm = at[4];
  out.mod = modrm >> 6, out.reg = modrm >> 3 & 7, out.rm = modrm & 7;
  at += 5;
  if (out.mod != 3) {
    int base = out.rm | b << 3;
    if (out.rm == 4) {
      const int sib = *at++;
      base = (sib & 7) | b << 3;
      if (const int index = (sib >> 3 & 7) | x << 3; index != 4)
        out.index = register_of(context, index) << (sib >> 6);
    }
    std::int64_t address = 0;
    const bool bare = out.mod == 0 && (base & 7) == 5;  // no base, four bytes
    if (bare && out.rm == 5) return {};                 // relative to the instruction: not ours
    if (!bare) address = register_of(context, base);
    if (out.mod == 1) address += read<std::int8_t>(at), at += 1;
    if (out.mod == 2 || bare) address += read<std::int32_t>(at), at += 4;
    out.address = reinterpret_cast<std::uint8_t*>(address);
  }
  out.length = int(at - code);
  return out;
}

void load_configuration(const std::uint8_t* config) {
  configured = config[0] == 1;
  for (int i = 0; i < 8; ++i) {
    tiles[i] = {};
    tiles[i].rows = config[48 + i];
    tiles[i].row_bytes = read<std::uint16_t>(config + 16 + 2 * i);
  }
}

float widened(const std::uint8_t* bf16) {
  const std::uint32_t word = std::uint32_t(read<std::uint16_t>(bf16)) << 16;
  return read<float>(reinterpret_cast<const std::uint8_t*>(&word));
}

// TDPBF16PS. (The processor also takes numbers below 2^-126 for 0.)
void multiply(Tile& sum, const Tile& a, const Tile& b) {
  for (int m = 0; m < sum.rows; ++m)
    for (int n = 0; n < sum.row_bytes / 4; ++n) {
      float even = 0, odd = 0;
      for (int k = 0; k < a.row_bytes / 4; ++k) {
        even = std::fma(widened(&a.bytes[m][4 * k]), widened(&b.bytes[k][4 * n]), even);
        odd = std::fma(widened(&a.bytes[m][4 * k + 2]), widened(&b.bytes[k][4 * n + 2]), odd);
      }
      const float total = read<float>(&sum.bytes[m][4 * n]) + (even + odd);
      std::memcpy(&sum.bytes[m][4 * n], &total, 4);
    }
}

bool execute(const Instruction& in) {
  const bool memory = in.mod != 3;
  Tile& tile = tiles[in.reg];
  if (in.opcode == 0x49 && in.prefix == 0 && in.reg == 0) {
    if (memory)
      load_configuration(in.address);
    else
      configured = false;  // TILERELEASE
    return true;
  }
  if (!configured) return false;
  if (in.opcode == 0x49 && in.prefix == 3 && !memory) {
    std::memset(tile.bytes, 0, sizeof tile.bytes);
  } else if (in.opcode == 0x4b && memory && (in.prefix == 3 || in.prefix == 2)) {
    for (int row = 0; row < tile.rows; ++row) {
      std::uint8_t* there = in.address + row * in.index;
      if (in.prefix == 3)
        std::memcpy(tile.bytes[row], there, std::size_t(tile.row_bytes));
      else
        std::memcpy(there, tile.bytes[row], std::size_t(tile.row_bytes));
    }
  } else if (in.opcode == 0x5c && in.prefix == 2 && !memory && in.vvvv < 8) {
    multiply(tile, tiles[in.rm], tiles[in.vvvv]);
  } else {
    return false;
  }
  return true;
}

void handle(int, siginfo_t*, void* raw) {
  auto& context = *static_cast<ucontext_t*>(raw);
  const std::optional<Instruction> instruction = decode(context);
  if (!instruction || !execute(*instruction)) {
    std::signal(SIGILL, SIG_DFL);  // it happens again, for good
    return;
  }
  ++count;
  context.uc_mcontext.gregs[REG_RIP] += instruction->length;
}

}  // namespace

AmxEmulation::AmxEmulation() {
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGILL, &action, &former);
}

AmxEmulation::~AmxEmulation() { sigaction(SIGILL, &former, nullptr); }

long AmxEmulation::executed() { return count; }

}  // namespace tabula
