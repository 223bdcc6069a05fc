#pragma once
#include <boost/program_options.hpp>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <type_traits>
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
    if (std::is_unsigned_v<T> && !std::is_same_v<T, bool>) unsigned_.insert(name);
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

  // Names that belong to other programs, which may read the same file: there they are passed over.
  Options& also_in_files(const std::vector<std::string>& names);
  // Values for what neither the command line nor --config sets, from a file of the same kind: those
  // below [SECTION] go before those above all sections. No file: none.
  Options& defaults(std::filesystem::path file, std::string section);
  std::vector<std::string> names() const;  // without dashes

  // False if the help was asked for and printed. Throws Error with one sentence on a mistake.
  bool parse(const Args& args);
  std::string help() const;
  // The options that the last parse() found on the command line or in --config, as texts.
  const std::map<std::string, std::string>& given() const { return given_; }
  // And those that it found anywhere, the file of defaults included.
  const std::set<std::string>& found() const { return found_; }

 private:
  using Values = boost::program_options::variables_map;
  struct Positional {
    const char* name;
    bool optional;
  };
  std::map<std::string, std::string> store_file(const std::string& text, const std::string& path,
                                                Values& values) const;
  void store_defaults(Values& values);
  // Boost makes a huge number of a negative one.
  void check_signs(const boost::program_options::parsed_options& parsed) const;
  // A sentence about an option that is not there.
  std::string unknown(std::string typed, bool in_file) const;
  std::string usage_, summary_;
  boost::program_options::options_description named_, hidden_;
  boost::program_options::positional_options_description order_;
  std::vector<Positional> positionals_;
  std::set<std::string> unsigned_;
  std::vector<std::string> elsewhere_;  // names of other programs' options
  std::filesystem::path defaults_;
  std::string section_;
  std::map<std::string, std::string> given_;
  std::set<std::string> found_;
};

}  // namespace tabula
