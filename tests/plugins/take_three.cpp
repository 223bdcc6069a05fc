#define TAKE 3
#define GAME_NAME "take_three"
#include "tests/plugins/same_class.h"
TABULA_GAMES(SameClass)
