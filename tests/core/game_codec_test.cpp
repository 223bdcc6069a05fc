// Games as bytes: what was written is read, and written again the same.
#include <doctest/doctest.h>
#include <zstd.h>

#include <cmath>
#include <functional>
#include <thread>

#include "core/base/error.h"
#include "core/data/examples.h"
#include "tests/stored_games.h"

using namespace tabula;

namespace {

std::string refusal(std::string_view bytes) {
  try {
    decode_game(bytes);
    return "read";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string refused(const std::string& why) { return "not a sound game: " + why + "."; }

using Change = std::function<void(GameFields&)>;

// The refusal of a game whose fields were changed.
std::string refusal_of(const StoredGame& game, const Change& change) {
  GameFields fields = unpack_fields(content_of(encode_game(game)));
  change(fields);
  return refusal(with_content(pack_fields(fields)));
}

bool close(float a, float b) { return std::abs(a - b) <= 1.01f / 65535; }

// Equal but for what rounding does, which also leaves out entries of next to no weight.
void check_alike(const GameRecord& read, const GameRecord& written) {
  REQUIRE(read.plies.size() == written.plies.size());
  for (std::size_t i = 0; i < read.plies.size(); ++i) {
    PlyRecord ply = read.plies[i];
    const PlyRecord& original = written.plies[i];
    REQUIRE(close(ply.value.win, original.value.win));
    REQUIRE(close(ply.value.draw, original.value.draw));
    REQUIRE(close(ply.value.loss, original.value.loss));
    auto entry = read.policy_of(ply).begin();
    const auto end = read.policy_of(ply).end();
    for (const PolicyEntry& was : written.policy_of(original)) {
      const bool here = entry != end && entry->action == was.action;
      REQUIRE(close(here ? entry->weight : 0, was.weight));
      if (here) ++entry;
    }
    REQUIRE(entry == end);
    ply.value = original.value;
    ply.policy_begin = original.policy_begin;
    ply.policy_end = original.policy_end;
    REQUIRE(ply == original);
  }
}

void check_round_trip(const StoredGame& game) {
  const std::string bytes = encode_game(game);
  StoredGame read = decode_game(bytes);
  REQUIRE(encode_game(read) == bytes);
  REQUIRE(decode_game(encode_game(read)) == read);
  check_alike(read.record, game.record);
  read.record.plies = game.record.plies;
  read.record.policy = game.record.policy;
  REQUIRE(read == game);
}

std::string frame_with(std::string_view content, bool checksum, bool size) {
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, size);
  frame.resize(ZSTD_compress2(context, frame.data(), frame.size(), content.data(), content.size()));
  ZSTD_freeCCtx(context);
  return char(kGameFormat) + frame;
}

}  // namespace

TEST_CASE("a game of any kind survives being written and read") {
  Registry registry({installed_plugins()});
  int games = 0, resigned = 0, dice = 0;
  for (const RulesPtr& rules : registry.list().games) {
    CAPTURE(rules->name());
    for (const StoredGame& game : played_games(*rules, rules->cells() > 100 ? 1 : 4)) {
      check_round_trip(game);
      ++games;
      resigned += game.record.ending == Ending::resigned;
      dice += std::ranges::count_if(game.record.plies, &PlyRecord::chance) > 0;
    }
  }
  CHECK(games > 30);
  CHECK(resigned > 3);
  CHECK(dice > 3);
}

TEST_CASE("a thousand made-up games survive being written and read") {
  Rng rng(1);
  int adjourned = 0;
  for (int i = 0; i < 1000; ++i) {
    CAPTURE(i);
    const StoredGame game = any_game(rng);
    check_round_trip(game);
    adjourned += game.adjourned();
  }
  CHECK(adjourned > 100);
}

TEST_CASE("equal games give equal bytes, whatever was written before and by whom") {
  Rng rng(2);
  std::vector<StoredGame> games;
  std::vector<std::string> bytes;
  for (int i = 0; i < 200; ++i) games.push_back(any_game(rng));
  for (const StoredGame& game : games) bytes.push_back(encode_game(game));
  CHECK(bytes[0] != bytes[1]);
  int equal = 0;
  std::thread([&] {
    for (std::size_t i = games.size(); i-- > 0;) equal += encode_game(games[i]) == bytes[i];
  }).join();
  CHECK(equal == 200);
}

TEST_CASE("a policy's weights still add up to 1 when most of them are next to nothing") {
  StoredGame game = small_game();
  game.record.policy.clear();
  for (Action a = 0; a < 300; ++a) game.record.policy.push_back({a, 1e-6f});
  game.record.policy.push_back({300, 1 - 300e-6f});
  game.record.plies = {
      {.action = 5, .full = true, .value = {1, 0, 0}, .policy_begin = 0, .policy_end = 301}};
  const GameRecord read = decode_game(encode_game(game)).record;
  CHECK(read.policy.size() > 1);
  CHECK(read.policy.size() < 30);
  float sum = 0;
  for (const PolicyEntry& entry : read.policy) sum += entry.weight;
  CHECK(sum == doctest::Approx(1));
  check_round_trip(game);
}

TEST_CASE("a value a little below nothing, as a search may add it up, is nothing") {
  StoredGame game = small_game();
  game.record.plies[3].value = {0.5f / 65535, -1e-8f, 1 - 0.5f / 65535};
  const Wdl read = decode_game(encode_game(game)).record.plies[3].value;
  CHECK(read.draw == 0);
  check_round_trip(game);
}

TEST_CASE("a real game of Connect Four takes few bytes a ply") {
  std::size_t bytes = 0, plies = 0;
  for (const StoredGame& game : played_games(shipped("connect4"), 40)) {
    bytes += encode_game(game).size();
    plies += game.record.plies.size();
  }
  MESSAGE((double(bytes) / double(plies)) << " bytes a ply");
  CHECK(bytes < 30 * plies);
}

TEST_CASE("bytes that are no frame of a game are refused") {
  const std::string good = encode_game(small_game()), content = content_of(good);
  CHECK(refusal(good) == "read");
  CHECK(refusal("") == refused("it is empty"));
  CHECK(refusal(std::string(kMaxGameBytes + 1, '\1')) ==
        refused("it has 4194305 bytes, more than 4194304"));
  CHECK(refusal('\2' + good.substr(1)) == refused("its format is 2, and only format 1 is read"));
  CHECK(refusal("\1nonsense") == refused("it is not a zstd frame"));
  CHECK(refusal(std::string("\1\x50\x2a\x4d\x18\0\0\0\0", 9)) ==
        refused("it is not a zstd frame"));  // but one to be skipped
  CHECK(refusal(good.substr(0, 4)) == refused("it is not a zstd frame"));
  CHECK(refusal(frame_with(content, true, true)) == "read");
  CHECK(refusal(frame_with(content, true, false)) == refused("its frame does not declare a size"));
  CHECK(refusal(frame_with(content, false, true)) == refused("its frame has no checksum"));
  CHECK(refusal(with_content(std::string(kMaxGameContent + 1, '\0'))) ==
        refused("its frame declares 16777217 bytes, more than 16777216"));
  CHECK(refusal(good + '\0') == refused("something follows its frame"));
  CHECK(refusal(good + good.substr(1)) == refused("something follows its frame"));
  CHECK(refusal(good.substr(0, good.size() - 1)) == refused("zstd says: Src size is incorrect"));
  std::string damaged = good;
  damaged[good.size() - 1] ^= 1;
  CHECK(refusal(damaged) == refused("zstd says: Restored data doesn't match checksum"));
  damaged = good;
  damaged[5] |= 1;
  CHECK(refusal(damaged).find("dictionary") != std::string::npos);
  CHECK(refusal(with_content("")) == refused("it is cut short"));
}

TEST_CASE("msgpack that is not a list of a game's fields is refused") {
  const std::string content = content_of(encode_game(small_game()));
  const auto with = [&](const std::string& bytes) { return refusal(with_content(bytes)); };
  CHECK(with(content) == "read");
  CHECK(with(content.substr(0, content.size() - 1)) == refused("it is cut short"));
  CHECK(with(content + '\0') == refused("something follows its last field"));
  CHECK(with("\xc1") == refused("it is not msgpack"));
  CHECK(with("\x07") == refused("it is not a list of fields"));
  CHECK(with("\x81\x01\x01") == refused("it is not a list of fields"));
  CHECK(with("\x93\x01\x01\x01") == refused("it has 3 fields instead of 20"));
  CHECK(with("\xdd\xff\xff\xff\xff") == refused("it has 4294967295 fields instead of 20"));

  // The first field, an id of 16 bytes, stands behind three bytes that say so.
  const std::string head = content.substr(0, 3), rest = content.substr(3 + 18);
  const auto id = [&](const std::string& bytes) { return with(head + bytes + rest); };
  const std::string kind = refused("its field id holds something of another kind");
  using namespace std::string_literals;
  for (const std::string& other :
       {"\x07"s, "\xff"s, "\xc0"s, "\xc3"s, "\xca\0\0\0\0"s, "\xcb\0\0\0\0\0\0\0\0"s, "\xa1x"s,
        "\x91\x01"s, "\x81\x01\x01"s, "\xc7\x01\x01x"s, "\xdd\xff\xff\xff\xff"s}) {
    CAPTURE(other);
    CHECK(id(other) == kind);
  }
  CHECK(id("\xc4\x01x") == refused("its id is not 16 bytes"));
  // A longer form of the same: 16-bit length instead of 8.
  CHECK(id("\xc5\0\x10"s + content.substr(5, 16)) ==
        refused("it is not written in the one way in which games are written"));

  const std::size_t actions = content.find("\x95\x03\x05\x01\x04"s);
  REQUIRE(actions != content.npos);
  const auto acts = [&](const std::string& bytes) {
    return with(content.substr(0, actions) + bytes + content.substr(actions + 6));
  };
  CHECK(acts("\x95\x03\x05\x01\x04\0"s) == "read");
  CHECK(acts("\x95\x03\x05\x01\x04\xcc\0"s) ==
        refused("it is not written in the one way in which games are written"));
  CHECK(acts("\xdd\xff\xff\xff\xff"s) == refused("its field actions is longer than all of it"));
  CHECK(acts("\x95\x03\x05\x01\x04\xcf\0\0\0\1\0\0\0\0"s) ==
        refused("its field actions has a number above 2^32-1"));
  CHECK(acts("\x95\x03\x05\x01\x04\x91\x01"s) ==
        refused("its field actions holds something of another kind"));
}

TEST_CASE("fields that do not agree with each other are refused") {
  const StoredGame game = small_game();
  const auto with = [&](const Change& change) { return refusal_of(game, change); };
  const auto list = [&](field::Field f, std::vector<std::uint32_t> numbers) {
    return with([&](GameFields& fields) { fields.lists[f] = std::move(numbers); });
  };
  const auto number = [&](field::Field f, std::uint64_t value) {
    return with([&](GameFields& fields) { fields.numbers[f] = value; });
  };
  const auto byte = [&](field::Field f, std::size_t at, int value) {
    return with([&](GameFields& fields) { fields.bytes[f][at] = char(value); });
  };
  const auto longer = [&](field::Field f) {
    return with([&](GameFields& fields) { fields.bytes[f] += 'x'; });
  };
  CHECK(with([](GameFields&) {}) == "read");
  CHECK(longer(field::id) == refused("its id is not 16 bytes"));
  CHECK(number(field::ending, 4) == refused("how it ended is out of range"));
  CHECK(number(field::result, 3) == refused("how it ended is out of range"));
  CHECK(number(field::resigner, UINT64_MAX) == refused("how it ended is out of range"));
  CHECK(number(field::play_on, 2) == refused("how it ended is out of range"));
  CHECK(byte(field::flags, 0, 17) == refused("a ply has an unknown flag"));
  CHECK(byte(field::flags, 0, 5) ==
        refused("a ply is marked as fully searched and as not searched"));
  CHECK(byte(field::flags, 0, 0) == refused("it has 3 model numbers instead of 4"));
  CHECK(list(field::actions, {1, 2}) == refused("it has 2 actions instead of 5"));
  CHECK(list(field::model, {}) == refused("it has 0 model numbers instead of 3"));
  CHECK(list(field::descents, {1}) == refused("it has 1 counts of descents instead of 3"));
  CHECK(longer(field::values) == refused("it has 13 bytes of values instead of 12"));
  CHECK(list(field::sizes, {2}) == refused("it has 1 policies instead of 2"));
  CHECK(list(field::sizes, {2, 2}) == refused("it has 3 moves in policies instead of 4"));
  CHECK(list(field::sizes, {UINT32_MAX, UINT32_MAX}) ==
        refused("it has 3 moves in policies instead of 8589934590"));
  CHECK(longer(field::weights) == refused("it has 7 bytes of weights instead of 6"));
  CHECK(list(field::sizes, {3, 0}) == refused("ply 2 has a policy that does not sum to 1"));
  CHECK(byte(field::weights, 0, 1) == refused("ply 2 has a policy that does not sum to 1"));
  CHECK(byte(field::values, 3, 0xff) == refused("ply 2 has a value of more than 1"));
  // What check_form() refuses is refused here, too.
  CHECK(list(field::model, {0, 1, 0}) == refused("ply 4 names a model that is not in the table"));
  CHECK(list(field::actions, {3, 5, 1, 4, 65536}) ==
        refused("ply 5 has an action beyond the limits"));
  CHECK(list(field::moves, {2, UINT32_MAX, 0}) ==
        refused("ply 2 has a policy whose moves do not ascend within the limits"));
}

TEST_CASE("what would be refused is not written") {
  StoredGame game = small_game();
  game.worker = "two\nlines";
  CHECK_THROWS_WITH_AS(
      encode_game(game),
      "not a sound game: the worker's name has characters that are not printable ASCII.", Error);
}
