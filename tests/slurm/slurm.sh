#!/bin/bash
# The shipped job files on a cluster of three nodes: a training whose self-play loses a node, is requeued and goes on,
# gets more workers, and ends; then an array of seeds.
set -euo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
build=${TABULA_BUILD:-$root/build/release}
here=$build/slurm
source "$root/tests/slurm/cluster.sh"
source "$root/tests/suite.sh"
shown() {
  local status=$?
  if ((status != 0)); then
    squeue >&2 || true
    tail -n 5 "$here"/*.log "$here"/runs/*/logs/* >&2 || true
  fi
  end_cluster
}
trap shown EXIT

export PATH=$build/bin:$PATH
rm -rf "$here"
mkdir -p "$here"
begin_cluster "$here/cluster"
cd "$here"
eventually 30 "three idle nodes" bash -c '[[ $(sinfo -hN -t idle | wc -l) == 3 ]]'
jobs=$root/containers/slurm run=$here/runs/tictactoe

games() { tabula status "$run" --key "$run/keys/viewer.key" 2>/dev/null | sed -n 's/^  games *\([0-9,]*\) .*/\1/p' | tr -d ,; }
more_games() { (($(games) > $1)); }
goes_on() { eventually 120 "games after $1" more_games "$(($(games) + 20))"; }

say "a training: store, trainer and arena on one node, self-play on another"
job=$(sbatch --parsable --export=ALL,GAME=tictactoe "$jobs/train.sbatch")
eventually 60 "the job to run" bash -c "squeue -h -j $job -t running | grep -q ."
eventually 120 "a store with games" more_games 0
goes_on "the start"

say "more self-play joins, on a third node"
more=$(sbatch --parsable --export=ALL,RUN="$run" --array=1-2 "$jobs/selfplay.sbatch")
eventually 60 "two more workers" bash -c "[[ \$(squeue -h -j $more -t running | wc -l) == 2 ]]"
goes_on "more workers"
squeue -h -o '%i %N %j'

say "no secret is in what everybody may list"
scontrol show job >"$here/listed"
secret=$(sed -n 's/^secret = //p' "$run/keys/worker.key")
[[ -n $secret ]] || fail "there is no secret in worker.key"
if grep -qF "$secret" "$here/listed"; then fail "the jobs' listing has a secret"; fi
for pid in $(pgrep -f "tabula train tictactoe|selfplay --replay"); do
  if tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qF "$secret"; then fail "an environment has a secret"; fi
done
[[ $(stat -c %a "$run/address") == 600 && $(stat -c %a "$run/keys/worker.key") == 600 ]] || fail "others can read the keys"

node_of() { squeue -h -j "$1" -o '%i %N' | sed -n "s/^$2 //p" | head -1; }
store() { pgrep -f "replay --db $run/games.db"; }
down() { sinfo -hN -n "$1" -o %t | grep -q down; }

say "the node of those workers is lost: the training goes on as if nothing were, and they come back with the node"
node=$(node_of "$more" "${more}_1")
before=$(store)
lose_node "$node"
goes_on "the loss of $node"
eventually 60 "the controller to miss $node" down "$node"
goes_on "$node was given up"
[[ $(store) == "$before" ]] || fail "the store was started anew"
begin_node "$node"
# Slurm lets jobs that lost a node wait for two minutes.
eventually 200 "the workers to be back" bash -c "[[ \$(squeue -h -j $more -t running | wc -l) == 2 ]]"
scancel "$more"

say "a node of the training itself is lost: it is queued again, and goes on from its files"
games_before=$(games)
node=$(node_of "$job" "$job+1")
lose_node "$node"
eventually 60 "the controller to miss $node" down "$node"
begin_node "$node"
eventually 240 "the training to go on after the loss of $node" more_games "$games_before"

say "requeued by hand, it goes on too"
before=$(games)
restarts() { scontrol show job "$job" | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p' | head -1; }
counted=$(restarts)
scontrol requeue "$job"
eventually 60 "the requeue" bash -c "(( \$(scontrol show job $job | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p' | head -1) > $counted ))"
eventually 240 "the store to be back with all games" more_games "$before"
goes_on "the requeue"

say "TERM ends it well"
ended() { grep -c 'stopped (games=' "$here/tabula-$job.log"; }  # by workers, in their own time
ended_before=$(ended)
scancel --signal=TERM --batch "$job"
eventually 60 "the job to end" bash -c "! squeue -h -j $job | grep -q ."
grep -q 'To play it' "$here"/tabula-*.log || fail "it did not end as it should"
(($(ended) >= ended_before + 2)) || fail "its workers were not let end"
tabula db check "$run/games.db"

say "an array of seeds"
sbatch --parsable --export=ALL,GAME=tictactoe,MINUTES=0.3 --array=1-2 "$jobs/seeds.sbatch" >"$here/seeds"
eventually 180 "the array to end" bash -c "! squeue -h -j $(cat "$here/seeds") | grep -q ."
tabula report "$here"/runs/tictactoe-1 "$here"/runs/tictactoe-2 --at-least games=1
