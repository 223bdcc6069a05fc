#include "core/store/seal.h"

#include <algorithm>
#include <vector>

#include "core/base/digest.h"
#include "core/store/errors.h"

namespace tabula {
namespace {

constexpr std::size_t kShort = 64;

void add_text(DigestStream& stream, std::uint64_t type, std::string_view bytes) {
  stream.add_number(type).add_number(bytes.size()).add(bytes);
}

void add_blob(DigestStream& stream, const Blob& blob) {
  if (blob.bytes.size() <= kShort) return add_text(stream, 3, blob.bytes);
  add_text(stream, 4, view(blob.digest ? *blob.digest : digest_of(blob.bytes)));
}

void add_value(DigestStream& stream, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value))
    stream.add_number(1).add_number(std::uint64_t(*number));
  else if (const auto* text = std::get_if<std::string_view>(&value))
    add_text(stream, 2, *text);
  else
    add_blob(stream, std::get<Blob>(value));
}

void write_row(Database& database, std::string_view verb, std::string_view table,
               std::initializer_list<Value> values) {
  std::string sql = std::string(verb) + " INTO " + std::string(table) + " VALUES(?";
  for (std::size_t i = 0; i < values.size(); ++i) sql += ",?";
  const Seal seal = seal_of(table, {values.begin(), values.size()});
  Query query(database, sql + ")", values);
  const Value last = Blob{view(seal)};
  query.bind({&last, 1});
  query.run();
}

}  // namespace

Seal shortened(const Digest& digest) {
  Seal seal;
  std::copy_n(digest.begin(), seal.size(), seal.begin());
  return seal;
}

Seal seal_of(std::string_view table, std::span<const Value> values) {
  DigestStream stream;
  add_text(stream, 0, table);
  for (const Value& value : values) add_value(stream, value);
  return shortened(stream.finish());
}

bool sound(const Query& row, std::string_view table) {
  DigestStream stream;
  add_text(stream, 0, table);
  const int last = row.columns() - 1;
  for (int i = 0; i < last; ++i) add_value(stream, row.value(i));
  return row.bytes(last) == view(shortened(stream.finish()));
}

void write_sealed(Database& database, std::string_view table, std::initializer_list<Value> values) {
  write_row(database, "INSERT", table, values);
}

void replace_sealed(Database& database, std::string_view table,
                    std::initializer_list<Value> values) {
  write_row(database, "REPLACE", table, values);
}

void require_sound(Database& database, const Query& row, std::string_view table) {
  if (!sound(row, table))
    throw Damaged(database.file().string() + ": a row of the table " + std::string(table) +
                  " is damaged; 'tabula db check' says more.");
}

}  // namespace tabula
