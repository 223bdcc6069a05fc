// The model registry and the champion.
#include "core/base/die_at.h"
#include "core/store/registry_rows.h"
#include "core/store/store_impl.h"

namespace tabula {

Champion read_champion(Database& database) {
  Query row(database, "SELECT * FROM champion ORDER BY version DESC LIMIT 1");
  if (!row.next()) return {};
  require_sound(database, row, "champion");
  return {row.text(1), row.count(0), row.count(2)};
}

bool Store::add_model(const ModelRow& model) {
  Database& database = impl_->database;
  Impl::Change change(*impl_);
  if (Query(database, "SELECT 1 FROM model WHERE id = ?", {model.id}).next()) return false;
  write_sealed(
      database, "model",
      {number_value(++change.ledger.models), model.id, number_value(model.bytes),
       number_value(model.step), model.parent, model.account, model.made, Blob{model.signature}});
  die_at("model.row");
  change.commit();
  return true;
}

void Store::Impl::crown(const std::string& model, std::uint64_t match, Change& change) {
  if (!Query(database, "SELECT 1 FROM model WHERE id = ?", {model}).next())
    throw Error("there is no model " + model + " that could be champion.");
  write_sealed(
      database, "champion",
      {number_value(++change.ledger.champions), model, number_value(match), now_seconds()});
  die_at("store.champion");
}

bool Store::move_champion(std::uint64_t expected_version, const std::string& model,
                          std::uint64_t match) {
  Impl::Change change(*impl_);
  if (read_champion(impl_->database).version != expected_version) return false;
  if (match != 0 &&
      !Query(impl_->database, "SELECT 1 FROM match WHERE number = ? AND open = 0 AND candidate = ?",
             {number_value(match), model})
           .next())
    throw Error("match " + std::to_string(match) + " did not decide about the model " + model +
                ".");
  impl_->crown(model, match, change);
  change.commit();
  return true;
}

}  // namespace tabula
