#include "core/wire/keys.h"

#include <sodium.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/printable.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRoles[] = {"viewer", "worker", "trainer", "arena", "admin"};
constexpr std::uint64_t kMaxKeyFile = 4096;

using Lines = std::map<std::string, std::string>;

Lines read_lines(const fs::path& file) {
  const std::string text = read_file(file, kMaxKeyFile);
  Lines lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t equals = line.find(" = ");
    if (line.empty() || line[0] == '#') continue;
    if (equals == line.npos ||
        !lines.emplace(line.substr(0, equals), line.substr(equals + 3)).second)
      throw Error(file.string() + ": not a key file of Tabula.");
  }
  return lines;
}

const std::string& value(const Lines& lines, const fs::path& file, const char* name) {
  const auto found = lines.find(name);
  if (found == lines.end())
    throw Error(file.string() + ": not this kind of key: it has no '" + name + "'.");
  return found->second;
}

template <std::size_t Size>
void read_key(const Lines& lines, const fs::path& file, const char* name,
              std::array<std::uint8_t, Size>& key) {
  if (!from_hex(value(lines, file, name), key))
    throw Error(file.string() + ": its '" + name + "' is not a key.");
}

// For the owner's eyes, from the first byte on.
void write_secret(const fs::path& file, const std::string& text) {
  const mode_t before = umask(0077);
  try {
    write_file_atomically(file, text);
  } catch (...) {
    umask(before);
    throw;
  }
  umask(before);
}

std::string line(const char* name, std::span<const std::uint8_t> key) {
  return std::string(name) + " = " + hex(key) + "\n";
}

KeyPair new_pair() {
  KeyPair pair;
  crypto_box_keypair(pair.open.data(), pair.secret.data());
  return pair;
}

bool is_account_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, allowed) &&
         name != "store" && name != "local";
}

std::string signed_text(std::string_view id) { return "tabula model " + std::string(id); }

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

std::string_view role_name(Role role) { return kRoles[std::size_t(role)]; }

Role parse_role(std::string_view name) {
  const auto found = std::ranges::find(kRoles, name);
  if (found != std::end(kRoles)) return Role(found - std::begin(kRoles));
  throw Error("there is no role '" + printable(name, 40) +
              "'; there are viewer, worker, trainer, arena and admin.");
}

void new_store_keys(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  if (fs::exists(folder / "store.key"))
    throw Error((folder / "store.key").string() + ": it is there already; it is not replaced.");
  const KeyPair curve = new_pair();
  Key models;
  std::array<std::uint8_t, 64> signing;
  crypto_sign_keypair(models.data(), signing.data());
  write_secret(folder / "store.key", "# The store's keys. Secret.\n" + line("open", curve.open) +
                                         line("secret", curve.secret) + line("models", models) +
                                         line("signing", signing));
}

void new_client_keys(const fs::path& folder, const std::string& name, Role role) {
  if (!is_account_name(name))
    throw Error("'" + name +
                "' cannot be a client's name: 1 to 64 characters from a-z, 0-9, _ and "
                "-, and neither 'store' nor 'local'.");
  if (fs::exists(folder / (name + ".pub")))
    throw Error((folder / (name + ".pub")).string() + ": there is such a client already.");
  const Lines store = read_lines(folder / "store.key");
  const KeyPair curve = new_pair();
  const auto copied = [&](const char* from, const char* as) {
    return std::string(as) + " = " + value(store, folder / "store.key", from) + "\n";
  };
  const std::string who = "account = " + name + "\nrole = " + std::string(role_name(role)) + "\n";
  const bool signs = role == Role::trainer || role == Role::admin;
  write_secret(folder / (name + ".key"),
               "# A client's keys. Secret.\n" + who + line("open", curve.open) +
                   line("secret", curve.secret) + copied("open", "store") +
                   copied("models", "models") + (signs ? copied("signing", "signing") : ""));
  write_file_atomically(folder / (name + ".pub"), who + line("open", curve.open));
}

void new_run_keys(const fs::path& folder) {
  new_store_keys(folder);
  for (const char* role : {"worker", "trainer", "arena", "viewer", "admin"})
    new_client_keys(folder, role, parse_role(role));
}

StoreKeys read_store_keys(const fs::path& folder) {
  const fs::path file = folder / "store.key";
  if (!fs::exists(file))
    throw Error(folder.string() + ": there is no store.key; 'tabula keys new " + folder.string() +
                "' makes one.");
  const Lines lines = read_lines(file);
  StoreKeys keys;
  read_key(lines, file, "open", keys.curve.open);
  read_key(lines, file, "secret", keys.curve.secret);
  read_key(lines, file, "models", keys.models);
  return keys;
}

ClientKeys read_client_keys(const fs::path& file) {
  const Lines lines = read_lines(file);
  ClientKeys keys;
  keys.account = value(lines, file, "account");
  keys.role = parse_role(value(lines, file, "role"));
  read_key(lines, file, "open", keys.curve.open);
  read_key(lines, file, "secret", keys.curve.secret);
  read_key(lines, file, "store", keys.store);
  read_key(lines, file, "models", keys.models);
  if (lines.contains("signing")) read_key(lines, file, "signing", keys.signing.emplace());
  return keys;
}

std::vector<Account> read_accounts(const fs::path& folder) {
  std::vector<Account> accounts;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".pub") continue;
    const Lines lines = read_lines(entry.path());
    Account account{.name = value(lines, entry.path(), "account"),
                    .role = parse_role(value(lines, entry.path(), "role"))};
    if (account.name != entry.path().stem())
      throw Error(entry.path().string() + ": it is the key of '" + account.name +
                  "', under another name.");
    read_key(lines, entry.path(), "open", account.open);
    accounts.push_back(std::move(account));
  }
  std::ranges::sort(accounts, {}, &Account::name);
  return accounts;
}

std::string sign_model(const ClientKeys& keys, std::string_view id) {
  if (!keys.signing) return "";
  const std::string text = signed_text(id);
  std::string signature(crypto_sign_BYTES, '\0');
  crypto_sign_detached(reinterpret_cast<unsigned char*>(signature.data()), nullptr, bytes_of(text),
                       text.size(), keys.signing->data());
  return signature;
}

bool is_signed(const Key& models, std::string_view id, std::string_view signature) {
  const std::string text = signed_text(id);
  return signature.size() == crypto_sign_BYTES &&
         crypto_sign_verify_detached(bytes_of(signature), bytes_of(text), text.size(),
                                     models.data()) == 0;
}

}  // namespace tabula
