#pragma once
#include <atomic>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "core/loop/evaluators.h"
#include "core/loop/game_sink.h"
#include "core/search/game_group.h"

namespace tabula {

struct SelfPlayerConfig {
  PlaySettings play;
  int threads = 1;
  std::uint64_t seed = 0;        // of the run
  std::string instance;          // of this worker: with the seed and a game's number it decides all
  std::string worker = "self";   // as records name it
  std::uint64_t most_games = 0;  // 0: no end
};

struct PlayFigures {
  PlayStats play;
  CacheStats cache;
  std::uint64_t batches = 0, questions = 0;
  PlayFigures& operator+=(const PlayFigures& other);
};

// Threads that play games against themselves, each many at once, and hand them to a sink.
class SelfPlayer {
 public:
  SelfPlayer(const Rules& rules, const SelfPlayerConfig& config, ModelBook& book, GameSink& sink)
      : rules_(rules), config_(config), book_(book), sink_(sink) {}
  ~SelfPlayer();  // stop(), but says nothing

  // For every search that begins once a thread has loaded it. From any thread.
  void use(PlayModelPtr model);
  // A game that another worker adjourned, to be played on. From any thread.
  void play_on(const StoredGame& game);
  std::size_t waiting_to_go_on() const;  // of those

  // Whether to begin no new games for now. From any thread.
  void hold(bool on) { holding_ = on; }

  void start();  // requires: use() was called
  // Adjourned games go to the sink. Throws what made a thread fail.
  void stop();
  // Whether all games of `most_games` are finished, or a thread has failed.
  bool done() const { return failed_ || finished_ >= wanted(); }

  PlayFigures figures() const;
  int largest_batch() const;           // of a thread's questions
  std::uint32_t oldest_model() const;  // number of the oldest that any thread still plays with

 private:
  struct Seat {  // what others see of a thread
    mutable std::mutex mutex;
    PlayFigures figures;
    std::uint32_t model = 0;
  };
  int lanes() const;  // groups of games of a thread
  std::uint64_t wanted() const { return config_.most_games ? config_.most_games : UINT64_MAX; }
  void work(Seat& seat);
  std::optional<GameTicket> next_game();
  void finish(const GameRecord& record);
  StoredGame stored(const GameRecord& record);
  PlayModelPtr newest() const;

  const Rules& rules_;
  SelfPlayerConfig config_;
  ModelBook& book_;
  GameSink& sink_;

  mutable std::mutex mutex_;
  PlayModelPtr model_;
  std::deque<GameTicket> adjourned_;
  std::map<std::uint64_t, GameId> resumed_;  // by the game's seed
  std::uint64_t next_number_ = 0;
  std::exception_ptr failure_;

  std::atomic<bool> stopping_ = false, failed_ = false, holding_ = false;
  std::atomic<std::uint64_t> finished_ = 0;
  std::deque<Seat> seats_;
  std::vector<std::thread> threads_;
};

// A record with a place of its own among the games of a run, and back: numbers of models follow the
// book.
StoredGame to_stored(const GameRecord& record, const Rules& rules, const ModelBook& book);
GameRecord to_record(const StoredGame& game, ModelBook& book);

}  // namespace tabula
