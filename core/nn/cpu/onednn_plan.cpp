#include "core/nn/cpu/onednn_plan.h"

namespace tabula {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

constexpr auto kFloat = memory::data_type::f32;

}  // namespace

PlanMaker::PlanMaker(const Net& net, int most_rows, const dnnl::engine& engine)
    : net_(net), engine_(engine) {
  choose_layout();
  join_heads();
  const Desc tower = desc(most_rows, net.config.channels);
  activations_ = {memory(tower, engine_), memory(tower, engine_), {}, {}};
  if (net.config.pooling != Pooling::none) activations_.second = memory(tower, engine_);
  activations_.head = memory(desc(most_rows, 2 * net.config.head_channels), engine_);
}

// oneDNN knows which layout suits the processor; all layers of the tower share it.
void PlanMaker::choose_layout() {
  const int channels = net_.config.channels;
  const Desc any({1, channels, net_.shape.rows, net_.shape.cols}, kFloat, Tag::any);
  const Convolution wanted = convolution(net_.shape.kernel(), channels, any, any, After::relu);
  implementation_ = wanted.impl_info_str();
  for (const auto& [tag, lanes] : {std::pair{Tag::nChw16c, 16}, {Tag::nChw8c, 8}})
    if (wanted.dst_desc() == Desc(any.dims(), kFloat, tag)) {
      layout_ = tag;
      lanes_ = lanes;
    }
}

// Both heads' 1 x 1 convolutions look at the same input: one convolution, policy first.
void PlanMaker::join_heads() {
  for (const std::string part : {"weight", "bias"})
    for (const char* head : {"policy.conv.", "value.conv."}) {
      const std::vector<float>& values = net_[head + part];
      std::vector<float>& both = joined_["heads." + part];
      both.insert(both.end(), values.begin(), values.end());
    }
}

PlanMaker::Desc PlanMaker::desc(int rows, int channels) const {
  return {{rows, channels, net_.shape.rows, net_.shape.cols}, kFloat, layout_};
}

PlanMaker::Convolution PlanMaker::convolution(int kernel, int out_channels, const Desc& in,
                                              const Desc& out, After after) const {
  dnnl::post_ops fused;
  if (after == After::add_and_relu) fused.append_sum(1.f);
  if (after != After::nothing) fused.append_eltwise(1.f, dnnl::algorithm::eltwise_relu, 0, 0);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(fused);
  const Desc weights({out_channels, in.dims()[1], kernel, kernel}, kFloat, Tag::any);
  const Desc bias({out_channels}, kFloat, Tag::x);
  const memory::dim pad = kernel / 2;
  const dnnl::convolution_forward::desc layer(dnnl::prop_kind::forward_inference,
                                              dnnl::algorithm::convolution_direct, in, weights,
                                              bias, out, {1, 1}, {pad, pad}, {pad, pad});
  return {layer, attributes, engine_};
}

Plan PlanMaker::make(int rows) {
  Plan plan;
  add_input(plan, rows);
  const int kernel = net_.shape.kernel(), channels = net_.config.channels;
  const bool pools = net_.config.pooling != Pooling::none;
  const Desc tower = desc(rows, channels), head = desc(rows, 2 * net_.config.head_channels);
  const Convolution one = convolution(kernel, channels, tower, tower, After::relu);
  const Convolution two =
      convolution(kernel, channels, tower, tower, pools ? After::nothing : After::add_and_relu);
  const memory block = view(plan, tower, activations_.block);
  const memory first = view(plan, tower, activations_.first);
  const memory second = pools ? view(plan, tower, activations_.second) : block;
  for (int i = 0; i < net_.config.blocks; ++i) {
    const std::string name = "block." + std::to_string(i) + ".";
    add(plan, one, block, first, name + "first");
    add(plan, two, first, second, name + "second");
    if (pools) plan.steps.push_back({{}, {}, i});
  }
  const Convolution heads = convolution(1, 2 * net_.config.head_channels, tower, head, After::relu);
  add(plan, heads, block, view(plan, head, activations_.head), "heads");
  return plan;
}

// Planes come as plain nchw; a first layer that wants them otherwise gets a reorder before it.
void PlanMaker::add_input(Plan& plan, int rows) {
  const Desc plain({rows, net_.shape.planes, net_.shape.rows, net_.shape.cols}, kFloat, Tag::nchw);
  const Desc any(plain.dims(), kFloat, Tag::any), tower = desc(rows, net_.config.channels);
  const Convolution input =
      convolution(net_.shape.kernel(), net_.config.channels, any, tower, After::relu);
  plan.planes = memory(plain, engine_, DNNL_MEMORY_NONE);
  memory from = plan.planes;
  if (input.src_desc() != plain) {
    from = plan.held.emplace_back(input.src_desc(), engine_);
    plan.steps.push_back({dnnl::reorder(plan.planes, from),
                          {{DNNL_ARG_FROM, plan.planes.get()}, {DNNL_ARG_TO, from.get()}}});
  }
  add(plan, input, from, view(plan, tower, activations_.block), "input");
}

// The first rows of a buffer that all plans share.
memory PlanMaker::view(Plan& plan, const Desc& desc, const memory& buffer) const {
  return plan.held.emplace_back(desc, engine_, buffer.get_data_handle());
}

void PlanMaker::add(Plan& plan, const Convolution& layer, const memory& in, const memory& out,
                    const std::string& name) {
  const memory& weights = packed(name + ".weight", layer.weights_desc());
  const memory& bias = packed(name + ".bias", layer.bias_desc());
  plan.steps.push_back({dnnl::convolution_forward(layer),
                        {{DNNL_ARG_SRC, in.get()},
                         {DNNL_ARG_WEIGHTS, weights.get()},
                         {DNNL_ARG_BIAS, bias.get()},
                         {DNNL_ARG_DST, out.get()}}});
}

// Packed once for all numbers of rows that want the same.
const memory& PlanMaker::packed(const std::string& tensor, const Desc& wanted) {
  std::vector<memory>& known = packed_[tensor];
  for (const memory& one : known)
    if (one.get_desc() == wanted) return one;
  const auto join = joined_.find(tensor);
  const std::vector<float>& values = join == joined_.end() ? net_[tensor] : join->second;
  const Tag plain_tag = wanted.dims().size() == 1 ? Tag::x : Tag::oihw;
  memory plain(Desc(wanted.dims(), kFloat, plain_tag), engine_,
               const_cast<float*>(values.data()));  // only read
  memory& result = known.emplace_back(wanted, engine_);
  dnnl::reorder(plain, result).execute(stream_, plain, result);
  stream_.wait();
  return result;
}

}  // namespace tabula
