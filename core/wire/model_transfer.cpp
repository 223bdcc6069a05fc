#include "core/wire/model_transfer.h"

#include "core/base/digest.h"
#include "core/base/error.h"

namespace tabula {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // a store may lie

}  // namespace

std::string model_id(std::string_view bytes) { return hex(digest_of(bytes)); }

std::string publish_model(Client& store, const std::optional<ClientKeys>& keys,
                          const ModelRow& about, const std::string& bytes) {
  ModelRow row = about;
  row.id = model_id(bytes);
  row.bytes = bytes.size();
  if (keys) row.signature = sign_model(*keys, row.id);
  // A store that starts again says where to go on.
  Published answer;
  do {
    const std::uint64_t at = std::min<std::uint64_t>(answer.received, bytes.size());
    answer = store.ask<Published>(Publish{row, at, bytes.substr(at, kModelPiece)});
  } while (!answer.known);
  return row.id;
}

std::string fetch_model(Client& store, const std::optional<ClientKeys>& keys,
                        const std::string& id) {
  std::string bytes;
  for (;;) {
    const Piece piece = store.ask<Piece>(Fetch{id, bytes.size()});
    if (piece.row.id != id || piece.offset != bytes.size() || piece.row.bytes > kMostBytes)
      throw Error("the store sent something else than the model " + id + ".");
    if (keys && !is_signed(keys->models, id, piece.row.signature))
      throw Error("the model " + id + " is not signed by this run's trainers.");
    bytes += piece.bytes;
    if (bytes.size() >= piece.row.bytes || piece.bytes.empty()) break;
  }
  if (model_id(bytes) != id)
    throw Error("the model " + id + " was damaged on its way, or the store's file is.");
  return bytes;
}

}  // namespace tabula
