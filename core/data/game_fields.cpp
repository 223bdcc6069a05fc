#include "core/data/game_fields.h"

#define MSGPACK_NO_BOOST
#include <msgpack.hpp>

#include "core/base/error.h"

namespace tabula {
namespace {

enum class Kind { number, text, bytes, numbers, texts };

struct FieldKind {
  const char* name;
  Kind kind;
};

constexpr std::array<FieldKind, field::count> kKinds = {{
    {"id", Kind::bytes},         {"name", Kind::text},       {"rules", Kind::number},
    {"models", Kind::texts},     {"settings", Kind::text},   {"worker", Kind::text},
    {"number", Kind::number},    {"seed", Kind::number},     {"ending", Kind::number},
    {"result", Kind::number},    {"resigner", Kind::number}, {"play_on", Kind::number},
    {"flags", Kind::bytes},      {"actions", Kind::numbers}, {"model", Kind::numbers},
    {"descents", Kind::numbers}, {"values", Kind::bytes},    {"sizes", Kind::numbers},
    {"moves", Kind::numbers},    {"weights", Kind::bytes},
}};

// Takes what the parser finds, as it comes; every surprise throws.
class Reader : public msgpack::null_visitor {
 public:
  explicit Reader(std::size_t bytes) : elements_left_(bytes) {}

  bool start_array(std::uint32_t count) {
    if (++depth_ == 1) {
      if (count != field::count)
        throw Error("it has " + std::to_string(count) + " fields instead of " +
                    std::to_string(field::count));
      return true;
    }
    if (depth_ > 2 || (kind() != Kind::numbers && kind() != Kind::texts)) refuse();
    // An element takes a byte at least.
    if (count > elements_left_) throw Error(named() + " is longer than all of it");
    elements_left_ -= count;
    if (kind() == Kind::numbers) fields_.lists[at_].reserve(count);
    return true;
  }
  bool end_array() {
    --depth_;
    return true;
  }
  bool end_array_item() {
    if (depth_ == 1) ++at_;
    return true;
  }
  bool visit_positive_integer(std::uint64_t number) {
    if (expects(Kind::number))
      fields_.numbers[at_] = number;
    else if (!expects(Kind::numbers))
      refuse();
    else if (number > UINT32_MAX)
      throw Error(named() + " has a number above 2^32-1");
    else
      fields_.lists[at_].push_back(std::uint32_t(number));
    return true;
  }
  bool visit_str(const char* text, std::uint32_t size) {
    if (expects(Kind::text))
      fields_.bytes[at_].assign(text, size);
    else if (expects(Kind::texts))
      fields_.models.emplace_back(text, size);
    else
      refuse();
    return true;
  }
  bool visit_bin(const char* bytes, std::uint32_t size) {
    if (!expects(Kind::bytes)) refuse();
    fields_.bytes[at_].assign(bytes, size);
    return true;
  }
  bool visit_nil() { refuse(); }
  bool visit_boolean(bool) { refuse(); }
  bool visit_negative_integer(std::int64_t) { refuse(); }
  bool visit_float32(float) { refuse(); }
  bool visit_float64(double) { refuse(); }
  bool visit_ext(const char*, std::uint32_t) { refuse(); }
  bool start_map(std::uint32_t) { refuse(); }
  void parse_error(std::size_t, std::size_t) { throw Error("it is not msgpack"); }
  void insufficient_bytes(std::size_t, std::size_t) { throw Error("it is cut short"); }

  GameFields& fields() { return fields_; }

 private:
  Kind kind() const { return kKinds[at_].kind; }
  std::string named() const { return std::string("its field ") + kKinds[at_].name; }
  bool expects(Kind wanted) const {
    const bool listed = wanted == Kind::numbers || wanted == Kind::texts;
    return depth_ == (listed ? 2 : 1) && kind() == wanted;
  }
  [[noreturn]] void refuse() const {
    if (depth_ == 0) throw Error("it is not a list of fields");
    throw Error(named() + " holds something of another kind");
  }

  GameFields fields_;
  std::size_t elements_left_, at_ = 0;
  int depth_ = 0;
};

struct Text {
  std::string bytes;
  void write(const char* from, std::size_t size) { bytes.append(from, size); }
};

using Packer = msgpack::packer<Text>;

void pack_text(Packer& packer, const std::string& text) {
  packer.pack_str(std::uint32_t(text.size()))
      .pack_str_body(text.data(), std::uint32_t(text.size()));
}

void pack_field(Packer& packer, const GameFields& fields, std::size_t i) {
  const std::string& bytes = fields.bytes[i];
  switch (kKinds[i].kind) {
    case Kind::number:
      packer.pack_uint64(fields.numbers[i]);
      break;
    case Kind::text:
      pack_text(packer, bytes);
      break;
    case Kind::bytes:
      packer.pack_bin(std::uint32_t(bytes.size()))
          .pack_bin_body(bytes.data(), std::uint32_t(bytes.size()));
      break;
    case Kind::numbers:
      packer.pack_array(std::uint32_t(fields.lists[i].size()));
      for (std::uint32_t number : fields.lists[i]) packer.pack_uint32(number);
      break;
    case Kind::texts:
      packer.pack_array(std::uint32_t(fields.models.size()));
      for (const std::string& text : fields.models) pack_text(packer, text);
      break;
  }
}

}  // namespace

std::string pack_fields(const GameFields& fields) {
  Text out;
  Packer packer(out);
  packer.pack_array(field::count);
  for (std::size_t i = 0; i < field::count; ++i) pack_field(packer, fields, i);
  return std::move(out.bytes);
}

GameFields unpack_fields(std::string_view bytes) {
  Reader reader(bytes.size());
  std::size_t end = 0;
  msgpack::parse(bytes.data(), bytes.size(), end, reader);
  if (end != bytes.size()) throw Error("something follows its last field");
  return std::move(reader.fields());
}

}  // namespace tabula
