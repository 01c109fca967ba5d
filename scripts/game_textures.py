#!/usr/bin/env python3
"""game_textures.py TOOL GAME...: how the textures of all models in the archives of a game, or of mods and
then their game, were found, as a table in Markdown, and each that was not, with its reason."""
from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

WAYS = {"name": "by its name", "script": "by a shader script", "fallback": "elsewhere", None: "not at all"}
SOURCES = {"model": "the model", "skin-file": "a `.skin` file", "file-name": "the file's name",
           "embedded": "pixels in the file"}


def models(tool: str, games: list[str]):
    places = [word for game in games for word in ("--game", game)]
    for archive in sorted(path for game in games for path in Path(game).glob("*.pk3")):
        done = subprocess.run([tool, "info", "--json", str(archive), *places],
                              capture_output=True, text=True, check=False)
        for line in done.stdout.splitlines():
            yield json.loads(line)


def reason(texture: dict) -> str:
    if texture.get("shader"):
        return f"the shader at {texture['shader']['script']}:{texture['shader']['line']} has no picture"
    if texture["source"] == "skin-file":
        return "a `.skin` file names what is nowhere; the game draws nothing"
    if re.match(r"[A-Za-z]:|\\", texture["name"]):
        return "a path of its author's machine"
    return "neither a picture nor a shader of that name in the game"


def main() -> None:
    tool, games = sys.argv[1], sys.argv[2:]
    counts: Counter = Counter()
    missing: dict[tuple[str, str], list[str]] = {}
    for model in models(tool, games):
        for texture in model.get("textures", []):
            counts[texture["source"], texture["way"]] += 1
            if not texture["way"]:
                path = model["file"].split("/")[-1]
                missing.setdefault((texture["name"], reason(texture)), []).append(path)
    total = sum(counts.values())
    lost = sum(count for (_, way), count in counts.items() if way is None)
    print(f"{total} texture references, {lost} not found\n")
    print("| named by | " + " | ".join(f"found {way}" for way in WAYS.values()) + " |")
    print("|---|" + "---:|" * len(WAYS))
    for source in sorted({source for source, _ in counts}):
        print(f"| {SOURCES.get(source, source)} | "
              + " | ".join(str(counts[source, way]) for way in WAYS) + " |")
    print("\n| not found | in | because |\n|---|---|---|")
    for (name, why), files in sorted(missing.items()):
        print(f"| `{name}` | {', '.join(sorted(set(files)))} | {why} |")
    sys.exit(0 if total else 1)


main()
