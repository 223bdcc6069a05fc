#!/bin/sh
# Builds a preset and runs the default suite under it; `tidy` is only built.
set -eu
cd "$(dirname "$0")/.."
cmake --preset "$1"
cmake --build --preset "$1" -- -k 0
[ "$1" = tidy ] || ctest --preset "$1" -L default -j "$(nproc)"
