#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/nn/net.h"

namespace tabula {

// Who plays: a network, or the rollouts that stand in for one.
struct PlayModel {
  std::uint32_t number = 0;        // in this process, going up
  std::string id;                  // as records name it
  std::shared_ptr<const Net> net;  // null: one of the reserved ids
  std::int64_t made = 0;           // seconds since 1970; 0: not known
};
using PlayModelPtr = std::shared_ptr<const PlayModel>;

// The models that this process plays with or has met in games it plays on, by number and id.
// Thread-safe.
class ModelBook {
 public:
  // The next model to play with.
  PlayModelPtr open(std::string id, std::shared_ptr<const Net> net, std::int64_t made = 0) {
    const std::lock_guard lock(mutex_);
    ids_.push_back(id);
    return std::make_shared<PlayModel>(
        PlayModel{std::uint32_t(ids_.size() - 1), std::move(id), std::move(net), made});
  }
  // A number for a model in a record that came from elsewhere.
  std::uint32_t number_of(const std::string& id) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < ids_.size(); ++i)
      if (ids_[i] == id) return std::uint32_t(i);
    ids_.push_back(id);
    return std::uint32_t(ids_.size() - 1);
  }
  std::string id(std::uint32_t number) const {
    const std::lock_guard lock(mutex_);
    return ids_.at(number);
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> ids_;
};

}  // namespace tabula
