// Several trainers step together (core/nn/peers.h): the first one says what is next, all do it.
#pragma once
#include <memory>

#include "core/nn/peers.h"
#include "trainer/config.h"

namespace tabula {

enum class Next { wait, step, pause, end };  // pause: the first one will come again

struct Order {
  Next next = Next::wait;
  double cool = 1;  // of the learning rate
};

// What the first one orders; the others give anything and hear it. Throws PeersLost.
Order agree(Peers& peers, Order order = {});

// With --trainers 1: none.
std::shared_ptr<Peers> others_of(const TrainerOptions& options);

}  // namespace tabula
