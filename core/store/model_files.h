// Model files beside a database: games.db.models/DIGEST.safetensors, immutable.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace tabula {

constexpr std::uint64_t kMaxModelBytes = std::uint64_t{1} << 30;

// Models come through one object of the database's owner, which any number of threads may share;
// any number of others may read.
class ModelFiles {
 public:
  explicit ModelFiles(const std::filesystem::path& database);  // makes the folder

  std::filesystem::path path(const std::string& id) const;
  bool has(const std::string& id) const;

  // A model that arrives in pieces, from any number of senders; what a crash left is written over.
  // Returns how many bytes are there: the offset of the next piece. A piece with another offset is
  // left aside, and so is any once the model is complete. Throws Error if it becomes too large.
  std::uint64_t received(const std::string& id) const;
  std::uint64_t receive(const std::string& id, std::uint64_t offset, std::string_view bytes);
  // All pieces are there: flushes, verifies the digest, and gives the file its name, durably.
  // Throws Error, and forgets the pieces, if the bytes are not those that the id names.
  void complete(const std::string& id);

  // A piece of a model, at most so long; shorter only at its end. The whole is verified when it is
  // opened first.
  std::string piece(const std::string& id, std::uint64_t offset, std::size_t size) const;
  // Throws Error unless the file's bytes are those that its name says.
  void verify(const std::string& id) const;

 private:
  std::filesystem::path incoming(const std::string& id) const;
  void clear_leftovers();
  void forget(const std::string& id);
  void give_name(const std::string& id);

  struct Arriving {
    std::uint64_t bytes = 0;
    bool closed = false;  // all has come: nothing is written any more
  };
  std::filesystem::path folder_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  std::map<std::string, Arriving> arriving_;  // this and the next are guarded by the mutex
  mutable std::set<std::string> verified_;
};

}  // namespace tabula
