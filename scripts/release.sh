#!/usr/bin/env bash
# release.sh FOLDER PART…: makes the files of a release in FOLDER, and their SHA256SUMS. The parts are source (a tarball
# with the drop-in files), windows (a zip with the command and the DLLs), docs (a zip with the site of the documentation),
# npm, blender (the two archives of the add-on), deb and recipes (for Homebrew and Arch Linux, with the tarball's
# checksum); without any, all of them. All are built from the tarball's files. The same source gives the same bytes in any
# folder. In the environment: CFFI_WHEELS is the folder of cffi's wheels for the add-on, RELEASE_URL the address of the
# tarball's folder, HOMEPAGE the project's address, for the recipes. TAG is the tag to release; it must agree with base.h
# and CHANGELOG.md.
set -euo pipefail
umask 022
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { echo "usage: release.sh FOLDER [source|windows|docs|npm|blender|deb|recipes]…" >&2; exit 2; }
mkdir -p "$1"
out=$(realpath "$1")
shift
wheels=${CFFI_WHEELS:+$(realpath "$CFFI_WHEELS")}
[ $# -gt 0 ] || set -- source windows docs npm blender deb recipes
jobs=${JOBS:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "${out:?}"/*
# The outer make's variables are not for the builds.
unset MAKEFLAGS MAKEOVERRIDES MFLAGS MAKELEVEL BUILD
export LC_ALL=C.UTF-8 TZ=UTC SOURCE_DATE_EPOCH PYTHONDONTWRITEBYTECODE=1

tree=$(bash scripts/source_tree.sh "$work/tree")
read -r version SOURCE_DATE_EPOCH <<<"$tree"
source=$work/lerpmesh-$version
mv "$work/tree" "$source"
if [ -n "${TAG:-}" ]; then
    [ "$TAG" = "v$version" ] || { echo "release.sh: the tag $TAG is not v$version, which base.h has" >&2; exit 1; }
    grep -qE "^## $version \(20[0-9-]+\)" CHANGELOG.md ||
        { echo "release.sh: CHANGELOG.md has no date for $version" >&2; exit 1; }
fi
python3 "$source/scripts/make_dropin.py" "$source/dropin/lerpmesh"
find "$source" -name __pycache__ -prune -exec rm -r {} +

# dated FOLDER: gives all files the date of the source.
dated() { find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +; }

# zipped NAME: packs the folder NAME of $work.
zipped() {
    dated "$work/$1"
    (cd "$work" && find "$1" -type f | sort | zip -X -q -9 "$out/$1.zip" -@)
}

make_source() {
    dated "$source"
    tar --create --sort=name --owner=0 --group=0 --numeric-owner --format=gnu --directory="$work" "lerpmesh-$version" |
        gzip --no-name --best >"$out/lerpmesh-$version.tar.gz"
}

make_windows() {
    local target=x86_64-w64-mingw32 name=lerpmesh-$version-windows-x86_64
    # MinGW must find no other header of this machine.
    mkdir "$work/headers"
    cp /usr/include/stb/stb_image.h /usr/include/jsmn.h "$work/headers"
    cmake -S "$source" -B "$work/windows" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=$target-gcc \
        -DCMAKE_RC_COMPILER=$target-windres -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS="-ffile-prefix-map=$work=." -DCMAKE_EXE_LINKER_FLAGS="-static -s -Wl,--no-insert-timestamp" \
        -DCMAKE_SHARED_LINKER_FLAGS="-static-libgcc -s -Wl,--no-insert-timestamp" \
        -DSTB_INCLUDE_DIR="$work/headers" -DJSMN_INCLUDE_DIR="$work/headers" -DLERPMESH_STB=ON -DLERPMESH_IMPORT=ON \
        -DLERPMESH_GL=ON -DLERPMESH_GL_EPOXY=OFF -DLERPMESH_VIEWER=OFF -DLERPMESH_TESTS=OFF -DLERPMESH_BENCH=OFF \
        -DLERPMESH_EXAMPLES=OFF
    cmake --build "$work/windows" -j "$jobs"
    cmake --install "$work/windows" --prefix "$work/$name"
    # README.md and LICENSE come first; Windows has no man.
    mv "$work/$name"/share/doc/lerpmesh/* "$work/$name"
    rm -r "$work/$name/share"
    cp -r "$source/samples" "$work/$name"
    zipped "$name"
}

make_docs() {
    local name=lerpmesh-$version-docs
    DEPS=no make -C "$source" docs
    mv "$source/build/docs" "$work/$name"
    zipped "$name"
}

make_npm() {
    DEPS=no make -C "$source" web JOBS="$jobs"
    npm pack --silent --pack-destination "$out" "$source/build/web/npm"
}

make_blender() {
    local kind platform
    mkdir -p "$source/build/wheels"
    [ -z "$wheels" ] || cp "$wheels"/cffi-*.whl "$source/build/wheels"
    DEPS=no make -C "$source" blender WHEELS="$(cd "$source" && find build/wheels -name '*.whl' | sort | tr '\n' ' ')"
    sed -n 's/^pack.py: /release.sh: /p' "$work/log" >&3
    platform=$(basename "$source"/build/python/*.whl .whl)
    for kind in addon extension; do
        cp "$source/build/blender/lerpmesh_io-$kind.zip" "$out/lerpmesh-$version-blender-$kind-${platform##*-}.zip"
    done
}

make_deb() {
    JOBS=$jobs bash "$source/scripts/deb.sh" "$work/deb"
    cp "$work"/deb/*.deb "$out"
}

make_recipes() {
    local sum recipe tarball=lerpmesh-$version.tar.gz
    sum=$(sha256sum "$out/$tarball" | cut -d ' ' -f 1)
    for recipe in "$source"/packaging/{homebrew,arch}/*.in; do
        sed -e "s|@URL@|${RELEASE_URL:-file://$out}/$tarball|" -e "s|@HOMEPAGE@|${HOMEPAGE:-file://$out}|" \
            -e "s|@VERSION@|$version|" -e "s|@SHA256@|$sum|" "$recipe" >"$out/$(basename "$recipe" .in)"
    done
}

exec 3>&2 # the log has the rest
for part in "$@"; do
    case $part in
    source | windows | docs | npm | blender | deb | recipes)
        "make_$part" >"$work/log" 2>&1 || { tail -40 "$work/log" >&2; echo "release.sh: $part failed" >&2; exit 1; }
        ;;
    *)
        echo "release.sh: there is no part '$part'" >&2
        exit 2
        ;;
    esac
done
(cd "$out" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
