// How this program is, for the probes of an orchestrator: a file that it writes and that
// `NAME probe alive|ready FILE` reads, so that no port is open and no shell is needed.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace tabula {

// Where probes look if nobody says: $TABULA_HEALTH, which our images set. May be empty.
std::string default_health_file();

// From now on say_health() writes this file. Throws Error if that cannot be.
void set_health_file(const std::filesystem::path& file);

// To be said every few seconds by the thread that matters; cheap. Ready: it can do its work now.
// Not ready: why. Does nothing while no file is set. Safe from any thread.
void say_health(bool ready, const std::string& why = "");

// What a probe finds.
struct Health {
  bool alive = false, ready = false;
  std::string why{};  // if not
};
Health health_in(const std::filesystem::path& file, std::int64_t now_ms);

}  // namespace tabula
