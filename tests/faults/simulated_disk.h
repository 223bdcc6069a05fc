#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "tests/faults/disk_log.h"

namespace tabula {

// What becomes of changes that no flush has covered when the power goes.
enum class Unsafe { lost, kept, some, torn, first };
constexpr int kUnsafes = 5;

// A folder on a disk that loses power. A file's bytes are safe when the file was flushed, its name
// when the folder was; until then each write, each sector of 512 bytes, each change of size and
// each change of a name may be there or not, whatever the order in which they were made.
class SimulatedDisk {
 public:
  // The folder, and those in it that were there before.
  SimulatedDisk(std::string root, std::vector<std::string> folders);

  // All that is in the folder, but for its marks, is on the disk already.
  void adopt();
  void apply(const DiskOp& op);
  // Puts into `to` what the disk may hold now.
  void write_image(const std::filesystem::path& to, Unsafe data, Unsafe names, Rng& rng) const;

 private:
  struct File {
    std::string durable;
    std::vector<DiskOp> pending;
  };
  using Names = std::map<std::string, std::size_t>;  // path -> file; kFolderName: a folder
  static void change_names(Names& names, const DiskOp& op);
  Names surviving_names(Unsafe fate, Rng& rng) const;

  std::string root_;
  std::vector<File> files_;
  std::map<std::uint64_t, std::size_t> by_number_;  // the file that has an inode's number now
  Names names_;
  std::map<std::string, std::vector<DiskOp>> pending_names_;  // by folder, in order
};

}  // namespace tabula
