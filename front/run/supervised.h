#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tabula {

// A program that is to run for as long as this lives: started again when it dies, a little later
// each time. It ends when its parent does.
class Supervised {
 public:
  // `name` is a program beside ours; its output is added to the end of `log`.
  Supervised(std::string name, std::vector<std::string> args, std::filesystem::path log);
  ~Supervised();  // stops it
  Supervised(const Supervised&) = delete;
  Supervised& operator=(const Supervised&) = delete;

  // Looks after it; to be called often. Throws Error, with its last words, if it ends again and
  // again as soon as it is started; one that others kill (SIGKILL) is started again for ever.
  void tend(std::int64_t now_ms);
  void ask_to_stop();                   // does not wait
  bool wait(std::int64_t patience_ms);  // until it has ended, then kills it: false if it had to

  const std::string& name() const { return name_; }
  const std::filesystem::path& log() const { return log_; }
  bool running() const { return process_ > 0; }
  int restarts() const { return restarts_; }
  // Another value of an option it was started with, for when it is started again.
  void change(const std::string& option, std::string value);
  pid_t process() const { return process_; }

 private:
  void start(std::int64_t now_ms);
  bool ended();  // and how it did
  std::string last_words() const;

  std::string name_;
  std::vector<std::string> args_;
  std::filesystem::path log_;
  pid_t process_ = 0;
  std::int64_t started_ = 0, start_again_ = 0;
  std::uintmax_t log_begin_ = 0;                          // of this start's output
  int restarts_ = 0, early_deaths_ = 0, early_ends_ = 0;  // in a row; deaths: kills too
  bool stopping_ = false, was_killed_ = false;
};

}  // namespace tabula
