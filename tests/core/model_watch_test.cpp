// Which model self-play takes up, told by a real store.
#include "core/loop/model_watch.h"

#include <doctest/doctest.h>

#include "core/wire/model_transfer.h"
#include "tests/program.h"
#include "tests/running_server.h"

using namespace tabula;

namespace {

// A store to which models come, and a worker that watches it.
class Site {
 public:
  explicit Site(const std::string& wanted)
      : server_(service(scratch_)),
        client_(server_.address(), {}),
        watch_(shipped("connect4"), wanted, server_.address(), {}, book_, [&](PlayModelPtr model) {
          const std::lock_guard lock(mutex_);
          taken_ = model->id;
        }) {}

  std::string publish(std::uint64_t seed) {
    return publish_model(client_, {}, {.step = seed}, model_of(shipped("connect4"), seed));
  }
  void promote(const std::string& model) {
    const auto champion = client_.ask<ChampionIs>(AskChampion{}).champion;
    REQUIRE(client_.ask<Done>(Promote{champion.version, model, 0}).changed);
  }
  // After a match.
  void promote_by_match(const std::string& model) {
    const auto champion = client_.ask<ChampionIs>(AskChampion{}).champion;
    const auto match =
        client_.ask<Done>(OpenMatch{{.candidate = model, .champion = champion.model, .slots = 1}});
    REQUIRE(client_.ask<Done>(Decide{match.number, "better", true}).changed);
  }
  bool takes(const std::string& model) {
    return eventually([&] {
      const std::lock_guard lock(mutex_);
      return taken_ == model;
    });
  }
  bool stays_with(const std::string& model) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // three looks
    const std::lock_guard lock(mutex_);
    return taken_ == model;
  }

 private:
  Scratch scratch_;
  RunningServer server_;
  Client client_;
  ModelBook book_;
  std::mutex mutex_;
  std::string taken_;
  ModelWatch watch_;
};

}  // namespace

TEST_CASE("latest is the newest model as long as there is no champion, then the champion") {
  Site site("latest");
  const std::string first = site.publish(1), second = site.publish(2);
  CHECK(site.takes(second));
  site.promote(first);
  CHECK(site.takes(first));
  const std::string third = site.publish(3);
  CHECK(site.stays_with(first));
  site.promote_by_match(second);
  CHECK(site.takes(second));
  CHECK(site.stays_with(second));
}

TEST_CASE("latest is the newest model where champions need no match: the arena may be away") {
  Site site("latest");
  site.promote(site.publish(1));
  site.promote(site.publish(2));
  const std::string third = site.publish(3);
  CHECK(site.takes(third));
  const std::string fourth = site.publish(4);
  CHECK(site.takes(fourth));
  site.promote_by_match(third);  // from now on they do
  CHECK(site.takes(third));
}

TEST_CASE("champion is the champion, whoever is newer") {
  Site site("champion");
  const std::string first = site.publish(1);
  CHECK(site.stays_with(""));
  site.promote(first);
  CHECK(site.takes(first));
  site.promote(site.publish(2));
  const std::string second = site.publish(2);
  CHECK(site.takes(second));
  site.publish(3);
  CHECK(site.stays_with(second));
}
