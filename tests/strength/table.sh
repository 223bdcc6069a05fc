#!/bin/sh
# table.sh SOURCE BUILD: puts the rows that the strength suite left in BUILD into docs/strength.md.
set -eu
page=$1/docs/strength.md rows=$2/strength
ls "$rows"/*.row >/dev/null
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
{
  echo "\`./tabula test strength\`, $(date -u +%Y-%m-%d), $(nproc) cores of $processor:"
  echo
  echo '| game | minutes | seeds | result |'
  echo '|---|---|---|---|'
  cat "$rows"/*.row
} >"$rows/table"
awk -v begin="<!-- strength -->" -v table="$rows/table" '
  $0 == begin { print; while ((getline line < table) > 0) print line; skip = 1; next }
  /^<!-- end -->/ { skip = 0 }
  !skip' "$page" >"$rows/page"
cat "$rows/page" >"$page"
