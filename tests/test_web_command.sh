#!/usr/bin/env bash
# test_web_command.sh [EVERY]: the command as WebAssembly, which node runs, gives the bytes that the native one
# gives: in each EVERY-th run of scripts/compare.py, and by pipes. `make web` must have built it.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

command=$LERPMESH_BUILD_DIR/../web/npm/command.js
if [ ! -e "$command" ]; then
    echo 'skipped: the command as WebAssembly: `make web` has not built it'
    exit 77
fi
printf '#!/bin/sh\nexec node "%s" "$@"\n' "$(realpath "$command")" >"$folder/run"
chmod +x "$folder/run"

"$folder/run" convert - -o - --format glb <samples/tick.md2 2>/dev/null | cat >"$folder/piped.glb"
"$LERPMESH_BINARY" convert - -o - --format glb <samples/tick.md2 2>/dev/null >"$folder/native.glb"
cmp "$folder/piped.glb" "$folder/native.glb" || fail "a pipe"
cp samples/tick.md2 "$folder/tick.md2"
chmod 640 "$folder/tick.md2"
"$folder/run" edit --in-place --add-skin other.pcx "$folder/tick.md2" 2>/dev/null || fail "editing in place"
[ "$(stat -c %a "$folder/tick.md2")" = 640 ] || fail "who may read a file that was edited"
"$folder/run" info nowhere.md2 2>"$folder/says" && fail "a file that is not there"
grep -q 'nowhere.md2: cannot open: No such file or directory' "$folder/says" || fail "why a file is not there"
echo "ok: pipes, modes, errors"

python3 scripts/compare.py "$LERPMESH_BINARY" "$folder/run" samples ${LERPMESH_CORPUS:+"$LERPMESH_CORPUS"} \
    --every "${1:-401}" >"$folder/log" 2>&1 ||
    { head -40 "$folder/log"; fail "the command gives other bytes as WebAssembly: $(tail -1 "$folder/log")"; }
echo "ok: the command: $(tail -1 "$folder/log")"
