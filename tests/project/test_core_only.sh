#!/usr/bin/env bash
# The preset "core", the reading and writing libraries alone, without vector instructions, builds. Parts that
# need more are left out with a reason, and the core's tests pass.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
build=$LERPMESH_BUILD_DIR/core # kept, to make the next run fast
mkdir -p "$build"

fail() {
    echo "FAILED: $1" >&2
    exit 1
}
# Files are compiled separately even so: the formats share static names. -O1 compiles faster than the preset's -O3.
cmake --preset core -B "$build" -DCMAKE_UNITY_BUILD=ON -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" >"$build/configure.log" 2>&1 ||
    { cat "$build/configure.log"; fail "configuring"; }
for part in command examples; do
    grep -q "^-- lerpmesh: $part: off (it needs LERPMESH_ASSETS" "$build/configure.log" ||
        { cat "$build/configure.log"; fail "$part is off without a reason"; }
done
cmake --build "$build" -j 2 >"$build/build.log" 2>&1 || { cat "$build/build.log"; fail "building"; }
! nm "$build/liblerpmesh.a" | grep -E ' lmi_sample_(simd128|avx2)$' || fail "there are vector kernels"
[ ! -e "$build/liblerpmesh-assets.a" ] || fail "lerpmesh-assets was built too"
rm -rf "$build/installed"
cmake --install "$build" --prefix "$build/installed" >"$build/install.log"
for header in include/lerpmesh/*.h; do
    wanted=yes
    # A header belongs to the library of its first declaration.
    ! grep -E '^LM_([A-Z]+_)?API ' "$header" | head -n 1 | grep -qE '^LM_(ASSETS|CONVERT|GL|IMPORT)_' || wanted=no
    there=no
    [ ! -e "$build/installed/$header" ] || there=yes
    [ $wanted = $there ] || fail "$header: belongs to the core: $wanted, installed: $there"
done
# Damaging files and computing all normals take long, and the code is the same as elsewhere.
LERPMESH_EACH=13 ctest --test-dir "$build" --output-on-failure --no-tests=error -j 2 --exclude-regex test_damage \
    >"$build/ctest.log" 2>&1 || { cat "$build/ctest.log"; fail "its tests"; }
sed -nE 's/^([0-9]+% tests passed.*)/ok: \1/p' "$build/ctest.log"
