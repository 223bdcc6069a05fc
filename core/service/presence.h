#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "core/data/rows.h"
#include "core/service/pace.h"
#include "core/wire/messages.h"

namespace tabula {

// Who is there and what they did, as far as a status tells. Forgets those who fell silent.
class Presence {
 public:
  void beat(const std::string& account, const Beat& beat, std::int64_t now);
  void count(const std::string& account, Fate fate) { ++fates_[account][std::size_t(fate)]; }
  void malformed(const std::string& account) { ++malformed_[account]; }
  void forget_silent(std::int64_t now);

  std::string json(std::int64_t now) const;  // an object: programs, accounts
  // Of those who beat lately:
  PaceReport pace(std::int64_t now) const;
  std::map<std::string, int> programs(std::int64_t now) const;  // how many of each

 private:
  struct Program {
    std::string account;
    Beat last;
    std::int64_t seen = 0;  // milliseconds
  };
  std::map<std::pair<std::string, std::string>, Program> programs_;  // by account and worker
  std::map<std::string, std::array<std::uint64_t, 4>> fates_;        // by account
  std::map<std::string, std::uint64_t> malformed_;
};

}  // namespace tabula
