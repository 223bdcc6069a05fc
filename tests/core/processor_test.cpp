// Knowing a processor without dying on it.
#include <doctest/doctest.h>

#include "core/nn/cpu/processor.h"
#include "core/nn/cpu/tile_convolution.h"
#include "core/nn/engine.h"
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
    MESSAGE("no AMX here: the tiles themselves are not tested");
    CHECK(cpu_engine(net, Kernel::automatic)->name().starts_with("fp32"));
    CHECK_THROWS(cpu_engine(net, Kernel::bf16));
  }
}

TEST_CASE("AMX tiles compute what the plain code does") {
  if (!amx_usable()) {
    MESSAGE("skipped: this processor has no AMX");
    return;
  }
  for (const char* game : {"connect4", "go5", "pig100"}) {
    const Rules& rules = shipped(game);
    const Net net = stirred_net(rules, {2, 64, Pooling::squeeze}, 4);
    const auto planes = planes_of(random_positions(rules, 40, 5));
    std::vector<float> tiles(std::size_t(40 * net.shape.outputs())), plain(tiles);
    cpu_engine(net, Kernel::bf16)->run(40, planes.data(), tiles.data());
    cpu_engine(net, Kernel::bf16_plain)->run(40, planes.data(), plain.data());
    for (std::size_t i = 0; i < plain.size(); ++i)
      CHECK(tiles[i] == doctest::Approx(plain[i]).epsilon(1e-3));
  }
}
