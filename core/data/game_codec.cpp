#include "core/data/game_codec.h"

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/data/examples.h"
#include "core/data/game_fields.h"
#include "core/data/shares.h"
#include "core/data/zstd_frame.h"

namespace tabula {
namespace {

enum Flag : unsigned { kOpening = 1, kChance = 2, kFull = 4, kResign = 8, kNoFlag = 16 };

void add_units(std::string& out, std::uint32_t units) {
  out += char(units & 0xff);
  out += char(units >> 8);
}

std::uint32_t units_at(const std::string& bytes, std::size_t index) {
  return std::uint8_t(bytes[2 * index]) | std::uint32_t(std::uint8_t(bytes[2 * index + 1])) << 8;
}

void add_value(std::string& out, const Wdl& value) {
  // What a search adds up may come out a little below nothing.
  const float win = std::max(0.f, value.win), draw = std::max(0.f, value.draw);
  ShareRounder rounder(double(win) + draw + std::max(0.f, value.loss));
  add_units(out, rounder.next(win));
  add_units(out, rounder.next(draw));
}

void add_policy(GameFields& fields, std::span<const PolicyEntry> policy) {
  double sum = 0;
  for (const PolicyEntry& entry : policy) sum += entry.weight;
  ShareRounder rounder(sum);
  std::uint32_t size = 0;
  Action last = -1;
  for (const PolicyEntry& entry : policy) {
    const std::uint32_t units = rounder.next(entry.weight);
    if (units == 0) continue;
    add_units(fields.bytes[field::weights], units);
    fields.lists[field::moves].push_back(std::uint32_t(entry.action - last - 1));
    last = entry.action;
    ++size;
  }
  fields.lists[field::sizes].push_back(size);
}

void add_ply(GameFields& fields, const GameRecord& record, const PlyRecord& ply) {
  fields.bytes[field::flags] +=
      char(ply.opening * kOpening | ply.chance * kChance | ply.full * kFull | ply.resign * kResign);
  fields.lists[field::actions].push_back(std::uint32_t(ply.action));
  if (!is_example(ply)) return;
  fields.lists[field::model].push_back(ply.model);
  fields.lists[field::descents].push_back(ply.descents);
  add_value(fields.bytes[field::values], ply.value);
  if (ply.full) add_policy(fields, record.policy_of(ply));
}

GameFields fields_of(const StoredGame& game) {
  check_form(game);
  const GameRecord& record = game.record;
  GameFields fields;
  fields.bytes[field::id].assign(game.id.begin(), game.id.end());
  fields.bytes[field::name] = game.game;
  fields.numbers[field::rules] = game.rules;
  fields.models = game.models;
  fields.bytes[field::settings] = game.settings;
  fields.bytes[field::worker] = game.worker;
  fields.numbers[field::number] = record.number;
  fields.numbers[field::seed] = record.seed;
  fields.numbers[field::ending] = std::uint64_t(record.ending);
  fields.numbers[field::result] = std::uint64_t(record.result + 1);
  fields.numbers[field::resigner] = std::uint64_t(record.resigner + 1);
  fields.numbers[field::play_on] = record.play_on;
  for (const PlyRecord& ply : record.plies) add_ply(fields, record, ply);
  return fields;
}

// Makes a record from fields, once their lengths are known to agree.
class Rebuild {
 public:
  explicit Rebuild(const GameFields& fields) : fields_(fields) { check_lengths(); }

  GameRecord record() {
    GameRecord record;
    record.number = fields_.numbers[field::number];
    record.seed = fields_.numbers[field::seed];
    record.ending = Ending(up_to(3, field::ending));
    record.result = up_to(2, field::result) - 1;
    record.resigner = up_to(2, field::resigner) - 1;
    record.play_on = up_to(1, field::play_on) > 0;
    record.plies.reserve(flags().size());
    record.policy.reserve(list(field::moves).size());
    for (std::size_t i = 0; i < flags().size(); ++i) add_ply(record, i);
    return record;
  }

 private:
  const std::string& flags() const { return fields_.bytes[field::flags]; }
  const std::vector<std::uint32_t>& list(field::Field f) const { return fields_.lists[f]; }

  int up_to(std::uint64_t most, field::Field f) const {
    if (fields_.numbers[f] > most) throw Error("how it ended is out of range");
    return int(fields_.numbers[f]);
  }

