// What a network is: its parameters, its cost, its file.
#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/nn/net.h"
#include "tests/support.h"

using namespace tabula;

namespace {

std::string refusal(const TensorFile& file) {
  try {
    net_of(file, "a.net");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const char* part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("presets and sizes are read as they are written") {
  for (const auto& [name, config] : net_presets()) {
    CHECK(parse_net_config(name) == config);
    CHECK(parse_net_config(to_text(config)) == config);
  }
  CHECK(parse_net_config("3x96+global") == NetConfig{3, 96, Pooling::global});
  for (const char* wrong : {"", "huge", "5x", "x64", "5x64+", "5x64+none2", "5x63", "0x64", "5x-64",
                            "99999999999x64", "5x64 "})
    CHECK_THROWS_AS(parse_net_config(wrong), Error);
}

TEST_CASE("a tower's cost is what a hand counts") {
  const NetShape connect4 = NetShape::of(shipped("connect4"));
  const NetCost cost = cost_of(connect4, {.blocks = 5, .channels = 64});
  const std::int64_t tower = 10 * 64 * 64 * 9, input = 2 * 64 * 9;
  const std::int64_t heads = 2 * 64 * 16, policy = 16 * 42 * 7, value = 16 * 42 * 64 + 64 * 4;
  const std::int64_t biases = 64 + 640 + 2 * 16 + 7 + 64 + 4;
  CHECK(cost.parameters == tower + input + heads + policy + value + biases);
  CHECK(cost.flops == 2 * (42 * (tower + input + heads) + policy + value));
}

TEST_CASE("a new network is a function of its seed, and its blocks begin as the identity") {
  const Rules& rules = shipped("othello6");
  const Net net = new_net(rules, {.blocks = 2, .channels = 32}, 7);
  CHECK(net.weights == new_net(rules, {.blocks = 2, .channels = 32}, 7).weights);
  CHECK(net.weights != new_net(rules, {.blocks = 2, .channels = 32}, 8).weights);
  for (float x : net["block.1.second.weight"]) CHECK(x == 0);
  double square = 0;
  for (float x : net["block.1.first.weight"]) square += double(x) * x;
  CHECK(square / double(net["block.1.first.weight"].size()) ==
        doctest::Approx(2. / 288).epsilon(0.05));
}

TEST_CASE("a network survives its file") {
  for (const char* game : {"connect4", "hex7", "go5", "pig100"})
    for (Pooling pooling : {Pooling::none, Pooling::squeeze, Pooling::global}) {
      Net net = new_net(shipped(game), {.blocks = 1, .channels = 32, .pooling = pooling}, 1);
      net.notes = {{"step", "12"}, {"parent", "abc"}};
      const Net read =
          net_of(decode_safetensors(encode_safetensors(to_tensor_file(net)), "x"), "x");
      CHECK(read.game == net.game);
      CHECK(read.fingerprints == net.fingerprints);
      CHECK(read.shape == net.shape);
      CHECK(read.config == net.config);
      CHECK(read.notes == net.notes);
      CHECK(read.weights == net.weights);
      check_made_for(read, shipped(game));
    }
}

TEST_CASE("what is no network is refused with a sentence that says why") {
  const TensorFile good = to_tensor_file(new_net(shipped("tictactoe"), {1, 32}, 1));
  CHECK(refusal(good).empty());
  TensorFile file = good;
  file.metadata.erase("format");
  CHECK(
      contains(refusal(file), "'a.net' is not a network of Tabula: it does not say its 'format'"));
  file = good;
  file.metadata["channels"] = "63";
  CHECK(contains(refusal(file), "multiple of 32"));
  file = good;
  file.metadata["blocks"] = "two";
  CHECK(contains(refusal(file), "no number for its 'blocks'"));
  file.metadata["blocks"] = "4000000000";
  CHECK(contains(refusal(file), "no number for its 'blocks'"));
  file = good;
  file.metadata["rows"] = "0";
  CHECK(contains(refusal(file), "a board that cannot be"));
  file = good;
  file.metadata["pooling"] = "9";
  CHECK(contains(refusal(file), "unknown kind of pooling"));
  file = good;
  file.tensors.erase("value.wdl.bias");
  CHECK(contains(refusal(file), "lacks the tensor 'value.wdl.bias'"));
  file = good;
  file.tensors["value.wdl.bias"].shape = {3, 1};
  CHECK(contains(refusal(file), "'value.wdl.bias' in another shape"));
  file = good;
  file.tensors["more"] = {{1}, {0}};
  CHECK(contains(refusal(file), "tensors that no such network has"));
}

TEST_CASE("a network of another game or of changed rules is refused") {
  const auto why = [](const Net& net) -> std::string {
    try {
      check_made_for(net, shipped("connect4"));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  Net net = new_net(shipped("connect4"), {1, 32}, 1);
  CHECK(why(net).empty());
  CHECK(contains(why(new_net(shipped("hex7"), {1, 32}, 1)), "plays 'hex7', not 'connect4'"));
  ++net.fingerprints.encoding;
  CHECK(contains(why(net), "planes of 'connect4' have changed"));
  ++net.fingerprints.rules;
  CHECK(contains(why(net), "rules of 'connect4' have changed"));
}
