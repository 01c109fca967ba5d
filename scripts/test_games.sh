#!/usr/bin/env bash
# test_games.sh BUILD JOBS: converts every model of two games with its textures, and validates each result with the glTF
# validator. The games are Debian's openarena-data and ufoai-data; because of their size, this is not part of
# `make test`.
set -euo pipefail
export PYTHONPATH=$PWD/tests/oracle:$PWD/tests/support
build=$1
jobs=$2
tool=$build/release/lerpmesh
games=(/usr/share/games/openarena/baseoa /usr/share/games/ufoai/base)
openarena=${games[0]}
out=$build/games

rm -rf "$out"
failed=0
# convert_archive GAME ARCHIVE: searches all archives of the game for the textures, as the game does.
convert_archive() {
    local name models written textured bare
    models=$("$tool" ls "$2" '*.md[23c]' 2>/dev/null | wc -l || true)
    [ "$models" -gt 0 ] || return 0
    name=$(basename "$2" .pk3)
    "$tool" convert -v --repair "$2" -o "$out/$name/" --game "$1" -j "$jobs" >"$build/games.log" 2>&1 ||
        { grep -v ': wrote ' "$build/games.log" >&2 || true; failed=1; }
    written=$(find "$out/$name" -name '*.glb' | wc -l)
    textured=$(grep -cE 'wrote .*[0-9] textures?' "$build/games.log" || true)
    bare=$(grep -c ' not found (' "$build/games.log" || true)
    echo "$name: $models models, $written converted: $textured with textures, in $bare one or more not found"
    [ "$written" -eq "$models" ] || failed=1
}
for game in "${games[@]}"; do
    compgen -G "$game/*.pk3" >/dev/null || { echo "test-games: $game has no archives" >&2; exit 1; }
    for archive in "$game"/*.pk3; do
        convert_archive "$game" "$archive"
    done
done
LERPMESH_BINARY=$tool python3 tests/tool/test_tags.py "$openarena"/*.pk3 || failed=1
LERPMESH_BINARY=$tool python3 tests/tool/test_sidecars.py "${games[1]}/0models.pk3" || failed=1
LERPMESH_SHARED_LIBRARY=$build/release/liblerpmesh.so \
    LERPMESH_ASSETS_SHARED_LIBRARY=$build/release/liblerpmesh-assets.so \
    python3 tests/assets/shaders/test_scripts.py "$openarena"/*.pk3 || failed=1
LERPMESH_BINARY=$tool python3 tests/support/run_cases.py tests/oracle/test_game_skins.py || failed=1
python3 scripts/games_page.py "$tool" "${games[@]}" >"$out/games.md" || failed=1
diff <(grep '^|' bench/results/games.md) <(grep '^|' "$out/games.md") ||
    { echo "test-games: the tables of bench/results/games.md differ from the current ones in $out/games.md" >&2; failed=1; }
node tests/web/validate_all.mjs "$out" || failed=1
exit $failed
