// Arenas that run in this process, and models for them to test.
#pragma once
#include <memory>
#include <thread>

#include "core/arena/arena.h"
#include "core/nn/net.h"
#include "core/store/reader.h"
#include "core/wire/model_transfer.h"
#include "tests/running_server.h"

namespace tabula {

inline Net small_net(const Rules& rules, std::uint64_t seed) {
  return new_net(rules, {.blocks = 1, .channels = 32}, seed);
}
// Knows nothing: all moves alike, every position a draw.
inline Net blank_net(const Rules& rules) {
  Net net = small_net(rules, 1);
  for (auto& [name, tensor] : net.weights) std::ranges::fill(tensor.values, 0.f);
  return net;
}
// Knows nothing either, and hardly looks at anything but one column. requires: connect4
inline Net stubborn_net(const Rules& rules, std::size_t column) {
  Net net = blank_net(rules);
  net.weights.at("policy.out.bias").values.at(column) = 9;
  return net;
}

inline std::string publish(const std::string& address, const Net& net, std::uint64_t step = 0) {
  Client client(address, {});
  return publish_model(client, {}, {.step = step}, encode_safetensors(to_tensor_file(net)));
}

class RunningArena {
 public:
  explicit RunningArena(const ArenaConfig& config)
      : arena_(config,
               [](const std::string& game) { return RulesPtr(&shipped(game), [](auto*) {}); }),
        thread_([this] { arena_.run(); }) {}
  ~RunningArena() { stop(); }
  void stop() {
    arena_.stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  Arena arena_;
  std::thread thread_;
};

// Quick games, and looks at the store all the time.
inline ArenaConfig quick_arena(const std::string& address, const std::string& worker = "test/1") {
  ArenaConfig config;
  config.address = address;
  config.worker = worker;
  config.simulations = 8;
  config.most_pairs = 60;
  config.rating_pairs = 10;
  config.games_at_once = 8;
  config.lease_seconds = 2;
  config.poll_ms = 10;
  config.beat_ms = 10;
  return config;
}

}  // namespace tabula
