#include "core/game/check/specimen.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tabula {
namespace {

constexpr std::size_t kZone = 256;
constexpr std::byte kGuard{0xa5}, kUnwritten{0xfe};
constexpr std::uint32_t kUnwrittenFloat = 0xfefefefe;
constexpr std::size_t kLongest = 1 << 16;  // of texts and keys

}  // namespace

Guarded::Guarded(std::size_t size, std::byte fill)
    : size_(size), offset_(kZone), bytes_(size + 2 * kZone + 64, kGuard) {
  while (reinterpret_cast<std::uintptr_t>(data()) % 64 != 0) ++offset_;
  std::fill_n(data(), size, fill);
}

bool Guarded::intact() const {
  const auto guard = [](std::byte b) { return b == kGuard; };
  const auto first = bytes_.begin() + std::ptrdiff_t(offset_);
  return std::all_of(bytes_.begin(), first, guard) &&
         std::all_of(first + std::ptrdiff_t(size_), bytes_.end(), guard);
}

Specimen::Specimen(const Rules& rules, Trace& trace, Trace::Slot slot)
    : rules_(&rules), trace_(&trace), slot_(slot), state_(rules.table().state_size) {
  trace_->start(slot);
  trace_->call(slot, "the constructor");
  // Two starts over different garbage: a member that nobody sets keeps the garbage.
  Guarded other(state_.size(), kUnwritten);
  const int turn = checked("the constructor", rules.table().start(state_.data()));
  checked("the constructor", rules.table().start(other.data()));
  if (!std::equal(state_.data(), state_.data() + state_.size(), other.data()))
    breach("every game starts alike", "the same bytes from every start",
           "bytes that differ: give every member of the position a value");
  if (turn != this->turn())
    breach("turn is 0, 1, chance or over", "start() to return what turn() says",
           std::to_string(turn));
}

Specimen::Specimen(const Specimen& other, Trace::Slot slot)
    : rules_(other.rules_),
      trace_(other.trace_),
      slot_(slot),
      state_(other.state_.size()),
      moves_(other.moves_) {
  trace_->fork(slot, int(moves_.size()));
  std::ranges::copy(other.bytes(), state_.data());
}

void Specimen::breach(std::string law, std::string expected, std::string came) const {
  throw Breach{std::move(law), std::move(expected), std::move(came), moves_};
}

int Specimen::checked(const char* method, int returned) const {
  if (returned == TABULA_ERROR)
    breach("nothing is thrown", std::string(method) + "() to return",
           std::string("an exception: ") + rules_->table().error());
  return returned;
}

// Calls a method that must not change the position.
template <class Call>
int Specimen::observe(const char* method, Call call) {
  const std::vector<std::byte> before(bytes().begin(), bytes().end());
  trace_->call(slot_, method);
  const int returned = checked(method, call(state_.data()));
  if (!state_.intact())
    breach("nothing is written outside the position", "untouched memory around it",
           std::string(method) + "() wrote there");
  if (!std::ranges::equal(before, bytes()))
    breach("only apply() changes the position",
           "the same bytes after " + std::string(method) + "()", "other bytes");
  return returned;
}

int Specimen::turn() { return observe("turn", rules_->table().turn); }

std::vector<Action> Specimen::legal() {
  const auto room = std::size_t(rules_->max_legal());
  Guarded buffer(room * sizeof(Action));
  auto* out = reinterpret_cast<Action*>(buffer.data());
  const int count = observe(
      "legal", [&](const void* p) { return rules_->table().legal(p, out, rules_->max_legal()); });
  if (count < 0 || std::size_t(count) > room || !buffer.intact())
    breach("legal moves are in range", "at most " + std::to_string(room) + " moves",
           std::to_string(count) + ", or writing past the buffer");
  return {out, out + count};
}

std::vector<float> Specimen::odds(std::span<const Action> outcomes) {
  std::vector<float> odds(outcomes.size(), 1.f / float(outcomes.size()));
  if (rules_->table().odds)
    observe("odds", [&](const void* p) {
      return rules_->table().odds(p, outcomes.data(), int(outcomes.size()), odds.data());
    });
  return odds;
}

