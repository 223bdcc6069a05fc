#pragma once
#include <string>

#include "core/game/state.h"

namespace tabula {

// Bytes that are equal only for the same state at the same ply.
inline std::string position_key(const State& state) {
  const auto bytes = state.state_bytes();
  const std::int32_t ply = state.ply();
  std::string key(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return key.append(reinterpret_cast<const char*>(&ply), sizeof ply);
}

}  // namespace tabula
