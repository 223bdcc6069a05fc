#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "core/game/names.h"
#include "core/game/registry.h"
#include "front/commands.h"

namespace tabula {
namespace fs = std::filesystem;
namespace {

// The prefix of this installation, or of the build tree, which is laid out alike.
fs::path prefix() { return installed_plugins().parent_path().parent_path().parent_path(); }

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error(file.string() + ": cannot read this template; is Tabula installed whole?");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string filled(std::string text, const std::string& name, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(name, at)) != text.npos; at += value.size())
    text.replace(at, name.size(), value);
  return text;
}

void check_name(const std::string& name) {
  if (!is_game_name(name))
    throw Error("'" + name + "' cannot be a game's name: use " TABULA_NAME_RULE ".");
  for (const char* taken : {"all", "clean", "help", "install", "package", "test"})
    if (name == taken) throw Error("'" + name + "' means something to CMake; choose another name.");
}

}  // namespace

int new_game_command(const Args& args) {
  std::string where;
  Options options(
      "tabula new-game NAME",
      "Writes a small plugin project into the folder NAME, or FOLDER/NAME: rules, test, "
      "CMakeLists and\nREADME. It builds and passes check-game as it stands.");
  options.argument("NAME", where);
  if (!options.parse(args)) return 0;
  const fs::path folder = where, templates = prefix() / "share/tabula/new_game";
  const std::string name = folder.filename();
  check_name(name);
  if (fs::exists(folder))
    throw Error(where + " is already there; choose another name or remove it.");

  const std::pair<const char*, std::string> files[] = {{"game.cpp.in", name + ".cpp"},
                                                       {"test.cpp.in", name + "_test.cpp"},
                                                       {"CMakeLists.txt.in", "CMakeLists.txt"},
                                                       {"README.md.in", "README.md"}};
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw Error(where + ": cannot make this folder: " + failed.message() + ".");
  for (const auto& [from, to] : files) {
    std::ofstream out(folder / to, std::ios::binary);
    out << filled(filled(read(templates / from), "@NAME@", name), "@PREFIX@", prefix().string());
    if (!out.flush()) throw Error((folder / to).string() + ": cannot write it.");
  }
  const fs::path build = folder / "build";
  std::cout << "wrote " << where << ": rules in " << name << ".cpp. Next:\n"
            << "  cmake -S " << folder << " -B " << build << "\n"
            << "  cmake --build " << build << "\n"
            << "  " << prefix() / "bin/tabula"
            << " check-game " << build / (name + ".so") << "\n";
  return 0;
}

}  // namespace tabula
