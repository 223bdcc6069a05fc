#include "core/loop/model_watch.h"

#include <condition_variable>
#include <mutex>

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/data/safetensors.h"
#include "core/wire/model_transfer.h"

namespace tabula {
namespace {

constexpr auto kPause = std::chrono::milliseconds(500);
constexpr std::int64_t kPatienceMs = 5000;

}  // namespace

std::shared_ptr<const Net> net_from(const std::string& bytes, const std::string& source,
                                    const Rules& rules) {
  auto net = std::make_shared<Net>(net_of(decode_safetensors(bytes, source), source));
  check_made_for(*net, rules);
  return net;
}

ModelWatch::ModelWatch(const Rules& rules, std::string wanted, const std::string& address,
                       std::optional<ClientKeys> keys, ModelBook& book, Take take)
    : rules_(rules),
      wanted_(std::move(wanted)),
      keys_(std::move(keys)),
      store_(address, keys_),
      book_(book),
      take_(std::move(take)),
      thread_([this](const std::stop_token& ended) { work(ended); }) {}

ModelWatch::~ModelWatch() {
  thread_.request_stop();
  store_.wake();
}

std::int64_t ModelWatch::age() const {
  const std::int64_t made = made_;
  return made == 0 ? -1 : std::max<std::int64_t>(0, unix_seconds() - made);
}

ModelRow ModelWatch::row_of(const std::string& id) {
  for (bool more = !rows_.contains(id); more;) {
    const auto list = store_.ask<ModelList>(Models{last_row_.number}, kPatienceMs);
    for (const ModelRow& row : list.models) rows_[row.id] = last_row_ = row;
    more = list.models.size() == kMaxRows;
  }
  const auto found = rows_.find(id);
  return found == rows_.end() ? ModelRow{.id = id} : found->second;
}

// Without an id if there is none yet.
ModelRow ModelWatch::wanted_model() {
  if (wanted_ != "latest" && wanted_ != "champion") return row_of(wanted_);
  const Champion champion = store_.ask<ChampionIs>(AskChampion{}, kPatienceMs).champion;
  // A second champion who needed no match: there is no gate, so nobody waits for the arena.
  const bool gated = champion.match > 0 || champion.version == 1;
  if (!champion.model.empty() && (gated || wanted_ == "champion")) return row_of(champion.model);
  if (wanted_ == "champion") return {};
  row_of("");  // brings the list up to date
  return useless_.contains(last_row_.id) ? row_of(champion.model) : last_row_;
}

void ModelWatch::load(const ModelRow& row) {
  const std::string bytes = fetch_model(store_, keys_, row.id);
  std::shared_ptr<const Net> net;
  try {
    net = net_from(bytes, row.id, rules_);
  } catch (const Error&) {
    useless_.insert(row.id);
    throw;
  }
  take_(book_.open(row.id, std::move(net), row.made));
  loaded_ = row.id;
  made_ = row.made;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  lag_ = std::chrono::duration<double>(now).count() - double(row.made);
  log("plays with a new model",
      {{"model", row.id.substr(0, 12)}, {"step", std::to_string(row.step)}});
}

// The same sentence once.
void ModelWatch::say(const std::string& sentence) {
  if (std::exchange(said_, sentence) != sentence) log(sentence);
}

void ModelWatch::work(const std::stop_token& ended) {
  std::mutex mutex;
  std::condition_variable_any pause;
  while (!ended.stop_requested()) {
    ModelRow row;
    try {
      row = wanted_model();
      if (!row.id.empty() && row.id != loaded_ && !useless_.contains(row.id)) load(row);
    } catch (const RefusedByStore& error) {
      useless_.insert(row.id);
      say(error.what());
    } catch (const Error& error) {
      // Others say that a store is away.
      if (!row.id.empty() && !ended.stop_requested()) say(error.what());
    }
    std::unique_lock lock(mutex);
    pause.wait_for(lock, ended, kPause, [] { return false; });
  }
}

}  // namespace tabula