template <class Write>
std::vector<float> Specimen::read_planes(const char* method, int planes, Write write) {
  const int cells = rules_->cells(), cols = rules_->table().cols;
  const std::size_t count = std::size_t(planes) * std::size_t(cells);
  Guarded buffer(count * sizeof(float), kUnwritten);
  auto* out = reinterpret_cast<float*>(buffer.data());
  observe(method, [&](const void* p) { return write(p, out); });
  if (!buffer.intact())
    breach("nothing is written outside the planes", std::to_string(count) + " floats",
           std::string(method) + "() wrote before the first or past the last");
  for (std::size_t i = 0; i < count; ++i) {
    const auto where = [&] {
      const int cell = int(i) % cells;
      return "plane " + std::to_string(int(i) / cells) + ", row " + std::to_string(cell / cols) +
             ", column " + std::to_string(cell % cols);
    };
    if (std::bit_cast<std::uint32_t>(out[i]) == kUnwrittenFloat)
      breach("every cell of every plane is written", "a value in " + where(),
             std::string(method) + "() left it as it was");
    if (!std::isfinite(out[i]))
      breach("planes are finite", "a finite value in " + where(), std::to_string(out[i]));
  }
  return {out, out + count};
}

std::vector<float> Specimen::encode() {
  return read_planes("encode", rules_->table().planes, rules_->table().encode);
}

std::vector<float> Specimen::encode_final(int player) {
  return read_planes("encode_final", rules_->table().final_planes, [&](const void* p, float* out) {
    return rules_->table().encode_final(p, player, out);
  });
}

int Specimen::result() { return observe("result", rules_->table().result); }

int Specimen::result_at_limit() {
  return observe("result_at_limit", rules_->table().result_at_limit);
}

template <class Put>
std::string Specimen::read_text(const char* method, Put put) {
  scratch_.resize(kLongest);
  const int size =
      observe(method, [&](const void* p) { return put(p, scratch_.data(), int(kLongest)); });
  if (size < 0 || std::size_t(size) > kLongest)
    breach("texts are short", "at most 65536 characters from " + std::string(method) + "()",
           std::to_string(size));
  return {scratch_.data(), std::size_t(size)};
}

std::string Specimen::text(Action action) {
  return read_text("text", [&](const void* p, char* out, int capacity) {
    return rules_->table().action_text(p, action, out, capacity);
  });
}

std::string Specimen::board() { return read_text("board", rules_->table().board_text); }

Action Specimen::parse(std::string_view text) {
  return observe("parse", [&](const void* p) {
    return rules_->table().parse(p, text.data(), int(text.size()));
  });
}

int Specimen::piece(int cell) {
  return observe("piece", [&](const void* p) { return rules_->table().piece(p, cell); });
}

std::vector<int> Specimen::touched(Action action) {
  std::vector<int> cells(std::size_t(rules_->cells()));
  const int count = observe("touched", [&](const void* p) {
    return rules_->table().touched(p, action, cells.data(), int(cells.size()));
  });
  cells.resize(std::size_t(std::clamp(count, 0, rules_->cells())));
  return cells;
}

std::vector<std::byte> Specimen::key() {
  if (!rules_->table().key) return {bytes().begin(), bytes().end()};
  const std::string key = read_text("key", rules_->table().key);
  const auto raw = std::as_bytes(std::span(key));
  return {raw.begin(), raw.end()};
}

int Specimen::play_out(std::uint64_t random[2], int plies) {
  trace_->call(slot_, "play_out");
  const int played = checked("play_out", rules_->table().play_out(state_.data(), random, plies));
  if (!state_.intact())
    breach("nothing is written outside the position", "untouched memory around it",
           "play_out() wrote there");
  return played;
}

void Specimen::apply(Action action) {
  trace_->call(slot_, "apply");
  trace_->move(slot_, action);
  moves_.push_back(action);
  const int turn = checked("apply", rules_->table().apply(state_.data(), action));
  if (!state_.intact())
    breach("nothing is written outside the position", "untouched memory around it",
           "apply() wrote there");
  if (turn != this->turn())
    breach("turn is 0, 1, chance or over", "apply() to return what turn() says",
           std::to_string(turn));
}

}  // namespace tabula
