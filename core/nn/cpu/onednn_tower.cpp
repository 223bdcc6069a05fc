// The tower in fp32, by oneDNN: weights packed once, bias, ReLU and residual fused into the
// convolutions. A convolution's result for a row is bitwise the same in every batch.
#include <omp.h>

#include <algorithm>
#include <cassert>
#include <limits>

#include "core/base/error.h"
#include "core/nn/cpu/onednn_plan.h"
#include "core/nn/cpu/pooling.h"
#include "core/nn/cpu/processor.h"
#include "core/nn/cpu/tower.h"

namespace tabula {
namespace {

constexpr std::size_t kCacheBytes = 256 << 10;  // for a layer's input and output: half a usual L2
constexpr int kMostRows = 32;

// The worker's own thread computes: workers are the threads here.
class SingleThread {
 public:
  SingleThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~SingleThread() { omp_set_num_threads(before_); }
  SingleThread(const SingleThread&) = delete;
  SingleThread& operator=(const SingleThread&) = delete;

 private:
  int before_;
};

int rows_for(const Net& net) {
  const auto row = 2 * sizeof(float) * std::size_t(net.config.channels * net.shape.cells());
  return std::clamp(int(kCacheBytes / row), 1, kMostRows);
}

class OneDnnTower : public Tower {
 public:
  explicit OneDnnTower(const Net& net)
      : cells_(net.shape.cells()), config_(net.config), most_rows_(rows_for(net)) {
    SingleThread single;
    PlanMaker maker(net, most_rows_, engine_);
    lanes_ = maker.lanes(config_.channels);
    head_lanes_ = maker.lanes(2 * config_.head_channels);
    implementation_ = maker.implementation();
    activations_ = maker.activations();
    for (int rows = 1; rows <= most_rows_; ++rows) plans_.push_back(maker.make(rows));
    weights_ = maker.take_weights();
    if (config_.pooling == Pooling::none) return;
    for (int i = 0; i < config_.blocks; ++i) pooling_.emplace_back(net, i);
    pooled_.resize(std::size_t(2 * most_rows_ * config_.channels));
    factors_.resize(std::size_t(most_rows_ * config_.channels));
  }

  int most_rows() const override { return most_rows_; }
  std::string name() const override { return "fp32 oneDNN " + implementation_; }

  void run(int rows, const float* planes, const Features& out) override {
    assert(rows > 0 && rows <= most_rows_);
    SingleThread single;
    Plan& plan = plans_[std::size_t(rows - 1)];
    plan.planes.set_data_handle(const_cast<float*>(planes));  // only read
    for (Step& step : plan.steps)
      if (step.pooled_block >= 0)
        pool(rows, pooling_[std::size_t(step.pooled_block)]);
      else if (dnnl_primitive_execute(step.primitive.get(), stream_.get(),
                                      int(step.arguments.size()),
                                      step.arguments.data()) != dnnl_success)
        throw Error("oneDNN could not compute a layer of the network.");
    copy_out(rows, out);
  }

 private:
  static float* data(const dnnl::memory& memory) {
    return static_cast<float*>(memory.get_data_handle());
  }

  void pool(int rows, BlockPooling& pooling) {
    const bool squeeze = config_.pooling == Pooling::squeeze;
    const float* from = data(squeeze ? activations_.second : activations_.first);
    const int width = squeeze ? config_.channels : 2 * config_.channels;
    each_lane_group(rows, [&](int row, int channel, std::ptrdiff_t at) {
      float* means = &pooled_[std::size_t(row * width + channel)];
      summarise(from + at, means, squeeze ? nullptr : means + config_.channels);
    });
    pooling.run(rows, pooled_.data(), factors_.data());
    float* block = data(activations_.block);
    const float* second = data(activations_.second);
    each_lane_group(rows, [&](int row, int channel, std::ptrdiff_t at) {
      const float* factors = &factors_[std::size_t(row * config_.channels + channel)];
      for (int i = 0; i < cells_ * lanes_; ++i) {
        const float x = second[at + i], factor = factors[i % lanes_];
        const float sum = block[at + i] + (squeeze ? factor * x : factor + x);
        block[at + i] = sum < 0 ? 0 : sum;
      }
    });
  }

  // Means, and maxima if wanted, over the cells of one group of channels.
  void summarise(const float* values, float* means, float* maxima) const {
    for (int lane = 0; lane < lanes_; ++lane) {
      float sum = 0, most = -std::numeric_limits<float>::infinity();
      for (int cell = 0; cell < cells_; ++cell) {
        sum += values[cell * lanes_ + lane];
        most = std::max(most, values[cell * lanes_ + lane]);
      }
      means[lane] = sum / float(cells_);
      if (maxima) maxima[lane] = most;
    }
  }

  template <class Visit>
  void each_lane_group(int rows, const Visit& visit) const {
    std::ptrdiff_t at = 0;
    for (int row = 0; row < rows; ++row)
      for (int channel = 0; channel < config_.channels; channel += lanes_, at += cells_ * lanes_)
        visit(row, channel, at);
  }

  // From the tower's layout to cell by cell, the two heads apart.
  void copy_out(int rows, const Features& out) const {
    const float* from = data(activations_.head);
    const int channels = config_.head_channels, both = 2 * channels;
    for (int row = 0; row < rows; ++row)
      for (int group = 0; group < both; group += head_lanes_) {
        const int policy = std::clamp(channels - group, 0, head_lanes_);  // lanes; the rest: value
        std::ptrdiff_t at = std::ptrdiff_t(row) * cells_ * channels + group;
        for (int cell = 0; cell < cells_; ++cell, from += head_lanes_, at += channels) {
          for (int lane = 0; lane < policy; ++lane) out.policy[at + lane] = from[lane];
          for (int lane = policy; lane < head_lanes_; ++lane)
            out.value[at + lane - channels] = from[lane];
        }
      }
  }

  int cells_;
  NetConfig config_;
  int most_rows_, lanes_ = 0, head_lanes_ = 0;
  std::string implementation_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  Activations activations_;
  std::map<std::string, std::vector<dnnl::memory>> weights_;
  std::vector<Plan> plans_;  // [rows - 1]
  std::vector<BlockPooling> pooling_;
  std::vector<float> pooled_, factors_;
};

}  // namespace

std::unique_ptr<Tower> onednn_tower(const Net& net) {
  guard_onednn();
  return std::make_unique<OneDnnTower>(net);
}

}  // namespace tabula
