#!/bin/bash
# Builds every image from a clean tree and looks at what is in it.
source "$(dirname "$0")/podman.sh"
rm -rf "$work/context"
declare -A most=([replay]=120 [selfplay]=170 [arena]=170 [trainer]=1200 [tabula]=1200)  # megabytes

for image in replay selfplay arena trainer tabula; do
  build_image $image
  megabytes=$(($(podman image inspect --format '{{.Size}}' tabula/$image) / 1000000))
  say "tabula/$image: $megabytes MB"
  ((megabytes <= most[$image])) || fail "the image of $image is larger than ${most[$image]} MB"
  [[ $(podman image inspect --format '{{.Config.User}}' tabula/$image) == 65532:65532 ]] ||
    fail "the image of $image runs as another user"
  podman image inspect --format '{{json .Config.Labels}}' tabula/$image | grep -q '"org.opencontainers.image.licenses"' ||
    fail "the image of $image has no labels"
  podman run --rm --read-only --cap-drop all --security-opt no-new-privileges tabula/$image --version |
    grep -q "^$image [0-9]" || fail "$image does not say its version"
  torch=$(podman run --rm --entrypoint sh tabula/$image -c 'find / -xdev -name "libtorch*" | wc -l' 2>/dev/null)
  case $image in
    trainer | tabula) ((torch > 0)) || fail "the image of $image has no LibTorch" ;;
    *) ((torch == 0)) || fail "the image of $image carries LibTorch" ;;
  esac
  [[ $image == tabula ]] || podman image inspect --format '{{json .Config.Healthcheck}}' tabula/$image |
    grep -q '"probe","ready"' || fail "the image of $image has no health check"
done

say "nothing of the tree is in an image but what is installed"
podman run --rm --entrypoint sh tabula/tabula -c 'ls /src /build /context 2>/dev/null | wc -l' | grep -qx 0 ||
  fail "the image of tabula holds sources"
