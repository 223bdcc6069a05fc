#include "trainer/publisher.h"

#include "core/base/log.h"
#include "core/wire/model_transfer.h"

namespace tabula {

Publisher::Publisher(const std::string& address, std::optional<ClientKeys> keys)
    : keys_(std::move(keys)),
      store_(address, keys_),
      thread_([this](const std::stop_token& ended) { work(ended); }) {}

Publisher::~Publisher() {
  thread_.request_stop();
  store_.wake();
}

void Publisher::publish(Net net, std::uint64_t step, std::string parent) {
  const std::lock_guard lock(mutex_);
  next_ = Model{std::move(net), step, std::move(parent)};
  changed_.notify_all();
}

bool Publisher::wait(std::int64_t ms) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::milliseconds(ms), [&] { return !next_ && !busy_; });
}

std::string Publisher::newest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

void Publisher::work(const std::stop_token& ended) {
  std::unique_lock lock(mutex_);
  for (bool said = false;;) {
    changed_.wait(lock, ended, [&] { return next_.has_value(); });
    if (ended.stop_requested()) return;
    const Model model = std::move(*next_);
    next_.reset();
    busy_ = true;
    lock.unlock();
    std::string id;
    try {
      id = publish_model(store_, keys_, {.step = model.step, .parent = model.parent},
                         encode_safetensors(to_tensor_file(model.net)));
      said = false;
    } catch (const Error& error) {
      if (!std::exchange(said, true) && !ended.stop_requested()) log(error.what());
    }
    lock.lock();
    busy_ = false;
    if (!id.empty())
      newest_ = id;
    else if (!next_)
      next_ = model;  // again, unless there is a newer one
    changed_.notify_all();
    if (id.empty()) changed_.wait_for(lock, ended, std::chrono::seconds(1), [] { return false; });
  }
}

}  // namespace tabula
