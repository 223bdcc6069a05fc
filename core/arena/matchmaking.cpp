// Who plays whom. Several arenas may come to the same idea at once: the store's compare-and-set
// lets one promotion win, and of two matches with one candidate the one with the lower number is
// played.
#include "core/arena/arena_impl.h"
#include "core/base/digest.h"
#include "core/base/log.h"

namespace tabula {
namespace {

Verdict void_match(const std::string& reason) {
  return {.kind = Verdict::Kind::void_match, .reason = reason};
}

}  // namespace

// The first model needs no match; without a gate, none does. But nobody must be given one that
// cannot be loaded.
bool Arena::Impl::promote_at_once() {
  const Champion champion = view.champion();
  const std::vector<ModelRow> untested = view.untested();
  if (untested.empty() || (config.gated && !champion.model.empty())) return false;
  const ModelRow& model = config.gated ? untested.front() : untested.back();
  try {
    fetch(model.id);
  } catch (const StoreAway&) {
    throw;
  } catch (const Error& error) {
    write_down(model, {.kind = Verdict::Kind::not_better, .reason = unplayable("it", error)});
    return true;
  }
  if (store.ask<Done>(Promote{champion.version, model.id, 0}).changed)
    log("promoted without a match",
        {{"candidate", std::to_string(model.number)}, {"model", model.id.substr(0, 12)}});
  view.refresh(store);
  return true;
}

// The open match with the lowest number, or a new one.
std::optional<MatchRow> Arena::Impl::next_match() {
  if (auto match = lowest_open()) return match;
  config.gated ? open_gated() : open_rating();
  return lowest_open();
}

std::optional<MatchRow> Arena::Impl::lowest_open() {
  std::optional<MatchRow> lowest;
  for (const MatchRow& match : view.open_matches())
    if (const std::optional<Verdict> stale = why_stale(match))
      decide(match, *stale);
    else if (!lowest)
      lowest = match;
  return lowest;
}

// The verdict on an open match that must not be played.
std::optional<Verdict> Arena::Impl::why_stale(const MatchRow& match) const {
  if (match.slots == 0)  // somebody died while it marked one as skipped
    return Verdict{.kind = Verdict::Kind::skipped, .reason = "a newer candidate was there"};
  if (const std::uint64_t other = view.match_of(match.candidate); other < match.number)
    return void_match("match " + std::to_string(other) + " has its candidate");
  try {
    const MatchSettings settings = parse_match_settings(match.settings);
    if (settings.gated && match.champion != view.champion().model)
      return void_match("the champion moved meanwhile");
  } catch (const Error& error) {
    return void_match(error.what());
  }
  return {};
}

void Arena::Impl::open_gated() {
  const std::vector<ModelRow> untested = view.untested();
  if (untested.empty()) return;
  open(untested.back().id, view.champion().model, true, config.most_pairs);
  skip_older(untested.back());
}

void Arena::Impl::open_rating() {
  const std::string& candidate = view.champion().model;
  const std::string against = view.last_rated();
  if (candidate.empty() || candidate == against || view.match_of(candidate) != 0) return;
  open(candidate, against, false, config.rating_pairs);
}

void Arena::Impl::open(const std::string& candidate, const std::string& champion, bool gated,
                       int pairs) {
  MatchSettings settings{.gated = gated,
                         .seed = random_word(),
                         .simulations = config.simulations,
                         .opening_plies = config.opening_plies,
                         .sprt = config.sprt};
  if (settings.opening_plies < 0)
    settings.opening_plies = plies_for_openings(*rules, std::size_t(pairs));
  const std::size_t slots =
      draw_openings(*rules, settings.seed, settings.opening_plies, std::size_t(pairs)).size();
  if (slots == 0)
    throw Error(rules->name() + " has no openings of " + std::to_string(settings.opening_plies) +
                " plies; --arena-opening-plies takes fewer.");
  const auto made = store.ask<Done>(OpenMatch{{.candidate = candidate,
                                               .champion = champion,
                                               .slots = std::uint32_t(slots),
                                               .settings = to_text(settings)}});
  view.refresh(store);
  log("a match was opened", {{"match", std::to_string(made.number)},
                             {"candidate", std::to_string(view.number_of(candidate))},
                             {"champion", std::to_string(view.number_of(champion))},
                             {"pairs at most", std::to_string(slots)}});
}

// Whoever finds candidates that were passed over says so.
void Arena::Impl::skip_older(const ModelRow& candidate) {
  const std::string reason =
      "candidate " + std::to_string(candidate.number) + " was there and is newer";
  for (const ModelRow& model : view.untested())
    if (model.number < candidate.number)
      write_down(model, {.kind = Verdict::Kind::skipped, .reason = reason});
}

// A verdict without games: a match without slots.
void Arena::Impl::write_down(const ModelRow& model, const Verdict& verdict) {
  MatchRow match{.candidate = model.id, .champion = view.champion().model};
  match.number = store.ask<Done>(OpenMatch{match}).number;
  decide(match, verdict);
}

bool Arena::Impl::decide(const MatchRow& match, const Verdict& verdict, bool promote) {
  const bool changed = store.ask<Done>(Decide{match.number, to_text(verdict), promote}).changed;
  if (changed)
    log("a match is decided", {{"match", std::to_string(match.number)},
                               {"candidate", std::to_string(view.number_of(match.candidate))},
                               {"verdict", to_text(verdict)}});
  view.refresh(store);
  return changed;
}

}  // namespace tabula
