#include "core/loop/run_settings.h"

#include "core/arena/settings.h"
#include "core/loop/learn_settings.h"
#include "core/loop/play_settings.h"

namespace tabula {

std::vector<std::string> run_setting_names() {
  Options all("", "");
  PlaySettings().declare(all);
  LearnSettings().declare(all);
  ArenaSettings().declare(all);
  std::vector<std::string> names = all.names();
  for (const char* own : {"threads", "trainer-threads", "most-trainer-threads", "cool-down"})
    names.push_back(own);
  return names;
}

}  // namespace tabula
