/* A game in plain C: take one or two of five matches; whoever takes the last one wins.
 * The build makes broken variants of it by defining what follows. */
#include <stddef.h>

#include "core/game/game_abi.h"

#ifndef ABI
#define ABI TABULA_GAME_ABI
#endif
#ifndef TABLE_SIZE
#define TABLE_SIZE offsetof(tabula_game, play_out) /* as old as a table can be: nothing optional */
#endif
#ifndef NAME
#define NAME "plain"
#endif
#ifndef STATE_SIZE
#define STATE_SIZE sizeof(struct plain)
#endif
#ifndef ACTIONS
#define ACTIONS 2
#endif
#ifndef MAX_PLIES
#define MAX_PLIES 5
#endif
#ifndef PLANES
#define PLANES 1
#endif
#ifndef ENCODE
#define ENCODE encode
#endif
#ifndef SYMBOL
#define SYMBOL tabula_game_at
#endif
#ifndef GAMES
#define GAMES 1
#endif

struct plain {
  int32_t left, mover;
};

static int32_t turn(const void* p) {
  const struct plain* game = p;
  return game->left == 0 ? TABULA_OVER : game->mover;
}
static int32_t start(void* p) {
  *(struct plain*)p = (struct plain){5, 0};
  return turn(p);
}
static int32_t legal(const void* p, int32_t* out, int32_t capacity) {
  const struct plain* game = p;
  int32_t count = 0;
  while (count < 2 && count < game->left && count < capacity) {
    out[count] = count;
    ++count;
  }
  return count;
}
#ifdef LIE /* what legal() claims to have written */
static int32_t lie(const void* p, int32_t* out, int32_t capacity) {
  legal(p, out, capacity);
  return LIE;
}
#define LEGAL lie
#else
#define LEGAL legal
#endif
static int32_t apply(void* p, int32_t action) {
  struct plain* game = p;
  game->left -= action + 1;
  game->mover ^= 1;
  return turn(p);
}
static int32_t result(const void* p) { return ((const struct plain*)p)->mover == 1 ? 1 : -1; }
static __attribute__((unused)) int32_t encode(const void* p, float* planes) {
  planes[0] = (float)((const struct plain*)p)->left;
  return 0;
}
#ifdef PLAY_OUT /* which is not random at all */
static int32_t play_out(void* p, uint64_t* random, int32_t plies) {
  int32_t played = 0;
  (void)random;
  while (turn(p) != TABULA_OVER && played < plies) {
    apply(p, 0);
    ++played;
  }
  return played;
}
#undef TABLE_SIZE
#define TABLE_SIZE sizeof(tabula_game)
#endif
static const char* error(void) { return NULL; }

static const struct {
  tabula_game table;
  char later[16]; /* what a newer header might append */
} kPlain = {{.abi = ABI,
             .table_size = TABLE_SIZE,
             .name = NAME,
             .state_size = STATE_SIZE,
             .state_align = _Alignof(struct plain),
             .actions = ACTIONS,
             .max_plies = MAX_PLIES,
             .planes = PLANES,
             .rows = 1,
             .cols = 1,
             .start = start,
             .turn = turn,
             .legal = LEGAL,
             .apply = apply,
             .result = result,
             .encode = ENCODE,
#ifdef PLAY_OUT
             .play_out = play_out,
#endif
             .error = error},
#ifdef LATER
            {LATER}
#else
            {0}
#endif
};

const tabula_game* SYMBOL(int32_t index);
const tabula_game* SYMBOL(int32_t index) { return index < GAMES ? &kPlain.table : NULL; }
