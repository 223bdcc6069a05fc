// Learns from the games of a store, continuously, and publishes what it learnt as models.
#include "core/base/health.h"
#include "core/base/log.h"
#include "core/cli/program.h"
#include "core/nn/torch_library.h"
#include "core/store/ownership.h"
#include "trainer/own_store.h"
#include "trainer/partner.h"
#include "trainer/training.h"

namespace {
using namespace tabula;

int trainer(const Args& args) {
  TrainerOptions options;
  options.link.replay.clear();
  if (!options.parse(args)) return 0;
  if (options.link.replay.empty())
    throw Error("which games? --replay FILE names a database, --replay tcp://HOST:7710 a store.");
  set_log_format(parse_log_format(options.link.log_format));
  set_health_file(options.link.health);
  std::optional<Client> store;
  std::atomic<bool> stopped = false, connected = false;
  const StopSignals signals([&] {
    stopped = true;
    if (connected) store->wake();
  });
  torch_library();  // complains before anything is begun
  std::optional<OwnStore> own;
  if (options.replay_is_path() && !owner_of(options.link.replay)) own.emplace(options);
  const std::string address = options.link.address();
  store.emplace(address, options.link.keys());
  connected = true;
  std::uint64_t head = 0;
  const RulesPtr rules = options.link.greet(
      *store, "trainer", [&] { return !stopped; }, &head);
  if (!rules) return 0;
  options = {};
  options.parse(args, rules.get());
  if (options.rank > 0)
    step_with_others(options, *rules, address, stopped);
  else
    Training(options, *rules, address, head).run(stopped);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return tabula::run_program("trainer", argc, argv, trainer); }
