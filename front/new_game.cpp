#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

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
  const auto fine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (name.empty() || name.size() > 32 || !std::ranges::all_of(name, fine) ||
      !(name[0] >= 'a' && name[0] <= 'z'))
    throw Error("'" + name +
                "' cannot be a game's name: use 1 to 32 of a-z, 0-9 and _, a letter first.");
  for (const char* taken : {"all", "clean", "help", "install", "package", "test"})
    if (name == taken) throw Error("'" + name + "' means something to CMake; choose another name.");
}

}  // namespace

int new_game_command(const Args& args) {
  std::string name;
  Options options("tabula new-game NAME",
                  "Writes a small plugin project into the folder NAME: rules, test, CMakeLists and "
                  "README. It\nbuilds and passes check-game as it stands.");
  options.argument("NAME", name);
  if (!options.parse(args)) return 0;
  check_name(name);
  if (fs::exists(name)) throw Error(name + " is already there; choose another name or remove it.");

  const fs::path templates = prefix() / "share/tabula/new_game", folder = name;
  const std::pair<const char*, std::string> files[] = {{"game.cpp.in", name + ".cpp"},
                                                       {"test.cpp.in", name + "_test.cpp"},
                                                       {"CMakeLists.txt.in", "CMakeLists.txt"},
                                                       {"README.md.in", "README.md"}};
  std::error_code failed;
  fs::create_directory(folder, failed);
  if (failed) throw Error(name + ": cannot make this folder: " + failed.message() + ".");
  for (const auto& [from, to] : files) {
    std::ofstream out(folder / to, std::ios::binary);
    out << filled(filled(read(templates / from), "@NAME@", name), "@PREFIX@", prefix().string());
    if (!out.flush()) throw Error((folder / to).string() + ": cannot write it.");
  }
  std::cout << "wrote " << name << "/: rules in " << name << "/" << name << ".cpp. Next:\n"
            << "  cmake -S " << name << " -B " << name << "/build\n"
            << "  cmake --build " << name << "/build\n"
            << "  " << prefix() / "bin/tabula"
            << " check-game " << name << "/build/" << name << ".so\n";
  return 0;
}

}  // namespace tabula
