#include "tests/faults/simulated_disk.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace tabula {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSector = 512;
constexpr std::size_t kFolderName = ~std::size_t{0};

void put(std::string& content, std::uint64_t at, std::string_view data) {
  if (content.size() < at + data.size()) content.resize(at + data.size(), '\0');
  content.replace(at, data.size(), data);
}

void apply_whole(std::string& content, const DiskOp& op) {
  if (op.kind == DiskOp::truncate)
    content.resize(op.offset, '\0');
  else
    put(content, op.offset, op.data);
}

// Each sector of it, or not.
void apply_torn(std::string& content, const DiskOp& op, Rng& rng) {
  if (op.kind == DiskOp::truncate) {
    if (rng.below(2)) apply_whole(content, op);
    return;
  }
  const std::string_view data = op.data;
  for (std::size_t at = 0; at < data.size();) {
    const std::size_t end = std::min(data.size(), at + kSector - (op.offset + at) % kSector);
    if (rng.below(2)) put(content, op.offset + at, data.substr(at, end - at));
    at = end;
  }
}

std::string surviving(std::string content, const std::vector<DiskOp>& pending, Unsafe fate,
                      Rng& rng) {
  const std::size_t last = pending.empty() ? 0 : rng.below(std::uint32_t(pending.size()));
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const bool whole = fate == Unsafe::kept || (fate == Unsafe::some && rng.below(2)) ||
                       (fate == Unsafe::first && i < last);
    if (whole)
      apply_whole(content, pending[i]);
    else if (fate == Unsafe::torn || (fate == Unsafe::first && i == last))
      apply_torn(content, pending[i], rng);
  }
  return content;
}

std::string parent(const std::string& path) { return fs::path(path).parent_path().string(); }

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

SimulatedDisk::SimulatedDisk(std::string root, std::vector<std::string> folders)
    : root_(std::move(root)) {
  for (const std::string& folder : folders) names_[root_ + "/" + folder] = kFolderName;
}

void SimulatedDisk::adopt() {
  for (const auto& entry : fs::recursive_directory_iterator(root_)) {
    const std::string path = entry.path().string();
    if (entry.is_directory()) names_[path] = kFolderName;
    struct stat status {};
    if (!entry.is_regular_file() || entry.path().filename() == "marks" ||
        stat(path.c_str(), &status) != 0)
      continue;
    by_number_[status.st_ino] = names_[path] = files_.size();
    std::ifstream in(path, std::ios::binary);
    std::stringstream bytes;
    bytes << in.rdbuf();
    files_.push_back({bytes.str(), {}});
  }
}

void SimulatedDisk::change_names(Names& names, const DiskOp& op) {
  if (op.kind == DiskOp::unlink) names.erase(op.path);
  if (op.kind == DiskOp::create) names[op.path] = op.file;
  if (op.kind == DiskOp::folder) names[op.path] = kFolderName;
  if (op.kind != DiskOp::rename) return;
  if (const auto found = names.find(op.path); found != names.end()) {
    names[op.to] = found->second;
    names.erase(op.path);
  }
}

void SimulatedDisk::apply(const DiskOp& op) {
  switch (op.kind) {
    case DiskOp::create: {
      by_number_[op.file] = files_.size();
      DiskOp named = op;
      named.file = files_.size();
      files_.emplace_back();
      pending_names_[parent(op.path)].push_back(std::move(named));
      break;
    }
    case DiskOp::rename:
    case DiskOp::unlink:
    case DiskOp::folder:
      pending_names_[parent(op.path)].push_back(op);
      break;
    case DiskOp::truncate:
    case DiskOp::write:
      files_.at(by_number_.at(op.file)).pending.push_back(op);
      break;
    case DiskOp::sync: {
      File& file = files_.at(by_number_.at(op.file));
      for (const DiskOp& pending : file.pending) apply_whole(file.durable, pending);
      file.pending.clear();
      break;
    }
    case DiskOp::sync_folder: {
      std::vector<DiskOp>& pending = pending_names_[without_slash(op.path)];
      for (const DiskOp& change : pending) change_names(names_, change);
      pending.clear();
      break;
    }
    case DiskOp::fault: {
      // After a failed flush the system takes its copy for clean: it shows what it holds to all who
      // read, and never writes it.
      const auto file = by_number_.find(op.file);
      if (op.path.ends_with("sync") && file != by_number_.end())
        files_[file->second].pending.clear();
      break;
    }
    case DiskOp::mark:
      break;
  }
}

SimulatedDisk::Names SimulatedDisk::surviving_names(Unsafe fate, Rng& rng) const {
  Names names = names_;
  for (const auto& [folder, pending] : pending_names_) {
    const std::size_t first = rng.below(std::uint32_t(pending.size() + 1));
    for (std::size_t i = 0; i < pending.size(); ++i) {
      const bool some = fate == Unsafe::some || fate == Unsafe::torn;
      if (fate == Unsafe::kept || (some && rng.below(2)) || (fate == Unsafe::first && i < first))
        change_names(names, pending[i]);
    }
  }
  return names;
}

void SimulatedDisk::write_image(const fs::path& to, Unsafe data, Unsafe names, Rng& rng) const {
  const Names surviving_ones = surviving_names(names, rng);
  for (const auto& [path, file] : surviving_ones) {
    const std::string folder = parent(path);
    if (folder != root_ && !surviving_ones.contains(folder)) continue;
    const fs::path place = to / path.substr(root_.size() + 1);
    if (file == kFolderName) {
      fs::create_directories(place);
      continue;
    }
    std::ofstream(place, std::ios::binary)
        << surviving(files_[file].durable, files_[file].pending, data, rng);
  }
}

}  // namespace tabula
