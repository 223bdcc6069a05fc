#!/bin/bash
# The whole loop in containers, with keys, without a shell, while they are scaled, killed, paused, cut off and starved.
# Then nothing may be missing, and the player must be perfect.
source "$(dirname "$0")/podman.sh"
bin=${TABULA_BUILD:-$root/build/release}/bin
game=${1:-tictactoe} prefix=${TABULA_PREFIX:-tabula} seed=$RANDOM
here=$work/loop
images=(replay selfplay arena trainer)

cleanup() {
  podman ps -aq --filter label=tabula-test=loop | xargs -r podman rm -f -t 0 >/dev/null
  podman volume ls -q --filter label=tabula-test=loop | xargs -r podman volume rm -f >/dev/null
  podman network rm -f tabula-loop >/dev/null 2>&1 || true
}
keep_logs() {
  local name
  for name in $(podman ps -a --filter label=tabula-test=loop --format '{{.Names}}'); do
    podman logs "$name" >"$here/logs/$name" 2>&1 || true
  done
}
finish() {
  local status=$?
  if ((status != 0)); then
    keep_logs
    tail -n 5 "$here"/logs/* >&2 || true
  fi
  cleanup
}
trap finish EXIT
cleanup
rm -rf "$here"
mkdir -p "$here/logs"
for image in "${images[@]}"; do podman image exists "$prefix/$image" || build_image $image; done

podman network create tabula-loop >/dev/null
"$bin/tabula" keys new "$here/keys" >/dev/null
chown -R 65532:65532 "$here/keys"

# start NAME IMAGE [PODMAN-OPTION ...] -- ARGUMENT ...: read-only, without rights, without a shell, with a volume.
start() {
  local name=$1 image=$2 options=()
  shift 2
  while [[ $1 != -- ]]; do options+=("$1") && shift; done
  shift
  podman volume inspect "tabula-$name" >/dev/null 2>&1 ||
    podman volume create --label tabula-test=loop "tabula-$name" >/dev/null
  podman run -d --name "$name" --label tabula-test=loop --network tabula-loop --read-only --cap-drop all \
    --security-opt no-new-privileges --pids-limit 256 --memory 1g -v "tabula-$name:/data:U" \
    -v /dev/null:/usr/bin/dash:ro -v /dev/null:/usr/bin/bash:ro \
    "${options[@]}" "$prefix/$image" "$@" >/dev/null
}
key() { echo "-v $here/keys/$1.key:/keys/$1.key:ro"; }
start_store() {
  start replay replay -v "$here/keys:/keys:ro" -- --db /data/games.db --game "$game" --keys /keys \
    --listen 'tcp://*:7710' --pages '*:7711'
}
start_trainer() {
  start trainer trainer $(key trainer) -- --replay tcp://replay:7710 --key /keys/trainer.key --run /data/training \
    --report 2
}
start_arena() {
  start arena arena $(key arena) -- --replay tcp://replay:7710 --key /keys/arena.key --gate none
}
start_worker() {  # NUMBER [PODMAN-OPTION ...]
  local name=selfplay-$1
  shift
  start "$name" selfplay $(key worker) "$@" -- --replay tcp://replay:7710 --key /keys/worker.key \
    --outbox /data/outbox --threads 1 --report 2 --simulations 200 --cheap-simulations 100 --cache 1
}
delivers() { podman logs --tail 1 "$1" 2>&1 | grep -q 'waiting=[0-9]\{1,2\})'; }  # what waits is of the last moment
start_ledger() {  # a worker that knows every game it makes
  start "ledger-$1" selfplay $(key worker) -v "$bin/fault_worker:/usr/local/bin/fault_worker:ro" \
    --entrypoint fault_worker -- --address tcp://replay:7710 --key /keys/worker.key --folder /data \
    --seed "$seed" --worker "$1" --game "$game" --batch 2 --pause 400
}
address_of() { podman inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "$1"; }
status() { podman exec replay replay probe ready >/dev/null && "$bin/tabula" status "tcp://$(address_of replay):7710" --key "$here/keys/viewer.key"; }
figure() {  # of the store's page
  curl -s "http://$(address_of replay):7711/status" | sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p"
}
more_games() { (($(figure seen_games) > $1)); }
plays() { eventually "${2:-90}" "games after $1" more_games "$(($(figure seen_games) + ${3:-5}))"; }
# What waits in a killed worker's outbox is owed.
note_owed() {
  rm -rf "$here/outbox"
  cp -r "$(podman volume inspect --format '{{.Mountpoint}}' "tabula-$1")/outbox" "$here/outbox"
  "$bin/fault_count" owed --outbox "$here/outbox" >>"$here/owed"
}
kill_worker() {
  podman kill -s KILL "$1" >/dev/null
  note_owed "$1"
}
drain() {  # by SIGTERM, within ten seconds
  local name begun
  for name; do
    begun=$SECONDS
    podman stop -t 20 "$name" >/dev/null
    ((SECONDS - begun <= 11)) || fail "$name took $((SECONDS - begun)) s to stop"
  done
  for name; do
    [[ $(podman inspect --format '{{.State.ExitCode}}' "$name") == 0 ]] || fail "$name did not end well: $(podman logs --tail 3 "$name" 2>&1)"
  done
}
ready() { podman exec "$1" "$2" probe ready; }

say "seed $seed; a store, a trainer, an arena, a worker, and one whose every game is known"
start_store
eventually 30 "the store to be ready" ready replay replay
start_trainer
start_arena
start_worker 1
start_ledger 0
eventually 120 "a worker to be ready" ready selfplay-1 selfplay
plays "the start"

say "a client without a key is refused"
if podman run --rm --network tabula-loop --entrypoint timeout "$prefix/selfplay" 15 selfplay --replay tcp://replay:7710 \
  --outbox /tmp/outbox >"$here/keyless" 2>&1; then fail "it was let in"; fi
eventually 10 "the store to say that it refused somebody" bash -c "podman logs replay 2>&1 | grep -i refuse"
podman logs replay 2>&1 | grep -i refuse | head -1

say "self-play is scaled: 4, 0, 2"
for i in 2 3 4; do start_worker $i; done
for i in 2 3 4; do eventually 60 "worker $i" ready selfplay-$i selfplay; done
plays "scaling to 4"
drain selfplay-1 selfplay-2 selfplay-3 selfplay-4
for i in 1 2; do podman start selfplay-$i >/dev/null; done
plays "scaling to 2"

say "kill -9 of everybody in turn, the store among them"
: >"$here/owed"
for name in selfplay-1 trainer arena replay selfplay-2 ledger-0 replay; do
  case $name in
    selfplay*) kill_worker $name ;;
    *) podman kill -s KILL $name >/dev/null ;;
  esac
  sleep 1
  podman start $name >/dev/null
  [[ $name != replay ]] || eventually 30 "the store" ready replay replay
done
plays "the kills"

say "a paused store and a paused worker"
podman pause replay >/dev/null && sleep 8 && podman unpause replay >/dev/null
plays "the store's pause"
podman pause selfplay-1 >/dev/null && sleep 5 && podman unpause selfplay-1 >/dev/null

say "workers and trainer are disconnected, and connected again"
for name in selfplay-1 ledger-0 trainer; do podman network disconnect tabula-loop $name; done
sleep 8
for name in selfplay-1 ledger-0 trainer; do podman network connect tabula-loop $name; done
plays "the cut"
eventually 90 "what was played meanwhile to be delivered" delivers selfplay-1  # a dead link is noticed after 20 s

say "a worker runs out of memory: killed, started again with more, nothing lost"
start_worker 5 --memory 10m --memory-swap 10m || true
eventually 60 "the worker to be killed" bash -c '[[ $(podman inspect --format {{.State.Status}} selfplay-5) == exited ]]'
code=$(podman inspect --format '{{.State.ExitCode}}' selfplay-5)
[[ $code == 137 ]] || fail "the starved worker ended with $code: $(podman logs --tail 3 selfplay-5 2>&1)"
[[ ! -d $(podman volume inspect --format '{{.Mountpoint}}' tabula-selfplay-5)/outbox ]] || note_owed selfplay-5
podman rm selfplay-5 >/dev/null
start_worker 5
eventually 60 "the worker that was starved" ready selfplay-5 selfplay

say "it learns until the policy alone never loses to exact play"
perfect() {
  rm -rf "$here/home"
  "$bin/tabula" fetch "tcp://$(address_of replay):7710" --key "$here/keys/viewer.key" --out "$here/home" --no-games &&
    "$bin/tabula" eval "$game" --run "$here/home" --model latest --simulations 0 --exact-play --no-baselines --json \
      >"$here/eval.json" && ! sed '/"any"/,$d' "$here/eval.json" | grep '"lost"' | grep -qv ' 0,\{0,1\}$'
}
if [[ $game == tictactoe ]]; then eventually 600 "a perfect player" perfect; else plays "the trouble" 120 50; fi

say "nobody is root"
for name in $(podman ps --filter label=tabula-test=loop --format '{{.Names}}'); do
  [[ $(podman top "$name" huser user | tail -n +2 | sort -u | awk '{print $1}') != root ]] || fail "$name runs as root"
  podman exec "$name" id -u | grep -qx 65532 || fail "$name runs as $(podman exec "$name" id -u)"
done

say "all stop on SIGTERM, and the ledger holds"
drain selfplay-1 selfplay-2 selfplay-5 ledger-0 trainer arena
keep_logs
drain replay
volume() { podman volume inspect --format '{{.Mountpoint}}' "tabula-$1"; }
for i in 1 2 5; do
  grep -q 'stopped (.*waiting=0)' "$here/logs/selfplay-$i" || fail "worker $i left with games that wait"
  note_owed selfplay-$i  # what an outbox still holds was delivered, and will be written over
done
"$bin/fault_count" --db "$(volume replay)/games.db" --game "$game" --seed "$seed" --folder "$(volume ledger-0)" \
  --owed "$here/owed"
