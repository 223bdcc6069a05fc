#pragma once
#include <atomic>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/wire/client_socket.h"
#include "core/wire/messages.h"
#include "core/wire/outbox.h"
#include "core/wire/sender.h"

namespace tabula {

struct CourierConfig {
  std::string address = kDefaultAddress;
  std::optional<ClientKeys> keys;
  std::string program = "selfplay", worker;  // as its beats name it
  std::filesystem::path outbox;
  std::uint64_t outbox_bytes = std::uint64_t{64} << 20;
  SenderConfig sender;
  std::int64_t beat_ms = 5000;
};

struct CourierStats {
  std::uint64_t stored = 0, known = 0, adjourned = 0, refused = 0;  // the store's answers
  std::uint64_t resent = 0;
  std::size_t waiting = 0;  // in the outbox
  std::uint64_t waiting_bytes = 0;
  bool holding = false;        // no new games now: the outbox or the disk is full
  std::int64_t silent_ms = 0;  // since the store last answered, or since the start
  std::string trouble;         // the last that went wrong, and empty again when it went right
};

// Brings finished games to the store, whatever happens to the store, the link or this process: from
// deliver() into the outbox, from there to the store, until the store has them. A thread of its
// own; all calls are safe from any thread.
class Courier {
 public:
  explicit Courier(const CourierConfig& config);  // throws Error: see Outbox
  ~Courier();                                     // what is not delivered stays in the outbox

  // Returns at once.
  void deliver(OutboxGame game);
  // False: begin no new games until it is true again. Throws what made the courier stop.
  bool accepts() const;
  // Waits until everything delivered so far is in the outbox, but on a full disk only for a few
  // tries. Returns whether it is there. Throws what made the courier stop.
  bool settle_outbox();
  // Games that the store has not answered for, wherever they are.
  std::size_t pending() const;
  // Waits until the store has answered for everything, for at most that long.
  bool wait_until_empty(std::int64_t ms);

  void say(std::vector<Beat::Figure> figures);  // with the next beats
  CourierStats stats() const;

 private:
  void work();
  void turn();
  void store_new_games();
  void send_due(std::int64_t now);
  void send_beat(std::int64_t now);
  void receive_until(std::int64_t then);
  void take(const std::string& bytes);
  void note_trouble(const std::string& trouble);

  CourierConfig config_;
  Outbox outbox_;
  Sender sender_;
  ClientSocket socket_;
  std::vector<OutboxGame> unsaved_;      // the thread's: not yet in the outbox
  std::atomic<bool> disk_full_ = false;  // when it last tried to save them
  std::int64_t next_save_ = 0, next_beat_ = 0, heard_ = 0;
  std::uint64_t requests_ = 0;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<OutboxGame> new_games_;
  std::vector<Beat::Figure> figures_;
  CourierStats stats_;
  std::size_t unsaved_count_ = 0;  // of new_games_ and unsaved_
  bool ending_ = false;
  std::exception_ptr broken_;
  std::thread thread_;
};

}  // namespace tabula
