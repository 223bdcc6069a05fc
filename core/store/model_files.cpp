#include "core/store/model_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/base/die_at.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/store/durable.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIncoming = ".incoming-";

// An id becomes a file's name, so it is nothing else than a digest.
void check_id(const std::string& id) {
  Digest digest;
  if (!from_hex(id, digest)) throw Error("a model's id is not 64 digits of hexadecimal.");
}

class File {
 public:
  File(const fs::path& path, int flags)
      : path_(path), number_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (number_ < 0 && errno == ENOENT) throw Error(path.string() + ": there is no such file.");
    if (number_ < 0) fail_on(path_, "opening");
  }
  ~File() { close(number_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::string read(std::uint64_t offset, std::size_t size) const {
    std::string bytes(size, '\0');
    std::size_t have = 0;
    while (have < size) {
      const ssize_t got = pread(number_, bytes.data() + have, size - have, off_t(offset + have));
      if (got < 0 && errno != EINTR) fail_on(path_, "reading");
      if (got == 0) break;
      have += std::size_t(std::max<ssize_t>(got, 0));
    }
    bytes.resize(have);
    return bytes;
  }

  void write(std::uint64_t offset, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t put = pwrite(number_, bytes.data(), bytes.size(), off_t(offset));
      if (put < 0 && errno != EINTR) fail_on(path_, "writing");
      bytes.remove_prefix(std::size_t(std::max<ssize_t>(put, 0)));
      offset += std::uint64_t(std::max<ssize_t>(put, 0));
    }
  }

 private:
  fs::path path_;
  int number_;
};

std::string digest_of_file(const fs::path& path) {
  const File file(path, O_RDONLY);
  DigestStream stream;
  std::uint64_t at = 0;
  for (std::string bytes; !(bytes = file.read(at, std::size_t{1} << 20)).empty();
       at += bytes.size())
    stream.add(bytes);
  return hex(stream.finish());
}

}  // namespace

ModelFiles::ModelFiles(const fs::path& database) : folder_(database.string() + ".models") {
  std::error_code none;
  const bool made = fs::create_directories(folder_, none);
  if (made) flush_folder_of(folder_);
  if (none) throw Error(folder_.string() + ": cannot make the folder: " + none.message() + ".");
}

fs::path ModelFiles::path(const std::string& id) const {
  check_id(id);
  return folder_ / (id + ".safetensors");
}

bool ModelFiles::has(const std::string& id) const { return fs::exists(path(id)); }

fs::path ModelFiles::incoming(const std::string& id) const {
  check_id(id);
  return folder_ / (std::string(kIncoming) + id);
}

std::uint64_t ModelFiles::received(const std::string& id) const {
  if (has(id)) return fs::file_size(path(id));
  const std::lock_guard lock(*mutex_);
  const auto found = arriving_.find(id);
  return found == arriving_.end() ? 0 : found->second.bytes;
}

// requires: nothing is arriving
void ModelFiles::clear_leftovers() {
  for (const auto& entry : fs::directory_iterator(folder_))
    if (entry.path().filename().string().starts_with(kIncoming)) fs::remove(entry.path());
}

std::uint64_t ModelFiles::receive(const std::string& id, std::uint64_t offset,
                                  std::string_view bytes) {
  const fs::path file = incoming(id);
  const std::lock_guard lock(*mutex_);
  if (has(id)) return fs::file_size(path(id));
  const Arriving now = arriving_.contains(id) ? arriving_[id] : Arriving();
  if (offset != now.bytes || bytes.empty() || now.closed) return now.bytes;
  if (bytes.size() > kMaxModelBytes - now.bytes) {
    arriving_.erase(id);
    fs::remove(file);
    throw Error("the model " + id + " is larger than " + std::to_string(kMaxModelBytes) +
                " bytes.");
  }
  if (arriving_.empty()) clear_leftovers();
  File(file, O_WRONLY | O_CREAT | (now.bytes == 0 ? O_TRUNC : 0)).write(now.bytes, bytes);
  die_at("model.written");
  return arriving_[id].bytes = now.bytes + bytes.size();
}

void ModelFiles::forget(const std::string& id) {
  const std::lock_guard lock(*mutex_);
  arriving_.erase(id);
  fs::remove(incoming(id));
}

void ModelFiles::complete(const std::string& id) {
  if (has(id)) {
    forget(id);
    return flush_folder_of(path(id));  // who gave it its name may have died before that
  }
  {
    const std::lock_guard lock(*mutex_);
    if (!arriving_.contains(id)) throw Error("nothing of the model " + id + " has come.");
    arriving_[id].closed = true;
  }
  try {
    give_name(id);
  } catch (const DiskFull&) {
    const std::lock_guard lock(*mutex_);
    arriving_[id].closed = false;
    throw;
  }
  forget(id);
  die_at("model.named");
}

void ModelFiles::give_name(const std::string& id) {
  const fs::path file = incoming(id);
  flush_file(file);
  die_at("model.flushed");
  if (digest_of_file(file) != id) {
    forget(id);
    throw Error("what came as the model " + id + " has another digest.");
  }
  rename_durably(file, path(id));
}

std::string ModelFiles::piece(const std::string& id, std::uint64_t offset, std::size_t size) const {
  {
    const std::lock_guard lock(*mutex_);
    if (!verified_.contains(id)) {
      verify(id);
      verified_.insert(id);
    }
  }
  return File(path(id), O_RDONLY).read(offset, size);
}

void ModelFiles::verify(const std::string& id) const {
  if (digest_of_file(path(id)) != id)
    throw Error(path(id).string() +
                ": the file is damaged: its bytes are not those that its name says.");
}

}  // namespace tabula
