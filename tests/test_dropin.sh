#!/usr/bin/env bash
# The core as one source and one header: it compiles without a warning and gives the library's bits.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

python3 scripts/make_dropin.py "$folder/lerpmesh"
flags=(-std=c11 -O1 -Wall -Wextra -Wpedantic -Werror)
cc "${flags[@]}" -Iinclude tests/consumer/core.c "$LERPMESH_STATIC_LIBRARY" -lm -o "$folder/library"
tried=0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "skipped: $compiler: there is no $compiler"; continue; }
    $compiler "${flags[@]}" -I"$folder" tests/consumer/core.c "$folder/lerpmesh/lerpmesh.c" -lm \
        -o "$folder/$compiler" || fail "$compiler refuses it"
    for model in samples/tick.md2 samples/tick_head.mdc samples/tick_torch.mdl; do
        expected=$("$folder/library" <"$model")
        got=$("$folder/$compiler" <"$model")
        [ "$got" = "$expected" ] || fail "$compiler: $model gives '$got', the library '$expected'"
        echo "ok: $compiler: $got"
    done
    # Nothing of the core is left out.
    names() { nm -g --defined-only "$1" | awk 'NF == 3 && $3 ~ /^lm_/ { print $3 }' | sort; }
    diff <(names "$LERPMESH_STATIC_LIBRARY") <(names "$folder/$compiler") || fail "other functions"
    tried=$((tried + 1))
done
c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c++ \
    -include "$folder/lerpmesh/lerpmesh.h" /dev/null || fail "C++ refuses the header"
[ $tried -gt 0 ] || fail "neither gcc nor clang is here"
