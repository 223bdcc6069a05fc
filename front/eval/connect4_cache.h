// What the Connect Four solver said, in a text file: a heading, then for each position a line
// "KEY SIGN KEEPS": its key in hexadecimal, +, = or -, and 1 or 0 for each legal column in order.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tabula {

struct Connect4Verdict {
  int sign = 0;             // of the position, for the mover
  std::vector<bool> keeps;  // by legal column: the move comes to it
  bool operator==(const Connect4Verdict&) const = default;
};

// Thread-safe.
class Connect4Cache {
 public:
  // Reads the file, if there is one. An empty name: keeps nothing on the disk.
  explicit Connect4Cache(std::string file);

  std::optional<Connect4Verdict> find(std::uint64_t key) const;
  void add(std::uint64_t key, const Connect4Verdict& verdict);  // and writes now and then
  void write();                                                 // atomically, what is new

 private:
  void write_locked();
  std::string file_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Connect4Verdict> verdicts_;
  std::size_t unwritten_ = 0;
};

}  // namespace tabula
