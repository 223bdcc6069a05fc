#include "core/report/events.h"

#include <unistd.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstring>

#include "core/base/clock.h"
#include "core/base/error.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
    table[i] = crc;
  }
  return table;
}();

// Everything here runs on little-endian processors only, as the bytes of a value are copied.
static_assert(std::endian::native == std::endian::little);

template <class Value>
std::string bytes_of(Value value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// Protobuf: a field is its number and kind in one byte, then its value.
enum Kind { kVarint = 0, kEightBytes = 1, kLengthAndBytes = 2, kFourBytes = 5 };

std::string key(int field, Kind kind) { return std::string(1, char(field << 3 | kind)); }

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += char(value | 0x80);
  return bytes + char(value);
}
std::string varint_field(int field, std::int64_t value) {
  return key(field, kVarint) + varint(std::uint64_t(value));
}
std::string double_field(int field, double value) {
  return key(field, kEightBytes) + bytes_of(value);
}
std::string float_field(int field, float value) { return key(field, kFourBytes) + bytes_of(value); }
std::string bytes_field(int field, std::string_view bytes) {
  return key(field, kLengthAndBytes) + varint(bytes.size()) + std::string(bytes);
}

std::string framed(std::string_view record) {
  const std::string length = bytes_of(std::uint64_t(record.size()));
  return length + bytes_of(masked_crc32c(length)) + std::string(record) +
         bytes_of(masked_crc32c(record));
}

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 && name[0] ? name : "localhost";
}

// TensorBoard reads a folder's files in the order of their names. Two starts within a second, or
// a clock that went back, get different names all the same.
fs::path name_in(const fs::path& folder, int attempt) {
  std::string seconds = std::to_string(unix_seconds());
  seconds.insert(0, 10 - std::min<std::size_t>(10, seconds.size()), '0');
  const std::string suffix = attempt == 0 ? "" : "." + std::to_string(attempt);
  return folder / ("events.out.tfevents." + seconds + "." + host_name() + suffix);
}

AppendedFile new_file(const fs::path& folder, fs::path& path) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(folder.string() + ": cannot make this folder: " + error.message() + ".");
  for (int attempt = 0;; ++attempt) {
    path = name_in(folder, attempt);
    AppendedFile file(path, AppendedFile::Open::new_only);
    if (file.open()) return file;
  }
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (char byte : bytes) crc = crc >> 8 ^ kCrcTable[(crc ^ std::uint8_t(byte)) & 0xff];
  return ~crc;
}

std::uint32_t masked_crc32c(std::string_view bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xa282ead8u;
}

EventFile::EventFile(const fs::path& folder, std::int64_t first_step)
    : file_(new_file(folder, path_)) {
  constexpr int kFileVersion = 3, kSessionLog = 7, kStatus = 1, kStart = 1;
  try {
    write(0, bytes_field(kFileVersion, "brain.Event:2"));
    if (first_step > 0) write(first_step, bytes_field(kSessionLog, varint_field(kStatus, kStart)));
  } catch (...) {  // the next try makes another
    std::error_code ignored;
    fs::remove(path_, ignored);
    throw;
  }
}

void EventFile::add(std::int64_t step, std::span<const Scalar> scalars) {
  constexpr int kSummary = 5, kValue = 1, kTag = 1, kSimpleValue = 2;
  std::string summary;
  for (const Scalar& scalar : scalars)
    summary += bytes_field(
        kValue, bytes_field(kTag, scalar.tag) + float_field(kSimpleValue, float(scalar.value)));
  write(step, bytes_field(kSummary, summary));
}

void EventFile::write(std::int64_t step, std::string_view what) {
  constexpr int kWallTime = 1, kStep = 2;
  std::string event = double_field(kWallTime, wall_time());
  if (step != 0) event += varint_field(kStep, step);
  file_.append(framed(event.append(what)));
}

}  // namespace tabula
