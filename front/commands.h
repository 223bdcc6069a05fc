// The words that `tabula` knows. Each takes what follows its word and returns the exit code.
#pragma once
#include "core/cli/options.h"

namespace tabula {

int bench_command(const Args& args);
int check_game_command(const Args& args);
int db_command(const Args& args);
int eval_command(const Args& args);
int fetch_command(const Args& args);
int games_command(const Args& args);
int image_command(const Args& args);
int keys_command(const Args& args);
int new_game_command(const Args& args);
int doctor_command(const Args& args);
int perft_command(const Args& args);
int play_command(const Args& args);
int report_command(const Args& args);
int solve_command(const Args& args);
int status_command(const Args& args);
int train_command(const Args& args);

}  // namespace tabula
