#!/bin/bash
# Runs the commands that the documents show, each document's in one scratch folder, in order.
#
#   commands.sh SUITE    run the blocks of this suite, "default" or one that a marker names
#
# A block of ```sh is run line by line. A marker on the line before it may say
# <!-- suite: NAME --> or <!-- not run: REASON -->. A block of ```cpp whose first line is
# "// PATH/FILE" is written to that file.
set -uo pipefail
suite=$1
root=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ran=0 failed=0

# The same command with a smaller budget.
shortened() {
  sed -E -e 's/ +#.*//' \
    -e 's#^(\./tabula bench games)#\1 --repeats 1 --milliseconds 2#' \
    -e 's#^(\./tabula bench search)#\1 --repeats 1 --milliseconds 20#' \
    -e 's#^(\./tabula bench (inference|training))#\1 --repeats 1 --milliseconds 2#' \
    -e 's#^(\./tabula bench selfplay)#\1 --repeats 1 --milliseconds 2 --games 4 --simulations 10#' \
    -e 's#^(\./tabula train connect4)$#\1 --minutes 0.2#' \
    -e 's#^(\./tabula train (tictactoe|nim/build/nim.so)) --minutes [0-9.]+#\1 --minutes 0.4#' \
    -e 's#^(\./tabula check-game [a-z0-9]+)$#\1 --playouts 20#' <<<"$1"
}

run_line() {
  local command
  command=$(shortened "$1")
  [[ -z $command ]] && return
  [[ $command == "./tabula test"* ]] && return # what runs us
  echo "+ $command"
  ran=$((ran + 1))
  if ! output=$(cd "$folder" && bash -euc "$command" 2>&1); then
    echo "FAILED, $document: $command"$'\n'"$output"
    failed=$((failed + 1))
  fi
}

# Reads a block's lines up to the closing fence into the array `block`.
read_block() {
  block=()
  while IFS= read -r line && [[ $line != '```' ]]; do block+=("$line"); done
}

run_document() {
  local marker=default block
  while IFS= read -r line; do
    case $line in
      '<!-- not run: '*) marker=never ;;
      '<!-- suite: '*) marker=${line#<!-- suite: } marker=${marker% -->} ;;
      '```sh')
        read_block
        [[ $marker == "$suite" ]] && for command in "${block[@]}"; do run_line "$command"; done
        marker=default
        ;;
      '```cpp')
        read_block
        if [[ ${block[0]} =~ ^//\ ([a-z_/]+/[a-z_]+\.cpp)$ && $suite == default ]]; then
          printf '%s\n' "${block[@]}" >"$folder/${BASH_REMATCH[1]}"
        fi
        marker=default
        ;;
      '```'*) read_block && marker=default ;;
    esac
  done <"$document"
}

cd "$root" || exit 1
for document in README.md CONTRIBUTING.md docs/*.md; do
  folder=$scratch/$(basename "$document" .md)
  mkdir -p "$folder"
  ln -s "$root"/{tabula,build,CMakePresets.json,CMakeLists.txt} "$folder"
  run_document
done
echo "$((ran - failed)) passed, $failed failed"
[[ $ran -gt 0 && $failed -eq 0 ]]
