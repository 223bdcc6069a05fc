#include "core/truth/exact_play.h"

#include <map>
#include <string>

#include "core/truth/judged.h"
#include "core/truth/position_key.h"

namespace tabula {
namespace {

struct Reached {
  State state;
  std::uint64_t lines;  // that lead here
};
using Level = std::map<std::string, Reached>;  // positions of one ply

void add(Level& level, const State& from, Action action, std::uint64_t lines) {
  State next = from;
  next.apply(action);
  level.try_emplace(position_key(next), Reached{next, 0}).first->second.lines += lines;
}

std::vector<Action> replies_in(const State& state, Replies replies, ExactSolver& solver) {
  std::vector<Action> legal = state.legal();
  if (replies == Replies::any) return legal;
  const std::vector<bool> keeps = judged(state, solver).keeps;
  std::vector<Action> exact;
  for (std::size_t i = 0; i < legal.size(); ++i)
    if (keeps[i]) exact.push_back(legal[i]);
  return exact;
}

void count(const Reached& end, int seat, ExactPlay& play) {
  const int result = seat == 0 ? end.state.result() : -end.state.result();
  play.lines += end.lines;
  play.won += result > 0 ? end.lines : 0;
  play.lost += result < 0 ? end.lines : 0;
}

}  // namespace

ExactPlay play_every_line(const Rules& rules, int seat, Replies replies, ExactSolver& solver,
                          const Chooser& player) {
  ExactPlay play;
  const State start(rules);
  Level level{{position_key(start), {start, 1}}};
  while (!level.empty()) {
    Level next;
    std::vector<State> to_choose;
    std::vector<std::uint64_t> lines;
    for (const auto& [key, reached] : level) {
      if (reached.state.over()) {
        count(reached, seat, play);
      } else if (reached.state.turn() == seat) {
        to_choose.push_back(reached.state);
        lines.push_back(reached.lines);
      } else {
        for (Action reply : replies_in(reached.state, replies, solver))
          add(next, reached.state, reply, reached.lines);
      }
    }
    const std::vector<std::size_t> choices = player(to_choose);
    for (std::size_t i = 0; i < to_choose.size(); ++i)
      add(next, to_choose[i], to_choose[i].legal()[choices[i]], lines[i]);
    level = std::move(next);
  }
  return play;
}

}  // namespace tabula
