#!/usr/bin/env bash
# test_windows.sh EVERY: Windows. Libraries and command compile with MinGW without warnings, the libraries static and
# as DLLs that export exactly the headers' functions. With wine, files look the same to programs there, and the command
# gives the same bytes as here, also for names special to Windows. It is compared in each EVERY-th run of
# scripts/compare.py. The tests of core, assets and import pass there too, and two commands that write the
# same files do not interfere. `make test-cross` runs it.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
folder=$(mktemp -d)
# Wine may write there until it has ended.
trap 'rm -rf "$folder" 2>/dev/null || { sleep 3; rm -rf "$folder"; }' EXIT
target=x86_64-w64-mingw32

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

if ! command -v $target-gcc >/dev/null; then
    echo "skipped: Windows: there is no $target-gcc"
    exit 77
fi
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
stb=$(sed -n 's/^STB_INCLUDE_DIR:PATH=\(.*[^D]\)$/\1/p' "$LERPMESH_BUILD_DIR/CMakeCache.txt")
# It must not use any other header of this machine.
jsmn=$(sed -n 's/^JSMN_INCLUDE_DIR:PATH=\(.*[^D]\)$/\1/p' "$LERPMESH_BUILD_DIR/CMakeCache.txt")
mkdir "$folder/jsmn"
[ -z "$jsmn" ] || cp "$jsmn/jsmn.h" "$folder/jsmn"
{ cmake -S . -B "$folder/build" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=$target-gcc \
    -DCMAKE_RC_COMPILER=$target-windres -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O3 -DNDEBUG" -DLERPMESH_WERROR=ON \
    -DLERPMESH_TOOL=ON -DCMAKE_EXE_LINKER_FLAGS=-static -DLERPMESH_GL=ON -DLERPMESH_GL_EPOXY=OFF -DLERPMESH_TESTS=PLAIN -DLERPMESH_BENCH=OFF \
    -DCMAKE_CROSSCOMPILING_EMULATOR="$wine" \
    -DLERPMESH_EXAMPLES=OFF -DCMAKE_SHARED_LINKER_FLAGS=-static-libgcc ${stb:+-DSTB_INCLUDE_DIR="$stb"} \
    ${jsmn:+-DJSMN_INCLUDE_DIR="$folder/jsmn"} &&
    cmake --build "$folder/build" -j "$(nproc)"; } >"$folder/log" 2>&1 ||
    { grep -E 'error|Error' -A4 "$folder/log" | head -40; fail "it does not build for Windows"; }

flags=(-std=c11 -Wall -Wextra -Werror -Iinclude tests/consumer/files.c)
cc "${flags[@]}" "$LERPMESH_ASSETS_STATIC_LIBRARY" "$LERPMESH_STATIC_LIBRARY" -lm -lpthread \
    -o "$folder/here"
$target-gcc "${flags[@]}" -D__USE_MINGW_ANSI_STDIO=1 -static "$folder/build/liblerpmesh-assets.a" \
    "$folder/build/liblerpmesh.a" -lm -o "$folder/there.exe"
echo "ok: libraries and command for Windows"

python3 tests/project/test_exports.py $target-objdump "$folder/build/liblerpmesh.dll" LM_API \
    "$folder/build/liblerpmesh-write.dll" LM_WRITE_API \
    "$folder/build/liblerpmesh-assets.dll" LM_ASSETS_API "$folder/build/liblerpmesh-gl.dll" LM_GL_API \
    ${jsmn:+"$folder/build/liblerpmesh-import.dll" LM_IMPORT_API} ||
    fail "the exports of the DLLs differ from the headers"
