// The fuzzers' targets over seeded damage: what the default suite has time for.
#include <doctest/doctest.h>

#include "tests/allocations.h"
#include "tests/fuzz/target.h"

using namespace tabula;

namespace {

constexpr int kMutants = 3000;
// What a compressed game may say that it holds; nothing else asks for as much.
constexpr std::size_t kMostAtOnce = (std::size_t{16} << 20) + 4096;

std::size_t place_in(Rng& rng, const std::string& bytes) {
  return rng.below(std::uint32_t(bytes.size() + 1));
}

void damage(Rng& rng, std::string& bytes, const std::string& other) {
  const std::size_t at = place_in(rng, bytes);
  switch (rng.below(7)) {
    case 0:
      if (at < bytes.size()) bytes[at] ^= char(1 << rng.below(8));
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = char(rng.next());
      break;
    case 2:
      bytes.resize(at);
      break;
    case 3:
      bytes.erase(at, 1 + rng.below(8));
      break;
    case 4:
      bytes.insert(at, 1 + rng.below(9), char(rng.below(2) ? 0xff : rng.next()));
      break;
    case 5:
      bytes.insert(at, bytes.substr(place_in(rng, bytes), 1 + rng.below(30)));
      break;
    default:
      bytes.replace(at, rng.below(30), other.substr(place_in(rng, other), rng.below(30)));
  }
}

}  // namespace

TEST_CASE("each decoder of foreign bytes takes sound ones") {
  REQUIRE(fuzz_targets().size() == 7);
  for (const FuzzTarget& target : fuzz_targets()) {
    CAPTURE(target.name);
    Rng rng(1);
    for (const std::string& seed : target.seeds(rng)) CHECK(takes(target, seed));
  }
}

TEST_CASE(
    "damaged bytes are taken soundly or refused in one line, and little memory is asked for") {
  for (const FuzzTarget& target : fuzz_targets()) {
    CAPTURE(target.name);
    Rng rng(2);
    const std::vector<std::string> seeds = target.seeds(rng);
    const auto any = [&] { return seeds[rng.below(std::uint32_t(seeds.size()))]; };
    int taken = 0;
    largest_allocation = 0;
    for (int i = 0; i < kMutants; ++i) {
      CAPTURE(i);
      std::string bytes = any();
      for (std::uint32_t times = 1 + rng.below(4); times-- > 0;) damage(rng, bytes, any());
      bool took = false;
      REQUIRE_NOTHROW(took = takes(target, bytes));
      taken += took;
    }
    MESSAGE(target.name << ": " << taken << " of " << kMutants << " taken, at most "
                        << largest_allocation.load() << " bytes at once");
    CHECK(taken > 0);
    if (target.name != "outbox") CHECK(taken < kMutants);  // which makes the best of anything
    CHECK(largest_allocation <= kMostAtOnce);
  }
}
