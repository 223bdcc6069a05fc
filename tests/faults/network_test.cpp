// Links that are cut between hosts: network namespaces, joined by a bridge. Needs root.
#include <doctest/doctest.h>

#include "core/wire/keys.h"
#include "tests/faults/cluster.h"
#include "tests/faults/suite.h"
#include "tests/scratch.h"

using namespace tabula;

namespace {

// Two hosts and a switch between them, gone with the test.
class Network {
 public:
  Network() : tag_("tabula" + std::to_string(getpid())) {
    const std::string text = script();
    made_ = geteuid() == 0 && run("command -v nft && " + text).status == 0;
  }
  ~Network() {
    for (const char* host : {"-store", "-workers", "-switch"}) run("ip netns del " + tag_ + host);
  }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  bool made() const { return made_; }
  Cluster::Host host(const std::string& name) const {
    return {"ip", "netns", "exec", tag_ + "-" + name};
  }
  bool on(const std::string& host, const std::string& command) const {
    return run("ip netns exec " + tag_ + "-" + host + " " + command).status == 0;
  }

  // What the workers' host sends, what it is sent, or both ways of its cable.
  enum class Cut { sent, received, cable };
  bool cut(Cut kind) const {
    if (kind == Cut::cable) return on("switch", "ip link set workers down");
    return on("workers", kind == Cut::sent ? "nft add rule inet cut sent counter drop"
                                           : "nft add rule inet cut received counter drop");
  }
  // Returns how many packets the cut swallowed, as far as they are counted.
  std::uint64_t mend() const {
    on("switch", "ip link set workers up");
    const std::string rules = run("ip netns exec " + tag_ + "-workers nft list ruleset").output;
    on("workers", "nft flush table inet cut");
    const std::size_t at = rules.find("packets ");
    return at == rules.npos ? 0 : std::stoull(rules.substr(at + 8));
  }

 private:
  std::string script() const {
    std::string text;
    const auto then = [&](const std::string& line) { text += (text.empty() ? "" : " && ") + line; };
    for (const char* host : {"-store", "-workers", "-switch"}) then("ip netns add " + tag_ + host);
    const auto in = [&](const std::string& host) { return "ip -n " + tag_ + "-" + host + " "; };
    then(in("switch") + "link add bridge type bridge");
    then(in("switch") + "link set bridge up");
    for (const auto& [host, address] : std::map<std::string, std::string>{
             {"store", "10.77.0.1/24"}, {"workers", "10.77.0.2/24"}}) {
      then(in(host) + "link add wire type veth peer name " + host + " netns " + tag_ + "-switch");
      then(in(host) + "address add " + address + " dev wire");
      then(in(host) + "link set wire up");
      then(in(host) + "link set lo up");
      then(in("switch") + "link set " + host + " master bridge");
      then(in("switch") + "link set " + host + " up");
    }
    then("ip netns exec " + tag_ +
         "-workers nft 'add table inet cut; "
         "add chain inet cut sent { type filter hook output priority 0; }; "
         "add chain inet cut received { type filter hook input priority 0; }'");
    return text;
  }

  std::string tag_;
  bool made_;
};

struct Cuts {
  int cables = 0, sent = 0, received = 0, stops = 0;
  std::uint64_t swallowed = 0;
};

// So many cuts of 20 ms to 1.5 s, a few of them long enough for connections to be given up. During
// some, the consumer does nothing at all.
void cut_links(const Network& network, Cluster& cluster, int wanted, int long_ones, Rng& rng,
               Cuts& cuts) {
  for (int i = 0; i < wanted; ++i) {
    const auto kind = Network::Cut(i % 3);
    const bool stop = rng.below(3) == 0 || i == 0;
    if (stop) cluster.actor("consumer").process->kill(SIGSTOP);
    REQUIRE(network.cut(kind));
    const std::uint32_t ms = i < long_ones ? 25000 : 20 + (rng.below(4) ? rng.below(300) : 1500);
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    cuts.swallowed += network.mend();
    ++(kind == Network::Cut::cable  ? cuts.cables
       : kind == Network::Cut::sent ? cuts.sent
                                    : cuts.received);
    std::this_thread::sleep_for(std::chrono::milliseconds(50 + rng.below(400)));
    if (stop) cluster.actor("consumer").process->kill(SIGCONT);
    cuts.stops += stop;
    for (Actor& actor : cluster.actors())
      REQUIRE_MESSAGE(!actor.process->ended(), cluster.complaint(actor));
  }
}

}  // namespace

TEST_CASE("links between hosts are cut, both ways or one, and no game is lost") {
  const std::uint64_t seed = suite_seed();
  const Row row("cut links", seed);
  const Network network;
  if (!network.made()) {
    std::cout << "skipped: network namespaces need root, iproute2 and nftables\n";
    return;
  }
  const int wanted = by_length(3, 100, 1000), long_ones = by_length(0, 3, 9);
  const Scratch scratch;
  new_store_keys(scratch / "keys");
  new_client_keys(scratch / "keys", "worker", Role::worker);
  new_client_keys(scratch / "keys", "trainer", Role::trainer);
  Rng rng(seed);
  Cluster cluster(scratch.path(), seed, 2);
  const std::string address = "tcp://10.77.0.1:7710";
  cluster.add_store(address, network.host("store"), {"--keys", scratch / "keys"});
  cluster.add_workers(address, network.host("workers"),
                      {"--key", scratch / "keys/worker.key", "--pause", "5"});
  cluster.add_consumer(address, network.host("workers"),
                       {"--key", scratch / "keys/trainer.key", "--pause", "2"});
  cluster.start_all();
  for (const std::int64_t end = clock_ms() + 20000;
       cluster.promises(0).acked == 0 && clock_ms() < end;)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  REQUIRE(cluster.promises(0).acked > 0);  // they reach one another
  Cuts cuts;
  cut_links(network, cluster, wanted, long_ones, rng, cuts);
  REQUIRE(cluster.finish() == "");
  FaultLedger ledger(seed);
  std::vector<std::string> sentences;
  std::size_t games = 0;
  const FaultLedger::Count count = cluster.count(ledger, sentences, &games);
  CHECK(sentences == std::vector<std::string>{});
  CHECK(count == FaultLedger::Count{});
  CHECK(cuts.cables + cuts.sent + cuts.received == wanted);
  CHECK(cuts.swallowed > 0);
  CHECK(cuts.stops > 0);
  row.write(std::to_string(wanted) + " cuts (" + std::to_string(cuts.cables) + " of the cable, " +
                std::to_string(cuts.sent + cuts.received) + " one way, which swallowed " +
                std::to_string(cuts.swallowed) + " packets); the consumer stood still in " +
                std::to_string(cuts.stops) + "; " + std::to_string(games) + " games",
            count.text());
}
