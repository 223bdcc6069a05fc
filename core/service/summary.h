// How a store is, at a glance: for status, pages and metrics.
#pragma once
#include <map>
#include <string>

#include "core/data/rows.h"
#include "core/service/pace.h"

namespace tabula {

struct ServiceSummary {
  std::string game, champion;
  std::string trouble;                               // last said about the disk
  std::uint64_t head = 0, waiting = 0, refused = 0;  // refused: clients, not games
  Totals totals;
  std::map<std::string, int> programs;  // that beat lately: how many of each
  PaceReport pace;
  double plies_per_worker = 0, memory = 0;  // memory: megabytes of the store
  int wanted_workers = 1;

  double never_finished() const;  // share of games
  std::string json() const;
};

}  // namespace tabula
