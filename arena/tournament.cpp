// arena tournament: rates any players together.
#include "core/arena/tournament.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "arena/commands.h"
#include "arena/solvers.h"
#include "core/cli/program.h"
#include "core/wire/model_transfer.h"

namespace tabula {
namespace {

constexpr std::size_t kShortestId = 6;  // digits of a model's id that may stand for it

struct TournamentOptions : CommonOptions {
  TournamentConfig tournament;
  std::vector<std::string> players;
  int simulations = 200;
  bool json = false;

  bool parse(const Args& args) {
    Options options(
        "arena tournament PLAYER PLAYER ... --game NAME",
        "Plays each against each, in pairs with colours swapped, and rates them: Elo "
        "with 95 % intervals.\nA PLAYER is a model's file, random, rollout:SIMS, "
        "minimax:DEPTH, or solver (connect4). With --replay\nalso champion, latest or a "
        "model's id. A model may be followed by @SIMS, and by @SIMS:KERNEL.");
    options.arguments("PLAYER", players);
    options.add("replay", replay, "the address of a store, whose models may play");
    declare(options);
    options.add("pairs", tournament.pairs, "of each two players, while there are openings")
        .add("simulations", simulations, "a move, for models that do not say")
        .add("opening-plies", tournament.opening_plies,
             "random plies before each pair; -1: as few as give each pair its own opening")
        .add("temperature", tournament.temperature, "of the moves that searches choose")
        .add("games-at-once", tournament.games_at_once, "side by side, for larger batches")
        .add("seed", tournament.seed, "of openings, dice and draws")
        .flag("json", json, "print JSON");
    return options.parse(args);
  }

  void check() const {
    if (players.size() < 2) throw Error("a tournament needs two players at least.");
    if (game.empty() && replay.empty()) throw Error("which game? --game NAME names it.");
    if (tournament.pairs < 1 || tournament.pairs > 1'000'000)
      throw Error("--pairs takes 1 to 1000000.");
    if (simulations < 1 || simulations > 1'000'000)
      throw Error("--simulations takes 1 to 1000000.");
    if (tournament.games_at_once < 2 || tournament.games_at_once > 4096)
      throw Error("--games-at-once takes 2 to 4096.");
    if (!(tournament.temperature >= 0 && tournament.temperature <= 10))
      throw Error("--temperature takes 0 to 10.");
  }
};

// The models of a store, by the words that name them.
class StoreModels {
 public:
  StoreModels(const std::string& address, const std::string& key)
      : keys_(key.empty() ? std::nullopt : std::optional(read_client_keys(key))),
        client_(address, keys_) {}

  std::string game() { return client_.ask<Welcome>(Hello{"arena", "tournament"}).game; }

  Net net(const std::string& name) {
    const std::string id = id_of(name);
    return net_of(decode_safetensors(fetch_model(client_, keys_, id), id), id);
  }

 private:
  std::vector<ModelRow> models() {
    std::vector<ModelRow> rows;
    for (bool more = true; more;) {
      const auto list = client_.ask<ModelList>(Models{rows.empty() ? 0 : rows.back().number});
      rows.insert(rows.end(), list.models.begin(), list.models.end());
      more = list.models.size() >= kMaxRows;
    }
    return rows;
  }

  std::string id_of(const std::string& name) {
    if (name == "champion") {
      const std::string id = client_.ask<ChampionIs>(AskChampion{}).champion.model;
      return id.empty() ? throw Error("the store has no champion yet.") : id;
    }
    const std::vector<ModelRow> rows = models();
    if (name == "latest")
      return rows.empty() ? throw Error("the store has no models.") : rows.back().id;
    std::vector<std::string> found;
    for (const ModelRow& row : rows)
      if (name.size() >= kShortestId && row.id.starts_with(name)) found.push_back(row.id);
    if (found.size() == 1) return found[0];
    throw Error("'" + name + "' is neither a file nor " +
                (found.empty() ? "a model of the store." : "one model of the store alone."));
  }

