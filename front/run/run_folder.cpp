#include "front/run/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "core/base/error.h"
#include "core/base/files.h"

namespace tabula {
namespace fs = std::filesystem;
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r");
  return begin == text.npos ? "" : text.substr(begin, end - begin + 1);
}

constexpr auto kPause = std::chrono::milliseconds(100);
constexpr int kFewPauses = 10, kMostPauses = 600;
constexpr const char* kProposed = "run.ini.new";

Descriptor open_lock(const fs::path& file, int flags) {
  Descriptor lock(open(file.c_str(), O_RDWR | O_CREAT | flags, 0666));
  if (!lock.open()) throw Error(file.string() + ": cannot write there: " + reason_of(errno) + ".");
  return lock;
}

// Tries for so many pauses.
bool take(const Descriptor& lock, int pauses, const std::atomic<bool>* stopped) {
  for (; flock(lock.number(), LOCK_EX | LOCK_NB) != 0; --pauses) {
    if (pauses == 0 || (stopped && *stopped)) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

}  // namespace

RunFolder::RunFolder(const fs::path& path, const std::atomic<bool>* stopped)
    : path_(fs::absolute(path)) {
  std::error_code failed;
  for (const char* part : {"logs", "outbox"})
    if (fs::create_directories(path_ / part, failed); failed)
      throw Error(path.string() + ": cannot make this folder: " + failed.message() + ".");
  lock_ = open_lock(path_ / "lock", O_CLOEXEC);
  if (!take(lock_, kFewPauses,
            stopped))  // one that is killed while it starts others leaves it late
    throw Error(path.string() + ": another 'tabula train' has this run; --run DIR names another.");
  programs_ = open_lock(path_ / "programs.lock", 0);
  if (!take(programs_, kMostPauses, stopped))
    throw Error(path.string() +
                ": programs of an earlier 'tabula train' still run there; end them first.");
}

fs::path RunFolder::propose_settings(const std::map<std::string, std::string>& given) const {
  std::map<std::string, std::string> all;
  std::ifstream file(path_ / "run.ini");
  for (std::string line; std::getline(file, line);)
    if (const std::size_t equals = line.find('='); equals != line.npos && line[0] != '#')
      all[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
  for (const auto& [name, value] : given) all[name] = value;
  std::string text = "# What was asked for; all other values are the game's or Tabula's own.\n";
  for (const auto& [name, value] : all) text += name + " = " + value + "\n";
  write_file_atomically(path_ / kProposed, text);
  return path_ / kProposed;
}

void RunFolder::keep_settings() const { fs::rename(path_ / kProposed, path_ / "run.ini"); }

}  // namespace tabula
