#include "core/data/examples.h"

#include <cassert>

namespace tabula {

void TrainingBatch::clear() {
  rows = 0;
  for (auto* values : {&planes, &legal, &policy, &reply, &wdl, &moves_left, &policy_share,
                       &reply_share, &moves_left_share})
    values->clear();
}

bool is_example(const PlyRecord& ply) { return !ply.opening && !ply.chance; }

ExampleWriter::ExampleWriter(const Rules& rules, const TargetConfig& config)
    : rules_(rules),
      config_(config),
      start_(rules),
      state_(rules),
      legal_(std::size_t(rules.max_legal())),
      planes_(std::size_t(rules.plane_floats())) {}

void ExampleWriter::add(const GameRecord& game, std::size_t ply, int symmetry,
                        TrainingBatch& batch) {
  assert(game.ending != Ending::none && is_example(game.plies[ply]));
  state_ = start_;
  for (std::size_t i = 0; i < ply; ++i) state_.apply(game.plies[i].action);
  const PlyRecord& here = game.plies[ply];

  ++batch.rows;
  const std::size_t at = batch.planes.size(), row = batch.legal.size();
  batch.planes.resize(at + planes_.size());
  state_.encode(planes_);
  rules_.map_planes(symmetry, rules_.table().planes, planes_.data(), batch.planes.data() + at);
  batch.legal.resize(row + std::size_t(rules_.actions()));
  for (Action action : state_.legal(legal_))
    batch.legal[row + std::size_t(rules_.map_action(symmetry, action))] = 1;

  const Wdl value = value_of(game, here, state_.turn());
  batch.wdl.insert(batch.wdl.end(), {value.win, value.draw, value.loss});
  batch.moves_left.push_back(float(game.plies.size() - ply));
  // A game that was given up would have gone on, nobody knows for how long.
  batch.moves_left_share.push_back(game.ending == Ending::resigned ? 0.f : 1.f);

  add_moves(game.policy_of(here), symmetry, batch.policy);
  batch.policy_share.push_back(here.full ? 1.f : 0.f);
  const PlyRecord* answer = answer_to(game, ply);
  add_moves(answer ? game.policy_of(*answer) : std::span<const PolicyEntry>(), symmetry,
            batch.reply);
  batch.reply_share.push_back(answer ? 1.f : 0.f);
}

void ExampleWriter::add_moves(std::span<const PolicyEntry> policy, int symmetry,
                              std::vector<float>& out) const {
  const std::size_t row = out.size();
  out.resize(row + std::size_t(rules_.actions()));
  for (const PolicyEntry& entry : policy)
    out[row + std::size_t(rules_.map_action(symmetry, entry.action))] = entry.weight;
}

Wdl ExampleWriter::value_of(const GameRecord& game, const PlyRecord& ply, int mover) const {
  const Wdl came = Wdl::certain(game.result).seen_by(mover);
  const float s = config_.search_share, r = 1 - s;
  return {s * ply.value.win + r * came.win, s * ply.value.draw + r * came.draw,
          s * ply.value.loss + r * came.loss};
}

// The opponent's next move, if it was fully searched; moves of one's own in between hide it.
const PlyRecord* ExampleWriter::answer_to(const GameRecord& game, std::size_t ply) {
  const int mover = state_.turn();
  state_.apply(game.plies[ply].action);
  for (std::size_t i = ply + 1; i < game.plies.size(); ++i) {
    if (!game.plies[i].chance)
      return state_.turn() == 1 - mover && game.plies[i].full ? &game.plies[i] : nullptr;
    state_.apply(game.plies[i].action);
  }
  return nullptr;
}

}  // namespace tabula
