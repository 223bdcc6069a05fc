#include "core/game/symmetry.h"

#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "tests/support.h"

using namespace tabula;

namespace {

std::vector<int> image(Symmetry symmetry, int index, int rows, int cols) {
  std::vector<int> cells;
  for (int cell = 0; cell < rows * cols; ++cell)
    cells.push_back(map_cell(symmetry, index, rows, cols, cell));
  return cells;
}

}  // namespace

TEST_CASE("every symmetry group is a group: identity, closed, all different, permutations") {
  for (std::size_t g = 0; g < kSymmetryGroups.size(); ++g) {
    const auto symmetry = Symmetry(g);
    const SymmetryGroup& group = group_of(symmetry);
    const int rows = 5, cols = group.needs_square ? 5 : 4;
    std::set<std::vector<int>> images;
    for (int i = 0; i < group.order; ++i) images.insert(image(symmetry, i, rows, cols));
    CHECK(int(images.size()) == group.order);
    for (int i = 0; i < group.order; ++i) {
      const std::vector<int> one = image(symmetry, i, rows, cols);
      CHECK(std::set(one.begin(), one.end()).size() == one.size());
      for (int j = 0; j < group.order; ++j) {
        std::vector<int> both;
        for (int cell : one) both.push_back(map_cell(symmetry, j, rows, cols, cell));
        CHECK(images.contains(both));
      }
    }
    for (int cell = 0; cell < rows * cols; ++cell)
      CHECK(image(symmetry, 0, rows, cols)[std::size_t(cell)] == cell);
  }
}

TEST_CASE("names mean what they say") {
  CHECK(image(Symmetry::mirror, 1, 2, 3) == std::vector{2, 1, 0, 5, 4, 3});
  CHECK(image(Symmetry::rotation, 1, 2, 3) == std::vector{5, 4, 3, 2, 1, 0});
  CHECK(image(Symmetry::diagonal, 1, 2, 2) == std::vector{0, 2, 1, 3});
}

TEST_CASE("planes turn over as cells do, and actions with them") {
  const Rules& rules = shipped("connect4");
  std::vector<float> in(42), out(42);
  in[7] = 1;  // second row, first column
  rules.map_planes(1, 1, in.data(), out.data());
  CHECK(out[13] == 1);
  CHECK(rules.map_action(1, 0) == 6);
  CHECK(shipped("go5").map_action(3, 25) == 25);  // a pass stays a pass
}
