// take_two after its author changed the rules and built it again.
#define TAKE 3
#define GAME_NAME "take_two"
#include "tests/plugins/same_class.h"
TABULA_GAMES(SameClass)
