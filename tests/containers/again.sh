#!/bin/bash
# The same sources, base and packages make the same image: built again without a cache, every file of it is the same.
source "$(dirname "$0")/podman.sh"
build_image replay
say "the image is built again, from nothing"
podman build --format docker --network host --no-cache --timestamp 0 --build-arg BASE="$(base_image)" --target replay \
  -t tabula-again/replay -f "$work/context/containers/Containerfile" "$work/context" >"$work/build-again.log" 2>&1 ||
  { tail -40 "$work/build-again.log" >&2; fail "cannot build the image again"; }
trap 'podman image unmount tabula/replay tabula-again/replay >/dev/null; podman rmi -f tabula-again/replay >/dev/null' EXIT
# Names, kinds, rights and contents; not times, which --timestamp sets.
files() {
  cd "$(podman image mount "$1")"
  find . -xdev -printf '%p %y %m %U:%G %l\n' | sort
  find . -xdev -type f -print0 | sort -z | xargs -0 sha256sum
}
files tabula/replay >"$work/once"
files tabula-again/replay >"$work/again"
(($(wc -l <"$work/once") > 1000)) || fail "there is too little in the image"
diff "$work/once" "$work/again" >"$work/differences" || {
  head -20 "$work/differences" >&2
  fail "it is another image"
}
say "$(wc -l <"$work/once") lines about files, and all of them the same"
