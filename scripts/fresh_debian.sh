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

# shellcheck source=/dev/null
own=$(. /etc/os-release && echo "$VERSION_CODENAME")
# shellcheck disable=SC2016 # apt's own variables
apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
    sort -u | sed -E "s/ $own( |-)/ $suite\1/" >"$settings/sources.list"
[ "$suite" != sid ] || sed -i '/ sid-/d' "$settings/sources.list" # unstable has no updates of its own
[ -s "$settings/sources.list" ] ||
    { echo "apt knows no archive of Debian; apt-get update reads the lists" >&2; exit 1; }
apt-config dump | grep -E '^Acquire::(Check-|Retries|http|https)' >"$settings/apt.conf" || true

mkdir -p "$folder/out"
# shellcheck disable=SC2016 # mmdebstrap sets $1
mmdebstrap --quiet --variant=apt --format=null --aptopt="$settings/apt.conf" ${packages:+--include="$packages"} \
    --customize-hook='mkdir -p "$1/try/out"' --customize-hook="sync-in $folder /try" \
    --customize-hook='chroot "$1" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 TERM=xterm bash /try/inside.sh 2>&1' \
    --customize-hook="sync-out /try/out $folder/out" "$suite" /dev/null "$settings/sources.list"
