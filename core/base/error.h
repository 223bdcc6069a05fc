#pragma once
#include <stdexcept>

namespace tabula {

// Something the outside world got wrong: a file, an option, a plugin, a record. The message is one
// sentence that says what to do; main() prints it and exits with 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tabula
