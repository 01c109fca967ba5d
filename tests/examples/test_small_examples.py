"""Checks the examples for vertex buffers, a program's own storage, edits and foreign languages, on samples that the
independent oracle reads, too. Each rejects a file that is no model."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import oracle

SOURCE = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
PROGRAMS = pathlib.Path(os.environ["LERPMESH_PLAYER"]).parent
TICK = SOURCE / "samples" / "tick.md2"


class Examples(unittest.TestCase):
    def run_words(self, *words: object, status: int = 0) -> str:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout if status == 0 else done.stderr

    def example(self, name: str, *words: object, status: int = 0) -> str:
        return self.run_words(PROGRAMS / f"example-{name}", *words, status=status)

    def foreign(self, *words: object, status: int = 0) -> str:
        return self.run_words(sys.executable, SOURCE / "examples" / "foreign.py", os.environ["LERPMESH_SHARED_LIBRARY"],
                              *words, status=status)

    def test_rows(self) -> None:
        for path in TICK, SOURCE / "samples" / "tick_torch.mdl":
            model = oracle.load_file(str(path))
            corners = [corner for triangle in model.pose(0.0, None).surfaces[0].triangles for corner in triangle]
            found = re.search(r"vertex 0: (\S+) (\S+) (\S+), normal (\S+) (\S+) (\S+), st (\S+) (\S+)",
                              self.example("rows", path))
            vertex = [float(number) for number in found.groups()]  # type: ignore
            self.assertTrue(any(all(abs(a - b) < 1e-3 for a, b in zip(vertex, (*c.position, *c.normal, *c.texcoord)))
                                for c in corners), vertex)
        self.assertIn("only MD2 and MDL", self.example("rows", SOURCE / "samples" / "tick_head.mdc", status=1))

    def test_rename(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "new.md2")
            changes = self.example("rename", TICK, out, "players/", "heroes/", "run=stroll")
            before, after = oracle.load_file(str(TICK)), oracle.load_file(out)
            self.assertEqual([path.replace("players/", "heroes/") for path in before.skins], list(after.skins))
            self.assertIn("heroes/", changes)
            self.assertTrue(any(frame.name.startswith("stroll") for frame in after.frames))
            self.assertEqual(len(TICK.read_bytes()), os.path.getsize(out))
            self.assertIn("no clip", self.example("rename", TICK, out, "players/", "heroes/", "fly=x", status=1))

    def test_storage(self) -> None:
        text = self.example("storage", TICK, SOURCE / "samples" / "tick.pcx")
        self.assertRegex(text, r"^(\d+) frames, 1 textures, peak [1-9]\d* bytes\n0 bytes left\n$")
        self.assertEqual(int(text.split()[0]), len(oracle.load_file(str(TICK)).frames))
        self.example("storage", SOURCE / "README.md", SOURCE / "samples" / "tick.pcx", status=1)

    @unittest.skipUnless("LERPMESH_SHARED_LIBRARY" in os.environ, "there is no shared library")
    def test_foreign(self) -> None:
        model = oracle.load_file(str(TICK))
        text = self.foreign(TICK)
        self.assertIn(f"{len(model.frames)} frames, 1 surfaces, 0 tags,", text)
        positions = [corner.position for triangle in model.pose(0.0, None).surfaces[0].triangles for corner in triangle]
        box = [float(number) for number in re.findall(r"-?\d+\.\d+", text)]
        for axis in range(3):
            self.assertAlmostEqual(box[axis], min(p[axis] for p in positions), places=3)
            self.assertAlmostEqual(box[3 + axis], max(p[axis] for p in positions), places=3)
        self.foreign(SOURCE / "README.md", status=1)


if __name__ == "__main__":
    unittest.main()
