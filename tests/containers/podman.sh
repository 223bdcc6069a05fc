# What the container suites share; sourced. Needs root, podman, and for a base image a mirror of Debian.
set -euo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
work=${TABULA_BUILD:-$root/build/release}/containers
mkdir -p "$work"

# Settings with which podman also works where there is no systemd.
export CONTAINERS_CONF=$work/containers.conf
cat >"$CONTAINERS_CONF" <<'END'
[containers]
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
[network]
network_backend = "netavark"
END

source "$root/tests/suite.sh"

# Debian's image, or one made here of the same packages where none can be pulled.
readonly debian=docker.io/library/debian:bookworm-slim made_here=localhost/tabula-base
base_image() {
  if podman image exists $debian || timeout 60 podman pull -q $debian >/dev/null 2>&1; then
    echo $debian
    return
  fi
  if ! podman image exists $made_here; then
    if [[ ! -f $work/base.tar ]]; then
      rm -rf "$work/base"
      debootstrap --variant=minbase bookworm "$work/base" >"$work/base.log"
      rm -f "$work/base/etc/apt/sources.list"
      cp -r /etc/apt/. "$work/base/etc/apt/"  # the machine's own way to packages
      rm -rf "$work"/base/var/{cache,log,lib/apt/lists}/* "$work"/base/usr/share/{doc,man,locale}/*
      tar -C "$work/base" -cf "$work/base.tar" .
      rm -rf "$work/base"
    fi
    podman import -q "$work/base.tar" $made_here >&2
  fi
  echo $made_here
}

# build_image TARGET: tabula/TARGET from the files that git knows, and nothing else.
build_image() {
  local context=$work/context
  if [[ ! -d $context ]]; then
    mkdir -p "$context"
    if [[ -e $root/.git ]]; then
      git -C "$root" ls-files -z | tar -C "$root" --null -T - -c | tar -C "$context" -x
    else
      tar -C "$root" --exclude ./build --exclude ./runs -c . | tar -C "$context" -x
    fi
  fi
  podman build --format docker --network host --build-arg BASE="$(base_image)" --target "$1" \
    -t "tabula/$1" -f "$context/containers/Containerfile" "$context" >"$work/build-$1.log" 2>&1 ||
    { tail -40 "$work/build-$1.log" >&2; fail "cannot build the image of $1"; }
}
