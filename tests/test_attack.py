"""Files that somebody made to do harm, which the corpus has in attack/, and the command: what once
took seconds takes none, and what chance decided is the same in every run."""
from __future__ import annotations

import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "oracle"))
import finding
import skipping

TOOL = os.environ["LERPMESH_BINARY"]
ATTACK = finding.corpus_dir() / "attack"
# Each of these would have taken four times as long or more, and takes a twentieth.
SECONDS = 2


class Attacks(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def attack(self, name: str) -> pathlib.Path:
        if not (ATTACK / name).exists():
            skipping.skip(self, f"there is no attack/{name}")
        return ATTACK / name

    def run_tool(self, *arguments: object, expected: int = 0, **environment: str) -> str:
        """Runs the command with SECONDS of the processor's time, however busy the machine is."""
        done = subprocess.run(
            [TOOL, *map(str, arguments)], capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL, env={**os.environ, **environment},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)))
        self.assertEqual(done.returncode, expected,
                         f"{arguments[0]} {arguments[1]}, in {SECONDS} s: {done.stderr[-400:]}")
        return done.stdout

    def copies(self, name: str, count: int) -> list[pathlib.Path]:
        original = self.attack(name)
        return [shutil.copy(original, self.folder / f"{i}-{name}") for i in range(count)]

    def test_names_of_clips_that_collide(self) -> None:
        self.run_tool("info", "-j1", *self.copies("02-hashdos-clipnames.md2", 4))

    def test_names_of_members_that_collide(self) -> None:
        name = "04-physfs-collisions-16000.pk3"
        self.assertEqual(self.run_tool("ls", self.attack(name)).count("\n"), 16000)
        # There is no model in it, which is told.
        self.run_tool("info", "-j1", *self.copies(name, 20), expected=1)

    def test_views_of_pictures_in_files(self) -> None:
        """A .gltf beside its pictures has views of nothing but its numbers, whatever fresh memory
        holds."""
        model = self.attack("07-gltf-textures") / "t.md3"
        filler = self.folder / "filler.so"
        subprocess.run(["cc", "-w", "-shared", "-fPIC", "-o", filler,
                        self.attack("07-zero-filling-malloc.c")], check=True)
        written = []
        for byte in "0", "1", "165":
            self.run_tool("convert", model, "-o", self.folder / "o.gltf", LD_PRELOAD=str(filler),
                          ZFILL=byte)
            written.append((self.folder / "o.gltf").read_text(encoding="utf-8"))
        self.assertEqual(written, written[:1] * 3)
        gltf = json.loads(written[0])
        self.assertEqual(sorted(image["uri"] for image in gltf["images"]),
                         [f"o_f{i}.png" for i in range(4)])
        self.assertEqual({accessor["bufferView"] for accessor in gltf["accessors"]},
                         set(range(len(gltf["bufferViews"]))))
        for view in gltf["bufferViews"]:
            self.assertGreater(view["byteLength"], 0)
            self.assertLessEqual(view.get("byteOffset", 0) + view["byteLength"],
                                 gltf["buffers"][view["buffer"]]["byteLength"])


if __name__ == "__main__":
    unittest.main()
