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
  podman pod ls -q --filter network=tabula-pods 2>/dev/null | xargs -r podman pod rm -f -t 0 >/dev/null
  podman secret rm tabula-{store-keys,worker-key,trainer-key,arena-key,viewer-key} >/dev/null 2>&1 || true
  podman volume rm -f data-replay-0 data-trainer-0 tabula-argo >/dev/null 2>&1 || true
  podman network rm -f tabula-pods >/dev/null 2>&1 || true
}
trap cleanup EXIT
cleanup
podman network create tabula-pods >/dev/null

# What podman cannot do, it gets by other means: a StatefulSet becomes its first pod, with its claims; images are local;
# tictactoe is learnt, which is quick.
cp "$root/tests/manifests/pods.mjs" "$manifests"
(cd "$manifests" && node pods.mjs rendered/cpu.yaml rendered/secrets.yaml) >"$here/pods.yaml"

say "the rendered pods start"
podman kube play --network tabula-pods "$here/pods.yaml" >"$here/play.log" 2>&1 || { cat "$here/play.log"; fail "they do not start"; }
podman ps --format '{{.Names}} {{.Status}}' --filter network=tabula-pods | sort

# probes WHAT: the very commands of the manifests, in each container.
probe() {  # CONTAINER KIND
  local words
  mapfile -t words < <(cd "$manifests" && node pods.mjs --probe "$2" "${1##*-}" rendered/cpu.yaml)
  podman exec "$1" "${words[@]}"
}
containers=$(podman ps --format '{{.Names}}' --filter network=tabula-pods | grep -v -- '-infra$')
for name in $containers; do
  for kind in startupProbe livenessProbe readinessProbe; do
    eventually 120 "$name: $kind" probe "$name" $kind
  done
done
say "probes succeed in: $(echo "$containers" | tr '\n' ' ')"
replay=$(echo "$containers" | grep replay)
address=$(podman inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "$(podman inspect --format '{{.Pod}}' "$replay" | xargs podman pod inspect --format '{{.InfraContainerID}}')")
games() { curl -s "http://$address:7711/status" | sed -n 's/.*"seen_games":\([0-9]*\).*/\1/p'; }
more_games() { (($(games) > $1)); }
eventually 120 "games" more_games 100
say "they play: $(games) games"

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
