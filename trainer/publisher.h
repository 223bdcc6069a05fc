#pragma once
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/nn/net.h"
#include "core/wire/client.h"

namespace tabula {

// Brings models to the store on a thread of its own, so that training never waits for it. While the
// store is away only the newest is kept.
class Publisher {
 public:
  Publisher(const std::string& address, std::optional<ClientKeys> keys);
  ~Publisher();

  void publish(Net net, std::uint64_t step, std::string parent);
  bool wait(std::int64_t ms);  // until all is published; false: it is not
  std::string newest() const;  // id of the last one that the store has

 private:
  struct Model {
    Net net;
    std::uint64_t step = 0;
    std::string parent;
  };
  void work(const std::stop_token& ended);

  std::optional<ClientKeys> keys_;
  Client store_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<Model> next_;
  bool busy_ = false;
  std::string newest_;
  std::jthread thread_;
};

}  // namespace tabula
