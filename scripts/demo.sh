#!/usr/bin/env bash
# [MODEL=path] demo.sh BUILD: copies the sample models to demo/, prints information about one of them (or MODEL), and
# converts it to glTF.
set -euo pipefail
lerpmesh=$1/release/lerpmesh
mkdir -p demo
cp -R samples/tick* samples/models demo
model=${MODEL:-demo/tick.md2}
name=$(basename "$model")
result=demo/${name%.*}.glb

show() {
    printf '\n$ lerpmesh'
    printf ' %q' "$@"
    printf '\n'
    "$lerpmesh" "$@"
}
if ! show info "$model"; then
    [ ! -f "$model" ] || echo "If the file is damaged, docs/tutorials/repair.md shows what can be saved." >&2
    exit 1
fi
# Converts a model even if check has reported errors in it.
show check "$model" || true
show convert "$model" -o "$result"

printf '\nThe converted model is %s. Open it in Blender or a glTF viewer.\n' "$result"
printf 'The sample models are in demo/, the command is %s.\n' "$lerpmesh"
