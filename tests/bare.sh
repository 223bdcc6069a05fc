#!/bin/bash
# ./tabula on a Debian 12 that has nothing: made with debootstrap in the folder $1, entered with
# chroot. Needs root, debootstrap and a mirror; the machine's own apt sources are copied in.
set -euo pipefail
bare=$1
root=$(dirname "$(dirname "$(readlink -f "$0")")")
packages=$bare.tar
command -v debootstrap >/dev/null || apt-get install -y --no-install-recommends debootstrap

rm -rf "$bare"
if [[ -f $packages ]]; then
  mkdir -p "$bare" && tar -C "$bare" -xf "$packages"
else
  debootstrap --variant=minbase bookworm "$bare"
  tar -C "$bare" -cf "$packages" .
fi
cp -r /etc/apt/. "$bare/etc/apt/"
cp /etc/resolv.conf "$bare/etc/" 2>/dev/null || true
mount --bind /proc "$bare/proc"
mount --bind /dev "$bare/dev"
trap 'umount "$bare/proc" "$bare/dev"' EXIT

mkdir "$bare/src"
git -C "$root" archive HEAD | tar -C "$bare/src" -x
# Runs a command that must fail and say something.
refuses() {
  local said=$1
  shift
  if inside "$@" 2>"$bare/said"; then
    echo "it should have refused: $*"
    exit 1
  fi
  grep -e "$said" "$bare/said"
}
inside() { chroot "$bare" /usr/bin/env -i PATH="$PATH" HOME=/root "$@"; }

echo "== --no-install prints the apt line and installs nothing"
refuses 'Run: apt-get install -y' /src/tabula --no-install games
refuses '' cmake --version

echo "== a user who cannot become root is told what to run as root"
inside useradd tester
refuses 'run this as root: apt-get' su tester -c '/src/tabula games'

echo "== one command installs, builds and runs; the next one only runs"
inside /src/tabula games >"$bare/said"
grep '^connect4 ' "$bare/said"
time inside /src/tabula check-game tictactoe

echo "== a user without rights can use and rebuild what is installed"
inside chown -R tester /src
inside su tester -c '/src/tabula perft connect4 4' | grep 2401

echo "== the tests pass"
inside /src/tabula test >"$bare/said" 2>&1 || true
tail -15 "$bare/said"
grep -q '100% tests passed' "$bare/said"
