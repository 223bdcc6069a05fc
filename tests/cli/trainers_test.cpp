// Several trainers as programs.
#include <doctest/doctest.h>

#include <filesystem>

#include "core/data/safetensors.h"
#include "core/nn/torch_library.h"
#include "core/store/reader.h"
#include "tests/program.h"
#include "tests/run.h"
#include "tests/scratch.h"

using namespace tabula;

TEST_CASE("two trainers step together; whichever is killed, they go on when it returns") {
  if (!torch_installed()) {
    MESSAGE("skipped: this build has no LibTorch");
    return;
  }
  const Scratch folder;
  const std::string address = "ipc://" + (folder / "s"),
                    checkpoint = folder / "training0/checkpoint.safetensors",
                    place = "127.0.0.1:" + std::to_string(10000 + getpid() % 10000);
  const auto begun = [&](const std::string& name, const std::vector<std::string>& args,
                         const std::string& log) {
    return Program(name, args, folder.path(), log);
  };
  const auto trainer = [&](const std::string& rank) {
    return begun("trainer",
                 {"--replay", address, "--run", "training" + rank, "--trainers", "2", "--rank",
                  rank, "--rendezvous", place, "--publish-steps", "20", "--report", "1"},
                 "trainer" + rank + ".log");
  };
  Program store =
      begun("replay", {"--db", "games.db", "--game", "tictactoe", "--listen", address}, "log");
  Program worker =
      begun("selfplay", {"--replay", address, "--outbox", "outbox", "--threads", "1"}, "self.log");
  std::vector<Program> trainers;
  trainers.push_back(trainer("0"));
  trainers.push_back(trainer("1"));
  const auto steps = [&] {
    return std::filesystem::exists(checkpoint)
               ? std::stoull(read_tensor_file(checkpoint).metadata.at("learner.steps"))
               : 0;
  };
  const auto goes_on = [&] {
    const auto before = steps();
    return eventually([&] { return steps() > before + 20; });
  };
  REQUIRE_MESSAGE(goes_on(), trainers[0].said() << trainers[1].said());
  for (const int which : {1, 0}) {
    CAPTURE(which);
    CHECK(trainers[std::size_t(which)].end(SIGKILL) == 128 + SIGKILL);
    Program& other = trainers[std::size_t(1 - which)];
    CHECK(eventually([&] { return other.says("another trainer is gone"); }));
    trainers[std::size_t(which)] = trainer(std::to_string(which));
    CHECK_MESSAGE(goes_on(), trainers[0].said() << trainers[1].said());
  }
  CHECK(trainers[0].says("back at the last checkpoint"));
  for (Program* program : {&trainers[0], &trainers[1], &worker, &store})
    CHECK_MESSAGE(program->end(SIGTERM) == 0, program->said());
  CHECK(Reader(folder / "games.db").models().size() > 2);
}

TEST_CASE("trainers that cannot meet say why") {
  const auto said = [](const std::string& args) {
    return run(TABULA_BUILD "/bin/trainer --replay tcp://127.0.0.1:1 " + args).output;
  };
  CHECK(contains(said("--trainers 2"), "--rendezvous HOST:PORT"));
  CHECK(contains(said("--trainers 2 --rank 2 --rendezvous a:1"), "rank"));
  CHECK(contains(said("--trainers 0"), "trainers"));
}
