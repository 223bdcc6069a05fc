#!/bin/sh
# ablation.sh [BUILD]: what each idea is worth on connect4: ten minutes from nothing with one thing different from the
# shipped settings, two seeds side by side on a core each, held against the public test sets in $TABULA_TRUTH/connect4.
#
# Rows go to docs/strength.md as they come, and what has a row there is not run again: stop it (by TERM to its process
# group) and start it anew.
# A setting takes 13 minutes; nothing else may run on the two cores meanwhile.
set -eu
root=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
build=${1:-$root/build/release} page=$root/docs/strength.md minutes=${TABULA_MINUTES:-10}
: "${TABULA_TRUTH:?names the folder of the test sets}"
for needed in "$TABULA_TRUTH/connect4/Test_L2_R2" "$build/bin/tabula"; do
  [ -r "$needed" ] || { echo "ablation.sh: there is no $needed" >&2 && exit 1; }
done

# What is different, and the options that make it so. Searches of equal cost on average, where they change.
settings() {
  cat <<'END'
nothing|
reuse 4|--reuse 4
value: a quarter from the result|--search-share 0.75
random openings of at most 4 plies|--opening-plies 4
every move searched with 120|--simulations 120
no loss of the reply|--reply-weight 0
no loss of the moves left|--moves-left-weight 0
forced playouts and pruned targets, k = 2|--forced-playouts 2
window of 200,000 positions at first|--window 200000
window of 20,000 positions at first|--window 20000
learning rate 0.002|--learning-rate 0.002
network 4x32|--net 4x32
network 6x32 with global pooling|--net 6x32+global
no look ahead while learning|--look-ahead 0
END
}

tabula_on() { # CORE ARGUMENT ...
  on=$1
  shift
  taskset -c "$on" "$build/bin/tabula" "$@"
}

# Puts a row at the end of the table.
add_row() {
  awk -v row="$1" '/^<!-- ablation -->/ { inside = 1 } inside && /^<!-- end -->/ { print row; inside = 0 } 1' "$page" \
    >"$build/ablation.page"
  cat "$build/ablation.page" >"$page"
}

measure() { # NAME SEED OPTION ...
  name=$1 seed=$2 core=$(($2 - 1))
  shift 2
  run=$build/ablation-$seed log=$build/ablation-$seed.log row=$build/ablation-$seed.row
  rm -rf "$run.before" "$row"
  [ ! -d "$run" ] || mv "$run" "$run.before" # for a second look
  tabula_on $core train connect4 --minutes "$minutes" --seed "$seed" --cores 1 --run "$run" "$@" >"$log" 2>&1
  games=$(tabula_on $core db stats "$run/games.db" --json | sed -n 's/.*"games": *\([0-9]*\).*/\1/p' | head -1)
  : "${games:?there are none: see $log}"
  searched='' alone=''
  for set in Test_L2_R1 Test_L1_R1 Test_L2_R2; do
    # Two shares: of the network alone, then with search.
    shares=$(tabula_on $core eval connect4 --run "$run" --model latest --simulations 600 --no-baselines --json \
      --positions "$TABULA_TRUTH/connect4/$set" --cache "$build/ablation-$seed.solved" |
      sed -n 's/.*"share": *\([0-9.e-]*\).*/\1/p' | awk '{ printf "%s%.1f %%", (NR > 1 ? "/" : ""), 100 * $1 }')
    case $shares in
      */*) ;;
      *) echo "$name, seed $seed: the evaluation of $set failed" >&2 && exit 1 ;;
    esac
    alone="$alone | ${shares%/*}"
    searched="$searched | ${shares#*/}"
  done
  echo "| $name | $seed | $games$searched$alone |" >"$row"
}

settings | while IFS='|' read -r name options; do
  measured=''
  for seed in 1 2; do
    sed -n '/^<!-- ablation -->/,/^<!-- end -->/p' "$page" | grep -qF "| $name | $seed |" && continue
    measured="$measured $seed"
    # shellcheck disable=SC2086 # several words
    measure "$name" $seed $options </dev/null &
  done
  wait
  for seed in $measured; do
    row=$build/ablation-$seed.row
    if [ -r "$row" ]; then
      add_row "$(cat "$row")"
      cat "$row"
    else
      echo "$name, seed $seed: see $build/ablation-$seed.log" >&2
      failed=yes
    fi
  done
  [ -z "${failed:-}" ] || exit 1
done
