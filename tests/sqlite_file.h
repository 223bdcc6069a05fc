// A SQLite file as another program would handle it.
#pragma once
#include <sqlite3.h>

#include <stdexcept>
#include <string>

namespace tabula {

inline void run_sql(const std::string& file, const std::string& sql) {
  sqlite3* handle = nullptr;
  sqlite3_open(file.c_str(), &handle);
  const int code = sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr);
  const std::string said = sqlite3_errmsg(handle);
  sqlite3_close(handle);
  if (code != SQLITE_OK) throw std::runtime_error(sql + ": " + said);
}

// The first column of the result, a line for each row.
inline std::string sql_result(const std::string& file, const std::string& sql) {
  sqlite3* handle = nullptr;
  sqlite3_open(file.c_str(), &handle);
  std::string lines;
  const auto add = [](void* into, int, char** values, char**) {
    *static_cast<std::string*>(into) += std::string(values[0] ? values[0] : "") + "\n";
    return 0;
  };
  sqlite3_exec(handle, sql.c_str(), add, &lines, nullptr);
  sqlite3_close(handle);
  return lines;
}

}  // namespace tabula
