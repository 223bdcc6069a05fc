#include <algorithm>
#include <cmath>

#include "core/base/joined.h"
#include "core/game/check/laws.h"

namespace tabula {
namespace {

constexpr const char* kLaw = "symmetries commute with play";

std::string under(int symmetry, const Rules& rules) {
  return " under symmetry " + std::to_string(symmetry) + " of '" + group_of(rules.symmetry()).name +
         "'";
}

// `seen` must be `planes` turned over. `what` names them.
void check_turned_over(const Specimen& image, const std::vector<float>& planes,
                       const std::vector<float>& seen, int symmetry, const std::string& what) {
  const Rules& rules = image.rules();
  std::vector<float> expected(planes.size());
  rules.map_planes(symmetry, int(planes.size()) / rules.cells(), planes.data(), expected.data());
  const auto [e, s] = std::ranges::mismatch(expected, seen);
  if (e == expected.end()) return;
  const int at = int(e - expected.begin()), cell = at % rules.cells(), cols = rules.table().cols;
  image.breach(kLaw,
               std::to_string(*e) + " in plane " + std::to_string(at / rules.cells()) + ", row " +
                   std::to_string(cell / cols) + ", column " + std::to_string(cell % cols) +
                   ": the image of the " + what + under(symmetry, rules) +
                   "; these moves are the images",
               std::to_string(*s));
}

void check_image_end(Specimen& position, Specimen& image, int symmetry) {
  const Rules& rules = position.rules();
  if (result_of(image) != result_of(position))
    image.breach(kLaw, "result " + std::to_string(result_of(position)) + under(symmetry, rules),
                 std::to_string(result_of(image)));
  if (rules.table().final_planes == 0) return;
  for (int player : {0, 1})
    check_turned_over(image, position.encode_final(player), image.encode_final(player), symmetry,
                      "final planes of player " + std::to_string(player));
}

// An outcome is as likely as its image.
void check_image_odds(Specimen& position, Specimen& image, int symmetry) {
  const std::vector<Action> outcomes = position.legal();
  std::vector<Action> images;
  for (Action a : outcomes) images.push_back(image_of(position.rules(), symmetry, a, true));
  const std::vector<float> odds = position.odds(outcomes), seen = image.odds(images);
  for (std::size_t i = 0; i < odds.size(); ++i)
    if (std::abs(odds[i] - seen[i]) > 1e-6f)
      image.breach(kLaw,
                   "odds " + std::to_string(odds[i]) + " for outcome " + std::to_string(images[i]) +
                       under(symmetry, position.rules()),
                   std::to_string(seen[i]));
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
  const bool cut = position.ply() == rules.table().max_plies && rules.table().result_at_limit;
  if (turn == TABULA_OVER || cut) return check_image_end(position, image, symmetry);
  std::vector<Action> images = position.legal();
  for (Action& a : images) a = image_of(rules, symmetry, a, turn == TABULA_CHANCE);
  std::ranges::sort(images);
  if (image.legal() != images)
    image.breach(kLaw,
                 "the images of the legal moves" + under(symmetry, rules) + ": " + joined(images),
                 joined(image.legal()));
  if (turn == TABULA_CHANCE)
    check_image_odds(position, image, symmetry);
  else
    check_turned_over(image, position.encode(), image.encode(), symmetry, "planes");
}

}  // namespace tabula
