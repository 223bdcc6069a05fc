// A stranger's game in the cluster: the images of Tabula with one more plugin.
#include <fstream>
#include <iostream>

#include "core/game/registry.h"
#include "front/commands.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

struct ImageOptions {
  std::string plugin, out, images = "tabula";

  bool parse(const Args& args) {
    Options options(
        "tabula image PLUGIN.so [options]",
        "Writes a Containerfile beside a plugin that adds it to every image of Tabula.");
    options.argument("PLUGIN", plugin)
        .add("out", out, "the file (default: Containerfile beside the plugin)")
        .add("images", images, "where the images of Tabula are: IMAGES/selfplay and its kin");
    return options.parse(args);
  }
};

}  // namespace

int image_command(const Args& args) {
  ImageOptions options;
  if (!options.parse(args)) return 0;
  const fs::path plugin = options.plugin;
  if (plugin.extension() != ".so")
    throw Error(options.plugin + ": a plugin's file is wanted, such as build/nim.so.");
  const RulesPtr rules = Registry::standard({}).find(options.plugin);  // complains if it is none
  const fs::path file = options.out.empty() ? fs::absolute(plugin).parent_path() / "Containerfile"
                                            : fs::path(options.out);
  if (fs::exists(file)) throw Error(file.string() + ": it is there already; --out names another.");
  fs::path settings = fs::absolute(plugin).replace_extension(".ini");
  const std::string also = fs::exists(settings) ? " " + settings.filename().string() : "";
  std::ofstream out(file);
  out << "ARG PROGRAM=selfplay\n"
      << "FROM " << options.images << "/${PROGRAM}\n"
      << "COPY " << plugin.filename().string() << also << " /usr/local/lib/tabula/games/\n";
  if (!out.flush()) throw Error(file.string() + ": cannot write it.");
  const std::string name = plugin.stem().string();
  std::cout << "wrote " << file.string() << ". For each program:\n"
            << "  podman build --build-arg PROGRAM=selfplay -t " << name << "/selfplay "
            << file.parent_path().string() << "\n"
            << "and the same for replay, trainer and arena; '--game " << rules->name()
            << "' then names the game to replay.\n";
  return 0;
}

}  // namespace tabula
