// Stores in scratch folders, and what goes into them.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/store/reader.h"
#include "core/store/store.h"

namespace tabula {

inline const Identity kToy{"toy", 7, "toy"};

inline GameId id_of(std::uint64_t number) {
  GameId id{};
  for (std::size_t i = 0; i < 8; ++i) id[15 - i] = std::uint8_t(number >> (8 * i));
  return id;
}

inline std::string any_bytes(std::uint64_t seed, std::size_t size) {
  Rng rng(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = char(rng.next());
  return bytes;
}

// Game `number`, always the same.
inline Arrival arrival(std::uint64_t number, std::size_t size = 300) {
  return {.id = id_of(number),
          .bytes = any_bytes(number, size),
          .account = "alice",
          .worker = "node-" + std::to_string(number % 3),
          .models = {"uniform", "m" + std::to_string(number % 2)},
          .positions = std::uint32_t(10 + number % 5)};
}

inline Arrival adjourned(std::uint64_t number, std::size_t size) {
  Arrival game = arrival(number, size);
  game.kind = Arrival::Kind::adjourned;
  return game;
}

inline std::vector<Arrival> arrivals(std::uint64_t from, std::uint64_t to, std::size_t size = 300) {
  std::vector<Arrival> games;
  for (std::uint64_t number = from; number < to; ++number) games.push_back(arrival(number, size));
  return games;
}

// All that followers get, read in pages of so many bytes.
inline std::vector<LogEntry> entries_in(const Reader& reader, std::uint64_t after = 0,
                                        std::size_t page_bytes = 2000) {
  std::vector<LogEntry> all;
  for (;;) {
    LogPage page = reader.read(after, page_bytes);
    std::ranges::move(page.entries, std::back_inserter(all));
    if (page.next >= page.head) return all;
    after = page.next;
  }
}

}  // namespace tabula
