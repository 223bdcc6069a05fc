#include "core/service/pace.h"

#include <algorithm>
#include <cmath>

namespace tabula {
namespace {

constexpr double kBusyEnough = 1e-5;  // a shorter share of the time says nothing of the speed
constexpr double kYieldMemory = 10;   // times the memory: games come in bursts

}  // namespace

void Pace::Average::add(double sample, double span, double memory) {
  seconds = std::min(memory, seconds + span);
  value += (sample - value) * std::min(1., span / seconds);
}

double Pace::fresh_per_ply() const {
  return stored_.value > 0 ? std::min(1., fresh_.value / stored_.value) : 0;
}

void Pace::look(const PaceReport& report, double seconds) {
  for (const double figure :
       {report.samples_per_second, report.waiting, report.reuse_target, report.fresh_per_second,
        report.stored_per_second, report.plies_per_second})
    if (!std::isfinite(figure) || figure < 0) return;
  if (!(seconds > 0)) return;
  const double memory = config_.memory_seconds, busy = 1 - report.waiting;
  if (report.samples_per_second > 0 && busy > kBusyEnough)
    capacity_.add(report.samples_per_second / busy, seconds * busy, memory);
  if (report.workers > 0 && report.plies_per_second > 0)
    per_worker_.add(report.plies_per_second / report.workers, seconds, memory);
  if (report.reuse_target <= 0) return;  // no trainer says what came to it
  fresh_.add(report.fresh_per_second, seconds, kYieldMemory * memory);
  stored_.add(report.stored_per_second, seconds, kYieldMemory * memory);

  const double each = per_worker_.value * fresh_per_ply() * report.reuse_target;
  if (capacity_.value <= 0 || each <= 0) return;  // nothing is known yet
  const double soon = std::max(double(wanted_), 2. * report.workers);
  const double exact =
      std::clamp(std::min(capacity_.value / each, soon), config_.least, config_.most);
  if (std::abs(exact - wanted_) > std::max(0.6, config_.tolerance * wanted_))
    wanted_ = int(std::lround(exact));
}

}  // namespace tabula
