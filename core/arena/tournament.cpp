#include "core/arena/tournament.h"

#include <algorithm>

#include "core/arena/pairs.h"

namespace tabula {
namespace {

// Every two players meet in all openings; an opening's dice are the same for all of them.
std::vector<PairTicket> schedule(const Rules& rules, std::size_t players,
                                 const TournamentConfig& config, Tournament& out) {
  out.opening_plies = config.opening_plies >= 0
                          ? config.opening_plies
                          : plies_for_openings(rules, std::size_t(config.pairs));
  const std::vector<MoveList> openings =
      draw_openings(rules, config.seed, out.opening_plies, std::size_t(config.pairs));
  if (openings.empty())
    throw Error(rules.name() + " has no openings of " + std::to_string(out.opening_plies) +
                " plies; --opening-plies takes fewer.");
  out.pairs = int(openings.size());
  std::vector<PairTicket> tickets;
  for (std::uint32_t slot = 0; slot < openings.size(); ++slot)
    for (std::size_t a = 0; a < players; ++a)
      for (std::size_t b = a + 1; b < players; ++b)
        tickets.push_back({slot, a, b, pair_seed(config.seed, slot), openings[slot]});
  return tickets;
}

}  // namespace

Tournament play_tournament(const Rules& rules, std::span<Player> players,
                           const TournamentConfig& config, const Progress& progress) {
  Tournament out;
  const std::vector<PairTicket> tickets = schedule(rules, players.size(), config, out);
  for (std::size_t a = 0; a < players.size(); ++a)
    for (std::size_t b = a + 1; b < players.size(); ++b) out.meetings.push_back({a, b, {}});
  std::size_t given = 0, finished = 0;
  PairGroup group(
      rules, players, std::max(1, config.games_at_once / 2), config.temperature,
      [&]() -> std::optional<PairTicket> {
        if (given == tickets.size()) return {};
        return tickets[given++];
      },
      [&](const PairResult& pair) {
        std::ranges::find_if(out.meetings, [&](const Meeting& meeting) {
          return meeting.a == pair.a && meeting.b == pair.b;
        })->counts.add(pair.half_points());
        out.games.push_back({pair.a, pair.b, pair.results[0], pair.moves[0]});
        out.games.push_back({pair.b, pair.a, pair.results[1], pair.moves[1]});
        ++finished;
      });
  const auto goes_on = [&] { return !progress || progress(finished, tickets.size()); };
  while (goes_on() && group.round()) {}
  out.ratings = rate(players.size(), out.games);
  return out;
}

}  // namespace tabula
