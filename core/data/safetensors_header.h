// The JSON part of a safetensors file, checked. Errors do not name the file: the caller does.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/safetensors.h"
#include "core/data/tensor_type.h"

namespace tabula {

struct TensorEntry {
  std::string name;
  const TensorType* type = nullptr;
  std::vector<std::int64_t> shape;
  std::uint64_t count = 0;           // of values, as the shape says
  std::uint64_t begin = 0, end = 0;  // in the data; end - begin == count * type->bytes
};

struct TensorHeader {
  std::map<std::string, std::string> metadata;
  std::vector<TensorEntry> entries;  // as their bytes lie, covering all of the data
};

TensorHeader parse_tensor_header(std::string_view text, std::uint64_t data_bytes);

// Without padding; throws Error for what would not be read back.
std::string tensor_header_text(const TensorFile& file);

// A name or text from a file, fit for a message: in quotes, on one line, not long.
std::string shown(std::string_view text);

}  // namespace tabula
