#!/bin/sh
# table.sh SOURCE BUILD: puts the rows that the fault suite left in BUILD into docs/reliability.md.
set -eu
page=$1/docs/reliability.md
length=faults command='./tabula test faults'
[ -z "${TABULA_LONG:-}" ] || length=long command="$command --long"
rows=$2/reliability/$length
ls "$rows"/*.row >/dev/null
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
{
  echo "\`$command\`, $(date -u +%Y-%m-%d), $(nproc) cores of $processor:"
  echo
  echo '| family | faults | games | time | seed |'
  echo '|---|---|---|---|---|'
  cat "$rows"/*.row
} >"$rows/table"
awk -v begin="<!-- $length -->" -v table="$rows/table" '
  $0 == begin { print; while ((getline line < table) > 0) print line; skip = 1; next }
  /^<!-- end -->/ { skip = 0 }
  !skip' "$page" >"$rows/page"
cat "$rows/page" >"$page"
