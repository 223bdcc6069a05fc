// What a program says while it runs: one line an event, for people or as JSON.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tabula {

enum class LogFormat { text, json };
void set_log_format(LogFormat format);
LogFormat parse_log_format(std::string_view name);  // throws Error

using LogFields = std::vector<std::pair<std::string_view, std::string>>;

// To standard error, as one write: lines of threads do not mix. Text: "12:34:56 message (a=1 b=2)".
void log(std::string_view message, const LogFields& fields = {});

}  // namespace tabula
