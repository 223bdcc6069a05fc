// How long a fault suite is, where it begins, and what it reports.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>

#include "core/base/clock.h"

namespace tabula {

// Three lengths: a part of the default suite; `./tabula test faults`; the same with --long.
template <class T>
T by_length(T brief, T full, T longest) {
  if (!std::getenv("TABULA_FAULTS")) return brief;
  return std::getenv("TABULA_LONG") ? longest : full;
}

inline std::uint64_t suite_seed() {
  const char* given = std::getenv("TABULA_SEED");
  const std::uint64_t seed =
      given ? std::strtoull(given, nullptr, 10) : std::random_device()() % 1'000'000;
  std::cout << "TABULA_SEED=" << seed << " repeats this" << std::endl;
  return seed;
}

// A place for images of disks, which nobody needs to flush.
inline std::filesystem::path memory_folder() {
  return std::filesystem::is_directory("/dev/shm") ? std::filesystem::path("/dev/shm")
                                                   : std::filesystem::temp_directory_path();
}

// One line of the table in docs/reliability.md, made by tests/faults/table.sh when the suite ends.
class Row {
 public:
  Row(std::string family, std::uint64_t seed) : family_(std::move(family)), seed_(seed) {
    std::filesystem::remove(file());
  }
  void write(const std::string& faults, const std::string& ledger) const {
    const std::string row = "| " + family_ + " | " + faults + " | " + ledger + " | " +
                            std::to_string((clock_ms() - begun_ + 500) / 1000) + " s | " +
                            std::to_string(seed_) + " |";
    std::cout << row << std::endl;
    if (!std::getenv("TABULA_FAULTS")) return;
    std::filesystem::create_directories(file().parent_path());
    std::ofstream(file()) << row << "\n";
  }

 private:
  std::filesystem::path file() const {
    return std::filesystem::path(TABULA_BUILD "/reliability") /
           by_length("brief", "faults", "long") / (family_ + ".row");
  }

  std::string family_;
  std::uint64_t seed_;
  std::int64_t begun_ = clock_ms();
};

}  // namespace tabula
