#!/usr/bin/env bash
# test_portable.sh [all]: the core for a machine without files. All of src/ and write/ compiles for WebAssembly.
# Programs with it load, sample, check, examine and export models there, with the same bytes as here: some
# models, or all.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
every=9 count=4
[ "${1:-}" != all ] || every=1 count=30
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

# Features behind these macros are not C11.
! grep -rnE '_(POSIX_C|XOPEN|GNU|DEFAULT|BSD)_SOURCE' src write include || fail "the core uses features beyond C11"

# A compiler that would give different bits is rejected with advice.
rejects() {
    local text=$1
    shift
    ! "$@" -Iinclude -Isrc -fsyntax-only src/core/exact.c 2>"$folder/messages" || fail "'$*' is not rejected"
    grep -qF -- "$text" "$folder/messages" || fail "the message for '$*' does not name $text"
}
rejects -ffast-math cc -ffast-math
if [ "$(uname -m)" = x86_64 ]; then
    rejects '-msse2 -mfpmath=sse' cc -std=c11 -mfpmath=387
else
    echo "skipped: rejected floats: their flags are for x86-64"
fi

# by_hand OBJDUMP COMPILER FLAGS…: expects that without the build's flags, src/ and write/ have no fused
# multiply-adds.
by_hand() {
    local objdump=$1 objects=$folder/by_hand fused
    shift
    if ! echo '#include <stdio.h>' | "$@" -c -x c - -o /dev/null 2>/dev/null || ! command -v "$objdump" >/dev/null; then
        echo "skipped: by hand: there is no $*"
        return
    fi
    mkdir "$objects"
    find src write -name '*.c' | xargs -P "$(nproc)" -I FILE sh -c '
        name=$(echo "$0" | tr / _) && objects=$1 && shift &&
        "$@" -O1 -w -Iinclude -Isrc -Iwrite -c "$0" -o "$objects/$name.o"' FILE "$objects" "$@" ||
        fail "'$*' rejects src/ or write/"
    fused=$("$objdump" -d "$objects"/*.o |
        grep -ciE '\s(fn?m(add|sub)|fml[as]|vfn?m(add|sub)[0-9]*[ps][sd])\s' || true)
    [ "$fused" = 0 ] || fail "'$*': $fused fused multiply-adds"
    echo "ok: by hand: $*"
    rm -r "$objects"
}
by_hand aarch64-linux-gnu-objdump aarch64-linux-gnu-gcc
# FLT_EVAL_METHOD is 16 there.
[ "$(uname -m)" != x86_64 ] || by_hand objdump gcc -march=sapphirerapids

# Compilers without GNU extensions, such as Microsoft's, accept the core.
if command -v clang >/dev/null; then
    find src write -name '*.c' | xargs -P "$(nproc)" -I FILE clang -fgnuc-version=0 -std=c11 -fsyntax-only \
        -pedantic-errors -Wall -Wextra -Wgnu -Werror -Wno-literal-range -Iinclude -Isrc -Iwrite FILE ||
        fail "src/ or write/ need GNU extensions"
    echo "ok: without GNU extensions"
fi

if ! command -v node >/dev/null || ! echo 'int main(void) { return 0; }' |
    clang --target=wasm32-wasi --sysroot=/usr -x c - -o "$folder/empty" 2>/dev/null; then
    echo "skipped: wasm32: there is no node, or no Clang that builds programs for wasm32"
    exit 77
fi
mapfile -t sources < <(find src write -name '*.c' | sort)
[ ${#sources[@]} -gt 0 ] || fail "src/ and write/ have no sources"
flags=(-std=c11 -O1 -Wall -Wextra -Wpedantic -Werror -ffp-contract=off -Iinclude)
# Each into its own object, several in parallel.
mkdir "$folder/objects"
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -I FILE sh -c '
    name=$(echo "$1" | tr / _) && folder=$2 && shift 2 &&
    clang --target=wasm32-wasi --sysroot=/usr "$@" -Isrc -Iwrite -c "$0" -o "$folder/$name.o"' \
    FILE FILE "$folder/objects" "${flags[@]}" || fail "src/ and write/ do not compile for wasm32"
for program in core outputs; do
    cc "${flags[@]}" tests/consumer/$program.c "$LERPMESH_WRITE_STATIC_LIBRARY" \
        "$LERPMESH_STATIC_LIBRARY" -lm -o "$folder/$program"
    clang --target=wasm32-wasi --sysroot=/usr "${flags[@]}" tests/consumer/$program.c "$folder/objects"/*.o \
        -o "$folder/$program.wasm"
done
for model in samples/tick.md2 samples/tick_head.mdc; do
    expected=$("$folder/core" <"$model")
    got=$(node --no-warnings tests/support/wasi.mjs "$folder/core.wasm" <"$model")
    [ "$got" = "$expected" ] || fail "$model: wasm32 prints '$got', this machine '$expected'"
    echo "ok: $got"
done

# All messages and outputs, for valid and damaged models.
formats=md2,mdc,md3,mdl
python3 tests/oracle/make_models.py "$folder/synthetic" --seed 7 --formats $formats --count "$count" >/dev/null
python3 tests/oracle/make_models.py "$folder/damaged" --seed 7 --formats $formats --damaged >/dev/null
mapfile -t models < <(find samples ${LERPMESH_CORPUS:+"$LERPMESH_CORPUS"} "$folder/synthetic" "$folder/damaged" \
    -type f -iregex '.*\.\(md2\|mdc\|md3\|mdl\)' -size -8M | sort | awk "NR % $every == 0")
[ ${#models[@]} -gt 0 ] || fail "there are no models"
outputs=0
for model in "${models[@]}"; do
    "$folder/outputs" <"$model" >"$folder/here"
    node --no-warnings tests/support/wasi.mjs "$folder/outputs.wasm" <"$model" >"$folder/there"
    diff "$folder/here" "$folder/there" || fail "$model: wasm32 gives different bytes"
    outputs=$((outputs + $(grep -c ': .* bytes, ' "$folder/here")))
done
echo "ok: wasm32: ${#models[@]} models, $outputs outputs"
