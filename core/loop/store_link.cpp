#include "core/loop/store_link.h"

#include "core/base/log.h"
#include "core/store/ownership.h"

namespace tabula {
namespace {

constexpr std::int64_t kPatienceMs = 2000;

}  // namespace

void StoreLink::declare(Options& options) {
  options.add("replay", replay, "the store: an address, or the path of a database that is served")
      .add("key", key, "this client's key file, where the store wants one: see 'tabula keys'")
      .add("game", game, "a name, or a plugin's file (default: the store's)")
      .add_list("plugins", plugins, "look for games in this folder too (also: $TABULA_PLUGINS)")
      .add("log-format", log_format, "text or json")
      .add(
          "health", health,
          "tell probes in this file how it is (also: $TABULA_HEALTH): see 'NAME probe ready FILE'");
}

std::string StoreLink::address() const {
  if (replay.find("://") != replay.npos) return replay;
  const std::optional<Owner> owner = owner_of(replay);
  if (!owner || owner->address.empty())
    throw Error(replay + ": nobody serves this database; start 'replay --db " + replay +
                "', or give an address such as " + kDefaultAddress + ".");
  return owner->address;
}

std::optional<ClientKeys> StoreLink::keys() const {
  return key.empty() ? std::nullopt : std::optional(read_client_keys(key));
}

RulesPtr StoreLink::find_game(const std::string& name) const {
  return Registry::standard({plugins.begin(), plugins.end()}).find(name);
}

RulesPtr StoreLink::greet(Client& store, const std::string& program,
                          const std::function<bool()>& go_on, std::uint64_t* head) const {
  std::optional<Welcome> welcome;
  for (bool said = false; !welcome && go_on();) try {
      welcome = store.ask<Welcome>(Hello{program, ""}, kPatienceMs);
    } catch (const RefusedByStore&) {
      throw;
    } catch (const NotLetIn& refusal) {  // its key may yet be added
      say_health(false, "the store does not let it in");
      if (!std::exchange(said, true)) log(refusal.what());
    } catch (const Error&) {
      say_health(false, "the store does not answer");
      if (!std::exchange(said, true)) log("waiting for the store", {{"address", replay}});
    }
  if (!welcome) return nullptr;
  if (head) *head = welcome->head;
  RulesPtr rules = find_game(game.empty() ? welcome->game : game);
  if (rules->name() != welcome->game)
    throw Error("the store holds games of " + welcome->game + ", not of " + rules->name() + ".");
  if (rules->fingerprints().rules != welcome->rules)
    throw Error("the rules of " + rules->name() + " in " + rules->origin().string() +
                " are not those of the store's games; use the plugin that it was made with.");
  return rules;
}

std::filesystem::path defaults_of(const Rules& rules) {
  return std::filesystem::path(rules.origin()).replace_extension(".ini");
}

}  // namespace tabula
