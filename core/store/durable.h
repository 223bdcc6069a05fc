// Steps that put a file on the disk under its name. Each throws DiskFull, FlushFailed or Error.
#pragma once
#include <filesystem>

namespace tabula {

void flush_file(const std::filesystem::path& file);
void flush_folder_of(const std::filesystem::path& file);  // so that its name is on the disk
// What the system shows of a file after a failed flush may never have reached the disk, and a
// second flush does not bring it there. This writes the same bytes once more, and flushes. A file
// that is not there is left alone.
void write_again(const std::filesystem::path& file);
// The file must have been flushed. On return the new name is on the disk.
void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

// Of a failed system call, as errno tells.
[[noreturn]] void fail_on(const std::filesystem::path& file, const std::string& act);

}  // namespace tabula
