#include "front/eval/connect4_cache.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sstream>

#include "core/base/error.h"
#include "core/base/files.h"

namespace tabula {
namespace {

constexpr const char* kHeading = "tabula: what the connect4 solver said, 1";
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 28;
constexpr std::size_t kWriteEvery = 50;  // answers, so that a minute's work is not lost
constexpr std::string_view kSigns = "-=+";

bool read(const std::string& line, std::uint64_t& key, Connect4Verdict& verdict) {
  std::istringstream words(line);
  std::string sign, keeps, more;
  words >> std::hex >> key >> sign >> keeps;
  const std::size_t at = sign.size() == 1 ? kSigns.find(sign) : kSigns.npos;
  if (!words || words >> more || at == kSigns.npos || keeps.size() > 7 ||
      keeps.find_first_not_of("01") != keeps.npos)
    return false;
  verdict.sign = int(at) - 1;
  for (char c : keeps) verdict.keeps.push_back(c == '1');
  return true;
}

std::string text_of(std::uint64_t key, const Connect4Verdict& verdict) {
  char text[24];
  std::snprintf(text, sizeof text, "%llx ", static_cast<unsigned long long>(key));
  std::string line = text;
  line += kSigns[std::size_t(verdict.sign + 1)];
  line += ' ';
  for (bool keeps : verdict.keeps) line += keeps ? '1' : '0';
  return line + '\n';
}

}  // namespace

Connect4Cache::Connect4Cache(std::string file) : file_(std::move(file)) {
  if (file_.empty() || !std::filesystem::exists(file_)) return;
  std::istringstream in(read_file(file_, kMaxBytes));
  std::string line;
  if (!std::getline(in, line) || line != kHeading)
    throw Error(file_ + ": this is no cache of tabula eval; name another file.");
  for (int number = 2; std::getline(in, line); ++number) {
    std::uint64_t key = 0;
    Connect4Verdict verdict;
    if (!read(line, key, verdict))
      throw Error(file_ + ", line " + std::to_string(number) +
                  ": this is not what a cache holds; delete the file.");
    verdicts_[key] = verdict;
  }
}

std::optional<Connect4Verdict> Connect4Cache::find(std::uint64_t key) const {
  const std::lock_guard lock(mutex_);
  const auto found = verdicts_.find(key);
  return found == verdicts_.end() ? std::nullopt : std::optional(found->second);
}

void Connect4Cache::add(std::uint64_t key, const Connect4Verdict& verdict) {
  const std::lock_guard lock(mutex_);
  verdicts_[key] = verdict;
  if (++unwritten_ % kWriteEvery == 0) write_locked();
}

void Connect4Cache::write() {
  const std::lock_guard lock(mutex_);
  if (unwritten_ > 0) write_locked();
}

void Connect4Cache::write_locked() {
  unwritten_ = 0;
  if (file_.empty()) return;
  std::string text = std::string(kHeading) + "\n";
  for (const auto& [key, verdict] : verdicts_) text += text_of(key, verdict);
  write_file_atomically(file_, text);
}

}  // namespace tabula
