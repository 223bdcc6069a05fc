// What travels between a store and those who use it: one msgpack list a message.
//
//   message = [protocol, type, request, fields...]
//
// A request has a number of the client's choice, and its reply carries the same. The store keeps
// nothing of a conversation: any message may be the first one it sees. What is lost is asked again.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/data/game_codec.h"
#include "core/data/rows.h"

namespace tabula {

// The version of all this. A store serves its own and the one before.
constexpr std::uint64_t kProtocol = 1;
constexpr bool is_served(std::uint64_t theirs, std::uint64_t ours) {
  return theirs == ours || (theirs < ours && ours - theirs == 1);
}

constexpr std::size_t kMaxMessage = std::size_t{5} << 20;
constexpr std::size_t kMaxGamesInMessage = 64;
constexpr std::size_t kMaxPage = std::size_t{1} << 20;     // bytes of games in a reply
constexpr std::uint64_t kMaxPages = 8;                     // under way to one reader
constexpr std::size_t kModelPiece = std::size_t{1} << 20;  // of a model in a message
constexpr std::size_t kMaxSentence = 1000;
constexpr std::size_t kMaxStatus = std::size_t{1} << 20;
constexpr std::size_t kMaxName = 64, kMaxText = 4096, kMaxRows = 1000;

enum class MessageType : std::uint8_t {
  refused = 1,
  hello,
  welcome,
  append,
  receipts,
  read,
  page,
  models,
  model_list,
  fetch,
  piece,
  publish,
  published,
  ask_champion,
  champion,
  promote,
  done,
  open_match,
  matches,
  match_list,
  slot,
  lent_slot,
  report,
  reports,
  report_list,
  decide,
  take_adjourned,
  adjourned,
  beat,
  ask_status,
  status,
  drop,
  dropped,
  count
};

// The answer to a request that was not carried out.
struct Refused {
  static constexpr auto kType = MessageType::refused;
  bool later = false;  // the same request may be sent again after a while
  std::string sentence;
  static void fields(auto& f, auto& m) { f.number(m.later), f.text(m.sentence, kMaxSentence); }
};

struct Hello {
  static constexpr auto kType = MessageType::hello;
  std::string program, worker;
  static void fields(auto& f, auto& m) { f.text(m.program, kMaxName), f.text(m.worker, kMaxName); }
};
struct Welcome {
  static constexpr auto kType = MessageType::welcome;
  std::string game;  // whose games the store holds
  std::uint64_t rules = 0;
  std::string account, role;  // who the client is to the store
  std::uint64_t head = 0;
  static void fields(auto& f, auto& m) {
    f.text(m.game, kMaxName), f.number(m.rules), f.text(m.account, kMaxName);
    f.text(m.role, kMaxName), f.number(m.head);
  }
};

struct Append {
  static constexpr auto kType = MessageType::append;
  struct Item {
    GameId id{};
    std::string bytes;  // as encode_game() makes them
  };
  std::vector<Item> games;
  static void fields(auto& f, auto& m) {
    f.rows(m.games, kMaxGamesInMessage,
           [](auto& g, auto& game) { g.array(game.id), g.bytes(game.bytes, kMaxGameBytes); });
  }
};
// The same, of games that are kept elsewhere.
struct AppendView {
  static constexpr auto kType = MessageType::append;
  struct Item {
    GameId id{};
    std::string_view bytes;
  };
  std::vector<Item> games;
  static void fields(auto& f, auto& m) { Append::fields(f, m); }
};
// What became of games: they are on the disk now, or in quarantine.
struct Receipts {
  static constexpr auto kType = MessageType::receipts;
  struct Item {
    GameId id{};
    Fate fate = Fate::stored;
    std::string reason;  // refused: why
  };
  std::vector<Item> items;
  static void fields(auto& f, auto& m) {
    f.rows(m.items, kMaxGamesInMessage, [](auto& g, auto& item) {
      g.array(item.id), g.number(item.fate), g.text(item.reason, kMaxSentence);
    });
  }
};

// Games after a sequence number, in up to so many pages, one after the other. With nothing new the
// first comes when there is, or after a while.
struct Read {
  static constexpr auto kType = MessageType::read;
  std::uint64_t after = 0, max_bytes = kMaxPage, wait_ms = 0, pages = 1;
  static void fields(auto& f, auto& m) {
    f.number(m.after), f.number(m.max_bytes), f.number(m.wait_ms), f.number(m.pages);
  }
};
struct Page {
  static constexpr auto kType = MessageType::page;
  bool more = false;  // another page of the same request follows
  LogPage page;
  static void fields(auto& f, auto& m) {
    f.number(m.more);
    f.rows(m.page.entries, kMaxEntries, [](auto& g, auto& entry) {
      g.number(entry.kind), g.number(entry.sequence), g.array(entry.id);
      g.bytes(entry.bytes, kMaxGameBytes);
      g.list(entry.dropped, kMaxEntries, [](auto& h, auto& sequence) { h.number(sequence); });
    });
    f.number(m.page.next), f.number(m.page.head), f.number(m.page.missed);
    f.number(m.page.damaged);
  }
};

void model_fields(auto& f, auto& row) {
  f.text(row.id, kMaxModelId), f.number(row.number), f.number(row.bytes), f.number(row.step);
  f.text(row.parent, kMaxModelId), f.text(row.account, kMaxName), f.bytes(row.signature, 64);
  f.number(row.made);
}

struct Models {
  static constexpr auto kType = MessageType::models;
  std::uint64_t after = 0;  // a model's number
  static void fields(auto& f, auto& m) { f.number(m.after); }
};
struct ModelList {
  static constexpr auto kType = MessageType::model_list;
  std::vector<ModelRow> models;  // at most kMaxRows: ask again after the last one
  static void fields(auto& f, auto& m) {
    f.rows(m.models, kMaxRows, [](auto& g, auto& row) { model_fields(g, row); });
  }
};

struct Fetch {
  static constexpr auto kType = MessageType::fetch;
  std::string id;
  std::uint64_t offset = 0;
  static void fields(auto& f, auto& m) { f.text(m.id, kMaxModelId), f.number(m.offset); }
};
struct Piece {
  static constexpr auto kType = MessageType::piece;
  std::uint64_t offset = 0;
  ModelRow row;
  std::string bytes;
  static void fields(auto& f, auto& m) {
    f.number(m.offset), model_fields(f, m.row), f.bytes(m.bytes, kModelPiece);
  }
};

// A piece of a new model; the last one makes it known.
struct Publish {
  static constexpr auto kType = MessageType::publish;
  ModelRow row;
  std::uint64_t offset = 0;
  std::string bytes;
  static void fields(auto& f, auto& m) {
    model_fields(f, m.row), f.number(m.offset), f.bytes(m.bytes, kModelPiece);
  }
};
struct Published {
  static constexpr auto kType = MessageType::published;
  std::uint64_t received = 0;  // bytes: where the next piece begins
  bool known = false;          // all is there, verified and on the disk
  static void fields(auto& f, auto& m) { f.number(m.received), f.number(m.known); }
};

struct AskChampion {
  static constexpr auto kType = MessageType::ask_champion;
  static void fields(auto&, auto&) {}
};
struct ChampionIs {
  static constexpr auto kType = MessageType::champion;
  Champion champion;
  static void fields(auto& f, auto& m) {
    f.text(m.champion.model, kMaxModelId), f.number(m.champion.version);
    f.number(m.champion.match);
  }
};
struct Promote {
  static constexpr auto kType = MessageType::promote;
  std::uint64_t version = 0;  // of the champion that it replaces
  std::string model;
  std::uint64_t match = 0;
  static void fields(auto& f, auto& m) {
    f.number(m.version), f.text(m.model, kMaxModelId), f.number(m.match);
  }
};
// Whether a change was made, or somebody else was first.
struct Done {
  static constexpr auto kType = MessageType::done;
  bool changed = false;
  std::uint64_t number = 0;  // of what was made
  static void fields(auto& f, auto& m) { f.number(m.changed), f.number(m.number); }
};

void match_fields(auto& f, auto& row) {
  f.number(row.number), f.text(row.candidate, kMaxModelId), f.text(row.champion, kMaxModelId);
  f.number(row.slots), f.text(row.settings, kMaxText), f.number(row.open);
  f.text(row.verdict, kMaxText);
}

struct OpenMatch {
  static constexpr auto kType = MessageType::open_match;
  MatchRow match;
  static void fields(auto& f, auto& m) { match_fields(f, m.match); }
};
struct Matches {
  static constexpr auto kType = MessageType::matches;
  std::uint64_t after = 0;
  static void fields(auto& f, auto& m) { f.number(m.after); }
};
struct MatchList {
  static constexpr auto kType = MessageType::match_list;
  std::vector<MatchRow> matches;
  static void fields(auto& f, auto& m) {
    f.rows(m.matches, kMaxRows, [](auto& g, auto& row) { match_fields(g, row); });
  }
};
struct AskSlot {
  static constexpr auto kType = MessageType::slot;
  std::uint64_t match = 0, seconds = 0;
  static void fields(auto& f, auto& m) { f.number(m.match), f.number(m.seconds); }
};
struct LentSlot {
  static constexpr auto kType = MessageType::lent_slot;
  bool lent = false;
  std::uint32_t slot = 0;
  static void fields(auto& f, auto& m) { f.number(m.lent), f.number(m.slot); }
};
struct ReportSlot {
  static constexpr auto kType = MessageType::report;
  std::uint64_t match = 0;
  std::uint32_t slot = 0;
  std::string result;
  static void fields(auto& f, auto& m) {
    f.number(m.match), f.number(m.slot), f.text(m.result, kMaxText);
  }
};
struct Reports {
  static constexpr auto kType = MessageType::reports;
  std::uint64_t match = 0;
  static void fields(auto& f, auto& m) { f.number(m.match); }
};
struct ReportList {
  static constexpr auto kType = MessageType::report_list;
  std::vector<SlotRow> slots;
  static void fields(auto& f, auto& m) {
    f.rows(m.slots, kMaxEntries, [](auto& g, auto& row) {
      g.number(row.slot), g.text(row.result, kMaxText), g.text(row.account, kMaxName);
    });
  }
};
struct Decide {
  static constexpr auto kType = MessageType::decide;
  std::uint64_t match = 0;
  std::string verdict;
  bool promote = false;
  static void fields(auto& f, auto& m) {
    f.number(m.match), f.text(m.verdict, kMaxText), f.number(m.promote);
  }
};

struct TakeAdjourned {
  static constexpr auto kType = MessageType::take_adjourned;
  static void fields(auto&, auto&) {}
};
struct Adjourned {
  static constexpr auto kType = MessageType::adjourned;
  std::string game;  // empty: there is none
  static void fields(auto& f, auto& m) { f.bytes(m.game, kMaxGameBytes); }
};

// A sign of life, with figures by name.
struct Beat {
  static constexpr auto kType = MessageType::beat;
  std::string program, worker;
  struct Figure {
    std::string name;
    double value = 0;
  };
  std::vector<Figure> figures;
  static void fields(auto& f, auto& m) {
    f.text(m.program, kMaxName), f.text(m.worker, kMaxName);
    f.rows(m.figures, 64, [](auto& g, auto& x) { g.text(x.name, kMaxName), g.real(x.value); });
  }
};

struct AskStatus {
  static constexpr auto kType = MessageType::ask_status;
  static void fields(auto&, auto&) {}
};
struct Status {
  static constexpr auto kType = MessageType::status;
  std::string json;
  static void fields(auto& f, auto& m) { f.text(m.json, kMaxStatus); }
};

struct Drop {
  static constexpr auto kType = MessageType::drop;
  DropFilter filter;
  std::string reason;
  static void fields(auto& f, auto& m) {
    f.text(m.filter.model, kMaxModelId), f.text(m.filter.worker, kMaxName);
    f.text(m.filter.account, kMaxName), f.number(m.filter.since), f.number(m.filter.until);
    f.text(m.reason, kMaxSentence);
  }
};
struct Dropped {
  static constexpr auto kType = MessageType::dropped;
  std::uint64_t games = 0;
  static void fields(auto& f, auto& m) { f.number(m.games); }
};

}  // namespace tabula
