// Files of models: tensors, then the network that they claim to be. The header's length is made
// right if the first byte says so, without which few changes would be looked at.
#include "core/nn/net.h"
#include "tests/fuzz/target.h"
#include "tests/random_tensors.h"
#include "tests/support.h"

namespace tabula {
namespace {

constexpr char kAsItIs = 'f', kMeasured = 'h';

// The header ends before the first line end; what follows is data.
std::string measured(std::string_view bytes) {
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  return with_length(std::string(bytes.substr(0, end)),
                     std::string(bytes.substr(std::min(end + 1, bytes.size()))));
}

void read_model(std::string_view bytes) {
  const bool measure = !bytes.empty() && bytes[0] == kMeasured;
  bytes.remove_prefix(std::min<std::size_t>(1, bytes.size()));
  const TensorFile file =
      decode_safetensors(measure ? measured(bytes) : std::string(bytes), "model");
  law(decode_safetensors(encode_safetensors(file), "again") == file,
      "what is written is read back");
  if (!file.metadata.contains("format")) return;
  const Net net = net_of(file, "model");
  for (const auto& [key, value] : to_tensor_file(net).metadata)
    law(file.metadata.contains(key), "a network's file says all about it");
}

std::vector<std::string> models(Rng& rng) {
  std::vector<std::string> files;
  for (int i = 0; i < 24; ++i) files.push_back(encode_safetensors(any_tensor_file(rng, 3)));
  const NetConfig smallest{.blocks = 1, .channels = 32, .head_channels = 8, .hidden = 8};
  files.push_back(encode_safetensors(to_tensor_file(new_net(shipped("tictactoe"), smallest, 1))));
  std::vector<std::string> seeds;
  for (const std::string& file : files) {
    const std::size_t header = std::uint8_t(file[0]) + 256 * std::uint8_t(file[1]);
    seeds.push_back(kAsItIs + file);
    seeds.push_back(kMeasured + file.substr(8, header) + "\n" + file.substr(8 + header));
  }
  return seeds;
}

const Registered registered({"model", read_model, models});

}  // namespace
}  // namespace tabula
