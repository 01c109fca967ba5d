#!/usr/bin/env bash
# Without the renderer the command is complete except for `render`, which states the reason; and an invalid command line
# is rejected in the same way.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
build=$LERPMESH_BUILD_DIR/without-gl # kept, to make the next run fast
mkdir -p "$build"

fail() {
    echo "FAILED: $1" >&2
    exit 1
}
# Not optimized: that compiles in half the time.
{ cmake -B "$build" -DCMAKE_BUILD_TYPE=None -DLERPMESH_GL=OFF -DLERPMESH_TESTS=OFF \
    -DLERPMESH_BENCH=OFF -DLERPMESH_EXAMPLES=OFF && cmake --build "$build" --target lerpmesh-tool -j 2; } \
    >"$build/build.log" 2>&1 || { cat "$build/build.log"; fail "building"; }
LERPMESH_BINARY=$build/lerpmesh python3 tests/support/run_cases.py tests/tool/test_usage.py
status=0
"$build/lerpmesh" render samples/tick.md2 -o "$build/none.png" 2>"$build/messages" || status=$?
[ $status = 1 ] && grep -q "LERPMESH_GL was off" "$build/messages" || { cat "$build/messages"; fail "render: $status"; }
status=0
"$build/lerpmesh" compare samples/tick.md2 samples/tick.md2 --image "$build/none.png" >"$build/out" 2>"$build/messages" || status=$?
[ $status = 1 ] && grep -q "cannot draw the image: this lerpmesh was built without its renderer" "$build/messages" &&
    grep -q "^positions: maximum error 0 units" "$build/out" || { cat "$build/messages"; fail "compare --image: $status"; }
