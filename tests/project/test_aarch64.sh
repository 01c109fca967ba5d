#!/usr/bin/env bash
# Clang for AArch64 compiles all of src/ and write/: its arm_neon.h defines macros, GCC's functions. test_cross.sh
# runs the kernels there, `make test-cross` everything.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
for tool in clang /usr/aarch64-linux-gnu/include/stdio.h; do
    command -v $tool >/dev/null || [ -e $tool ] || { echo "skipped: aarch64: there is no $tool"; exit 77; }
done
mapfile -t sources < <(find src write -name '*.c')
[ ${#sources[@]} -gt 100 ]
printf '%s\0' "${sources[@]}" | xargs -0 -n 16 -P "$(nproc)" clang --target=aarch64-linux-gnu -std=c11 -Wall -Wextra \
    -Werror -ffp-contract=off -DLM_NO_CONTRACTION -Iinclude -Isrc -Iwrite -fsyntax-only
echo "ok: ${#sources[@]} files"
