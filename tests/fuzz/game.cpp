// Games as they travel. Bytes that do not begin as a game does are content: they are wrapped, or
// no change would ever get past the checksum of the compression.
#include "tests/fuzz/target.h"
#include "tests/stored_games.h"

namespace tabula {
namespace {

void read_game(std::string_view bytes) {
  const bool whole = bytes.empty() || std::uint8_t(bytes[0]) == kGameFormat;
  const std::string sent = whole ? std::string(bytes) : with_content(bytes.substr(1));
  const StoredGame game = decode_game(sent);
  const std::string again = encode_game(game);
  law(content_of(again) == content_of(sent), "a game is written in one way");
  law(decode_game(again) == game, "what is written is read back");
}

std::vector<std::string> games(Rng& rng) {
  std::vector<std::string> seeds;
  for (int i = 0; i < 60; ++i) {
    const std::string bytes = encode_game(any_game(rng));
    seeds.push_back(i % 4 == 0 ? bytes : "c" + content_of(bytes));
  }
  return seeds;
}

const Registered registered({"game", read_game, games});

}  // namespace
}  // namespace tabula
