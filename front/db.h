// The words of `tabula db`.
#pragma once
#include "core/cli/options.h"

namespace tabula {

int db_check_command(const Args& args);
int db_stats_command(const Args& args);
int db_export_command(const Args& args);
int db_import_command(const Args& args);
int db_backup_command(const Args& args);
int db_drop_command(const Args& args);

}  // namespace tabula
