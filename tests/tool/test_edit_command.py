"""Edits models with `lerpmesh edit` and reads the results with the independent oracle. The subject of the edit changed,
and everything else is unchanged, to the byte if no size changed.

Environment: LERPMESH_TOOL (the command), LERPMESH_CORPUS, ASSIMP_MODELS.
"""
import json
import math
import os
import random
import re
import shutil
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

from command import TOOL, call
import corpus
import make_models
import oracle

FORMATS = ("md2", "md3", "mdc", "mdl")
SEED = 23
GENERATED = 10


def run(*arguments: object, status: int = 0) -> subprocess.CompletedProcess[str]:
    return call("edit", *arguments, status=status)


def shown(model: oracle.Model, frame: int, surface: int) -> list:
    """Returns everything that a surface shows in a frame."""
    pose = model.pose(float(frame))
    return [(c.position, c.normal, c.texcoord) for t in pose.surfaces[surface].triangles for c in t]


def paths(model: oracle.Model) -> list[str]:
    return [*model.skins, *(name for surface in model.surfaces for name in surface.shaders)]


def read(path: Path) -> oracle.Model:
    return oracle.load(path.read_bytes())


class Edits(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp())
        cls.out = cls.folder / "out"
        cls.models = corpus.real_models(FORMATS) + corpus.sample_models(FORMATS)
        for index in range(GENERATED):
            for kind in FORMATS:
                data, _ = make_models.make_model(kind, SEED, index)
                path = cls.folder / f"made{index}.{kind}"
                path.write_bytes(data)
                cls.models.append(path)
                if kind == "mdl":
                    cls.models.append(path.with_name(f"rapo{index}.mdl"))
                    cls.models[-1].write_bytes(make_models.rapo_of(data, random.Random(index)))

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.folder)

    def edit(self, path: Path, *options: str) -> tuple[oracle.Model, oracle.Model, bytes, bytes]:
        out = self.folder / ("out" + path.suffix)
        run(path, "-o", out, *options)
        return read(path), read(out), path.read_bytes(), out.read_bytes()

    def test_only_paths_change(self) -> None:
        changed = 0
        for path in self.models:
            with self.subTest(path=path.name):
                before, after, old, new = self.edit(path, "--path", "s/^./~/")
                self.assertEqual([p and "~" + p[1:] for p in paths(before)], paths(after))
                self.assertEqual(len(old), len(new))
                different = [i for i in range(len(old)) if old[i] != new[i]]
                # A path's first byte, and the bytes after its NUL.
                for at in different:
                    self.assertIn(new[at], (0, ord("~")))
                self.assertLessEqual(sum(new[at] == ord("~") for at in different), len(paths(before)))
                changed += bool(different)
        self.assertGreater(changed, 20)

    def test_selected_frames_stay_identical(self) -> None:
        rng = random.Random(SEED)
        for path in self.models:
            with self.subTest(path=path.name):
                count = len(read(path).frames)
                picked = [rng.randrange(count) for _ in range(rng.randint(1, 6))]
                before, after, _, _ = self.edit(path, "--order", "frames:" + ",".join(map(str, picked)))
                self.assertEqual([before.frames[i] for i in picked], after.frames)
                self.assertEqual(before.tag_names, after.tag_names)
                for new, old in enumerate(picked[:3]):
                    for surface in range(len(before.surfaces)):
                        self.assertEqual(shown(before, old, surface), shown(after, new, surface))
                    for tag in range(len(before.tag_names)):
                        self.assertEqual(before.tag(old, tag, None), after.tag(new, tag, None))

    def test_surfaces_and_tags_are_dropped(self) -> None:
        met = 0
        for path in self.models:
            before = read(path)
            if path.suffix not in (".md3", ".mdc") or len(before.surfaces) < 2 or not before.tag_names:
                continue
            with self.subTest(path=path.name):
                before, after, _, _ = self.edit(path, "--drop", "surfaces:0", "--drop", "tags:0")
                self.assertEqual([s.name for s in before.surfaces[1:]], [s.name for s in after.surfaces])
                self.assertEqual(before.tag_names[1:], after.tag_names)
                self.assertEqual(before.frames, after.frames)
                for surface in range(len(after.surfaces)):
                    self.assertEqual(shown(before, 0, surface + 1), shown(after, 0, surface))
                met += 1
        self.assertGreaterEqual(met, 3)

    def test_transforms_are_applied(self) -> None:
        """Scaled, rotated and moved by the command, and here."""
        looked = 0
        for path in self.models:
            before = read(path)
            if not before.surfaces or (path.suffix == ".md2" and path.name.startswith("made")):
                continue  # generated MD2s have bytes after their frames
            options = ["--rotate", "90", "--move", "8,-4,0.5"] + ([] if path.suffix == ".mdc" else ["--scale", "0.5"])
            with self.subTest(path=path.name):
                out = self.folder / ("out" + path.suffix)
                done = call("edit", path, "-o", out, "--round", *options, status=None)
                if done.returncode:
                    self.assertIn("the format stores", done.stderr)
                    continue
                after, looked = read(out), looked + 1
                scale = 1.0 if path.suffix == ".mdc" else 0.5
                for frame in {0, len(before.frames) - 1}:
                    for surface in range(len(before.surfaces)):
                        for old, new in zip(shown(before, frame, surface), shown(after, frame, surface)):
                            (x, y, z), normal, st = old
                            wanted = (scale * (8 - y), scale * (x - 4), scale * (z + 0.5))
                            room = 0.06 if path.suffix == ".mdc" else 0.009 if path.suffix == ".md3" else 1e-4 * (1 + max(map(abs, wanted)))
                            for a, b in zip(wanted, new[0]):
                                self.assertLessEqual(abs(a - b), room)
                            turned = (-normal[1], normal[0], normal[2])
                            if any(normal):
                                self.assertGreater(sum(a * b for a, b in zip(turned, new[1])), 0.95)
                            self.assertEqual(st, new[2])
        self.assertGreater(looked, 20)

    def test_reencoding(self) -> None:
        """A rotation by 30 degrees and half the size: this needs encoding all frames again."""
        half, cosine, sine = 0.5, 0.5 * math.cos(math.pi / 6), 0.5 * math.sin(math.pi / 6)
        for kind in FORMATS:
            path = next(p for p in self.models if p.suffix == "." + kind and read(p).surfaces)
            with self.subTest(path=path.name):
                out = self.folder / ("out." + kind)
                report = json.loads(run(path, "-o", out, "--reencode", "--scale", "0.5", "--rotate", "30", "--json").stdout)
                texts = [c["after"] for c in report["changes"] if c["what"] == "encoding"]
                most = sum(float(re.search(r"maximum error (\S+) units", text)[1]) for text in texts)
                before, after = read(path), read(out)
                # Triangles may have another order: each corner has a near counterpart.
                corners = [c[0] for surface in range(len(before.surfaces)) for c in shown(before, 0, surface)]
                found = {c[0] for surface in range(len(after.surfaces)) for c in shown(after, 0, surface)}
                for x, y, z in random.Random(SEED).sample(corners, min(40, len(corners))):
                    wanted = (cosine * x - sine * y, sine * x + cosine * y, half * z)
                    self.assertLess(min(math.dist(wanted, p) for p in found), 1.01 * most + 0.02)
        path = next(p for p in self.models if p.suffix == ".md2" and len(read(p).frames) == 198)
        _, after, _, _ = self.edit(path, "--keep", "clips:run", "--fps", "20", "--reencode")
        self.assertEqual(len(after.frames), 12)
        self.assertEqual(after.frames[11].name, "run12")

    def test_frames_of_another_model_are_appended(self) -> None:
        for kind in FORMATS:
            path = next(p for p in self.models if p.suffix == "." + kind and len(read(p).frames) > 1)
            with self.subTest(path=path.name):
                before, after, _, _ = self.edit(path, "--append", str(path), "--drop", "frames:0")
                count = len(before.frames)
                self.assertEqual(after.frames, (before.frames + before.frames)[1:])
                for surface in range(len(before.surfaces)):
                    self.assertEqual(shown(before, 0, surface), shown(after, count - 1, surface))
                    self.assertEqual(shown(before, count - 1, surface), shown(after, 2 * count - 2, surface))
        player = next(p for p in self.models if p.suffix == ".md2" and len(read(p).frames) == 198)
        _, after, _, _ = self.edit(player, "--keep", "clips:stand", "--append", f"{player}@run,jump")
        self.assertEqual(len(after.frames), 40 + 6 + 6)

    def test_missing_clips_append_no_frames(self) -> None:
        """A real file is written unchanged."""
        path = next(p for p in self.models if p.suffix == ".md2")
        tree, out = self.folder / "appending", self.folder / "appended"
        tree.mkdir()
        shutil.copy(path, tree / "same.md2")
        run(tree, "-o", f"{out}/", "--append", f"{path}@nowhere", status=1)
        self.assertEqual((out / "same.md2").read_bytes(), path.read_bytes())

    def test_clips_are_reversed_separately(self) -> None:
        player = next(p for p in self.models if p.suffix == ".md2" and len(read(p).frames) == 198)
        path = self.folder / "runs.md2"
        run(player, "-o", path, "--order", "frames:0-1,40-42,66-67")  # of stand, run and jump
        for clips, order in (("stand", "1023456"), ("0-1", "1043256"), ("1-2", "0143265"), ("jump,0", "1023465"), ("all", "6543210")):
            with self.subTest(clips=clips):
                before, after, _, _ = self.edit(path, "--reverse", clips)
                self.assertEqual([before.frames[int(i)] for i in order], after.frames)

    def test_unused_vertices_are_removed(self) -> None:
        fewer = 0
        for path in self.models:
            with self.subTest(path=path.name):
                before, after, old, new = self.edit(path, "--remove-unused")
                if not path.name.startswith("made"):  # whose lumps may share bytes, and are separated
                    self.assertLessEqual(len(new), len(old))
                for surface in range(len(before.surfaces)):
                    used = {v for t in before.surfaces[surface].triangles for v in t.vertices}
                    if path.suffix == ".md2":
                        used |= {v for t in before.gl_triangles for v in t.vertices}
                    self.assertLessEqual(after.surfaces[surface].num_vertices, max(len(used), before.surfaces[surface].num_vertices))
                    self.assertEqual(shown(before, 0, surface), shown(after, 0, surface))
                    fewer += after.surfaces[surface].num_vertices < before.surfaces[surface].num_vertices
        self.assertGreater(fewer, 0)

    def test_in_place_keeps_a_backup(self) -> None:
        source = next(p for p in self.models if p.suffix == ".md3" and paths(read(p)))
        path = self.folder / "place.md3"
        shutil.copy(source, path)
        path.chmod(0o640)
        run("--in-place", "--backup", "--path", "s/^./~/", path)
        self.assertEqual((self.folder / "place.md3.bak").read_bytes(), source.read_bytes())
        self.assertTrue(paths(read(path))[0].startswith("~"))
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)
        now = path.read_bytes()
        errors = run("--in-place", "--backup", "--path", "s/^~/+/", path, status=1).stderr
        self.assertIn("place.md3.bak exists; --force replaces it", errors)
        self.assertEqual(path.read_bytes(), now)
        run("--in-place", "--backup", "--force", "--path", "s/^~/+/", path)
        self.assertEqual((self.folder / "place.md3.bak").read_bytes(), now)
        # Without changes the file is not written.
        os.utime(path, (1, 1))
        self.assertIn("unchanged", run("--in-place", "--path", "s/^~/+/", path).stderr)
        self.assertEqual(path.stat().st_mtime, 1)

    def test_in_place_keeps_a_link(self) -> None:
        source = next(p for p in self.models if p.suffix == ".md3" and paths(read(p)))
        (self.folder / "far").mkdir(exist_ok=True)
        real, link = self.folder / "far" / "real.md3", self.folder / "link.md3"
        shutil.copy(source, real)
        real.chmod(0o640)
        link.symlink_to(Path("far") / "real.md3")
        run("--in-place", "--backup", "--path", "s/^./~/", link)
        self.assertTrue(link.is_symlink())
        self.assertEqual(os.readlink(link), os.path.join("far", "real.md3"))
        self.assertTrue(paths(read(real))[0].startswith("~"))
        self.assertEqual(stat.S_IMODE(real.stat().st_mode), 0o640)
        self.assertEqual((self.folder / "link.md3.bak").read_bytes(), source.read_bytes())
        self.assertEqual(sorted(p.name for p in real.parent.iterdir()), ["real.md3"])

    def test_in_place_a_file_is_written_once(self) -> None:
        source, folder = next(p for p in self.models if p.suffix == ".md2"), self.folder / "once"
        folder.mkdir()
        path, link = folder / "a.md2", folder / "link.md2"
        link.symlink_to("a.md2")
        options = "--scale", "2"
        run(source, "-o", path, *options)
        meant = path.read_bytes()
        for others, failed in ((path,), 1), ((f"{folder}/../once/a.md2", link, path), 3):
            for command in "edit", "optimize":
                for jobs in "-j1", "-j8":
                    with self.subTest(command=command, jobs=jobs, others=others):
                        shutil.copy(source, path)
                        words = [TOOL, command, "--in-place", jobs, path, *others, *(options if command == "edit" else ())]
                        done = subprocess.run(words, capture_output=True, text=True)
                        self.assertEqual((done.returncode, done.stderr.count(f"not written: it is the same file as {path}\n")), (1, failed))
                        if command == "edit":
                            self.assertEqual(path.read_bytes(), meant)
        run("--in-place", "--dry-run", path, path, *options)

    def test_through_pipes(self) -> None:
        for kind in FORMATS:
            path = next(p for p in self.models if p.suffix == "." + kind)
            done = subprocess.run([TOOL, "edit", "-", "-o", "-", "--keep", "frames:0"], input=path.read_bytes(), capture_output=True, check=True)
            self.assertEqual(len(oracle.load(done.stdout).frames), 1)
        call("edit", "-", "-o", "-", "--keep", "frames:0", "--json", status=2)

    def test_a_folder_at_once(self) -> None:
        tree = self.folder / "tree" / "below"
        tree.mkdir(parents=True)
        of = {kind: next(p for p in self.models if p.suffix == "." + kind) for kind in FORMATS}
        for kind, path in of.items():
            shutil.copy(path, tree / f"same.{kind}")
        out = self.folder / "edited"
        errors = run(tree.parent, "-o", f"{out}/", "--keep", "frames:0", "--name", "x").stderr
        self.assertIn("4 files: 4 edited", errors)
        self.assertIn("the elements to edit are missing in 2 files", errors)
        self.assertRegex(run(tree.parent, "--in-place", "--keep", "frames:0").stderr, r"4 files: \d edited")
        for options, words in ((("--in-place",), "4 files: 0 edited, 4 unchanged"), (("-n",), "4 files: 4 examined")):
            self.assertIn(words, run(tree.parent, *options, "--keep", "frames:0").stderr)
        for kind in FORMATS:
            self.assertEqual(len(read(out / "below" / f"same.{kind}").frames), 1)
        run(tree.parent, "-o", f"{out}/", "--keep", "frames:0", status=1)
        run(tree.parent, "--in-place", "--keep", "surfaces:nobody", status=1)

    def problems(self, path: Path) -> set[str]:
        done = call("check", "--json", path, status=None)
        return {problem["code"] for problem in json.loads(done.stdout)["problems"]}

    def test_fixes(self) -> None:
        """Fixed problems are gone, and the file keeps its size and everything that the fix does not name."""
        fixable = {"name-junk", "tag-name", "header-name", "bad-bounds", "outside-bounds", "identical-normals"}
        seen = set()
        for path in self.models:
            with self.subTest(path=path.name):
                before, after, old, new = self.edit(path, "--fix", "all")
                left, found = self.problems(self.folder / ("out" + path.suffix)), self.problems(path)
                self.assertFalse(left & fixable)
                self.assertLessEqual(left, found)
                self.assertEqual(len(old), len(new))
                if not found & (fixable | {"skin-path"}):
                    self.assertEqual(old, new)
                self.assertEqual([name.replace("\\", "/") for name in paths(before)], paths(after))
                seen |= found & fixable
        self.assertGreaterEqual(len(seen), 2)

    def test_selected_fixes(self) -> None:
        path, out = self.folder / "faults.md2", self.folder / "fixed.md2"
        run(corpus.sample_models(("md2",))[0], "-o", path, "--set-skin", "0=Models\\X\\a.PCX")
        data = bytearray(path.read_bytes())
        skins, frames = (int.from_bytes(data[at:at + 4], "little") for at in (44, 56))
        data[frames + 39] = 7  # the last byte of a name
        path.write_bytes(data)
        changes = {"skin-path": {skins + 6, skins + 8}, "name-junk": {frames + 39}}
        for options, codes in ((("--fix", "skin-path"), ("skin-path",)), (("--fix=name-junk",), ("name-junk",)),
                               (("--fix", "all"), ("skin-path", "name-junk")), (("--fix", "tag-name"), ()),
                               (("--fix", "name-junk,skin-path"), ("skin-path", "name-junk"))):
            with self.subTest(options=options):
                run(*options, path, "-o", out)
                new = out.read_bytes()
                self.assertEqual({i for i in range(len(data)) if data[i] != new[i]},
                                 set().union(*(changes[code] for code in codes)))
        for words in (("--fix", "skin-pth"), ("--fix", "seams"), ("--fix",)):  # no word is skipped, and no file taken for a code
            run("--in-place", *words, path, status=2)
            self.assertEqual(data, path.read_bytes())
        listed = run("--dry-run", "--fix", "all", path).stdout
        self.assertIn('"Models\\X\\a.PCX" -> "Models/X/a.PCX"', listed)
        self.assertEqual(data, path.read_bytes())
        tree = self.folder / "fixes"
        tree.mkdir()
        (tree / "bad.md2").write_bytes(data)
        (tree / "good.md2").write_bytes(out.read_bytes())
        run("--in-place", "--fix", "all", tree)
        self.assertEqual((tree / "bad.md2").read_bytes(), out.read_bytes())
