#!/usr/bin/env bash
# The core as one source and one header: it compiles without a warning, gives the library's bits, and
# C++ finds every function of the header in it.
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

# A program in C++ that needs all that the header declares.
declared=$(tr '\n' ' ' <"$folder/lerpmesh/lerpmesh.h" | grep -oE '\bLM_API [^;(]*\(' | grep -oE 'lm_\w+\(' | tr -d '(')
{
    echo '#include <lerpmesh/lerpmesh.h>'
    echo 'void (*volatile needed)();'
    echo 'int main() {'
    sed 's/.*/    needed = reinterpret_cast<void (*)()>(&);/' <<<"$declared"
    echo '}'
} >"$folder/every_function.cpp"

# The functions of a library or an object.
names() { nm -g --defined-only "$1" | awk 'NF == 3 && $3 ~ /^lm_/ { print $3 }' | sort; }
names "$LERPMESH_STATIC_LIBRARY" >"$folder/names"
grep -qx lm_load_memory "$folder/names" || fail "nm finds no lm_load_memory in the library"
tried=0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "skipped: $compiler: there is no $compiler"; continue; }
    object=$folder/$compiler.o
    $compiler "${flags[@]}" -I"$folder" -c "$folder/lerpmesh/lerpmesh.c" -o "$object" ||
        fail "$compiler refuses it"
    $compiler "${flags[@]}" -I"$folder" tests/consumer/core.c "$object" -lm -o "$folder/$compiler" ||
        fail "$compiler refuses its header"
    for model in samples/tick.md2 samples/tick_head.mdc samples/tick_torch.mdl; do
        expected=$("$folder/library" <"$model")
        got=$("$folder/$compiler" <"$model")
        [ "$got" = "$expected" ] || fail "$compiler: $model gives '$got', the library '$expected'"
        echo "ok: $compiler: $got"
    done
    diff "$folder/names" <(names "$object") ||
        fail "$compiler: the functions of the library (<) are not those of the drop-in (>)"
    c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I"$folder" "$folder/every_function.cpp" "$object" \
        -lm -o "$folder/every_function" || fail "C++ cannot use the header"
    tried=$((tried + 1))
done
[ $tried -gt 0 ] || fail "neither gcc nor clang is here"
