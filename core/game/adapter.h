// Turns an author's class into the C table. Everything here has internal linkage: two plugins with
// one class name in one process must not share a table (docs/adr/0002-plugins.md).
#pragma once
#include <algorithm>
#include <concepts>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/base/rng.h"
#include "core/game/game.h"

namespace tabula {
namespace {

// Which members the author wrote. One of the right name and the wrong shape is a mistake, not an
// absence, and the compiler says how to declare it.
template <class G>
struct Members {
#define TABULA_MEMBER(name, declaration, ...)                                        \
  static constexpr bool name = requires(G game, const G& position) { __VA_ARGS__; }; \
  static_assert(                                                                     \
      name || !requires { &G::name; },                                               \
      "the name is the contract's: declare it as " declaration ", or rename yours");

  TABULA_MEMBER(turn, "int turn() const", { position.turn() } -> std::same_as<int>)
  TABULA_MEMBER(legal, "void legal(Actions&) const", position.legal(std::declval<Actions&>()))
  TABULA_MEMBER(apply, "void apply(Action)", game.apply(Action()))
  TABULA_MEMBER(result, "int result() const", { position.result() } -> std::same_as<int>)
  TABULA_MEMBER(encode, "void encode(Planes) const", position.encode(std::declval<Planes>()))
  TABULA_MEMBER(odds, "float odds(Action) const",
                { position.odds(Action()) } -> std::same_as<float>)
  TABULA_MEMBER(result_at_limit, "int result_at_limit() const",
                { position.result_at_limit() } -> std::same_as<int>)
  TABULA_MEMBER(map_action, "static Action map_action(int index, Action)",
                { G::map_action(0, Action()) } -> std::same_as<Action>)
  TABULA_MEMBER(map_outcome, "static Action map_outcome(int index, Action)",
                { G::map_outcome(0, Action()) } -> std::same_as<Action>)
  TABULA_MEMBER(text, "std::string text(Action) const",
                { position.text(Action()) } -> std::convertible_to<std::string>)
  TABULA_MEMBER(board, "std::string board() const",
                { position.board() } -> std::convertible_to<std::string>)
  TABULA_MEMBER(parse, "Action parse(std::string_view) const",
                { position.parse(std::string_view()) } -> std::same_as<Action>)
  TABULA_MEMBER(piece, "int piece(int cell) const", { position.piece(0) } -> std::same_as<int>)
  TABULA_MEMBER(touched, "void touched(Action, Cells&) const",
                position.touched(Action(), std::declval<Cells&>()))
  TABULA_MEMBER(key, "SomeStruct key() const", position.key())
  TABULA_MEMBER(encode_final, "void encode_final(int player, Planes) const",
                position.encode_final(0, std::declval<Planes>()))
#undef TABULA_MEMBER
};

// The limits of game_abi.h, told where the author can see them.
template <class G>
consteval void check_limits() {
#define TABULA_QUOTED(number) #number
#define TABULA_LIMIT(what, value, low, high)       \
  static_assert(low <= (value) && (value) <= high, \
                what " must be from " TABULA_QUOTED(low) " to " TABULA_QUOTED(high))

  constexpr std::int64_t cells = std::int64_t{G::rows} * G::cols;
  static_assert(is_game_name(G::name), "the game's name must be " TABULA_NAME_RULE);
  constexpr std::size_t size = sizeof(G);
  TABULA_LIMIT("the size of a position in bytes", size, 1, TABULA_MAX_STATE);
  TABULA_LIMIT("the alignment of a position", alignof(G), 1, TABULA_MAX_ALIGN);
  TABULA_LIMIT("actions", G::actions, 1, TABULA_MAX_ACTIONS);
  TABULA_LIMIT("outcomes", G::outcomes, 0, TABULA_MAX_OUTCOMES);
  TABULA_LIMIT("max_plies", G::max_plies, 1, TABULA_MAX_PLIES);
  TABULA_LIMIT("planes", G::planes, 1, TABULA_MAX_PLANES);
  TABULA_LIMIT("rows", G::rows, 1, TABULA_MAX_SIDE);
  TABULA_LIMIT("cols", G::cols, 1, TABULA_MAX_SIDE);
  TABULA_LIMIT("planes * rows * cols", G::planes * cells, 1, TABULA_MAX_FLOATS);
  TABULA_LIMIT("final_planes", G::final_planes, 0, TABULA_MAX_PLANES);
  TABULA_LIMIT("final_planes * rows * cols", G::final_planes * cells, 0, TABULA_MAX_FLOATS);
  TABULA_LIMIT("action_planes", G::action_planes, 0, TABULA_MAX_ACTIONS);
#undef TABULA_LIMIT
#undef TABULA_QUOTED
}

template <class G>
consteval void check_declarations() {
  using M = Members<G>;
  static_assert(
      requires {
        { G::name } -> std::convertible_to<const char*>;
      },
      "the game needs: static constexpr auto name = \"...\" (a plain string literal)");
  static_assert(std::is_base_of_v<Game<G>, G>, "derive the game from tabula::Game of itself");
  static_assert(std::is_trivially_copyable_v<G>,
                "a position must be plain data: no vectors, strings or pointers that own memory");
  static_assert(std::has_unique_object_representations_v<G>,
                "the position has padding or floating-point members: put large members first, fill "
                "gaps with explicit ones, and keep floats as scaled integers");
  static_assert(M::turn, "the game needs: int turn() const");
  static_assert(M::legal, "the game needs: void legal(Actions& out) const");
  static_assert(M::apply, "the game needs: void apply(Action action)");
  static_assert(M::result, "the game needs: int result() const");
  static_assert(M::encode, "the game needs: void encode(Planes out) const");
  static_assert(!M::odds || G::outcomes > 0, "a game with odds() declares how many outcomes");
  static_assert(!M::encode_final || G::final_planes > 0, "encode_final() needs final_planes");
  static_assert(M::encode_final || G::final_planes == 0, "final_planes needs encode_final()");
  static_assert(!group_of(G::symmetry).needs_square || G::rows == G::cols,
                "this symmetry needs a board with as many rows as columns");
  static_assert(G::symmetry == Symmetry::none || M::map_action || G::action_planes > 0 ||
                    (G::symmetry == Symmetry::mirror && G::actions == G::cols),
                "a game with a symmetry needs action_planes, or its own map_action()");
  static_assert(G::action_planes * G::rows * G::cols <= G::actions,
                "action_planes * rows * cols is more than actions");
}

[[maybe_unused]] thread_local char last_error[256];

// Runs `call`; nothing may be thrown across the boundary.
template <class F>
[[gnu::flatten]] std::int32_t guarded(F call) noexcept {
  const auto fail = [](const char* why) {
    last_error[std::string_view(why).copy(last_error, sizeof last_error - 1)] = 0;
    return std::int32_t(TABULA_ERROR);
  };
  try {
    return call();
  } catch (const std::exception& e) {
    return fail(e.what());
  } catch (...) {
    return fail("threw something that is not a std::exception");
  }
}

template <class G>
const G& as(const void* state) {
  return *static_cast<const G*>(state);
}

// Returns the whole length, so that a reader whose buffer was short can come again.
[[maybe_unused]] std::int32_t put_text(std::string_view text, char* out, std::int32_t capacity) {
  text.copy(out, std::size_t(capacity));
  return std::int32_t(text.size());
}

// requires: room for all actions and all outcomes
template <class G>
std::int32_t put_legal(const G& position, Action* out) {
  Actions moves(out, std::max(G::actions, G::outcomes));  // a constant: checked for free
  position.legal(moves);
  return moves.size();
}

// A random move, or an outcome by its odds.
template <class G>
Action draw_move(const G& position, int turn, const Action* legal, int count, Rng& rng) {
  if constexpr (Members<G>::odds)
    if (turn == chance) {
      float left = rng.uniform();
      int i = 0;
      while (i + 1 < count && (left -= position.odds(legal[i])) >= 0) ++i;
      return legal[i];
    }
  return legal[rng.below(std::uint32_t(count))];
}

constexpr int kMostOnStack = 4096;  // moves that play_out() makes room for

// Plays at random on a copy that can live in registers. Returns the moves made.
template <class G>
std::int32_t play_randomly(G& state, Rng& rng, std::int32_t plies) {
  Action room[std::size_t(std::max(G::actions, G::outcomes))];
  G position = state;
  std::int32_t ply = 0;
  for (int turn = position.turn(); turn != over && ply < plies; turn = position.turn(), ++ply) {
    const int count = put_legal(position, room);
    position.apply(draw_move(position, turn, room, count, rng));
  }
  state = position;
  return ply;
}

template <class G>
constexpr void fill_required(tabula_game& table) {
  table.start = [](void* p) { return guarded([&] { return (new (p) G{})->turn(); }); };
  table.turn = [](const void* p) { return guarded([&] { return as<G>(p).turn(); }); };
  table.legal = [](const void* p, Action* out, std::int32_t) {
    return guarded([&] { return put_legal(as<G>(p), out); });
  };
  table.apply = [](void* p, Action action) {
    return guarded([&] {
      static_cast<G*>(p)->apply(action);
      return as<G>(p).turn();
    });
  };
  table.result = [](const void* p) { return guarded([&] { return as<G>(p).result(); }); };
  table.encode = [](const void* p, float* out) {
    return guarded([&] { return as<G>(p).encode(Planes(out, G::rows * G::cols)), 0; });
  };
  table.error = []() -> const char* { return last_error; };
}

template <class G>
constexpr void fill_optional(tabula_game& table) {
  using M = Members<G>;
  if constexpr (std::max(G::actions, G::outcomes) <= kMostOnStack)
    table.play_out = [](void* p, std::uint64_t* random, std::int32_t plies) {
      return guarded([&] {
        Rng rng(random[0], random[1]);
        const std::int32_t played = play_randomly(*static_cast<G*>(p), rng, plies);
        rng.save(random);
        return played;
      });
    };
  if constexpr (M::odds)
    table.odds = [](const void* p, const Action* outcomes, std::int32_t count, float* out) {
      return guarded([&] {
        for (std::int32_t i = 0; i < count; ++i) out[i] = as<G>(p).odds(outcomes[i]);
        return count;
      });
    };
  if constexpr (M::result_at_limit)
    table.result_at_limit = [](const void* p) {
      return guarded([&] { return as<G>(p).result_at_limit(); });
    };
  if constexpr (M::map_action)
    table.map_action = [](std::int32_t symmetry, Action action) {
      return guarded([&] { return G::map_action(symmetry, action); });
    };
  if constexpr (M::map_outcome)
    table.map_outcome = [](std::int32_t symmetry, Action outcome) {
      return guarded([&] { return G::map_outcome(symmetry, outcome); });
    };
  if constexpr (M::text)
    table.action_text = [](const void* p, Action action, char* out, std::int32_t capacity) {
      return guarded([&] { return put_text(as<G>(p).text(action), out, capacity); });
    };
  if constexpr (M::board)
    table.board_text = [](const void* p, char* out, std::int32_t capacity) {
      return guarded([&] { return put_text(as<G>(p).board(), out, capacity); });
    };
  if constexpr (M::parse)
    table.parse = [](const void* p, const char* text, std::int32_t length) {
      return guarded([&] { return as<G>(p).parse({text, std::size_t(length)}); });
    };
  if constexpr (M::piece)
    table.piece = [](const void* p, std::int32_t cell) {
      return guarded([&] { return as<G>(p).piece(cell); });
    };
  if constexpr (M::touched)
    table.touched = [](const void* p, Action action, std::int32_t* out, std::int32_t capacity) {
      return guarded([&] {
        Cells touched(out, capacity);
        as<G>(p).touched(action, touched);
        return touched.size();
      });
    };
  if constexpr (M::key)
    table.key = [](const void* p, void* out, std::int32_t capacity) {
      return guarded([&] {
        const auto key = as<G>(p).key();
        static_assert(std::has_unique_object_representations_v<decltype(key)>,
                      "key() returns a struct that has padding or floating-point members");
        std::memcpy(out, &key, std::min(sizeof key, std::size_t(capacity)));
        return std::int32_t(sizeof key);
      });
    };
  if constexpr (M::encode_final)
    table.encode_final = [](const void* p, std::int32_t player, float* out) {
      return guarded(
          [&] { return as<G>(p).encode_final(player, Planes(out, G::rows * G::cols)), 0; });
    };
}

template <class G>
constexpr tabula_game make_table() {
  check_declarations<G>();
  check_limits<G>();
  tabula_game table = {};
  table.abi = TABULA_GAME_ABI;
  table.table_size = sizeof(tabula_game);
  table.name = G::name;
  table.state_size = sizeof(G);
  table.state_align = alignof(G);
  table.actions = G::actions;
  table.outcomes = G::outcomes;
  table.max_plies = G::max_plies;
  table.planes = G::planes;
  table.rows = G::rows;
  table.cols = G::cols;
  table.symmetry = std::int32_t(G::symmetry);
  table.action_planes = G::action_planes;
  table.final_planes = G::final_planes;
  fill_required<G>(table);
  fill_optional<G>(table);
  return table;
}

template <class... Games>
const tabula_game* table_at(std::int32_t index) {
  static constexpr tabula_game tables[] = {make_table<Games>()...};
  return index >= 0 && index < std::int32_t(sizeof...(Games)) ? &tables[index] : nullptr;
}

}  // namespace
}  // namespace tabula
