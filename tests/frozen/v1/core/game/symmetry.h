#pragma once
#include <array>

#include "core/game/game_abi.h"

namespace tabula {

// The ways a board can be turned over onto itself. A group must leave the start position alone:
// playing the images of the moves has to give the image of the position.
enum class Symmetry : int {
  none = TABULA_SYMMETRY_NONE,
  mirror = TABULA_SYMMETRY_MIRROR,        // left and right
  rotation = TABULA_SYMMETRY_ROTATION,    // half a turn
  square = TABULA_SYMMETRY_SQUARE,        // all eight of a square
  diagonal = TABULA_SYMMETRY_DIAGONAL,    // rows and columns swapped
  diagonals = TABULA_SYMMETRY_DIAGONALS,  // both diagonals, and half a turn
};

struct SymmetryGroup {
  const char* name;
  int order;                   // how many symmetries, the identity first
  std::array<int, 8> element;  // bit 0: flip columns, bit 1: flip rows, then bit 2: transpose
  bool needs_square;           // some element transposes
};

constexpr std::array<SymmetryGroup, 6> kSymmetryGroups = {{
    {"none", 1, {0}, false},
    {"mirror", 2, {0, 1}, false},
    {"rotation", 2, {0, 3}, false},
    {"square", 8, {0, 1, 2, 3, 4, 5, 6, 7}, true},
    {"diagonal", 2, {0, 4}, true},
    {"diagonals", 4, {0, 3, 4, 7}, true},
}};

constexpr const SymmetryGroup& group_of(Symmetry symmetry) {
  return kSymmetryGroups[std::size_t(symmetry)];
}

// Where the index-th symmetry of the group sends a cell. Cells are numbered row by row.
constexpr int map_cell(Symmetry symmetry, int index, int rows, int cols, int cell) {
  const int element = group_of(symmetry).element[std::size_t(index)];
  const int row = element & 2 ? rows - 1 - cell / cols : cell / cols;
  const int col = element & 1 ? cols - 1 - cell % cols : cell % cols;
  return element & 4 ? col * cols + row : row * cols + col;
}

}  // namespace tabula
