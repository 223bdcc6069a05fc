#include "core/loop/learner.h"

#include <algorithm>
#include <cmath>

#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/data/game_codec.h"
#include "core/data/safetensors.h"
#include "core/nn/torch_library.h"

namespace tabula {
namespace {

constexpr double kAhead = 5000;       // positions
constexpr std::size_t kModelId = 64;  // hexadecimal digits; reserved ids are shorter
constexpr const char* kFormat = "tabula checkpoint 1";

// Progress as a file's metadata and back: one list of fields for both.
void each_field(auto& progress, auto visit) {
  visit("learner.steps", progress.steps);
  visit("learner.samples", progress.samples);
  visit("learner.cursor", progress.cursor);
  visit("learner.games", progress.games);
  visit("learner.positions", progress.positions);
  visit("learner.seen", progress.seen);
  visit("learner.paced", progress.paced);
  visit("learner.window_begin", progress.window_begin);
  visit("learner.window_positions", progress.window_positions);
  visit("learner.tokens", progress.tokens);
  visit("learner.seed", progress.seed);
  visit("learner.parent", progress.parent);
  visit("learner.rate_factor", progress.rate_factor);
}

std::string to_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}
std::string to_text(std::uint64_t value) { return std::to_string(value); }
std::string to_text(const std::string& value) { return value; }

void from_text(const std::string& text, double& value) { value = std::stod(text); }
void from_text(const std::string& text, std::uint64_t& value) { value = std::stoull(text); }
void from_text(const std::string& text, std::string& value) { value = text; }

std::string fingerprint(std::uint64_t word) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(word));
  return text;
}

}  // namespace

Learner::Learner(const Rules& rules, const LearnSettings& settings,
                 std::filesystem::path checkpoint, std::uint64_t seed)
    : rules_(rules),
      settings_(settings),
      checkpoint_(std::move(checkpoint)),
      budget_(settings.reuse) {
  net_ = settings.net_for(rules);
  std::optional<TensorFile> before;
  if (std::filesystem::exists(checkpoint_)) {
    before = read_tensor_file(checkpoint_);
    const auto net = before->metadata.find("learner.net");
    if (settings.net == "auto" && net != before->metadata.end())
      net_ = parse_net_config(net->second);
  }
  trainer_ = torch_library().trainer(new_net(rules, net_, seed), settings.train);
  progress_.seed = seed;
  if (before) restore(*before);
  window_ = std::make_unique<Window>(settings.window, progress_.seen - progress_.window_positions);
  if (progress_.window_begin > 0) read_after_ = progress_.window_begin - 1;
}

void Learner::restore(const TensorFile& file) {
  const std::string name = checkpoint_.string() + ": ";
  const auto value = [&](const char* key) {
    const auto found = file.metadata.find(key);
    if (found == file.metadata.end()) throw Error(name + "this is no checkpoint of a training.");
    return found->second;
  };
  if (value("learner.format") != kFormat) throw Error(name + "another Tabula wrote it.");
  if (value("learner.game") != rules_.name()) throw Error(name + "it is of another game.");
  if (value("learner.rules") != fingerprint(rules_.fingerprints().rules) ||
      value("learner.encoding") != fingerprint(rules_.fingerprints().encoding))
    throw Error(name + "the rules of " + rules_.name() + " or its planes have changed since.");
  if (value("learner.net") != net_text())
    throw Error(name + "its network is " + value("learner.net") + ", not " + net_text() +
                "; to train another from the stored games, say --from-start.");
  trainer_->restore(file);
  each_field(progress_, [&](const char* key, auto& field) {
    if (key != std::string_view("learner.paced") || file.metadata.contains(key))  // it came later
      from_text(value(key), field);
  });
  budget_ = ReuseBudget(settings_.reuse, progress_.tokens);
}

void Learner::save(const std::string& parent) {
  TensorFile file = trainer_->state();
  LearnProgress progress;
  {
    const std::lock_guard lock(mutex_);
    progress_.parent = parent;
    note_window();
    progress = progress_;
  }
  file.metadata["learner.format"] = kFormat;
  file.metadata["learner.game"] = rules_.name();
  file.metadata["learner.rules"] = fingerprint(rules_.fingerprints().rules);
  file.metadata["learner.encoding"] = fingerprint(rules_.fingerprints().encoding);
  file.metadata["learner.net"] = net_text();
  each_field(progress,
             [&](const char* key, const auto& field) { file.metadata[key] = to_text(field); });
  write_tensor_file(checkpoint_, file);
}

Net Learner::average(const std::string& parent) const {
  Net net = trainer_->average();
  net.notes["step"] = std::to_string(progress().steps);
  if (!parent.empty()) net.notes["parent"] = parent;
  return net;
}

void Learner::note_window() {
  progress_.window_begin = window_->first_sequence();
  progress_.window_positions = window_->positions();
  progress_.seen = window_->seen();
  progress_.tokens = budget_.tokens();
}

void Learner::go_back() {
  if (!std::filesystem::exists(checkpoint_))
    throw Error(
        "the loss is not a number, before anything was learnt; try a smaller "
        "--learning-rate.");
  return_to_checkpoint();
  const std::lock_guard lock(mutex_);
  progress_.rate_factor /= 2;
}

void Learner::return_to_checkpoint() {
  const TensorFile file = read_tensor_file(checkpoint_);
  trainer_->restore(file);
  const std::lock_guard lock(mutex_);
  from_text(file.metadata.at("learner.steps"), progress_.steps);
  from_text(file.metadata.at("learner.samples"), progress_.samples);
}

