#!/usr/bin/env bash
# Tests the sources as a subproject. The outer project's settings stay unchanged, and only the core is
# built unless more is requested. Everything compiles with the outer project's warnings as errors, and
# its Debug build has an optimised sampler.
set -euo pipefail
consumer=$LERPMESH_SOURCE_DIR/tests/consumer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $1" >&2
    exit 1
}
# configure NAME ARGUMENTS…: prints the list of our targets.
configure() {
    local name=$1
    shift
    cmake -S "$consumer/parent" -B "$work/$name" -DLERPMESH_FOLDER="$LERPMESH_SOURCE_DIR" "$@" \
        >"$work/$name.log" 2>&1 || { cat "$work/$name.log" >&2; fail "$name"; }
    sed -n 's/^targets: //p' "$work/$name.log"
}

core='lerpmesh-objects;lerpmesh-static;lerpmesh-shared'
targets=$(configure defaults)
[ "$targets" = "$core" ] || fail "an embedded lerpmesh has the targets $targets"
grep -q '^-- lerpmesh: install: off' "$work/defaults.log" || fail "the embedded project has install rules"
echo "ok: the core alone"

# tests/project/test_dropin.sh compiles the vector kernels with these warnings, and it takes long.
options=(-DCMAKE_BUILD_TYPE=Debug -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DLERPMESH_ASSETS=ON
    -DLERPMESH_SIMD=OFF)
[ -z "${LERPMESH_GL_SHARED_LIBRARY:-}" ] || options+=(-DLERPMESH_GL=ON)
targets=$(configure all "${options[@]}")
case $targets in
"$core;lerpmesh-assets-objects;"*) ;;
*) fail "with its options on, it has the targets $targets" ;;
esac
cmake --build "$work/all" -j 2 >"$work/build.log" 2>&1 || { cat "$work/build.log"; fail "build"; }
"$work/all/core" <"$LERPMESH_SOURCE_DIR/samples/tick.md2" | grep -q '^lerpmesh [0-9]' ||
    fail "the program does not run"
commands=$work/all/compile_commands.json
grep '"command".* -O2 .*src/sample/' "$commands" >/dev/null || fail "the sampler is not optimised"
! grep '"command".* -O2 .*src/load.c' "$commands" >/dev/null || fail "files besides the sampler are optimised"
echo "ok: all libraries"
