#pragma once
#include <optional>
#include <thread>

#include "core/service/server.h"
#include "trainer/config.h"

namespace tabula {

// Serves the database from inside this process, if nobody else does.
class OwnStore {
 public:
  explicit OwnStore(const TrainerOptions& options);
  ~OwnStore();
  OwnStore(const OwnStore&) = delete;
  OwnStore& operator=(const OwnStore&) = delete;

 private:
  std::optional<Server> server_;
  std::thread thread_;
};

}  // namespace tabula
