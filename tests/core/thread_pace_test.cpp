#include "core/loop/thread_pace.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tabula;

// Self-play has the time that training leaves it, so in balance training takes a fixed number of
// cores, whole or not: with fewer threads it falls behind, with more it waits.
TEST_CASE("a trainer settles on the threads that it needs, and stays there") {
  for (const int cores : {1, 2, 4, 16, 64})
    for (double needed = 0.1; needed < cores; needed += 0.37) {
      CAPTURE(cores);
      CAPTURE(needed);
      ThreadPace pace(1, cores);
      const auto report = [&] {
        const double waited = std::max(0., 1 - needed / pace.threads());
        return pace.next(waited, needed > pace.threads(), pace.threads());
      };
      for (int i = 0; i < cores; ++i) report();
      const int settled = pace.threads();
      CHECK(std::abs(settled - std::ceil(needed)) <= 1);
      CHECK(settled >= needed);
      for (int i = 0; i < 10; ++i) CHECK(report() == settled);
    }
}

TEST_CASE("a trainer that needs less gives threads back, never below its least") {
  ThreadPace pace(2, 8);
  for (int i = 0; i < 10; ++i) pace.next(0, true, pace.threads());
  CHECK(pace.threads() == 8);
  pace.next(0.2, true, pace.threads());  // it waits now and then: that is enough
  CHECK(pace.threads() == 8);
  for (int i = 0; i < 10; ++i) pace.next(0.9, false, pace.threads());
  CHECK(pace.threads() == 2);
  CHECK(ThreadPace(3, 0).threads() == 3);  // never more
}

TEST_CASE("a thread that brings next to nothing is left to self-play") {
  ThreadPace pace(1, 2);
  int two = 0;
  for (int i = 0; i < 400; ++i)
    two += pace.next(0, true, pace.threads() == 1 ? 21.3 : 22.4) == 2;  // as it was measured
  CHECK(two >= 2);
  CHECK(two <= 8);
}

TEST_CASE("a thread that others would make up for goes, by what was measured") {
  ThreadPace pace(1, 2);
  pace.next(0, true, 20);
  REQUIRE(pace.threads() == 2);
  pace.next(0.1, false, 30);  // one alone would not do
  CHECK(pace.threads() == 2);
  pace.next(0.5, false, 30);  // now it would
  CHECK(pace.threads() == 1);
}

TEST_CASE("records of a quicker time do not take threads away one after the other") {
  ThreadPace pace(1, 16);
  for (int i = 0; i < 20; ++i) pace.next(0, true, 5 * pace.threads());
  REQUIRE(pace.threads() == 16);
  int least = 16;
  for (int i = 0; i < 60; ++i) least = std::min(least, pace.next(0, true, 2.5 * pace.threads()));
  CHECK(least == 15);
  CHECK(pace.threads() == 16);
}

TEST_CASE("a thread that makes training slower is given back, and rarely tried again") {
  ThreadPace pace(1, 4);
  int slow = 0;  // reports with two threads, of which the second does harm
  for (int i = 0; i < 100; ++i) {
    slow += pace.threads() == 2;
    CHECK(pace.threads() <= 2);
    pace.next(0, true, pace.threads() == 1 ? 100 : 10);
  }
  CHECK(slow >= 2);
  CHECK(slow <= 8);
  for (int i = 0; i < 200; ++i) pace.next(0, true, 100 * pace.threads());  // the neighbour is gone
  CHECK(pace.threads() == 4);
  pace.next(0, true, 0);  // no steps tell nothing
  CHECK(pace.threads() == 4);
  pace.next(0, true, 90);  // and comes back
  CHECK(pace.threads() == 3);
}
