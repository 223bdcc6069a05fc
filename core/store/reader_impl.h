#pragma once
#include "core/store/reader.h"
#include "core/store/sqlite.h"

namespace tabula {

struct Reader::Impl {
  explicit Impl(const std::filesystem::path& file);
  Database database;
};

}  // namespace tabula
