#include "core/data/pack.h"

#define MSGPACK_NO_BOOST
#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <msgpack.hpp>

#include "core/base/error.h"

namespace tabula {
namespace {

constexpr std::uint32_t kMostItems = 1 << 16;  // of one list: 24 bytes each, before they are read
constexpr std::size_t kDeepest = 5;

struct Text {
  std::string bytes;
  void write(const char* from, std::size_t size) { bytes.append(from, size); }
};

[[noreturn]] void refuse(const std::string& why) { throw Error(why); }

bool is_shown(char c) { return (c >= ' ' && c <= '~') || c == '\n'; }

}  // namespace

struct PackWriter::Impl {
  Text out;
  msgpack::packer<Text> packer{out};
};

PackWriter::PackWriter(std::size_t about_bytes) : impl_(std::make_unique<Impl>()) {
  impl_->out.bytes.reserve(about_bytes);
}
PackWriter::~PackWriter() = default;

void PackWriter::begin(std::size_t count) {
  assert(count <= kMostItems);
  impl_->packer.pack_array(std::uint32_t(count));
}
void PackWriter::whole(std::uint64_t number) { impl_->packer.pack_uint64(number); }
// By hand: msgpack-cxx writes a real that is whole as an integer, which readers refuse.
void PackWriter::real(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  impl_->out.bytes.push_back(char(0xcb));
  for (int shift = 56; shift >= 0; shift -= 8) impl_->out.bytes.push_back(char(bits >> shift));
}
void PackWriter::text(std::string_view text, [[maybe_unused]] std::size_t most) {
  assert(text.size() <= most);
  impl_->packer.pack_str(std::uint32_t(text.size()));
  impl_->packer.pack_str_body(text.data(), std::uint32_t(text.size()));
}
void PackWriter::bytes(std::string_view bytes, [[maybe_unused]] std::size_t most) {
  assert(bytes.size() <= most);
  impl_->packer.pack_bin(std::uint32_t(bytes.size()));
  impl_->packer.pack_bin_body(bytes.data(), std::uint32_t(bytes.size()));
}
std::string PackWriter::take() { return std::move(impl_->out.bytes); }

// Where the reader stands in each list that is open, the outermost first.
struct PackReader::Impl {
  struct Open {
    const msgpack::object* next;
    const msgpack::object* last;
  };
  msgpack::zone zone;
  msgpack::object root;
  std::vector<Open> open;

  const msgpack::object& next(msgpack::type::object_type type, const char* what) {
    Open& list = open.back();
    if (list.next == list.last) refuse("something is missing at the end of a list");
    if (list.next->type != type)
      refuse(std::string("there is something else where ") + what + " belongs");
    return *list.next++;
  }
};

PackReader::PackReader(std::string_view bytes) : impl_(std::make_unique<Impl>()) {
  const auto in_place = [](msgpack::type::object_type, std::size_t, void*) { return true; };
  bool referenced = false;
  std::size_t end = 0;
  try {
    impl_->root = msgpack::unpack(
        impl_->zone, bytes.data(), bytes.size(), end, referenced, in_place, nullptr,
        msgpack::unpack_limit(kMostItems, 0, bytes.size(), bytes.size(), 0, kDeepest));
  } catch (const msgpack::unpack_error&) {
    refuse("it is not msgpack, or cut short, or larger than its limits");
  }
  if (end != bytes.size()) refuse("something follows its end");
  impl_->open.push_back({&impl_->root, &impl_->root + 1});
}
PackReader::~PackReader() = default;

std::size_t PackReader::begin(std::size_t most) {
  const msgpack::object_array& array = impl_->next(msgpack::type::ARRAY, "a list").via.array;
  if (array.size > most) refuse("a list has more than " + std::to_string(most) + " items");
  impl_->open.push_back({array.ptr, array.ptr + array.size});
  return array.size;
}

void PackReader::end() {
  if (impl_->open.back().next != impl_->open.back().last) refuse("a list has too many items");
  impl_->open.pop_back();
}

std::uint64_t PackReader::number_up_to(std::uint64_t most) {
  const std::uint64_t value = impl_->next(msgpack::type::POSITIVE_INTEGER, "a number").via.u64;
  if (value > most) refuse("a number is above " + std::to_string(most));
  return value;
}

double PackReader::real() {
  const double value = impl_->next(msgpack::type::FLOAT64, "a real number").via.f64;
  if (!std::isfinite(value)) refuse("a number is not finite");
  return value;
}

std::string_view PackReader::text(std::size_t most) {
  const msgpack::object_str& str = impl_->next(msgpack::type::STR, "a text").via.str;
  if (str.size > most) refuse("a text is longer than " + std::to_string(most) + " bytes");
  const std::string_view text(str.ptr, str.size);
  if (!std::ranges::all_of(text, is_shown))
    refuse("a text has characters that are not printable ASCII");
  return text;
}

std::string_view PackReader::bytes(std::size_t most) {
  const msgpack::object_bin& bin = impl_->next(msgpack::type::BIN, "bytes").via.bin;
  if (bin.size > most) refuse("something is longer than " + std::to_string(most) + " bytes");
  return {bin.ptr, bin.size};
}

std::string_view PackReader::exactly(std::size_t size) {
  const std::string_view got = bytes(size);
  if (got.size() != size) refuse("something is not " + std::to_string(size) + " bytes long");
  return got;
}

}  // namespace tabula
