// A consumer for the fault suites: follows a store's log as a trainer does, and keeps what it saw
// in its file `seen`, flushed page by page: lines of "sequence id digest", then "cursor NUMBER".
// After a kill it goes on behind the last cursor.
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "core/base/die_at.h"
#include "core/base/digest.h"
#include "core/cli/program.h"
#include "core/wire/client.h"
#include "tests/faults/marks.h"

namespace {
using namespace tabula;

// The last cursor; what stands behind it is cut off.
std::uint64_t resumed(const std::string& file) {
  std::ifstream in(file);
  std::uint64_t cursor = 0, place = 0, whole = 0;
  for (std::string line; std::getline(in, line);) {
    if (in.eof()) break;  // a line without its end
    place += line.size() + 1;
    if (!line.starts_with("cursor ")) continue;
    cursor = std::stoull(line.substr(7));
    whole = place;
  }
  if (std::filesystem::exists(file)) std::filesystem::resize_file(file, whole);
  return cursor;
}

std::string described(const LogPage& page) {
  std::ostringstream out;
  for (const LogEntry& entry : page.entries)
    out << entry.sequence << " " << hex(entry.id) << " " << hex(digest_of(entry.bytes)) << "\n";
  out << "cursor " << page.next << "\n";
  return out.str();
}

int consume(const Args& args) {
  std::string folder, address, key;
  std::uint64_t page_bytes = 20000, pause = 0;
  Options options("fault_consumer --folder DIR --address ADDRESS", "Follows a store's log.");
  options.add("folder", folder, "what it saw")
      .add("address", address, "of the store")
      .add("key", key, "a client's key")
      .add("page", page_bytes, "bytes at once")
      .add("pause", pause, "milliseconds between pages: a slow one");
  if (!options.parse(args)) return 0;
  std::atomic<bool> stopped = false;
  const StopSignals signals([&] { stopped = true; });
  const std::string path = folder + "/seen";
  std::uint64_t cursor = resumed(path);
  const Descriptor seen(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  std::optional<ClientKeys> keys;
  if (!key.empty()) keys = read_client_keys(key);
  Client client(address, keys);
  while (!stopped) try {
      const LogPage page =
          client.ask<Page>(Read{.after = cursor, .max_bytes = page_bytes, .wait_ms = 200}, 1000)
              .page;
      if (page.missed + page.damaged > 0) throw std::runtime_error("games are missing.");
      if (page.next == cursor) continue;
      die_at("consumer.read");
      if (!seen.write(described(page))) throw std::runtime_error("cannot write.");
      die_at("consumer.written");
      if (fdatasync(seen.number()) != 0) throw std::runtime_error("cannot flush.");
      die_at("consumer.flushed");
      cursor = page.next;
      std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    } catch (const RefusedByStore&) {
      throw;
    } catch (const Error&) {
      // No store at the moment: ask again.
    }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return tabula::run_program("fault_consumer", argc, argv, consume);
}
