#include "front/eval/models.h"

#include <filesystem>

#include "core/store/model_files.h"
#include "core/store/reader.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShortId = 12;

// The id that a word means in a run.
std::string id_in(const Reader& reader, const std::string& model, const std::string& run) {
  if (model == "champion") {
    std::string id = reader.champion().model;
    if (id.empty()) throw Error("the run " + run + " has no champion yet.");
    return id;
  }
  const std::vector<ModelRow> models = reader.models();
  if (models.empty()) throw Error("the run " + run + " has no model yet.");
  if (model == "latest") return models.back().id;
  std::string found;
  for (const ModelRow& row : models) {
    if (!row.id.starts_with(model)) continue;
    if (!found.empty()) throw Error("several models of " + run + " begin with '" + model + "'.");
    found = row.id;
  }
  if (found.empty())
    throw Error("the run " + run + " has no model '" + model +
                "'. Say champion, latest, the beginning of an id, or a file.");
  return found;
}

NamedNet net_of_run(const std::string& model, const std::string& run) {
  const fs::path database = fs::path(run) / "games.db";
  const std::string id = id_in(Reader(database), model, run);
  const std::string shown = id.substr(0, kShortId);
  const bool word = model == "champion" || model == "latest";
  return {word ? model + " " + shown : shown, load_net(ModelFiles(database).path(id))};
}

}  // namespace

NamedNet find_net(const std::string& model, const std::string& run, const Rules& rules) {
  const bool file = run.empty() || fs::exists(model);
  if (file && !fs::exists(model) && (model == "champion" || model == "latest"))
    throw Error("the " + model + " of which run? Say --run DIR.");
  NamedNet found = file ? NamedNet{model, load_net(model)} : net_of_run(model, run);
  check_made_for(found.net, rules);
  return found;
}

}  // namespace tabula
