// A network's tower as a list of oneDNN primitives for each number of rows, made once.
#pragma once
#include <dnnl.hpp>
#include <map>
#include <string>
#include <vector>

#include "core/nn/net.h"

namespace tabula {

// A primitive with its arguments laid out, so that running it allocates nothing.
struct Step {
  dnnl::primitive primitive;
  std::vector<dnnl_exec_arg_t> arguments;
  int pooled_block = -1;  // this step pools a block instead
};

struct Plan {
  dnnl::memory planes;             // plain nchw; its data is set before each run
  std::vector<dnnl::memory> held;  // what the steps' arguments point to
  std::vector<Step> steps;
};

// Activations: [row][channel / lanes][cell][channel % lanes].
struct Activations {
  dnnl::memory block, first, second, head;  // second only where blocks pool
};

class PlanMaker {
 public:
  PlanMaker(const Net& net, int most_rows, const dnnl::engine& engine);

  Plan make(int rows);
  const Activations& activations() const { return activations_; }
  // How many channels lie side by side in an activation of this many.
  int lanes(int channels) const { return lanes_ == 0 ? channels : lanes_; }
  const std::string& implementation() const { return implementation_; }
  // Weights as the layers want them. Plans point to them, so they are kept with the plans.
  std::map<std::string, std::vector<dnnl::memory>> take_weights() { return std::move(packed_); }

 private:
  using Desc = dnnl::memory::desc;
  using Convolution = dnnl::convolution_forward::primitive_desc;
  enum class After { nothing, relu, add_and_relu };

  void choose_layout();
  void join_heads();
  Desc desc(int rows, int channels) const;
  Convolution convolution(int kernel, int out_channels, const Desc& in, const Desc& out,
                          After after) const;
  void add_input(Plan& plan, int rows);
  void add(Plan& plan, const Convolution& layer, const dnnl::memory& in, const dnnl::memory& out,
           const std::string& name);
  dnnl::memory view(Plan& plan, const Desc& desc, const dnnl::memory& buffer) const;
  const dnnl::memory& packed(const std::string& tensor, const Desc& wanted);

  const Net& net_;
  dnnl::engine engine_;
  dnnl::stream stream_{engine_};
  dnnl::memory::format_tag layout_ = dnnl::memory::format_tag::nhwc;
  int lanes_ = 0;  // 0: all
  std::string implementation_;
  Activations activations_;
  std::map<std::string, std::vector<float>> joined_;  // "heads.weight", "heads.bias"
  std::map<std::string, std::vector<dnnl::memory>> packed_;
};

}  // namespace tabula
