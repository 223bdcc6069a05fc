#include "core/data/safetensors_header.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"

namespace tabula {
namespace {

using nlohmann::json;

constexpr const char* kMetadata = "__metadata__";

std::string of_tensor(std::string_view name) { return "tensor " + shown(name) + " "; }

// The format's objects nest twice, its arrays sit in the inner ones. Holding the parser to that
// keeps its work and memory linear in the text, whatever the text is.
json parse_strictly(std::string_view text) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto watch = [&](int depth, json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    if ((event == Event::object_start && depth > 1) || (event == Event::array_start && depth > 2))
      throw Error("its header nests deeper than the format does");
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event != Event::key) return true;
    if (!keys.back().insert(parsed.get<std::string>()).second)
      throw Error("its header has the key " + shown(parsed.get<std::string>()) + " twice");
    if (keys.size() == 1 && keys.back().size() > kMaxTensors + keys.back().count(kMetadata))
      throw Error("it holds more than " + std::to_string(kMaxTensors) + " tensors");
    return true;
  };
  try {
    return json::parse(text, watch);
  } catch (const json::parse_error& e) {
    throw Error("its header is not JSON (byte " + std::to_string(e.byte) + " of it)");
  } catch (const json::exception&) {
    throw Error("its header holds a number that is out of range");
  }
}

void check_name(std::string_view name) {
  if (name.empty()) throw Error("a tensor has an empty name");
  if (name.size() > kMaxTensorName)
    throw Error("the tensor name " + shown(name) + " has " + std::to_string(name.size()) +
                " bytes, more than " + std::to_string(kMaxTensorName));
}

// How many values a tensor of this shape has. The limit counts axes of length 0 as 1, so that it
// does not depend on the order of the axes.
std::uint64_t count_values(std::string_view name, const std::vector<std::int64_t>& shape) {
  if (shape.size() > kMaxTensorRank)
    throw Error(of_tensor(name) + "has " + std::to_string(shape.size()) +
                " dimensions, more than " + std::to_string(kMaxTensorRank));
  std::uint64_t count = 1, size = 1;
  for (std::int64_t length : shape) {
    if (length < 0) throw Error(of_tensor(name) + "has a negative dimension");
    if (std::uint64_t(length) > kMaxTensorData / size)
      throw Error(of_tensor(name) + "has a shape larger than any file may be");
    size *= std::max<std::uint64_t>(1, std::uint64_t(length));
    count *= std::uint64_t(length);
  }
  return count;
}

const json& field(std::string_view name, const json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end()) throw Error(of_tensor(name) + "has no " + key);
  return *found;
}

// A list of integers of which none is negative or above 2^63 - 1.
std::vector<std::int64_t> integers(std::string_view name, const json& entry, const char* key) {
  constexpr std::uint64_t kMost = INT64_MAX;
  const json& list = field(name, entry, key);
  const auto fits = [](const json& x) { return x.is_number_unsigned() && x <= kMost; };
  if (!list.is_array() || !std::ranges::all_of(list, fits))
    throw Error(of_tensor(name) + "has a " + key +
                " that is not a list of integers from 0 to 2^63-1");
  return list.get<std::vector<std::int64_t>>();
}

const TensorType& type_of(std::string_view name, const json& entry) {
  const json& type = field(name, entry, "dtype");
  if (!type.is_string()) throw Error(of_tensor(name) + "has a dtype that is not a text");
  if (const TensorType* known = find_tensor_type(type.get_ref<const std::string&>())) return *known;
  throw Error(of_tensor(name) + "has the dtype " + shown(type.get_ref<const std::string&>()) +
              ", and only F32, F16 and BF16 are read");
}

TensorEntry parse_entry(const std::string& name, const json& entry) {
  check_name(name);
  if (!entry.is_object()) throw Error(of_tensor(name) + "is not described by a JSON object");
  TensorEntry parsed{.name = name, .type = &type_of(name, entry), .shape = {}};
  parsed.shape = integers(name, entry, "shape");
  parsed.count = count_values(name, parsed.shape);
  const std::vector<std::int64_t> offsets = integers(name, entry, "data_offsets");
  if (offsets.size() != 2)
    throw Error(of_tensor(name) + "has " + std::to_string(offsets.size()) +
                " data_offsets instead of a begin and an end");
  if (entry.size() != 3)
    throw Error(of_tensor(name) + "has a field besides dtype, shape and data_offsets");
  parsed.begin = std::uint64_t(offsets[0]);
  parsed.end = std::uint64_t(offsets[1]);
  if (parsed.begin > parsed.end) throw Error(of_tensor(name) + "ends before it begins");
  if (parsed.end - parsed.begin != parsed.count * parsed.type->bytes)
    throw Error(of_tensor(name) + "has " + std::to_string(parsed.end - parsed.begin) +
                " bytes where its shape needs " +
                std::to_string(parsed.count * parsed.type->bytes));
  return parsed;
}

