#!/usr/bin/env bash
# fresh_debian.sh SUITE FOLDER [PACKAGE…]: makes a root folder of Debian's SUITE with nothing but apt and the PACKAGEs,
# copies FOLDER to /try in it, and runs /try/inside.sh there. Copies the files of /try/out to FOLDER/out. The packages
# come from the archive that this machine's apt uses.
set -euo pipefail
suite=$1
folder=$(realpath "$2")
packages=$(IFS=,; echo "${*:3}")
settings=$(mktemp -d)
trap 'rm -rf "$settings"' EXIT
chmod 755 "$settings" # other users' namespaces read it

bash "$(dirname "$0")/debian_sources.sh" "$suite" "$settings"

mkdir -p "$folder/out"
# shellcheck disable=SC2016 # mmdebstrap sets $1
mmdebstrap --quiet --variant=apt --format=null --aptopt="$settings/apt.conf" ${packages:+--include="$packages"} \
    --customize-hook='mkdir -p "$1/try/out"' --customize-hook="sync-in $folder /try" \
    --customize-hook='chroot "$1" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 TERM=xterm bash /try/inside.sh 2>&1' \
    --customize-hook="sync-out /try/out $folder/out" "$suite" /dev/null "$settings/sources.list"
