// A store that runs in this process, for tests.
#pragma once
#include <exception>
#include <string>
#include <thread>

#include "core/nn/net.h"
#include "core/service/server.h"
#include "core/wire/client.h"
#include "core/wire/courier.h"
#include "tests/scratch.h"
#include "tests/stored_games.h"
#include "tests/support.h"

namespace tabula {

class RunningServer {
 public:
  explicit RunningServer(const ServiceConfig& config, const Rules& rules = shipped("connect4"))
      : server_(config, RulesPtr(&rules, [](const Rules*) {}), rules.name()), thread_([this] {
          try {
            server_.run();
          } catch (...) {
            failed_ = std::current_exception();
          }
        }) {}
  ~RunningServer() { stop(); }

  std::string address() const { return server_.addresses().front(); }
  ServiceSummary summary() const { return server_.summary(); }
  void stop() {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  Server server_;
  std::exception_ptr failed_;
  std::thread thread_;
};

inline ServiceConfig service(const Scratch& scratch) {
  return {.database = scratch / "games.db", .listen = {"ipc://" + (scratch / "s")}};
}

inline CourierConfig courier_to(const std::string& address, const std::string& outbox) {
  CourierConfig config;
  config.address = address;
  config.worker = "test/1";
  config.outbox = outbox;
  config.sender.wait_ms = 300;
  return config;
}

inline OutboxGame packed(const StoredGame& game) { return {game.id, encode_game(game)}; }

// Games that a store takes without knowing a model.
inline std::vector<StoredGame> uniform_games(const Rules& rules, int count) {
  std::vector<StoredGame> games = played_games(rules, count);
  for (StoredGame& game : games) {
    game.models = {"uniform"};
    for (PlyRecord& ply : game.record.plies) ply.model = 0;
  }
  return games;
}

// A tiny network's file.
inline std::string model_of(const Rules& rules, std::uint64_t seed) {
  return encode_safetensors(
      to_tensor_file(new_net(rules, NetConfig{.blocks = 1, .channels = 32}, seed)));
}

// The sentence that it is refused with, or nothing.
inline std::string refusal(auto act) {
  try {
    act();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace tabula
