#include "core/wire/left_outboxes.h"

#include <charconv>

#include "core/base/log.h"

namespace tabula {
namespace fs = std::filesystem;
namespace {

// 0: it has another name.
int number_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  int number = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  return read.ec == std::errc() && read.ptr == name.data() + name.size() ? number : 0;
}

}  // namespace

LeftOutboxes::LeftOutboxes(const fs::path& folder, int own, const CourierConfig& config) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (!entry.is_directory(failed) || number_of(entry.path()) <= own) continue;
    CourierConfig left = config;
    left.program = "outbox";  // nobody plays there
    left.outbox = entry.path();
    try {
      couriers_.emplace_back(left);
      tend();
    } catch (const OutboxTaken&) {  // its worker is there
    } catch (const FlushFailed&) {
      throw;
    } catch (const Error& error) {  // it stays for another start
      log(error.what());
    }
  }
  if (games() > 0)
    log("asks whether the store has the games that earlier workers left",
        {{"games", std::to_string(games())}});
}

void LeftOutboxes::tend() {
  couriers_.remove_if([](const Courier& courier) { return courier.pending() == 0; });
}

std::size_t LeftOutboxes::games() const {
  std::size_t games = 0;
  for (const Courier& courier : couriers_) games += courier.pending();
  return games;
}

}  // namespace tabula
