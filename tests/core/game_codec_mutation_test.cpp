// Games damaged on their way: nothing may crash, and what is still read must be sound.
#include <doctest/doctest.h>

#include <map>

#include "core/base/error.h"
#include "tests/allocations.h"
#include "tests/stored_games.h"

using namespace tabula;

namespace {

std::size_t any_place(Rng& rng, const std::string& bytes) {
  return rng.below(std::uint32_t(bytes.size() + 1));
}

void flip(Rng& rng, std::string& bytes) {
  if (!bytes.empty()) bytes[rng.below(std::uint32_t(bytes.size()))] ^= char(1 << rng.below(8));
}

void nudge(Rng& rng, std::string& bytes) {
  if (bytes.empty()) return;
  char& byte = bytes[rng.below(std::uint32_t(bytes.size()))];
  byte = char(byte + int(rng.below(5)) - 2);
}

// Beginnings of msgpack values, many of which promise more than follows.
void promise(Rng& rng, std::string& bytes) {
  static const char kHeads[] =
      "\xc0\xc1\xc2\xc3\xc4\xc5\xc6\xc7\xc8\xc9\xca\xcb\xcc\xcd\xce\xcf\xd0\xd1\xd2\xd3"
      "\xd4\xd8\xd9\xda\xdb\xdc\xdd\xde\xdf\x90\x9f\x80\x8f\xa0\xbf\xff";
  std::string head(1, kHeads[rng.below(sizeof kHeads - 1)]);
  if (rng.below(2)) head.append(rng.below(9), char(rng.below(2) ? 0xff : 0x00));
  bytes.replace(any_place(rng, bytes), rng.below(4), head);
}

void cut(Rng& rng, std::string& bytes) {
  const std::size_t at = any_place(rng, bytes);
  rng.below(2) ? bytes.resize(at) : void(bytes.erase(at, 1 + rng.below(8)));
}

void repeat(Rng& rng, std::string& bytes) {
  const std::size_t from = any_place(rng, bytes);
  bytes.insert(any_place(rng, bytes), bytes.substr(from, 1 + rng.below(20)));
}

void damage(Rng& rng, std::string& bytes) {
  using Change = void (*)(Rng&, std::string&);
  static const Change kChanges[] = {flip, flip, nudge, nudge, promise, cut, repeat};
  kChanges[rng.below(7)](rng, bytes);
}

// Two neighbours of a 16-bit list trade units, so that their sum stays right.
void trade(Rng& rng, std::string& units) {
  if (units.size() < 4) return;
  const std::size_t at = 2 * rng.below(std::uint32_t(units.size() / 2 - 1));
  const int by = int(rng.below(3)) - 1;
  units[at] = char(units[at] + by);
  units[at + 2] = char(units[at + 2] - by);
}

// Damage that knows the format: whole fields, well packed.
void damage_field(Rng& rng, GameFields& fields) {
  const std::size_t at = rng.below(field::count);
  fields.numbers[at] += rng.below(2) ? 1 : any_number(rng, 64);
  if (auto& list = fields.lists[at]; !list.empty()) {
    const std::uint32_t place = rng.below(std::uint32_t(list.size()));
    if (rng.below(8) == 0)
      list.erase(list.begin() + place);
    else
      list[place] = std::uint32_t(any_number(rng, rng.below(2) ? 3 : 32));
  }
  if (rng.below(2))
    trade(rng, fields.bytes[at]);
  else
    flip(rng, fields.bytes[at]);
}

std::string mutant_of(Rng& rng, const std::string& bytes) {
  std::string content = content_of(bytes);
  const std::uint32_t way = rng.below(8), times = 1 + rng.below(3);
  if (way == 0) {
    std::string damaged = bytes;
    for (std::uint32_t i = 0; i < times; ++i) damage(rng, damaged);
    return damaged;
  }
  if (way < 4) {
    GameFields fields = unpack_fields(content);
    for (std::uint32_t i = 0; i < times; ++i) damage_field(rng, fields);
    return with_content(pack_fields(fields));
  }
  for (std::uint32_t i = 0; i < times; ++i) damage(rng, content);
  return with_content(content);
}

std::string kind(const std::string& message) {
  std::string kind;
  for (char c : message)
    if (c < '0' || c > '9') kind += c;
  return kind;
}

}  // namespace

TEST_CASE("60,000 damaged games are read soundly or refused with a sentence, and none crashes") {
  constexpr std::uint64_t kSeed = 1;
  constexpr int kMutants = 60000;
  MESSAGE("seed " << kSeed);
  Rng rng(kSeed);
  std::vector<std::string> good;
  for (int i = 0; i < 300; ++i) good.push_back(encode_game(any_game(rng)));
  for (const char* name : {"connect4", "pig100"})
    for (const StoredGame& game : played_games(shipped(name), 50))
      good.push_back(encode_game(game));

  int accepted = 0;
  std::map<std::string, int> kinds;
  std::size_t most = 0;  // allocated at once, for a byte of content
  for (int i = 0; i < kMutants; ++i) {
    const std::string mutant = mutant_of(rng, good[rng.below(std::uint32_t(good.size()))]);
    CAPTURE(i);
    largest_allocation = 0;
    try {
      const StoredGame game = decode_game(mutant);
      const std::size_t largest = largest_allocation;
      const std::string again = encode_game(game);
      REQUIRE(content_of(again) == content_of(mutant));
      REQUIRE(decode_game(again) == game);
      most = std::max(most, largest / content_of(mutant).size());
      ++accepted;
    } catch (const Error& error) {
      const std::string why = error.what();
      REQUIRE(why.starts_with("not a sound game: "));
      REQUIRE(why.ends_with('.'));
      REQUIRE(why.find('\n') == why.npos);
      // What a frame declares may be asked for before it is seen to be a lie.
      REQUIRE(largest_allocation <= kMaxGameContent + 1);
      ++kinds[kind(why)];
    }
  }
  MESSAGE(accepted << " read, " << kMutants - accepted << " refused for " << kinds.size()
                   << " kinds of reasons, at most " << most << " bytes a byte at once");
  CHECK(accepted > kMutants / 10);
  CHECK(accepted < kMutants * 9 / 10);
  CHECK(kinds.size() >= 25);
  CHECK(most <= 20);
}

TEST_CASE("a few bytes of content cannot ask for much memory") {
  using namespace std::string_literals;
  for (const std::string& content :
       {"\xdd\xff\xff\xff\xff"s, "\xdc\xff\xff"s, "\xdf\xff\xff\xff\xff"s, "\xc6\xff\xff\xff\xff"s,
        "\xdb\xff\xff\xff\xff"s, "\xdc\0\x14\xc6\xff\xff\xff\xff"s, std::string(10000, '\x91'),
        std::string(10000, '\x81')}) {
    const std::string bytes = with_content(content);
    largest_allocation = 0;
    CHECK_THROWS_AS(decode_game(bytes), Error);
    CHECK(largest_allocation < 12000);
  }
}
