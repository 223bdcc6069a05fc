#include "front/train_options.h"

#include <algorithm>
#include <cctype>

#include "core/base/cores.h"
#include "core/loop/check_range.h"
#include "core/loop/run_settings.h"
#include "core/loop/store_link.h"
#include "core/service/defaults.h"

namespace tabula {

namespace {

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-+./,:=@%").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string all_but_minutes(const Args& args) {
  std::string text;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--minutes")
      ++i;
    else if (!args[i].starts_with("--minutes="))
      text += " " + quoted(args[i]);
  }
  return text;
}

}  // namespace

bool TrainOptions::parse(const Args& args, const Rules* rules) {
  Options options("tabula train GAME [options]",
                  "Learns a game by self-play on this machine: starts the store, self-play, "
                  "trainer and arena,\nand watches them. GAME is a name or a plugin's file. The "
                  "same command goes on with a run.");
  options.argument("GAME", game)
      .add("minutes", minutes, "how long; 0: until Ctrl-C")
      .add("run", run, "the run's folder (default: runs/GAME)")
      .add("cores", cores, "to be used; 0: all")
      .add("arena-share", arena_share,
           "of the cores, at most, for testing candidates; 0: no arena; -1: a tenth, half of that "
           "where nothing depends on it (--gate none)")
      .add("seed", seed, "of the run")
      .add("workers", workers, "self-play programs on this machine; -1: as its cores allow")
      .add_list("listen", listen,
                "let self-play on other machines help, at an address such as tcp://*:7710")
      .add("keys", keys, "then: the folder of keys (default: RUN/keys, made if it is not there)")
      .add("pages", pages, "serve a page, /metrics and /status, at HOST:PORT such as *:7711")
      .add("keep", keep, "which games the store keeps, as 'replay' takes it")
      .flag("lockstep", lockstep,
            "in one process, games then steps: the same seed, the same weights")
      .add("rounds", rounds, "of --lockstep; 0: no end")
      .add("games", games, "of a round of --lockstep")
      .add("threads", threads, "of self-play in --lockstep; else, in a file only: of each worker");
  plugins.declare(options);
  play.declare(options);
  learn.declare(options);
  arena.declare(options);
  options.also_in_files(run_setting_names());
  if (rules) options.defaults(defaults_of(*rules), rules->name());
  if (!options.parse(args)) return false;
  play.check();
  learn.check();
  arena.check();
  check_range("minutes", minutes, 0, 1e7);
  check_range("cores", cores, 0, 4096);
  check_range("workers", workers, -1, 4096);
  if (!keys.empty() && listen.empty())
    throw Error("--keys is for other machines: --listen tcp://*:7710 lets them help.");
  check_range("arena-share", arena_share, -1, 1);
  parse_keep(keep);
  if (cores == 0) cores = usable_cores();
  for (const std::string& name : run_setting_names())
    if (const auto value = options.given().find(name); value != options.given().end())
      given.insert(*value);
  found = options.found();
  typed = all_but_minutes(args);
  return true;
}

void refuse(const Args& args, std::initializer_list<const char*> names, const std::string& why) {
  for (const std::string name : names)
    for (const std::string& arg : args)
      if (arg == "--" + name || arg.starts_with("--" + name + "="))
        throw Error("--" + name + " " + why);
}

TrainOptions settings_of(const std::filesystem::path& file, const TrainOptions& options,
                         const Rules& rules) {
  TrainOptions settings;
  settings.parse({options.game, "--config", file.string()}, &rules);
  const std::uint64_t rollouts = settings.play.rollout_positions;
  if (rollouts > 0 && rollouts < settings.learn.first_positions)
    throw Error("--rollout-positions (" + std::to_string(rollouts) +
                ") must be at least --first-positions (" +
                std::to_string(settings.learn.first_positions) + "), or nothing begins.");
  return settings;
}

}  // namespace tabula
