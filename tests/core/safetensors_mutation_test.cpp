// Small files, damaged in ways that know the format: nothing may crash, and what is still read
// must be sound.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

#include "core/base/error.h"
#include "tests/allocations.h"
#include "tests/random_tensors.h"

using namespace tabula;

namespace {

struct Specimen {
  std::string header, data;
};

struct Range {
  std::size_t begin, size;
};

template <class List>
const auto& pick(Rng& rng, const List& list) {
  return list[rng.below(std::uint32_t(std::size(list)))];
}

// Where `inside` holds for a run of characters.
std::vector<Range> runs(const std::string& text, const std::function<bool(char)>& inside) {
  std::vector<Range> found;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!inside(text[i])) continue;
    if (found.empty() || found.back().begin + found.back().size != i) found.push_back({i, 0});
    ++found.back().size;
  }
  return found;
}

std::vector<Range> numbers(const std::string& text) {
  return runs(text, [](char c) { return c >= '0' && c <= '9'; });
}

// What stands between two quotes, which may be a text or the stretch between two texts.
std::vector<Range> texts(const std::string& text) {
  return runs(text, [](char c) { return c != '"'; });
}

void replace_one(Rng& rng, std::string& text, const std::vector<Range>& ranges,
                 const std::string& with) {
  if (ranges.empty()) return;
  const Range range = pick(rng, ranges);
  text.replace(range.begin, range.size, with);
}

void change_number(Rng& rng, std::string& header) {
  static const char* const kNumbers[] = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "4",
                                         "8",
                                         "12",
                                         "16",
                                         "-1",
                                         "-0",
                                         "1.0",
                                         "1.5",
                                         "1e3",
                                         "1e999",
                                         "007",
                                         "255",
                                         "65536",
                                         "2147483648",
                                         "4294967296",
                                         "1073741824",
                                         "4611686018427387904",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "null",
                                         "true",
                                         "\"4\"",
                                         "[]",
                                         "[4]",
                                         "{}",
                                         ""};
  replace_one(rng, header, numbers(header), pick(rng, kNumbers));
}

void copy_number(Rng& rng, std::string& header) {
  const auto all = numbers(header);
  if (all.empty()) return;
  const Range from = pick(rng, all);
  replace_one(rng, header, all, header.substr(from.begin, from.size));
}

void change_text(Rng& rng, std::string& header) {
  static const char* const kTexts[] = {
      "F32",     "F16",     "BF16",  "F64",          "I64",          "BOOL", "f32",
      "",        "dtype",   "shape", "data_offsets", "__metadata__", "a",    "b",
      "\\u0000", "\\ud800", "\\x",   "\xff",         "\n",           ":",    ",",
      ":{",      "},"};
  replace_one(rng, header, texts(header), pick(rng, kTexts));
}

void change_type(Rng& rng, std::string& header) {
  static const char* const kTypes[] = {"F16", "BF16", "F64", "U8"};
  if (const auto at = header.find("F32", rng.below(std::uint32_t(header.size() + 1)));
      at != header.npos)
    header.replace(at, 3, pick(rng, kTypes));
}

// [2,3] to [3,2], [2,3,1] or [1,2,3]: mostly still sound.
void change_shape(Rng& rng, std::string& header) {
  auto at = header.find("\"shape\":[", rng.below(std::uint32_t(header.size() + 1)));
  if (at == header.npos) return;
  at += 9;
  const auto close = header.find(']', at);
  if (close == header.npos) return;
  const std::string inside = header.substr(at, close - at);
  const auto comma = inside.find(',');
  if (comma != inside.npos && rng.below(2) == 0)
    header.replace(at, close - at, inside.substr(comma + 1) + "," + inside.substr(0, comma));
  else if (!inside.empty())
    header.insert(rng.below(2) ? at : close, rng.below(2) ? "1," : ",1");
}

// Both ends of a tensor moved alike: its size stays right, its place does not.
void move_offsets(Rng& rng, std::string& header) {
  static const std::string kKey = "\"data_offsets\":[";
  const auto key = header.find(kKey, rng.below(std::uint32_t(header.size() + 1)));
  if (key == header.npos) return;
  const auto at = key + kKey.size();
  unsigned long long begin = 0, end = 0;
  if (std::sscanf(header.c_str() + at, "%llu,%llu", &begin, &end) != 2) return;
  const unsigned long long by = 4 * (1 + rng.below(3)),
                           shift = rng.below(2) || begin < by ? by : -by;
  const auto close = std::min(header.find(']', at), header.size());
  header.replace(at, close - at, std::to_string(begin + shift) + "," + std::to_string(end + shift));
}

void change_punctuation(Rng& rng, std::string& header) {
  static const char* const kSigns[] = {"{", "}", "[", "]", ",", ":", "\"", " ", "  ", "\t", "\\"};
  if (header.empty()) return;
  const std::size_t at = rng.below(std::uint32_t(header.size()));
  header.replace(at, rng.below(2), pick(rng, kSigns));
}

// A piece of the header once more, or not at all.
void splice(Rng& rng, std::string& header) {
  const auto all = texts(header);
  if (all.empty()) return;
  const Range a = pick(rng, all), b = pick(rng, all);
  const std::size_t begin = std::min(a.begin, b.begin), end = std::max(a.begin, b.begin);
  if (rng.below(2) == 0)
    header.erase(begin, end - begin);
  else
    header.insert(begin, header.substr(begin, end - begin));
}

