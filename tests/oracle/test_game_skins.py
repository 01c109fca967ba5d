"""Compares the skins and maps that `info` finds for a whole game with a reading of its own: the rule of UFO: Alien
Invasion's renderer (R_AliasModelGetSkin and R_FindImage), applied to the list of the archive's files and the bytes of
the models."""
import functools
import json
import os
import posixpath
import re
import struct
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

import skipping

ARCHIVE = Path(os.environ.get("LERPMESH_GAME_MODELS") or "/usr/share/games/ufoai/base/0models.pk3")
TOOL = os.environ.get("LERPMESH_BINARY", "lerpmesh")
TYPES = ".png", ".jpg"
MAPS = {"normal": "_nm", "emissive": "_gm", "specular": "_sm", "roughness": "_rm"}


def skins_of(data: bytes) -> list[str]:
    count, start = struct.unpack_from("<i", data, 20)[0], struct.unpack_from("<i", data, 44)[0]
    fields = (data[start + 64 * i:start + 64 * i + 64] for i in range(count))
    return [field.split(b"\0")[0].decode("latin-1") for field in fields]


class Game:
    """The files of an archive, found like the game's: by their exact names."""

    def __init__(self, archive: zipfile.ZipFile):
        self.files = {name for name in archive.namelist() if not name.endswith("/")}
        self.skins = {name: skins_of(archive.read(name)) for name in sorted(self.files) if name.endswith(".md2")}

    def image(self, stem: str) -> str | None:
        return next((stem + end for end in TYPES if stem + end in self.files), None)

    def skin(self, model: str, name: str) -> tuple[str | None, dict[str, str]]:
        path = posixpath.join(posixpath.dirname(model), name[1:]) if name[:1] == "." else name
        stem = posixpath.splitext(path)[0]
        found = self.image(stem)
        maps = {what: self.image(stem + end) for what, end in MAPS.items()} if found else {}
        return found, {what: path for what, path in maps.items() if path}


def told(line: dict) -> dict[str, tuple[str | None, dict[str, str]]]:
    """Returns the image and the maps of each texture name of a model, as paths in the archive."""
    def inside(path):
        return path.split(":", 1)[1] if path else None
    return {texture["name"]: (inside(texture["found"]),
                              {what: inside(path) for what, path in texture.get("maps", {}).items()})
            for texture in line["textures"]}


@functools.cache
def read_all() -> tuple[Game, dict[str, dict]]:
    """Returns the game, and what `info` prints about each model."""
    with zipfile.ZipFile(ARCHIVE) as archive:
        game = Game(archive)
    done = subprocess.run([TOOL, "info", "--repair", "--json", str(ARCHIVE)], capture_output=True, text=True,
                          check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return game, {line["file"].split(":", 1)[1]: line for line in lines}


class GameSkins(unittest.TestCase):
    def setUp(self):
        if not ARCHIVE.is_file():
            skipping.skip(self, f"there is no {ARCHIVE} (ufoai-data)")
        self.game, self.models = read_all()

    def test_every_skin_and_map_is_found(self):
        counts = {"names": 0, "found": 0, "maps": 0}
        self.assertGreater(len(self.game.skins), 0)
        self.assertEqual(set(self.models), set(self.game.skins))
        for model, names in self.game.skins.items():
            self.assertNotIn("error", self.models[model], model)
            expected = {name: self.game.skin(model, name) for name in names}
            self.assertEqual(told(self.models[model]), expected, model)
            counts["names"] += len(names)
            counts["found"] += sum(expected[name][0] is not None for name in names)
            counts["maps"] += sum(len(expected[name][1]) for name in names)
        print(f"{len(self.models)} models, {counts['names']} skins: {counts['found']} found, {counts['maps']} maps",
              file=sys.stderr)

    def test_the_engine_rejects_the_models_without_an_image(self):
        """The game's own models have no other fault."""
        absent = {model: {name for name in names if not self.game.skin(model, name)[0]}
                  for model, names in self.game.skins.items()}
        done = subprocess.run([TOOL, "check", "--engine", "ufoai", "--json", str(ARCHIVE)], capture_output=True,
                              text=True, check=False)
        errors = {}
        for line in map(json.loads, done.stdout.splitlines()):
            errors[line["file"].split(":", 1)[1]] = [p for p in line["problems"] if p["severity"] == "error"]
        self.assertEqual(set(errors), set(absent))
        for model, names in absent.items():
            self.assertEqual(len(errors[model]), int(bool(names)), errors[model])
            for error in errors[model]:
                self.assertEqual(error["code"], "engine-file")
                self.assertTrue(len(names) > 4 or set(re.findall('"(.*?)"', error["message"])) == names, error)
        print(sum(map(bool, absent.values())), "models rejected", file=sys.stderr)

    def test_nothing_is_guessed_and_no_map_is_worn(self):
        maps = {stem + end + kind for name in self.game.files for stem, kind in [posixpath.splitext(name)]
                for end in MAPS.values() if kind in TYPES}
        worn = [texture for line in self.models.values() for texture in line.get("textures", []) if texture["found"]]
        self.assertGreater(len(worn), 0)
        self.assertEqual({texture["source"] for texture in worn}, {"model"})
        self.assertFalse({texture["found"].split(":", 1)[1] for texture in worn} & maps)