# DLLs import only what the headers declare, including tables of numbers.
mkdir "$folder/dll"
cp "$folder"/build/*.dll "$folder/dll"
shared=(-DLM_SHARED -D__USE_MINGW_ANSI_STDIO=1 -static-libgcc -Wl,--disable-auto-import
    -L"$folder/build" -llerpmesh-assets.dll -llerpmesh.dll)
$target-gcc "${flags[@]}" -o "$folder/dll/there.exe" "${shared[@]}"
printf '#include <lerpmesh/base.h>\nint main(void) { return lm_normal_table(LM_NUM_NORMALS_162)[5].z < 0.99f; }\n' \
    >"$folder/table.c"
$target-gcc -std=c11 -Wall -Werror -Iinclude "$folder/table.c" -o "$folder/dll/table.exe" "${shared[@]}"
echo "ok: programs that use the DLLs"

# tree NAME: makes a folder for the program to read.
tree() {
    mkdir -p "$folder/$1/Sub"
    cp samples/tick.md2 "$folder/$1/Sub/tick.md2"
    (cd "$folder/$1" && python3 -c 'import zipfile
z = zipfile.ZipFile("pack.pk3", "w", zipfile.ZIP_DEFLATED)
z.write("Sub/tick.md2")')
}
tree a
expected=$("$folder/here" "$folder/a" | tr -d '\r')
export WINEPREFIX=$folder/wine WINEDEBUG=-all DISPLAY= LC_ALL=C.UTF-8
if [ ! -x "$wine" ] || ! timeout 120 "$wine" wineboot -i >/dev/null 2>&1; then
    echo "skipped: Windows, running: there is no wine64 that starts"
    exit 0
fi
for kind in . dll; do
    tree b
    got=$(timeout 60 "$wine" "$folder/$kind/there.exe" "z:$folder/b" 2>/dev/null | tr -d '\r') || true
    if [ "$got" != "$expected" ]; then
        diff <(echo "$expected") <(echo "$got") || true
        fail "files have different properties there"
    fi
    rm -r "$folder/b"
done
timeout 60 "$wine" "$folder/dll/table.exe" 2>/dev/null || fail "a table of a DLL differs"

# ---- The command ----
printf '#!/bin/sh\nexec %s %s "$@"\n' "$wine" "$folder/build/lerpmesh.exe" >"$folder/run"
chmod +x "$folder/run"
"$LERPMESH_BINARY" convert samples/tick.md2 -o "$folder/here.glb" 2>/dev/null
tree c
at="z:$(tr / '\\' <<<"$folder")"

# wrote PATH: expects the same bytes from a conversion there as here.
wrote() { cmp "$folder/here.glb" "$1" || fail "$1 differs from the native output"; }

"$folder/run" convert 'SAMPLES\tick.md2' -o "$at"'\c\Schön.glb' 2>/dev/null || fail "backslashes and non-ASCII letters"
wrote "$folder/c/Schön.glb"
"$folder/run" convert samples/tick.md2 -o - --format glb >"$folder/stdout.glb" 2>/dev/null || fail "-o - fails"
wrote "$folder/stdout.glb"
long=$(printf '%0100d/%0100d/%0100d' 1 2 3)
"$folder/run" convert samples/tick.md2 -o "z:$folder/c/$long/" 2>"$folder/output" || { cat "$folder/output"; fail "a long path"; }
wrote "$folder/c/$long/tick.glb"
"$folder/run" convert samples/tick.md2 -o "z:$folder/c/$long/" 2>/dev/null && fail "a file on a long path is replaced"
python3 - "$folder/c/devices.pk3" <<'END'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as z:
    for name in "a/con.md2", "a/Nul.x.md2", "a/com1.md2", "a/console.md2":
        z.write("samples/tick.md2", name)
END
"$folder/run" convert "z:$folder/c/devices.pk3" -o "z:$folder/c/out/" 2>"$folder/output" && fail "a device's name is written"
[ "$(grep -ci 'a/\(con\|nul.x\|com1\)\.glb.*Invalid' "$folder/output")" -eq 3 ] || { cat "$folder/output"; fail "devices' names"; }
[ "$(find "$folder/c/out" -type f | wc -l)" -eq 1 ] && [ -f "$folder/c/out/a/console.glb" ] || fail "devices' names: others"
echo "ok: the command and Windows' names"
# One or two programs in thousands fail to start or end under Wine. A second attempt decides, here and for tests.
python3 scripts/compare.py "$LERPMESH_BINARY" "$folder/run" samples ${LERPMESH_CORPUS:+"$LERPMESH_CORPUS"} \
    --again --every "$1" >"$folder/log" 2>&1 ||
    { head -40 "$folder/log"; fail "the command gives different bytes on Windows: $(tail -1 "$folder/log")"; }
echo "ok: the command: $(tail -1 "$folder/log")"
LERPMESH_EACH=13 ctest --test-dir "$folder/build" -j "$(nproc)" --label-exclude script --no-tests=error \
    --repeat until-pass:2 --output-on-failure >"$folder/log" 2>&1 ||
    { grep -E 'ERROR|FAILED|\*\*\*' -A1 "$folder/log" | head -60; fail "tests fail on Windows"; }
echo "ok: Windows: $(grep -c ' Passed ' "$folder/log") programs of core, assets and import"
LERPMESH_BINARY=$folder/run python3 tests/tool/test_crash.py Crash.test_two_writers \
    Crash.test_two_writers_of_single_files >"$folder/log" 2>&1 ||
    { tail -20 "$folder/log"; fail "two simultaneous writers disturb each other on Windows"; }
echo "ok: two writers"
timeout 60 "$wine" wineboot -e >/dev/null 2>&1 || true
echo "ok: files, as wine sees them"
