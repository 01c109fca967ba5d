#!/usr/bin/env bash
# test_deb.sh BUILD: tests the Debian packages in BUILD/deb. A second build, from a tarball in another folder, gives the
# same bytes. The packages share no file and have the files that they should. They can be installed, used and removed in a
# fresh Debian.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

# ---- Twice the same bytes ----
source=$(echo "$build"/deb/*.tar.xz)
[ -e "$source" ] || fail "there are no packages in $build/deb; make deb builds them"
mkdir "$folder/elsewhere"
tar -xf "$source" -C "$folder/elsewhere" --strip-components=1
rm -r "$folder/elsewhere/debian"
(umask 027 && cd "$folder/elsewhere" && TZ=Asia/Tokyo bash scripts/deb.sh "$folder/again") ||
    fail "the packages cannot be built from the source package"
compared=0
for package in "$build"/deb/*.deb "$build"/deb/*.tar.xz "$build"/deb/*.dsc; do
    cmp "$package" "$folder/again/${package##*/}" || fail "a second build of ${package##*/} differs"
    compared=$((compared + 1))
done
echo "ok: $compared files of two builds are equal"

# ---- Contents ----
for package in "$build"/deb/*.deb; do
    name=$(dpkg-deb --field "$package" Package)
    dpkg-deb --fsys-tarfile "$package" | tar -t | grep -v '/$' | sed "s|^\.|$name |" >>"$folder/files"
done
twice=$(cut -d ' ' -f 2- "$folder/files" | sort | uniq -d)
[ -z "$twice" ] || fail "in two packages: $twice"
# ships PACKAGE PATTERN…: expects one or more files of each pattern in the package.
ships() {
    local package=$1 pattern
    shift
    for pattern in "$@"; do
        grep -qE "^$package /usr/$pattern\$" "$folder/files" || fail "$package does not have /usr/$pattern"
    done
}
for name in '' -assets -convert -import -write; do
    ships liblerpmesh0.1 "lib/.*/liblerpmesh$name\.so\.0\.1(\.[0-9]+)?"
    ships liblerpmesh-dev "lib/.*/liblerpmesh$name\.(a|so)" "lib/.*/pkgconfig/lerpmesh$name\.pc"
done
ships liblerpmesh-gl0.1 'lib/.*/liblerpmesh-gl\.so\.0\.1'
ships liblerpmesh-dev 'lib/.*/liblerpmesh-gl\.so' 'lib/.*/cmake/lerpmesh/lerpmesh-config\.cmake' 'share/doc/.*/examples/pose\.c'
for header in include/lerpmesh/*.h; do
    ships liblerpmesh-dev "${header//./\\.}"
done
ships lerpmesh bin/lerpmesh 'share/man/man1/lerpmesh\.1\.gz' share/bash-completion/completions/lerpmesh \
    share/zsh/vendor-completions/_lerpmesh 'share/fish/vendor_completions\.d/lerpmesh\.fish' \
    'share/mime/packages/lerpmesh\.xml' 'share/thumbnailers/lerpmesh\.thumbnailer' 'share/doc/lerpmesh/README\.md' \
    'share/doc/lerpmesh/docs/install\.md' 'share/doc/lerpmesh/examples/tick\.md2'
ships python3-lerpmesh lib/python3/dist-packages/lerpmesh/{__init__.py,py.typed,_native.abi3.so}
ships blender-lerpmesh share/blender/scripts/addons/lerpmesh_io/{__init__,operators,panels}.py \
    share/blender/scripts/addons_core/lerpmesh_io
ships lerpmesh-viewer bin/lerpmesh-viewer 'share/man/man1/lerpmesh-viewer\.1\.gz' \
    'share/applications/org\.lerpmesh\.Viewer\.desktop' 'share/metainfo/org\.lerpmesh\.Viewer\.metainfo\.xml'
echo "ok: $(wc -l <"$folder/files") files, each in one package"

# ---- A fresh Debian ----
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
bash scripts/try_deb.sh "$suite" "$build/deb" || fail "the test in a fresh Debian"
