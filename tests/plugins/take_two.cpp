#define TAKE 2
#define GAME_NAME "take_two"
#include "tests/plugins/same_class.h"
TABULA_GAMES(SameClass)
