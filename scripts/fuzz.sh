#!/usr/bin/env bash
# fuzz.sh BUILD SECONDS: each fuzzer for SECONDS, starting from the models at hand and an archive.
# Large seeds make every run slow and teach little that small ones do not: those stay out, and so do
# files that attack one weakness by their size (attack/).
# What it learns stays in BUILD/fuzz/corpus; an input that fails is written to BUILD/fuzz.
set -euo pipefail
build=$1/fuzz
seeds=$build/seeds
rm -rf "$seeds"
mkdir -p "$seeds"
for folder in samples ../shared/corpus /usr/share/assimp/models/MD2; do
    [ ! -d "$folder" ] || find "$folder" -name attack -prune -o -type f -size -129k -print
done | while read -r file; do
    ln -s "$(realpath "$file")" "$seeds/${file//\//_}"
done
python3 -m zipfile -c "$seeds/small.pk3" samples/README.md CONTRIBUTING.md
printf 'a/b { cull none { map c.tga blendFunc add\nrgbGen wave sin 1 2 3 4\n } }\n' >"$seeds/a.shader"

found=0
for fuzzer in "$build"/fuzz_*; do
    [ -x "$fuzzer" ] && [ -f "$fuzzer" ] || continue
    found=1
    name=$(basename "$fuzzer")
    mkdir -p "$build/corpus/$name"
    echo "== $name"
    "$fuzzer" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$build/$name-" "$build/corpus/$name" "$seeds"
done
[ $found -eq 1 ] || { echo "make fuzz: there is no fuzzer (fuzz/fuzz_NAME.c)" >&2; exit 1; }