void Learner::join(const std::shared_ptr<Peers>& others) {
  trainer_->join(others);
  const LearnProgress own = progress();
  const std::vector<double> first = others->hear(
      {double(own.steps), double(own.samples),
       double(std::max(window_->first_sequence(), read_after_ + 1)),
       double(own.seen - own.window_positions), own.rate_factor, double(settings_.batch)});
  const std::lock_guard lock(mutex_);
  const bool first_time = !std::exchange(others_, others);
  progress_.steps = std::uint64_t(first[0]);
  progress_.samples = std::uint64_t(first[1]);
  // The same window, from where it begins; nobody reads or draws yet.
  if (others->rank() > 0 && first_time) {
    read_after_ = std::uint64_t(first[2]) - 1;
    window_ = std::make_unique<Window>(settings_.window, std::uint64_t(first[3]));
  }
  progress_.rate_factor = first[4];
  settings_.batch = int(first[5]);  // machines differ, and so may what they would choose
}

void Learner::add(const LogPage& page) {
  const std::lock_guard lock(mutex_);
  if (page.head < progress_.cursor)
    throw Error("the store has fewer games than " + checkpoint_.string() +
                " has seen: it belongs to another database; move it away to begin anew.");
  for (const LogEntry& entry : page.entries) {
    if (entry.kind == LogEntry::Kind::drop) {
      for (std::uint64_t sequence : entry.dropped) window_->drop(sequence);
    } else {
      const std::uint64_t before = window_->seen();
      StoredGame game = decode_game(entry.bytes);
      if (game.rules != rules_.fingerprints().rules || game.adjourned())
        throw Error("the store sent a game that is not of these rules.");
      const bool by_network = std::ranges::any_of(
          game.models, [](const std::string& id) { return id.size() == kModelId; });
      const auto searched = std::uint64_t(std::ranges::count_if(game.record.plies, is_example));
      window_->add(entry.sequence, std::move(game.record));
      if (entry.sequence <= progress_.cursor) continue;  // the checkpoint has counted it
      ++progress_.games;
      progress_.positions += searched;
      const std::uint64_t examples = window_->seen() - before;
      fresh_ += examples;
      // What rollouts played is a beginning only: as many samples as positions were searched.
      const double counted = by_network
                                 ? double(examples)
                                 : std::min(double(examples), double(searched) / settings_.reuse);
      budget_.add_positions(counted, double(window_->positions()));
    }
  }
  read_to_ = page.next;
  progress_.cursor = std::max(progress_.cursor, page.next);
}

void Learner::pace_until(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  progress_.paced = number;
}

std::string Learner::waits_for() const {
  const std::lock_guard lock(mutex_);
  if (read_to_ < progress_.cursor) return "the games of before, to be read again";
  if (progress_.positions < settings_.first_positions && progress_.steps == 0)
    return "the first games: " + std::to_string(progress_.positions) + " of " +
           std::to_string(settings_.first_positions) + " positions";
  if (window_->positions() == 0) return "games";
  // The first step may spend more than there is: what plays waits for the first network.
  if (progress_.steps > 0 && !budget_.allows(settings_.batch))
    return "new games: those it has were used as often as --reuse allows";
  return "";
}

std::uint64_t Learner::fresh() const {
  const std::lock_guard lock(mutex_);
  return fresh_;
}

bool Learner::is_ahead() const {
  const std::lock_guard lock(mutex_);
  const bool begun = progress_.steps > 0 || progress_.positions >= settings_.first_positions;
  const bool reads_again = read_to_ < progress_.cursor;  // nothing is learnt before that is done
  return begun && !reads_again && budget_.tokens() > kAhead * settings_.reuse;
}

void Learner::fill(std::uint64_t step, ExampleWriter& writer, TrainingBatch& batch) const {
  batch.clear();
  std::shared_ptr<Peers> others;
  Hash seed;
  int rows = 0;
  {
    const std::lock_guard lock(mutex_);
    seed.add(progress_.seed).add(step);
    others = others_;
    rows = settings_.batch;
  }
  if (others) {
    const int rank = others->rank(), count = others->count();
    seed.add(std::uint64_t(rank));
    rows = rows * (rank + 1) / count - rows * rank / count;
  }
  Rng rng(seed.value());
  window_->fill(writer, rng, rows, batch);
}

Losses Learner::step(const TrainingBatch& batch) {
  std::uint64_t steps = 0;
  double factor = 1;
  {
    const std::lock_guard lock(mutex_);
    steps = progress_.steps + 1;
    factor = progress_.rate_factor;
  }
  const double warm = settings_.warm_up_steps == 0
                          ? 1
                          : std::min(1., double(steps) / double(settings_.warm_up_steps));
  trainer_->set_learning_rate(float(settings_.learning_rate * warm * factor * cool_));
  const Losses losses = trainer_->step(batch);
  const std::lock_guard lock(mutex_);
  progress_.steps = steps;
  const int rows = others_ ? settings_.batch : batch.rows;
  progress_.samples += std::uint64_t(rows);
  budget_.spend(rows);
  return losses;
}

LearnProgress Learner::progress() const {
  const std::lock_guard lock(mutex_);
  LearnProgress progress = progress_;
  progress.seen = window_->seen();
  progress.window_positions = window_->positions();
  progress.tokens = budget_.tokens();
  return progress;
}

}  // namespace tabula
