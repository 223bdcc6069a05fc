#include "core/service/summary.h"

#include <nlohmann/json.hpp>

namespace tabula {

double ServiceSummary::never_finished() const {
  const std::uint64_t ended = totals.seen_games + totals.abandoned;
  return ended == 0 ? 0 : double(totals.abandoned) / double(ended);
}

std::string ServiceSummary::json() const {
  return nlohmann::json{{"game", game},
                        {"head", head},
                        {"champion", champion},
                        {"waiting", waiting},
                        {"trouble", trouble},
                        {"refused_clients", refused},
                        {"memory", memory},
                        {"running", programs},
                        {"pace",
                         {{"reuse", pace.reuse},
                          {"reuse_target", pace.reuse_target},
                          {"trainer_waiting", pace.waiting},
                          {"workers", pace.workers},
                          {"plies_per_worker", plies_per_worker},
                          {"wanted_workers", wanted_workers}}},
                        {"totals",
                         {{"games", totals.games},
                          {"positions", totals.positions},
                          {"bytes", totals.bytes},
                          {"seen_games", totals.seen_games},
                          {"seen_positions", totals.seen_positions},
                          {"quarantined", totals.quarantined},
                          {"dropped", totals.dropped},
                          {"retired", totals.retired},
                          {"adjourned", totals.adjourned},
                          {"abandoned", totals.abandoned},
                          {"never_finished", never_finished()}}}}
      .dump(-1, ' ', true);
}

}  // namespace tabula
