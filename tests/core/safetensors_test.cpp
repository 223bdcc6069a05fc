#include "core/data/safetensors.h"

#include <doctest/doctest.h>

#include <fstream>
#include <limits>

#include "core/base/error.h"
#include "tests/allocations.h"
#include "tests/random_tensors.h"
#include "tests/scratch.h"

using namespace tabula;

namespace {

// One tensor of four bytes of data, with these values of its fields.
std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"w":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets +
         "}}";
}

// Two tensors of one value each.
std::string two(const std::string& first, const std::string& second) {
  return R"({"a":{"dtype":"F32","shape":[1],"data_offsets":)" + first +
         R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + second + "}}";
}

std::string refusal_of(const std::string& bytes) {
  try {
    decode_safetensors(bytes, "net");
  } catch (const Error& e) {
    return e.what();
  }
  return "(it is read)";
}

std::string refusal(const std::string& header, std::size_t data_bytes = 4) {
  return refusal_of(with_length(header, std::string(data_bytes, '\0')));
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string unwritable(const TensorFile& file) {
  try {
    encode_safetensors(file);
  } catch (const Error& e) {
    return e.what();
  }
  return "(it is written)";
}

}  // namespace

TEST_CASE("what is written is read back, and equal contents give equal bytes") {
  Rng rng(7);
  for (int i = 0; i < 2000; ++i) {
    const TensorFile file = any_tensor_file(rng, 6);
    const std::string bytes = encode_safetensors(file);
    const TensorFile read = decode_safetensors(bytes, "net");
    REQUIRE(read == file);
    REQUIRE(encode_safetensors(read) == bytes);
    REQUIRE(bytes[0] % 8 == 0);  // the length's lowest byte: the data is aligned
  }
}

// The bytes are put down by hand from the format's description, not by our writer.
TEST_CASE("a small file has exactly the bytes that the format prescribes") {
  const std::string header = R"({"__metadata__":{"game":"connect4","step":"12"},)"
                             R"("bias":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
                             R"("w":{"dtype":"F32","shape":[2,1],"data_offsets":[4,12]}} )";
  REQUIRE(header.size() == 0xa0);
  const std::string bytes = std::string("\xa0\0\0\0\0\0\0\0", 8) + header +
                            std::string("\x00\x00\x80\x3f", 4) +  // 1
                            std::string("\x00\x00\x20\xc0", 4) +  // -2.5
                            std::string("\x01\x00\x00\x00", 4);   // 2^-149
  const TensorFile file{{{"step", "12"}, {"game", "connect4"}},
                        {{"w", {{2, 1}, {-2.5f, 0x1p-149f}}}, {"bias", {{}, {1}}}}};
  CHECK(encode_safetensors(file) == bytes);
  CHECK(decode_safetensors(bytes, "net") == file);
}

TEST_CASE("other writers' habits are read: order, spaces, unpadded headers, empty tensors") {
  const std::string header =
      "{ \"z\" : {\"shape\":[1], \"data_offsets\":[0,4],\"dtype\":\"F32\"},\n"
      "\"none\":{\"dtype\":\"F32\",\"shape\":[3,0],\"data_offsets\":[4,4]},"
      "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}\t ";
  const TensorFile file =
      decode_safetensors(with_length(header, std::string("\0\0\x80\x3f\0\0\0\x40", 8)), "net");
  CHECK(file == TensorFile{{}, {{"z", {{1}, {1}}}, {"a", {{1}, {2}}}, {"none", {{3, 0}, {}}}}});
  CHECK(decode_safetensors(with_length("{}", ""), "net") == TensorFile{});
}

