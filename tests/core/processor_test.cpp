// Knowing a processor without dying on it.
#include <doctest/doctest.h>

#include <optional>

#include "core/nn/cpu/processor.h"
#include "core/nn/cpu/tile_convolution.h"
#include "core/nn/cpu/tower.h"
#include "core/nn/engine.h"
#include "tests/amx_emulation.h"
#include "tests/random_positions.h"
#include "tests/support.h"

using namespace tabula;

TEST_CASE("oneDNN is kept from AMX exactly where its tiles are flagged but not described") {
  CHECK_FALSE(onednn_needs_guard({.flagged = false, .max_leaf = 0xd, .tile_leaf = 0}));
  CHECK_FALSE(onednn_needs_guard({.flagged = true, .max_leaf = 0x20, .tile_leaf = 1}));
  CHECK(onednn_needs_guard({.flagged = true, .max_leaf = 0x1c, .tile_leaf = 0}));
  CHECK(onednn_needs_guard({.flagged = true, .max_leaf = 0x20, .tile_leaf = 0}));
}

TEST_CASE("a probe that dies, lies or lives is told apart") {
  CHECK(survives([] { return true; }));
  CHECK_FALSE(survives([] { return false; }));
  CHECK_FALSE(survives([]() -> bool { __builtin_trap(); }));  // SIGILL
}

TEST_CASE("tiles are used only where they work, and asking for them elsewhere is refused") {
  CHECK(amx_usable() == amx_usable());
  const Net net = new_net(shipped("tictactoe"), {1, 32}, 1);
  if (amx_usable()) {
    CHECK(cpu_engine(net, Kernel::automatic)->name() == "bf16 AMX");
  } else {
    CHECK(cpu_engine(net, Kernel::automatic)->name().starts_with("fp32"));
    CHECK_THROWS(cpu_engine(net, Kernel::bf16));
  }
}

namespace {

std::vector<float> outputs_of(Tower& tower, const Net& net, const std::vector<float>& planes) {
  const int rows = int(planes.size()) / net.shape.plane_floats();
  const auto half = std::size_t(rows * net.shape.cells() * net.config.head_channels);
  std::vector<float> out(2 * half);
  tower.run(rows, planes.data(), {out.data(), out.data() + half});
  return out;
}

}  // namespace

TEST_CASE("AMX tiles compute what the plain code does") {
  const bool real = amx_usable();
  std::optional<AmxEmulation> emulated;
  if (!real) emulated.emplace();
  const long before = AmxEmulation::executed();
  CHECK(try_amx());
  for (const char* game : {"connect4", "go5", "pig100"})
    for (Pooling pooling : {Pooling::none, Pooling::squeeze, Pooling::global}) {
      CAPTURE(game);
      const Rules& rules = shipped(game);
      const Net net = stirred_net(rules, {1, 64, pooling}, 4);
      const auto planes = planes_of(random_positions(rules, 11, 5));
      const auto tiles = outputs_of(*amx_tower(net), net, planes);
      const auto plain = outputs_of(*plain_tile_tower(net), net, planes);
      if (real || avx512_bf16_usable())  // which take the smallest numbers for 0
        for (std::size_t i = 0; i < plain.size(); ++i)
          CHECK(tiles[i] == doctest::Approx(plain[i]).epsilon(1e-3));
      else
        CHECK(tiles == plain);
    }
  if (!real) CHECK(AmxEmulation::executed() > before + 10'000);
}

TEST_CASE("what tiles multiply is the same sum by vectors, bit by bit") {
  if (!avx2_usable()) {
    MESSAGE("skipped: this processor has no AVX2");
    return;
  }
  Rng rng(3);
  std::vector<Bf16> cells(16 * 96), weights(kTileWeights);
  for (auto* numbers : {&cells, &weights})
    for (Bf16& x : *numbers) x = to_bf16(4 * rng.uniform() - 2);
  std::vector<float> plain(kTileFloats);
  for (float& x : plain) x = rng.uniform();
  std::vector<float> vectors = plain;
  for (int stride : {32, 96}) {
    multiply_tile_plain(cells.data(), stride, weights.data(), plain.data());
    multiply_tile_avx2(cells.data(), stride, weights.data(), vectors.data());
    CHECK(plain == vectors);
  }
}
