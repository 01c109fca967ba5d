#!/usr/bin/env bash
# Builds the fuzzers like OSS-Fuzz: each program has its seeds, dictionary and options, and runs with them.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long s) { return d == 0 && s == 1; }' >"$folder/try.c"
clang -fsanitize=fuzzer "$folder/try.c" -o "$folder/try" 2>"$folder/log" || fail "there is no clang with libFuzzer"
mkdir "$folder/out"
CC=clang CFLAGS="-O0 -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp" \
    LIB_FUZZING_ENGINE=-fsanitize=fuzzer OUT=$folder/out WORK=$folder/work SRC='' bash fuzz/build.sh >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; fail "fuzz/build.sh does not build"; }

count=0
while read -r name _; do
    fuzzer=$folder/out/fuzz_$name
    for file in "$fuzzer" "${fuzzer}_seed_corpus.zip" "$fuzzer.dict" "$fuzzer.options"; do
        [ -f "$file" ] || fail "fuzz/build.sh makes no ${file##*/}"
    done
    mkdir "$folder/$name"
    python3 -m zipfile -e "${fuzzer}_seed_corpus.zip" "$folder/$name"
    seeds=$(find "$folder/$name" -type f | wc -l)
    [ "$seeds" -gt 0 ] || fail "$name has no seed"
    "$fuzzer" -runs=$((seeds + 100)) -dict="$fuzzer.dict" "$folder/$name" \
        >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "$name fails"; }
    count=$((count + 1))
done < <("$folder/work/fuzz")
[ $count -gt 0 ] || fail "there is no fuzzer"
echo "ok: $count fuzzers"
