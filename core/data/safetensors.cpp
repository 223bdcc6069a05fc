#include "core/data/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/data/safetensors_header.h"

namespace tabula {
namespace {

constexpr std::size_t kLength = 8;  // bytes of the header's length, and the alignment of the data
static_assert(std::endian::native == std::endian::little, "lengths and values are copied as bytes");

void check_finite(std::string_view name, const Tensor& tensor) {
  const auto finite = [](float value) { return std::isfinite(value); };
  if (!std::ranges::all_of(tensor.values, finite))
    throw Error("tensor " + shown(name) + " holds a value that is not a finite number");
}

template <class T>
void append_bytes(std::string& to, const T* from, std::size_t count) {
  to.append(reinterpret_cast<const char*>(from), count * sizeof(T));
}

std::string encode(const TensorFile& file) {
  std::string header = tensor_header_text(file);
  header.resize((header.size() + kLength - 1) / kLength * kLength, ' ');
  if (header.size() > kMaxTensorHeader)
    throw Error("its names and metadata need a header of " + std::to_string(header.size()) +
                " bytes, more than the " + std::to_string(kMaxTensorHeader) + " that are read");
  std::uint64_t data_bytes = 0;
  for (const auto& [name, tensor] : file.tensors) {
    check_finite(name, tensor);
    data_bytes += tensor.values.size() * sizeof(float);
  }
  if (data_bytes > kMaxTensorData)
    throw Error("its values need " + std::to_string(data_bytes) + " bytes, more than the " +
                std::to_string(kMaxTensorData) + " that are read");
  const std::uint64_t length = header.size();
  std::string bytes;
  bytes.reserve(kLength + header.size() + data_bytes);
  append_bytes(bytes, &length, 1);
  bytes += header;
  for (const auto& [name, tensor] : file.tensors)
    append_bytes(bytes, tensor.values.data(), tensor.values.size());
  return bytes;
}

TensorFile decode(std::string_view bytes) {
  if (bytes.size() < kLength)
    throw Error("it has " + std::to_string(bytes.size()) + " bytes, too few for a header");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLength);
  bytes.remove_prefix(kLength);
  if (length > kMaxTensorHeader)
    throw Error("its header would have " + std::to_string(length) + " bytes, more than " +
                std::to_string(kMaxTensorHeader));
  if (length > bytes.size())
    throw Error("its header would have " + std::to_string(length) + " bytes, but only " +
                std::to_string(bytes.size()) + " follow");
  const std::string_view data = bytes.substr(length);
  TensorHeader header = parse_tensor_header(bytes.substr(0, length), data.size());
  TensorFile file{std::move(header.metadata), {}};
  for (TensorEntry& entry : header.entries) {
    Tensor tensor{std::move(entry.shape), std::vector<float>(entry.count)};
    entry.type->read(data.data() + entry.begin, tensor.values);
    check_finite(entry.name, tensor);
    file.tensors.emplace(std::move(entry.name), std::move(tensor));
  }
  return file;
}

}  // namespace

std::string encode_safetensors(const TensorFile& file) {
  try {
    return encode(file);
  } catch (const Error& e) {
    throw Error(std::string("cannot be written as safetensors: ") + e.what() + ".");
  }
}

TensorFile decode_safetensors(std::string_view bytes, std::string_view source_name) {
  try {
    return decode(bytes);
  } catch (const Error& e) {
    throw Error(std::string(source_name) + ": not a sound safetensors file: " + e.what() + ".");
  }
}

TensorFile read_tensor_file(const std::filesystem::path& path) {
  return decode_safetensors(read_file(path, kLength + kMaxTensorHeader + kMaxTensorData),
                            path.string());
}

void write_tensor_file(const std::filesystem::path& path, const TensorFile& file) {
  std::string bytes;
  try {
    bytes = encode(file);
  } catch (const Error& e) {
    throw Error(path.string() + ": cannot be written as safetensors: " + e.what() + ".");
  }
  write_file_atomically(path, bytes);
}

}  // namespace tabula
