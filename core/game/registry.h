#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/game/rules.h"

namespace tabula {

// The games of one plugin, checked. Throws Error if it is not a plugin that this Tabula can use.
// A plugin stays loaded until the process ends.
std::vector<RulesPtr> load_plugin(const std::filesystem::path& file);

// Finds games by name in folders of plugins, or by path. Not thread-safe.
class Registry {
 public:
  explicit Registry(std::vector<std::filesystem::path> folders);

  // `extra` folders, those in $TABULA_PLUGINS (colons between them), and the installed one.
  static Registry standard(std::vector<std::filesystem::path> extra = {});

  // NAME, PATH.so, or PATH.so:NAME where a plugin holds several games. Throws Error.
  RulesPtr find(std::string_view game);

  struct Listing {
    std::vector<RulesPtr> games;        // by name, numbers in order: go2 before go13
    std::vector<std::string> refusals;  // plugins that could not be used, and why
  };
  const Listing& list();

 private:
  RulesPtr find_in_plugin(std::string_view path, std::string_view name) const;
  std::vector<std::filesystem::path> folders_;
  Listing listing_;
  bool listed_ = false;
};

// lib/tabula/games beside the running program's bin.
std::filesystem::path installed_plugins();

}  // namespace tabula
