#!/bin/sh
# apt.sh HEADING ...: installs the packages under headings of packages.txt beside it, and leaves
# nothing else behind, so that the same packages make the same image.
set -eu
packages=$(for heading; do awk -v want="[$heading]" '/^\[/ { on = $0 == want; next } on && !/^#/' \
  "$(dirname "$0")/packages.txt"; done)
[ -n "$packages" ] || { echo "apt.sh: no packages under: $*" >&2; exit 1; }
export DEBIAN_FRONTEND=noninteractive
apt-get update
# shellcheck disable=SC2086 # one word a package
apt-get install -y --no-install-recommends $packages
apt-get clean
rm -rf /var/lib/apt/lists/* /var/log/* /var/cache/* /usr/share/doc/* /usr/share/man/* /usr/share/locale/*
mkdir -p /var/cache/apt/archives/partial
