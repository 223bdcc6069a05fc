#!/bin/sh
# table.sh SOURCE BUILD: puts the rows that the strength suite left in BUILD into docs/strength.md, each in place of an
# older one of the same game, seeds and number of cores; the others stay.
set -eu
[ -z "${TABULA_MINUTES:-}" ] || { echo 'trainings were cut short: the page keeps its rows' && exit; }
page=$1/docs/strength.md rows=$2/strength
ls "$rows"/*.row >/dev/null
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
for row in "$rows"/*.row; do
  echo "$(cat "$row") of $processor, $(date -u -r "$row" +%Y-%m-%d) |"
done >"$rows/new"
awk -v rows="$rows/new" '
  function key(row, part, where) { split(row, part, "|"); split(part[6], where, " of "); return part[2] part[4] where[1] }
  BEGIN { while ((getline row < rows) > 0) { fresh[key(row)] = row; order[++count] = key(row) } }
  /^<!-- strength -->/ { inside = 1 }
  inside && key($0) in fresh { print fresh[key($0)]; delete fresh[key($0)]; next }
  inside && /^<!-- end -->/ { for (i = 1; i <= count; ++i) if (order[i] in fresh) {
    print fresh[order[i]]
    delete fresh[order[i]]
  }
  inside = 0 }
  { print }' "$page" >"$rows/page"
cat "$rows/page" >"$page"
