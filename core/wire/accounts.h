#pragma once
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

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
  void refresh();
  std::filesystem::path folder_;
  std::mutex mutex_;
  std::filesystem::file_time_type read_at_{};
  std::map<Key, Account> by_key_;  // a run may have tens of thousands
  std::map<std::string, Account> by_name_;
};

}  // namespace tabula
