// A match as the store's rows tell it.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/arena/match_settings.h"
#include "core/base/error.h"

using namespace tabula;

namespace {

SlotRow row(std::uint32_t slot, int half_points) {
  const PairResult result{.number = slot,
                          .results = {std::min(1, half_points - 2), half_points < 4 ? 0 : -1},
                          .moves = {slot, mix(slot)}};
  return {slot, report_text(result), "arena"};
}

SlotRow outcome(std::uint32_t slot, int half_points) {
  return {slot, std::to_string(half_points) + " 00000000000000aa 00000000000000bb", "arena"};
}

std::vector<SlotRow> random_rows(Rng& rng, std::uint32_t count, std::uint32_t bias) {
  std::vector<SlotRow> rows;
  for (std::uint32_t slot = 0; slot < count; ++slot)
    rows.push_back(outcome(slot, int(std::min(4u, rng.below(5) + rng.below(100) / (100 - bias)))));
  return rows;
}

void shuffle(std::vector<SlotRow>& rows, Rng& rng) {
  for (std::size_t i = rows.size(); i > 1; --i)
    std::swap(rows[i - 1], rows[rng.below(std::uint32_t(i))]);
}

std::string text_of(const Standing& standing) {
  return to_text(verdict_of(standing, {})) + (standing.decided ? " decided" : " open");
}

}  // namespace

TEST_CASE("reports that come again, late or out of order change nothing") {
  Rng rng(4);
  for (int match = 0; match < 50; ++match) {
    const std::vector<SlotRow> rows = random_rows(rng, 150, rng.below(60));
    const std::string told = text_of(standing_of(rows, 200, {}));
    std::vector<SlotRow> messy = rows;
    shuffle(messy, rng);
    CHECK(text_of(standing_of(messy, 200, {})) == told);
    for (int again = 0; again < 50; ++again) {  // the store keeps the first report of a slot
      const auto slot = rng.below(150);
      messy.push_back(outcome(slot, int(rng.below(5))));
    }
    CHECK(text_of(standing_of(messy, 200, {})) == told);
    CHECK(standing_of(messy, 200, {}).reported == 150);
  }
}

TEST_CASE("a slot that is missing holds back those behind it") {
  std::vector<SlotRow> rows;
  for (std::uint32_t slot = 0; slot < 60; ++slot)
    if (slot != 3) rows.push_back(outcome(slot, 4));
  Standing standing = standing_of(rows, 100, {});
  CHECK_FALSE(standing.decided);
  CHECK(standing.sprt.counts.pairs() == 3);
  CHECK(standing.reported == 59);
  rows.push_back(outcome(3, 0));
  standing = standing_of(rows, 100, {});
  CHECK(standing.decided);
  CHECK(standing.better);
}

TEST_CASE("openings used up without a decision mean not better") {
  std::vector<SlotRow> rows;
  for (std::uint32_t slot = 0; slot < 20; ++slot) rows.push_back(outcome(slot, slot % 2 ? 4 : 1));
  CHECK_FALSE(standing_of(rows, 21, {}).decided);
  const Standing standing = standing_of(rows, 20, {});
  CHECK(standing.sprt.finding == Finding::open);
  CHECK(standing.decided);
  CHECK_FALSE(standing.better);
  CHECK(to_text(verdict_of(standing, {})).starts_with("not better: +"));
}

TEST_CASE("a match for a rating plays all its pairs") {
  const MatchSettings settings{.gated = false};
  std::vector<SlotRow> rows;
  for (std::uint32_t slot = 0; slot < 99; ++slot) rows.push_back(outcome(slot, 4));
  CHECK_FALSE(standing_of(rows, 100, settings).decided);
  rows.push_back(outcome(99, 4));
  const Standing standing = standing_of(rows, 100, settings);
  CHECK(standing.decided);
  CHECK_FALSE(standing.better);
  CHECK(to_text(verdict_of(standing, settings)).starts_with("rated: +"));
  CHECK(standing.sprt.counts.of[4] == 100);
}

TEST_CASE("a report is read as it was written; what cannot be read is an even pair") {
  for (const int half_points : {1, 2, 3, 4}) {
    const auto report = parse_report(row(7, half_points).result);
    REQUIRE(report);
    CHECK(report->half_points == half_points);
    CHECK(report->moves[0] == 7);
    CHECK(report->moves[1] == mix(7));
  }
  for (const char* text : {"", "win", "5 00 00", "-1 00 00", "2", "2 00", "2 00 00 00"})
    CHECK_FALSE(parse_report(text));
  const SlotRow odd{0, "win", "arena"};
  CHECK(standing_of({&odd, 1}, 10, {}).sprt.counts.of[2] == 1);
}

TEST_CASE("settings are read as they were written, and refused where they make no sense") {
  const MatchSettings written{.gated = false,
                              .seed = 0xfedcba9876543210u,
                              .simulations = 123,
                              .opening_plies = 4,
                              .sprt = {.elo0 = -5.5, .elo1 = 20, .alpha = 0.01, .beta = 0.1}};
  const MatchSettings read = parse_match_settings(to_text(written));
  CHECK(to_text(read) == to_text(written));
  CHECK_FALSE(read.gated);
  CHECK(read.seed == written.seed);
  CHECK(read.sprt.alpha == 0.01);
  CHECK(parse_match_settings(to_text(MatchSettings{})).gated);
  CHECK_THROWS_AS(parse_match_settings(""), Error);
  CHECK_THROWS_AS(parse_match_settings("visits = 9"), Error);
  MatchSettings wrong = written;
  wrong.simulations = 0;
  CHECK_THROWS_AS(parse_match_settings(to_text(wrong)), Error);
}
