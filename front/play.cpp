// A game against a trained player, in the terminal.
#include <cmath>
#include <iostream>

#include "core/base/digest.h"
#include "core/game/playout.h"
#include "core/search/rounds.h"
#include "core/search/search.h"
#include "front/commands.h"
#include "front/eval/models.h"
#include "front/eval/players.h"
#include "front/plugins.h"

namespace tabula {
namespace {

struct PlayOptions {
  std::string game, model = "champion", run;
  int simulations = 800, side = 0, itself = 0;
  std::uint64_t seed = 0;  // drawn, unless it is given
  bool no_thoughts = false;
  Plugins plugins;

  bool parse(const Args& args) {
    Options options("tabula play GAME [options]",
                    "Plays a game with you. Type a move, 'moves' for what is legal, 'undo', or "
                    "'quit'.");
    options.argument("GAME", game)
        .add("model", model, "champion, latest, a model's id or file, or rollout")
        .add("run", run, "the training's folder (default: runs/GAME)")
        .add("simulations", simulations, "that it thinks for each move")
        .add("side", side, "0: you move first, 1: it does")
        .add("itself", itself,
             "so many games against itself instead, each but the first after two random moves")
        .add("seed", seed, "of the dice, and of those moves (default: another at each start)")
        .flag("no-thoughts", no_thoughts, "keep quiet about what it thinks");
    plugins.declare(options);
    if (!options.parse(args)) return false;
    if (simulations < 1) throw Error("--simulations takes at least 1.");
    if (side != 0 && side != 1) throw Error("--side takes 0 or 1.");
    if (itself < 0) throw Error("--itself takes a number of games.");
    if (!options.given().contains("seed")) seed = random_word();
    return true;
  }
};

std::string percent(float share) { return std::to_string(std::lround(100 * share)) + " %"; }

class Table {
 public:
  Table(const Rules& rules, const PlayOptions& options, std::unique_ptr<Evaluator> evaluator)
      : rules_(rules),
        options_(options),
        state_(rules),
        playout_(rules),
        evaluator_(std::move(evaluator)),
        search_({.simulations = options.simulations}, options.seed),
        dice_(options.seed) {}

  // False if the game was left.
  bool play() {
    while (!state_.over()) {
      if (state_.at_chance()) {
        roll();
      } else if (state_.turn() == options_.side) {
        std::cout << "\n" << state_.board() << "\n";
        if (!ask()) return false;
      } else {
        answer();
      }
    }
    std::cout << "\n" << state_.board() << "\n";
    const int result = options_.side == 0 ? state_.result() : -state_.result();
    std::cout << (result > 0 ? "You win.\n" : result < 0 ? "It wins.\n" : "A draw.\n");
    return true;
  }

  // A game without a person.
  void show(int number, int random_moves) {
    state_ = State(rules_);
    std::cout << "\ngame " << number << "\n";
    for (int drawn = 0; !state_.over();) {
      if (state_.at_chance()) {
        roll();
      } else if (drawn < random_moves) {
        const Action move = state_.legal()[dice_.below(std::uint32_t(state_.legal().size()))];
        std::cout << "drawn at random: " << state_.text(move) << "\n";
        state_.apply(move);
        ++drawn;
      } else {
        answer();
      }
    }
    std::cout << "\n" << state_.board() << "\n";
    const int result = state_.result();
    std::cout << (result > 0   ? "The first player wins.\n"
                  : result < 0 ? "The second player wins.\n"
                               : "A draw.\n");
  }

 private:
  void roll() {
    const Action outcome = playout_.draw(state_, dice_);
    std::cout << "the dice: " << state_.text(outcome) << "\n";
    state_.apply(outcome);
  }

  bool ask() {
    for (std::string line;
         std::cout << "your move: " << std::flush, std::getline(std::cin, line);) {
      if (line == "quit" || line == "q") return false;
      if (line == "moves") {
        for (Action action : state_.legal()) std::cout << state_.text(action) << " ";
        std::cout << "\n";
      } else if (line == "undo") {
        if (before_.empty())
          std::cout << "there is nothing to take back.\n";
        else
          return state_ = before_.back(), before_.pop_back(), true;
      } else if (const std::optional<Action> move = state_.parse(line)) {
        before_.push_back(state_);
        return state_.apply(*move), true;
      } else if (!line.empty()) {
        std::cout << "'" << line << "' is no legal move; 'moves' lists them.\n";
      }
    }
    std::cout << "\n";
    return false;
  }

  void answer() {
    search_.start(state_, false);
    run_together({&search_, 1}, *evaluator_, batch_);
    SearchResult result;
    search_.result(result);
    const MoveResult& move = result.moves[safest_move(result)];
    std::cout << "it plays " << state_.text(move.action);
    if (!options_.no_thoughts) {
      if (result.proven != 2)
        std::cout << "   ("
                  << (result.proven > 0   ? "wins"
                      : result.proven < 0 ? "loses"
                                          : "draws")
                  << ", proven)";
      else
        std::cout << "   (it expects: win " << percent(result.value.win) << ", draw "
                  << percent(result.value.draw) << ", loss " << percent(result.value.loss) << ")";
    }
    std::cout << "\n";
    state_.apply(move.action);
  }

  const Rules& rules_;
  const PlayOptions& options_;
  State state_;
  Playout playout_;
  std::unique_ptr<Evaluator> evaluator_;
  Search search_;
  Batch batch_;
  Rng dice_;
  std::vector<State> before_;  // each move of the person's
};

}  // namespace

int play_command(const Args& args) {
  PlayOptions options;
  if (!options.parse(args)) return 0;
  const RulesPtr rules = options.plugins.registry().find(options.game);
  if (options.run.empty()) options.run = "runs/" + rules->name();
  if (options.model == "champion" && !std::filesystem::exists(options.run + "/games.db"))
    throw Error(
        options.run + ": nothing was learnt there yet; 'tabula train " + options.game +
        "' learns, --run and --model say where to look else, --model rollout plays without.");
  std::unique_ptr<Evaluator> evaluator;
  const std::string opening = options.itself > 0 ? "" : "you play against ";
  if (options.model == "rollout") {
    evaluator = rollout_player(options.seed).searching();
  } else {
    const NamedNet found = find_net(options.model, options.run, *rules);
    std::cout << opening << found.name << "\n";
    evaluator = net_player(found.name, found.net, *rules).searching();
  }
  Table table(*rules, options, std::move(evaluator));
  if (options.itself == 0) table.play();
  for (int game = 1; game <= options.itself; ++game) table.show(game, game == 1 ? 0 : 2);
  return 0;
}

}  // namespace tabula
