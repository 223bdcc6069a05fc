#include "front/eval/positions.h"

#include <charconv>
#include <sstream>

#include "core/base/files.h"
#include "core/base/printable.h"
#include "core/truth/sample.h"
#include "front/eval/connect4.h"
#include "front/eval/progress.h"
#include "games/connect4/solver/position.h"

namespace tabula {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 26;
constexpr int kQuickPly = 14;  // of Connect Four: a hundred such positions take a second or two

Connect4Line parse_line(const std::string& text, const std::string& source) {
  std::istringstream words(text);
  std::string moves, score, more, why;
  words >> moves >> score;
  if (score.empty() || words >> more)
    throw Error(source + ": '" + printable(text, 60) + "' is not MOVES and SCORE.");
  int number = 0;
  const char* end = score.data() + score.size();
  if (const auto read = std::from_chars(score.data(), end, number);
      read.ec != std::errc() || read.ptr != end)
    throw Error(source + ": '" + printable(score, 20) + "' is not a score.");
  const auto position = connect4::Position::parse(moves, &why);
  if (!position) throw Error(source + ": " + printable(why, 80) + ".");
  if (position->over()) throw Error(source + ": the game is over after these moves.");
  return {moves, (number > 0) - (number < 0), source};
}

}  // namespace

std::vector<Judged> positions_in_file(const Rules& rules, const std::string& file,
                                      const Judging& judging) {
  if (rules.name() != kConnect4)
    throw Error("files of positions are read for connect4 only; say --solver N for '" +
                rules.name() + "'.");
  std::istringstream in(read_file(file, kMaxBytes));
  std::vector<Connect4Line> lines;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number)
    if (line.find_first_not_of(" \t\r") != line.npos)
      lines.push_back(parse_line(line, file + ", line " + std::to_string(number)));
  if (lines.empty()) throw Error(file + ": there is no position in it.");
  return judge_connect4(rules, lines, judging);
}

std::vector<Judged> random_positions_of(const Rules& rules, std::size_t count, std::uint64_t seed,
                                        int first_ply, const Judging& judging) {
  const bool connect4 = rules.name() == kConnect4;
  if (first_ply < 0) first_ply = connect4 ? kQuickPly : 0;
  if (rules.has_chance())  // before games are played for nothing
    throw Error("'" + rules.name() + "' has dice, and positions are solved only without.");
  const std::vector<Sample> samples = sample_positions(rules, count, seed, first_ply);
  if (!connect4) {
    ExactSolver solver;
    Progress progress("solving positions", count);
    std::vector<Judged> positions;
    for (const Sample& sample : samples) {
      positions.push_back(judged(sample.state, solver));
      progress.at(positions.size());
    }
    return positions;
  }
  std::vector<Connect4Line> lines;
  for (const Sample& sample : samples) {
    std::string moves;
    for (Action column : sample.moves) moves += char('1' + column);
    lines.push_back({moves, std::nullopt, "position " + moves});
  }
  return judge_connect4(rules, lines, judging);
}

}  // namespace tabula
