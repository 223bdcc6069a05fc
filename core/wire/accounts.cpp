#include "core/wire/accounts.h"

#include "core/base/error.h"

namespace tabula {
namespace {

template <class Map>
std::optional<Account> find(const Map& accounts, const typename Map::key_type& key) {
  const auto found = accounts.find(key);
  return found == accounts.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

void Accounts::refresh() {
  try {
    // A folder's time changes with what is in it. A mounted Secret is a link that moves.
    const auto changed = std::filesystem::last_write_time(folder_);
    if (changed == read_at_) return;
    by_key_.clear();
    by_name_.clear();
    for (const Account& account : read_accounts(folder_)) {
      by_key_.emplace(account.open, account);
      by_name_.emplace(account.name, account);
    }
    read_at_ = changed;
  } catch (const std::exception&) {  // rather nobody than the wrong ones
    by_key_.clear();
    by_name_.clear();
    read_at_ = {};
  }
}

std::optional<Account> Accounts::by_key(const Key& open) {
  const std::lock_guard lock(mutex_);
  refresh();
  return find(by_key_, open);
}

std::optional<Account> Accounts::by_name(const std::string& name) {
  const std::lock_guard lock(mutex_);
  refresh();
  return find(by_name_, name);
}

}  // namespace tabula
