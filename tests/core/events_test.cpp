#include "core/report/events.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <vector>

#include "core/base/clock.h"
#include "core/base/files.h"
#include "tests/scratch.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

template <class Value>
Value take(std::string_view& bytes) {
  Value value{};
  REQUIRE(bytes.size() >= sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

std::string_view take_bytes(std::string_view& bytes, std::size_t size) {
  REQUIRE(bytes.size() >= size);
  const std::string_view taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return taken;
}

std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = take<std::uint8_t>(bytes);
    value |= std::uint64_t(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

struct Field {
  std::uint64_t number = 0;
  std::string_view bytes;
};

// Any protobuf message as its fields, by the specification of the format.
std::multimap<std::uint64_t, Field> fields_of(std::string_view message) {
  std::multimap<std::uint64_t, Field> fields;
  while (!message.empty()) {
    const std::uint64_t key = take_varint(message);
    Field field;
    switch (key & 7) {
      case 0:
        field.number = take_varint(message);
        break;
      case 1:
        field.bytes = take_bytes(message, 8);
        break;
      case 2:
        field.bytes = take_bytes(message, take_varint(message));
        break;
      case 5:
        field.bytes = take_bytes(message, 4);
        break;
      default:
        FAIL("a kind of field that nobody uses");
    }
    fields.emplace(key >> 3, field);
  }
  return fields;
}

template <class Value>
Value value_of(Field field) {
  return take<Value>(field.bytes);
}

std::vector<std::string> records_of(const fs::path& file) {
  const std::string all = read_file(file, 1 << 20);
  std::string_view bytes = all;
  std::vector<std::string> records;
  while (!bytes.empty()) {
    const std::string_view length_bytes = bytes.substr(0, 8);
    const auto length = take<std::uint64_t>(bytes);
    CHECK(take<std::uint32_t>(bytes) == masked_crc32c(length_bytes));
    records.emplace_back(take_bytes(bytes, length));
    CHECK(take<std::uint32_t>(bytes) == masked_crc32c(records.back()));
  }
  return records;
}

}  // namespace

TEST_CASE("CRC-32C has its published values") {
  std::string ascending;
  for (char i = 0; i < 32; ++i) ascending += i;
  CHECK(crc32c("") == 0);
  CHECK(crc32c("123456789") == 0xe3069283);
  CHECK(crc32c(std::string(32, '\0')) == 0x8a9136aa);  // this and the next two: RFC 3720, B.4
  CHECK(crc32c(std::string(32, '\xff')) == 0x62a8ab43);
  CHECK(crc32c(ascending) == 0x46dd794e);
  CHECK(masked_crc32c("") == 0xa282ead8);
}

TEST_CASE("a file begins with the bytes that all event files begin with") {
  const Scratch folder;
  const std::string bytes = read_file(EventFile(folder.path(), 0).path(), 100);
  CHECK(bytes.substr(0, 12) == std::string("\x18\0\0\0\0\0\0\0\xa3\x7fK\"", 12));
  CHECK(bytes.substr(12 + 9, 15) == "\x1a\rbrain.Event:2");
}

TEST_CASE("a decoder reads back what was written") {
  const Scratch folder;
  EventFile events(folder / "a/b", 0);
  const std::string long_tag(300, 't');
  const EventFile::Scalar scalars[] = {{"loss/policy", 0.75}, {long_tag, -1e9}};
  events.add(5'000'000'000, scalars);
  const EventFile::Scalar last[] = {{"rate", 3}};
  events.add(0, last);

  const auto records = records_of(events.path());
  REQUIRE(records.size() == 3);
  const auto version = fields_of(records[0]);
  CHECK(version.find(3)->second.bytes == "brain.Event:2");
  CHECK(std::abs(value_of<double>(version.find(1)->second) - double(unix_seconds())) < 3600);

  const auto event = fields_of(records[1]);
  CHECK(event.find(2)->second.number == 5'000'000'000);
  const auto summary = fields_of(event.find(5)->second.bytes);
  REQUIRE(summary.count(1) == 2);
  auto at = summary.find(1);
  for (const EventFile::Scalar& scalar : scalars) {
    const auto value = fields_of((at++)->second.bytes);
    CHECK(value.find(1)->second.bytes == scalar.tag);
    CHECK(value_of<float>(value.find(2)->second) == float(scalar.value));
  }
  CHECK(fields_of(records[2]).count(2) == 0);  // zero goes without saying
}

TEST_CASE("a start from a checkpoint says from which step on the old files are wrong") {
  const Scratch folder;
  const EventFile events(folder.path(), 700);
  const auto records = records_of(events.path());
  REQUIRE(records.size() == 2);
  const auto start = fields_of(records[1]);
  CHECK(start.find(2)->second.number == 700);
  CHECK(fields_of(start.find(7)->second.bytes).find(1)->second.number == 1);
}

TEST_CASE("each start has a file of its own, with a name that TensorBoard looks for") {
  const Scratch folder;
  const EventFile first(folder.path(), 0), second(folder.path(), 0), third(folder.path(), 0);
  CHECK(first.path() != second.path());
  CHECK(second.path() != third.path());
  for (const EventFile* file : {&first, &second, &third}) {
    CHECK(file->path().filename().string().starts_with("events.out.tfevents."));
    CHECK(records_of(file->path()).size() == 1);
  }
}
