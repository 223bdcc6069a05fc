# What suites written in bash share; sourced.
say() { printf '== %s\n' "$*"; }
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}
# eventually SECONDS WHAT COMMAND...: waits until the command succeeds.
eventually() {
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || fail "waited in vain: $what"
    sleep 0.5
  done
}
