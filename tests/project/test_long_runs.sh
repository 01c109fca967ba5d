#!/usr/bin/env bash
# `make test-hard` and `make test-cross` fail if one of their parts fails, or, for the latter, is left out: runs their
# scripts with mock parts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/tree/tests/project" "$folder/tree/tests/web" "$folder/tree/build/release"
cp -r "$LERPMESH_SOURCE_DIR/scripts" "$folder/tree"
cd "$folder/tree"

# A command that succeeds unless FAILING is one of its words.
cat >"$folder/bin/pretend" <<'END'
#!/bin/sh
echo 'Ran 3 tests, 100% tests passed'
case " ${0##*/} $* " in *[\ /]"${FAILING:-none}"[\ .]*) exit 1 ;; esac
END
chmod +x "$folder/bin/pretend"
for name in cmake ctest python3; do
    ln -s pretend "$folder/bin/$name"
done

# expect SCRIPT STATUS LAST: expects this end.
expect() {
    local status=0 last
    PATH=$folder/bin:$PATH bash "scripts/$1" build 2 >"$folder/output" 2>&1 || status=$?
    last=$(tail -n 1 "$folder/output")
    if [ "$status $last" != "$2 $3" ]; then
        cat "$folder/output"
        echo "FAILED: '$status $last' instead of '$2 $3'" >&2
        exit 1
    fi
}
# expect_lines COUNT TEXT: expects the text on COUNT lines.
expect_lines() {
    [ "$(grep -cF "$2" "$folder/output")" -eq "$1" ] ||
        { cat "$folder/output"; echo "FAILED: '$2' is not on $1 lines" >&2; exit 1; }
}

cp "$folder/bin/pretend" scripts/test_oss_fuzz.sh

for sanitizer in memory undefined thread; do
    mkdir build/$sanitizer
    echo "LERPMESH_SANITIZE:STRING=$sanitizer" >build/$sanitizer/CMakeCache.txt
done
expect test_hard.sh 0 '6 passed, 0 failed'
expect_lines 8 'ok: '
# If the programs fail, the command is not compared any more.
FAILING=ctest expect test_hard.sh 1 '3 passed, 3 failed'
expect_lines 3 'ok: '
expect_lines 1 'FAILED: tests under memory'
FAILING=compare expect test_hard.sh 1 '4 passed, 2 failed'
expect_lines 6 'ok: '
expect_lines 1 'FAILED: the command under thread'
FAILING=cmake expect test_hard.sh 1 '3 passed, 3 failed'
expect_lines 1 'FAILED: memory does not build'
echo 'LERPMESH_SANITIZE:STRING=OFF' >build/thread/CMakeCache.txt
expect test_hard.sh 1 '5 passed, 1 failed'
expect_lines 1 'FAILED: the build does not use thread'
echo 'LERPMESH_SANITIZE:STRING=thread' >build/thread/CMakeCache.txt
FAILING=test_oss_fuzz expect test_hard.sh 1 '5 passed, 1 failed'
expect_lines 8 'ok: '
FAILING=test_heap expect test_hard.sh 1 '5 passed, 1 failed'
FAILING=test_crash expect test_hard.sh 1 '5 passed, 1 failed'
expect_lines 6 'ok: '
FAILING=test_kills expect test_hard.sh 1 '5 passed, 1 failed'
expect_lines 7 'ok: '

for name in scripts/test_machines tests/project/test_cross tests/project/test_portable tests/project/test_dropin tests/web/test_web_command scripts/test_windows; do
    # shellcheck disable=SC2016 # that script's own
    echo 'case "$0 $* " in ${PART:-none}) echo "$SAYS"; exit "${STATUS:-0}" ;; esac' >"$name.sh"
done
expect test_cross.sh 0 '10 passed, 0 failed'
PART="scripts/test_machines.sh armhf*" SAYS='skipped: armhf: there is no compiler' \
    expect test_cross.sh 1 '9 passed, 1 failed'
expect_lines 1 'FAILED: bash scripts/test_machines.sh armhf'
PART="tests/project/test_cross.sh*" SAYS='skipped: wasm: there is no node' expect test_cross.sh 1 '9 passed, 1 failed'
PART="tests/project/test_portable.sh*" SAYS='' STATUS=77 expect test_cross.sh 1 '9 passed, 1 failed'
PART="scripts/test_windows.sh*" SAYS='' STATUS=1 expect test_cross.sh 1 '9 passed, 1 failed'
echo 'the long runs fail when a part does'