// requires: entries in the order of their bytes
void check_cover(const std::vector<TensorEntry>& entries, std::uint64_t data_bytes) {
  std::uint64_t covered = 0;
  for (const TensorEntry& entry : entries) {
    if (entry.begin < covered) throw Error(of_tensor(entry.name) + "overlaps another");
    if (entry.begin > covered) throw Error("there is a gap before tensor " + shown(entry.name));
    covered = entry.end;
  }
  if (covered == data_bytes) return;
  throw Error("it has " + std::to_string(data_bytes) + " bytes of data where its tensors need " +
              std::to_string(covered) +
              (data_bytes < covered ? "; it is cut short" : "; something follows them"));
}

std::map<std::string, std::string> parse_metadata(const json& metadata) {
  const auto is_text = [](const json& value) { return value.is_string(); };
  if (!metadata.is_object() || !std::ranges::all_of(metadata, is_text))
    throw Error("its __metadata__ is not a JSON object of texts");
  return metadata.get<std::map<std::string, std::string>>();
}

std::string json_text(const std::string& text) {
  try {
    return json(text).dump();
  } catch (const json::exception&) {
    throw Error("the text " + shown(text) + " is not UTF-8");
  }
}

std::string entry_text(const TensorEntry& entry) {
  std::string shape;
  for (std::int64_t length : entry.shape)
    shape += (shape.empty() ? "" : ",") + std::to_string(length);
  return json_text(entry.name) + ":{\"dtype\":\"" + std::string(entry.type->name) +
         "\",\"shape\":[" + shape + "],\"data_offsets\":[" + std::to_string(entry.begin) + "," +
         std::to_string(entry.end) + "]}";
}

std::string metadata_text(const std::map<std::string, std::string>& metadata) {
  std::string text;
  for (const auto& [key, value] : metadata)
    text += (text.empty() ? "" : ",") + json_text(key) + ":" + json_text(value);
  return json_text(kMetadata) + ":{" + text + "}";
}

}  // namespace

TensorHeader parse_tensor_header(std::string_view text, std::uint64_t data_bytes) {
  if (!text.starts_with('{')) throw Error("its header is not a JSON object");
  // The parser takes a zero byte for the end of the text.
  if (text.find('\0') != text.npos) throw Error("its header is not JSON (it holds a zero byte)");
  const json parsed = parse_strictly(text);
  TensorHeader header;
  for (const auto& [name, value] : parsed.items()) {
    if (name == kMetadata)
      header.metadata = parse_metadata(value);
    else
      header.entries.push_back(parse_entry(name, value));
  }
  const auto place = [](const TensorEntry& entry) { return std::pair(entry.begin, entry.end); };
  std::ranges::stable_sort(header.entries, {}, place);
  check_cover(header.entries, data_bytes);
  return header;
}

std::string tensor_header_text(const TensorFile& file) {
  if (file.tensors.size() > kMaxTensors)
    throw Error(std::to_string(file.tensors.size()) + " tensors are more than the " +
                std::to_string(kMaxTensors) + " that are read");
  const TensorType* type = find_tensor_type("F32");
  std::string text = file.metadata.empty() ? "" : metadata_text(file.metadata);
  std::uint64_t begin = 0;
  for (const auto& [name, tensor] : file.tensors) {
    check_name(name);
    if (name == kMetadata) throw Error("a tensor cannot be named __metadata__");
    const std::uint64_t count = count_values(name, tensor.shape);
    if (count != tensor.values.size())
      throw Error(of_tensor(name) + "has " + std::to_string(tensor.values.size()) +
                  " values where its shape needs " + std::to_string(count));
    const std::uint64_t end = begin + count * type->bytes;
    text += (text.empty() ? "" : ",") + entry_text({name, type, tensor.shape, count, begin, end});
    begin = end;
  }
  return "{" + text + "}";
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  const json start = std::string(text.substr(0, kLongest));
  return start.dump(-1, ' ', true, json::error_handler_t::replace) +
         (text.size() > kLongest ? "..." : "");
}

}  // namespace tabula
