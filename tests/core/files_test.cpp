#include "core/base/files.h"

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "tests/child.h"
#include "tests/scratch.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMax = 1 << 20;

long entries(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

// What writing `bytes` to `path` complains about, in a child in which `fault` has happened.
template <class Fault>
std::string complaint(const std::string& path, const std::string& bytes, Fault fault) {
  return in_child([&]() -> std::string {
    if (!fault()) return "(the fault did not happen)";
    write_file_atomically(path, bytes);
    return "(it was written)";
  });
}

bool nothing() { return true; }

}  // namespace

TEST_CASE("a file is read as it was written, and written over") {
  const Scratch folder;
  const std::string path = folder / "a";
  for (const std::string& bytes : {std::string("hello\0there\n", 12), std::string(300000, 'x'),
                                   std::string(), std::string("short")}) {
    write_file_atomically(path, bytes);
    CHECK(read_file(path, kMax) == bytes);
  }
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a name may be as long as names can be, and a path may have no folder in it") {
  const Scratch folder;
  const std::string longest(255, 'n');
  write_file_atomically(folder / longest, "x");
  CHECK(read_file(folder / longest, kMax) == "x");
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  write_file_atomically("plain", "y");
  CHECK(read_file("plain", kMax) == "y");
  fs::current_path(before);
}

TEST_CASE("a new file gets the permissions of any other new file") {
  const Scratch folder;
  const std::string said = in_child([&]() -> std::string {
    umask(027);
    write_file_atomically(folder / "a", "x");
    return "written";
  });
  CHECK(said == "written");
  CHECK(fs::status(folder / "a").permissions() == fs::perms(0640));
}

TEST_CASE("what cannot be read is refused with a sentence") {
  const Scratch folder;
  write_file_atomically(folder / "a", "12345");
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const auto refusal = [&](const std::string& path, const std::string& why) {
    CHECK_THROWS_WITH_AS(read_file(path, 4), (path + ": " + why).c_str(), Error);
  };
  refusal(folder / "none", "there is no such file.");
  refusal(folder / "a", "it has 5 bytes, and at most 4 are read.");
  refusal(folder.path(), "not a file.");
  refusal(folder / "pipe", "not a file.");
  refusal(folder / "a/b", "cannot read it: Not a directory.");
}

TEST_CASE("a folder that is missing, or a target that is a folder, is said so") {
  const Scratch folder;
  const std::string lost = folder / "no/where";
  CHECK(complaint(lost, "x", nothing) ==
        lost + ": cannot write it: there is no folder " + (folder / "no") + ".");
  fs::create_directory(folder / "sub");
  CHECK(complaint(folder / "sub", "x", nothing) ==
        (folder / "sub") + ": cannot write it: it is a folder.");
  CHECK(complaint(folder / "sub/", "x", nothing) ==
        (folder / "sub/") + ": cannot write it: it names no file.");
  CHECK(entries(folder.path()) == 1);
  CHECK(entries(folder / "sub") == 0);
}

TEST_CASE("without permission the old file stays, and nothing else") {
  const Scratch folder;
  const std::string path = folder / "a";
  write_file_atomically(path, "old");
  fs::permissions(folder.path(), fs::perms(0555));
  // Root may write anywhere, so the child is nobody.
  const auto drop_rights = [] { return geteuid() != 0 || setuid(65534) == 0; };
  CHECK(complaint(path, "new", drop_rights) ==
        path + ": cannot write it: there is no permission to.");
  fs::permissions(folder.path(), fs::perms(0755));
  CHECK(read_file(path, kMax) == "old");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("when the bytes do not fit, the old file stays, and nothing else") {
  const Scratch folder;
  const std::string path = folder / "a";
  write_file_atomically(path, "old");
  const auto limit_files = [] {
    const rlimit limit{100000, 100000};
    return signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &limit) == 0;
  };
  CHECK(complaint(path, std::string(100001, 'n'), limit_files) ==
        path + ": cannot write it: it would be larger than a file may be here (see ulimit -f).");
  CHECK(read_file(path, kMax) == "old");
  CHECK(entries(folder.path()) == 1);
  CHECK(complaint(path, std::string(100000, 'n'), limit_files) == "(it was written)");
}

TEST_CASE("on a full disk the old file stays, and nothing else") {
  const Scratch folder;
  const std::string path = folder / "a";
  // A disk of 64 KiB that only the child sees.
  const std::string said = in_child([&]() -> std::string {
    // Nothing is mounted unless the child has mounts of its own, which the others do not see.
    if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return "(no disk)";
    if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0)
      return "(no disk)";
    write_file_atomically(path, "old");
    try {
      write_file_atomically(path, std::string(100000, 'n'));
    } catch (const Error& e) {
      return e.what() + std::string(" ") + read_file(path, kMax) + " " +
             std::to_string(entries(folder.path()));
    }
    return "(it was written)";
  });
  if (said == "(no disk)") {
    MESSAGE("skipped: a small disk cannot be mounted here");
    return;
  }
  CHECK(said == path + ": cannot write it: the disk is full; make room and try again. old 1");
}

// The file holds one letter many times; which one changes with each write.
TEST_CASE("a reader finds a whole file, however often its writer is killed") {
  constexpr int kRounds = 400, kEnough = 40;
  constexpr std::size_t kSize = 200000;
  const Scratch folder;
  const std::string path = folder / "a";
  Rng rng(20);
  int cut = 0, round = 0, reads = 0;
  char before = 'a';
  int changed = 0;
  write_file_atomically(path, std::string(kSize, before));
  const auto whole = [&] {
    const std::string bytes = read_file(path, kMax);
    ++reads;
    changed += bytes[0] != before;
    before = bytes[0];
    return bytes == std::string(kSize, before);
  };
  bool always = true;
  for (; round < kRounds && cut < kEnough && always; ++round) {
    Child writer([&] {
      for (int i = round;; ++i) write_file_atomically(path, std::string(kSize, char('a' + i % 26)));
    });
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::microseconds(500 + rng.below(20000));
    while (std::chrono::steady_clock::now() < until) always = always && whole();
    writer.kill();
    always = always && whole();
    cut += entries(folder.path()) > 1;  // the kill came in the middle of a write
    for (const auto& entry : fs::directory_iterator(folder.path()))
      if (entry.path() != path) fs::remove(entry.path());
  }
  CHECK(always);
  MESSAGE(cut << " of " << round << " kills came in the middle of a write; " << reads
              << " reads saw " << changed << " changes");
  CHECK(cut >= kEnough / 4);
  CHECK(changed > 0);
}

TEST_CASE("many writers at once leave one whole file") {
  const Scratch folder;
  const std::string path = folder / "a";
  std::vector<std::thread> writers;
  for (char letter : {'a', 'b', 'c', 'd'})
    writers.emplace_back([&, letter] {
      for (int i = 0; i < 20; ++i) write_file_atomically(path, std::string(50000, letter));
    });
  for (std::thread& writer : writers) writer.join();
  const std::string bytes = read_file(path, kMax);
  CHECK(bytes == std::string(50000, bytes[0]));
  CHECK(entries(folder.path()) == 1);
}