TEST_CASE("half-sized floats are read as the floats that they stand for") {
  const auto read = [](const char* dtype, std::uint16_t bits) {
    const std::string data{char(bits & 255), char(bits >> 8)};
    const std::string header = one('"' + std::string(dtype) + '"', "[1]", "[0,2]");
    return decode_safetensors(with_length(header, data), "net").tensors.at("w").values.at(0);
  };
  CHECK(read("F16", 0x3c00) == 1);
  CHECK(read("F16", 0xc100) == -2.5f);
  CHECK(read("F16", 0x7bff) == 65504);
  CHECK(read("F16", 0x0400) == 0x1p-14f);
  CHECK(read("F16", 0x0001) == 0x1p-24f);
  CHECK(std::signbit(read("F16", 0x8000)));
  CHECK(read("BF16", 0x3f80) == 1);
  CHECK(read("BF16", 0xc020) == -2.5f);
  CHECK_THROWS_AS(read("F16", 0x7c00), Error);
  CHECK_THROWS_AS(read("F16", 0xfe00), Error);
  CHECK_THROWS_AS(read("BF16", 0x7f80), Error);
}

TEST_CASE("a damaged or foreign header is refused with a sentence that says what is wrong") {
  const std::string f32 = "\"F32\"", w = "tensor \"w\" ";
  const std::string deep = "{\"w\":" + std::string(300000, '[') + std::string(300000, ']') + "}";
  const std::string list = " that is not a list of integers from 0 to 2^63-1";
  const std::pair<std::string, std::string> refusals[] = {
      {"", "its header is not a JSON object"},
      {"[]", "its header is not a JSON object"},
      {" {}", "its header is not a JSON object"},
      {"{", "its header is not JSON (byte 2 of it)"},
      {"{} {}", "its header is not JSON (byte 4 of it)"},
      {"{\"\xff\":1}", "its header is not JSON (byte 3 of it)"},
      {std::string("{}\0 ", 4), "its header is not JSON (it holds a zero byte)"},
      {"{\"w\":1e999}", "its header holds a number that is out of range"},
      {deep, "its header nests deeper than the format does"},
      {"{\"w\":{\"a\":{}}}", "its header nests deeper than the format does"},
      {R"({"w":1,"w":2})", "its header has the key \"w\" twice"},
      {R"({"w":{"shape":[],"shape":[]}})", "its header has the key \"shape\" twice"},
      {R"({"__metadata__":{},"__metadata__":{}})", "its header has the key \"__metadata__\" twice"},
      {R"({"__metadata__":1})", "its __metadata__ is not a JSON object of texts"},
      {R"({"__metadata__":["a"]})", "its __metadata__ is not a JSON object of texts"},
      {R"({"__metadata__":{"a":1}})", "its __metadata__ is not a JSON object of texts"},
      {R"({"w":[]})", w + "is not described by a JSON object"},
      {R"({"a\nb":3})", "tensor \"a\\nb\" is not described by a JSON object"},
      {R"({"w":{}})", w + "has no dtype"},
      {R"({"w":{"dtype":"F32","data_offsets":[0,4]}})", w + "has no shape"},
      {R"({"w":{"dtype":"F32","shape":[1]}})", w + "has no data_offsets"},
      {R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":0}})",
       w + "has a field besides dtype, shape and data_offsets"},
      {R"({"":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "a tensor has an empty name"},
      {"{\"" + std::string(257, 'n') + "\":1}",
       "the tensor name \"" + std::string(40, 'n') + "\"... has 257 bytes, more than 256"},
      {one("7", "[1]", "[0,4]"), w + "has a dtype that is not a text"},
      {one("\"I64\"", "[1]", "[0,4]"),
       w + "has the dtype \"I64\", and only F32, F16 and BF16 are read"},
      {one(f32, "1", "[0,4]"), w + "has a shape" + list},
      {one(f32, "[-1]", "[0,4]"), w + "has a shape" + list},
      {one(f32, "[1.0]", "[0,4]"), w + "has a shape" + list},
      {one(f32, "[\"1\"]", "[0,4]"), w + "has a shape" + list},
      {one(f32, "[true]", "[0,4]"), w + "has a shape" + list},
      {one(f32, "[9223372036854775808]", "[0,4]"), w + "has a shape" + list},
      {one(f32, "[99999999999999999999]", "[0,4]"), w + "has a shape" + list},
      {one(f32, "[1,1,1,1,1,1,1,1,1]", "[0,4]"), w + "has 9 dimensions, more than 8"},
      {one(f32, "[4294967296,4294967297]", "[0,4]"), w + "has a shape larger than any file may be"},
      {one(f32, "[4611686018427387905]", "[0,4]"), w + "has a shape larger than any file may be"},
      {one(f32, "[4294967296,4294967296,0]", "[0,0]"),
       w + "has a shape larger than any file may be"},
      {one(f32, "[0,4294967296,4294967296]", "[0,0]"),
       w + "has a shape larger than any file may be"},
      {one(f32, "[1]", "{}"), "its header nests deeper than the format does"},
      {one(f32, "[1]", "[0]"), w + "has 1 data_offsets instead of a begin and an end"},
      {one(f32, "[1]", "[0,4,4]"), w + "has 3 data_offsets instead of a begin and an end"},
      {one(f32, "[1]", "[-4,0]"), w + "has a data_offsets" + list},
      {one(f32, "[1]", "[4,0]"), w + "ends before it begins"},
      {one(f32, "[1]", "[0,3]"), w + "has 3 bytes where its shape needs 4"},
      {one(f32, "[2]", "[0,4]"), w + "has 4 bytes where its shape needs 8"},
      {one(f32, "[1]", "[4,8]"), "there is a gap before tensor \"w\""},
      {two("[0,4]", "[0,4]"), "tensor \"b\" overlaps another"},
      {two("[2,6]", "[0,4]"), "tensor \"a\" overlaps another"},
      {two("[0,4]", "[5,9]"), "there is a gap before tensor \"b\""},
      {two("[0,4]", "[4,8]"), "it has 4 bytes of data where its tensors need 8; it is cut short"},
      {"{}", "it has 4 bytes of data where its tensors need 0; something follows them"},
  };
  for (const auto& [header, why] : refusals)
    CHECK(refusal(header) == "net: not a sound safetensors file: " + why + ".");
}

TEST_CASE("a file that is cut off, or lies about its length, is refused") {
  const std::string start = "net: not a sound safetensors file: ";
  CHECK(refusal_of("") == start + "it has 0 bytes, too few for a header.");
  CHECK(refusal_of("\x02") == start + "it has 1 bytes, too few for a header.");
  CHECK(refusal_of(std::string("\x03\0\0\0\0\0\0\0{}", 10)) ==
        start + "its header would have 3 bytes, but only 2 follow.");
  CHECK(refusal_of(std::string("\x01\0\x10\0\0\0\0\0{}", 10)) ==
        start + "its header would have 1048577 bytes, more than 1048576.");
  CHECK(refusal_of(std::string(8, '\xff')) ==
        start + "its header would have 18446744073709551615 bytes, more than 1048576.");
}

TEST_CASE("values that are not finite are refused, when read and when written") {
  const std::string header = one("\"F32\"", "[1]", "[0,4]");
  const std::string why = "tensor \"w\" holds a value that is not a finite number.";
  for (const char* bits : {"\x00\x00\x80\x7f", "\x00\x00\x80\xff", "\x01\x00\xc0\x7f"})
    CHECK(refusal_of(with_length(header, std::string(bits, 4))) ==
          "net: not a sound safetensors file: " + why);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(unwritable({{}, {{"w", {{1}, {nan}}}}}) == "cannot be written as safetensors: " + why);
}

TEST_CASE("what could not be read back is not written") {
  const std::string start = "cannot be written as safetensors: ";
  TensorFile many;
  for (std::size_t i = 0; i < kMaxTensors; ++i) many.tensors[std::to_string(i)] = {{0}, {}};
  many.metadata["full"] = "yes";
  CHECK(decode_safetensors(encode_safetensors(many), "net") == many);
  many.tensors["one more"] = {{0}, {}};
  CHECK(unwritable(many) == start + "4097 tensors are more than the 4096 that are read.");

  const std::string overhead = R"({"__metadata__":{"k":""}})";
  TensorFile large{{{"k", std::string(kMaxTensorHeader - overhead.size(), 'x')}}, {}};
  CHECK(decode_safetensors(encode_safetensors(large), "net") == large);
  large.metadata["k"] += 'x';
  CHECK(unwritable(large) == start +
                                 "its names and metadata need a header of 1048584 bytes, more "
                                 "than the 1048576 that are read.");

  const Tensor scalar{{}, {1}};
  CHECK(unwritable({{}, {{"", scalar}}}) == start + "a tensor has an empty name.");
  CHECK(unwritable({{}, {{std::string(257, 'n'), scalar}}}) ==
        start + "the tensor name \"" + std::string(40, 'n') +
            "\"... has 257 bytes, more than 256.");
  CHECK(unwritable({{}, {{"__metadata__", scalar}}}) ==
        start + "a tensor cannot be named __metadata__.");
  CHECK(unwritable({{}, {{"w", {{2}, {1}}}}}) ==
        start + "tensor \"w\" has 1 values where its shape needs 2.");
  CHECK(unwritable({{}, {{"w", {{-1}, {}}}}}) == start + "tensor \"w\" has a negative dimension.");
  CHECK(unwritable({{}, {{"w", {{1, 1, 1, 1, 1, 1, 1, 1, 1}, {1}}}}}) ==
        start + "tensor \"w\" has 9 dimensions, more than 8.");
  CHECK(unwritable({{{"a", "\xff"}}, {}}) == start + "the text \"\\ufffd\" is not UTF-8.");
}

// Headers as long as they may be, of the kinds that make a parser slow or hungry.
TEST_CASE("a hostile header costs neither time nor memory") {
  const std::string empty = R"("dtype":"F32","shape":[0],"data_offsets":[0,0]})";
  std::string names = "{";
  for (std::size_t i = 0; i <= kMaxTensors; ++i)
    names += (i ? ",\"" : "\"") + std::to_string(i) + "\":{" + empty;
  std::string metadata = "{\"__metadata__\":{\"\":\"\"";
  for (int i = 0; i < 80000; ++i) metadata += ",\"" + std::to_string(i) + "\":\"\"";
  CHECK(refusal(names + "}") ==
        "net: not a sound safetensors file: it holds more than 4096 tensors.");
  CHECK(refusal(metadata + "}}", 0) == "(it is read)");
  for (const char* part : {"[],", "{},", "0,", "\"\",", "[[],[]],"})
    CHECK(refusal("{\"w\":[" + repeated(part, 1000000 / std::string(part).size()) + "0]}") !=
          "(it is read)");
  largest_allocation = 0;
  for (const char* shape : {"[1000000000]", "[4294967295]", "[65536,65535]", "[536870912]"}) {
    CHECK(refusal(one("\"F32\"", shape, "[0,4]")) != "(it is read)");
    CHECK(refusal(one("\"F32\"", shape, "[0,4000000000]")) != "(it is read)");
    CHECK(refusal(one("\"F32\"", shape, "[0,17179869180]")) != "(it is read)");
    CHECK(refusal(one("\"F32\"", shape, "[0,2147483648]")) != "(it is read)");
  }
  CHECK(largest_allocation < 10000);
}

TEST_CASE("tensor files go to the disk and back, and complaints name the file") {
  const Scratch folder;
  Rng rng(9);
  const TensorFile file = any_tensor_file(rng, 5);
  const std::string path = folder / "net.safetensors";
  write_tensor_file(path, file);
  CHECK(read_tensor_file(path) == file);
  CHECK_THROWS_WITH_AS(
      write_tensor_file(path, {{}, {{"", {{}, {1}}}}}),
      (path + ": cannot be written as safetensors: a tensor has an empty name.").c_str(), Error);
  CHECK(read_tensor_file(path) == file);
  std::ofstream(path) << "{}";
  CHECK_THROWS_WITH_AS(
      read_tensor_file(path),
      (path + ": not a sound safetensors file: it has 2 bytes, too few for a header.").c_str(),
      Error);
  CHECK_THROWS_WITH_AS(read_tensor_file(folder / "none"),
                       ((folder / "none") + ": there is no such file.").c_str(), Error);
}
