#!/usr/bin/env bash
# Installs, moves the result elsewhere and uses it there like a separate program: through pkg-config
# and through CMake, static and shared, in C and in C++.
set -euo pipefail
consumer=$LERPMESH_SOURCE_DIR/tests/consumer
model=$LERPMESH_SOURCE_DIR/samples/tick.md2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/moved

fail() {
    echo "FAILED: $1" >&2
    exit 1
}
# is_shared PROGRAM: tests that it uses liblerpmesh.so.
is_shared() { readelf -d "$1" | grep -q 'NEEDED.*\[liblerpmesh\.so\.'; }
# expect KIND PROGRAM: expects that it runs, and is linked in this way.
expect() {
    LD_LIBRARY_PATH=$libdir "$2" <"$model" | grep -q '^lerpmesh [0-9]' || fail "$2 does not run"
    case $1 in
    shared) is_shared "$2" || fail "$2 does not use the shared library" ;;
    static) ! is_shared "$2" || fail "$2 uses the shared library" ;;
    esac
    echo "ok: $(basename "$2")"
}
# installed FILE…: expects these files.
installed() {
    local file
    for file in "$@"; do
        [ -e "$prefix/$file" ] || fail "$file is not installed"
    done
}

components=(write)
[ -z "${LERPMESH_ASSETS_SHARED_LIBRARY:-}" ] || components+=(assets)
[ -z "${LERPMESH_GL_SHARED_LIBRARY:-}" ] || components+=(gl)
[ -z "${LERPMESH_IMPORT_SHARED_LIBRARY:-}" ] || components+=(import)
[ -z "${LERPMESH_CONVERT_SHARED_LIBRARY:-}" ] || components+=(convert)

cmake --install "$LERPMESH_BUILD_DIR" --prefix "$work/prefix" >"$work/install.log" ||
    { cat "$work/install.log"; fail "cmake --install"; }
mv "$work/prefix" "$prefix"
# "lib", or below /usr "lib/x86_64-linux-gnu".
libdir=$(dirname "$(find "$prefix" -name liblerpmesh.a)")
for name in '' "${components[@]/#/-}"; do
    [ -e "$libdir/liblerpmesh$name.so" ] || fail "liblerpmesh$name.so is not installed"
done
for header in "$LERPMESH_SOURCE_DIR"/include/lerpmesh/*.h; do
    name=include/lerpmesh/$(basename "$header")
    # Headers of the other libraries are installed with these.
    library=$(sed -nE 's/^LM_([A-Z]+_)?API .*/-\L\1/p' "$header" | head -n 1)
    library=${library%[-_]}
    if [ ! -e "$libdir/liblerpmesh$library.a" ]; then
        [ ! -e "$prefix/$name" ] || fail "$name is installed without liblerpmesh$library"
        continue
    fi
    installed "$name"
    # Each public header compiles alone.
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only -x c \
        -include "$prefix/$name" /dev/null || fail "$header does not compile alone"
done
installed share/doc/lerpmesh/{LICENSE,README.md,docs/internals/architecture.md,docs/reference/formats/md2.md}
if [ -n "${LERPMESH_BINARY:-}" ]; then
    "$prefix/bin/lerpmesh" --help >/dev/null || fail "the installed command does not run"
    while read -r name; do
        installed "share/man/man1/lerpmesh-$name.1"
    done < <("$prefix/bin/lerpmesh" help | sed -nE '/^Commands:/,/^  help /s/^  ([a-gi-z][a-z]*) .*/\1/p')
    installed share/man/man1/lerpmesh.1
    installed share/bash-completion/completions/lerpmesh share/zsh/site-functions/_lerpmesh \
        share/fish/vendor_completions.d/lerpmesh.fish
    grep -q _lerpmesh "$prefix/share/bash-completion/completions/lerpmesh" ||
        fail "the completions of bash are empty"
fi
if [ -x "$LERPMESH_BUILD_DIR/lerpmesh-viewer" ]; then
    "$prefix/bin/lerpmesh-viewer" --version >/dev/null || fail "the viewer is not installed"
    installed share/man/man1/lerpmesh-viewer.1 share/glib-2.0/schemas/org.lerpmesh.Viewer.gschema.xml
fi

