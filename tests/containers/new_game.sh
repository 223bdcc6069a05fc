#!/bin/bash
# A stranger's game: made by `tabula new-game`, brought into every image by `tabula image`, and learnt in containers.
source "$(dirname "$0")/podman.sh"
build=${TABULA_BUILD:-$root/build/release}
here=$work/new_game
rm -rf "$here"
mkdir -p "$here"
cd "$here"
"$build/bin/tabula" new-game pebbles >/dev/null
cmake -S pebbles -B pebbles/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DTabula_DIR="$build/lib/cmake/Tabula" >cmake.log
ninja -C pebbles/build >>cmake.log
plugin=$(find pebbles/build -name '*.so' | head -1)
say "the plugin is $plugin"
"$build/bin/tabula" image "$plugin"
(($(wc -l <"$(dirname "$plugin")/Containerfile") == 3)) || fail "the Containerfile has more than three lines"
for image in replay selfplay arena trainer tabula; do
  podman image exists tabula/$image || build_image $image
  podman build -q --format docker --build-arg PROGRAM=$image -t pebbles/$image "$(dirname "$plugin")" >/dev/null
done
podman run --rm --read-only --cap-drop all pebbles/tabula games | grep -q '^pebbles ' || fail "the image does not know the game"

say "the init container of the overlay plugin brings it to stock images"
copy=$(sed -n "s/.*command: \[sh, -c, '\(.*\)'\]/\1/p" "$root/containers/k8s/overlays/plugin/plugin.yaml")
podman run --rm --read-only --cap-drop all -e PLUGIN="$(basename "$plugin" .so)" -v tabula-plugins:/plugins:U \
  --entrypoint sh pebbles/selfplay -c "$copy"
podman run --rm --read-only --cap-drop all -e TABULA_PLUGINS=/plugins -v tabula-plugins:/plugins:ro tabula/tabula games |
  grep -q '^pebbles ' || fail "a stock image does not find the game"
podman volume rm -f tabula-plugins >/dev/null

say "a whole training as a batch job, with an exit code"
podman run --rm --read-only --cap-drop all --security-opt no-new-privileges --tmpfs /tmp \
  -v tabula-pebbles:/out:U pebbles/tabula train pebbles --minutes 1 --run /out | tail -4
podman run --rm -v tabula-pebbles:/out pebbles/tabula report /out --at-least games=20
podman volume rm -f tabula-pebbles >/dev/null

say "and the loop, program by program"
TABULA_PREFIX=pebbles TABULA_PLUGINS=$(realpath "$(dirname "$plugin")") "$root/tests/containers/loop.sh" pebbles
