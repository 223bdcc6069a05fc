#pragma once
#include <atomic>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/wire/client.h"
#include "core/wire/model_transfer.h"

namespace tabula {

// No answer came, or the wait for it was ended: the same may be asked again later.
class StoreAway : public Error {
  using Error::Error;
};

// A store, asked by one thread; stop() from any.
class ArenaStore {
 public:
  ArenaStore(const std::string& address, const std::optional<ClientKeys>& keys)
      : keys_(keys), client_(address, keys) {}

  // Throws StoreAway, or RefusedByStore.
  template <class Reply, class Request>
  Reply ask(const Request& request, std::int64_t patience_ms = 5000) try {
    if (stopped_) throw StoreAway("stopped.");
    return client_.ask<Reply>(request, patience_ms);
  } catch (const RefusedByStore&) {
    throw;
  } catch (const Error& error) {
    throw StoreAway(error.what());
  }

  // The model's file. Throws StoreAway, or Error if what the store has is not the model.
  std::string fetch(const std::string& id) try {
    return fetch_model(client_, keys_, id);
  } catch (const NoAnswer& error) {
    throw StoreAway(error.what());
  } catch (const NotLetIn& error) {
    throw StoreAway(error.what());
  }

  void stop() {
    stopped_ = true;
    client_.wake();
  }
  bool stopped() const { return stopped_; }

 private:
  std::optional<ClientKeys> keys_;
  Client client_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace tabula
