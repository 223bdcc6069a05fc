#!/bin/sh
# Records what a newcomer sees into an SVG that moves: record.sh OUT.svg SECONDS COMMAND...
# Eight seconds before the end it presses Ctrl-C. Needs tmux and python3; the frames are the terminal's own.
set -eu
out=$1 seconds=$2
shift 2
frames=$(mktemp -d)
session=record-$$
tmux new-session -d -s "$session" -x 110 -y 20 "printf '\$ %s\n' '$*'; $*; sleep 5"
i=0
while [ "$i" -lt "$seconds" ]; do
  sleep 1
  tmux capture-pane -p -t "$session" >"$frames/$(printf %05d "$i")" 2>/dev/null || break
  i=$((i + 1))
  [ "$i" -ne $((seconds - 8)) ] || tmux send-keys -t "$session" C-c
done
tmux kill-session -t "$session" 2>/dev/null || true
python3 "$(dirname "$0")/frames_to_svg.py" "$frames" "$out"
rm -r "$frames"
