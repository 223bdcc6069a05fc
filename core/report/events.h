// What TensorBoard reads: files of events, each event one number or more by step.
//
// Records are framed as TensorFlow's are (little-endian):
//   u64 length, u32 masked CRC-32C of those eight bytes, the bytes, u32 masked CRC-32C of the bytes
// and hold a protobuf message Event, of which we write
//   1 wall_time (double)  2 step (int64)  3 file_version (string)
//   5 summary { 1 value { 1 tag (string), 2 simple_value (float) } ... }
//   7 session_log { 1 status (enum, START = 1) }
// Six fields that have not changed in ten years are forty lines by hand; libprotobuf would bring a
// code generator into the build and a library into every program that reports.
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/report/appended_file.h"

namespace tabula {

std::uint32_t crc32c(std::string_view bytes);
std::uint32_t masked_crc32c(std::string_view bytes);  // as records carry it

// Not thread-safe.
class EventFile {
 public:
  // A new file in the folder, which is made. A start at a step above 0 tells TensorBoard to forget
  // what other files say from that step on: whoever goes on from a checkpoint repeats steps.
  EventFile(const std::filesystem::path& folder, std::int64_t first_step);

  struct Scalar {
    std::string_view tag;  // "loss/policy": TensorBoard groups by what is before the slash
    double value;
  };
  void add(std::int64_t step, std::span<const Scalar> scalars);  // one event, now

  const std::filesystem::path& path() const { return path_; }

 private:
  void write(std::int64_t step, std::string_view what);
  std::filesystem::path path_;
  AppendedFile file_;
};

}  // namespace tabula
