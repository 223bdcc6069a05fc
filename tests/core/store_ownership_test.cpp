#include "core/store/ownership.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/store/network_disk.h"
#include "tests/child.h"
#include "tests/run.h"
#include "tests/scratch.h"

using namespace tabula;

TEST_CASE("one process owns a database, and says where it is to be reached") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  CHECK_FALSE(owner_of(path));
  {
    Ownership mine(path);
    REQUIRE(owner_of(path));
    CHECK(owner_of(path)->process == getpid());
    CHECK(owner_of(path)->address.empty());
    CHECK_FALSE(owner_of(path)->host.empty());
    mine.say_address("tcp://127.0.0.1:55555");
    mine.say_address("ipc:///run/x");
    CHECK(owner_of(path)->address == "ipc:///run/x");
    const auto try_it = [&]() -> std::string { return Ownership(path), "(it was had)"; };
    const std::string sentence = path + ": it is in use by process " + std::to_string(getpid());
    CHECK(contains(in_child(try_it), "connect to ipc:///run/x instead"));
    CHECK(in_child([&] {
            mine.~Ownership();
            return std::string("a child's copy");
          }) == "a child's copy");
    CHECK_THROWS_WITH_AS(try_it(), doctest::Contains(sentence.c_str()), Error);
    CHECK(owner_of(path));  // asking and trying take nothing away
  }
  CHECK_FALSE(owner_of(path));
  CHECK_NOTHROW(Ownership{path});
  CHECK_FALSE(std::filesystem::exists(path));  // the database itself is never touched
}

TEST_CASE("a killed owner owns nothing") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  Child child([&] {
    Ownership mine(path);
    mine.say_address("tcp://10.0.0.1:1");
    pause();
  });
  while (!owner_of(path) || owner_of(path)->address.empty()) usleep(1000);
  CHECK(owner_of(path)->address == "tcp://10.0.0.1:1");
  child.kill();
  CHECK_FALSE(owner_of(path));
  Ownership mine(path);
  CHECK(owner_of(path)->address.empty());
}

TEST_CASE("folders of network file systems are told from local ones") {
  CHECK(network_disk(0x6969, "nfs4") == "NFS");
  CHECK(network_disk(0xff534d42, "cifs") == "CIFS");
  CHECK(network_disk(0x0bd00bd0, "lustre") == "Lustre");
  CHECK(network_disk(0x65735546, "fuse.sshfs") == "fuse.sshfs");
  CHECK(network_disk(0x65735546, "fuse.fuse-overlayfs").empty());
  CHECK(network_disk(0x65735546, "fuseblk").empty());
  CHECK(network_disk(0xef53, "ext4").empty());
  CHECK(network_disk(0x01021994, "tmpfs").empty());
  CHECK(network_disk(std::filesystem::temp_directory_path()).empty());
}
