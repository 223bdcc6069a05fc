#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "core/store/ownership.h"
#include "core/wire/client.h"

namespace tabula {

// The way to the process that owns a database, if one does: only it may write. `key`: a client's
// key file, where the store wants one.
inline std::unique_ptr<Client> running_store(const std::filesystem::path& database,
                                             const std::string& key) {
  const std::optional<Owner> owner = owner_of(database);
  if (!owner || owner->address.empty()) return nullptr;
  return std::make_unique<Client>(
      owner->address, key.empty() ? std::nullopt : std::optional(read_client_keys(key)));
}

}  // namespace tabula
