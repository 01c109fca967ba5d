#!/usr/bin/env bash
# test_cross.sh BUILD: runs all tests for other machines. Fails if one of them is skipped.
set -uo pipefail
LERPMESH_SOURCE_DIR=$PWD
LERPMESH_BUILD_DIR=$(realpath "$1")/release
LERPMESH_BINARY=$LERPMESH_BUILD_DIR/lerpmesh
LERPMESH_STATIC_LIBRARY=$LERPMESH_BUILD_DIR/liblerpmesh.a
LERPMESH_WRITE_STATIC_LIBRARY=$LERPMESH_BUILD_DIR/liblerpmesh-write.a
LERPMESH_ASSETS_STATIC_LIBRARY=$LERPMESH_BUILD_DIR/liblerpmesh-assets.a
PYTHONPATH=$PWD/tests/oracle:$PWD/tests/support
export PYTHONPATH LERPMESH_SOURCE_DIR LERPMESH_BUILD_DIR LERPMESH_BINARY LERPMESH_STATIC_LIBRARY \
    LERPMESH_WRITE_STATIC_LIBRARY LERPMESH_ASSETS_STATIC_LIBRARY
passed=0
failed=0

# part NAME COMMAND…: runs a part, logs its output and counts its result.
part() {
    local log=$LERPMESH_BUILD_DIR/cross-$1.log status
    shift
    "$@" 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    if [ "$status" -eq 0 ] && ! grep -q '^skipped: ' "$log"; then
        passed=$((passed + 1))
    else
        echo "FAILED: $* (status $status)" >&2
        failed=$((failed + 1))
    fi
}

for machine in s390x i686 armhf aarch64 aarch64-clang; do
    part $machine bash scripts/test_machines.sh $machine
done
part kernels bash tests/project/test_cross.sh
part dropin bash tests/project/test_dropin.sh all
part wasm32 bash tests/project/test_portable.sh all
part node bash tests/web/test_web_command.sh "${LERPMESH_EVERY:-5}"
part windows bash scripts/test_windows.sh "${LERPMESH_EVERY:-5}"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
