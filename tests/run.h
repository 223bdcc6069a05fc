// Runs a command as a user would, for tests of the programs.
#pragma once
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace tabula {

struct Ran {
  int status;          // the exit code; 128 + n after signal n
  std::string output;  // standard output and error, as they came
};

inline Ran run(const std::string& command) {
  Ran ran{};
  FILE* pipe = popen(("(" + command + ") 2>&1").c_str(), "r");
  std::array<char, 4096> room;
  while (const std::size_t read = fread(room.data(), 1, room.size(), pipe))
    ran.output.append(room.data(), read);
  const int status = pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

// build/.../bin/tabula with these arguments.
inline Ran tabula_program(const std::string& arguments) {
  return run(TABULA_BUILD "/bin/tabula " + arguments);
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace tabula
