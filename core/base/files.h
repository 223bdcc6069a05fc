#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tabula {

// All bytes of a regular file of at most `max_bytes`.
std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes);

// Replaces the file as one act: whoever reads it, also after kill -9 or a power cut, finds all of
// the old bytes or all of the new ones. On return the new ones are on the disk. A throw leaves the
// old file and nothing else, unless it says that only the folder could not be flushed. A symbolic
// link is replaced, not followed. A process killed while it writes leaves a file `.writing-*` in
// the folder, which nothing reads. Safe from any number of threads and processes: the last wins.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace tabula
