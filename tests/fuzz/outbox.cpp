// A segment of an outbox. The first byte says two things: whether the records' hashes are made
// right, without which no change would get past them; and whether the segment is the last one.
#include "core/wire/outbox.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/data/game_codec.h"
#include "tests/fuzz/target.h"

namespace tabula {
namespace {

constexpr std::size_t kHead = 20;
constexpr std::string_view kMagic = "tabula outbox 1\n";
enum Way : char { kSealed = 1, kLast = 2 };

std::string numbered(std::uint64_t number, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += char(number >> (8 * i) & 255);
  return bytes;
}

void seal(std::string& segment) {
  for (std::size_t at = kMagic.size(); at + kHead + 8 <= segment.size();) {
    std::size_t size = 0;
    for (std::size_t i = 4; i-- > 0;) size = size << 8 | std::uint8_t(segment[at + i]);
    if (size > segment.size() - at - kHead - 8) return;
    const std::string_view record(segment.data() + at, kHead + size);
    segment.replace(at + kHead + size, 8, numbered(Hash().add_text(record).value(), 8));
    at += kHead + size + 8;
  }
}

using Contents = std::vector<std::pair<GameId, std::string>>;

Contents contents_of(const Outbox& outbox) {
  Contents contents;
  std::uint64_t bytes = 0;
  for (const GameId& id : outbox.waiting()) {
    law(outbox.find(id) != nullptr, "what waits is there");
    contents.emplace_back(id, *outbox.find(id));
    bytes += contents.back().second.size();
  }
  law(outbox.games() == contents.size() && outbox.bytes() == bytes, "games and bytes are counted");
  return contents;
}

Contents reopened(const std::filesystem::path& folder) {
  return contents_of(Outbox(folder, 1 << 20));
}

void read_segment(std::string_view bytes) {
  static const FuzzFolder above;
  const std::filesystem::path folder = above.path() / "outbox";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  std::string segment(bytes.substr(std::min<std::size_t>(1, bytes.size())));
  const char way = bytes.empty() ? char(0) : bytes[0];
  if (way & kSealed) seal(segment);
  above.file("outbox/3.games", segment);
  if (!(way & kLast)) above.file("outbox/5.games", kMagic);

  const Contents found = reopened(folder);
  law(reopened(folder) == found, "what was found is found again");
  Contents more = found;
  OutboxGame game{{1, 2, 3}, "a new game"};
  if (std::ranges::find(found, game.id, &Contents::value_type::first) == found.end())
    more.emplace_back(game.id, game.bytes);
  {
    Outbox outbox(folder, 1 << 20);
    outbox.add({&game, 1});
    law(contents_of(outbox) == more, "a game comes to those that were found");
  }
  Outbox outbox(folder, 1 << 20);
  law(contents_of(outbox) == more, "all of them are on the disk");
  for (const auto& [id, content] : more) law(outbox.remove(id), "what waits can be removed");
  law(outbox.games() == 0 && outbox.bytes() == 0, "what is removed is gone");
}

std::vector<std::string> segments(Rng& rng) {
  std::vector<std::string> seeds;
  for (int i = 0; i < 24; ++i) {
    std::string seed = char(i % 4) + std::string(kMagic);
    for (std::uint32_t games = rng.below(5); games-- > 0;) {
      std::string record = numbered(rng.below(60), 4);
      const std::size_t size = std::uint8_t(record[0]);
      while (record.size() < kHead + size) record += char(rng.next());
      seed += record + numbered(Hash().add_text(record).value(), 8);
    }
    if (rng.below(2)) seed += numbered(~std::uint32_t{0}, 4) + std::string(rng.below(40), 'x');
    seeds.push_back(seed);
  }
  return seeds;
}

const Registered registered({"outbox", read_segment, segments});

}  // namespace
}  // namespace tabula
