#!/usr/bin/env bash
# try_deb.sh SUITE DEBS: in a fresh Debian of SUITE, installs, uses and removes the packages in the folder DEBS, as
# tests/deb/inside.sh says. Needs their source package there, too.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/source"
tar -xf "$2"/*.tar.xz -C "$folder/source" --strip-components=1
cp "$2"/*.deb tests/deb/inside.sh "$folder"
(cd "$folder" && dpkg-scanpackages --multiversion . >Packages 2>/dev/null)
chmod -R go=rX "$folder"
bash scripts/fresh_debian.sh "$1" "$folder"
