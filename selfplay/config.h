#pragma once
#include "core/loop/play_settings.h"
#include "core/loop/store_link.h"

namespace tabula {

struct SelfPlayOptions {
  StoreLink link;
  PlaySettings play;
  std::string model = "latest", outbox, out, worker;
  int threads = 0;
  std::uint64_t seed = 0, games = 0;
  int outbox_megabytes = 64, report_seconds = 10;
  bool background = false;

  // False if the help was printed. With a game, its defaults count too.
  bool parse(const Args& args, const Rules* rules = nullptr);
};

}  // namespace tabula
