// A game as msgpack: one array of these fields, in order, each value in its shortest form.
//
//   id        bin   16 bytes
//   name      str   of the game
//   rules     uint  their fingerprint
//   models    [str] ids
//   settings  str
//   worker    str
//   number    uint
//   seed      uint
//   ending    uint  as in Ending
//   result    uint  result + 1
//   resigner  uint  resigner + 1
//   play_on   uint  0 or 1
//   flags     bin   a byte a ply: 1 opening, 2 chance, 4 full, 8 resign
//   actions   [uint]  one a ply
//   model     [uint]  one a searched ply, which is one that is neither opening nor chance
//   descents  [uint]  one a searched ply
//   values    bin   4 bytes a searched ply: win and draw in 1/65535, little-endian; the rest is
//   loss sizes     [uint]  one a full ply: the entries of its policy, at least 1 moves     [uint]
//   one an entry: the first action of a ply's policy, then the actions skipped
//                     between one entry and the next
//   weights   bin   2 bytes an entry, little-endian: 65535 in all for each policy
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tabula {

namespace field {
enum Field : std::size_t {
  id,
  name,
  rules,
  models,
  settings,
  worker,
  number,
  seed,
  ending,
  result,
  resigner,
  play_on,
  flags,
  actions,
  model,
  descents,
  values,
  sizes,
  moves,
  weights,
  count
};
}

// The fields, each where its kind is.
struct GameFields {
  std::array<std::uint64_t, field::count> numbers{};
  std::array<std::string, field::count> bytes;  // str and bin
  std::array<std::vector<std::uint32_t>, field::count> lists;
  std::vector<std::string> models;
};

std::string pack_fields(const GameFields& fields);

// Throws Error, with a clause that says why, unless these bytes are fields of the right kinds and
// nothing else; allocates no more than a small multiple of them.
GameFields unpack_fields(std::string_view bytes);

}  // namespace tabula
