#include <algorithm>
#include <cmath>

#include "core/game/check/laws.h"

namespace tabula {
namespace {

constexpr const char* kLaw = "symmetries commute with play";

std::string under(int symmetry, const Rules& rules) {
  return " under symmetry " + std::to_string(symmetry) + " of '" + group_of(rules.symmetry()).name +
         "'";
}

std::string list(std::span<const Action> actions) {
  std::string text;
  for (Action a : actions) text += " " + std::to_string(a);
  return text;
}

void check_image_planes(Specimen& position, Specimen& image, int symmetry) {
  const Rules& rules = position.rules();
  const std::vector<float> planes = position.encode(), seen = image.encode();
  std::vector<float> expected(planes.size());
  rules.map_planes(symmetry, rules.table().planes, planes.data(), expected.data());
  const auto [e, s] = std::ranges::mismatch(expected, seen);
  if (e == expected.end()) return;
  const int at = int(e - expected.begin()), cell = at % rules.cells(), cols = rules.table().cols;
  image.breach(kLaw,
               std::to_string(*e) + " in plane " + std::to_string(at / rules.cells()) + ", row " +
                   std::to_string(cell / cols) + ", column " + std::to_string(cell % cols) +
                   ": the image of the planes" + under(symmetry, rules) +
                   "; these moves are the images",
               std::to_string(*s));
}

}  // namespace

Action image_of(const Rules& rules, int symmetry, Action action, bool at_chance) {
  return at_chance ? rules.map_outcome(symmetry, action) : rules.map_action(symmetry, action);
}

void check_symmetry(Specimen& position, Specimen& image, int symmetry) {
  const Rules& rules = position.rules();
  const int turn = position.turn();
  if (image.turn() != turn)
    image.breach(kLaw, "turn " + std::to_string(turn) + under(symmetry, rules),
                 std::to_string(image.turn()));
  if (turn == TABULA_OVER) {
    if (image.result() != position.result())
      image.breach(kLaw, "result " + std::to_string(position.result()) + under(symmetry, rules),
                   std::to_string(image.result()));
    return;
  }
  std::vector<Action> images = position.legal();
  for (Action& a : images) a = image_of(rules, symmetry, a, turn == TABULA_CHANCE);
  std::ranges::sort(images);
  if (image.legal() != images)
    image.breach(kLaw,
                 "the images of the legal moves" + under(symmetry, rules) + ":" + list(images),
                 list(image.legal()));
  if (turn != TABULA_CHANCE) check_image_planes(position, image, symmetry);
}

}  // namespace tabula
