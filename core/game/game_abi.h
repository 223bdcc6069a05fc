/* The boundary between the engine and a game, in plain C.
 *
 * Authors in C++ derive from Game<> (game.h), which fills this table. The first two fields never
 * move. Fields are only appended; a null pointer or a zero means the default, so a plugin built
 * against an older header of the same ABI number still loads. */
#pragma once
#include <stdint.h>

#define TABULA_GAME_ABI 1

enum { TABULA_CHANCE = -1, TABULA_OVER = -2 }; /* what turn() says when no player moves */
enum { TABULA_NO_ACTION = -1 };                /* what parse() says to a text it does not know */
enum { TABULA_ERROR = -2147483647 - 1 };       /* any function: it failed, and error() says why */

enum { /* the groups of board symmetries; each contains the identity */
       TABULA_SYMMETRY_NONE = 0,
       TABULA_SYMMETRY_MIRROR = 1,   /* left and right */
       TABULA_SYMMETRY_ROTATION = 2, /* half a turn */
       TABULA_SYMMETRY_SQUARE = 3,   /* all eight of a square */
       TABULA_SYMMETRY_DIAGONAL = 4, /* rows and columns swapped */
       TABULA_SYMMETRY_DIAGONALS = 5 /* both diagonals, and half a turn */
};

/* What the engine can take; a plugin that declares more is refused. */
#define TABULA_MAX_STATE 1048576 /* bytes */
#define TABULA_MAX_ALIGN 64
#define TABULA_MAX_ACTIONS 65536
#define TABULA_MAX_OUTCOMES 4096
#define TABULA_MAX_PLIES 1048576
#define TABULA_MAX_PLANES 1024
#define TABULA_MAX_SIDE 256       /* rows and columns */
#define TABULA_MAX_FLOATS 4194304 /* planes * rows * cols */

typedef struct tabula_game {
  uint32_t abi;        /* TABULA_GAME_ABI; checked before any other field is read */
  uint32_t table_size; /* sizeof(tabula_game) where the plugin was built */

  const char* name;                 /* a-z, 0-9, and inside also _ and -; at most 32 characters */
  uint32_t state_size, state_align; /* a state is plain bytes: copying one is memcpy */
  int32_t actions;                  /* a player's actions are 0 .. actions-1 */
  int32_t outcomes;                 /* a chance node's are 0 .. outcomes-1; 0: no dice */
  int32_t max_plies; /* apply() calls in the longest game, dice included; the engine stops there */
  int32_t planes, rows, cols; /* encode() writes planes*rows*cols floats */
  int32_t symmetry;           /* TABULA_SYMMETRY_... */
  int32_t action_planes;      /* k > 0: action = k-th plane * rows*cols + cell, then the extras */
  int32_t final_planes;       /* planes written by encode_final(); 0: none */
  int32_t reserved;           /* zero */

  int32_t (*start)(void* state);      /* returns turn() of the new state, as apply() does */
  int32_t (*turn)(const void* state); /* 0, 1, CHANCE or OVER */
  /* Ascending; returns the count. requires: capacity >= actions and outcomes */
  int32_t (*legal)(const void* state, int32_t* out, int32_t capacity);
  int32_t (*apply)(void* state, int32_t action); /* requires: legal, fewer than max_plies so far */
  int32_t (*result)(const void* state);          /* when over: +1, 0, -1 for player 0 */
  int32_t (*encode)(const void* state, float* planes); /* for the mover; only where one moves */
  const char* (*error)(void); /* the sentence behind the last TABULA_ERROR of this thread */

  /* From here on null means the default, given in brackets. Texts and keys return their whole
   * length and write at most `capacity` of it. Cells are the board's own, whoever moves. */

  /* Random play until the game is over or `plies` moves are made: uniform where a player moves, by
   * the odds at a chance node, drawn from core/base/rng.h whose words are in `random`. Returns how
   * many moves were made. One call for a whole game. [apply() and legal(), move by move] */
  int32_t (*play_out)(void* state, uint64_t* random, int32_t plies);
  /* The chance of each outcome. [all alike] */
  int32_t (*odds)(const void* state, const int32_t* outcomes, int32_t count, float* out);
  /* Who is ahead when the engine stops the game. [a draw; check-game calls that a breach] */
  int32_t (*result_at_limit)(const void* state);
  /* Images under the index-th symmetry of the group; 0 is the identity. [by cell or column] */
  int32_t (*map_action)(int32_t index, int32_t action);
  int32_t (*map_outcome)(int32_t index, int32_t outcome); /* [itself] */
  /* The name of a move, or of an outcome at a chance node: one word. [the cell, or the number] */
  int32_t (*action_text)(const void* state, int32_t action, char* out, int32_t capacity);
  int32_t (*board_text)(const void* state, char* out, int32_t capacity); /* [from piece()] */
  int32_t (*parse)(const void* state, const char* text, int32_t length); /* [by action_text()] */
  int32_t (*piece)(const void* state, int32_t cell); /* 0, +kind of player 0, -kind of player 1 */
  /* The cells that a move touches: from, then to. [the action's cell] */
  int32_t (*touched)(const void* state, int32_t action, int32_t* cells, int32_t capacity);
  /* The bytes that decide encode() and legal(); not how many plies are left. [the state] */
  int32_t (*key)(const void* state, void* out, int32_t capacity);
  /* The end as a player sees it, +1 for what is theirs, -1 for the other's. [none] */
  int32_t (*encode_final)(const void* state, int32_t player, float* planes);
} tabula_game;

/* The one symbol a plugin exports: its games in order, then null. */
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((visibility("default"))) const tabula_game* tabula_game_at(int32_t index);
#ifdef __cplusplus
}
#endif
