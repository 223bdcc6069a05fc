// Keys of a run, in one flat folder, as a Kubernetes Secret would hold them:
//
//   store.key      the store's secrets
//   NAME.key       one client's secrets, and what it must know of the store: copy it to the client
//   NAME.pub       what the store knows of that client: delete it, and the client is shut out
//
// Lines of "name = value"; keys are hexadecimal. Who a client is and what it may do follow from its
// key alone.
#pragma once
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tabula {

enum class Role : std::uint8_t { viewer, worker, trainer, arena, admin };
std::string_view role_name(Role role);
Role parse_role(std::string_view name);  // throws Error

using Key = std::array<std::uint8_t, 32>;
struct KeyPair {
  Key open{}, secret{};  // open: for everybody to know
};

struct StoreKeys {
  KeyPair curve;
  Key models{};  // verifies models' signatures
};

struct ClientKeys {
  std::string account;
  Role role = Role::viewer;
  KeyPair curve;
  Key store{};                                          // the store's open key
  Key models{};                                         // verifies models' signatures
  std::optional<std::array<std::uint8_t, 64>> signing;  // a trainer's: signs models
};

struct Account {
  std::string name;
  Role role = Role::viewer;
  Key open{};
};

// Makes the folder's store.key. Throws Error if there is one.
void new_store_keys(const std::filesystem::path& folder);
// Makes NAME.key and NAME.pub. Throws Error if there is such a client, or no store.key.
void new_client_keys(const std::filesystem::path& folder, const std::string& name, Role role);
// Both: the store's, and a client's for each role, of that name.
void new_run_keys(const std::filesystem::path& folder);

StoreKeys read_store_keys(const std::filesystem::path& folder);
ClientKeys read_client_keys(const std::filesystem::path& file);
std::vector<Account> read_accounts(const std::filesystem::path& folder);  // by name

// Of a model's id. Empty without a signing key.
std::string sign_model(const ClientKeys& keys, std::string_view id);
bool is_signed(const Key& models, std::string_view id, std::string_view signature);

}  // namespace tabula
