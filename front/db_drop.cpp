#include <chrono>
#include <cstdio>
#include <iostream>

#include "core/store/ownership.h"
#include "core/store/store.h"
#include "front/db.h"
#include "front/running_store.h"

namespace tabula {
namespace {

// Seconds since 1970, or a day or a minute in UTC: 2026-11-16, 2026-11-16T08:30.
std::int64_t parse_time(const std::string& name, const std::string& text) {
  if (text.empty()) return 0;
  if (text.find_first_not_of("0123456789") == text.npos && text.size() < 16)
    return std::stoll(text);
  unsigned y = 0, m = 0, d = 0, hour = 0, minute = 0;
  int read = 0, clock = 0;
  const char* const from = text.c_str();
  if (std::sscanf(from, "%4u-%2u-%2u%n", &y, &m, &d, &read) == 3 && text[std::size_t(read)] == 'T')
    std::sscanf(from + read, "T%2u:%2u%n", &hour, &minute, &clock);
  using namespace std::chrono;
  const year_month_day date{year{int(y)}, month{m}, day{d}};
  if (std::size_t(read + clock) != text.size() || !date.ok() || hour > 23 || minute > 59)
    throw Error("--" + name +
                " must be a time such as 2026-11-16, 2026-11-16T08:30 (UTC) or "
                "seconds since 1970, not '" +
                text + "'.");
  return (sys_days(date) + hours(hour) + minutes(minute)).time_since_epoch() / seconds(1);
}

// Through whoever owns the database, or as its owner.
std::uint64_t drop_from(const std::string& path, const std::string& key, const DropFilter& filter,
                        const std::string& why) {
  if (const auto running = running_store(path, key))
    return running->ask<Dropped>(Drop{filter, why}).games;
  const Ownership mine(path);
  return Store(path, {}).drop(filter, why);
}

}  // namespace

int db_drop_command(const Args& args) {
  std::string path, since, until, reason, key;
  DropFilter filter;
  Options options(
      "tabula db drop PATH [--model ID] [--worker NAME] [--account NAME] [--since TIME] "
      "[--until TIME]",
      "Moves games to quarantine; all conditions that are given must hold. Trainers "
      "that follow the database\nare told, and a game that is sent again stays out.");
  options.argument("PATH", path);
  options.add("model", filter.model, "games in which this model played");
  options.add("worker", filter.worker, "games that this worker played");
  options.add("account", filter.account, "games that this account sent");
  options.add("since", since, "games that came at this time or later: 2026-11-16T08:30, in UTC");
  options.add("until", until, "games that came before this time");
  options.add("reason", reason, "why; it is kept with each game");
  options.add("key", key, "an admin's key file, where a store runs with keys");
  if (!options.parse(args)) return 0;

  filter.since = parse_time("since", since);
  filter.until = parse_time("until", until);
  if (filter.model.empty() && filter.worker.empty() && filter.account.empty() && since.empty() &&
      until.empty())
    throw Error("say which games to drop: --model, --worker, --account, --since or --until.");
  if (!std::filesystem::exists(path)) throw Error(path + ": there is no such file.");
  const std::string why = "dropped by hand" + (reason.empty() ? "" : ": " + reason);
  const std::uint64_t dropped = drop_from(path, key, filter, why);
  std::cout << dropped << " games are in quarantine now.\n";
  return 0;
}

}  // namespace tabula
