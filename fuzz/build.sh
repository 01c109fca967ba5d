#!/usr/bin/env bash
# build.sh: builds the fuzzers like OSS-Fuzz: one program under the name of each surface (fuzz_NAME). Environment: CC
# (compiles and links), CFLAGS (with sanitizers and coverage), LIB_FUZZING_ENGINE (provides main()), OUT (folder for
# fuzzers, seeds, dictionaries and options), WORK (folder for intermediate files), SRC (SRC/lerpmesh is this tree;
# default: this file's tree).
set -euo pipefail
tree=${SRC:+$SRC/lerpmesh}
[ -n "$tree" ] && [ -d "$tree/fuzz" ] || tree=$(cd "$(dirname "$0")/.." && pwd)
: "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}" "${OUT:?}" "${WORK:=$OUT/work}"
export CC=${CC:-clang} LIB_FUZZING_ENGINE
mkdir -p "$OUT"
cmake -S "$tree" -B "$WORK/lerpmesh" -DCMAKE_BUILD_TYPE=None -DLERPMESH_FUZZ=ON -DLERPMESH_GL=OFF -DLERPMESH_VIEWER=OFF \
    -DLERPMESH_ASSIMP=OFF -DLERPMESH_WEBP=OFF -DLERPMESH_BENCH=OFF -DLERPMESH_EXAMPLES=OFF
cmake --build "$WORK/lerpmesh" -j "${JOBS:-$(nproc)}" --target lerpmesh-fuzz
cp "$WORK/lerpmesh/fuzz" "$WORK/fuzz"
"$WORK/fuzz" | while read -r name _ dictionary seeds; do
    cp "$WORK/fuzz" "$OUT/fuzz_$name"
    cp "$tree/fuzz/$dictionary.dict" "$OUT/fuzz_$name.dict"
    printf '[libfuzzer]\ndict = fuzz_%s.dict\n' "$name" >"$OUT/fuzz_$name.options"
    rm -f "$OUT/fuzz_${name}_seed_corpus.zip"
    # shellcheck disable=SC2086 # a list of folders
    (cd "$WORK/lerpmesh/seeds" && python3 -m zipfile -c "$OUT/fuzz_${name}_seed_corpus.zip" $seeds)
done
