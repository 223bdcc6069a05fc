// One training's folder: runs/GAME.
//
//   games.db, games.db.models/   the store's
//   run.ini                      what was asked for, in all starts so far
//   training/                    checkpoint.safetensors, progress.csv, TensorBoard's events
//   outbox/N/                    games that the store does not have yet
//   logs/PROGRAM.log
#pragma once
#include <atomic>
#include <filesystem>
#include <map>
#include <string>

#include "core/base/descriptor.h"

namespace tabula {

class RunFolder {
 public:
  // Makes the folder and takes it; waits for programs of a training that was killed. Throws Error
  // if another training has it, or if it is stopped while it waits.
  explicit RunFolder(const std::filesystem::path& path, const std::atomic<bool>* stopped = nullptr);

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

  // What run.ini becomes when what was given now is added to it, in a file of its own; the newest
  // counts.
  std::filesystem::path propose_settings(const std::map<std::string, std::string>& given) const;
  void keep_settings() const;  // those that were proposed

 private:
  std::filesystem::path path_;
  Descriptor lock_;
  Descriptor programs_;  // a lock that our children inherit: it is held while one of them lives
};

}  // namespace tabula
