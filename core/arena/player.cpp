#include "core/arena/player.h"

#include <charconv>

namespace tabula {
namespace {

constexpr std::size_t kCacheBytes = std::size_t{16} << 20;
constexpr int kMostSimulations = 1'000'000, kDeepest = 100;

int parse_number(const std::string& player, std::string_view digits, const char* what, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size() || number < 1 || number > most)
    throw Error("'" + player + "': " + what + " must be a number from 1 to " +
                std::to_string(most) + ".");
  return number;
}

Player search_player(const std::string& name, std::unique_ptr<Evaluator> evaluator,
                     const Rules& rules, int simulations) {
  Player player{.name = name};
  player.search.simulations = simulations;
  player.evaluator = with_cache(std::move(evaluator), rules, kCacheBytes);
  return player;
}

Player mover_player(const std::string& name, std::unique_ptr<Mover> mover) {
  return {.name = name, .mover = std::move(mover)};
}

// MODEL, MODEL@SIMS or MODEL@SIMS:KERNEL.
Player model_player(const std::string& text, const Rules& rules, const PlayerSource& source) {
  const std::size_t at = text.rfind('@');
  const std::string model = text.substr(0, at);
  int simulations = source.simulations;
  EngineConfig engine = source.engine;
  if (at != text.npos) {
    const std::string_view how = std::string_view(text).substr(at + 1);
    const std::size_t colon = how.find(':');
    simulations = parse_number(text, how.substr(0, colon), "simulations", kMostSimulations);
    if (colon != how.npos) engine = {.engine = "cpu", .kernel = std::string(how.substr(colon + 1))};
  }
  const Net net = source.model ? source.model(model) : load_net(model);
  return net_player(text, net, rules, simulations, engine);
}

}  // namespace

Player net_player(const std::string& name, const Net& net, const Rules& rules, int simulations,
                  const EngineConfig& engine) {
  check_made_for(net, rules);
  return search_player(name, net_evaluator(make_engine(net, engine), net.shape), rules,
                       simulations);
}

Player make_player(const std::string& text, const Rules& rules, const PlayerSource& source) {
  const std::string_view word = text;
  if (word == "random") return mover_player(text, random_mover());
  if (word.starts_with("rollout:")) {
    const int simulations = parse_number(text, word.substr(8), "simulations", kMostSimulations);
    return search_player(text, rollout_evaluator(1, 0), rules, simulations);
  }
  if (word.starts_with("minimax:"))
    return mover_player(text, minimax_mover(parse_number(text, word.substr(8), "depth", kDeepest)));
  if (word == "solver") {
    std::unique_ptr<Mover> solver = source.solver ? source.solver(rules) : nullptr;
    if (!solver) throw Error("there is no solver for " + rules.name() + ".");
    return mover_player(text, std::move(solver));
  }
  return model_player(text, rules, source);
}

}  // namespace tabula
