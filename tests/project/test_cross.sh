#!/usr/bin/env bash
# The kernels for other processors give the same bits as here. test_kernels.c is built for aarch64 (by GCC and by Clang)
# and run under qemu, and for WebAssembly and run under node, also in the configuration of the web's module (LM_SMALL).
# The passes over whole tables (test_ranges.c) are tested there, and the small normals (test_normals.c) here. A
# target without all of its tools is skipped by name; without both, the whole test is.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Everything that sampling uses.
shopt -s extglob
sources=(tests/src/sample/test_kernels.c src/{sample,core,math}/*.c src/model/weld.c)
flags=(-std=c11 -O2 -Wall -Wextra -Wno-missing-field-initializers -Wconversion -Wshadow -Werror
    -ffp-contract=off -DLM_NO_CONTRACTION -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc -Itests/support)
stand_in=(-D_XOPEN_SOURCE=700 -Wno-unused-parameter -Wno-conversion -Itests/support -Itests/support/main
    -isystem tests/stand_in)
expected=$("$LERPMESH_BUILD_DIR/tests/test_kernels" 2>/dev/null)
[ -n "$expected" ]
tried=0

# check NAME COMMAND…: expects vector kernels, and the same sum, from the program that COMMAND runs.
check() {
    local name=$1 sum
    shift
    sum=$("$@" 2>"$folder/output")
    sed "s/^/$name: /" "$folder/output"
    grep -q ' simd128 scalar$' "$folder/output"
    if [ "$sum" != "$expected" ]; then
        echo "$name gives $sum, this machine $expected" >&2
        exit 1
    fi
    tried=$((tried + 1))
}

# with NAME RUNNER COMPILER…: tests that the compiler builds a program, and that the runner exists.
with() {
    local name=$1 runner=$2 program='#include <stdio.h>
int main(void) { return puts(""); }'
    shift 2
    if ! command -v "$runner" >/dev/null; then
        echo "skipped: $name: there is no $runner"
    elif ! "$@" -x c - -o "$folder/empty" <<<"$program" 2>/dev/null; then
        echo "skipped: $name: '$*' builds no program"
    else
        return 0
    fi
    return 1
}

if with aarch64 qemu-aarch64 aarch64-linux-gnu-gcc -static; then
    aarch64-linux-gnu-gcc "${flags[@]}" -static "${sources[@]}" -lm -o "$folder/aarch64"
    check aarch64 qemu-aarch64 "$folder/aarch64"
fi
# Clang's headers for this processor define macros, GCC's functions.
clang=(clang --target=aarch64-linux-gnu)
if with aarch64-clang qemu-aarch64 "${clang[@]}" -static; then
    "${clang[@]}" "${flags[@]}" -static "${sources[@]}" -lm -o "$folder/aarch64-clang"
    check aarch64-clang qemu-aarch64 "$folder/aarch64-clang"
fi
wasm=(clang --target=wasm32-wasi -msimd128 --sysroot=/usr)
if with wasm node "${wasm[@]}"; then
    wasm+=("${flags[@]}")
    for small in "" -DLM_SMALL; do
        "${wasm[@]}" $small "${sources[@]}" -o "$folder/wasm"
        check "wasm$small" node --no-warnings tests/support/wasi.mjs "$folder/wasm"
    done
    # There is no setjmp: a failing case ends the program.
    mkdir "$folder/jumps"
    cat >"$folder/jumps/setjmp.h" <<'END'
#include <stdlib.h>
typedef int jmp_buf[1];
#define setjmp(buffer) ((void)(buffer), 0)
#define longjmp(buffer, value) ((void)(buffer), (void)(value), abort())
END
    "${wasm[@]}" "${stand_in[@]}" -isystem "$folder/jumps" tests/src/formats/test_ranges.c tests/support/{support.c,main/*.c} tests/stand_in/cmocka.c \
        src/formats/ranges.c src/math/transform.c src/core/*.c -o "$folder/ranges"
    node --no-warnings tests/support/wasi.mjs "$folder/ranges" >"$folder/output" 2>&1 || { cat "$folder/output" && exit 1; }
    sed -n '$s/^/wasm, ranges: /p' "$folder/output"
fi
shopt -s extglob
cc "${flags[@]}" "${stand_in[@]}" -Iwrite -DLM_SMALL tests/support/{,main/}*.c tests/src/math/test_normals.c tests/stand_in/cmocka.c src/math/normals.c \
    "$LERPMESH_WRITE_STATIC_LIBRARY" "$LERPMESH_STATIC_LIBRARY" -lm -o "$folder/normals"
"$folder/normals" 2>&1 | sed -n '$s/^/small normals: /p'
[ $tried -gt 0 ] || exit 77
