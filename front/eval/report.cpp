#include "front/eval/report.h"

#include <algorithm>
#include <cstdio>

namespace tabula {
namespace {

using Json = EvalReport::Json;

std::string number(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

// "3.70 % (2.70 to 5.05)"
std::string share_text(double hits, std::size_t tries) {
  if (tries == 0) return "-";
  const Interval interval = share_interval(hits, double(tries));
  return number(100 * hits / double(tries), 2) + " % (" + number(100 * interval.low, 2) + " to " +
         number(100 * interval.high, 2) + ")";
}

void add_share(Json& row, const std::string& key, std::size_t hits, std::size_t tries) {
  const Interval interval = share_interval(double(hits), double(tries));
  row[key] = tries == 0 ? Json() : Json(double(hits) / double(tries));
  row[key + "_interval"] = {interval.low, interval.high};
}

std::string simulations_text(int simulations) {
  return simulations == 0 ? "alone" : std::to_string(simulations);
}

std::string lost_text(const ExactPlay& play) {
  return std::to_string(play.lost) + " of " + std::to_string(play.lines);
}

}  // namespace

// The first column to the left, the others to the right.
void EvalReport::add_table(const std::string& title,
                           const std::vector<std::vector<std::string>>& cells) {
  text += (text.empty() ? "" : "\n") + title + "\n\n";
  std::vector<std::size_t> widths(cells[0].size());
  for (const auto& row : cells)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const auto& row : cells) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - row[i].size(), ' ');
      text += i == 0 ? row[i] + space : "   " + space + row[i];
    }
    text += "\n";
  }
}

void EvalReport::add_positions(std::span<const PositionRow> rows, const std::string& source,
                               double random) {
  const Score& any = rows.front().score;
  Json all = Json::array();
  std::vector<std::vector<std::string>> cells = {
      {"player", "simulations", "of all positions", "of those not lost"}};
  for (const PositionRow& row : rows) {
    const auto& [positions, not_lost, thrown] = row.score;
    cells.push_back({row.player, simulations_text(row.simulations),
                     share_text(double(thrown), positions), share_text(double(thrown), not_lost)});
    Json one = {{"player", row.player}, {"simulations", row.simulations}, {"thrown", thrown}};
    add_share(one, "share", thrown, positions);
    add_share(one, "share_not_lost", thrown, not_lost);
    all.push_back(one);
  }
  const auto mean = [&](std::size_t tries) {
    return tries == 0 ? "-" : number(100 * random / double(tries), 2) + " %";
  };
  cells.push_back({"random moves", "-", mean(any.positions), mean(any.not_lost)});
  add_table(std::to_string(any.positions) + " positions (" + source + "), " +
                std::to_string(any.not_lost) +
                " of them not lost: share of moves that throw the game's value away, with 95 % "
                "intervals",
            cells);
  json["positions"] = {{"source", source},
                       {"count", any.positions},
                       {"not_lost", any.not_lost},
                       {"thrown_by_random_moves", random},
                       {"rows", all}};
}

void EvalReport::add_pig(std::span<const PigRow> rows) {
  Json all = Json::array();
  std::vector<std::vector<std::string>> cells = {
      {"player", "simulations", "moving first", "second", "mean"}};
  for (const PigRow& row : rows) {
    const auto& [first, second] = row.seats;
    cells.push_back({row.player, simulations_text(row.simulations), number(first, 5),
                     number(second, 5), number(row.seats.mean(), 5)});
    all.push_back({{"player", row.player},
                   {"simulations", row.simulations},
                   {"first", first},
                   {"second", second},
                   {"mean", row.seats.mean()}});
  }
  add_table("chances of winning against optimal play, exactly; the best possible mean is 0.5",
            cells);
  json["against_optimal"] = all;
}

void EvalReport::add_lines(std::span<const LinesRow> rows) {
  Json all = Json::array();
  std::vector<std::vector<std::string>> cells = {
      {"player", "simulations", "first, exact", "second, exact", "first, any", "second, any"}};
  for (const LinesRow& row : rows) {
    cells.push_back({row.player, simulations_text(row.simulations), lost_text(row.exact[0]),
                     lost_text(row.exact[1]), lost_text(row.any[0]), lost_text(row.any[1])});
    Json one = {{"player", row.player}, {"simulations", row.simulations}};
    for (const auto& [key, plays] : {std::pair("exact", row.exact), std::pair("any", row.any)})
      for (int seat : {0, 1})
        one[key].push_back(
            {{"lines", plays[seat].lines}, {"won", plays[seat].won}, {"lost", plays[seat].lost}});
    all.push_back(one);
  }
  add_table(
      "lines lost, of every line of play: moving first and second, against exact replies and "
      "against any",
      cells);
  json["lines"] = all;
}

}  // namespace tabula
