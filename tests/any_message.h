// Messages filled at random, by the same description that reads and writes them.
#pragma once
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>

#include "core/base/rng.h"
#include "core/wire/message_codec.h"

namespace tabula {

using AllMessages =
    std::tuple<Refused, Hello, Welcome, Append, Receipts, Read, Page, Models, ModelList, Fetch,
               Piece, Publish, Published, AskChampion, ChampionIs, Promote, Done, OpenMatch,
               Matches, MatchList, AskSlot, LentSlot, ReportSlot, Reports, ReportList, Decide,
               TakeAdjourned, Adjourned, Beat, AskStatus, Status, Drop, Dropped>;

class Filler {
 public:
  explicit Filler(Rng& rng) : rng_(rng) {}

  template <class Number>
  void number(Number& to) {
    if constexpr (std::is_enum_v<Number>)
      to = Number(rng_.below(2));
    else if constexpr (std::is_same_v<Number, bool>)
      to = rng_.below(2) == 1;
    else
      to = Number((rng_.next() >> rng_.below(64)) &
                  std::uint64_t(std::numeric_limits<Number>::max()));
  }
  void real(double& to) {
    to = rng_.below(2) ? double(rng_.uniform()) * 1e9 - 1e6 : double(rng_.below(9)) - 4;
  }
  void text(std::string& to, std::size_t most) {
    to.assign(size(most), ' ');
    for (char& c : to) c = char(' ' + rng_.below(95));
  }
  void bytes(std::string& to, std::size_t most) {
    to.assign(size(most), ' ');
    for (char& c : to) c = char(rng_.next());
  }
  void array(auto& to) {
    for (auto& byte : to) byte = std::uint8_t(rng_.next());
  }
  void list(auto& items, std::size_t most, auto each) {
    items.resize(size(most));
    for (auto& item : items) each(*this, item);
  }
  void rows(auto& items, std::size_t most, auto fields) {
    items.resize(size(most) % 4);
    for (auto& item : items) fields(*this, item);
  }

 private:
  std::size_t size(std::size_t most) {
    return rng_.below(std::uint32_t(std::min<std::size_t>(most, rng_.below(8) ? 12 : 300)) + 1);
  }
  Rng& rng_;
};

template <class Message>
Message any_message(Rng& rng) {
  Message message;
  Filler filler(rng);
  Message::fields(filler, message);
  return message;
}

// Calls with each kind of message: visit(static_cast<Message*>(nullptr)).
template <class Visit>
void each_message(Visit visit) {
  [&]<class... Messages>(std::tuple<Messages...>*) {
    (visit(static_cast<Messages*>(nullptr)), ...);
  }(static_cast<AllMessages*>(nullptr));
}

}  // namespace tabula
