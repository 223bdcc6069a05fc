// Meetings of trainers, through c10d: its TCPStore is the place, Gloo carries the numbers; those on
// GPUs NCCL, where LibTorch has it. (That part compiles, and was never run: we have no two GPUs.)
#include "core/nn/torch/torch_peers.h"

#if defined(USE_C10D_GLOO) && __has_include(<gloo/context.h>)
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#if defined(USE_C10D_NCCL) && __has_include(<nccl.h>)
#define TABULA_NCCL 1
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

namespace tabula {
namespace {

using Milliseconds = std::chrono::milliseconds;
constexpr auto kPoll = Milliseconds(100), kReach = Milliseconds(3000);

struct Place {
  std::string host;
  std::uint16_t port = 0;
};

Place place_of(const std::string& text) {
  Place place;
  const std::size_t colon = text.rfind(':');
  if (colon != text.npos) {
    place.host = text.substr(0, colon);
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), place.port);
  }
  if (place.host.empty() || place.port == 0)
    throw Error("'" + text + "' is no HOST:PORT; trainers meet at --rendezvous HOST:PORT.");
  return place;
}

// This machine's address on the way to that one: there the others find us.
std::string own_address(const Place& place) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  if (getaddrinfo(place.host.c_str(), std::to_string(place.port).c_str(), &hints, &found) != 0)
    throw Error("there is no host " + place.host + ".");
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  const int line = socket(found->ai_family, SOCK_DGRAM, 0);
  const bool known = connect(line, found->ai_addr, found->ai_addrlen) == 0 &&
                     getsockname(line, reinterpret_cast<sockaddr*>(&own), &size) == 0;
  close(line);
  freeaddrinfo(found);
  char text[NI_MAXHOST] = "";
  if (!known || getnameinfo(reinterpret_cast<sockaddr*>(&own), size, text, sizeof text, nullptr, 0,
                            NI_NUMERICHOST) != 0)
    throw Error("there is no way to " + place.host + ".");
  return text;
}

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

class Meeting final : public TorchPeers {
 public:
  explicit Meeting(const PeersConfig& config)
      : config_(config), place_(place_of(config.rendezvous)), used_(std::size_t(config.count)) {
    if (config.count < 1 || config.rank < 0 || config.rank >= config.count)
      throw Error("--rank must be from 0 to one less than --trainers.");
    if (config.rank == 0) open_store();  // complains now if the port is taken
  }

  int rank() const override { return config_.rank; }
  int count() const override { return config_.count; }

  bool meet(const std::function<bool()>& go_on) override {
    leave();
    while (go_on()) try {
        if (!store_) open_store();
        const std::int64_t number = config_.rank == 0 ? call_all(go_on) : wait_for_call(go_on);
        if (number == 0) return false;
        gather(number);
        return true;
      } catch (const std::exception&) {  // somebody came and went: again
        leave();
        if (config_.rank > 0) store_.reset();
        std::this_thread::sleep_for(kPoll);
      }
    return false;
  }

  std::vector<double> hear(std::vector<double> said) override {
    at::Tensor words = at::from_blob(said.data(), {std::int64_t(said.size())}, at::kDouble).clone();
    from_first(words);
    const double* data = words.data_ptr<double>();
    return {data, data + words.numel()};
  }

  void sum(at::Tensor& values) override {
    together([](auto& group, std::vector<at::Tensor>& all) { return group.allreduce(all); },
             values);
  }
  void from_first(at::Tensor& values) override {
    together([](auto& group, std::vector<at::Tensor>& all) { return group.broadcast(all); },
             values);
  }

 private:
  void leave() {
    group_.reset();
#ifdef TABULA_NCCL
    gpus_.reset();
#endif
  }

  void open_store() {
    c10d::TCPStoreOptions options;
    options.port = place_.port;
    options.isServer = config_.rank == 0;
    options.waitWorkers = false;
    options.timeout = kReach;
    store_ =
        c10::make_intrusive<c10d::TCPStore>(config_.rank == 0 ? "localhost" : place_.host, options);
  }

