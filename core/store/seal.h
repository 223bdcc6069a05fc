// SQLite has no checksums on its pages, so every row carries one: the last column of each table is
// a digest of the table's name and of all columns before it, each with its type; a long blob goes
// in by its own digest, which other rows use too.
#pragma once
#include <array>
#include <string_view>

#include "core/store/sqlite.h"

namespace tabula {

using Seal = std::array<std::uint8_t, 16>;

Seal shortened(const Digest& digest);
Seal seal_of(std::string_view table, std::span<const Value> values);

// Of a row that was read with all columns in the table's order: is it what was written?
bool sound(const Query& row, std::string_view table);

// INSERT or REPLACE of a whole row: the values, and their seal.
void write_sealed(Database& database, std::string_view table, std::initializer_list<Value> values);
void replace_sealed(Database& database, std::string_view table,
                    std::initializer_list<Value> values);

// Throws Error, which names `tabula db check`.
void require_sound(Database& database, const Query& row, std::string_view table);

template <std::size_t Size>
std::string_view view(const std::array<std::uint8_t, Size>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), Size};
}

}  // namespace tabula
