// A position for people: names of moves, the board, pieces on cells.
#include <algorithm>
#include <array>

#include "core/game/state.h"

namespace tabula {
namespace {

// Reads a text whose whole length `put(room, capacity)` returns.
template <class Put>
std::string read_text(const Rules& rules, const char* method, Put put) {
  std::array<char, 1024> room;
  const int size = std::max(0, rules.checked(put(room.data(), int(room.size())), method));
  if (std::size_t(size) <= room.size()) return {room.data(), std::size_t(size)};
  std::string text(std::size_t(size), ' ');
  rules.checked(put(text.data(), size), method);
  return text;
}

// X and O for stones; games with several kinds of piece show letters, capitals for player 0.
std::string piece_text(int piece, bool kinds) {
  if (piece == 0) return ".";
  if (!kinds) return piece > 0 ? "X" : "O";
  return std::string(1, char((piece > 0 ? 'A' : 'a') + std::abs(piece) - 1));
}

bool by_cell(const Rules& rules, Action action) {
  return rules.table().action_planes == 1 && action < rules.cells();
}

}  // namespace

std::string State::text(Action action) const {
  const auto& t = rules_->table();
  if (t.action_text)
    return read_text(*rules_, "text", [&](char* room, int capacity) {
      return t.action_text(bytes(), action, room, capacity);
    });
  if (!at_chance() && by_cell(*rules_, action)) return cell_text(t.rows, t.cols, action);
  return std::to_string(action);
}

std::string State::board() const {
  const auto& t = rules_->table();
  if (t.board_text)
    return read_text(*rules_, "board", [&](char* room, int capacity) {
      return t.board_text(bytes(), room, capacity);
    });
  if (!t.piece) return "(no board: the game has neither board() nor piece())\n";
  bool kinds = false;
  for (int cell = 0; cell < rules_->cells(); ++cell) kinds |= std::abs(piece(cell)) > 1;
  std::string board;
  for (int row = 0; row < t.rows; ++row) {
    std::string label = std::to_string(t.rows - row);
    board += std::string(3 - std::min<std::size_t>(3, label.size()), ' ') + label;
    for (int col = 0; col < t.cols; ++col)
      board += " " + piece_text(piece(row * t.cols + col), kinds);
    board += "\n";
  }
  board += "   ";
  for (int col = 0; col < t.cols; ++col) board += std::string(" ") + char('a' + col % 26);
  return board + "\n";
}

std::optional<Action> State::parse(std::string_view move) const {
  const auto& t = rules_->table();
  const std::vector<Action> moves = legal();
  if (t.parse) {
    const Action a = rules_->checked(t.parse(bytes(), move.data(), int(move.size())), "parse");
    return std::ranges::binary_search(moves, a) ? std::optional(a) : std::nullopt;
  }
  const auto named = [&](Action a) { return text(a) == move; };
  const auto found = std::ranges::find_if(moves, named);
  return found == moves.end() ? std::nullopt : std::optional(*found);
}

int State::piece(int cell) const {
  const auto& t = rules_->table();
  return t.piece ? rules_->checked(t.piece(bytes(), cell), "piece") : 0;
}

std::vector<int> State::touched(Action action) const {
  const auto& t = rules_->table();
  if (!t.touched) return by_cell(*rules_, action) ? std::vector{action} : std::vector<int>();
  std::vector<int> cells(std::size_t(rules_->cells()));
  const int count = t.touched(bytes(), action, cells.data(), int(cells.size()));
  cells.resize(std::size_t(std::clamp(rules_->checked(count, "touched"), 0, rules_->cells())));
  return cells;
}

}  // namespace tabula
