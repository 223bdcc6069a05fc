#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/game/check/breach.h"
#include "core/game/check/trace.h"

namespace tabula {

// Memory between two guard zones.
class Guarded {
 public:
  explicit Guarded(std::size_t size, std::byte fill = {});
  std::byte* data() { return bytes_.data() + offset_; }
  const std::byte* data() const { return bytes_.data() + offset_; }
  std::size_t size() const { return size_; }
  bool intact() const;

 private:
  std::size_t size_, offset_;
  std::vector<std::byte> bytes_;
};

// A position under examination: every call goes straight to the plugin's table, is traced, and
// must leave alone what is not its own. Throws Breach.
class Specimen {
 public:
  Specimen(const Rules& rules, Trace& trace, Trace::Slot slot);
  // The same bytes at another address.
  Specimen(const Specimen& other, Trace::Slot slot);

  const Rules& rules() const { return *rules_; }
  const std::vector<Action>& moves() const { return moves_; }
  std::span<const std::byte> bytes() const { return {state_.data(), state_.size()}; }
  int ply() const { return int(moves_.size()); }

  int turn();  // as the game says it
  std::vector<Action> legal();
  std::vector<float> odds(std::span<const Action> outcomes);
  std::vector<float> encode();
  std::vector<float> encode_final(int player);
  int result();
  int result_at_limit();
  std::string text(Action action);
  std::string board();
  Action parse(std::string_view text);
  int piece(int cell);
  std::vector<int> touched(Action action);
  std::vector<std::byte> key();  // the state's bytes where the game has no key()
  void apply(Action action);     // requires: legal
  int play_out(std::uint64_t random[2], int plies);  // where the game has it; the moves made

  [[noreturn]] void breach(std::string law, std::string expected, std::string came) const;

 private:
  template <class Call>
  int observe(const char* method, Call call);
  template <class Put>
  std::string read_text(const char* method, Put put);
  template <class Write>
  std::vector<float> read_planes(const char* method, int planes, Write write);
  int checked(const char* method, int returned) const;

  const Rules* rules_;
  Trace* trace_;
  Trace::Slot slot_;
  Guarded state_;
  std::vector<Action> moves_;
  std::vector<char> scratch_;
};

}  // namespace tabula
