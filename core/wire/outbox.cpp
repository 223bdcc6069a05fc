#include "core/wire/outbox.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cstdio>

#include "core/base/die_at.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/data/game_codec.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "tabula outbox 1\n";
constexpr std::uint64_t kSegment = std::uint64_t{4} << 20;  // a new one begins beyond this
constexpr std::uint64_t kMaxSegment = kSegment + (std::uint64_t{1} << 30);
constexpr std::uint32_t kEnd = ~std::uint32_t{0};
constexpr std::size_t kHead = 4 + 16, kFrame = kHead + 8;

template <class Number>
void append_number(std::string& out, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) out += char(number >> (8 * i) & 255);
}

template <class Number>
Number number_at(std::string_view bytes) {
  Number number = 0;
  for (std::size_t i = sizeof number; i-- > 0;)
    number = Number(number << 8 | std::uint8_t(bytes[i]));
  return number;
}

std::uint64_t hash_of(std::string_view bytes) { return Hash().add_text(bytes).value(); }

void append_record(std::string& out, const OutboxGame& game) {
  const std::size_t begin = out.size();
  append_number(out, std::uint32_t(game.bytes.size()));
  out.append(reinterpret_cast<const char*>(game.id.data()), game.id.size());
  out += game.bytes;
  append_number(out, hash_of(std::string_view(out).substr(begin)));
}

// Takes the next record off the bytes; false if it is not whole.
bool take_record(std::string_view& bytes, OutboxGame& game) {
  if (bytes.size() < kFrame) return false;
  const std::size_t size = number_at<std::uint32_t>(bytes);
  if (size > kMaxGameBytes || bytes.size() < kFrame + size) return false;
  if (hash_of(bytes.substr(0, kHead + size)) !=
      number_at<std::uint64_t>(bytes.substr(kHead + size)))
    return false;
  std::copy_n(bytes.begin() + 4, 16, game.id.begin());
  game.bytes = bytes.substr(kHead, size);
  bytes.remove_prefix(kFrame + size);
  return true;
}

bool ends(std::string_view bytes) {
  return bytes.empty() || (bytes.size() >= 4 && number_at<std::uint32_t>(bytes) == kEnd);
}

[[noreturn]] void fail(const fs::path& path, const std::string& doing, int code) {
  const std::string sentence = path.string() + ": " + doing + ": " + reason_of(code) + ".";
  if (means_full(code)) throw DiskFull(sentence);
  throw Error(sentence);
}

void flush(const Descriptor& file, const fs::path& path) {
  if (retried([&] { return fdatasync(file.number()); }) == 0) return;
  throw FlushFailed(path.string() + ": it could not be flushed to the disk: " + reason_of(errno) +
                    ".");
}

// EINVAL: of a file system whose folders cannot be flushed, and need not be.
void flush_folder(const Descriptor& file, const fs::path& folder) {
  if (retried([&] { return fsync(file.number()); }) == 0 || errno == EINVAL) return;
  throw FlushFailed(folder.string() + ": it could not be flushed to the disk: " + reason_of(errno) +
                    ".");
}

