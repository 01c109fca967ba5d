#!/usr/bin/env bash
# test_web_command.sh [EVERY]: tests that the command as WebAssembly, run by node, writes the same bytes as the native
# one: in each EVERY-th run of scripts/compare.py, and through pipes. `make web` must have built it.
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
mkdir "$folder/node" "$folder/native"
"$folder/run" convert "$folder/native.glb" -q -o "$folder/node/tick.md3"
"$LERPMESH_BINARY" convert "$folder/native.glb" -q -o "$folder/native/tick.md3"
diff -r "$folder/node" "$folder/native" || fail "a glTF"
cp samples/tick.md2 "$folder/tick.md2"
chmod 640 "$folder/tick.md2"
"$folder/run" edit --in-place --add-skin other.pcx "$folder/tick.md2" 2>/dev/null || fail "editing in place"
[ "$(stat -c %a "$folder/tick.md2")" = 640 ] || fail "the permissions of an edited file"
mkdir -p "$folder/tree/sub" "$folder/linked" "$folder/outside" "$folder/replaced/sub"
cp samples/tick.md2 "$folder/tree/sub"
"$LERPMESH_BINARY" pack -q "$folder/tree" -o "$folder/tree.pk3"
for target in outside nowhere; do
    ln -sfn "../$target" "$folder/linked/sub"
    ln -sfn "../../$target/new" "$folder/replaced/sub/tick.md2"
    "$folder/run" extract -f "$folder/tree.pk3" -o "$folder/linked/" 2>"$folder/messages" && fail "a folder that is a link"
    grep -q 'linked/sub/tick.md2: a folder in its path is a link' "$folder/messages" || fail "the message about a link"
    "$folder/run" extract "$folder/tree.pk3" -o "$folder/replaced/" 2>/dev/null && fail "a link is replaced"
    "$folder/run" extract -f "$folder/tree.pk3" -o "$folder/replaced/" 2>/dev/null || fail "a link is not replaced"
    [ ! -L "$folder/replaced/sub/tick.md2" ] || fail "a link stays"
    cmp "$folder/replaced/sub/tick.md2" samples/tick.md2 || fail "a replaced link"
    [ -z "$(ls "$folder/outside")" ] && [ ! -e "$folder/nowhere" ] || fail "a file outside of the output folder"
done
mkfifo "$folder/fifo"
mv "$folder/fifo" "$folder/replaced/sub/tick.md2"
"$folder/run" extract -f "$folder/tree.pk3" -o "$folder/replaced/" 2>/dev/null && fail "a pipe in the output folder"
"$folder/run" info nowhere.md2 2>"$folder/messages" && fail "a missing file"
grep -q 'nowhere.md2: cannot open: No such file or directory' "$folder/messages" || fail "the message about a missing file"
"$folder/run" render tick.md2 2>"$folder/messages" && fail "drawing without OpenGL"
grep -q 'lerpmesh render: node has no OpenGL: draw on the page or .*make install' "$folder/messages" ||
    fail "the message about drawing: $(cat "$folder/messages")"
echo "ok: pipes, modes, links, errors"

# A terminal shows the progress bar while the command waits for the first of two files, and then clears it.
mkfifo "$folder/slow.md2"
shown=$(python3 - "$folder/run" "$folder/slow.md2" samples/tick.md2 <<'END'
import os, pty, subprocess, sys, time
terminal, other_end = pty.openpty()
process = subprocess.Popen([sys.argv[1], "info", *sys.argv[2:]], stdout=subprocess.DEVNULL, stderr=other_end)
os.close(other_end)
with open(sys.argv[2], "wb") as fifo:
    time.sleep(0.8)
    fifo.write(open(sys.argv[3], "rb").read())
shown = b""
try:
    while chunk := os.read(terminal, 4096):
        shown += chunk
except OSError:  # the other end is closed
    pass
assert process.wait() == 0
print(repr(shown.decode()))
END
)
[[ $shown =~ \\r\[#+\.+\]\ 1\ of\ 2\\r\ +\\r ]] || fail "the progress bar: $shown"
echo "ok: a progress bar"

python3 scripts/compare.py "$LERPMESH_BINARY" "$folder/run" samples ${LERPMESH_CORPUS:+"$LERPMESH_CORPUS"} \
    --every "${1:-401}" >"$folder/log" 2>&1 ||
    { head -40 "$folder/log"; fail "the command as WebAssembly writes other bytes: $(tail -1 "$folder/log")"; }
echo "ok: the command: $(tail -1 "$folder/log")"
