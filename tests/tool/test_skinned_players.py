"""three.js, Blender and Godot play skinned files with correctives as the oracle evaluates them, at frames and between."""
import json
import os
import pathlib
import shutil
import subprocess

import bake
import godot
import skipping
from tool_case import PLAYER, SOURCE, ToolTest

from test_skeleton import Cached

TESTS = pathlib.Path(SOURCE) / "tests"
TIMES = [frame / 24 for frame in (0, 0.5, 1, 2.3, 3, 4.5)]
ALLOWED = 1e-4  # of the size
LOOSE = 2e-2
# Godot samples animations when it imports a file, by default at 15 per second, and drops what seems to be between.
GODOT_IMPORT = """[remap]
importer="scene"
type="PackedScene"
[params]
animation/fps=24
animation/optimizer/enabled=false
"""


class Players(ToolTest):
    def setUp(self):
        super().setUp()
        self.convert(PLAYER, "-o", "a.glb", "--skeleton", "--correctives", "6", "--clip", "run", "--for", "blender",
                     "--speed", "2.4")  # Godot and Blender have 24 frames per second
        gltf = bake.read_glb(self.read("a.glb"), Cached)
        self.assertIn("targets", gltf.document["meshes"][0]["primitives"][0])
        node = next(i for i, n in enumerate(gltf.document["nodes"]) if "mesh" in n)
        primitive = gltf.document["meshes"][gltf.document["nodes"][node]["mesh"]]["primitives"][0]
        animation = gltf.document["animations"][0]
        self.wanted = [gltf.vertices(node, primitive, *gltf.pose(animation, time)) for time in TIMES]

    def check(self, found, loose=()):
        size = max(abs(x) for p in self.wanted[0] for x in p)
        for time, wanted, poses in zip(TIMES, self.wanted, found):
            self.assertEqual(len(wanted), len(poses))
            most = max(abs(a - b) for p, q in zip(wanted, poses) for a, b in zip(p, q))
            self.assertLess(most, (LOOSE if time in loose else ALLOWED) * size, time)

    def blender(self, *arguments):
        if not shutil.which("blender"):
            skipping.skip(self, "there is no Blender")
        done = subprocess.run(["blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python",
                               str(TESTS / "blender/play_skinned.py"), "--", *arguments], cwd=self.folder,
                              env={**os.environ, "PATH": os.defpath},  # Debian's Python has the numpy of its Blender
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])

    def test_three(self):
        if not shutil.which("node") or not os.path.isdir(TESTS / "web/node_modules/three"):
            skipping.skip(self, "there is no three.js: make node-modules")
        done = subprocess.run(["node", str(TESTS / "web/play_skinned.mjs"), self.path("a.glb"), *map(str, TIMES)],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check(json.loads(done.stdout))

    def test_godot(self):
        godot.need(self)
        project = pathlib.Path(self.folder) / "game"
        project.mkdir()
        shutil.move(self.path("a.glb"), project)
        shutil.copy(TESTS / "engines/play_skinned.gd", project)
        (project / "project.godot").write_text("config_version=4\n", encoding="utf-8")
        (project / "a.glb.import").write_text(GODOT_IMPORT, encoding="utf-8")
        godot.import_files(project, 1)
        log = godot.run(project, "-s", "play_skinned.gd", "--", "a.json", *map(str, TIMES))
        self.assertTrue((project / "a.json").exists(), log)
        self.check(json.loads((project / "a.json").read_text(encoding="utf-8")))

    def test_blender(self):
        self.blender("a.glb", "a.json", *map(str, TIMES))
        self.check(json.loads(self.read("a.json")), loose=TIMES[3:4])  # it interpolates quaternions linearly

    def test_blender_saves_it_again(self):
        """The file that Blender saved becomes a model near the first. Blender writes 24 keys per second."""
        self.blender("a.glb", "again.glb")
        self.convert("a.glb", "-o", "first.md3", "--fps", "24")
        self.convert("again.glb", "-o", "again.md3", "--fps", "24")
        told = self.run_json("compare", "--json", "first.md3", "again.md3")[0]
        self.assertLess(told["rms_distance"], 0.05)
