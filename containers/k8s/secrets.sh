#!/bin/sh
# secrets.sh KEYS: the keys that `tabula keys new KEYS` made, as Secrets for a cluster. A pod gets no more than what it
# needs; admin.key stays here.
#   containers/k8s/secrets.sh keys | kubectl apply -n tabula -f -
set -eu
keys=${1:?which folder? secrets.sh KEYS}
secret() {
  name=$1
  shift
  for file; do
    set -- "$@" "--from-file=$keys/$file"
    shift
  done
  kubectl create secret generic "$name" "$@" --dry-run=client -o yaml
}
# shellcheck disable=SC2046 # one word a file
secret tabula-store-keys store.key $(cd "$keys" && ls -- *.pub)
for role in worker trainer arena viewer; do
  echo ---
  secret "tabula-$role-key" "$role.key"
done
