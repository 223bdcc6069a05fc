// Networks as files that others read too: the safetensors format.
//
//   file   = length header data
//   length = 8 bytes, little-endian: the size of the header
//   header = JSON, padded with spaces so that the data begins at a multiple of 8:
//            {"__metadata__": {TEXT: TEXT, ...},
//             NAME: {"dtype": "F32", "shape": [2, 3], "data_offsets": [BEGIN, END]}, ...}
//   data   = the tensors' values, little-endian, row-major, without gaps; offsets count from here
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tabula {

struct Tensor {
  std::vector<std::int64_t> shape;  // none: a single value
  std::vector<float> values;        // as many as the shape says, all finite
  bool operator==(const Tensor&) const = default;
};

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Tensor> tensors;
  bool operator==(const TensorFile&) const = default;
};

// Limits of what is written and read, far above any network's needs.
constexpr std::size_t kMaxTensorHeader = std::size_t{1} << 20, kMaxTensors = 4096,
                      kMaxTensorRank = 8, kMaxTensorName = 256;   // bytes, tensors, axes, bytes
constexpr std::uint64_t kMaxTensorData = std::uint64_t{4} << 30;  // bytes

// Equal contents give equal bytes, so a file can be named by its hash. Throws Error for what
// decode_safetensors would refuse: a value that is not finite, a name too long.
std::string encode_safetensors(const TensorFile& file);

// Reads F32, F16 and BF16. Trusts nothing: throws Error, beginning with the source's name, unless
// every byte is accounted for; allocates no more than a small multiple of `bytes`.
TensorFile decode_safetensors(std::string_view bytes, std::string_view source_name);

TensorFile read_tensor_file(const std::filesystem::path& path);
void write_tensor_file(const std::filesystem::path& path, const TensorFile& file);  // atomically

}  // namespace tabula
