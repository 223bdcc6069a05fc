#include "core/wire/sender.h"

#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "core/service/intake.h"

using namespace tabula;

namespace {

GameId id(std::uint8_t number) {
  GameId made{};
  made[0] = number;
  return made;
}

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::vector<Arrival> arrivals(int count, std::size_t bytes = 10) {
  return std::vector<Arrival>(std::size_t(count), Arrival{.bytes = std::string(bytes, 'x')});
}

}  // namespace

TEST_CASE("a game is sent again after a silence, later each time, until it is settled") {
  Sender sender({.wait_ms = 100, .longest_wait_ms = 1000}, 1);
  sender.add(id(1), 10);
  CHECK(sender.next(0) == std::vector{id(1)});
  CHECK(sender.next(1).empty());
  std::int64_t last = 0, pause = 0;
  for (int i = 0; i < 3; ++i) {
    const std::int64_t wake = sender.wake();
    CHECK(wake - last > pause);
    pause = wake - last;
    last = wake;
    CHECK(sender.next(wake - 1).empty());
    CHECK(sender.next(wake) == std::vector{id(1)});
  }
  CHECK(sender.resent() == 3);
  CHECK(sender.settle(id(1)));
  CHECK_FALSE(sender.settle(id(1)));
  CHECK(sender.wake() == kNever);
  CHECK(sender.next(100000).empty());
}

TEST_CASE("no more games are under way than the window allows, and messages keep their size") {
  Sender sender({.in_flight = 5, .message_games = 3, .message_bytes = 100}, 1);
  for (std::uint8_t i = 0; i < 10; ++i) sender.add(id(i), i == 3 ? 90 : 30);
  CHECK(sender.next(0).size() == 3);            // 30 + 30 + 30
  CHECK(sender.next(0) == std::vector{id(3)});  // 90 leaves no room
  CHECK(sender.next(0) == std::vector{id(4)});  // the window is full
  CHECK(sender.next(0).empty());
  sender.settle(id(0));
  CHECK(sender.next(0) == std::vector{id(5)});
}

TEST_CASE("a game larger than a message goes alone") {
  Sender sender({.message_bytes = 100}, 1);
  sender.add(id(1), 5000);
  sender.add(id(2), 10);
  CHECK(sender.next(0) == std::vector{id(1)});
}

TEST_CASE("a store that asks for time gets it") {
  Sender sender({.wait_ms = 100}, 1);
  sender.add(id(1), 10);
  sender.hold(1000);
  CHECK(sender.next(1001).empty());
  CHECK(sender.wake() > 1001);
  CHECK(sender.next(sender.wake()) == std::vector{id(1)});
}

TEST_CASE("workers that fell silent together do not come back together") {
  std::set<std::int64_t> wakes;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Sender sender({}, seed);
    sender.add(id(1), 10);
    sender.next(0);
    wakes.insert(sender.wake());
  }
  CHECK(wakes.size() > 15);
}

TEST_CASE("a group is committed when it is large enough or old enough, one at a time") {
  Intake intake({.group_games = 4, .group_ms = 20, .most_games = 6, .most_bytes = 1000});
  CHECK(intake.take("a", 1, arrivals(3), 100));
  CHECK(intake.next(100).empty());
  CHECK(intake.wake() == 120);
  CHECK(intake.take("b", 2, arrivals(2), 105));
  CHECK(intake.take("c", 3, arrivals(2), 105));
  CHECK(intake.next(105).size() == 5);  // the third message would be more than 6
  CHECK(intake.next(200).empty());      // until the first group is done
  const std::vector<Intake::Reply> replies =
      intake.committed(std::vector<Receipt>(5, {Fate::stored, 1}));
  REQUIRE(replies.size() == 2);
  CHECK(replies[0].route == "a");
  CHECK(replies[0].receipts.items.size() == 3);
  CHECK(replies[1].request == 2);
  CHECK(intake.next(200).size() == 2);
  CHECK(intake.failed().size() == 1);
  CHECK(intake.wake() == kNever);
}

TEST_CASE("an intake has bounds, but takes one message however large") {
  Intake intake({.group_games = 4, .most_bytes = 100});
  CHECK(intake.take("a", 1, arrivals(1, 5000), 0));
  CHECK_FALSE(intake.take("b", 1, arrivals(1, 10), 0));
  CHECK(intake.waiting() == 1);
}