  std::optional<ClientKeys> keys_;
  Client client_;
};

std::string padded(const std::string& text, std::size_t width, bool right = true) {
  const std::string space(width > text.size() ? width - text.size() : 0, ' ');
  return right ? space + text : text + space;
}

std::string number(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

void print_table(const std::vector<Player>& players, const Tournament& played,
                 const std::string& game, int wanted) {
  std::size_t width = 6;
  for (const Player& player : players) width = std::max(width, player.name.size());
  std::cout << padded("player", width, false)
            << "      Elo       95 % interval   score   games  distinct\n";
  std::vector<std::size_t> order(players.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](auto i) { return played.ratings[i].elo; });
  for (const std::size_t i : order) {
    const Rating& r = played.ratings[i];
    const std::string interval =
        "[" + number("%+.1f", r.low) + ", " + number("%+.1f", r.high) + "]";
    std::cout << padded(players[i].name, width, false) << padded(number("%+.1f", r.elo), 9)
              << padded(interval, 20)
              << padded(number("%.1f %%", r.games ? 100 * r.points / r.games : 0), 8)
              << padded(std::to_string(r.games), 8) << padded(std::to_string(r.distinct), 10)
              << "\n";
  }
  for (const Meeting& meeting : played.meetings) {
    const EloEstimate elo = estimate_elo(meeting.counts);
    std::cout << players[meeting.a].name << " against " << players[meeting.b].name << ": "
              << number("%+.1f", elo.elo) << " Elo [" << number("%+.1f", elo.low) << ", "
              << number("%+.1f", elo.high) << "] by " << meeting.counts.pairs() << " pairs\n";
  }
  std::cout << game << ": " << played.games.size() << " games, " << distinct_games(played.games)
            << " of them distinct; " << played.pairs << " openings of " << played.opening_plies
            << " plies" << (played.pairs < wanted ? ", and there are no more" : "") << ".\n";
}

void print_json(const std::vector<Player>& players, const Tournament& played,
                const std::string& game) {
  nlohmann::json rated = nlohmann::json::array();
  for (std::size_t i = 0; i < players.size(); ++i) {
    const Rating& r = played.ratings[i];
    rated.push_back({{"name", players[i].name},
                     {"elo", r.elo},
                     {"low", r.low},
                     {"high", r.high},
                     {"points", r.points},
                     {"games", r.games},
                     {"distinct", r.distinct}});
  }
  nlohmann::json met = nlohmann::json::array();
  for (const Meeting& meeting : played.meetings) {
    const EloEstimate elo = estimate_elo(meeting.counts);
    met.push_back({{"a", players[meeting.a].name},
                   {"b", players[meeting.b].name},
                   {"pairs", meeting.counts.of},
                   {"elo", elo.elo},
                   {"low", elo.low},
                   {"high", elo.high}});
  }
  std::cout << nlohmann::json{{"game", game},
                              {"games", played.games.size()},
                              {"distinct", distinct_games(played.games)},
                              {"openings", played.pairs},
                              {"opening_plies", played.opening_plies},
                              {"players", rated},
                              {"meetings", met}}
                   .dump(2)
            << "\n";
}

}  // namespace

int tournament_command(const Args& args) {
  TournamentOptions options;
  if (!options.parse(args)) return 0;
  options.check();
  std::atomic<bool> stopped = false;
  const StopSignals signals([&] { stopped = true; });

  std::optional<StoreModels> store;
  if (!options.replay.empty()) store.emplace(options.replay, options.key);
  const RulesPtr rules =
      options.registry().find(options.game.empty() ? store->game() : options.game);
  PlayerSource source{
      .simulations = options.simulations, .engine = options.engine, .solver = solver_of};
  if (store)
    source.model = [&](const std::string& name) {
      return std::filesystem::exists(name) ? load_net(name) : store->net(name);
    };
  std::vector<Player> players;
  for (const std::string& name : options.players)
    players.push_back(make_player(name, *rules, source));

  const bool shown = isatty(2);
  std::size_t said = SIZE_MAX;
  const Tournament played = play_tournament(
      *rules, players, options.tournament, [&](std::size_t finished, std::size_t of) {
        if (shown && std::exchange(said, finished) != finished)
          std::cerr << "\r" << finished << " of " << of << " pairs ";
        return !stopped;
      });
  if (shown) std::cerr << "\r\033[K";
  options.json ? print_json(players, played, rules->name())
               : print_table(players, played, rules->name(), options.tournament.pairs);
  return 0;
}

}  // namespace tabula
