#include "core/service/gate.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/data/examples.h"
#include "core/data/game_check.h"
#include "core/data/game_codec.h"
#include "core/wire/messages.h"

namespace tabula {

std::string Gate::fault(const StoredGame& game) const {
  const bool ours = game.game == rules_.name() && game.rules == rules_.fingerprints().rules;
  for (const std::string& model : game.models)
    if (ours && std::ranges::find(kReservedModels, model) == std::end(kReservedModels) &&
        !knows_(model))
      return "it was played by a model that the store does not know: " + model + ".";
  return fault_in(game, rules_).value_or("");
}

Arrival Gate::admit(const GameId& id, std::string bytes, const std::string& account) const {
  Arrival arrival{.id = id, .account = account};
  try {
    const StoredGame game = decode_game(bytes);
    if (game.id != id) throw Error("it was sent under another id than its own.");
    arrival.worker = game.worker;
    arrival.models = game.models;
    arrival.positions = std::uint32_t(std::ranges::count_if(game.record.plies, is_example));
    arrival.kind = game.adjourned() ? Arrival::Kind::adjourned : Arrival::Kind::game;
    arrival.reason = fault(game);
  } catch (const Error& error) {
    arrival.reason = error.what();
  }
  if (!arrival.reason.empty()) arrival.kind = Arrival::Kind::refused;
  arrival.reason = printable(arrival.reason, kMaxSentence);
  arrival.bytes = std::move(bytes);
  return arrival;
}

}  // namespace tabula
