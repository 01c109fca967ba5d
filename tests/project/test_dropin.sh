#!/usr/bin/env bash
# test_dropin.sh [all]: the libraries as one source and one header. It compiles without warnings and without special
# flags, as C and as C++, exports exactly the header's functions, gives the library's bits, and is small without the
# parts that a game leaves out. With `all`: by more compilers, dialects and processors.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tried=0

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

python3 scripts/make_dropin.py "$folder/lerpmesh"
warnings=(-DLM_STDIO -Wall -Wextra -Wpedantic -Werror)
for program in core outputs; do
    cc -std=c11 -O1 -Iinclude tests/consumer/$program.c "$LERPMESH_WRITE_STATIC_LIBRARY" \
        "$LERPMESH_STATIC_LIBRARY" -lm -o "$folder/$program"
done
# declared KEYWORD: lists the functions that the header declares with it.
declared() {
    tr '\n' ' ' <"$folder/lerpmesh/lerpmesh.h" | grep -oE "\\b$1 [^;({]*\\(" | grep -oE '\w+\($' | tr -d '(' | sort
}
declared LM_API >"$folder/names.read"
declared '(LM_API|LM_WRITE_API)' >"$folder/names.write"
grep -qx lm_load_memory "$folder/names.read" || fail "there is no lm_load_memory in the header"
grep -qx lm_encode "$folder/names.write" || fail "there is no lm_encode in the header"

# A program in C++ that needs all functions of the header.
{
    printf '#include <lerpmesh/lerpmesh.h>\nvoid (*volatile needed)();\nint main() {\n'
    sed 's/.*/    needed = reinterpret_cast<void (*)()>(\&&);/' "$folder/names.write"
    echo '}'
} >"$folder/every_function.cpp"

# compiled NAME PROGRAM "RUNNER" COMPILER FLAGS…: compiles with these flags, and expects PROGRAM of tests/consumer/
# to print the same as with the library. RUNNER is an emulator, or `none` if the program cannot run.
compiled() {
    local name=$1 program=$2 runner=$3 model expected got fused
    shift 3
    local object=$folder/$name.o names=names.write language=(-x c) linker=("$@")
    [[ " $* " != *" -DLM_NO_WRITE "* ]] || names=names.read
    [[ $1 != *++ ]] || language=(-x c++) linker=(cc -O1)
    if ! "$@" -c "${language[@]}" - -o /dev/null <<<'#include <stdint.h>' 2>/dev/null; then
        echo "skipped: $name: there is no $*"
        return
    fi
    "$@" "${warnings[@]}" -I"$folder" "${language[@]}" -c "$folder/lerpmesh/lerpmesh.c" -o "$object" || fail "$name: '$*' rejects it"
    nm -g --defined-only "$object" | awk '{ print $3 }' | sort | diff "$folder/$names" - ||
        fail "$name: it exports (>) other symbols than the header declares (<)"
    # Outside of intrinsics and assembly, each of these rounds a product and a sum only once.
    fused=$(objdump_of "$object" | grep -ciE '\s(fn?m(add|sub)|fml[as]|vfn?m(add|sub)[0-9]*[ps][sd])\s' || true)
    [ "$fused" = 0 ] || fail "$name: $fused fused multiply-adds"
    if [ "$runner" != none ]; then
        "${linker[@]}" "${warnings[@]}" -I"$folder" "tests/consumer/$program.c" "$object" -lm -o "$folder/$name" ||
            fail "$name: '$*' rejects the header"
        for model in samples/tick.md2 samples/tick_head.mdc samples/tick_torch.mdl; do
            expected=$("$folder/$program" <"$model")
            got=$($runner "$folder/$name" <"$model")
            [ "$got" = "$expected" ] || fail "$name: $model gives '$got', the library '$expected'"
        done
    fi
    echo "ok: $name: $(size "$object" | awk 'END { print $1 }') bytes of code"
    tried=$((tried + 1))
}

objdump_of() {
    case $1 in
    */aarch64*) aarch64-linux-gnu-objdump -d "$1" ;;
    *) objdump -d "$1" ;;
    esac
}

compiled gcc core "" gcc -O1
c++ -std=c++17 "${warnings[@]}" -I"$folder" "$folder/every_function.cpp" "$folder/gcc.o" -lm \
    -o "$folder/every_function" || fail "C++ cannot use the header"
compiled g++ core "" g++ -std=c++17 -O1 -DLM_NO_WRITE
compiled clang++ outputs "" clang++ -std=c++20 -O1
# The program of examples/pose.c without formats and kernels that it does not need.
small=(-Os -ffunction-sections -fdata-sections -Wl,--gc-sections -s -DLM_NO_WRITE)
sed 's|lerpmesh/assets.h|lerpmesh/lerpmesh.h|' examples/pose.c >"$folder/pose.c"
cc "${small[@]}" "${warnings[@]}" -DLM_NO_SIMD -DLM_NO_MD3 -DLM_NO_MDL -DLM_NO_MDS -I"$folder" "$folder/pose.c" \
    "$folder/lerpmesh/lerpmesh.c" -lm -o "$folder/small" || fail "the small program does not compile"
"$folder/small" samples/tick.md2 | grep -q '^the first vertex is at' ||
    fail "the small program does not sample an MD2"
if "$folder/small" samples/tick_torch.mdl 2>"$folder/refused"; then fail "a format that was left out is read"; fi
bytes=$(stat -c %s "$folder/small")
[ "$bytes" -le 100000 ] || fail "the small program has $bytes bytes instead of 100,000"
echo "ok: MD2 and MDC without vector kernels: a program of $bytes bytes"
aarch64=(--target=aarch64-linux-gnu -static -Wno-unused-command-line-argument)
compiled native core "" gcc -O2 -march=native -DLM_NO_WRITE
compiled aarch64-clang core qemu-aarch64 clang "${aarch64[@]}" -O1 -DLM_NO_WRITE
if [ "${1:-}" = all ]; then
    for compiler in gcc clang; do
        compiled $compiler-O2 outputs "" $compiler -O2
        compiled $compiler-O3-native outputs "" $compiler -O3 -march=native
        compiled $compiler-no-write core "" $compiler -O2 -DLM_NO_WRITE
        compiled $compiler-small core "" $compiler -Os -DLM_NO_SIMD -DLM_NO_WRITE
        compiled $compiler-c11 core "" $compiler -std=c11 -O1 -Wpedantic
        compiled $compiler-c2x core "" $compiler -std=c2x -O1 -Wpedantic
        compiled $compiler-sapphirerapids core none $compiler -O2 -march=sapphirerapids
    done
    compiled aarch64-gcc outputs qemu-aarch64 aarch64-linux-gnu-gcc -O2 -static
    compiled aarch64-clang-O2 outputs qemu-aarch64 clang "${aarch64[@]}" -O2
fi
[ $tried -gt 0 ] || fail "neither gcc nor clang was found"