  // Each other one draws a ticket when it comes, or comes again; the first one calls those that
  // it has not called yet, all at once, to a meeting with a new number.
  std::int64_t call_all(const std::function<bool()>& go_on) {
    std::vector<std::int64_t> tickets(used_.size());
    for (std::size_t rank = 1; rank < used_.size(); ++rank) {
      const std::string key = "ticket/" + std::to_string(rank);
      while ((tickets[rank] = store_->add(key, 0)) <= used_[rank]) {
        if (!go_on()) return 0;
        std::this_thread::sleep_for(kPoll);
      }
    }
    ++meetings_;
    for (std::size_t rank = 1; rank < used_.size(); ++rank) {
      used_[rank] = tickets[rank];
      store_->set(call_key(int(rank), tickets[rank]), bytes_of(std::to_string(meetings_)));
    }
    return meetings_;
  }
  std::int64_t wait_for_call(const std::function<bool()>& go_on) {
    const std::int64_t ticket = store_->add("ticket/" + std::to_string(config_.rank), 1);
    const std::string key = call_key(config_.rank, ticket);
    while (!store_->check({key})) {
      if (!go_on()) return 0;
      std::this_thread::sleep_for(kPoll);
    }
    const std::vector<std::uint8_t> number = store_->get(key);
    return std::stoll(std::string(number.begin(), number.end()));
  }
  static std::string call_key(int rank, std::int64_t ticket) {
    return "call/" + std::to_string(rank) + "/" + std::to_string(ticket);
  }

  void gather(std::int64_t number) {
    room_ = c10::make_intrusive<c10d::PrefixStore>("meeting/" + std::to_string(number), store_);
    const auto options =
        c10d::ProcessGroupGloo::Options::create(Milliseconds(1000 * config_.patience_seconds));
    options->devices.push_back(
        c10d::ProcessGroupGloo::createDeviceForHostname(own_address(place_)));
    group_ =
        c10::make_intrusive<c10d::ProcessGroupGloo>(room_, config_.rank, config_.count, options);
    at::Tensor here = at::ones({1});
    sum(here);
    if (here.item<float>() != float(config_.count)) throw PeersLost("not all came.");
  }

  template <class Act>
  void together(Act act, at::Tensor& values) {
    if (!group_) throw PeersLost("the trainers have not met.");
    try {
      const bool by_gpu = gpus_carry(values);
      std::vector<at::Tensor> all = {(by_gpu ? values : values.cpu()).contiguous()};
#ifdef TABULA_NCCL
      if (by_gpu)
        act(*gpus_, all)->wait();
      else
#endif
        act(*group_, all)->wait();
      if (!values.is_same(all[0])) values.copy_(all[0]);
    } catch (const std::exception& error) {
      throw PeersLost(std::string("another trainer is gone: ") + error.what());
    }
  }

  // Whether these numbers go from GPU to GPU: that group is made when it is first wanted.
  bool gpus_carry(const at::Tensor& values) {
#ifdef TABULA_NCCL
    if (!values.is_cuda()) return false;
    if (!gpus_) {
      for (const char* name : {"NCCL_BLOCKING_WAIT", "TORCH_NCCL_BLOCKING_WAIT"})
        setenv(name, "1", 0);  // wait() must end when another trainer is gone
      const auto options = c10d::ProcessGroupNCCL::Options::create();
      options->timeout = Milliseconds(1000 * config_.patience_seconds);
      gpus_ = c10::make_intrusive<c10d::ProcessGroupNCCL>(
          c10::make_intrusive<c10d::PrefixStore>("gpus", room_), config_.rank, config_.count,
          options);
    }
    return true;
#else
    (void)values;
    return false;
#endif
  }

  PeersConfig config_;
  Place place_;
  std::vector<std::int64_t> used_;  // the first one's: each other's last ticket that was called
  std::int64_t meetings_ = 0;
  c10::intrusive_ptr<c10d::Store> store_, room_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
#ifdef TABULA_NCCL
  c10::intrusive_ptr<c10d::ProcessGroupNCCL> gpus_;
#endif
};

}  // namespace

std::unique_ptr<Peers> torch_peers(const PeersConfig& config) {
  return std::make_unique<Meeting>(config);
}

}  // namespace tabula

#else

namespace tabula {
std::unique_ptr<Peers> torch_peers(const PeersConfig&) {
  throw Error("this LibTorch cannot join several trainers: it was built without Gloo.");
}
}  // namespace tabula

#endif
