// Finished games that the store has not acknowledged yet, on a worker's disk.
//
//   DIR/lock             held by the one owner
//   DIR/NUMBER.games     a segment = "tabula outbox 1\n" record* (end anything | nothing)
//   record               = size:u32 id:16 bytes hash:u64, little-endian; the hash covers the rest
//   end                  = 2^32-1:u32
//   DIR/NUMBER.damaged   a segment in which bytes have changed, kept for people to look at
//   DIR/spare            a segment that nobody needs, to be written over
//
// Segments are written over rather than made anew: bytes that go where the file already has room
// are flushed in a fraction of the time, for nothing but they themselves must reach the disk. What
// stands behind the end was delivered; should a crash bring it back, it is sent again, and known.
#pragma once
#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/data/stored_game.h"

namespace tabula {

struct OutboxGame {
  GameId id{};
  std::string bytes;
};

// Another process has this folder.
class OutboxTaken : public Error {
  using Error::Error;
};

// One thread. Keeps all waiting games in memory too.
class Outbox {
 public:
  // Takes the folder, makes it if need be, and finds what an earlier owner left. Throws Error if
  // another process has it.
  Outbox(const std::filesystem::path& folder, std::uint64_t max_bytes);
  ~Outbox();  // what was delivered is not there for the next owner
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  // They are on the disk when this returns. DiskFull: none of them is. FlushFailed: the process
  // must end.
  void add(std::span<const OutboxGame> games);
  // The store has it. False if it is not here.
  bool remove(const GameId& id);

  const std::string* find(const GameId& id) const;
  std::vector<GameId> waiting() const;  // in the order in which they came
  std::size_t games() const { return games_.size(); }
  std::uint64_t bytes() const { return bytes_; }
  bool full() const { return bytes_ >= max_bytes_; }  // time to stop beginning games
  std::size_t damaged() const { return damaged_; }    // segments put aside when it was opened

 private:
  struct Segment {
    std::uint64_t number;
    std::size_t waiting;
  };
  struct Game {
    std::string bytes;
    std::uint64_t order;
    std::list<Segment>::iterator segment;
  };
  std::filesystem::path file_of(std::uint64_t number) const;
  void recover();
  void recover_segment(std::uint64_t number, bool last);
  void begin_segment();
  void retire(std::uint64_t number);
  void append(std::string_view bytes);
  bool write_at_end(std::string_view bytes) const;
  void keep(OutboxGame game);
  void drain();

  std::filesystem::path folder_;
  std::uint64_t max_bytes_;
  Descriptor lock_, folder_file_, active_;
  std::list<Segment> segments_;  // the last one is the active one, if that is open
  std::uint64_t active_size_ = 0;
  std::map<GameId, Game> games_;
  std::uint64_t bytes_ = 0, next_order_ = 0, next_number_ = 1;
  std::size_t damaged_ = 0;
};

}  // namespace tabula
