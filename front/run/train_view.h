#pragma once
#include <string>
#include <vector>

#include "front/run/diagnosis.h"
#include "front/run/run_status.h"

namespace tabula {

// What a person sees of a training.
struct TrainView {
  std::string game, folder;
  double seconds = 0;  // since it was started
  double minutes = 0;  // that it will take; 0: no end
  int restarts = 0;

  // For a terminal: lines to be drawn over the last ones, each at most so wide.
  std::vector<std::string> lines(const RunStatus& status, const Diagnosis& diagnosis,
                                 int width) const;
  // The same without what belongs to a training that is being watched.
  std::vector<std::string> summary(const RunStatus& status, const Diagnosis& diagnosis,
                                   int width) const;
  // For a log file or a pipe.
  std::string line(const RunStatus& status, const Diagnosis& diagnosis) const;
};

// Elo of the champions over the first, in order, as far as they were rated; it grows by what each
// match found.
std::vector<double> rating_curve(const RunStatus& status);
// Where the curve has come, as a clause; empty: there was no match yet.
std::string rating_text(const RunStatus& status);
std::string grouped(double number);      // 12,345
std::string clock_text(double seconds);  // 1:02:03

}  // namespace tabula
