#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace tabula {

// The name of a file system that is on another machine, or "" for one that is on this one, by the
// number that statfs() gives and the type that the mount has.
std::string network_disk(unsigned long magic, std::string_view mount_type);
// That of a folder.
std::string network_disk(const std::filesystem::path& folder);

}  // namespace tabula
