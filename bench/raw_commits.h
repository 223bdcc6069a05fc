#pragma once
#include <filesystem>
#include <memory>
#include <string>

namespace tabula {

// The least that a durable store on SQLite must do, as a yardstick: blobs into one table, some of
// them in a transaction, each on the disk when it returns.
class RawCommits {
 public:
  explicit RawCommits(const std::filesystem::path& file);
  ~RawCommits();
  void commit(const std::string& blob, int times);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tabula
