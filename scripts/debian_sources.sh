#!/usr/bin/env bash
# debian_sources.sh SUITE FOLDER: writes sources.list and apt.conf for Debian's SUITE, with the archive that this machine's
# apt uses.
set -euo pipefail
suite=$1
# shellcheck source=/dev/null
own=$(. /etc/os-release && echo "$VERSION_CODENAME")
# shellcheck disable=SC2016 # apt's own variables
apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
    sort -u | sed -E "s/ $own( |-)/ $suite\1/" >"$2/sources.list"
[ "$suite" != sid ] || sed -i '/ sid-/d' "$2/sources.list" # unstable has no updates of its own
[ -s "$2/sources.list" ] ||
    { echo "apt knows no archive of Debian; apt-get update reads the lists" >&2; exit 1; }
apt-config dump | grep -E '^Acquire::(Check-|Retries|http|https)' >"$2/apt.conf" || true
