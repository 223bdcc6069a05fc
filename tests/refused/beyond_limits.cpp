// A game that must not compile: every number is just beyond its limit, below it with -DLOW.
#include "core/game/game.h"

using namespace tabula;

#ifdef LOW
#define BEYOND(low, high) low
#else
#define BEYOND(low, high) high
#endif

struct Beyond : Game<Beyond> {
  static constexpr auto name = BEYOND("-nim", "a_name_longer_than_thirty_two_chars");
  static constexpr int actions = BEYOND(0, TABULA_MAX_ACTIONS + 1);
  static constexpr int outcomes = BEYOND(-1, TABULA_MAX_OUTCOMES + 1);
  static constexpr int planes = BEYOND(0, TABULA_MAX_PLANES + 1);
  static constexpr int rows = BEYOND(0, TABULA_MAX_SIDE + 1);
  static constexpr int cols = BEYOND(0, TABULA_MAX_SIDE + 1);
  static constexpr int max_plies = BEYOND(0, TABULA_MAX_PLIES + 1);
  static constexpr int final_planes = BEYOND(-1, TABULA_MAX_PLANES + 1);
  static constexpr int action_planes = BEYOND(-1, 0);

  alignas(BEYOND(1, 128)) char stones[BEYOND(1, TABULA_MAX_STATE + 128)] = {};

  int turn() const { return 0; }
  void legal(Actions&) const {}
  void apply(Action) {}
  int result() const { return 0; }
  void encode(Planes) const {}
  void encode_final(int, Planes) const {}
};
TABULA_GAMES(Beyond)
