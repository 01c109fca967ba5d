#!/usr/bin/env bash
# in_root.sh ROOT COMMAND…: runs a command in a root folder, in the current folder. It sees this system's /tmp, the
# repository, and the folders that IN_ROOT names, separated by colons. Needs root's rights. Nothing stays mounted.
set -euo pipefail
IN_ROOT=/dev:/proc:/sys:/tmp:$(realpath "$(dirname "$0")/..")${IN_ROOT:+:$IN_ROOT}
export IN_ROOT
# shellcheck disable=SC2016 # the inner shell's variables
exec unshare --mount bash -euc '
root=$1
shift
IFS=:
for folder in $IN_ROOT; do
    [ -d "$folder" ] || continue
    mkdir -p "$root$folder"
    mount --rbind "$folder" "$root$folder"
done
exec chroot "$root" env -C "$PWD" "$@"' in_root "$@"
