#!/usr/bin/env bash
# Installs into a temporary prefix and uses the result as somebody else's program would: through
# pkg-config and through CMake, static and shared; and embeds the sources.
set -euo pipefail
consumer=$LERPMESH_SOURCE_DIR/tests/consumer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

fail() {
    echo "FAILED: $1" >&2
    exit 1
}
# is_shared PROGRAM: whether it asks for liblerpmesh.so.
is_shared() { readelf -d "$1" | grep -q 'NEEDED.*\[liblerpmesh\.so\.'; }
# expect KIND PROGRAM: it runs, and is linked in this way.
expect() {
    LD_LIBRARY_PATH=$libdir "$2" | grep -q '^lerpmesh [0-9]' || fail "$2 does not run"
    case $1 in
    shared) is_shared "$2" || fail "$2 does not use the shared library" ;;
    static) ! is_shared "$2" || fail "$2 uses the shared library" ;;
    esac
    echo "ok: $(basename "$2")"
}

cmake --install "$LERPMESH_BUILD_DIR" --prefix "$prefix" >"$work/install.log" ||
    { cat "$work/install.log"; fail "cmake --install"; }
# "lib", or below /usr "lib/x86_64-linux-gnu".
libdir=$(dirname "$(find "$prefix" -name liblerpmesh.a)")
for file in liblerpmesh.so pkgconfig/lerpmesh.pc cmake/lerpmesh/lerpmesh-config.cmake; do
    [ -e "$libdir/$file" ] || fail "$file is not installed"
done
for header in "$LERPMESH_SOURCE_DIR"/include/lerpmesh/*.h; do
    # The renderer's is there where the renderer is.
    [ "$(basename "$header")" != gl.h ] || [ -n "${LERPMESH_GL_SHARED_LIBRARY:-}" ] || continue
    [ -e "$prefix/include/lerpmesh/$(basename "$header")" ] || fail "$header is not installed"
    # Each public header stands alone.
    echo "#include <lerpmesh/$(basename "$header")>" |
        cc -std=c11 -Wall -Wextra -Werror -I"$prefix/include" -fsyntax-only -x c - ||
        fail "$header does not compile alone"
done
if [ -n "${LERPMESH_BINARY:-}" ]; then
    "$prefix/bin/lerpmesh" --help >/dev/null || fail "the installed command does not run"
fi
if [ -e "$LERPMESH_SOURCE_DIR/docs/lerpmesh.1" ]; then
    [ -e "$prefix/share/man/man1/lerpmesh.1" ] || fail "the man page is not installed"
fi
if [ -x "$LERPMESH_BUILD_DIR/lerpmesh-viewer" ]; then
    "$prefix/bin/lerpmesh-viewer" --version >/dev/null || fail "the viewer is not installed"
    [ -e "$prefix/share/man/man1/lerpmesh-viewer.1" ] ||
        fail "the viewer's man page is not installed"
fi

export PKG_CONFIG_PATH=$libdir/pkgconfig
# shellcheck disable=SC2046 # lists of flags
cc "$consumer/main.c" -o "$work/pkgconfig-shared" $(pkg-config --cflags --libs lerpmesh)
expect shared "$work/pkgconfig-shared"
# shellcheck disable=SC2046
cc -static "$consumer/main.c" -o "$work/pkgconfig-static" \
    $(pkg-config --static --cflags --libs lerpmesh)
expect static "$work/pkgconfig-static"

gl_on=OFF
if [ -n "${LERPMESH_GL_SHARED_LIBRARY:-}" ]; then
    gl_on=ON
    # shellcheck disable=SC2046
    cc "$consumer/gl.c" -o "$work/gl-pkgconfig" $(pkg-config --cflags --libs lerpmesh-gl)
    expect shared "$work/gl-pkgconfig"
fi

# with_cmake NAME ARGUMENTS…: builds the consumer as a CMake project.
with_cmake() {
    local name=$1
    shift
    { cmake -S "$consumer" -B "$work/$name-build" "$@" && cmake --build "$work/$name-build"; } \
        >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; fail "$name"; }
    cp "$work/$name-build/consumer" "$work/$name"
    if [ $gl_on = ON ]; then
        cp "$work/$name-build/consumer-gl" "$work/gl-$name"
        expect "${name#*-}" "$work/gl-$name"
    fi
}
with_cmake package-shared -DCMAKE_PREFIX_PATH="$prefix" -DWITH_GL=$gl_on -DBUILD_SHARED_LIBS=ON
expect shared "$work/package-shared"
with_cmake package-static -DCMAKE_PREFIX_PATH="$prefix" -DWITH_GL=$gl_on
expect static "$work/package-static"
with_cmake embedded-static -DLERPMESH_FOLDER="$LERPMESH_SOURCE_DIR" \
    -DWITH_GL=$gl_on -DLERPMESH_GL=$gl_on
expect static "$work/embedded-static"
