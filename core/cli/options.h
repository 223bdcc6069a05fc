#pragma once
#include <boost/program_options.hpp>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tabula {

using Args = std::vector<std::string>;

// A command's options, one line for each: name, target and help at once. The target's value is the
// default. --help and --config FILE (INI, the same keys) come by themselves.
class Options {
 public:
  Options(std::string usage, std::string summary);

  template <class T>
  Options& add(const char* name, T& target, const char* help) {
    named_.add_options()(name, boost::program_options::value<T>(&target)->default_value(target),
                         help);
    return *this;
  }
  template <class T>
  Options& add_list(const char* name, std::vector<T>& target, const char* help) {
    named_.add_options()(name, boost::program_options::value<std::vector<T>>(&target)->composing(),
                         help);
    return *this;
  }
  Options& flag(const char* name, bool& target, const char* help);
  // Arguments without a name, in order. One that is not optional must be given.
  Options& argument(const char* name, std::string& target, bool optional = false);
  Options& arguments(const char* name, std::vector<std::string>& target);  // all the rest

  // False if the help was asked for and printed. Throws Error with one sentence on a mistake.
  bool parse(const Args& args);
  std::string help() const;

 private:
  struct Positional {
    const char* name;
    bool optional;
  };
  std::vector<std::string> names() const;
  std::string unknown(std::string typed) const;  // a sentence about an option that is not there
  std::string usage_, summary_;
  boost::program_options::options_description named_, hidden_;
  boost::program_options::positional_options_description order_;
  std::vector<Positional> positionals_;
};

}  // namespace tabula
