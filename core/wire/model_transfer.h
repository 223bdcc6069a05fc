// Models on their way to a store and from it. A model's id is the digest of its file.
#pragma once
#include <string>

#include "core/wire/client.h"

namespace tabula {

std::string model_id(std::string_view bytes);

// Returns when the store has it, verified and on the disk. Signs it where there are keys. Of the
// row only step and parent are used. Returns its id.
std::string publish_model(Client& store, const std::optional<ClientKeys>& keys,
                          const ModelRow& about, const std::string& bytes);

// The whole file. Throws Error unless its bytes are those that the id names and, where there are
// keys, this run's trainers have signed it.
std::string fetch_model(Client& store, const std::optional<ClientKeys>& keys,
                        const std::string& id);

}  // namespace tabula
