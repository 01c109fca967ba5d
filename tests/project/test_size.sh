#!/usr/bin/env bash
# A program that loads and samples is small. Linked with the static library, with the flags of CMake and
# pkg-config, and stripped, it is at most 240 kB larger than a program that only calls libc (libc is shared).
# It contains nothing of lerpmesh-write.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
most=240000 # a fifth more than GCC 12 needs: other compilers inline more
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ "$(uname -sm)" != "Linux x86_64" ]; then
    echo "skipped: size: the number is for x86-64 Linux"
    exit 77
fi
read -r -a flags <<<"$(sed -n 's/^Libs.private: //p' "$LERPMESH_BUILD_DIR/lerpmesh.pc")"
cc -std=c11 -O2 -Iinclude tests/consumer/core.c "$LERPMESH_STATIC_LIBRARY" "${flags[@]}" -o "$folder/program"
cat >"$folder/nothing.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
static unsigned char bytes[1 << 20];
int main(void) {
    size_t size = fread(bytes, 1, sizeof bytes, stdin);
    char *text = malloc(size + 40);
    snprintf(text, 40, "%g", (double)size);
    puts(text);
    free(text);
    return 0;
}
END
cc -std=c11 -O2 "$folder/nothing.c" -o "$folder/nothing"
"$folder/program" <samples/tick.md2 >/dev/null

defined() { nm --defined-only "$1" | awk 'NF == 3 && $3 ~ /^lm_/ { print $3 }' | sort -u; }
defined "$LERPMESH_WRITE_STATIC_LIBRARY" >"$folder/write"
grep -qx lm_encode "$folder/write"
inside=$(defined "$folder/program" | comm -12 - "$folder/write" | head -5)
[ -z "$inside" ] || { echo "FAILED: the program contains functions of lerpmesh-write: $inside" >&2; exit 1; }

strip "$folder/program" "$folder/nothing"
size=$(($(stat -c %s "$folder/program") - $(stat -c %s "$folder/nothing")))
echo "$size bytes"
[ $size -le $most ] || { echo "FAILED: more than $most bytes" >&2; exit 1; }
