#pragma once
#include <functional>
#include <string>

#include "core/data/rows.h"
#include "core/game/rules.h"

namespace tabula {

// What every game must pass on its way in: its limits and form, where it says it comes from, and
// its moves, played again by the rules.
class Gate {
 public:
  // Whether the registry has such a model. The reserved ids need not be in it.
  using Knows = std::function<bool(const std::string& model)>;

  Gate(const Rules& rules, Knows knows) : rules_(rules), knows_(std::move(knows)) {}

  // As it goes into the store, under the id that its sender gave: a game, adjourned, or refused
  // with a reason.
  Arrival admit(const GameId& id, std::string bytes, const std::string& account) const;

 private:
  std::string fault(const StoredGame& game) const;  // empty: none
  const Rules& rules_;
  Knows knows_;
};

}  // namespace tabula
