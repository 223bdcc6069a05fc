// Trainers of one network that step together: each brings a part of the batch, all make the same
// step. Nothing of c10d shows here.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tabula {

struct PeersConfig {
  int rank = 0, count = 1;
  std::string rendezvous{};   // HOST:PORT of the first one, which listens there
  int patience_seconds = 60;  // for one that does not go on
};

// One of them is gone, or did not go on in time. They may meet again.
class PeersLost : public Error {
  using Error::Error;
};

class Peers {
 public:
  virtual ~Peers() = default;

  // Waits until all are there, anew if they were before. False: `go_on` said no.
  virtual bool meet(const std::function<bool()>& go_on) = 0;
  // What the first one says, to all. As many numbers must be given as it says. Throws PeersLost.
  virtual std::vector<double> hear(std::vector<double> said) = 0;

  virtual int rank() const = 0;
  virtual int count() const = 0;
};

}  // namespace tabula
