#!/usr/bin/env bash
# test_machines.sh MACHINE…: programs for other processors, under qemu, behave as here: the libraries' tests
# pass, and the command gives the same bytes in each LERPMESH_EVERY-th run of compare.py. MACHINES: s390x (big-endian,
# char unsigned), i686, armhf (32 bits), aarch64, aarch64-clang. `make test-cross` runs it.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

# build NAME COMPILER QEMU: builds the command and the tests, in $folder/NAME.
build() {
    local name=$1 compiler=$2 qemu=$3
    { cmake -S . -B "$folder/$name" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$name" \
        -DCMAKE_C_COMPILER="$compiler" -DCMAKE_CROSSCOMPILING_EMULATOR="$qemu" \
        -DCMAKE_EXE_LINKER_FLAGS=-static -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O2 \
        -DLERPMESH_WERROR=ON -DLERPMESH_GL=OFF -DLERPMESH_BENCH=OFF -DLERPMESH_EXAMPLES=OFF \
        -DLERPMESH_INSTALL=OFF -DSTB_INCLUDE_DIR="$stb" -DLERPMESH_TESTS=PLAIN &&
        cmake --build "$folder/$name" -j "$(nproc)" --target all; } >"$folder/log" 2>&1 ||
        { grep -E 'error|Error' -A4 "$folder/log" | head -40; fail "it does not build for $name"; }
}

# machine NAME COMPILER QEMU: sets SKIPPED if its tools are incomplete.
machine() {
    local name=$1 compiler=$2 qemu=$3 every=${LERPMESH_EVERY:-1}
    if ! command -v "$compiler" >/dev/null || ! command -v "$qemu" >/dev/null; then
        echo "skipped: $name: there is no $compiler or no $qemu"
        return
    fi
    build "$name" "$compiler" "$qemu"
    LERPMESH_EACH=13 ctest --test-dir "$folder/$name" -j "$(nproc)" --label-exclude script --no-tests=error \
        --output-on-failure >"$folder/log" 2>&1 ||
        { grep -E 'ERROR|FAILED|\*\*\*' -A1 "$folder/log" | head -60; fail "tests fail on $name"; }
    echo "ok: $name: $(grep -c ' Passed ' "$folder/log") programs; of what is very much in them each 13th"
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$qemu" "$folder/$name/lerpmesh" >"$folder/run"
    chmod +x "$folder/run"
    python3 scripts/compare.py "$LERPMESH_BINARY" "$folder/run" samples \
        ${LERPMESH_CORPUS:+"$LERPMESH_CORPUS"} --every "$every" >"$folder/log" 2>&1 ||
        { head -60 "$folder/log"; tail -1 "$folder/log"; fail "the command gives different bytes on $name"; }
    echo "ok: $name: $(tail -1 "$folder/log"), of each $every"
    rm -rf "${folder:?}/$name"
    tried=$((tried + 1))
}

stb=$(sed -n 's/^STB_INCLUDE_DIR:PATH=\(.*[^D]\)$/\1/p' "$LERPMESH_BUILD_DIR/CMakeCache.txt")
tried=0
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
