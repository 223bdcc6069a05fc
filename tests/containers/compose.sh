#!/bin/bash
# compose.yaml: the whole loop on one host, scaled to four workers, and down again.
source "$(dirname "$0")/podman.sh"
for image in replay selfplay arena trainer; do podman image exists tabula/$image || build_image $image; done
export GAME=tictactoe
compose() { podman-compose -p tabula -f "$root/containers/compose.yaml" "$@"; }
cleanup() {
  WORKERS=4 compose down -v >"$work/compose-down.log" 2>&1 || true
  podman volume rm -f tabula_store tabula_training >/dev/null 2>&1 || true
}
trap cleanup EXIT
cleanup
games() { curl -s http://127.0.0.1:7711/status | sed -n 's/.*"seen_games":\([0-9]*\).*/\1/p'; }
more_games() { (($(games) > $1)); }
workers() { (($(curl -s http://127.0.0.1:7711/status | sed -n 's/.*"workers":\([0-9]*\).*/\1/p') == $1)); }

say "up"
compose up -d >"$work/compose.log" 2>&1 || { cat "$work/compose.log"; fail "compose does not go up"; }
eventually 60 "the first games" more_games 10
say "four workers"
WORKERS=4 compose up -d >>"$work/compose.log" 2>&1
eventually 90 "four workers" workers 4
curl -s http://127.0.0.1:7711/ | grep -q '<title>Tabula</title>' || fail "there is no page"
eventually 60 "more games" more_games "$(($(games) + 20))"
say "down"
WORKERS=4 compose down >>"$work/compose.log" 2>&1  # podman-compose takes away what it would have started
[[ -z $(podman ps -q --filter label=io.podman.compose.project=tabula) ]] || fail "something is still up"
