#include "core/cli/options.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

#include "core/base/nearest.h"
#include "core/base/printable.h"

namespace tabula {
namespace po = boost::program_options;
namespace {

constexpr std::size_t kMostShown = 200;  // of what somebody typed
constexpr std::size_t kLongestFile = std::size_t{1} << 20;

// Boost puts a wrong value into its sentence by replacing "%value%" until there is none left: a
// value that holds it would be replaced for ever.
void check_text(std::string_view text) {
  for (const char* name : {"%value%", "%option%", "%canonical_option%", "%prefix%",
                           "%original_token%", "%invalid_line%"})
    if (text.find(name) != text.npos)
      throw Error("no option takes a value with " + std::string(name) + " in it.");
}

std::string read_options_file(const std::string& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path))
    throw Error(path + ": cannot read this options file.");
  std::string text;
  for (char room[4096]; file.read(room, sizeof room), file.gcount() > 0;) {
    text.append(room, std::size_t(file.gcount()));
    if (text.size() > kLongestFile) throw Error(path + ": too long for an options file.");
  }
  return text;
}

}  // namespace

Options::Options(std::string usage, std::string summary)
    : usage_(std::move(usage)), summary_(std::move(summary)), named_("Options", 100) {
  named_.add_options()("help,h", "print this and stop")(
      "config", po::value<std::string>()->value_name("FILE"),
      "read options from an INI file: the same names, NAME = VALUE; the command line wins");
}

Options& Options::flag(const char* name, bool& target, const char* help) {
  named_.add_options()(name, po::bool_switch(&target)->default_value(target), help);
  return *this;
}

Options& Options::argument(const char* name, std::string& target, bool optional) {
  hidden_.add_options()(name, po::value<std::string>(&target));
  order_.add(name, 1);
  positionals_.push_back({name, optional});
  return *this;
}

Options& Options::arguments(const char* name, std::vector<std::string>& target) {
  hidden_.add_options()(name, po::value<std::vector<std::string>>(&target));
  order_.add(name, -1);
  positionals_.push_back({name, true});
  return *this;
}

Options& Options::also_in_files(const std::vector<std::string>& names) {
  elsewhere_.insert(elsewhere_.end(), names.begin(), names.end());
  return *this;
}

Options& Options::defaults(std::filesystem::path file, std::string section) {
  defaults_ = std::move(file);
  section_ = std::move(section);
  return *this;
}

std::vector<std::string> Options::names() const {
  std::vector<std::string> names;
  for (const auto& option : named_.options()) names.push_back(option->long_name());
  return names;
}

std::string Options::help() const {
  std::ostringstream text;
  text << "usage: " << usage_ << "\n" << summary_ << "\n\n" << named_;
  return text.str();
}

namespace {

// "-1" is a number where an argument is wanted, not an option called 1.
std::vector<po::option> take_number(Args& args) {
  const bool number = args[0].size() > 1 && args[0][0] == '-' && std::isdigit(args[0][1]);
  if (!number) return {};
  po::option argument;
  argument.value = argument.original_tokens = {args[0]};
  args.erase(args.begin());
  return {argument};
}

std::map<std::string, std::string> texts_of(const po::parsed_options& parsed) {
  std::map<std::string, std::string> texts;
  for (const po::option& option : parsed.options)
    texts[option.string_key] = option.value.empty() ? "true" : option.value.back();
  return texts;
}

}  // namespace

void Options::check_signs(const po::parsed_options& parsed) const {
  for (const po::option& option : parsed.options)
    if (unsigned_.contains(option.string_key) && !option.value.empty() &&
        option.value.back().starts_with('-'))
      throw Error("--" + option.string_key + " takes no negative number.");
}

std::string Options::unknown(std::string typed, bool in_file) const {
  typed = printable(typed, kMostShown);
  if (!typed.starts_with('-')) typed = "--" + typed;
  std::vector<std::string> known;
  for (const std::string& name : names()) known.push_back("--" + name);
  if (in_file)
    for (const std::string& name : elsewhere_) known.push_back("--" + name);
  return "unknown option " + typed + "." + did_you_mean(typed, known) + " --help lists them.";
}

std::map<std::string, std::string> Options::store_file(const std::string& text,
                                                       const std::string& path,
                                                       Values& values) const try {
  check_text(text);
  std::istringstream file(text);
  po::options_description all;
  all.add(named_).add(hidden_);
  const auto parsed = po::parse_config_file(file, all, true);
  for (const po::option& option : parsed.options)
    if (option.unregistered && std::ranges::find(elsewhere_, option.string_key) == elsewhere_.end())
      throw Error(unknown(option.string_key, true));
  check_signs(parsed);
  po::store(parsed, values);
  return texts_of(parsed);
} catch (const po::multiple_occurrences& e) {
  throw Error(path + ": " + e.get_option_name() + " is set more than once; keep one line.");
} catch (const Error& e) {
  throw Error(path + ": " + e.what());
} catch (const po::error& e) {
  throw Error(path + ": " + printable(e.what(), kMostShown) + ".");
}

void Options::store_defaults(Values& values) {
  if (!std::filesystem::exists(defaults_)) return;
  std::istringstream file(read_options_file(defaults_));
  std::string general, special, section, line;
  while (std::getline(file, line)) {
    const bool heading = line.starts_with('[') && line.find(']') != line.npos;
    if (heading) section = line.substr(1, line.find(']') - 1);
    // Empty lines in place of others keep the numbers of lines in complaints.
    general += (section.empty() ? line : "") + "\n";
    special += (!heading && section == section_ && !section.empty() ? line : "") + "\n";
  }
  for (const std::string& part : {special, general})
    for (const auto& [name, value] : store_file(part, defaults_, values)) found_.insert(name);
}

bool Options::parse(const Args& args) try {
  po::options_description all;
  all.add(named_).add(hidden_);
  po::variables_map values;
  for (const std::string& arg : args) check_text(arg);
  // No guessing from a name's beginning: a typo must not become another option.
  const int style = po::command_line_style::unix_style ^ po::command_line_style::allow_guessing;
  const auto parsed = po::command_line_parser(args)
                          .options(all)
                          .positional(order_)
                          .style(style)
                          .extra_style_parser(take_number)
                          .run();
  check_signs(parsed);
  po::store(parsed, values);
  given_ = texts_of(parsed);
  if (values.count("help")) {
    std::cout << help();
    return false;
  }
  if (values.count("config")) {
    const auto path = values["config"].as<std::string>();
    given_.merge(store_file(read_options_file(path), path, values));
  }
  found_.clear();
  for (const auto& [name, value] : given_) found_.insert(name);
  if (!defaults_.empty()) store_defaults(values);
  po::notify(values);
  for (const auto& [name, optional] : positionals_)
    if (!optional && !values.count(name))
      throw Error(std::string(name) + " is missing; usage: " + usage_);
  return true;
} catch (const po::unknown_option& e) {
  throw Error(unknown(e.get_option_name(), false));
} catch (const po::multiple_occurrences& e) {
  throw Error(e.get_option_name() + " is given more than once; once is enough.");
} catch (const po::too_many_positional_options_error&) {
  throw Error("too many arguments; usage: " + usage_);
} catch (const po::error& e) {
  throw Error(printable(e.what(), kMostShown) + "; --help shows how.");
}

}  // namespace tabula
