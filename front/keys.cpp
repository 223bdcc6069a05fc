#include <iostream>

#include "core/base/nearest.h"
#include "core/wire/keys.h"
#include "front/commands.h"

namespace tabula {
namespace {

int new_keys(const Args& args) {
  std::string folder;
  Options options("tabula keys new DIR",
                  "Makes a store's keys, and one client's for each role: worker, trainer, arena, "
                  "viewer, admin.");
  options.argument("DIR", folder);
  if (!options.parse(args)) return 0;
  new_run_keys(folder);
  std::cout << "Made keys in " << folder << ".\n"
            << "The store takes all of them:  replay --db games.db --keys " << folder << "\n"
            << "A client takes its own:       selfplay --key " << folder << "/worker.key\n"
            << "Copy to a machine no more than the one .key file that it needs.\n";
  return 0;
}

int add_key(const Args& args) {
  std::string folder, name, role = "worker";
  Options options("tabula keys add DIR NAME", "Makes the keys of one more client.");
  options.argument("DIR", folder).argument("NAME", name);
  options.add("role", role, "worker, trainer, arena, viewer or admin");
  if (!options.parse(args)) return 0;
  new_client_keys(folder, name, parse_role(role));
  std::cout << "Made " << folder << "/" << name << ".key, for a " << role << ".\n";
  return 0;
}

int list_keys(const Args& args) {
  std::string folder;
  Options options("tabula keys list DIR", "Lists the clients that a store lets in.");
  options.argument("DIR", folder);
  if (!options.parse(args)) return 0;
  read_store_keys(folder);
  for (const Account& account : read_accounts(folder))
    std::cout << account.name
              << std::string(account.name.size() < 20 ? 20 - account.name.size() : 1, ' ')
              << role_name(account.role) << "\n";
  return 0;
}

}  // namespace

int keys_command(const Args& args) {
  const std::string help =
      "usage: tabula keys new DIR | add DIR NAME [--role ROLE] | list DIR\n\n"
      "Keys with which a store tells who comes in. To shut a client out, delete its .pub file.\n";
  if (args.empty() || args[0] == "--help" || args[0] == "-h") {
    std::cout << help;
    return 0;
  }
  const Args rest(args.begin() + 1, args.end());
  if (args[0] == "new") return new_keys(rest);
  if (args[0] == "add") return add_key(rest);
  if (args[0] == "list") return list_keys(rest);
  throw Error("there is no 'tabula keys " + args[0] + "'." +
              did_you_mean(args[0], std::vector<std::string>{"new", "add", "list"}) +
              " 'tabula keys --help' tells more.");
}

}  // namespace tabula
