#include "core/search/play_stats.h"

namespace tabula {

void PlayStats::add(const GameRecord& game) {
  ++games;
  plies += game.plies.size();
  for (const PlyRecord& ply : game.plies) {
    full_searches += ply.full;
    cheap_searches += !ply.full && !ply.opening && !ply.chance;
  }
  resigned += game.ending == Ending::resigned;
  adjudicated += game.ending == Ending::adjudicated;
  if (game.resigner < 0 || game.ending == Ending::resigned) return;
  ++played_on;
  const int for_resigner = game.resigner == 0 ? game.result : -game.result;
  played_on_saved += for_resigner >= 0;
}

PlayStats& PlayStats::operator+=(const PlayStats& other) {
  for (auto field :
       {&PlayStats::games, &PlayStats::plies, &PlayStats::full_searches, &PlayStats::cheap_searches,
        &PlayStats::resigned, &PlayStats::adjudicated, &PlayStats::played_on,
        &PlayStats::played_on_saved, &PlayStats::evaluations, &PlayStats::descents})
    this->*field += other.*field;
  return *this;
}

}  // namespace tabula
