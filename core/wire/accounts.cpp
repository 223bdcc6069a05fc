#include "core/wire/accounts.h"

#include <algorithm>

#include "core/base/error.h"

namespace tabula {

template <class Is>
std::optional<Account> Accounts::find(Is is) {
  const std::lock_guard lock(mutex_);
  try {
    // A folder's time changes with what is in it. A mounted Secret is a link that moves.
    const auto changed = std::filesystem::last_write_time(folder_);
    if (changed != read_at_) {
      accounts_ = read_accounts(folder_);
      read_at_ = changed;
    }
  } catch (const std::exception&) {
    accounts_.clear();  // rather nobody than the wrong ones
    read_at_ = {};
  }
  const auto found = std::ranges::find_if(accounts_, is);
  return found == accounts_.end() ? std::nullopt : std::optional(*found);
}

std::optional<Account> Accounts::by_key(const Key& open) {
  return find([&](const Account& account) { return account.open == open; });
}

std::optional<Account> Accounts::by_name(const std::string& name) {
  return find([&](const Account& account) { return account.name == name; });
}

}  // namespace tabula
