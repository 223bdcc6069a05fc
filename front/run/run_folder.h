// One training's folder: runs/GAME.
//
//   games.db, games.db.models/   the store's
//   run.ini                      what was asked for, in all starts so far
//   training/                    checkpoint.safetensors, progress.csv, TensorBoard's events
//   outbox/N/                    games that the store does not have yet
//   logs/PROGRAM.log
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "core/base/descriptor.h"

namespace tabula {

class RunFolder {
 public:
  // Makes the folder and takes it. Throws Error if another training has it.
  explicit RunFolder(const std::filesystem::path& path);

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

  // Adds what was given now to run.ini; the newest counts.
  void keep_settings(const std::map<std::string, std::string>& given) const;

 private:
  std::filesystem::path path_;
  Descriptor lock_;
};

}  // namespace tabula
