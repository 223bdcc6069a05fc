#pragma once
#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <thread>

#include "core/loop/model_book.h"
#include "core/wire/client.h"

namespace tabula {

// Follows which model self-play should use, on a thread of its own, and loads it.
class ModelWatch {
 public:
  // `wanted`: latest, champion, or a model's id. `take` is called with each new one, from the
  // watch's thread; before there is any, self-play uses what stands in for one.
  using Take = std::function<void(PlayModelPtr)>;
  ModelWatch(const Rules& rules, std::string wanted, const std::string& address,
             std::optional<ClientKeys> keys, ModelBook& book, Take take);
  ~ModelWatch();

  // Seconds from the last model's publication to its being loaded, rounded up.
  double lag() const { return lag_; }
  // Seconds since the newest model that should be used was published; -1: there is none.
  std::int64_t age() const;

 private:
  void work(const std::stop_token& ended);
  ModelRow wanted_model();
  ModelRow row_of(const std::string& id);
  void load(const ModelRow& row);
  void say(const std::string& sentence);

  const Rules& rules_;
  std::string wanted_;
  std::optional<ClientKeys> keys_;
  Client store_;
  ModelBook& book_;
  Take take_;
  std::map<std::string, ModelRow> rows_;  // of all models, as far as they were listed
  ModelRow last_row_;
  std::string loaded_, said_;
  std::set<std::string> useless_;  // models that cannot be loaded: they do not get better
  std::atomic<std::int64_t> made_ = 0;
  std::atomic<double> lag_ = 0;
  std::jthread thread_;
};

// The model in these bytes, for these rules. Throws Error.
std::shared_ptr<const Net> net_from(const std::string& bytes, const std::string& source,
                                    const Rules& rules);

}  // namespace tabula
