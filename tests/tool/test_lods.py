"""convert --decimate and --lods: the numbers of triangles, as the independent oracle counts them, the names of the
files, and rejected uses."""
import os
import shutil
from pathlib import Path

from command import FolderCase
import oracle
from small_files import make_md3

TICK = Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples" / "tick.md2"
ALL = sum(len(surface.triangles) for surface in oracle.load_file(str(TICK)).surfaces)


class Case(FolderCase):
    def setUp(self) -> None:
        super().setUp()
        shutil.copy(TICK, self.folder / "tick.md2")

    def count(self, name: str) -> int:
        model = oracle.load_file(str(self.folder / name))
        self.assertEqual(len(model.frames), len(oracle.load_file(str(TICK)).frames))
        return sum(len(surface.triangles) for surface in model.surfaces)

    def names(self, folder: str = ".") -> set[str]:
        return {path.name for path in (self.folder / folder).iterdir()}

    def test_decimated_triangle_counts(self) -> None:
        for end in "md2", "md3", "mdc", "mdl":
            self.convert("tick.md2", "-o", "x." + end, "--decimate", "300")
            self.assertEqual(self.count("x." + end), 300)
        self.convert("tick.md2", "-o", "x.md3", "--decimate", "25%")
        self.assertEqual(self.count("x.md3"), ALL // 4)
        self.convert("tick.md2", "-o", "x.md3", "--decimate", "100000")
        self.assertEqual(self.count("x.md3"), ALL)
        self.assertEqual(self.names(), {"tick.md2", "x.md2", "x.md3", "x.mdc", "x.mdl"})

    def test_unreachable_targets_are_reported(self) -> None:
        errors = self.convert("tick.md2", "-o", "x.md3", "--decimate", "1")
        left = self.count("x.md3")
        self.assertGreater(left, 1)
        self.assertIn(f"{left} triangles remain instead of 1: removing more would tear", errors)

    def test_levels_get_no_levels(self) -> None:
        """A level of a model next to it gets none, whichever game names it. Other names with numbers do."""
        for name in "tick_1.md2", "tick-lod02.md2", "robot_1.md2", "tick_10.md2", "ticklod01.md2":
            shutil.copy(TICK, self.folder / name)
        (self.folder / "out").mkdir()
        for name in "tick_1", "tick-lod02":
            errors = self.convert(name + ".md2", "-o", f"out/{name}.md3", "--lods", "2")
            self.assertIn(name + " is a level of detail itself, and gets none", errors)
        self.assertEqual(self.names("out"), {"tick_1.md3", "tick-lod02.md3"})
        for name, out in ("robot_1", "robot_1"), ("tick_10", "tick_10"), ("ticklod01", "ticklod01"), ("tick_1", "other"):
            self.convert(name + ".md2", "-o", f"out/{out}.md3", "--lods", "1")
            self.assertIn(out + "_1.md3", self.names("out"))

    def test_lods_are_written(self) -> None:
        errors = self.convert("tick.md2", "-o", "lower.md3", "--lods", "2")
        self.assertEqual(self.names(), {"tick.md2", "lower.md3", "lower_1.md3", "lower_2.md3"})
        self.assertEqual([self.count(f"lower{end}.md3") for end in ("", "_1", "_2")], [ALL, ALL // 2, ALL // 4])
        self.assertIn(f"lower_2.md3 has {ALL // 4} of {ALL} triangles", errors)
        self.convert("tick.md2", "-o", "half.md2", "--decimate", "50%", "--lods", "1", "-q")
        self.assertEqual([self.count("half.md2"), self.count("half_1.md2")], [ALL // 2, ALL // 4])

    def test_lods_of_a_folder(self) -> None:
        (self.folder / "in" / "deep").mkdir(parents=True)
        for name in "in/a.md2", "in/deep/b.md2":
            shutil.copy(TICK, self.folder / name)
        self.convert("in", "-o", "out/", "--format", "mdc", "--lods", "1")
        self.assertEqual(self.names("out"), {"a.mdc", "a_1.mdc", "deep"})
        self.assertEqual(self.names("out/deep"), {"b.mdc", "b_1.mdc"})
        before = (self.folder / "out/a.mdc").read_bytes()
        (self.folder / "out/a.mdc").unlink()
        (self.folder / "out/a_1.mdc").write_bytes(b"mine")
        errors = self.convert("in/a.md2", "-o", "out/", "--format", "mdc", "--lods", "1", status=1)
        self.assertIn("out/a_1.mdc exists", errors)
        self.assertNotIn("a.mdc", self.names("out"))
        self.convert("in/a.md2", "-o", "out/", "--format", "mdc", "--lods", "1", "--force")
        self.assertEqual((self.folder / "out/a.mdc").read_bytes(), before)

    def test_levels_among_the_inputs_are_kept(self) -> None:
        """In a batch, only the missing levels are made, in any order of work."""
        (self.folder / "in").mkdir()
        for name in "head.md2", "head_1.md2", "far.md2", "far-lod01.md2", "far-lod02.md2":
            shutil.copy(TICK, self.folder / "in" / name)
        for force in (), ("--force",):
            for jobs in "-j1", "-j8":
                shutil.rmtree(self.folder / "out", ignore_errors=True)
                self.convert("in", "-o", "out/", "--format", "mdc", "--lods", "2", jobs, *force)
                self.assertEqual(self.names("out"), {"head.mdc", "head_1.mdc", "head_2.mdc", "far.mdc", "far-lod01.mdc",
                                                     "far-lod02.mdc"})
                self.assertEqual(self.count("out/head_1.mdc"), ALL)
                self.assertEqual(self.count("out/head_2.mdc"), ALL // 4)
        for name in "far.md2", "far-lod01.md2", "far-lod02.md2":
            (self.folder / "in" / name).unlink()
        (self.folder / "in" / "head_1.md2").rename(self.folder / "in" / "head_1x.md2")
        self.convert("in", "-o", "other/", "--format", "mdc", "--lods", "1")
        self.assertEqual(self.names("other"), {f"head{end}.mdc" for end in ("", "_1", "_1x", "_1x_1")})

    def test_lods_of_a_gltf(self) -> None:
        self.convert("tick.md2", "-o", "x.glb")
        done = self.call("convert", "x.glb", "-o", "y.md3", "--lods", "1", status=None)
        if "reads no glTF" in done.stderr:
            return
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.names(), {"tick.md2", "x.glb", "y.md3", "y_1.md3"})

    def test_limit_messages_suggest_a_remedy(self) -> None:
        """More vertices than GLQuake loads: many single triangles, as an MD3."""
        count = 400
        vertices = [(i % 40 * 64, i // 40 * 64, i % 3 * 64, 0) for i in range(3 * count)]
        (self.folder / "field.md3").write_bytes(make_md3([(
            b"field", b"", [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(count)], [(0, 0)] * len(vertices), vertices)]))
        errors = self.convert("field.md3", "-o", "x.mdl", "--engine", "glquake", status=1)
        self.assertIn("glquake loads at most 1024", errors)
        self.assertIn("(--decimate N simplifies it)", errors)
        self.assertNotIn("x.mdl", self.names())
