#!/usr/bin/env bash
# appdir.sh APPDIR: builds the viewer and the command into APPDIR, with GTK and the libraries that it needs. appimagetool
# packs APPDIR as an AppImage.
set -euo pipefail
umask 022
cd "$(dirname "$0")/../.."
[ $# -eq 1 ] || { echo "usage: appdir.sh APPDIR" >&2; exit 2; }
rm -rf "$1"
mkdir -p "$1/usr/lib"
appdir=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# DT_RPATH, unlike DT_RUNPATH, also serves the libraries that a library needs.
cmake -S . -B "$work" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_C_FLAGS="-ffile-prefix-map=$PWD=. -ffile-prefix-map=$work=." \
    -DCMAKE_INSTALL_RPATH="\$ORIGIN/../lib" -DCMAKE_EXE_LINKER_FLAGS="-s -Wl,--disable-new-dtags" \
    -DLERPMESH_STB=ON -DLERPMESH_IMPORT=ON -DLERPMESH_ASSIMP=OFF -DLERPMESH_MESHOPT=OFF -DLERPMESH_GL=ON \
    -DLERPMESH_WEBP=ON -DLERPMESH_VIEWER=ON -DLERPMESH_ADWAITA=ON -DLERPMESH_TESTS=OFF -DLERPMESH_BENCH=OFF \
    -DLERPMESH_EXAMPLES=OFF
cmake --build "$work" -j "${JOBS:-$(nproc)}"
DESTDIR=$appdir cmake --install "$work"
rm -r "$appdir"/usr/{include,lib/*,share/thumbnailers}

# The system has these: the C library, drivers, and the libraries that drivers need too.
system='lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|z|zstd|expat|ffi|bsd|md|drm|gbm|fontconfig|freetype|harfbuzz)\.so|lib(X|xcb|wayland)'
ldd "$appdir"/usr/bin/* | sed -n 's/.* => \(.*\) (.*/\1/p' | sort -u | grep -vE "/($system)" | while read -r library; do
    cp -L "$library" "$appdir/usr/lib"
    package=$(dpkg-query --search "*/$(basename "$(realpath "$library")")" | sed 's/[:,].*//;q')
    install -Dm644 -t "$appdir/usr/share/doc/$package" "/usr/share/doc/$package/copyright"
done

# GTK's dialogs stop the program without these settings.
schemas=share/glib-2.0/schemas
mkdir -p "$appdir/usr/$schemas"
cp "$(pkg-config --variable=prefix gtk4)/$schemas"/org.gtk.gtk4.* "$appdir/usr/$schemas"
glib-compile-schemas --strict "$appdir/usr/$schemas"
touch "$appdir/usr/lib/loaders.cache"

# The icons that GTK does not contain, and the index with which GTK finds them
cp /usr/share/icons/hicolor/index.theme "$appdir/usr/share/icons/hicolor"
for icon in camera-photo sidebar-show-right media-seek-backward media-seek-forward; do
    (cd /usr/share/icons/Adwaita && cp --parents {16x16,32x32}/*/$icon-symbolic.symbolic.png "$appdir/usr/share/icons/hicolor")
done

cp packaging/appimage/AppRun "$appdir"
cp "$appdir"/usr/share/applications/org.lerpmesh.Viewer.desktop data/org.lerpmesh.Viewer.svg "$appdir"
ln -s org.lerpmesh.Viewer.svg "$appdir/.DirIcon"
