#include "trainer/config.h"

#include "core/loop/check_range.h"
#include "core/loop/run_settings.h"

namespace tabula {

bool TrainerOptions::parse(const Args& args, const Rules* rules) {
  Options options("trainer --replay FILE|ADDRESS [options]",
                  "Learns from the games of a store, continuously, and publishes models there.");
  link.declare(options);
  options
      .add(
          "run", run,
          "folder of checkpoint and progress (default: 'training', beside the database, or here if "
          "--replay is an address)")
      .flag("from-start", from_start, "train a new network from all stored games")
      .add("steps", steps, "stop after so many; 0: never")
      .add("minutes", minutes, "stop after so many; 0: never")
      .add("minutes-gone", minutes_gone, "of them, before this start")
      .add("cool-down", cool_down,
           "the last share of --minutes, in which the learning rate falls; 0: never")
      .add("seed", seed, "of the first weights and of what is drawn")
      .add("trainer-threads", threads, "of LibTorch")
      .add("most-trainer-threads", most_threads,
           "as many as this while it cannot keep up with the games; 0: never more")
      .add("cores", learn.cores, "to choose a batch and a network for; 0: all")
      .add("loaders", loaders, "threads that fill batches")
      .add("trainers", trainers, "how many step together, each with its part of a batch")
      .add("rank", rank, "which of them this is: 0, which keeps the checkpoint, or another")
      .add("rendezvous", rendezvous, "HOST:PORT of rank 0, where they meet")
      .add("report", report_seconds, "seconds between reports")
      .add_list("listen", listen,
                "if nobody serves the database: addresses, as 'replay' takes them")
      .add("keep", keep, "then: what is kept, as 'replay' takes it")
      .add("keys", keys, "then: the folder of keys")
      .flag("insecure", insecure, "then: listen to other machines without keys");
  learn.declare(options);
  options.also_in_files(run_setting_names());
  if (rules) options.defaults(defaults_of(*rules), rules->name());
  if (!options.parse(args)) return false;
  learn.check();
  check_range("trainer-threads", threads, 1, 4096);
  check_range("most-trainer-threads", most_threads, 0, 4096);
  check_range("trainers", trainers, 1, learn.batch);
  check_range("rank", rank, 0, trainers - 1);
  if (trainers > 1 && rendezvous.empty())
    throw Error("where do the trainers meet? --rendezvous HOST:PORT says it, of rank 0.");
  check_range("minutes", minutes, 0, 1e7);
  check_range("minutes-gone", minutes_gone, 0, 1e7);
  check_range("cool-down", cool_down, 0, 1);
  check_range("loaders", loaders, 1, 256);
  check_range("report", report_seconds, 1, 86400);
  learn.train.threads = threads;
  return true;
}

std::filesystem::path TrainerOptions::folder() const {
  if (!run.empty()) return run;
  if (!replay_is_path()) return "training";
  return std::filesystem::path(link.replay).parent_path() / "training";
}

}  // namespace tabula
