#!/usr/bin/env bash
# The kernels for other processors give the bits that they give here: test_kernels.c, built for
# aarch64 and run under qemu, and for WebAssembly and run under node. A target whose tools are not
# there is left out, but not both.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

sources=(tests/test_kernels.c src/sample/{choice,rows,run,sample,sample_scalar,sample_simd128}.c
    src/math/normals.c)
flags=(-std=c11 -O2 -Wall -Wextra -Wconversion -Wshadow -Werror -ffp-contract=off
    -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc)
expected=$("$LERPMESH_BUILD_DIR/tests/test_kernels" 2>/dev/null)
[ -n "$expected" ]
tried=0

# check NAME COMMAND…: the program that COMMAND runs has vector kernels, and gives the same sum.
check() {
    local name=$1 sum
    shift
    sum=$("$@" 2>"$folder/says")
    sed "s/^/$name: /" "$folder/says"
    grep -q ' simd128 scalar$' "$folder/says"
    if [ "$sum" != "$expected" ]; then
        echo "$name gives $sum, this machine $expected" >&2
        exit 1
    fi
    tried=$((tried + 1))
}

if command -v aarch64-linux-gnu-gcc qemu-aarch64 >/dev/null; then
    aarch64-linux-gnu-gcc "${flags[@]}" -static "${sources[@]}" -lm -o "$folder/aarch64"
    check aarch64 qemu-aarch64 "$folder/aarch64"
else
    echo 'aarch64: left out (needs aarch64-linux-gnu-gcc and qemu-aarch64)'
fi
if command -v clang node >/dev/null && [ -d /usr/include/wasm32-wasi ]; then
    clang --target=wasm32-wasi -msimd128 --sysroot=/usr "${flags[@]}" "${sources[@]}" \
        -o "$folder/wasm"
    check wasm node --no-warnings tests/wasi.mjs "$folder/wasm"
else
    echo 'wasm: left out (needs clang, lld, wasi-libc and node)'
fi
[ $tried -gt 0 ]
