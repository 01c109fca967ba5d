#!/usr/bin/env bash
# build.sh: builds the fuzzers like OSS-Fuzz: one program under the name of each surface (fuzz_NAME). Environment: CC
# (compiles and links), CFLAGS (with sanitizers and coverage), LIB_FUZZING_ENGINE (provides main()), OUT (folder for
# fuzzers, seeds, dictionaries and options), WORK (folder for intermediate files), SRC (SRC/lerpmesh is this tree;
# default: this file's tree).
set -euo pipefail
tree=${SRC:+$SRC/lerpmesh}
[ -n "$tree" ] && [ -d "$tree/fuzz" ] || tree=$(cd "$(dirname "$0")/.." && pwd)
: "${CC:=clang}" "${CFLAGS:=}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}" "${OUT:?}" "${WORK:=$OUT/work}"
objects=$WORK/lerpmesh
mkdir -p "$OUT" "$objects"
cd "$tree"

flags=(-std=c11 -ffp-contract=off -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -DLM_ARENA_APART
    -Iinclude -Isrc -Iwrite -Iassets -Icommon -Iimport -Ifuzz -Itool -Itests/support)
for folder in /usr/include/stb "${STB:-}"; do
    [ ! -f "$folder/stb_image.h" ] || flags+=(-DLM_HAVE_STB -isystem "$folder")
done

# compile SOURCE OBJECT FLAGS…: compiles a source file.
compile() {
    # shellcheck disable=SC2086 # CFLAGS is a list
    "$CC" $CFLAGS "${flags[@]}" "${@:3}" -c "$1" -o "$2"
}

# The command without its main() and without Assimp, contact sheets without a renderer.
sources=$(find src write assets -name '*.c'
    find common -maxdepth 1 -name '*.c' ! -name orbit.c ! -name skeletons.c
    find fuzz -name '*.c' ! -name main.c ! -name assimp.c ! -name import.c ! -name tool.c
    echo common/image/sheet.c common/image/font.c tests/support/promises.c)
jsmn=$(find /usr/include "${JSMN:-/usr/include}" -maxdepth 1 -name jsmn.h | head -1)
if [ -n "$jsmn" ]; then
    flags+=(-DFUZZ_HAVE_IMPORT)
    sources+=" fuzz/import.c fuzz/tool.c $(find import -maxdepth 1 -name '*.c'
        find tool convert -maxdepth 1 -name '*.c' ! -name assimp.c ! -name isolate.c)"
else
    echo "build.sh: jsmn.h was not found: importing and the command are left out" >&2
fi

all=()
for source in $sources; do
    object=$objects/${source//\//_}.o
    all+=("$object")
    [ ! "$object" -nt "$source" ] || continue
    while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-$(nproc)}" ]; do wait -n; done
    case $source in
    # The flags of stb.c are those of cmake/assets.cmake.
    */stb.c) compile "$source" "$object" -w -fwrapv -fno-sanitize=nonnull-attribute,pointer-overflow ;;
    tool/* | convert/*)
        compile "$source" "$object" -Dmain=lerpmesh_main -DLM_CONVERT_HAVE_IMPORT -DLM_ISOLATES=0 ;;
    import/*) compile "$source" "$object" -Wno-unused-function -isystem "$(dirname "$jsmn")" ;;
    *) compile "$source" "$object" ;;
    esac &
done
while [ "$(jobs -p | wc -l)" -gt 0 ]; do wait -n; done
# shellcheck disable=SC2086
"$CC" $CFLAGS "${all[@]}" $LIB_FUZZING_ENGINE -lm -lpthread -o "$WORK/fuzz"

rm -rf "$WORK/seeds"
for packed in fuzz/seeds/*.zip; do
    python3 -m zipfile -e "$packed" "$WORK/seeds/$(basename "$packed" .zip)"
done
"$WORK/fuzz" | while read -r name _ dictionary seeds; do
    cp "$WORK/fuzz" "$OUT/fuzz_$name"
    cp "fuzz/$dictionary.dict" "$OUT/fuzz_$name.dict"
    printf '[libfuzzer]\ndict = fuzz_%s.dict\n' "$name" >"$OUT/fuzz_$name.options"
    rm -f "$OUT/fuzz_${name}_seed_corpus.zip"
    # shellcheck disable=SC2086
    (cd "$WORK/seeds" && python3 -m zipfile -c "$OUT/fuzz_${name}_seed_corpus.zip" $seeds)
done
