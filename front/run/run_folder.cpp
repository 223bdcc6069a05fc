#include "front/run/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>

#include <fstream>

#include "core/base/error.h"
#include "core/base/files.h"

namespace tabula {
namespace fs = std::filesystem;
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r");
  return begin == text.npos ? "" : text.substr(begin, end - begin + 1);
}

}  // namespace

RunFolder::RunFolder(const fs::path& path) : path_(fs::absolute(path)) {
  std::error_code failed;
  for (const char* part : {"logs", "outbox"}) fs::create_directories(path_ / part, failed);
  lock_ = Descriptor(open((path_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock_.open()) throw Error(path.string() + ": cannot write there: " + reason_of(errno) + ".");
  if (flock(lock_.number(), LOCK_EX | LOCK_NB) != 0)
    throw Error(path.string() + ": another 'tabula train' has this run; --run DIR names another.");
}

void RunFolder::keep_settings(const std::map<std::string, std::string>& given) const {
  std::map<std::string, std::string> all;
  std::ifstream file(path_ / "run.ini");
  for (std::string line; std::getline(file, line);)
    if (const std::size_t equals = line.find('='); equals != line.npos && line[0] != '#')
      all[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
  for (const auto& [name, value] : given) all[name] = value;
  std::string text = "# What was asked for; all other values are the game's or Tabula's own.\n";
  for (const auto& [name, value] : all) text += name + " = " + value + "\n";
  write_file_atomically(path_ / "run.ini", text);
}

}  // namespace tabula
