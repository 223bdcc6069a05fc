// Games of others as lines of JSON, as 'tabula db import' reads them: one game without dice, one
// with.
#include "core/data/game_check.h"
#include "core/data/game_codec.h"
#include "core/data/game_json.h"
#include "core/game/state.h"
#include "tests/fuzz/target.h"
#include "tests/support.h"

namespace tabula {
namespace {

constexpr const char* kGames[] = {"connect4", "einstein"};

void import(const Rules& rules, const ForeignLine& line) {
  const StoredGame game = foreign_game(rules, line.moves, line.result, "club");
  law(!fault_in(game, rules), "what is taken passes the store's checks");
  law(decode_game(encode_game(game)) == game, "what is taken can be stored");
  const ForeignLine again = read_game_json(game_json(game, &rules, true));
  law(foreign_game(rules, again.moves, again.result, "club").id == game.id,
      "an exported game is the same when it comes back");
}

void read_line(std::string_view bytes) {
  const ForeignLine line = read_game_json(bytes);
  law(line.result >= -1 && line.result <= 2, "a result is one, or none");
  std::string refusal;
  for (const char* name : kGames) {
    try {
      return import(shipped(name), line);
    } catch (const Error& error) {
      refusal = error.what();
    }
  }
  throw Error(refusal);
}

StoredGame any_game(const Rules& rules, Rng& rng) {
  std::vector<ForeignMove> moves;
  State state(rules);
  while (!state.over()) {
    const auto legal = state.legal();
    moves.emplace_back(legal[rng.below(std::uint32_t(legal.size()))]);
    state.apply(std::get<Action>(moves.back()));
  }
  return foreign_game(rules, moves, state.result(), "club");
}

std::vector<std::string> lines(Rng& rng) {
  std::vector<std::string> seeds;
  for (const char* name : kGames)
    for (int i = 0; i < 12; ++i) {
      const StoredGame game = any_game(shipped(name), rng);
      seeds.push_back(game_json(game, &shipped(name), false));
      seeds.push_back(game_json(game, nullptr, i % 3 == 0));
    }
  seeds.push_back(R"({"moves": ["4", 3, "4"], "result": -1})");
  return seeds;
}

const Registered registered({"foreign", read_line, lines});

}  // namespace
}  // namespace tabula
