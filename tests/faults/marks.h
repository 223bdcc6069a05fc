// What a fault program has promised, in its file `marks`: lines of "name number", each of which
// says that everything below the number is so. The file is not flushed: kill -9 spares it, and for
// power cuts the log of the disk has it.
#pragma once
#include <fcntl.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "core/base/descriptor.h"
#include "core/base/error.h"

namespace tabula {

struct Promises {
  std::uint64_t saved = 0;   // games in the outbox, durably
  std::uint64_t acked = 0;   // games that the store has acknowledged
  std::uint64_t models = 0;  // models published

  void add(const std::string& lines) {
    std::istringstream in(lines);
    std::string name;
    for (std::uint64_t number = 0; in >> name >> number;) {
      if (name == "saved") saved = number;
      if (name == "acked") acked = number;
      if (name == "models") models = number;
    }
  }
  static Promises in(const std::filesystem::path& folder) {
    std::ifstream file(folder / "marks");
    std::stringstream text;
    text << file.rdbuf();
    Promises promises;
    promises.add(text.str());
    return promises;
  }
};

class Marks {
 public:
  explicit Marks(const std::filesystem::path& folder)
      : file_(open((folder / "marks").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {}
  void add(const char* name, std::uint64_t number) const {
    if (!file_.write(std::string(name) + " " + std::to_string(number) + "\n"))
      throw Error("cannot write the marks.");
  }

 private:
  Descriptor file_;
};

}  // namespace tabula
