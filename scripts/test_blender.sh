#!/usr/bin/env bash
# test_blender.sh BUILD PYTHON [SUITE…]: runs the tests of the add-on in this system's Blender, and in those of other
# Debians (SUITE), in root folders in BUILD/roots. Prints a table of the results and the seconds, one of the milliseconds
# of import and export, and compares the checksums of what the versions export. LERPMESH_PYTHON_PACKAGE: the package.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "$1")
python=$2
folder=$build/blender-tests
failed=0
names=()
rm -rf "$folder"
mkdir -p "$folder"
mapfile -t tests < <(sed -n '/^class InBlender/,$p' tests/blender/test_blender.py | grep -o 'def test_[a-z_]*' | cut -d ' ' -f 2)
models=(samples/tick.md2)
for model in md2/sydney.md2 md3/b-25.md3 mdc/spider.mdc; do
    [ ! -e "${LERPMESH_CORPUS:-none}/$model" ] || models+=("$LERPMESH_CORPUS/$model")
done
# The root folders see these, too.
export IN_ROOT=${LERPMESH_CORPUS:+$LERPMESH_CORPUS:$(dirname "$LERPMESH_CORPUS")/rtcw:}/usr/share/games:/usr/share/assimp

for suite in here "${@:3}"; do
    export LERPMESH_BLENDER=blender
    if [ "$suite" != here ]; then
        bash scripts/blender_root.sh "$suite" "$build/roots/$suite" >"$folder/$suite.root" 2>&1 ||
            { printf '\nskipped: Blender of %s: no root folder: %s\n' "$suite" "$(tail -n 1 "$folder/$suite.root")"; continue; }
        LERPMESH_BLENDER="bash scripts/in_root.sh $build/roots/$suite blender"
    fi
    name=$($LERPMESH_BLENDER --version 2>/dev/null | sed -n 's/^Blender //p' | cut -d ' ' -f 1)
    names+=("$name")
    for test in "${tests[@]}"; do
        start=$SECONDS result=ok
        LERPMESH_CHECKSUMS=$folder/$name.sums "$python" tests/blender/test_blender.py -k "$test" >"$folder/$name.$test" 2>&1 ||
            { result=FAILED; failed=$((failed + 1)); tail -n 40 "$folder/$name.$test"; }
        ! grep -q '^OK (skipped' "$folder/$name.$test" || result=skipped
        grep '^skipped: ' "$folder/$name.$test" || true
        echo "$result $((SECONDS - start)) s" >"$folder/$name.$test.result"
    done
    $LERPMESH_BLENDER -b --factory-startup --python tests/blender/measure.py -- "$LERPMESH_PYTHON_PACKAGE" "${models[@]}" \
        2>&1 | sed -n 's/^measured //p' >"$folder/$name.times"
done

printf '\n| test |%s\n|---|%s\n' "$(printf ' Blender %s |' "${names[@]}")" "$(printf -- '---|%.0s' "${names[@]}")"
for test in "${tests[@]}"; do
    printf '| %s |%s\n' "$test" "$(for name in "${names[@]}"; do printf ' %s |' "$(cat "$folder/$name.$test.result")"; done)"
done
for model in "${models[@]}"; do
    printf '| import and export of %s, ms |%s\n' "$(basename "$model")" "$(for name in "${names[@]}"; do
        printf ' %s |' "$(sed -n "s/^$(basename "$model") //p" "$folder/$name.times")"; done)"
done
for name in "${names[@]}"; do
    sort -o "$folder/$name.sums" "$folder/$name.sums"
    echo "$(wc -l <"$folder/$name.sums") round trips in Blender $name, checksum $(sha256sum <"$folder/$name.sums" | cut -c 1-16)"
    cmp "$folder/${names[0]}.sums" "$folder/$name.sums" || failed=$((failed + 1))
done
[ $failed -eq 0 ] || { echo "$failed tests failed; the logs are in $folder" >&2; exit 1; }
