#!/usr/bin/env bash
# test_systems.sh BUILD SUITE…: follows the README in a fresh Debian of each SUITE (bookworm, trixie, sid): a root folder
# with git, make and certificates, and a clone of HEAD with nothing next to it. Then installs the packages that
# `make deb` built there in another fresh one. Writes the logs to BUILD/systems/, and a table to the standard output.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1/systems
failed=0
steps=(demo make test install C python web deb packages)
table="| system | $(printf '%s | ' "${steps[@]}")"$'\n'"|---|$(printf -- '--:|%.0s' "${steps[@]}")"
for suite in "${@:2}"; do
    folder=$build/$suite
    rm -rf "$folder"
    mkdir -p "$folder/try"
    git clone -q --bare . "$folder/try/lerpmesh.git"
    cp tests/systems/inside.sh "$folder/try"
    bash scripts/fresh_debian.sh "$suite" "$folder/try" git make ca-certificates >"$folder/log" 2>&1 || true
    mv "$folder/try/out" "$folder/out"
    start=$SECONDS result=ok
    bash scripts/try_deb.sh "$suite" "$folder/out" >"$folder/packages.log" 2>&1 || result=FAILED
    echo "packages $result $((SECONDS - start))" >>"$folder/out/results"
    row="| $suite |"
    for step in "${steps[@]}"; do
        read -r result seconds < <(sed -n "s/^$step //p" "$folder/out/results") || result=missing
        [ "$result" = ok ] || failed=$((failed + 1))
        row+=" ${result/#ok/} $seconds s |"
    done
    table+=$'\n'$row
    printf '%s\n' "$suite:" "$(grep -E '^(  (release|sanitize): |[0-9]+ passed,)' "$folder/out/test.log")"
done
printf '%s\n' "$table"
[ $failed -eq 0 ] || { echo "$failed steps failed; the logs are in $build" >&2; exit 1; }
