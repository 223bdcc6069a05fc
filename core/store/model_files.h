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

// One thread of the database's owner receives; any number may read, through this or their own.
class ModelFiles {
 public:
  explicit ModelFiles(const std::filesystem::path& database);  // makes the folder

  std::filesystem::path path(const std::string& id) const;
  bool has(const std::string& id) const;

  // A model that arrives in pieces, from any number of senders; what a crash left is written over.
  // Returns how many bytes are there: the offset of the next piece. A piece with another offset is
  // left aside. Throws Error if it becomes too large.
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

  std::filesystem::path folder_;
  std::map<std::string, std::uint64_t> received_;  // bytes of models that are not complete
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  mutable std::set<std::string> verified_;  // guarded by the mutex
};

}  // namespace tabula
