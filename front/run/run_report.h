// What trainings came to, from what they left on disk: figures, curves, and statistics over
// several.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/report/svg_plot.h"

namespace tabula {

struct RunReport {
  std::string name, game;
  std::map<std::string, double> figures;  // games, steps, rating, loss, ..., and eval.*
  SvgPlot::Points games, loss, rating;    // by minutes of training; the rating by matches
};

// Of a run's folder: games.db, training/progress.csv and, if `tabula eval --json` was kept there,
// eval.json. Throws Error if it is no run.
RunReport report_of(const std::filesystem::path& folder);

struct Spread {
  double mean = 0, deviation = 0, least = 0, most = 0;  // the deviation of a sample
  int count = 0;                                        // of runs that have the figure
};
std::map<std::string, Spread> statistics_of(const std::vector<RunReport>& runs);

std::string report_json(const std::vector<RunReport>& runs);

}  // namespace tabula
