#pragma once
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/wire/keys.h"

namespace tabula {

// Whose keys open a store, as its folder of keys says now: a client that is added or removed there
// is known, or not, at its next connection. Thread-safe.
class Accounts {
 public:
  explicit Accounts(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::optional<Account> by_key(const Key& open);
  std::optional<Account> by_name(const std::string& name);

 private:
  template <class Is>
  std::optional<Account> find(Is is);

  std::filesystem::path folder_;
  std::mutex mutex_;
  std::filesystem::file_time_type read_at_{};
  std::vector<Account> accounts_;
};

}  // namespace tabula
