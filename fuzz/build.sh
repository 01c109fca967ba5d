#!/usr/bin/env bash
# build.sh: builds the fuzzers like OSS-Fuzz. Environment: CC (compiles and links), CFLAGS (with sanitizers and
# coverage), LIB_FUZZING_ENGINE (provides main()), OUT (folder for fuzzers, seeds, dictionaries and options), WORK
# (folder for intermediate files), SRC (SRC/lerpmesh is this tree; default: this file's tree).
set -euo pipefail
tree=${SRC:+$SRC/lerpmesh}
[ -n "$tree" ] && [ -d "$tree/fuzz" ] || tree=$(cd "$(dirname "$0")/.." && pwd)
: "${CC:=clang}" "${CFLAGS:=}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}" "${OUT:?}" "${WORK:=$OUT/work}"
objects=$WORK/lerpmesh
mkdir -p "$OUT" "$objects"
cd "$tree"

flags=(-std=c11 -ffp-contract=off -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -DLM_ARENA_APART
    -Iinclude -Isrc -Iwrite -Iassets -Icommon -Iimport -Ifuzz -Itests/support)
for folder in /usr/include/stb "${STB:-}"; do
    [ ! -f "$folder/stb_image.h" ] || flags+=(-DLM_HAVE_STB -isystem "$folder")
done

# compile SOURCE OBJECT FLAGS…: compiles a source file.
compile() {
    # shellcheck disable=SC2086 # CFLAGS is a list
    "$CC" $CFLAGS "${flags[@]}" "${@:3}" -c "$1" -o "$2"
}

jsmn=$(find /usr/include "${JSMN:-/usr/include}" -maxdepth 1 -name jsmn.h | head -1)
# fuzz_tool has the command without its main(), and neither Assimp nor a renderer; fuzz_sheet the pages of a renderer.
tool=$(find tool -maxdepth 1 -name '*.c' ! -name convert_assimp.c ! -name isolate.c | sort)
sheet="common/image/sheet.c common/image/font.c"
[ -n "$jsmn" ] || tool=
# Leaves out the Assimp part, a separate library that is loaded on demand.
sources=$({ find src write assets -name '*.c'; find common -maxdepth 1 -name '*.c' ! -name orbit.c ! -name skeletons.c; [ -z "$jsmn" ] || find import -maxdepth 1 -name '*.c'; } | sort)
# The flags of stb.c are those of cmake/assets.cmake.
for source in $sources $tool $sheet fuzz/fuzz.c fuzz/faithful.c fuzz/mesh.c fuzz/mutate.c tests/support/promises.c; do
    object=$objects/${source//\//_}.o
    [ "$object" -nt "$source" ] || echo "$source $object"
done | {
    while read -r source object; do
        while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-$(nproc)}" ]; do wait -n; done
        case $source in
        */stb.c) compile "$source" "$object" -w -fwrapv -fno-sanitize=nonnull-attribute,pointer-overflow ;;
        tool/*) compile "$source" "$object" -Dmain=lerpmesh_main -DTOOL_HAVE_IMPORT -DTOOL_ISOLATES=0 -Itool ;;
        import/*) compile "$source" "$object" -Wno-unused-function -isystem "$(dirname "$jsmn")" ;;
        *) compile "$source" "$object" ;;
        esac &
    done
    while [ "$(jobs -p | wc -l)" -gt 0 ]; do wait -n; done
}
library=()
for source in $sources fuzz/fuzz.c fuzz/faithful.c fuzz/mesh.c tests/support/promises.c; do
    library+=("$objects/${source//\//_}.o")
done

rm -rf "$WORK/seeds"
python3 fuzz/seeds.py unpack "$WORK/seeds"
while read -r name source kind size dictionary mutator seeds; do
    if [[ $source =~ ^(import|tool)$ ]] && [ -z "$jsmn" ]; then
        echo "build.sh: jsmn.h was not found: fuzz_$name is left out" >&2
        continue
    fi
    [ "$source" != assimp ] || continue
    compile "fuzz/fuzz_$source.c" "$objects/fuzz_$name.o" "-DFUZZ_KIND=\"$kind\"" -Itool
    own=("$objects/fuzz_$name.o")
    if [[ $source =~ ^(tool|sheet)$ ]]; then
        for part in ${!source}; do own+=("$objects/${part//\//_}.o"); done
    fi
    [ "$mutator" != mutate ] || own+=("$objects/fuzz_mutate.c.o")
    # shellcheck disable=SC2086
    "$CC" $CFLAGS "${own[@]}" "${library[@]}" $LIB_FUZZING_ENGINE -lm -lpthread -o "$OUT/fuzz_$name"
    cp "fuzz/$dictionary.dict" "$OUT/fuzz_$name.dict"
    printf '[libfuzzer]\nmax_len = %s\ndict = fuzz_%s.dict\n' "$size" "$name" >"$OUT/fuzz_$name.options"
    rm -f "$OUT/fuzz_${name}_seed_corpus.zip"
    # shellcheck disable=SC2086
    (cd "$WORK/seeds" && python3 -m zipfile -c "$OUT/fuzz_${name}_seed_corpus.zip" $seeds)
done < <(grep -v '^#' fuzz/fuzzers.txt)
