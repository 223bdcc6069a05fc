#!/bin/bash
# The rendered pods, started by `podman kube play`: they come up, their probes' commands succeed, and they learn. Then
# every step of the Argo template, in the image, in the template's order.
source "$(dirname "$0")/../containers/podman.sh"
manifests=${TABULA_BUILD:-$root/build/release}/manifests
here=$work/pods
rm -rf "$here"
mkdir -p "$here"
for image in replay selfplay arena trainer tabula; do podman image exists tabula/$image || build_image $image; done

cleanup() {
  podman rm -f -t 0 mirror-fetch >/dev/null 2>&1 || true
  podman pod rm -f -t 0 replay trainer selfplay-pod-0 arena-pod-0 >/dev/null 2>&1 || true
  podman volume rm -f data-replay-0 data-trainer-0 data-selfplay tmp-{replay,trainer,selfplay,arena} tabula-argo >/dev/null 2>&1 || true
  podman network rm -f tabula-pods >/dev/null 2>&1 || true
}
finish() {
  local status=$? name
  ((status == 0)) || for name in ${containers:-}; do
    echo "-- $name" >&2
    podman logs --tail 5 "$name" >&2 || true
  done
  cleanup
}
trap finish EXIT
cleanup
podman network create --subnet 10.97.0.0/24 tabula-pods >/dev/null

# What podman cannot do, it gets by other means: a StatefulSet becomes its first pod, with its claims; images are local;
# tictactoe is learnt, which is quick.
cp "$root/tests/manifests/pods.mjs" "$manifests"
store=10.97.0.10
(cd "$manifests" && rm -rf store.yaml pods.yaml secrets && node pods.mjs --play $store rendered/cpu.yaml rendered/secrets.yaml)
chown -R 65532:65532 "$manifests/secrets"  # as fsGroup would

say "the rendered pods start"
play() { podman kube play --network tabula-pods "$@" >"$here/play.log" 2>&1 || { cat "$here/play.log"; fail "they do not start"; }; }
play --ip $store "$manifests/store.yaml"
play "$manifests/pods.yaml"

# The very commands of the manifests, in a container.
probe() {  # CONTAINER KIND
  local words
  mapfile -t words < <(cd "$manifests" && node pods.mjs --probe "$2" "${1##*-}" rendered/cpu.yaml)
  podman exec "$1" "${words[@]}"
}
containers=$(podman ps --format '{{.Names}}' | grep -E -- '-(replay|trainer|selfplay|arena)$')
(($(wc -w <<<"$containers") == 4)) || fail "four containers are wanted, there are: $containers"
for name in $containers; do
  for kind in startupProbe livenessProbe readinessProbe; do
    eventually 120 "$name: $kind" probe "$name" $kind
  done
done
say "probes succeed in: $(echo "$containers" | tr '\n' ' ')"
games() { curl -s "http://$store:7711/status" | sed -n 's/.*"seen_games":\([0-9]*\).*/\1/p'; }
more_games() { (($(games) > $1)); }
eventually 120 "games" more_games 100
say "they play: $(games) games"

say "what autoscalers ask for is served under its name"
location=$(sed -n 's/.*valueLocation: *//p' "$manifests/rendered/keda.yaml")
metric=$(sed -n '/metric:/,/name:/s/.*name: *//p' "$manifests/rendered/hpa.yaml")
eventually 30 "the wish at $location" bash -c "curl -s http://$store:7711/status | node -e '
  let text = \"\"; process.stdin.on(\"data\", (d) => text += d).on(\"end\", () => {
    const value = \"$location\".split(\".\").reduce((o, k) => o[k], JSON.parse(text))
    process.exit(Number.isFinite(value) && value >= 1 ? 0 : 1) })'"
curl -s "http://$store:7711/metrics" | grep -q "^$metric " || fail "there is no metric $metric"

say "the mirror brings models, and rclone moves them to a bucket"
mapfile -d '' -t fetch < <(cd "$manifests" && node pods.mjs --args fetch rendered/bucket.yaml)
mapfile -d '' -t rclone < <(cd "$manifests" && node pods.mjs --args rclone rendered/bucket.yaml)
mkdir -p "$here/mirror" "$here/bucket" "$here/tmp"
chown 65532:65532 "$here/mirror"
printf '[bucket]\ntype = alias\nremote = %s\n' "$here/bucket" >"$here/rclone.conf"
podman run -d --name mirror-fetch --network tabula-pods --add-host replay:$store --read-only --cap-drop all --tmpfs /tmp \
  -v "$here/mirror:/mirror" -v "$manifests/secrets/tabula-viewer-key:/keys:ro" tabula/tabula "${fetch[@]}" >/dev/null
eventually 60 "a model in the mirror" bash -c "ls $here/mirror/*/*.safetensors || ls $here/mirror/*.safetensors"
script=${rclone[0]//\/mirror/$here\/mirror}
script=${script//\/rclone\/rclone.conf/$here\/rclone.conf}
BUCKET=run timeout 15 sh -c "${script//--cache-dir \/tmp/--cache-dir $here\/tmp}" || true  # it goes on for ever
find "$here/bucket/run" -name '*.safetensors' | grep -q . || fail "no model came to the bucket"
test -s "$here/bucket/run/models.csv" || fail "no curve came to the bucket"
podman rm -f -t 0 mirror-fetch >/dev/null

say "every step of the Argo template has a command that the image has"
volume=tabula-argo
podman volume create $volume >/dev/null
step() {  # NAME SEED PARAMETER=VALUE ...: as Argo would run it
  local name=$1 seed=$2
  shift 2
  (cd "$manifests" && node pods.mjs --step "$name" "$seed" rendered/experiment.yaml "$@") >"$here/step.sh"
  podman run --rm --read-only --cap-drop all --tmpfs /tmp -v $volume:/out:U -i --entrypoint sh tabula/tabula <"$here/step.sh"
}
for seed in 1 2; do
  step train $seed minutes=0.4 options='simulations = 30'
  step reached $seed threshold=games=50
  if step reached $seed threshold=games=100000000; then fail "a threshold that nobody reaches was reached"; fi
  step evaluate $seed evaluation=--solver=50
  step examples $seed
  step plot $seed
done
step statistics 0
podman run --rm -v $volume:/out --entrypoint sh tabula/tabula -ec '
  cd /out/experiment
  for run in run-1 run-2; do
    grep -q share $run/eval.json
    grep -q "it plays" $run/examples.txt
    test -s $run/report/loss.svg
  done
  grep -q "\"runs\": 2" report/report.json
  test -s report/rating.svg'
