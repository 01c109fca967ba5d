#!/usr/bin/env bash
# Clang for AArch64 compiles all of src/ and write/: its arm_neon.h defines macros, GCC's functions. test_cross.sh
# runs the kernels there, `make test-cross` everything.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
# The headers by name: Clang finds them by itself only if GCC for this machine is installed.
compile=(clang --target=aarch64-linux-gnu -isystem /usr/aarch64-linux-gnu/include -std=c11 -fsyntax-only)
echo '#include <stdio.h>' | "${compile[@]}" -x c - 2>/dev/null ||
    { echo "skipped: aarch64: there is no Clang with the C library's headers"; exit 77; }
mapfile -t sources < <(find src write -name '*.c')
[ ${#sources[@]} -gt 100 ]
printf '%s\0' "${sources[@]}" | xargs -0 -n 16 -P "$(nproc)" "${compile[@]}" -Wall -Wextra -Werror \
    -ffp-contract=off -DLM_NO_CONTRACTION -Iinclude -Isrc -Iwrite
echo "ok: ${#sources[@]} files"
