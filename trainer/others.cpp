#include "trainer/others.h"

#include "core/nn/torch_library.h"

namespace tabula {

Order agree(Peers& peers, Order order) {
  const std::vector<double> heard = peers.hear({double(order.next), order.cool});
  return {Next(int(heard[0])), heard[1]};
}

std::shared_ptr<Peers> others_of(const TrainerOptions& options) {
  if (options.trainers == 1) return nullptr;
  return torch_library().peers(
      {.rank = options.rank, .count = options.trainers, .rendezvous = options.rendezvous});
}

}  // namespace tabula
