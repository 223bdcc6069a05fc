#include "front/run/train_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/arena/verdict.h"

namespace tabula {
namespace {

std::string fixed(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string percent(double share) { return fixed(100 * share, 0) + " %"; }

const ModelRow* model_of(const RunStatus& status, const std::string& id) {
  const auto found = std::ranges::find(status.models, id, &ModelRow::id);
  return found == status.models.end() ? nullptr : &*found;
}

std::string model_text(const RunStatus& status, const std::string& id) {
  const ModelRow* model = model_of(status, id);
  return model ? "model " + std::to_string(model->number) + " (step " +
                     grouped(double(model->step)) + ")"
               : "none yet";
}

// Eight heights of a bar.
std::string spark(const std::vector<double>& values, std::size_t most) {
  static constexpr const char* kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const auto from = values.size() > most ? values.end() - std::ptrdiff_t(most) : values.begin();
  const auto [low, high] = std::minmax_element(from, values.end());
  std::string text;
  for (auto value = from; value != values.end(); ++value)
    text += kBars[*high > *low ? int(7 * (*value - *low) / (*high - *low)) : 0];
  return text;
}

std::string self_play_text(const RunStatus& status) {
  const int workers = status.count("selfplay");
  if (workers == 0 || !status.find("selfplay")->figures.contains("games/s")) return "starting";
  return std::to_string(workers) + (workers == 1 ? " worker, " : " workers, ") +
         fixed(status.sum("selfplay", "games/s"), 1) + " games/s, " +
         grouped(status.sum("selfplay", "simulations/s")) + " simulations/s, " +
         grouped(status.sum("selfplay", "evaluations/s")) + " evaluations/s, cache " +
         percent(status.sum("selfplay", "cache_hits") / workers) + ", batch " +
         percent(status.sum("selfplay", "batch_fill") / workers);
}

std::string trainer_text(const RunStatus& status) {
  const ProgramStatus* trainer = status.find("trainer");
  if (!trainer || !trainer->figures.contains("steps")) return "starting";
  if ((*trainer)["steps"] == 0) return "waits for the first games";
  std::string text = "step " + grouped((*trainer)["steps"]) + ", " +
                     grouped((*trainer)["samples_per_second"]) + " samples/s, reuse " +
                     fixed((*trainer)["reuse"], 1) + " of " + fixed((*trainer)["reuse_target"], 1);
  if ((*trainer)["policy_loss"] > 0)
    text += ", loss of policy " + fixed((*trainer)["policy_loss"], 3) + ", of result " +
            fixed((*trainer)["wdl_loss"], 3);
  return text + ", waits " + percent((*trainer)["waiting"]);
}

std::string arena_text(const RunStatus& status) {
  if (!status.find("arena")) return "nobody tests candidates";
  if (!status.matches.empty() && status.matches.back().open) {
    const MatchRow& match = status.matches.back();
    return model_text(status, match.candidate) + " against " + model_text(status, match.champion) +
           ": " + grouped(status.find("arena")->operator[]("pairs")) + " pairs";
  }
  return status.matches.empty() ? "waits for candidates" : status.matches.back().verdict;
}

std::string memory_text(const RunStatus& status) {
  std::string text = "store " + fixed(status.memory, 0) + " MB";
  for (const auto& [program, name] :
       {std::pair("trainer", "trainer"), {"arena", "arena"}, {"selfplay", "self-play"}})
    if (status.sum(program, "memory") > 0)
      text += std::string(", ") + name + " " + fixed(status.sum(program, "memory"), 0) + " MB";
  return text;
}

// The matches that the rating is made of.
std::vector<const MatchRow*> rated_matches(const RunStatus& status) {
  std::vector<const MatchRow*> rated;
  for (const MatchRow& match : status.matches)
    if (const std::optional<Verdict> verdict = parse_verdict(match.verdict);
        verdict && verdict->figures &&
        (verdict->kind == Verdict::Kind::better || verdict->kind == Verdict::Kind::rated))
      rated.push_back(&match);
  return rated;
}

}  // namespace

std::string grouped(double number) {
  std::string digits = fixed(std::abs(number), 0), text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return number < 0 ? "-" + text : text;
}

std::string clock_text(double seconds) {
  const int whole = int(seconds);
  char text[32];
  std::snprintf(text, sizeof text, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
  return text;
}

std::vector<double> rating_curve(const RunStatus& status) {
  std::vector<double> curve;
  if (status.champion.empty()) return curve;
  curve.push_back(0);
  for (const MatchRow* match : rated_matches(status))
    curve.push_back(curve.back() + parse_verdict(match->verdict)->figures->elo.elo);
  return curve;
}

std::string rating_text(const RunStatus& status) {
  const std::vector<const MatchRow*> rated = rated_matches(status);
  if (rated.empty() || status.champion.empty()) return "";
  const std::string above = fixed(rating_curve(status).back(), 0) + " Elo above the first",
                    count = std::to_string(rated.size());
  if (parse_verdict(rated.back()->verdict)->kind == Verdict::Kind::better)
    return above + (rated.size() == 1 ? ", after a promotion" : ", after " + count + " promotions");
  // Without a gate ratings come after promotions, and not of all.
  return model_text(status, rated.back()->candidate) + " was " + above +
         (rated.size() == 1 ? ", by a match" : ", by " + count + " matches");
}

std::vector<std::string> TrainView::lines(const RunStatus& status, const Diagnosis& diagnosis,
                                          int width) const {
  std::vector<std::string> lines = summary(status, diagnosis, width);
  lines.front() = "learning " + game + ", " + clock_text(seconds) +
                  (minutes > 0 ? " of " + clock_text(60 * minutes) : "") + ", in " + folder;
  if (restarts > 0) lines.push_back("  restarts   " + std::to_string(restarts));
  lines.push_back("  Ctrl-C stops; the same command goes on.");
  return lines;
}

std::vector<std::string> TrainView::summary(const RunStatus& status, const Diagnosis& diagnosis,
                                            int width) const {
  const std::vector<double> curve = rating_curve(status);
  std::vector<std::string> lines = {
      game + ", " + folder,
      "  games      " + grouped(double(status.totals.seen_games)) + " with " +
          grouped(double(status.totals.seen_positions)) + " positions",
  };
  if (status.served) {
    lines.push_back("  self-play  " + self_play_text(status));
    lines.push_back("  trainer    " + trainer_text(status));
    lines.push_back("  arena      " + arena_text(status));
  }
  lines.push_back("  champion   " + model_text(status, status.champion) +
                  (curve.size() > 1 ? "; " + rating_text(status) : ""));
  if (status.memory > 0) lines.push_back("  memory     " + memory_text(status));
  if (curve.size() > 1) lines.push_back("  rating     " + spark(curve, std::size_t(width) / 2));
  lines.push_back("  limit      " + diagnosis.finding +
                  (diagnosis.healthy ? "" : "; " + diagnosis.remedy));
  return lines;
}

std::string TrainView::line(const RunStatus& status, const Diagnosis& diagnosis) const {
  const std::string rated = rating_text(status);
  return clock_text(seconds) + "  " + grouped(double(status.totals.seen_games)) + " games; " +
         self_play_text(status) + "; trainer: " + trainer_text(status) +
         "; champion: " + model_text(status, status.champion) +
         (rated.empty() ? "" : ", " + rated) + "; limit: " + diagnosis.finding;
}

}  // namespace tabula
