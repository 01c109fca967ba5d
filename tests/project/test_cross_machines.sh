#!/usr/bin/env bash
# test_cross_machines.sh [MACHINE…]: programs for other processors, under qemu, behave as here: the libraries' tests
# pass, and the command gives the same bytes. MACHINES: s390x (big-endian, char unsigned), i686, armhf (32 bits),
# aarch64, aarch64-clang. Named machines are tested completely (of compare.py's runs, each LERPMESH_EVERY-th). Without
# names, as one of the tests, parts of s390x are tested (test_portable.sh has another machine of 32 bits: WebAssembly).
# Its build stays in the build's folder machines/, so that only changes are compiled again.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
quick='^test_(compose|core|edit|exact|formats|gltf_scene|json|load|md2|md3|mdc|mdl|obj|sample|scene|shader|uv|weld)$'

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

# build NAME COMPILER QEMU TARGET…: builds the command, or with TARGET `all` the tests too, in $builds/NAME.
build() {
    local name=$1 compiler=$2 qemu=$3
    shift 3
    { cmake -S . -B "$builds/$name" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$name" \
        -DCMAKE_C_COMPILER="$compiler" -DCMAKE_CROSSCOMPILING_EMULATOR="$qemu" \
        -DCMAKE_EXE_LINKER_FLAGS=-static -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=$flags \
        -DLERPMESH_WERROR=ON -DLERPMESH_GL=OFF -DLERPMESH_BENCH=OFF -DLERPMESH_EXAMPLES=OFF \
        -DLERPMESH_INSTALL=OFF -DSTB_INCLUDE_DIR="$stb" -DLERPMESH_TESTS=PLAIN &&
        cmake --build "$builds/$name" -j "$(nproc)" --target "$@"; } >"$folder/log" 2>&1 ||
        { grep -E 'error|Error' -A4 "$folder/log" | head -40; fail "it does not build for $name"; }
}

# machine NAME COMPILER QEMU: sets SKIPPED if its tools are incomplete.
machine() {
    local name=$1 compiler=$2 qemu=$3 selection every targets
    if ! command -v "$compiler" >/dev/null || ! command -v "$qemu" >/dev/null; then
        echo "skipped: $name: there is no $compiler or no $qemu"
        return
    fi
    if [ "$whole" = yes ]; then
        selection=() every=${LERPMESH_EVERY:-1} targets=(all)
    else
        selection=(-R "$quick") every=29
        mapfile -t targets < <(find tests/src tests/write -name 'test_*.c' | sed -E 's!.*/(.*)\.c$!\1!' | grep -E "$quick")
        targets+=(lerpmesh-tool)
    fi
    build "$name" "$compiler" "$qemu" "${targets[@]}"
    LERPMESH_EACH=13 ctest --test-dir "$builds/$name" -j "$(nproc)" --label-exclude script --no-tests=error \
        --output-on-failure "${selection[@]}" >"$folder/log" 2>&1 ||
        { grep -E 'ERROR|FAILED|\*\*\*' -A1 "$folder/log" | head -60; fail "tests fail on $name"; }
    echo "ok: $name: $(grep -c ' Passed ' "$folder/log") programs; of what is very much in them each 13th"
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$qemu" "$builds/$name/lerpmesh" >"$folder/run"
    chmod +x "$folder/run"
    python3 scripts/compare.py "$LERPMESH_BINARY" "$folder/run" samples \
        ${LERPMESH_CORPUS:+"$LERPMESH_CORPUS"} --every $every >"$folder/log" 2>&1 ||
        { head -60 "$folder/log"; tail -1 "$folder/log"; fail "the command gives different bytes on $name"; }
    echo "ok: $name: $(tail -1 "$folder/log"), of each $every"
    [ "$whole" != yes ] || rm -rf "${builds:?}/$name"
    tried=$((tried + 1))
}

stb=$(sed -n 's/^STB_INCLUDE_DIR:PATH=\(.*[^D]\)$/\1/p' "$LERPMESH_BUILD_DIR/CMakeCache.txt")
tried=0 whole=yes flags=-O2 builds=$folder
[ $# -gt 0 ] || { whole=no; flags=-O1; # compiles faster
    builds=$LERPMESH_BUILD_DIR/machines; set -- s390x; }
for name in "$@"; do
    case $name in
    s390x) machine s390x s390x-linux-gnu-gcc qemu-s390x ;;
    i686) machine i686 i686-linux-gnu-gcc qemu-i386 ;;
    armhf) machine armhf arm-linux-gnueabihf-gcc qemu-arm ;;
    aarch64) machine aarch64 aarch64-linux-gnu-gcc qemu-aarch64 ;;
    aarch64-clang)
        printf '#!/bin/sh\nexec clang --target=aarch64-linux-gnu "$@"\n' >"$folder/clang"
        chmod +x "$folder/clang"
        machine aarch64-clang "$folder/clang" qemu-aarch64
        ;;
    *) fail "unknown machine '$name'" ;;
    esac
done
[ $tried -gt 0 ] || exit 77
