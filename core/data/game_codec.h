// Games as bytes.
//
//   game    = version frame
//   version = 1 byte: 1
//   frame   = a zstd frame (zstd_frame.h) around msgpack (game_fields.h)
#pragma once
#include <string>
#include <string_view>

#include "core/data/stored_game.h"

namespace tabula {

constexpr std::uint8_t kGameFormat = 1;
// Far above any game: a full game of 19x19 Go is below 1 MB before compression.
constexpr std::size_t kMaxGameBytes = std::size_t{4} << 20;     // as they travel
constexpr std::size_t kMaxGameContent = std::size_t{16} << 20;  // as msgpack

// Policies and values are rounded to 1/65535, and entries that round to nothing left out. Equal
// games give equal bytes. Throws Error for what decode_game would refuse.
std::string encode_game(const StoredGame& game);

// Trusts nothing: throws Error, one sentence, unless every byte is accounted for, check_form()
// holds, and the content is what encode_game would write. Allocates no more than a small multiple
// of the content.
StoredGame decode_game(std::string_view bytes);

}  // namespace tabula
