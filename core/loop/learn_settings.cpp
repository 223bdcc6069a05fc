#include "core/loop/learn_settings.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "core/base/cores.h"
#include "core/loop/check_range.h"
#include "core/nn/torch_library.h"

namespace tabula {
namespace {

constexpr int kManyCores = 16;

// More work in a step where more can be done at once. What games ship was found with 128, on two
// cores.
int batch_for(int cores, bool gpu) {
  return gpu ? 1024 : cores >= kManyCores ? 512 : cores >= kManyCores / 2 ? 256 : 128;
}

// A container may have less than its machine.
double machine_gigabytes() {
  const double all = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE)) / 1e9;
  double bytes = 0;
  return std::ifstream("/sys/fs/cgroup/memory.max") >> bytes ? std::min(all, bytes / 1e9) : all;
}

}  // namespace

void LearnSettings::declare(Options& options) {
  options.add("net", net, "auto, tiny, small, medium, large, or BLOCKSxCHANNELS[+squeeze|+global]")
      .add("batch", batch, "positions of a training step; 0: by the machine")
      .add("reuse", reuse, "how often each position is used, on average")
      .add("first-positions", first_positions, "searched, before the first step")
      .add("publish-steps", publish_steps, "steps between two candidates")
      .add("learning-rate", learning_rate, "of the optimizer")
      .add("warm-up", warm_up_steps, "steps over which the rate rises to it")
      .add("optimizer", optimizer, "adamw or sgd")
      .add("l2", train.l2, "decay of weights")
      .add("clip", train.clip, "most length of the gradient; 0: any")
      .add("ema", train.ema, "published weights are an average over about 1/(1-ema) steps")
      .add("search-share", search_share, "of the value target; the rest is the game's result")
      .add("policy-weight", train.policy_weight, "of the policy's loss")
      .add("value-weight", train.wdl_weight, "of the loss of win, draw and loss")
      .add("moves-left-weight", train.moves_left_weight, "of the loss of the plies left")
      .add("reply-weight", train.reply_weight, "of the loss of the opponent's answer")
      .add("learn-cheap", window.cheap, "whether plies of cheap searches are examples, of values")
      .add("window", window.first, "positions before the window grows slower than the data")
      .add("window-alpha", window.alpha, "how it grows then: 1 as the data, near 0 as a logarithm")
      .add("window-beta", window.beta, "its growth at first, as a share of the new data")
      .add("window-memory", window_gigabytes,
           "gigabytes of games in memory, at most; 0: an eighth of the machine's, at most 8")
      .add("train-device", train.device, "auto, cpu, cuda:N");
}

void LearnSettings::check() {
  if (optimizer != "adamw" && optimizer != "sgd")
    throw Error("--optimizer takes adamw or sgd, not '" + optimizer + "'.");
  train.optimizer = optimizer == "sgd" ? Optimizer::sgd : Optimizer::adamw;
  train.learning_rate = learning_rate;
  if (net != "auto") parse_net_config(net);
  check_range("cores", cores, 0, 4096);
  if (cores == 0) cores = usable_cores();
  if (any_machine) cores = 1;
  check_range("batch", batch, 0, 65536);
  const bool gpu = batch == 0 && !any_machine &&
                   (train.device.starts_with("cuda") || (train.device == "auto" && gpu_found()));
  if (batch == 0) batch = batch_for(cores, gpu);
  check_range("reuse", reuse, 0.01, 1000);
  check_range("first-positions", double(first_positions), 1, 1e12);
  check_range("publish-steps", double(publish_steps), 1, 1e12);
  check_range("learning-rate", learning_rate, 0, 100);
  check_range("warm-up", double(warm_up_steps), 0, 1e9);
  check_range("ema", train.ema, 0, 0.999999);
  check_range("l2", train.l2, 0, 100);
  check_range("clip", train.clip, 0, 1e9);
  check_range("policy-weight", train.policy_weight, 0, 1000);
  check_range("value-weight", train.wdl_weight, 0, 1000);
  check_range("moves-left-weight", train.moves_left_weight, 0, 1000);
  check_range("reply-weight", train.reply_weight, 0, 1000);
  check_range("search-share", search_share, 0, 1);
  check_range("window", window.first, 1, 1e12);
  check_range("window-alpha", window.alpha, 0.01, 1);
  check_range("window-beta", window.beta, 0, 1);
  check_range("window-memory", window_gigabytes, 0, 1e6);
  if (window_gigabytes == 0)
    window_gigabytes = any_machine ? 2 : std::clamp(machine_gigabytes() / 8, 0.25, 8.);
  window.max_bytes = std::size_t(window_gigabytes * 1e9);
}

NetConfig LearnSettings::net_for(const Rules& rules) const {
  if (net != "auto") return parse_net_config(net);
  const int cells = rules.cells();
  const bool large_machine = cores >= kManyCores;
  const int blocks = cells == 1 ? 3 : cells <= 16 ? 3 : cells <= 64 ? 5 : 6;
  const int channels = cells > 1 && cells <= 16 ? 32 : 64;
  return NetConfig{.blocks = blocks + 2 * large_machine, .channels = channels}.checked();
}

}  // namespace tabula
