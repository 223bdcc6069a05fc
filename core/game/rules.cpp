#include "core/game/rules.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "core/game/fingerprint.h"

namespace tabula {
namespace {

constexpr std::size_t kFirstOptional = offsetof(tabula_game, play_out);
constexpr std::uint32_t kMaxTable = 1 << 16;

[[noreturn]] void refuse(const std::filesystem::path& origin, const std::string& why) {
  throw Error(origin.string() + ": " + why);
}

void check_name(const char* name, const std::filesystem::path& origin) {
  const std::size_t length = name ? strnlen(name, kLongestName + 1) : 0;
  if (!is_game_name({name, length})) refuse(origin, "a game's name must be " TABULA_NAME_RULE ".");
}

// The table as this engine knows it: what an older plugin lacks stays null.
tabula_game adopt(const tabula_game* table, const std::filesystem::path& origin) {
  if (table->abi != TABULA_GAME_ABI)
    refuse(origin, "built for plugin ABI " + std::to_string(table->abi) + ", but this Tabula has " +
                       std::to_string(TABULA_GAME_ABI) +
                       "; rebuild it with this Tabula's headers.");
  const std::uint32_t size = table->table_size;
  if (size < kFirstOptional || size > kMaxTable)
    refuse(origin, "its table says it is " + std::to_string(size) +
                       " bytes long, which cannot be; rebuild it with this Tabula's headers.");
  const auto* bytes = reinterpret_cast<const char*>(table);
  if (size > sizeof(tabula_game) &&
      std::any_of(bytes + sizeof(tabula_game), bytes + size, [](char c) { return c != 0; }))
    refuse(origin,
           "it uses features of a newer Tabula; update this one, or rebuild the plugin "
           "with this Tabula's headers.");
  tabula_game own{};
  std::memcpy(&own, table, std::min<std::size_t>(size, sizeof own));
  return own;
}

void check_numbers(const tabula_game& t, const std::filesystem::path& origin) {
  const auto within = [&](const char* what, std::int64_t value, std::int64_t low,
                          std::int64_t high) {
    if (value < low || value > high)
      refuse(origin, std::string(t.name) + " declares " + what + " = " + std::to_string(value) +
                         ", which must be from " + std::to_string(low) + " to " +
                         std::to_string(high) + ".");
  };
  within("a state size in bytes", t.state_size, 1, TABULA_MAX_STATE);
  within("a state alignment", t.state_align, 1, TABULA_MAX_ALIGN);
  within("actions", t.actions, 1, TABULA_MAX_ACTIONS);
  within("outcomes", t.outcomes, 0, TABULA_MAX_OUTCOMES);
  within("max_plies", t.max_plies, 1, TABULA_MAX_PLIES);
  within("planes", t.planes, 1, TABULA_MAX_PLANES);
  within("rows", t.rows, 1, TABULA_MAX_SIDE);
  within("cols", t.cols, 1, TABULA_MAX_SIDE);
  within("planes * rows * cols", std::int64_t(t.planes) * t.rows * t.cols, 1, TABULA_MAX_FLOATS);
  within("final_planes", t.final_planes, 0, TABULA_MAX_PLANES);
  within("final_planes * rows * cols", std::int64_t(t.final_planes) * t.rows * t.cols, 0,
         TABULA_MAX_FLOATS);
  within("symmetry", t.symmetry, 0, std::int64_t(kSymmetryGroups.size()) - 1);
  within("action_planes", t.action_planes, 0, t.actions / (t.rows * t.cols));
  if (!std::has_single_bit(t.state_align))
    refuse(origin, std::string(t.name) + " declares a state alignment that is no power of two.");
}

void check_functions(const tabula_game& t, const std::filesystem::path& origin) {
  const std::string name = t.name;
  if (!t.start || !t.turn || !t.legal || !t.apply || !t.result || !t.encode || !t.error)
    refuse(origin, name + " lacks one of start, turn, legal, apply, result, encode and error.");
  const SymmetryGroup& group = group_of(Symmetry(t.symmetry));
  if (group.needs_square && t.rows != t.cols)
    refuse(origin, name + " declares the symmetry " + group.name +
                       ", which needs as many rows as columns.");
  const bool by_column = t.symmetry == TABULA_SYMMETRY_MIRROR && t.actions == t.cols;
  if (group.order > 1 && !t.map_action && !t.action_planes && !by_column)
    refuse(origin, name + " declares a symmetry, so it needs action_planes or map_action.");
  if (t.final_planes > 0 && !t.encode_final)
    refuse(origin, name + " declares final_planes, so it needs encode_final.");
}

}  // namespace

Rules::Rules(const tabula_game* table, std::filesystem::path origin)
    : table_(adopt(table, origin)), origin_(std::move(origin)) {
  check_name(table_.name, origin_);
  check_numbers(table_, origin_);
  check_functions(table_, origin_);
  name_ = table_.name;
  max_legal_ = std::max(table_.actions, table_.outcomes);
  for (int s = 0; s < symmetries(); ++s) {
    for (int cell = 0; cell < cells(); ++cell)
      cell_map_.push_back(tabula::map_cell(symmetry(), s, table_.rows, table_.cols, cell));
    std::vector<bool> taken(std::size_t(actions()), false);
    for (Action a = 0; a < actions(); ++a) {
      const Action image = mapped_action(s, a);
      if (image < 0 || image >= actions() || taken[std::size_t(image)] || (s == 0 && image != a))
        refuse(origin_, name_ + "'s map_action() under symmetry " + std::to_string(s) +
                            " sends action " + std::to_string(a) + " to " + std::to_string(image) +
                            "; it must permute the actions, and symmetry 0 must leave them alone.");
      taken[std::size_t(image)] = true;
      action_map_.push_back(image);
    }
  }
}

Action Rules::mapped_action(int symmetry, Action action) const {
  if (table_.map_action) return checked(table_.map_action(symmetry, action), "map_action");
  if (symmetry == 0) return action;
  if (table_.action_planes == 0) return table_.cols - 1 - action;  // a column, mirrored
  if (action >= table_.action_planes * cells()) return action;     // an extra, such as a pass
  return action / cells() * cells() + map_cell(symmetry, action % cells());
}

Action Rules::map_outcome(int symmetry, Action outcome) const {
  return table_.map_outcome ? checked(table_.map_outcome(symmetry, outcome), "map_outcome")
                            : outcome;
}

void Rules::map_planes(int symmetry, int planes, const float* in, float* out) const {
  const int* to = cell_map_.data() + symmetry * cells();
  for (int p = 0; p < planes; ++p, in += cells(), out += cells())
    for (int cell = 0; cell < cells(); ++cell) out[to[cell]] = in[cell];
}

Fingerprints Rules::fingerprints() const {
  std::call_once(fingerprinted_, [this] { fingerprints_ = play_fingerprints(*this); });
  return fingerprints_;
}

void Rules::fail(const char* method) const {
  const char* why = table_.error();
  throw GameError(name_ + ": " + method + "() failed: " + (why ? why : "no reason was given"));
}

void Rules::fail_count(std::int32_t count) const {
  if (count == TABULA_ERROR) fail("legal");
  throw GameError(name_ + ": legal() gave " + std::to_string(count) + " moves; it must give 1 to " +
                  std::to_string(max_legal_));
}

}  // namespace tabula
