#!/usr/bin/env bash
# Runs in a fresh Debian that scripts/fresh_debian.sh makes. Installs the packages in /try, uses them as a user does and
# as debian/tests/control in /try/source says, and removes them.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
mkdir /tmp/try
cd /try/source
echo 'deb [trusted=yes] file:/try ./' >/etc/apt/sources.list.d/debs.list

fail() {
    echo "FAILED: $1"
    tail -20 /tmp/log
    exit 1
}
# quietly apt-get ARGUMENTS…
quietly() { "$@" -yqq -o Dpkg::Use-Pty=0 >/tmp/log 2>&1 || fail "$*"; }
satisfy() { quietly apt-get satisfy "$1"; }
has() { dpkg-query --show --showformat '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed; }
quietly apt-get update

quietly apt-get install liblerpmesh0.1 --no-install-recommends
! has libepoxy0 || fail "a program that draws nothing needs OpenGL"
echo "ok: liblerpmesh0.1 needs no OpenGL"

# Without the recommended packages, only their features are missing.
quietly apt-get install lerpmesh --no-install-recommends
sample=/usr/share/doc/lerpmesh/examples/tick.md2
lerpmesh info $sample >/tmp/log || fail "lerpmesh info"
lerpmesh convert --quiet $sample -o /tmp/try/ >/tmp/log 2>&1 || fail "lerpmesh convert"
if lerpmesh render $sample -o /tmp/try/tick.png >/tmp/log 2>&1; then
    fail "lerpmesh render draws without a driver"
fi
grep -q 'libEGL' /tmp/log || fail "lerpmesh render does not name libEGL"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >/tmp/try/in.obj
if lerpmesh convert /tmp/try/in.obj -o /tmp/try/in.md3 >/tmp/log 2>&1; then
    fail "lerpmesh convert reads OBJ without Assimp"
fi
grep -q 'libassimp' /tmp/log || fail "lerpmesh convert does not name libassimp"
echo "ok: lerpmesh without recommended packages"

satisfy "$(dpkg-query --show --showformat '${Recommends}' lerpmesh)"
lerpmesh convert --quiet /tmp/try/in.obj -o /tmp/try/in.md3 >/tmp/log 2>&1 || fail "reading OBJ with Assimp"
lerpmesh render --quiet $sample -o /tmp/try/tick.png >/tmp/log 2>&1 || fail "lerpmesh render"
[ "$(head -c 4 /tmp/try/tick.png | tail -c 3)" = PNG ] || fail "lerpmesh render writes no PNG"
echo "ok: lerpmesh with recommended packages"

# The tests of debian/tests/control, each with the packages that it needs.
tests=$(perl -00 -ne 'print "$1\t$2\n" if /^Tests: (.+)\nDepends: (.+)\n/' debian/tests/control)
while IFS=$'\t' read -r name depends; do
    satisfy "$depends"
    mkdir "/tmp/$name"
    AUTOPKGTEST_TMP=/tmp/$name "debian/tests/$name" >/tmp/log 2>&1 || fail "debian/tests/$name"
    echo "ok: debian/tests/$name"
done <<<"$tests"
[ "$(wc -l <<<"$tests")" = "$(grep -c ^Tests: debian/tests/control)" ] || fail "debian/tests/control: $tests"

# Nothing stays.
packages=$(sed -n 's/^Package: //p' debian/control)
for package in $packages; do
    has "$package" || fail "no test needs $package"
done
# shellcheck disable=SC2086 # a list of packages
dpkg --listfiles $packages | sort -u | while read -r path; do
    [ -d "$path" ] || echo "$path"
done >/tmp/files
# shellcheck disable=SC2086
quietly apt-get purge $packages
[ "$(wc -l </tmp/files)" -gt 50 ] || fail "dpkg --listfiles"
xargs -a /tmp/files ls -d 2>/dev/null >/tmp/log || true
find / -xdev \( -path /try -o -path /tmp -o -path /var/cache/man -o -path /var/lib/apt -o -path /var/log \) -prune \
    -o -name '*lerpmesh*' -print >>/tmp/log
[ ! -s /tmp/log ] || fail "removed packages leave files"
echo "ok: removed $(wc -l </tmp/files) files"
