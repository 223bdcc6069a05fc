// What disk_shim.c wrote down about a folder.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tabula {

struct DiskOp {
  enum Kind : std::uint32_t {
    create = 1,  // path, file
    truncate,    // file, offset: the new size
    write,       // file, offset, data
    sync,        // file
    rename,      // path, to
    unlink,      // path
    folder,      // path: a new folder
    sync_folder,
    mark,   // data
    fault,  // path: the call that failed; to: on what; file; offset: its number
  };
  Kind kind;
  std::uint64_t file = 0, offset = 0;
  std::string path, to, data;
};

std::vector<DiskOp> read_disk_log(const std::filesystem::path& file);

}  // namespace tabula
