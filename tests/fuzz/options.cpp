// Files of options, with every kind of option that commands have.
#include "core/cli/options.h"

#include "tests/fuzz/target.h"

namespace tabula {
namespace {

struct AnyOptions {
  int threads = 1;
  std::uint64_t seed = 0;
  float rate = 0.5f;
  std::string name = "x";
  std::vector<std::string> list;
  bool quick = false;
  bool operator==(const AnyOptions&) const = default;

  void read(const std::filesystem::path& file) {
    Options options("fuzz", "");
    options.add("threads", threads, "").add("seed", seed, "").add("search.rate", rate, "");
    options.add("name", name, "").add_list("list", list, "").flag("quick", quick, "");
    options.parse({"--config", file.string()});
  }
};

void read_options(std::string_view bytes) {
  static const FuzzFolder folder;
  const std::filesystem::path file = folder.file("options.ini", bytes);
  AnyOptions once, again;
  once.read(file);
  again.read(file);
  law(once == again || once.rate != once.rate, "a file says the same whenever it is read");
}

std::vector<std::string> files(Rng& rng) {
  std::vector<std::string> seeds = {"", "# nothing\n", "quick = on\n", "[search]\nrate = 1e-3\n"};
  for (int i = 0; i < 20; ++i)
    seeds.push_back("threads = " + std::to_string(rng.below(99)) + "\n# of all\nlist = a\n" +
                    "list=b # two\nseed = " + std::to_string(rng.next()) + "\nname = \"a b\"\n\n" +
                    "quick = " + (rng.below(2) ? "yes" : "false") +
                    "\n[search]\nrate = " + std::to_string(rng.uniform()) + "\n");
  return seeds;
}

const Registered registered({"options", read_options, files});

}  // namespace
}  // namespace tabula
