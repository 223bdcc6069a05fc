// Messages and small records as msgpack: lists, unsigned numbers, reals, texts, bytes; nothing
// else.
//
// Both classes offer the same calls, so that one description of a message's fields writes and reads
// it: see core/wire/messages.h. The limits are the reader's; a writer only asserts them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tabula {

// Adds up about how many bytes a description takes.
struct SizeCounter {
  std::size_t total = 16;
  void number(const auto&) { total += 9; }
  void real(const auto&) { total += 9; }
  void text(const auto& text, std::size_t) { total += 5 + text.size(); }
  void bytes(const auto& bytes, std::size_t) { total += 5 + bytes.size(); }
  void array(const auto& array) { total += 5 + array.size(); }
  void list(const auto& items, std::size_t, auto each) {
    total += 5;
    for (const auto& item : items) each(*this, item);
  }
  void rows(const auto& items, std::size_t, auto fields) {
    total += 5;
    for (const auto& item : items) total += 5, fields(*this, item);
  }
};

// Counts what a description names.
struct FieldCounter {
  std::size_t count = 0;
  void number(const auto&) { ++count; }
  void real(const auto&) { ++count; }
  void text(const auto&, std::size_t) { ++count; }
  void bytes(const auto&, std::size_t) { ++count; }
  void array(const auto&) { ++count; }
  void list(const auto&, std::size_t, auto) { ++count; }
  void rows(const auto&, std::size_t, auto) { ++count; }
};

class PackWriter {
 public:
  explicit PackWriter(std::size_t about_bytes = 0);
  ~PackWriter();

  void begin(std::size_t count);  // of a list, whose items follow
  void end() {}
  template <class Number>
  void number(Number value) {
    whole(std::uint64_t(value));
  }
  void real(double number);
  void text(std::string_view text, std::size_t most);
  void bytes(std::string_view bytes, std::size_t most);
  // Bytes of a fixed length, such as an id.
  template <class Array>
  void array(const Array& array) {
    bytes({reinterpret_cast<const char*>(array.data()), array.size()}, array.size());
  }
  // Items that are one value each.
  void list(const auto& items, std::size_t /*most*/, auto each) {
    begin(items.size());
    for (const auto& item : items) each(*this, item);
  }
  // Items that have fields: each is a list of them.
  void rows(const auto& items, std::size_t /*most*/, auto fields) {
    begin(items.size());
    for (const auto& item : items) {
      FieldCounter counter;
      fields(counter, item);
      begin(counter.count);
      fields(*this, item);
    }
  }

  std::string take();

 private:
  void whole(std::uint64_t number);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Every call throws Error, with a clause such as "a text is longer than 64 bytes", unless that is
// what comes next. Allocates no more than a small multiple of the bytes. Views point into them.
class PackReader {
 public:
  explicit PackReader(std::string_view bytes);  // which outlive the reader
  ~PackReader();

  std::size_t begin(std::size_t most);      // returns the number of items
  void end();                               // requires all items to have been read
  double real();                            // finite
  std::string_view text(std::size_t most);  // printable ASCII and line ends
  std::string_view bytes(std::size_t most);

  template <class Number>
  void number(Number& to) {
    using Whole = typename std::conditional_t<std::is_enum_v<Number>, std::underlying_type<Number>,
                                              std::type_identity<Number>>::type;
    to = Number(number_up_to(std::uint64_t(std::numeric_limits<Whole>::max())));
  }
  void real(double& to) { to = real(); }
  void text(std::string& to, std::size_t most) { to = text(most); }
  void bytes(std::string& to, std::size_t most) { to = bytes(most); }
  template <class Array>
  void array(Array& to) {
    const std::string_view from = exactly(to.size());
    std::copy(from.begin(), from.end(), to.begin());
  }
  void list(auto& items, std::size_t most, auto each) {
    items.resize(begin(most));
    for (auto& item : items) each(*this, item);
    end();
  }
  void rows(auto& items, std::size_t most, auto fields) {
    items.resize(begin(most));
    for (auto& item : items) {
      begin(kMostFields);
      fields(*this, item);
      end();
    }
    end();
  }

 private:
  static constexpr std::size_t kMostFields = 64;
  std::uint64_t number_up_to(std::uint64_t most);
  std::string_view exactly(std::size_t size);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tabula