void nest(Rng& rng, std::string& header) {
  const std::size_t at = rng.below(std::uint32_t(header.size() + 1));
  header.insert(at, std::string(1 + rng.below(300), "[{"[rng.below(2)]));
}

void flip_byte(Rng& rng, std::string& bytes) {
  if (!bytes.empty()) bytes[rng.below(std::uint32_t(bytes.size()))] ^= char(1 << rng.below(8));
}

// An infinity or not-a-number among the values.
void poison(Rng& rng, std::string& data) {
  if (data.size() < 4) return;
  const std::size_t at = 4 * rng.below(std::uint32_t(data.size() / 4));
  data[at + 2] = char(0x80 | rng.below(2) << 6);
  data[at + 3] = char(rng.below(2) ? 0x7f : 0xff);
}

void resize(Rng& rng, std::string& bytes) {
  const std::uint32_t change = 1 + rng.below(rng.below(2) ? 9 : 200);
  if (rng.below(2) == 0)
    bytes.resize(bytes.size() - std::min<std::size_t>(change, bytes.size()));
  else
    bytes.append(change, char(rng.below(2) ? 0 : ' '));
}

void damage(Rng& rng, Specimen& specimen) {
  using Change = void (*)(Rng&, std::string&);
  static const Change kChanges[] = {change_number,      change_number, copy_number,
                                    move_offsets,       change_text,   change_type,
                                    change_shape,       change_shape,  change_punctuation,
                                    change_punctuation, splice,        flip_byte};
  switch (rng.below(16)) {
    case 0:
      return nest(rng, specimen.header);
    case 1:
      return resize(rng, specimen.data);
    case 2:
      return flip_byte(rng, specimen.data);
    case 3:
      return rng.below(4) ? flip_byte(rng, specimen.data) : poison(rng, specimen.data);
    default:
      return pick(rng, kChanges)(rng, specimen.header);
  }
}

// The length is mostly true, so that the damage is looked at and not only the length.
std::string assemble(Rng& rng, const Specimen& specimen) {
  std::string bytes = with_length(specimen.header, specimen.data);
  switch (rng.below(24)) {
    case 0:
      bytes[rng.below(8)] ^= char(1 << rng.below(8));
      break;
    case 1:
      bytes[0] = char(bytes[0] + int(rng.below(17)) - 8);
      break;
    case 2:
      resize(rng, bytes);
      break;
    case 3:
      flip_byte(rng, bytes);
      break;
  }
  return bytes;
}

Specimen any_specimen(Rng& rng) {
  const std::string bytes = encode_safetensors(any_tensor_file(rng, 3));
  const std::size_t size = std::uint8_t(bytes[0]) + 256 * std::uint8_t(bytes[1]);
  return {bytes.substr(8, size), bytes.substr(8 + size)};
}

bool sound(const TensorFile& file) {
  for (const auto& [name, tensor] : file.tensors) {
    const auto count = std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1},
                                       std::multiplies<>());
    if (name.empty() || std::size_t(count) != tensor.values.size()) return false;
    if (!std::ranges::all_of(tensor.values, [](float x) { return std::isfinite(x); })) return false;
  }
  return decode_safetensors(encode_safetensors(file), "again") == file;
}

// A message without what differs from file to file: names in quotes, numbers, and dots.
std::string kind(const std::string& message) {
  std::string kind;
  bool within = false, escaped = false;
  for (char c : message) {
    const bool quote = c == '"' && !escaped;
    escaped = c == '\\' && !escaped;
    if (quote) within = !within;
    if (!within && c != '.' && (c < '0' || c > '9')) kind += c;
  }
  return kind;
}

}  // namespace

TEST_CASE("200,000 damaged files are read soundly or refused with a sentence, and none crashes") {
  constexpr std::uint64_t kSeed = 1;
  constexpr int kFiles = 200000;
  MESSAGE("seed " << kSeed);
  Rng rng(kSeed);
  int accepted = 0, refused = 0;
  std::map<std::string, int> kinds;
  std::vector<Specimen> specimens;
  while (specimens.size() < 1000) specimens.push_back(any_specimen(rng));
  largest_allocation = 0;
  for (int i = 0; i < kFiles; ++i) {
    Specimen specimen = pick(rng, specimens);
    for (std::uint32_t n = 1 + rng.below(3); n-- > 0;) damage(rng, specimen);
    const std::string bytes = assemble(rng, specimen);
    CAPTURE(i);
    try {
      const TensorFile file = decode_safetensors(bytes, "net");
      REQUIRE(sound(file));
      ++accepted;
    } catch (const Error& e) {
      const std::string why = e.what();
      REQUIRE(why.starts_with("net: not a sound safetensors file: "));
      REQUIRE(why.ends_with('.'));
      REQUIRE(why.find('\n') == why.npos);
      ++kinds[kind(why)];
      ++refused;
    }
  }
  MESSAGE(accepted << " read, " << refused << " refused for " << kinds.size()
                   << " kinds of reasons, at most " << largest_allocation.load()
                   << " bytes at once");
  CHECK(accepted > kFiles / 10);
  CHECK(refused > kFiles / 10);
  CHECK(kinds.size() >= 25);
  CHECK(largest_allocation < 10000);
}
