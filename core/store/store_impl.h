// What the parts of Store share.
#pragma once
#include <unordered_map>

#include "core/store/ledger.h"
#include "core/store/schema.h"
#include "core/store/seal.h"
#include "core/store/store.h"

namespace tabula {

struct Store::Impl {
  Impl(const std::filesystem::path& file, const std::optional<Identity>& wanted);

  Database database;
  Identity identity;
  Ledger ledger;                                          // as it was committed
  std::unordered_map<std::string, std::int64_t> origins;  // those met of late

  // The number of a combination that sends games, new if it was never seen.
  std::int64_t origin(const std::string& account, const std::string& worker,
                      const std::vector<std::string>& models);

  // One transaction. Without commit() nothing has happened.
  class Change {
   public:
    explicit Change(Impl& impl);
    ~Change();
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

    void commit();
    Ledger ledger;  // as it will be

   private:
    Impl& impl_;
    Transaction transaction_;
    bool committed_ = false;
  };

  Receipt take(const Arrival& arrival, Change& change);
  Receipt store_game(const Arrival& game, const Digest& content, Change& change);
  Receipt adjourn(const Arrival& game, Change& change);
  Receipt quarantine(const Arrival& arrival, const Digest& content, const std::string& reason,
                     Change& change);
  void quarantine_row(const GameId& id, std::int64_t origin, const std::string& reason,
                      const Blob& bytes, Change& change);
  bool forget_adjourned(const GameId& id, Change& change);
  void crown(const std::string& model, std::uint64_t match, Change& change);
};

std::int64_t now_seconds();

}  // namespace tabula
