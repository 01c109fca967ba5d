#!/usr/bin/env bash
# deb.sh OUT: builds the Debian packages of the working tree into OUT, and runs lintian on them. OUT/source is the tree
# as Debian's tools see it, with packaging/debian as debian/. The same files give the same bytes.
set -euo pipefail
umask 022
cd "$(dirname "$0")/.."
[ $# -eq 1 ] || { echo "usage: deb.sh OUT" >&2; exit 2; }
mkdir -p "$1"
out=$(realpath "$1")
rm -rf "${out:?}"/*
source=$out/source/lerpmesh

tree=$(bash scripts/source_tree.sh "$source")
read -r version SOURCE_DATE_EPOCH <<<"$tree"
export LC_ALL=C.UTF-8 TZ=UTC
cp -r packaging/debian "$source/debian"
chmod -R u=rwX,go=rX "$source/debian"

# Until CHANGELOG.md has its date, a version precedes the release: 0.1.0~20261123.195500.
grep -q "^## $version (20" CHANGELOG.md || version=$version~$(date -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S)
cat >"$source/debian/changelog" <<END_CHANGELOG
lerpmesh ($version) unstable; urgency=medium

  * CHANGELOG.md lists the changes.

 -- $(sed -n 's/^Maintainer: //p' packaging/debian/control)  $(date -R -d "@$SOURCE_DATE_EPOCH")
END_CHANGELOG

find "$source/debian" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

cd "$source"
# Without the caller's compilers, flags and ccache.
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
    dpkg-buildpackage --no-sign --jobs="${JOBS:-$(nproc)}" >"$out/build.log" 2>&1 || {
    tail -40 "$out/build.log" >&2
    echo "deb.sh: the build failed; $out/build.log has the whole log" >&2
    exit 1
}
find .. -maxdepth 1 -type f -exec mv {} "$out" \;
lintian --allow-root --suppress-tags alien-tag --fail-on error,warning --tag-display-limit 0 "$out"/*.changes
