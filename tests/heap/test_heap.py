#!/usr/bin/env python3
"""Tests the command on a failing heap. For each k, with only the k-th allocation failing and with all
from the k-th on, a run ends as usual, or with status 1 and a message about it. On heaps with filled
memory and inaccessible pages after each block, outputs are the same.

All k: test_heap.py --all. Otherwise only a sample, different for each command, to keep the run
short."""

import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

from small_files import RED, glb, gltf, make_md2, make_pcx, tga, worn

TOOL = os.environ["LERPMESH_BINARY"]
HEAP = os.environ["LERPMESH_HEAP"]
JOBS = os.cpu_count() or 2
# Without --all, about this many allocations fail in each command.
TRIES = 60

Outcome = collections.namedtuple("Outcome", "status stdout stderr files allocations")

ANIMATION = "\n".join("%d 1 0 10 // %s" % (0, name) for name in
                      ("BOTH_DEATH1", "TORSO_GESTURE", "LEGS_IDLE")).encode()
SCRIPT = b"""models/players/tiny/skin
{
    cull none
    { map models/players/tiny/cloth.tga
      blendFunc blend
      tcMod scroll 1 0 }
}
"""


def md3(name, tags=(), frames=2):
    """A moving triangle and static tags."""
    content = (struct.pack("<3i", 0, 1, 2)
               + struct.pack("<64si", b"models/players/tiny/skin.tga", 0)
               + struct.pack("<6f", 0, 0, 1, 0, 0, 1))
    for i in range(frames):
        content += struct.pack("<12h", 0, 0, i, 0, 64, 0, i, 0, 0, 64, i, 0)
    surface = struct.pack("<4s64s10i", b"IDP3", name, 0, frames, 1, 3, 1, 108, 120, 188, 212,
                          108 + len(content)) + content
    bounds = struct.pack("<10f16s", 0, 0, 0, 1, 1, 1, 0, 0, 0, 2, b"frame") * frames
    places = b"".join(struct.pack("<64s12f", tag, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1)
                      for tag in tags) * frames
    at = 108 + len(bounds)
    return struct.pack("<4si64s9i", b"IDP3", 15, b"m", 0, frames, len(tags), 1, 0, 108, at,
                       at + len(places), at + len(places) + len(surface)) + bounds + places + surface


TREE = {
    "models/players/tiny/lower.md3": md3(b"l_legs", (b"tag_torso",)),
    "models/players/tiny/upper.md3": md3(b"u_torso", (b"tag_torso", b"tag_head", b"tag_weapon")),
    "models/players/tiny/head.md3": md3(b"h_head", (b"tag_head",)),
    "models/players/tiny/lower_default.skin": b"l_legs,models/players/tiny/skin.tga\ntag_torso,\n",
    "models/players/tiny/upper_default.skin": b"u_torso,models/players/tiny/skin\n",
    "models/players/tiny/animation.cfg": ANIMATION,
    "models/players/tiny/cloth.tga": tga(3),
    "models/weapons/gun.md3": md3(b"gun", (b"tag_weapon",)),
    "models/box.md2": make_md2(skins=(b"models/box.tga", b"models/other.tga")),
    "models/box.tga": tga(7),
    "models/broken.md2": make_md2()[:100],
    "models/old/tris.md2": make_md2(skins=(b"players/other/skin.pcx",)),
    "models/old/weapon.md2": make_md2(skins=(b"players/other/weapon.pcx",)),
    "models/old/green.pcx": make_pcx(size=32),
    "models/old/green_i.pcx": make_pcx(size=32),
    "scripts/tiny.shader": SCRIPT,
}
GAME = "game/base"
PLAYER = GAME + "/models/players/tiny"

# Each runs in its own folder, which contains game/ and game.pk3, and writes into out/.
COMMANDS = {
    "info": ["info", "--json", GAME + "/models/box.md2"],
    "info of a player": ["info", PLAYER],
    "info of an archive": ["info", "-j1", "--json", "game.pk3"],
    "info of a guess": ["info", "-v", GAME + "/models/old/tris.md2"],
    "check": ["check", "--json", GAME + "/models/broken.md2", GAME + "/models/box.md2"],
    "examine": ["examine", GAME + "/models/box.md2"],
    "ls": ["ls", "game.pk3"],
    "uv": ["uv", GAME + "/models/box.md2", "-o", "out/box.svg"],
    "glb": ["convert", GAME + "/models/box.md2", "-o", "out/box.glb"],
    "gltf": ["convert", GAME + "/models/box.md2", "-o", "out/box.gltf"],
    "obj": ["convert", GAME + "/models/box.md2", "--frame", "1", "-o", "out/box.obj"],
    "md3": ["convert", GAME + "/models/box.md2", "--fps", "5", "--scale", "2", "-o", "out/box.md3"],
    "mdc": ["convert", PLAYER + "/lower.md3", "-o", "out/lower.mdc"],
    "compare": ["compare", "--tolerance", "1", GAME + "/models/box.md2", PLAYER + "/lower.md3"],
    "player": ["convert", "game.pk3:models/players/tiny", "--attach",
               "tag_weapon=game.pk3:models/weapons/gun.md3", "-o", "out/tiny.glb"],
    "clips": ["convert", GAME + "/models/box.md2", "--clips", PLAYER + "/animation.cfg", "-o",
              "out/box.glb"],
    "game": ["convert", PLAYER, "--game", GAME, "--skin", "default", "-o", "out/tiny.glb"],
    "import": ["convert", "game/robot.glb", "-o", "out/robot.md3"],
    "import of an atlas": ["convert", "game/robot.glb", "-o", "out/robot.md2", "--strips", "fast"],
    "import of what is spelled otherwise": ["convert", "game/beside.glb", "-o", "out/robot.mdc"],
    "import of numbered files": ["convert", "game/walk_{frame}.glb", "--tag", "tag_hand=square", "-o",
                                 "out/walk.md3"],
    "player beside": ["convert", PLAYER, "--player", "-o", "out/tiny.md3"],
    "half beside": ["convert", PLAYER + "/lower.md3", "--player", "-o", "out/lower.md3"],
    "batch": ["convert", "-j1", "game.pk3", "-o", "out/"],
    "folder": ["convert", "-j1", "game", "-o", "out/"],
}


