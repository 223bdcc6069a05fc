// A network's file: safetensors, with everything but the weights in its metadata.
#include <charconv>
#include <cstdio>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/nn/net.h"

namespace tabula {
namespace {

constexpr const char* kFormat = "tabula network 1";
constexpr const char* kNote = "note.";

std::string hex(std::uint64_t word) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(word));
  return text;
}

// Reads the metadata of one file; every failure names the file.
class Header {
 public:
  Header(const std::map<std::string, std::string>& metadata, std::string_view source)
      : metadata_(metadata), source_(source) {}

  const std::string& text(const char* key) const {
    const auto found = metadata_.find(key);
    if (found == metadata_.end()) fail("does not say its '" + std::string(key) + "'");
    return found->second;
  }
  int number(const char* key) const { return int(parsed(key, 10, 1 << 24)); }
  std::uint64_t word(const char* key) const { return parsed(key, 16, ~std::uint64_t(0)); }

  [[noreturn]] void fail(const std::string& why) const {
    throw Error("'" + source_ + "' is not a network of Tabula: it " + why + ".");
  }

 private:
  std::uint64_t parsed(const char* key, int base, std::uint64_t most) const {
    const std::string& value = text(key);
    const char* end = value.data() + value.size();
    std::uint64_t number = 0;
    const auto read = std::from_chars(value.data(), end, number, base);
    if (read.ec != std::errc() || read.ptr != end || number > most)
      fail("has no number for its '" + std::string(key) + "'");
    return number;
  }

  const std::map<std::string, std::string>& metadata_;
  std::string source_;
};

void check_weights(const Net& net, const Header& header) {
  const std::vector<Parameter> wanted = parameters_of(net.shape, net.config);
  for (const Parameter& parameter : wanted) {
    const auto found = net.weights.find(parameter.name);
    if (found == net.weights.end()) header.fail("lacks the tensor '" + parameter.name + "'");
    if (found->second.shape != parameter.shape)
      header.fail("holds the tensor '" + parameter.name + "' in another shape than it should");
  }
  if (net.weights.size() != wanted.size()) header.fail("holds tensors that no such network has");
}

// Bounds what a header can make us compute before its weights are compared.
void check_shape(const NetShape& shape, const Header& header) {
  const bool fits = shape.planes > 0 && shape.planes <= 4096 && shape.rows > 0 &&
                    shape.rows <= 256 && shape.cols > 0 && shape.cols <= 256 && shape.actions > 0 &&
                    shape.action_planes <= 4096 && shape.extras() >= 0;
  if (!fits) header.fail("describes a board that cannot be");
}

}  // namespace

TensorFile to_tensor_file(const Net& net) {
  TensorFile file{{{"format", kFormat},
                   {"game", net.game},
                   {"rules", hex(net.fingerprints.rules)},
                   {"encoding", hex(net.fingerprints.encoding)},
                   {"planes", std::to_string(net.shape.planes)},
                   {"rows", std::to_string(net.shape.rows)},
                   {"cols", std::to_string(net.shape.cols)},
                   {"actions", std::to_string(net.shape.actions)},
                   {"action_planes", std::to_string(net.shape.action_planes)},
                   {"blocks", std::to_string(net.config.blocks)},
                   {"channels", std::to_string(net.config.channels)},
                   {"pooling", std::to_string(int(net.config.pooling))},
                   {"head_channels", std::to_string(net.config.head_channels)},
                   {"hidden", std::to_string(net.config.hidden)}},
                  net.weights};
  for (const auto& [key, value] : net.notes) file.metadata[kNote + key] = value;
  return file;
}

Net net_of(TensorFile file, std::string_view source) {
  const Header header(file.metadata, source);
  if (header.text("format") != kFormat)
    header.fail("has the format '" + printable(header.text("format"), 40) + "'");
  Net net;
  net.game = header.text("game");
  net.fingerprints = {header.word("rules"), header.word("encoding")};
  net.shape = {header.number("planes"), header.number("rows"), header.number("cols"),
               header.number("actions"), header.number("action_planes")};
  check_shape(net.shape, header);
  if (header.number("pooling") > int(Pooling::global))
    header.fail("has an unknown kind of pooling");
  net.config = {header.number("blocks"), header.number("channels"),
                Pooling(header.number("pooling")), header.number("head_channels"),
                header.number("hidden")};
  try {
    net.config = net.config.checked();
  } catch (const Error& error) {
    throw Error("'" + std::string(source) + "' is not a network of Tabula: " + error.what());
  }
  for (const auto& [key, value] : file.metadata)
    if (key.starts_with(kNote)) net.notes[key.substr(5)] = value;
  net.weights = std::move(file.tensors);
  check_weights(net, header);
  return net;
}

Net load_net(const std::filesystem::path& file) {
  return net_of(read_tensor_file(file), file.string());
}

void save_net(const Net& net, const std::filesystem::path& file) {
  write_tensor_file(file, to_tensor_file(net));
}

void check_made_for(const Net& net, const Rules& rules) {
  if (net.game != rules.name())
    throw Error("this network plays '" + printable(net.game, 40) + "', not '" + rules.name() +
                "'.");
  const Fingerprints now = rules.fingerprints();
  if (net.fingerprints.rules != now.rules)
    throw Error("the rules of '" + rules.name() +
                "' have changed since this network was trained; train a new one, or use the plugin "
                "it was trained with.");
  if (net.fingerprints.encoding != now.encoding || !(net.shape == NetShape::of(rules)))
    throw Error("the planes of '" + rules.name() +
                "' have changed since this network was trained; train a new one from the stored "
                "games, or use the plugin it was trained with.");
}

}  // namespace tabula
