#include "core/loop/learn_settings.h"

#include <thread>

#include "core/loop/check_range.h"

namespace tabula {

void LearnSettings::declare(Options& options) {
  options.add("net", net, "auto, tiny, small, medium, large, or BLOCKSxCHANNELS[+squeeze|+global]")
      .add("batch", batch, "positions of a training step")
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
      .add("window-memory", window_gigabytes, "gigabytes of games in memory, at most")
      .add("train-device", train.device, "auto, cpu, cuda:N");
}

void LearnSettings::check() {
  if (optimizer != "adamw" && optimizer != "sgd")
    throw Error("--optimizer takes adamw or sgd, not '" + optimizer + "'.");
  train.optimizer = optimizer == "sgd" ? Optimizer::sgd : Optimizer::adamw;
  train.learning_rate = learning_rate;
  if (net != "auto") parse_net_config(net);
  check_range("batch", batch, 1, 65536);
  check_range("reuse", reuse, 0.01, 1000);
  check_range("first-positions", double(first_positions), 1, 1e12);
  check_range("publish-steps", double(publish_steps), 1, 1e12);
  check_range("learning-rate", learning_rate, 0, 100);
  check_range("warm-up", double(warm_up_steps), 0, 1e9);
  check_range("ema", train.ema, 0, 0.999999);
  check_range("search-share", search_share, 0, 1);
  check_range("window", window.first, 1, 1e12);
  check_range("window-alpha", window.alpha, 0.01, 1);
  check_range("window-beta", window.beta, 0, 1);
  check_range("window-memory", window_gigabytes, 0.001, 1e6);
  window.max_bytes = std::size_t(window_gigabytes * 1e9);
}

NetConfig LearnSettings::net_for(const Rules& rules) const {
  if (net != "auto") return parse_net_config(net);
  const int cells = rules.cells();
  const bool large_machine = std::thread::hardware_concurrency() >= 16;
  const int blocks = cells == 1 ? 3 : cells <= 16 ? 3 : cells <= 64 ? 5 : 6;
  const int channels = cells > 1 && cells <= 16 ? 32 : 64;
  return NetConfig{.blocks = blocks + 2 * large_machine, .channels = channels}.checked();
}

}  // namespace tabula
