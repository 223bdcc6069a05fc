#include "games/connect4/solver/position.h"

namespace tabula::connect4 {

namespace {

// Empty if `move` can be played.
std::string objection(const Position& position, char move) {
  if (move < '1' || move > '7') return std::string("'") + move + "' is not a column from 1 to 7";
  if (position.over()) return "the game is already over";
  if (!position.legal(move - '1')) return std::string("column ") + move + " is full";
  return {};
}

}  // namespace

std::optional<Position> Position::parse(std::string_view moves, std::string* error) {
  Position position;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (const std::string why = objection(position, moves[i]); !why.empty()) {
      if (error) *error = "move " + std::to_string(i + 1) + " cannot be played: " + why;
      return std::nullopt;
    }
    position = position.after(position.legal(moves[i] - '1'));
  }
  return position;
}

}  // namespace tabula::connect4
