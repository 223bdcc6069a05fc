#include "selfplay/report.h"

#include <cstdio>

namespace tabula {
namespace {

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : double(part) / double(whole);
}

}  // namespace

void PlayReport::take(const PlayFigures& now, double seconds_now, double processor_now) {
  since_.play.games = now.play.games - last_.play.games;
  since_.play.plies = now.play.plies - last_.play.plies;
  since_.play.descents = now.play.descents - last_.play.descents;
  since_.play.evaluations = now.play.evaluations - last_.play.evaluations;
  since_.cache.asked = now.cache.asked - last_.cache.asked;
  since_.cache.hits = now.cache.hits - last_.cache.hits;
  since_.batches = now.batches - last_.batches;
  since_.questions = now.questions - last_.questions;
  seconds_ = seconds_now - last_seconds_;
  processor_ = processor_now - last_processor_;
  last_ = now;
  last_seconds_ = seconds_now;
  last_processor_ = processor_now;
}

std::vector<PlayReport::Rate> PlayReport::rates() const {
  const auto rate = [&](std::uint64_t count) {
    return seconds_ > 0 ? double(count) / seconds_ : 0;
  };
  const auto judged = since_.questions - since_.cache.hits;
  return {{"games/s", rate(since_.play.games), 2},
          {"plies/s", rate(since_.play.plies), 1},
          {"simulations/s", rate(since_.play.descents), 0},
          {"evaluations/s", rate(judged), 0},
          {"batch_fill", since_.batches ? share(since_.questions, since_.batches) / batch_ : 0, 2},
          {"cache_hits", share(since_.cache.hits, since_.cache.asked), 2},
          {"simulations/cpu_s", processor_ > 0 ? double(since_.play.descents) / processor_ : 0, 0}};
}

LogFields PlayReport::fields() const {
  LogFields fields;
  for (const Rate& rate : rates()) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", rate.digits, rate.value);
    fields.emplace_back(rate.name, text);
  }
  return fields;
}

std::vector<Beat::Figure> PlayReport::figures() const {
  std::vector<Beat::Figure> figures;
  for (const Rate& rate : rates()) figures.push_back({rate.name, rate.value});
  figures.push_back({"games", double(last_.play.games)});
  figures.push_back({"descents", double(last_.play.descents)});
  figures.push_back({"cpu_seconds", last_processor_});
  figures.push_back({"processor", seconds_ > 0 ? processor_ / seconds_ / threads_ : 0});
  return figures;
}

}  // namespace tabula