// Makes the folder, and those above it. A name is on the disk when the folder above was flushed:
// that is done for an old one too, whose maker may have died before. (Who may not read the folder
// above has not made this one.)
void make_folder(const fs::path& folder) {
  const fs::path whole = (fs::absolute(folder) / "").lexically_normal().parent_path();
  const fs::path above = whole.parent_path();
  std::error_code failed;
  if (!fs::exists(above, failed)) make_folder(above);
  fs::create_directory(whole, failed);
  const Descriptor file(
      retried([&] { return open(above.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (file.open()) flush_folder(file, above);
}

// The numbers of the segments in a folder, in order.
std::vector<std::uint64_t> segments_in(const fs::path& folder) {
  std::vector<std::uint64_t> numbers;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() == ".games" && !stem.empty() && stem.size() < 19 &&
        std::ranges::all_of(stem, [](char c) { return c >= '0' && c <= '9'; }))
      numbers.push_back(std::stoull(stem));
  }
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

Outbox::Outbox(const fs::path& folder, std::uint64_t max_bytes)
    : folder_(folder), max_bytes_(max_bytes) {
  make_folder(folder);
  const auto open_in = [&](const char* name, int flags) {
    return Descriptor(
        retried([&] { return open((folder / name).c_str(), flags | O_CLOEXEC, 0666); }));
  };
  folder_file_ = open_in("", O_RDONLY | O_DIRECTORY);
  lock_ = folder_file_.open() ? open_in("lock", O_RDWR | O_CREAT) : Descriptor();
  if (!lock_.open()) fail(folder, "cannot keep games there", errno);
  if (flock(lock_.number(), LOCK_EX | LOCK_NB) != 0)
    throw OutboxTaken(
        folder.string() +
        ": another process keeps its games there; give each worker an --outbox of its own.");
  recover();
}

Outbox::~Outbox() {
  active_ = Descriptor();
  drain();
}

fs::path Outbox::file_of(std::uint64_t number) const {
  return folder_ / (std::to_string(number) + ".games");
}

void Outbox::recover() {
  const std::vector<std::uint64_t> numbers = segments_in(folder_);
  for (std::uint64_t number : numbers) recover_segment(number, number == numbers.back());
  if (!numbers.empty()) next_number_ = numbers.back() + 1;
  drain();
}

// The last segment may end in a record that never got onto the disk as a whole: nobody was told
// that it had. Anywhere else such bytes are damage.
void Outbox::recover_segment(std::uint64_t number, bool last) {
  const std::string content = read_file(file_of(number), kMaxSegment);
  std::string_view bytes = content;
  segments_.push_back({number, 0});
  const bool known = bytes.starts_with(kMagic);
  if (known) bytes.remove_prefix(kMagic.size());
  for (OutboxGame game; known && take_record(bytes, game);) keep(std::move(game));
  if (known && ends(bytes)) return;
  const fs::path file = file_of(number);
  if (last) {
    const Descriptor torn(retried([&] { return open(file.c_str(), O_WRONLY | O_CLOEXEC); }));
    const std::size_t whole = known ? content.size() - bytes.size() : 0;
    if (!torn.open() || ftruncate(torn.number(), off_t(whole)) != 0)
      fail(file, "cannot cut its torn end off", errno);
    flush(torn, file);  // or it would be back, and no longer in the last segment
    return;
  }
  ++damaged_;
  fs::copy_file(file, fs::path(file).replace_extension(".damaged"),
                fs::copy_options::overwrite_existing);
}

void Outbox::keep(OutboxGame game) {
  const std::size_t size = game.bytes.size();
  const auto [place, is_new] = games_.try_emplace(
      game.id, Game{std::move(game.bytes), next_order_++, std::prev(segments_.end())});
  if (!is_new) return;
  ++segments_.back().waiting;
  bytes_ += size;
}

// Writes over the spare, if there is one.
void Outbox::begin_segment() {
  const fs::path path = file_of(next_number_);
  if (rename((folder_ / "spare").c_str(), path.c_str()) != 0 && errno != ENOENT)
    fail(path, "cannot write it", errno);
  Descriptor file(
      retried([&] { return open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666); }));
  std::string head(kMagic);
  append_number(head, kEnd);
  if (!file.open() || !file.write(head)) fail(path, "cannot write it", errno);
  flush(file, path);
  flush_folder(folder_file_, folder_);
  die_at("outbox.segment");
  active_ = std::move(file);
  active_size_ = kMagic.size();
  segments_.push_back({next_number_++, 0});
}

bool Outbox::write_at_end(std::string_view bytes) const {
  return lseek(active_.number(), off_t(active_size_), SEEK_SET) >= 0 && active_.write(bytes);
}

void Outbox::append(std::string_view bytes) {
  const fs::path path = file_of(segments_.back().number);
  if (!write_at_end(bytes)) {
    const int code = errno;
    std::string end;  // again, in place of half a record
    append_number(end, kEnd);
    write_at_end(end);
    fail(path, "cannot write it", code);
  }
  die_at("outbox.written");
  flush(active_, path);
  die_at("outbox.flushed");
}

void Outbox::add(std::span<const OutboxGame> games) {
  if (games.empty()) return;
  if (!active_.open() || active_size_ >= kSegment) begin_segment();
  std::string records;
  std::size_t room = 4;
  for (const OutboxGame& game : games) room += kFrame + game.bytes.size();
  records.reserve(room);
  for (const OutboxGame& game : games) append_record(records, game);
  const std::size_t size = records.size();
  append_number(records, kEnd);
  append(records);
  active_size_ += size;
  for (const OutboxGame& game : games) keep(game);
}

bool Outbox::remove(const GameId& id) {
  const auto found = games_.find(id);
  if (found == games_.end()) return false;
  bytes_ -= found->second.bytes.size();
  --found->second.segment->waiting;
  games_.erase(found);
  drain();
  return true;
}

// Segments that nobody waits for go. What a crash brings back is sent again, and known.
void Outbox::drain() {
  for (auto segment = segments_.begin(); segment != segments_.end();) {
    const bool active = active_.open() && std::next(segment) == segments_.end();
    if (segment->waiting > 0) {
      ++segment;
    } else if (!active) {
      die_at("outbox.drained");
      retire(segment->number);
      segment = segments_.erase(segment);
    } else {
      active_size_ = kMagic.size();
      ++segment;
    }
  }
}

// Keeps the file for the next segment.
void Outbox::retire(std::uint64_t number) {
  std::error_code failed;
  fs::rename(file_of(number), folder_ / "spare", failed);
  if (failed) fs::remove(file_of(number), failed);
}

const std::string* Outbox::find(const GameId& id) const {
  const auto found = games_.find(id);
  return found == games_.end() ? nullptr : &found->second.bytes;
}

std::vector<GameId> Outbox::waiting() const {
  std::vector<std::pair<std::uint64_t, GameId>> ordered;
  for (const auto& [id, game] : games_) ordered.emplace_back(game.order, id);
  std::ranges::sort(ordered);
  std::vector<GameId> ids;
  for (const auto& [order, id] : ordered) ids.push_back(id);
  return ids;
}

}  // namespace tabula
