#pragma once
#include <string>
#include <vector>

namespace tabula {

// The names of all options that decide how a run goes, of whichever program: one INI file holds
// them, and each program takes its own from it.
std::vector<std::string> run_setting_names();

}  // namespace tabula
