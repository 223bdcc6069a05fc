#include "core/base/digest.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/die_at.h"
#include "tests/run.h"

using namespace tabula;

TEST_CASE("a digest is the one that b2sum prints") {
  const Ran ran = run("printf Tabula | b2sum -l 256");
  CHECK(ran.output == hex(digest_of("Tabula")) + "  -\n");
}

TEST_CASE("a digest of pieces is that of the whole, and numbers keep parts apart") {
  CHECK(DigestStream().add("Tab").add("ula").finish() == digest_of("Tabula"));
  CHECK(DigestStream().add_number(3).add("Tab").add_number(3).add("ula").finish() !=
        DigestStream().add_number(4).add("Tabu").add_number(2).add("la").finish());
}

TEST_CASE("hexadecimal text is read back, and nothing else is") {
  const Digest digest = digest_of("x");
  Digest read{};
  CHECK(from_hex(hex(digest), read));
  CHECK(read == digest);
  CHECK_FALSE(from_hex(hex(digest).substr(1), read));
  CHECK_FALSE(from_hex("G" + hex(digest).substr(1), read));
  CHECK_FALSE(from_hex("A" + hex(digest).substr(1), read));  // as a file's name it is another one
}

TEST_CASE("a process dies at the named point, as often as asked, and at no other") {
  const auto passes = [](const char* wanted, int times) {
    const pid_t child = fork();
    if (child == 0) {
      setenv("TABULA_DIE_AT", wanted, 1);
      for (int i = 0; i < times; ++i) die_at("here");
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  };
  CHECK(passes("here:3", 2));
  CHECK_FALSE(passes("here:3", 3));
  CHECK_FALSE(passes("here", 1));
  CHECK(passes("there", 5));
}
