#pragma once
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/wire/client.h"

namespace tabula {

// Tells the store every few seconds that a program is there, with its newest figures, on a thread
// of its own. A store that is away is told when it is back. (Self-play's courier does it itself.)
class Herald {
 public:
  Herald(const std::string& address, const std::optional<ClientKeys>& keys, std::string program,
         std::string worker);
  ~Herald();

  void say(std::vector<Beat::Figure> figures);

 private:
  void work(const std::stop_token& ended);

  Client store_;
  Beat beat_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;
};

}  // namespace tabula