  void check_lengths() const {
    if (fields_.bytes[field::id].size() != GameId().size()) throw Error("its id is not 16 bytes");
    std::size_t searched = 0, full = 0;
    for (char byte : flags()) {
      if (std::uint8_t(byte) >= kNoFlag) throw Error("a ply has an unknown flag");
      searched += !(byte & (kOpening | kChance));
      full += (byte & kFull) != 0;
      if ((byte & kFull) && (byte & (kOpening | kChance)))
        throw Error("a ply is marked as fully searched and as not searched");
    }
    const auto agrees = [](std::size_t size, std::size_t wanted, const char* what) {
      if (size != wanted)
        throw Error("it has " + std::to_string(size) + " " + what + " instead of " +
                    std::to_string(wanted));
    };
    agrees(list(field::actions).size(), flags().size(), "actions");
    agrees(list(field::model).size(), searched, "model numbers");
    agrees(list(field::descents).size(), searched, "counts of descents");
    agrees(fields_.bytes[field::values].size(), 4 * searched, "bytes of values");
    agrees(list(field::sizes).size(), full, "policies");
    const auto& sizes = list(field::sizes);
    const auto entries = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    agrees(list(field::moves).size(), entries, "moves in policies");
    agrees(fields_.bytes[field::weights].size(), 2 * entries, "bytes of weights");
  }

  void add_ply(GameRecord& record, std::size_t i) {
    const auto flag = std::uint8_t(flags()[i]);
    PlyRecord ply{.action = Action(list(field::actions)[i]),
                  .opening = (flag & kOpening) != 0,
                  .chance = (flag & kChance) != 0,
                  .full = (flag & kFull) != 0,
                  .resign = (flag & kResign) != 0};
    if (is_example(ply)) {
      ply.model = list(field::model)[searched_];
      ply.descents = list(field::descents)[searched_];
      ply.value = value(i);
      ++searched_;
    }
    if (ply.full) add_policy(record, ply, i);
    record.plies.push_back(ply);
  }

  Wdl value(std::size_t i) const {
    const std::string& values = fields_.bytes[field::values];
    const std::uint32_t win = units_at(values, 2 * searched_);
    const std::uint32_t draw = units_at(values, 2 * searched_ + 1);
    if (win + draw > kShareUnits)
      throw Error("ply " + std::to_string(i + 1) + " has a value of more than 1");
    return {share_of(win), share_of(draw), share_of(kShareUnits - win - draw)};
  }

  void add_policy(GameRecord& record, PlyRecord& ply, std::size_t i) {
    ply.policy_begin = std::uint32_t(record.policy.size());
    ply.policy_end = ply.policy_begin + list(field::sizes)[full_++];
    std::uint64_t next = 0, sum = 0;
    for (std::size_t e = ply.policy_begin; e < ply.policy_end; ++e) {
      next += list(field::moves)[e];
      const std::uint32_t units = units_at(fields_.bytes[field::weights], e);
      record.policy.push_back({Action(std::min<std::uint64_t>(next, INT32_MAX)), share_of(units)});
      ++next;
      sum += units;
    }
    if (sum != kShareUnits)
      throw Error("ply " + std::to_string(i + 1) + " has a policy that does not sum to 1");
  }

  const GameFields& fields_;
  std::size_t searched_ = 0, full_ = 0;  // plies of the kind so far
};

StoredGame game_of(const GameFields& fields) {
  StoredGame game;
  game.record = Rebuild(fields).record();
  std::ranges::copy(fields.bytes[field::id], game.id.begin());
  game.game = fields.bytes[field::name];
  game.rules = fields.numbers[field::rules];
  game.models = fields.models;
  game.settings = fields.bytes[field::settings];
  game.worker = fields.bytes[field::worker];
  return game;
}

void check_size(std::size_t size, std::size_t most) {
  if (size > most)
    throw Error("it has " + std::to_string(size) + " bytes, more than " + std::to_string(most));
}

StoredGame decode(std::string_view bytes) {
  check_size(bytes.size(), kMaxGameBytes);
  if (bytes.empty()) throw Error("it is empty");
  if (const auto version = std::uint8_t(bytes[0]); version != kGameFormat)
    throw Error("its format is " + std::to_string(version) + ", and only format " +
                std::to_string(kGameFormat) + " is read");
  const std::string content = zstd_content(bytes.substr(1), kMaxGameContent);
  StoredGame game = game_of(unpack_fields(content));
  if (pack_fields(fields_of(game)) != content)
    throw Error("it is not written in the one way in which games are written");
  return game;
}

std::string encode(const StoredGame& game) {
  const std::string content = pack_fields(fields_of(game));
  check_size(content.size(), kMaxGameContent);
  std::string bytes = char(kGameFormat) + zstd_frame(content);
  check_size(bytes.size(), kMaxGameBytes);
  return bytes;
}

}  // namespace

std::string encode_game(const StoredGame& game) try {
  return encode(game);
} catch (const Error& error) {
  throw Error(std::string("not a sound game: ") + error.what() + ".");
}

StoredGame decode_game(std::string_view bytes) try {
  return decode(bytes);
} catch (const Error& error) {
  throw Error(std::string("not a sound game: ") + error.what() + ".");
}

}  // namespace tabula
