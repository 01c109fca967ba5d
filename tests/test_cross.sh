#!/usr/bin/env bash
# The kernels for other processors give the bits that they give here: test_kernels.c, built for
# aarch64 and run under qemu, and for WebAssembly and run under node. A target whose tools are not all
# there is left out by name; where that is both, this test as a whole.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# All that a sample is made with; not what computes normals when a model is loaded.
shopt -s extglob
sources=(tests/test_kernels.c src/sample/!(gather|look|smooth).c src/math/normals.c src/core/exact.c)
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

# with TARGET TOOL…: whether all tools are there, commands or files.
with() {
    local target=$1 tool missing=()
    shift
    for tool in "$@"; do
        command -v "$tool" >/dev/null || [ -e "$tool" ] || missing+=("$tool")
    done
    [ ${#missing[@]} -eq 0 ] || echo "skipped: $target: there is no ${missing[*]}"
    [ ${#missing[@]} -eq 0 ]
}

if with aarch64 aarch64-linux-gnu-gcc qemu-aarch64; then
    aarch64-linux-gnu-gcc "${flags[@]}" -static "${sources[@]}" -lm -o "$folder/aarch64"
    check aarch64 qemu-aarch64 "$folder/aarch64"
fi
if with wasm clang wasm-ld node /usr/include/wasm32-wasi; then
    clang --target=wasm32-wasi -msimd128 --sysroot=/usr "${flags[@]}" "${sources[@]}" \
        -o "$folder/wasm"
    check wasm node --no-warnings tests/wasi.mjs "$folder/wasm"
fi
[ $tried -gt 0 ] || exit 77
