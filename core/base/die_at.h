#pragma once

namespace tabula {

// A named point in the path of a game or a model to the disk. With TABULA_DIE_AT=NAME:N in the
// environment the process kills itself, as kill -9 would, when it passes the point NAME for the Nth
// time: the fault suites do that between every two steps. Otherwise it does nothing. requires: a
// literal
void die_at(const char* name);

}  // namespace tabula
