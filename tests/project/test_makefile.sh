#!/usr/bin/env bash
# Tests `make help`, DEPS=no, and when `make install` runs ldconfig, with mock programs.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
folder=$(mktemp -d)
# The variables of an outer make must not affect this one.
unset MAKEFLAGS MAKEOVERRIDES MFLAGS MAKELEVEL
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

help=$(make -s help)
targets=$(sed -ne ':a;/\\$/{N;s/\\\n//;ba}' -e 's/^\.PHONY: //p' Makefile)
[ -n "$targets" ] || fail "the Makefile names no targets"
for target in $targets; do
    case $target in
    all | help | node-modules) ;;
    *) grep -q "^make $target " <<<"$help" || fail "make help does not name $target" ;;
    esac
done

output=$(DEPS=no CC=no-such-compiler bash scripts/deps.sh build) || fail "DEPS=no stops"
grep -q '^Not installed, because DEPS=no: .*no-such-compiler' <<<"$output" ||
    fail "DEPS=no does not report the missing package: $output"

# Mocks of CMake, id and ldconfig, as far as installing needs them.
export DEPS=no BUILD=$folder/build
mkdir -p "$folder/bin" "$BUILD/release"
touch "$BUILD/release/install_manifest.txt"
printf '#!/bin/sh\nexit 0\n' >"$folder/bin/cmake"
printf '#!/bin/sh\necho 0\n' >"$folder/bin/id"
printf '#!/bin/sh\necho ran >"%s/ldconfig"\n' "$folder" >"$folder/bin/ldconfig"
chmod +x "$folder"/bin/*
# expect WHAT ARGUMENTS…: tests if `make install` with the arguments runs ldconfig.
expect() {
    local what=$1 did=left
    shift
    rm -f "$folder/ldconfig"
    PATH=$folder/bin:$PATH make -s install "$@" >"$folder/log" 2>&1 ||
        { cat "$folder/log"; fail "make install $*"; }
    [ ! -e "$folder/ldconfig" ] || did=ran
    [ $did = "$what" ] || fail "make install $*: ldconfig is $did, not $what"
    echo "ok: make install $*: $what"
}
expect ran PREFIX=/usr/local
expect ran PREFIX=/usr
expect left PREFIX=/opt/lerpmesh
expect left PREFIX="$HOME/.local"
expect left PREFIX=/usr DESTDIR="$folder/staged"

# Each destination has a list of its own; a slash at the end makes no other one.
for prefix in /opt/a-b /opt/a/b /opt/a/b/ '/opt/a b'; do
    expect left PREFIX="$prefix"
done
lists=$(find "$BUILD" -name 'installed*a*b.txt' | wc -l)
[ "$lists" -eq 3 ] || fail "three destinations have $lists lists"
