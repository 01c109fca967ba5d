#!/usr/bin/env python3
"""games_page.py TOOL SHEET GAME...: prints the page docs/games.md for the archives of a game (or of mods and
then their game). It shows how the models' textures were found, gives the reason for each missing one, and
lists the players, assembled from their parts. Writes SHEET, an image of all players, for inspection."""
from __future__ import annotations

import datetime
import json
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

MATCHES = {"name": "found by its name", "script": "found by a shader script", "fallback": "found elsewhere",
           "not-drawn": "not drawn", None: "not found"}
SOURCES = {"model": "the model", "skin-file": "a `.skin` file", "file-name": "the file's name",
           "embedded": "pixels in the file"}


class Game:
    """The archives of some folders, and the command to run on them."""

    def __init__(self, tool: str, folders: list[str]):
        self.tool = tool
        self.options = [word for folder in folders for word in ("--game", folder)]
        self.archives = sorted(str(path) for folder in folders for path in Path(folder).glob("*.pk3"))

    def run(self, verb: str, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([self.tool, verb, *words, *self.options], capture_output=True, text=True,
                              check=False)

    def models(self):
        for archive in self.archives:
            for line in self.run("info", "--json", archive).stdout.splitlines():
                yield json.loads(line)


def reason(texture: dict) -> str:
    if texture.get("shader"):
        return f"the shader at {texture['shader']['script']}:{texture['shader']['line']} has no image"
    if re.match(r"[A-Za-z]:|\\", texture["name"]):
        return "a path on its author's machine"
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
    print(f"## Textures\n\n{len(models)} models name {sum(counts.values())} textures, of which {missed} "
          "were not found.\n")
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


def print_players(game: Game, models: list[dict]) -> list[str]:
    bodies = [model["file"] for model in models if re.search(r"[:/]lower\.md[3c]$", model["file"])]
    players = [body.rsplit("/", 1)[0] for body in bodies]
    print(f"\n## Players\n\n{len(players)} players, each assembled from its parts:\n")
    print("| player | archive | clips | surfaces | without a texture |\n|---|---|---:|---:|---:|")
    for player in players:
        gltf = glb_of(game, player)
        surfaces = [gltf["materials"][primitive["material"]] for mesh in gltf["meshes"]
                    for primitive in mesh["primitives"]]
        bare = [m for m in surfaces if "baseColorTexture" not in m.get("pbrMetallicRoughness", {})]
        archive, inside = player.split(":")
        print(f"| {Path(inside).name} | {Path(archive).name} | {len(gltf.get('animations', []))} | "
              f"{len(surfaces)} | {len(bare)} |")
    return players


def main() -> None:
    tool, sheet, *folders = sys.argv[1:]
    game = Game(tool, folders)
    print("# A whole game\n\nThe textures and players that lerpmesh finds in OpenArena's archives. `make test-games` writes "
          "this page to\n`build/games/games.md`, fails if its tables differ from these, and draws all players on "
          "`build/games/players.png`.\n")
    began = time.monotonic()
    models = list(game.models())
    took, most = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print_textures(models)
    players = print_players(game, models)
    began = time.monotonic()
    done = game.run("render", *players, "--sheet", "-o", sheet)
    drawn = time.monotonic() - began
    print(f"\n## Time and memory\n\nOn {datetime.date.today()}, {os.cpu_count()} processors: `info --json` of all "
          f"{len(game.archives)} archives took {took:.1f} s and at most {most / 1024:.0f} MiB. Drawing the "
          f"{len(players)} players\nwithout a graphics card took {drawn:.1f} s.")
    sys.exit(0 if models and players and done.returncode == 0 else 1)


main()