def make_tree(folder):
    for name, data in TREE.items():
        path = folder / GAME / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    images = [{"at": 0, "size": len(RED)}, {"at": 0, "size": len(RED), "name": "other"}]
    (folder / "game/robot.glb").write_bytes(glb(gltf(images, [worn(0), worn(1)], RED)))
    for name in "walk_1", "walk_2":
        shutil.copy(folder / "game/robot.glb", folder / f"game/{name}.glb")
    (folder / "game/red.png").write_bytes(RED)
    images = [{"uri": "RED.PNG"}, {"uri": "none.png"}]
    (folder / "game/beside.glb").write_bytes(glb(gltf(images, [worn(0), worn(1)], b"")))
    with zipfile.ZipFile(folder / "game.pk3", "w") as archive:
        for name, data in TREE.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


class Heap(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        make_tree(self.folder)

    def run_command(self, command, **environment):
        """Returns the results of a run in its own folder with the tree."""
        with tempfile.TemporaryDirectory(dir=self.folder) as place:
            place = pathlib.Path(place)
            (place / "out").mkdir()
            for name in "game", "game.pk3":
                (place / name).symlink_to(self.folder / name)
            done = subprocess.run(
                [TOOL, *COMMANDS[command]], cwd=place, capture_output=True, timeout=60, check=False,
                env={**os.environ, "LD_PRELOAD": HEAP, "HEAP_COUNT": str(place / "count"),
                     **environment})
            files = {str(path.relative_to(place)): path.read_bytes()
                     for path in sorted((place / "out").rglob("*")) if path.is_file()}
            counted = place / "count"
            stderr = re.sub(r"; \d+\.\d s\n", "\n", done.stderr.decode())
            return Outcome(done.returncode, done.stdout, stderr, files,
                           int(counted.read_text()) if counted.exists() else -1)

    def fault_of(self, usual, failing):
        """Returns the faults in a run's result, or nothing."""
        if failing.status == usual.status and failing[1:4] == usual[1:4]:
            return ""
        if failing.status != 1:
            return "status %d" % failing.status
        if "memory" not in failing.stderr:
            return "no word of memory: %r" % failing.stderr
        if not failing.stderr.endswith("\n"):
            return "half a sentence: %r" % failing.stderr
        for name, data in failing.files.items():
            if name not in usual.files:
                return "wrote " + name
            if data != usual.files[name]:
                return "wrote another " + name
        return ""

    def try_all(self, command):
        usual = self.run_command(command)
        self.assertGreater(usual.allocations, 0, command)
        self.assertIn(usual.status, (0, 1), usual.stderr)
        which = range(1, usual.allocations + 1)
        if "--all" not in ARGUMENTS:
            which = which[len(command) % 3::max(1, len(which) // TRIES)]
        runs = [(variable, k) for k in which for variable in ("HEAP_FAIL_AT", "HEAP_FAIL_FROM")]
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            outcomes = pool.map(lambda run: self.run_command(command, **{run[0]: str(run[1])}), runs)
            faults = ["%s=%d lerpmesh %s: %s" % (*run, " ".join(COMMANDS[command]), fault)
                      for run, outcome in zip(runs, outcomes)
                      if (fault := self.fault_of(usual, outcome))]
        self.assertFalse(faults, "%d of %d runs:\n%s" % (len(faults), len(runs), "\n".join(faults)))

    def test_contents(self):
        """Results do not depend on uninitialised memory, and nothing is accessed past its end."""
        for command in COMMANDS:
            with self.subTest(command):
                usual = self.run_command(command)
                for environment in {"HEAP_FILL": "0"}, {"HEAP_FILL": "255"}, {"HEAP_GUARD": "1"}:
                    self.assertEqual(self.run_command(command, **environment), usual, environment)


def add_cases():
    for command in COMMANDS:
        def case(self, command=command):
            self.try_all(command)
        setattr(Heap, "test_failing_" + command.replace(" ", "_"), case)


ARGUMENTS = [argument for argument in sys.argv if argument == "--all"]
add_cases()

if __name__ == "__main__":
    unittest.main(argv=[argument for argument in sys.argv if argument != "--all"], verbosity=1)
