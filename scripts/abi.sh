#!/usr/bin/env bash
# abi.sh BUILD: compares the shared libraries in BUILD/release with those of the last tag, built in BUILD/abi.
# Fails if the sonames are equal but a program linked with the tag's libraries might not run with these
# (docs/internals/abi.md). With BASE in the environment, compares with that commit, reports and succeeds. Without a tag,
# does nothing.
set -euo pipefail

# compare OLD NEW: reports per library; fails as above.
compare() {
    local old new status changed=0
    for old in "$1"/liblerpmesh*.so; do
        new=$2/$(basename "$old")
        [ -e "$new" ] || { echo "abi: $new is missing"; changed=1; continue; }
        if [ "$(soname "$old")" != "$(soname "$new")" ]; then
            echo "abi: $(soname "$old") became $(soname "$new")"
            continue
        fi
        status=0
        abidiff --no-added-syms --suppr "$(dirname "$0")/abi.suppr" "$old" "$new" || status=$?
        [ $status -eq 0 ] || changed=1
        [ $status -ne 0 ] || echo "abi: $(soname "$new") is compatible"
    done
    return $changed
}

soname() { readelf -dW "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'; }

build=$1
base=${BASE:-$(git describe --tags --abbrev=0 2>/dev/null || true)}
if [ -z "$base" ]; then
    echo "abi: there is no tag to compare with; BASE=COMMIT compares with a commit"
    exit 0
fi
rm -rf "$build/abi"
mkdir -p "$build/abi/source"
git archive "$base" | tar -x -C "$build/abi/source"
cmake -S "$build/abi/source" -B "$build/abi" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLERPMESH_TESTS=OFF >/dev/null
targets=$(cmake --build "$build/abi" --target help | grep -oE '\blerpmesh(-[a-z]+)?-shared\b' | sort -u)
# shellcheck disable=SC2086 # a list of targets
cmake --build "$build/abi" -j "$(nproc)" --target $targets >/dev/null
compare "$build/abi" "$build/release" || [ -n "${BASE:-}" ]
