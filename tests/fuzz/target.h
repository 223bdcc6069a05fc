// What is fuzzed: decoders of foreign bytes, each with sound bytes to begin with. They run under
// libFuzzer (entry.cpp), and over seeded damage in the default suite (mutation_test.cpp).
#pragma once
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace tabula {

struct FuzzTarget {
  std::string name;
  // Throws Error for what it refuses. Anything else that goes wrong is a find.
  void (*read)(std::string_view bytes);
  std::vector<std::string> (*seeds)(Rng& rng);
};

inline std::vector<FuzzTarget>& fuzz_targets() {
  static std::vector<FuzzTarget> targets;
  return targets;
}

struct Registered {
  explicit Registered(FuzzTarget target) { fuzz_targets().push_back(std::move(target)); }
};

// What a decoder promises about bytes that it takes.
inline void law(bool holds, const std::string& promise) {
  if (!holds) throw std::logic_error("broken: " + promise);
}

// Whether the target takes the bytes. A refusal is shown to people, on a terminal or in a log: it
// must not hold bytes that those obey.
inline bool takes(const FuzzTarget& target, std::string_view bytes) {
  try {
    target.read(bytes);
    return true;
  } catch (const Error& refusal) {
    for (const char* c = refusal.what(); *c; ++c)
      law(std::uint8_t(*c) >= ' ' && *c != 127, "a refusal is one line of text");
    return false;
  }
}

// A folder in memory for decoders that read files, gone with the process.
class FuzzFolder {
 public:
  FuzzFolder() {
    const char* memory = "/dev/shm";
    path_ = std::filesystem::is_directory(memory) ? std::filesystem::path(memory)
                                                  : std::filesystem::temp_directory_path();
    path_ /= "tabula_fuzz_" + std::to_string(getpid()) + "_" + std::to_string(count()++);
    std::filesystem::create_directories(path_);
  }
  ~FuzzFolder() { std::filesystem::remove_all(path_); }
  FuzzFolder(const FuzzFolder&) = delete;
  FuzzFolder& operator=(const FuzzFolder&) = delete;

  std::filesystem::path file(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  static int& count() {
    static int folders = 0;
    return folders;
  }
  std::filesystem::path path_;
};

}  // namespace tabula
