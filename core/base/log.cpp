#include "core/base/log.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "core/base/error.h"

namespace tabula {
namespace {

std::atomic<LogFormat> format = LogFormat::text;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (std::uint8_t(c) < ' ') {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", unsigned(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string time_text(const char* how) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, how, &parts);
  return text;
}

}  // namespace

void set_log_format(LogFormat wanted) { format = wanted; }

LogFormat parse_log_format(std::string_view name) {
  if (name == "text") return LogFormat::text;
  if (name == "json") return LogFormat::json;
  throw Error("there is no log format '" + std::string(name) + "'; there are text and json.");
}

void log(std::string_view message, const LogFields& fields) {
  std::string line;
  if (format == LogFormat::json) {
    line = "{\"time\":\"" + time_text("%FT%TZ") + "\",\"message\":" + quoted(message);
    for (const auto& [name, value] : fields) line += "," + quoted(name) + ":" + quoted(value);
    line += "}\n";
  } else {
    line = time_text("%T ") + std::string(message);
    for (const auto& [name, value] : fields)
      line += (name == fields.front().first ? " (" : " ") + std::string(name) + "=" + value;
    line += fields.empty() ? "\n" : ")\n";
  }
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace tabula
