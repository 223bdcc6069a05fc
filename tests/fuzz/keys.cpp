// Files of keys, read as each kind of them.
#include "core/wire/keys.h"

#include "tests/fuzz/target.h"

namespace tabula {
namespace {

// The first refusal, if all kinds refuse the bytes.
void read_keys(std::string_view bytes) {
  static const FuzzFolder folder, clients;
  std::string refusal;
  bool taken = false;
  const auto as = [&](auto read) {
    try {
      read();
      taken = true;
    } catch (const Error& error) {
      if (refusal.empty()) refusal = error.what();
    }
  };
  as([&] {
    const ClientKeys keys = read_client_keys(folder.file("client.key", bytes));
    law(parse_role(role_name(keys.role)) == keys.role, "a role has one name");
    law(sign_model(keys, "id").empty() == !keys.signing, "who has the key signs");
  });
  as([&] {
    clients.file("anna.pub", bytes);
    const std::vector<Account> accounts = read_accounts(clients.path());
    law(accounts.size() == 1 && accounts[0].name == "anna", "an account is called as its file is");
  });
  as([&] {
    folder.file("store.key", bytes);
    read_store_keys(folder.path());
  });
  if (!taken) throw Error(refusal);
}

std::vector<std::string> key_files(Rng&) {
  const FuzzFolder folder;
  new_store_keys(folder.path());
  new_client_keys(folder.path(), "anna", Role::worker);
  new_client_keys(folder.path(), "tom", Role::trainer);
  std::vector<std::string> seeds;
  for (const char* name : {"store.key", "anna.key", "anna.pub", "tom.key"}) {
    std::ifstream file(folder.path() / name);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

const Registered registered({"keys", read_keys, key_files});

}  // namespace
}  // namespace tabula
