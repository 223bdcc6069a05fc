// What an arena knows of a run, as the store told it last.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/arena/store_link.h"
#include "core/data/rows.h"

namespace tabula {

class RunView {
 public:
  void refresh(ArenaStore& store);  // throws StoreAway, RefusedByStore

  const Champion& champion() const { return champion_; }
  std::vector<MatchRow> open_matches() const;  // by number
  const MatchRow* match(std::uint64_t number) const;

  std::uint64_t number_of(const std::string& model) const;  // 0: unknown

  // The first match that has or had it as its candidate. Void ones do not count; 0: none.
  std::uint64_t match_of(const std::string& candidate) const;
  std::vector<ModelRow> untested() const;  // of those younger than the champion, in order
  // The model up to which the curve of ratings has come: the candidate of the last match that was
  // rated or found better; else the first that can be played. Empty: there is none.
  std::string last_rated() const;

 private:
  void read_models(ArenaStore& store);
  void read_matches(ArenaStore& store);

  Champion champion_;
  std::vector<ModelRow> models_;  // by number
  std::map<std::string, std::uint64_t> numbers_;
  std::map<std::uint64_t, MatchRow> matches_;    // by number
  std::map<std::string, std::uint64_t> tested_;  // candidates, and their first match
};

}  // namespace tabula
