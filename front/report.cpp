// Figures, plots and statistics of one run or several, after the fact.
#include <cstdio>
#include <iostream>

#include "core/base/files.h"
#include "front/commands.h"
#include "front/run/run_report.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> runs;
  std::string out, at_least;

  bool parse(const Args& args) {
    Options options("tabula report RUN ... [options]",
                    "Says what trainings came to: figures of each, statistics over all, and plots. "
                    "A run's eval.json, the output of 'tabula eval --json', is taken in.");
    options.arguments("RUN", runs)
        .add("out", out, "write report.json, games.svg, loss.svg and rating.svg to this folder")
        .add("at-least", at_least, "fail unless each run reached it: FIGURE=NUMBER, as games=1000");
    if (!options.parse(args)) return false;
    if (runs.empty()) throw Error("which runs? Their folders are wanted.");
    return true;
  }
};

void write_plot(const fs::path& file, const std::string& title, const std::string& x,
                const std::vector<RunReport>& runs, SvgPlot::Points RunReport::*curve) {
  SvgPlot plot(title, x, "");
  for (const RunReport& run : runs)
    if (!(run.*curve).empty()) plot.line(run.name, run.*curve);
  write_file_atomically(file, plot.text());
}

void write_all(const fs::path& folder, const std::vector<RunReport>& runs) {
  fs::create_directories(folder);
  write_file_atomically(folder / "report.json", report_json(runs));
  write_plot(folder / "games.svg", "games", "minutes", runs, &RunReport::games);
  write_plot(folder / "loss.svg", "loss", "minutes", runs, &RunReport::loss);
  write_plot(folder / "rating.svg", "rating (Elo)", "matches", runs, &RunReport::rating);
}

void print(const std::vector<RunReport>& runs) {
  std::printf("%zu %s\n%-34s %14s %14s %14s %14s\n", runs.size(), runs.size() == 1 ? "run" : "runs",
              "figure", "mean", "deviation", "least", "most");
  for (const auto& [name, spread] : statistics_of(runs))
    std::printf("%-34s %14.6g %14.6g %14.6g %14.6g\n", name.c_str(), spread.mean, spread.deviation,
                spread.least, spread.most);
}

// 1 if a run is below it.
int check_reached(const std::string& wish, const std::vector<RunReport>& runs) {
  const std::size_t sign = wish.find('=');
  char* end = nullptr;
  const double least = sign == wish.npos ? 0 : std::strtod(wish.c_str() + sign + 1, &end);
  if (sign == wish.npos || end == wish.c_str() + sign + 1 || *end != '\0')
    throw Error("--at-least takes FIGURE=NUMBER, such as games=1000, not '" + wish + "'.");
  const std::string figure = wish.substr(0, sign);
  int status = 0;
  for (const RunReport& run : runs) {
    const auto found = run.figures.find(figure);
    if (found == run.figures.end()) throw Error(run.name + ": it has no figure '" + figure + "'.");
    if (found->second >= least) continue;
    std::printf("%s did not reach %s: its %s is %g\n", run.name.c_str(), wish.c_str(),
                figure.c_str(), found->second);
    status = 1;
  }
  return status;
}

}  // namespace

int report_command(const Args& args) {
  ReportOptions options;
  if (!options.parse(args)) return 0;
  std::vector<RunReport> runs;
  for (const std::string& run : options.runs) runs.push_back(report_of(run));
  for (const RunReport& run : runs)
    if (run.game != runs.front().game)
      throw Error(run.name + " is a run of " + run.game + ", " + runs.front().name + " of " +
                  runs.front().game + "; a report is of one game.");
  print(runs);
  if (!options.out.empty()) write_all(options.out, runs);
  return options.at_least.empty() ? 0 : check_reached(options.at_least, runs);
}

}  // namespace tabula
