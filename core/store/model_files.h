// Model files beside a database: games.db.models/DIGEST.safetensors, immutable.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tabula {

constexpr std::uint64_t kMaxModelBytes = std::uint64_t{1} << 30;

class ModelFiles {
 public:
  explicit ModelFiles(const std::filesystem::path& database);  // makes the folder

  std::filesystem::path path(const std::string& id) const;
  bool has(const std::string& id) const;

  // A model that arrives in pieces, from any number of senders; what a crash left is written over.
  // Returns how many bytes are there: the offset of the next piece.
  std::uint64_t received(const std::string& id) const;
  std::uint64_t receive(const std::string& id, std::uint64_t offset, std::string_view bytes);
  // All pieces are there: flushes, verifies the digest, and gives the file its name, durably.
  // Throws Error, and forgets the pieces, if the bytes are not those that the id names.
  void complete(const std::string& id);

  // A piece of a model, at most so long. The whole was verified when it was opened first.
  std::string piece(const std::string& id, std::uint64_t offset, std::size_t size) const;
  // Throws Error unless the file's bytes are those that its name says.
  void verify(const std::string& id) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace tabula
