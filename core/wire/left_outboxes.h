#pragma once
#include <filesystem>
#include <list>

#include "core/wire/courier.h"

namespace tabula {

// What workers left who will not come back (there are fewer now): their outboxes, brought to the
// store, then let go of. One thread.
class LeftOutboxes {
 public:
  // Those in `folder` that are named by a number above `own` and that no other process has. Address
  // and keys are the configuration's.
  LeftOutboxes(const std::filesystem::path& folder, int own, const CourierConfig& config);

  void tend();  // lets go of what is empty
  std::size_t games() const;

 private:
  std::list<Courier> couriers_;
};

}  // namespace tabula
