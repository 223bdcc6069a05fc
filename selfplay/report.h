#pragma once
#include <string>
#include <vector>

#include "core/base/log.h"
#include "core/loop/self_player.h"
#include "core/wire/messages.h"

namespace tabula {

// What self-play did since the last report, as rates.
class PlayReport {
 public:
  PlayReport(int batch, int threads) : batch_(batch), threads_(threads) {}

  void take(const PlayFigures& now, double seconds_now, double processor_now);
  LogFields fields() const;
  std::vector<Beat::Figure> figures() const;

 private:
  struct Rate {
    const char* name;
    double value;
    int digits;
  };
  std::vector<Rate> rates() const;

  int batch_;  // questions in a full one
  int threads_;
  PlayFigures last_, since_;
  double last_seconds_ = 0, seconds_ = 0, last_processor_ = 0, processor_ = 0;
};

}  // namespace tabula
