#!/bin/bash
# compose.yaml: the whole loop on one host, scaled to four workers, and down again; by podman-compose, and by
# docker-compose, which asks podman as it would ask docker.
source "$(dirname "$0")/podman.sh"
for image in replay selfplay arena trainer; do podman image exists tabula/$image || build_image $image; done
export GAME=tictactoe DOCKER_HOST=unix://$work/podman.sock
rm -f "$work/podman.sock"  # of a run that was killed
podman system service --time=0 "$DOCKER_HOST" >"$work/podman-service.log" 2>&1 &
service=$!
file=$root/containers/compose.yaml
by_podman() { podman-compose -p tabula -f "$file" "$@"; }
by_docker() { docker-compose -p tabula -f "$file" "$@"; }
down() {
  case $1 in
    by_podman) WORKERS=4 by_podman down "${@:2}" ;;  # podman-compose takes away what it would have started
    by_docker) by_docker down "${@:2}" ;;
  esac
}
cleanup() {
  for compose in by_podman by_docker; do down $compose -v >"$work/compose-down.log" 2>&1 || true; done
  podman volume rm -f tabula_store tabula_training >/dev/null 2>&1 || true
}
trap 'cleanup; kill $service' EXIT
eventually 20 "podman's service" test -S "$work/podman.sock"
cleanup
games() { curl -s http://127.0.0.1:7711/status | sed -n 's/.*"seen_games":\([0-9]*\).*/\1/p'; }
more_games() { (($(games) > $1)); }
workers() { (($(curl -s http://127.0.0.1:7711/status | sed -n 's/.*"workers":\([0-9]*\).*/\1/p') == $1)); }

for compose in by_podman by_docker; do
  say "up, $compose"
  $compose up -d >"$work/compose.log" 2>&1 || { cat "$work/compose.log"; fail "compose does not go up"; }
  eventually 60 "the first games" more_games 10
  say "four workers"
  case $compose in
    by_podman) WORKERS=4 by_podman up -d >>"$work/compose.log" 2>&1 ;;
    by_docker) by_docker up -d --scale selfplay=4 >>"$work/compose.log" 2>&1 ;;
  esac
  eventually 90 "four workers" workers 4
  curl -s http://127.0.0.1:7711/ | grep -q '<title>Tabula</title>' || fail "there is no page"
  eventually 60 "more games" more_games "$(($(games) + 20))"
  say "down"
  down $compose >>"$work/compose.log" 2>&1
  [[ -z $(podman ps -q --filter name=tabula) ]] || fail "something is still up"
done
