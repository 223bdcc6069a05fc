#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/report/appended_file.h"

namespace tabula {

// A table of numbers by step that grows a row at a time (`progress.csv`), for any program that
// reads CSV. Not thread-safe; one process writes.
class StepTable {
 public:
  // Makes the file, or goes on with the one that is there. What kill -9 or a power cut left of a
  // last row is cut off. A table with other columns, of an older Tabula say, is kept as PATH.1 (.2
  // and so on) and a new one is begun. requires: names without commas, quotes and line ends
  StepTable(const std::filesystem::path& path, const std::vector<std::string>& columns);

  // One value a column; one that is not finite becomes an empty cell.
  void add(std::int64_t step, std::span<const double> values);

  // Takes away the rows after a step, as one act: whoever goes on from a checkpoint repeats them.
  void forget_after(std::int64_t step);
  // The last row's value in the first column after the step; 0 if there is none.
  double last_of_first_column() const;

 private:
  void open();
  std::filesystem::path path_;
  std::string header_;  // with its line end
  std::size_t columns_;
  std::optional<AppendedFile> file_;  // always there once open
};

}  // namespace tabula
