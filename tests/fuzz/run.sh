#!/bin/sh
# run.sh build: builds the fuzzers with clang. run.sh TARGET: runs one for 60 s.
#
# Bounds: a decoder asks for at most 16 MiB at once (what a compressed game may declare), and holds
# a few times its input; the sanitizer's own memory is most of the rest.
set -eu
cd "$(dirname "$0")/../.."
if [ "$1" = build ]; then
  cmake --preset fuzz
  exec cmake --build --preset fuzz --target fuzzers
fi
corpus=build/fuzz/corpus/$1 finds=build/fuzz/finds
mkdir -p "$corpus" "$finds"
export ASAN_OPTIONS=quarantine_size_mb=32
exec "build/fuzz/bin/fuzz_$1" -max_total_time="${TABULA_FUZZ_SECONDS:-60}" -timeout=10 \
  -rss_limit_mb=512 -malloc_limit_mb=32 -print_final_stats=1 -artifact_prefix="$finds/$1-" "$corpus"
