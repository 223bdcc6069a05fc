#include "core/service/defaults.h"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/wire/client_socket.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestSocketPath = 107;

// A folder that only this user can enter: whoever could put a socket there could pretend to be us.
fs::path private_folder() {
  if (const char* given = std::getenv("XDG_RUNTIME_DIR"); given && fs::is_directory(given))
    return given;
  const fs::path folder = fs::temp_directory_path() / ("tabula-" + std::to_string(getuid()));
  mkdir(folder.c_str(), 0700);
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
      status.st_uid != getuid() || (status.st_mode & 077) != 0)
    throw Error(folder.string() +
                ": it should be a folder that only you can enter; remove it, or give --listen.");
  return folder;
}

}  // namespace

std::string ipc_address(const fs::path& database) {
  const Digest digest = digest_of(fs::weakly_canonical(fs::absolute(database)).string());
  const fs::path path = private_folder() / ("tabula-" + hex(digest).substr(0, 12) + ".ipc");
  if (path.string().size() > kLongestSocketPath)
    throw Error(path.string() + ": a socket's path may have 107 bytes; give --listen.");
  return "ipc://" + path.string();
}

std::vector<std::string> default_addresses(const fs::path& database) {
  return {ipc_address(database), kDefaultAddress};
}

Keep parse_keep(const std::string& text) {
  if (text == "all") return {};
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data(), end, number);
  const std::string unit(rest, end);
  std::uint64_t scale = 1;
  for (const char* known : {"KB", "MB", "GB", "TB"}) {
    scale *= 1000;
    if (failed == std::errc() && unit == known && number > 0 && number < 1'000'000)
      return {.positions = 0, .bytes = number * scale};
  }
  if (failed == std::errc() && unit.empty() && number > 0) return {.positions = number, .bytes = 0};
  throw Error("'" + text +
              "' says not what to keep: 'all', positions such as 2000000, or bytes "
              "such as 10GB.");
}

}  // namespace tabula
