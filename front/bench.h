// What can be measured: each benchmark's options. The benchmarks themselves are in bench/.
#pragma once
#include <initializer_list>

#include "core/cli/options.h"
#include "core/game/rules.h"

namespace tabula {

int bench_inference_command(const Args& args);
int bench_loop_command(const Args& args);
int bench_selfplay_command(const Args& args);
int bench_training_command(const Args& args);

RulesPtr bench_game(const std::string& name);  // an installed game, or a plugin's file
void check_at_least_one(std::initializer_list<int> numbers);

}  // namespace tabula
