#include "core/report/csv.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/log.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;

std::string header_of(const std::vector<std::string>& columns) {
  std::string header = "step";
  for (const std::string& column : columns) {
    assert(column.find_first_of(",\"\r\n") == column.npos);
    header += "," + column;
  }
  return header + "\n";
}

template <class Number>
void append_number(std::string& row, Number number) {
  char room[32];
  row.append(room, std::to_chars(room, std::end(room), number).ptr);
}

// The step of a whole row, or nothing: a row torn in its last number would be read wrongly, so the
// line end must be there.
std::optional<std::int64_t> step_of(std::string_view line, std::size_t columns) {
  const bool whole = line.ends_with('\n') && line.find('\0') == line.npos &&
                     std::size_t(std::ranges::count(line, ',')) == columns;
  std::int64_t step = 0;
  const auto read = std::from_chars(line.data(), line.data() + line.size(), step);
  if (!whole || read.ec != std::errc() || (*read.ptr != ',' && *read.ptr != '\n'))
    return std::nullopt;
  return step;
}

std::string_view last_line(std::string_view text) {
  const std::size_t before = text.substr(0, text.size() - 1).rfind('\n');
  return text.substr(before + 1);  // npos + 1 is 0
}

// How many bytes of a table are left when what is no row is taken off its end.
std::size_t whole_size(std::string_view text, std::size_t header, std::size_t columns) {
  while (text.size() > header && !step_of(last_line(text), columns))
    text.remove_suffix(last_line(text).size());
  return text.size();
}

void move_aside(const fs::path& path) {
  fs::path aside;
  for (int i = 1; aside.empty() || fs::exists(aside); ++i)
    aside = path.string() + "." + std::to_string(i);
  fs::rename(path, aside);
  log("a table has other columns than this Tabula writes; it is kept",
      {{"table", path.string()}, {"as", aside.string()}});
}

}  // namespace

StepTable::StepTable(const fs::path& path, const std::vector<std::string>& columns)
    : path_(path), header_(header_of(columns)), columns_(columns.size()) {
  open();
}

void StepTable::open() {
  std::string text = fs::exists(path_) ? read_file(path_, kMaxBytes) : std::string();
  const bool torn_header = text.size() < header_.size() && header_.starts_with(text);
  if (!torn_header && !text.starts_with(header_)) {
    move_aside(path_);
    text.clear();
  }
  file_.emplace(path_, AppendedFile::Open::any);
  if (text.size() < header_.size()) {
    file_->cut(0);
    file_->append(header_);
  } else if (const std::size_t whole = whole_size(text, header_.size(), columns_);
             whole < text.size()) {
    file_->cut(off_t(whole));
  }
}

void StepTable::add(std::int64_t step, std::span<const double> values) {
  assert(values.size() == columns_);
  std::string row;
  append_number(row, step);
  for (double value : values) {
    row += ',';
    if (std::isfinite(value)) append_number(row, value);
  }
  file_->append(row + '\n');
}

double StepTable::last_of_first_column() const {
  const std::string text = read_file(path_, kMaxBytes);
  if (text.size() <= header_.size()) return 0;
  const std::string line(last_line(text));
  return std::atof(line.c_str() + line.find(',') + 1);
}

void StepTable::forget_after(std::int64_t step) {
  const std::string text = read_file(path_, kMaxBytes);
  std::string kept = header_;
  for (std::size_t at = header_.size(); at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    const std::string_view line = std::string_view(text).substr(at, end - at);
    if (step_of(line, columns_).value_or(step) <= step) kept += line;
    at = end;
  }
  if (kept.size() == text.size()) return;
  write_file_atomically(path_, kept);
  open();  // the name now means another file
}

}  // namespace tabula
