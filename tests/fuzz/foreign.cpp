// Games of others as lines of JSON, as 'tabula db import' reads them: one game without dice, one
// with.
#include "core/data/game_check.h"
#include "core/data/game_json.h"
#include "tests/fuzz/target.h"
#include "tests/stored_games.h"
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

std::vector<std::string> lines(Rng&) {
  std::vector<std::string> seeds;
  for (const char* name : kGames)
    for (const StoredGame& game : played_games(shipped(name), 12)) {
      seeds.push_back(game_json(game, &shipped(name), false));
      seeds.push_back(game_json(game, nullptr, seeds.size() % 3 == 0));
    }
  seeds.push_back(R"({"moves": ["4", 3, "4"], "result": -1})");
  return seeds;
}

const Registered registered({"foreign", read_line, lines});

}  // namespace
}  // namespace tabula
