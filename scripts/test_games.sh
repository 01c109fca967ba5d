#!/usr/bin/env bash
# test_games.sh BUILD JOBS: converts every model of a game with its textures, and validates each result with the glTF
# validator. The game is Debian's openarena-data; because of its size, this is not part of `make test`.
set -euo pipefail
export PYTHONPATH=$PWD/tests/oracle:$PWD/tests/support
build=$1
jobs=$2
tool=$build/release/lerpmesh
game=/usr/share/games/openarena/baseoa
out=$build/games

# Searches all archives for the textures of each, as in the game.
games=(--game "$game")
compgen -G "$game/*.pk3" >/dev/null || { echo "test-games: $game has no archives" >&2; exit 1; }

rm -rf "$out"
failed=0
for archive in "$game"/*.pk3; do
    models=$("$tool" ls "$archive" '*.md[23c]' 2>/dev/null | wc -l || true)
    [ "$models" -gt 0 ] || continue
    name=$(basename "$archive" .pk3)
    "$tool" convert -v "$archive" -o "$out/$name/" "${games[@]}" -j "$jobs" >"$build/games.log" 2>&1 ||
        { grep -v ': wrote ' "$build/games.log" >&2 || true; failed=1; }
    written=$(find "$out/$name" -name '*.glb' | wc -l)
    textured=$(grep -cE 'wrote .*[0-9] textures?' "$build/games.log" || true)
    bare=$(grep -c ' not found (' "$build/games.log" || true)
    echo "$name: $models models, $written converted: $textured with textures, in $bare one or more not found"
    [ "$written" -eq "$models" ] || failed=1
done
LERPMESH_BINARY=$tool python3 tests/tool/test_tags.py "$game"/*.pk3 || failed=1
ufoai=/usr/share/games/ufoai/base/0models.pk3
if [ -e "$ufoai" ]; then
    LERPMESH_BINARY=$tool python3 tests/tool/test_sidecars.py "$ufoai" || failed=1
else
    echo "test-games: left out: there is no $ufoai (ufoai-data)"
fi
LERPMESH_SHARED_LIBRARY=$build/release/liblerpmesh.so \
    LERPMESH_ASSETS_SHARED_LIBRARY=$build/release/liblerpmesh-assets.so \
    python3 tests/assets/shaders/test_scripts.py "$game"/*.pk3 || failed=1
python3 scripts/games_page.py "$tool" "$out/players.png" "$game" >"$out/games.md" || failed=1
diff <(grep '^|' docs/games.md) <(grep '^|' "$out/games.md") ||
    { echo "test-games: the tables of docs/games.md differ from the current ones in $out/games.md" >&2; failed=1; }
node tests/web/validate_all.mjs "$out" || failed=1
exit $failed
