#!/usr/bin/env python3
"""games_page.py TOOL GAME...: prints the page bench/results/games.md for games, each the folder of its archives. It shows
how the models' textures were found, gives the reason for each missing one, and lists the players, assembled from
their parts."""
from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

MATCHES = {"name": "found by its name", "script": "found by a shader script", "fallback": "found elsewhere",
           "not-drawn": "not drawn", None: "not found"}
SOURCES = {"model": "the model", "skin-file": "a `.skin` file", "file-name": "the file's name",
           "embedded": "pixels in the file", "guess": "a guess"}
TITLES = {"openarena": "OpenArena", "ufoai": "UFO: Alien Invasion"}


class Game:
    """The archives of a folder, and the command to run on them."""

    def __init__(self, tool: str, folder: str):
        self.tool = tool
        self.name = Path(folder).parent.name
        self.title = TITLES.get(self.name, self.name)
        self.options = ["--game", folder]
        self.archives = sorted(str(path) for path in Path(folder).glob("*.pk3"))

    def run(self, verb: str, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([self.tool, verb, *words, *self.options], capture_output=True, text=True,
                              check=False)

    def models(self):
        for archive in self.archives:
            lines = map(json.loads, self.run("info", "--json", "--repair", archive).stdout.splitlines())
            yield from (line for line in lines if "format" in line)


def reason(texture: dict) -> str:
    if texture.get("shader"):
        return f"the shader at {texture['shader']['script']}:{texture['shader']['line']} has no image"
    if re.match(r"[A-Za-z]:|\\", texture["name"]):
        return "a path on its author's machine"
    if texture["name"].startswith("."):
        return "there is no such image in the model's folder"
    return "the game has neither an image nor a shader of that name"


def print_textures(models: list[dict]) -> None:
    counts: Counter = Counter()
    missing: dict[tuple[str, str], set[str]] = {}
    for model in models:
        for texture in model.get("textures", []):
            counts[texture["source"], texture["match"]] += 1
            if not texture["match"]:
                name = model["file"].split("/")[-1]
                missing.setdefault((texture["name"], reason(texture)), set()).add(name)
    missed = sum(count for (_, match), count in counts.items() if match is None)
    guessed = sum(count for (source, _), count in counts.items() if source == "guess")
    maps = sum(len(texture.get("maps", {})) for model in models for texture in model.get("textures", []))
    print(f"### Textures\n\n{len(models)} models name {sum(counts.values())} textures, of which {missed} "
          f"were not found and {guessed} were guessed.\nThe images have {maps} maps.\n")
    print("| named by | " + " | ".join(MATCHES.values()) + " |")
    print("|---|" + "---:|" * len(MATCHES))
    for source in sorted({source for source, _ in counts}):
        print(f"| {SOURCES.get(source, source)} | "
              + " | ".join(str(counts[source, match]) for match in MATCHES) + " |")
    print("\n| not found | in | reason |\n|---|---|---|")
    for (name, why), files in sorted(missing.items()):
        print(f"| `{name}` | {', '.join(sorted(files))} | {why} |")


def glb_of(game: Game, player: str) -> dict:
    """Converts a player to glTF and returns its JSON."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "player.glb")
        done = game.run("convert", player, "-o", path)
        if done.returncode != 0:
            raise SystemExit(f"{player}: {done.stderr}")
        data = Path(path).read_bytes()
    return json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])


def print_players(game: Game, models: list[dict]) -> None:
    bodies = [model["file"] for model in models if re.search(r"[:/]lower\.md[3c]$", model["file"])]
    players = [body.rsplit("/", 1)[0] for body in bodies]
    if not players:
        return
    print(f"\n### Players\n\n{len(players)} players, each assembled from its parts:\n")
    print("| player | archive | clips | surfaces | without a texture |\n|---|---|---:|---:|---:|")
    for player in players:
        gltf = glb_of(game, player)
        surfaces = [gltf["materials"][primitive["material"]] for mesh in gltf["meshes"]
                    for primitive in mesh["primitives"]]
        bare = [m for m in surfaces if "baseColorTexture" not in m.get("pbrMetallicRoughness", {})]
        archive, inside = player.split(":")
        print(f"| {Path(inside).name} | {Path(archive).name} | {len(gltf.get('animations', []))} | "
              f"{len(surfaces)} | {len(bare)} |")


def main() -> None:
    tool, *games = sys.argv[1:]
    print("# Whole games\n\nThe textures and players that lerpmesh finds in the archives of games. `make test-games` "
          "writes this page to\n`build/games/games.md`, and fails if its tables differ from these.\n")
    for game in (Game(tool, folder) for folder in games):
        print(f"## {game.title}\n")
        models = list(game.models())
        if not models:
            sys.exit(f"{game.title}: there are no models")
        print_textures(models)
        print_players(game, models)
        print()


main()
