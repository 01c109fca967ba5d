#!/usr/bin/env bash
# cffi_wheels.sh FOLDER: packs cffi for the Pythons of Blender into wheels in FOLDER, from the packages of Debian 12, 13 and
# unstable. They come from the archive that this machine's apt uses; nothing is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
out=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for suite in bookworm trixie sid; do
    folder=$work/$suite
    mkdir -p "$folder"/{root,lists/partial,archives/partial}
    bash scripts/debian_sources.sh "$suite" "$folder"
    apt=(apt-get -qq -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=
        -o Dir::State::lists="$folder/lists" -o Dir::Cache="$folder" -o Dir::State::status=/dev/null)
    "${apt[@]}" update
    (cd "$folder" && "${apt[@]}" download python3-cffi python3-cffi-backend)
    for package in "$folder"/*.deb; do
        dpkg-deb --extract "$package" "$folder/root"
    done
done
rm -f "$out"/cffi-*.whl
python3 scripts/cffi_wheel.py "$out" "$work"/{bookworm,trixie,sid}/root
