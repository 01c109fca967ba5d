#!/usr/bin/env bash
# blender_root.sh SUITE FOLDER: makes a root folder of Debian's SUITE with Blender, from the archive that this machine's apt
# uses, unless it is there already. Needs root's rights.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$2
[ ! -e "$folder/usr/bin/blender" ] || exit 0
[ "$(id -u)" -eq 0 ] || { echo "a root folder needs root's rights" >&2; exit 1; }
settings=$(mktemp -d)
trap 'rm -rf "$settings"' EXIT
chmod 755 "$settings"
bash scripts/debian_sources.sh "$1" "$settings"
mkdir -p "$(dirname "$folder")"
rm -rf "$folder.new"
# Debian's Blender 5.2 needs two modules that its package does not name.
# shellcheck disable=SC2016 # mmdebstrap sets $1
mmdebstrap --quiet --variant=apt --aptopt="$settings/apt.conf" \
    --include=blender,python3-cffi,python3-numpy,python3-cattr,python3-requests,libgl1,libegl1,libgl1-mesa-dri \
    --customize-hook='rm -rf "$1"/var/cache/apt/archives/*.deb' "$1" "$folder.new" "$settings/sources.list"
mv "$folder.new" "$folder"