export PKG_CONFIG_PATH=$libdir/pkgconfig
# pkg_config KIND SOURCE FLAGS…: builds the source with pkg-config's flags.
pkg_config() {
    local kind=$1 source=$2
    shift 2
    cc -std=c11 "$consumer/$source.c" -o "$work/pkgconfig-$source-$kind" "$@"
    expect "$kind" "$work/pkgconfig-$source-$kind"
}
# shellcheck disable=SC2046 # lists of flags
pkg_config shared core $(pkg-config --cflags --libs lerpmesh)
# shellcheck disable=SC2046
pkg_config static core -static $(pkg-config --static --cflags --libs lerpmesh)
# Dependencies of the other libraries are not always available as static libraries: only ours are
# static here.
for name in "${components[@]}"; do
    # shellcheck disable=SC2046
    pkg_config shared "$name" $(pkg-config --cflags --libs "lerpmesh-$name")
    # shellcheck disable=SC2046
    pkg_config static "$name" $(pkg-config --static --cflags --libs "lerpmesh-$name" |
        sed -E 's/-l(lerpmesh[a-z-]*)/-l:lib\1.a/g')
done
for name in lerpmesh "${components[@]/#/lerpmesh-}"; do
    version=$(pkg-config --modversion "$name")
    [ "lerpmesh $version:" = "$(LD_LIBRARY_PATH=$libdir "$work/pkgconfig-core-shared" \
        <"$model" | cut -d ' ' -f 1-2)" ] || fail "pkg-config reports version $version of $name"
    [ "$(realpath "$(pkg-config --variable=prefix "$name")")" = "$(realpath "$prefix")" ] ||
        fail "pkg-config's $name has the old prefix after a move"
done

{ cmake -S "$consumer" -B "$work/package" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCOMPONENTS="$(IFS=';' && echo "${components[*]}")" && cmake --build "$work/package" -j 2; } \
    >"$work/package.log" 2>&1 || { cat "$work/package.log"; fail "the CMake package"; }
for name in core "${components[@]}"; do
    expect static "$work/package/$name-static"
    expect shared "$work/package/$name-shared"
done
expect static "$work/package/game"

# lookup TEXT ARGUMENTS…: expects the line TEXT in find_package's output.
lookup() {
    local text=$1
    shift
    cmake -S "$consumer/lookup" -B "$work/lookup" -DCMAKE_PREFIX_PATH="$prefix" "$@" \
        >"$work/lookup.log" 2>&1 || true
    grep -q "^ *$text" "$work/lookup.log" || { cat "$work/lookup.log"; fail "lookup: no '$text'"; }
    rm -r "$work/lookup"
}
lookup 'lerpmesh: lerpmesh::static$'
lookup 'assets: none$'
lookup 'gl: none$'
lookup 'lerpmesh: lerpmesh::shared$' -DBUILD_SHARED_LIBS=ON
for name in "${components[@]}"; do
    lookup "$name: lerpmesh::$name-static\$" -DWANTED="COMPONENTS;$name"
    lookup "$name: lerpmesh::$name-shared\$" -DWANTED="COMPONENTS;$name" -DBUILD_SHARED_LIBS=ON
done
lookup 'found: 0$' -DWANTED=0.2
lookup 'found: 1$' -DWANTED='OPTIONAL_COMPONENTS;music'
lookup 'This lerpmesh was built without the component music\.' -DWANTED='REQUIRED;COMPONENTS;music'
# A component that was left out behaves like an unknown one.
rm "$libdir"/cmake/lerpmesh/lerpmesh-*-targets*.cmake
lookup 'This lerpmesh was built without the component gl\.' -DWANTED='REQUIRED;COMPONENTS;gl'
lookup 'found: 1$'
echo "ok: components"

# After uninstalling, only other projects' files remain.
export DESTDIR=$work/staged
cmake --install "$LERPMESH_BUILD_DIR" --prefix /opt/lerpmesh >"$work/install.log"
touch "$DESTDIR/opt/lerpmesh/include/lerpmesh/theirs.h"
cmake -DMANIFEST="$LERPMESH_BUILD_DIR/install_manifest.txt" -DCMAKE_INSTALL_PREFIX=/opt/lerpmesh \
    -P "$LERPMESH_SOURCE_DIR/cmake/uninstall.cmake" || fail "uninstalling"
left=$(cd "$DESTDIR/opt/lerpmesh" && find . ! -type d)
[ "$left" = ./include/lerpmesh/theirs.h ] || fail "not removed: $left"
[ ! -e "$DESTDIR/opt/lerpmesh/share/doc/lerpmesh" ] || fail "an empty folder was not removed"
echo "ok: uninstalled"
