// What goes into a store and comes out of it. (Strings have {} so that designated initializers may
// leave them out.)
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/data/stored_game.h"

namespace tabula {

// What a store is for: set when it is made, never changed.
struct Identity {
  std::string game{};       // its name
  std::uint64_t rules = 0;  // its fingerprint
  std::string plugin{};     // as the operator named it: a name, or a path
};

// A game that came from a worker, checked or refused.
struct Arrival {
  enum class Kind { game, adjourned, refused } kind = Kind::game;
  GameId id{};            // refused: as far as it is known, else zeros
  std::string bytes{};    // as encode_game() made them
  std::string account{};  // who sent it: from the key, or "local"
  std::string worker{};   // who played it, as the record says
  std::vector<std::string> models{};
  std::uint32_t positions = 0;  // examples
  std::string reason{};         // refused: why
};

enum class Fate : std::uint8_t {
  stored,     // now, with a sequence number of its own
  known,      // an equal game was stored before
  adjourned,  // kept until somebody plays on
  refused,    // in quarantine
};
struct Receipt {
  Fate fate;
  std::uint64_t sequence = 0;  // of the stored game
};

// At most so many entries in a page, and numbers in one drop.
constexpr std::size_t kMaxEntries = 1 << 14;

// What followers read, in order of the sequence.
struct LogEntry {
  enum class Kind : std::uint8_t { game, drop } kind = Kind::game;
  std::uint64_t sequence = 0;
  GameId id{};
  std::string bytes{};                   // of a game
  std::vector<std::uint64_t> dropped{};  // of a drop: the sequence numbers taken back
};
struct LogPage {
  std::vector<LogEntry> entries{};
  std::uint64_t next = 0;     // read on after this one: past all entries, and past damaged ones
  std::uint64_t head = 0;     // the newest sequence number given, 0 for none
  std::uint64_t missed = 0;   // games after the asked number that have left the store
  std::uint64_t damaged = 0;  // rows passed over because their bytes are not what was stored
};

struct AdjournedGame {
  GameId id{};
  std::string bytes{};
};

// Which games to cut; the conditions that are given must all hold, and at least one is.
struct DropFilter {
  std::string model{}, worker{}, account{};
  std::int64_t since = 0, until = 0;  // seconds since 1970; 0: open
};

struct Keep {
  std::uint64_t positions = 0, bytes = 0;  // 0: all
};

struct ModelRow {
  std::string id{};          // the file's digest in hexadecimal
  std::uint64_t number = 0;  // in order of publication, from 1; given by the store
  std::uint64_t bytes = 0, step = 0;
  std::string parent{}, account{}, signature{};  // signature: empty, or 64 bytes
  std::int64_t made = 0;                         // seconds since 1970
};

struct Champion {
  std::string model{};  // empty: none yet
  std::uint64_t version = 0, match = 0;
};

struct MatchRow {
  std::uint64_t number = 0;  // given by the store
  std::string candidate{}, champion{};
  std::uint32_t slots = 0;  // pairs of games at most
  std::string settings{};
  bool open = true;
  std::string verdict{};
};
struct SlotRow {
  std::uint32_t slot = 0;
  std::string result{}, account{};
};

struct Totals {
  std::uint64_t games = 0, positions = 0, bytes = 0;  // in the log now
  std::uint64_t seen_games = 0, seen_positions = 0;   // ever stored
  std::uint64_t quarantined = 0, dropped = 0, retired = 0;
  std::uint64_t adjourned = 0, abandoned = 0;  // waiting now; never finished
};

}  // namespace tabula
