#include "front/run/run_report.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/error.h"
#include "core/store/reader.h"
#include "front/run/train_view.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// A table of numbers, by the names in its first line; an empty cell is not a number.
std::map<std::string, std::vector<double>> read_table(const fs::path& file) {
  std::ifstream in(file);
  std::string line, cell;
  std::map<std::string, std::vector<double>> table;
  std::vector<std::string> names;
  if (!std::getline(in, line)) return table;
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    for (const std::string& name : names) {
      cell.clear();
      std::getline(cells, cell, ',');
      table[name].push_back(cell.empty() ? NAN : std::atof(cell.c_str()));
    }
  }
  return table;
}

SvgPlot::Points pairs(const std::vector<double>& seconds, const std::vector<double>& values) {
  SvgPlot::Points points;
  for (std::size_t i = 0; i < std::min(seconds.size(), values.size()); ++i)
    points.emplace_back(seconds[i] / 60, values[i]);
  return points;
}

// Every number in it, by its path: eval.positions.rows.0.share.
void add_numbers(const Json& json, const std::string& path, std::map<std::string, double>& to) {
  if (json.is_number()) to[path] = json.get<double>();
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) add_numbers(value, path + "." + key, to);
}

void add_progress(const fs::path& file, RunReport& report) {
  auto table = read_table(file);
  const std::vector<double>& seconds = table["seconds"];
  if (seconds.empty()) return;
  report.games = pairs(seconds, table["games"]);
  report.loss = pairs(seconds, table["loss"]);
  report.figures["minutes"] = seconds.back() / 60;
  for (const char* name : {"step", "loss", "policy", "wdl", "reuse", "samples_per_second"})
    if (!table[name].empty() && std::isfinite(table[name].back()))
      report.figures[name] = table[name].back();
}

}  // namespace

RunReport report_of(const fs::path& folder) {
  const fs::path database = folder / "games.db";
  if (!fs::exists(database))
    throw Error(folder.string() + ": there is no run; it has no games.db.");
  RunReport report;
  report.name = fs::absolute(folder).lexically_normal().filename().string();
  if (report.name.empty())
    report.name = fs::absolute(folder).lexically_normal().parent_path().filename().string();
  const RunStatus status = status_at_rest(database);
  report.game = status.game;
  const std::vector<double> ratings = rating_curve(status);
  for (std::size_t i = 0; i < ratings.size(); ++i)
    report.rating.emplace_back(double(i), ratings[i]);
  report.figures["games"] = double(status.totals.seen_games);
  report.figures["positions"] = double(status.totals.seen_positions);
  report.figures["models"] = double(status.models.size());
  report.figures["promotions"] = double(Reader(database).champion().version);
  if (!ratings.empty()) report.figures["rating"] = ratings.back();
  add_progress(folder / "training" / "progress.csv", report);
  if (std::ifstream eval(folder / "eval.json"); eval)
    add_numbers(Json::parse(eval, nullptr, false), "eval", report.figures);
  return report;
}

std::map<std::string, Spread> statistics_of(const std::vector<RunReport>& runs) {
  std::map<std::string, std::vector<double>> values;
  for (const RunReport& run : runs)
    for (const auto& [name, value] : run.figures) values[name].push_back(value);
  std::map<std::string, Spread> spreads;
  for (const auto& [name, all] : values) {
    const auto [least, most] = std::ranges::minmax(all);
    Spread spread{.least = least, .most = most, .count = int(all.size())};
    for (const double value : all) spread.mean += value / double(all.size());
    double squares = 0;
    for (const double value : all) squares += (value - spread.mean) * (value - spread.mean);
    if (all.size() > 1) spread.deviation = std::sqrt(squares / double(all.size() - 1));
    spreads[name] = spread;
  }
  return spreads;
}

std::string report_json(const std::vector<RunReport>& runs) {
  Json json;
  for (const RunReport& run : runs)
    json["runs"].push_back({{"name", run.name}, {"game", run.game}, {"figures", run.figures}});
  for (const auto& [name, spread] : statistics_of(runs))
    json["statistics"][name] = {{"mean", spread.mean},
                                {"deviation", spread.deviation},
                                {"least", spread.least},
                                {"most", spread.most},
                                {"runs", spread.count}};
  return json.dump(2, ' ', true) + "\n";
}

}  // namespace tabula
