#!/usr/bin/env bash
# test_release.sh BUILD: builds the files of a release twice, the second time from the first tarball in another folder,
# and compares the bytes. Then uses them: the tarball builds, the npm package and the command for Windows convert a
# sample to the same bytes as the native command, the extension for Blender has its wheels, the AppDir runs without the
# system's settings, and all pages of the documentation can be reached.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder" 2>/dev/null || { sleep 3; rm -rf "$folder"; }' EXIT

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

# rejected TAG TEXT: expects that a release of this tag fails with this message.
rejected() {
    ! TAG=$1 bash scripts/release.sh "$folder/rejected" source 2>"$folder/log" || fail "$1 is released"
    grep -q "$2" "$folder/log" || { cat "$folder/log"; fail "$1: the message"; }
}
unset TAG
version=$(sh scripts/version.sh)
rejected "v$version.1" 'is not v'
if grep -q "^## $version (not released)" CHANGELOG.md; then
    rejected "v$version" 'no date'
fi
echo "ok: tags"

first=$build/release-files
export RELEASE_URL=https://example.org/files HOMEPAGE=https://example.org CFFI_WHEELS=$build/wheels
bash scripts/release.sh "$first" source windows docs npm blender recipes
(cd "$first" && sha256sum --quiet --check SHA256SUMS) || fail "SHA256SUMS"
mkdir "$folder/a folder"
tar -xzf "$first"/lerpmesh-*.tar.gz -C "$folder/a folder"
source=$(echo "$folder/a folder"/lerpmesh-*)
rm -r "$source/dropin"
(umask 027 && cd "$source" && TZ=Asia/Tokyo bash scripts/release.sh "$folder/again" source windows docs npm blender recipes) ||
    fail "the release cannot be built from its tarball"
diff -r "$first" "$folder/again" || fail "two builds differ"
echo "ok: two builds are equal: $(cd "$first" && echo *)"

cmake -S "$source" -B "$folder/native" -DCMAKE_BUILD_TYPE=Release -DLERPMESH_TESTS=OFF -DLERPMESH_BENCH=OFF \
    -DLERPMESH_EXAMPLES=OFF -DLERPMESH_GL=OFF >"$folder/log"
cmake --build "$folder/native" -j "${JOBS:-$(nproc)}" >>"$folder/log" || { tail "$folder/log"; fail "the tarball does not build"; }
sample=samples/tick.md2
"$folder/native/lerpmesh" convert --quiet $sample -o "$folder/native.glb"
echo "ok: the tarball builds"

tar -xzf "$first"/lerpmesh-*.tar.gz -C "$folder" --strip-components=1 --wildcards '*/dropin/*'
cc -I"$folder/dropin" tests/consumer/core.c "$folder/dropin/lerpmesh/lerpmesh.c" -lm -o "$folder/core"
"$folder/core" <$sample | grep -q '^lerpmesh [0-9]' || fail "the drop-in files"
echo "ok: the drop-in files"

mkdir "$folder/npm"
npm install --silent --no-audit --no-fund --prefix "$folder/npm" "$first"/lerpmesh-*.tgz
"$folder/npm/node_modules/.bin/lerpmesh" convert --quiet $sample -o "$folder/npm.glb"
cmp "$folder/native.glb" "$folder/npm.glb" || fail "the npm package writes other bytes"
echo "ok: the npm package"

unzip -q "$first"/lerpmesh-*-blender-extension-*.zip -d "$folder/extension"
for wheel in lerpmesh cffi-*-cp311 cffi-*-cp313; do
    # shellcheck disable=SC2086 # a pattern
    name=$(cd "$folder/extension/wheels" && echo $wheel-*.whl)
    grep -q "\"./wheels/$name\"" "$folder/extension/blender_manifest.toml" || fail "the extension has no wheel of $wheel"
done
grep -q "^version = \"$version\"" "$folder/extension/blender_manifest.toml" || fail "the manifest of the extension"
echo "ok: the extension"

if ! command -v blender >/dev/null; then
    echo "skipped: the add-on: there is no Blender"
else
    # Debian's Blender finds its modules next to the first python3.
    PATH=/usr/bin:$PATH BLENDER_USER_RESOURCES=$folder/blender blender --background --factory-startup \
        --python-exit-code 1 --python-expr "import bpy
bpy.ops.preferences.addon_install(filepath='$(echo "$first"/lerpmesh-*-blender-addon-*.zip)')
bpy.ops.preferences.addon_enable(module='lerpmesh_io')
bpy.ops.import_scene.lerpmesh(filepath='$sample')
bpy.ops.export_scene.lerpmesh(filepath='$folder/again.md2')" >"$folder/log" 2>&1 || { tail "$folder/log"; fail "the add-on"; }
    cmp $sample "$folder/again.md2" || fail "the add-on writes other bytes"
    echo "ok: the add-on"
fi

unzip -q "$first"/lerpmesh-*-docs.zip -d "$folder"
LERPMESH_SOURCE_DIR=$PWD python3 tests/project/test_docs_site.py "$folder"/lerpmesh-*-docs || fail "the documentation"
echo "ok: the documentation"

unzip -q "$first"/lerpmesh-*-windows-*.zip -d "$folder"
for file in README.md LICENSE docs/index.md bin/lerpmesh.exe bin/liblerpmesh.dll include/lerpmesh/base.h $sample; do
    [ -s "$folder/lerpmesh-$version-windows-x86_64/$file" ] || fail "the zip for Windows has no $file"
done
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
export WINEPREFIX=$folder/wine WINEDEBUG=-all DISPLAY=
if [ ! -x "$wine" ] || ! timeout 120 "$wine" wineboot -i >/dev/null 2>&1; then
    echo "skipped: the command for Windows: there is no wine64 that starts"
else
    timeout 60 "$wine" "$folder"/lerpmesh-*-windows-*/bin/lerpmesh.exe convert --quiet $sample -o "z:$folder/windows.glb" 2>/dev/null ||
        fail "lerpmesh.exe"
    cmp "$folder/native.glb" "$folder/windows.glb" || fail "lerpmesh.exe writes other bytes"
    timeout 60 "$wine" wineboot -e >/dev/null 2>&1 || true
    echo "ok: the command for Windows"
fi

bash packaging/appimage/appdir.sh "$folder/AppDir" >"$folder/log" 2>&1 || { tail "$folder/log"; fail "appdir.sh"; }
desktop-file-validate "$folder/AppDir"/*.desktop
env -i "$folder/AppDir/AppRun" --version | grep -q "^lerpmesh.*$version" || fail "the AppDir's viewer"
env -i "$folder/AppDir/AppRun" lerpmesh convert --quiet $sample -o "$folder/appdir.glb"
cmp "$folder/native.glb" "$folder/appdir.glb" || fail "the AppDir's command writes other bytes"
echo "ok: the AppDir"

(cd "$folder" && bash -c '. "$1"/PKGBUILD && [ "${#source[@]}" = "${#sha256sums[@]}" ] && [ "${sha256sums[0]}" = "$(sha256sum "$1"/lerpmesh-*.tar.gz | cut -d " " -f 1)" ]' \
    - "$first") || fail "PKGBUILD has another checksum"
! grep -n '@[A-Z]*@' "$first/PKGBUILD" "$first/lerpmesh.rb" || fail "a recipe is not filled in"
echo "ok: recipes"
