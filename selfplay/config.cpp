#include "selfplay/config.h"

#include "core/base/cores.h"
#include "core/loop/run_settings.h"

namespace tabula {

bool SelfPlayOptions::parse(const Args& args, const Rules* rules) {
  Options options("selfplay [--model latest] [options]",
                  "Plays games against itself and sends each to the store.");
  options.add(
      "model", model,
      "latest, champion, rollout, random (a search that knows nothing), a model's id, or a file");
  link.declare(options);
  options.add("threads", threads, "that play; 0: one for each core")
      .add("games", games, "stop after so many; 0: never")
      .add("out", out, "write games to this file, as lines of JSON, instead of a store")
      .add("outbox", outbox, "folder of games that the store does not have yet")
      .add("outbox-size", outbox_megabytes, "megabytes of them, before no new games are begun")
      .add("worker-id", worker, "decides, with the seed, all games (default: new at each start)")
      .add("seed", seed, "of the run")
      .flag("background", background, "take only what of the processor nobody else wants")
      .add("report", report_seconds, "seconds between reports");
  play.declare(options);
  options.also_in_files(run_setting_names());
  if (rules) options.defaults(defaults_of(*rules), rules->name());
  if (!options.parse(args)) return false;
  play.check();
  if (threads < 0 || threads > 4096) throw Error("--threads takes 0 to 4096.");
  if (threads == 0) threads = usable_cores();
  if (outbox_megabytes < 1) throw Error("--outbox-size takes at least 1.");
  if (report_seconds < 1) throw Error("--report takes at least 1 second.");
  return true;
}

}  // namespace tabula
