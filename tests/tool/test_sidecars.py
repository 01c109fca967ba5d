#!/usr/bin/env python3
"""Compares what the command reads from the .anm, .tag and .mdx files of UFO: Alien Invasion with an independent
reader (tests/oracle/ufoai.py): clips, the frames of all tags, and the normals of frames. Without arguments, for
generated models; damaged sidecars never stop a model.

Usage: test_sidecars.py [ARCHIVE…]      the models in these PK3s instead
Environment: LERPMESH_BINARY (the command), LERPMESH_SOURCE_DIR.
"""
import json
import math
import os
import random
import struct
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from typing import Any, Sequence

import bake
from command import call
import small_files
import ufoai

DEGREES = 1.5  # of a normal: the model's normals have steps of 360/256 degrees
UNITS = 2e-3  # OBJ has decimals


class Failure(Exception):
    """The command and the independent reader disagree."""


def run(*words: str, cwd: str | None = None) -> tuple[str, str]:
    done = call(*words, cwd=cwd, status=None)
    if done.returncode != 0:
        raise Failure("%s: %s" % (words, done.stderr[:300]))
    return done.stdout, done.stderr


def check(condition: bool, *words: object) -> None:
    if not condition:
        raise Failure(" ".join(map(str, words)))


# ---- Clips -------------------------------------------------------------------------------------

def check_clips(path: str, text: str) -> int:
    info = json.loads(run("info", "--json", path)[0])
    expected, seen = [], set()
    for clip in ufoai.read_clips(text):
        name, number = clip.name, 2
        while name.lower() in seen:
            name, number = "%s_%d" % (clip.name, number), number + 1
        seen.add(name.lower())
        expected.append((name, clip.first, clip.last - clip.first + 1, clip.fps, clip.loops))
    found = [(c["name"], c["first"], c["count"], c["fps"], c["loop"]) for c in info["clips"]]
    check(len(found) == len(expected), path, "clips:", len(found), len(expected))
    for a, b in zip(found, expected):
        check(a[:3] == b[:3] and math.isclose(a[3], b[3], rel_tol=1e-6) and a[4] == b[4], path, a, b)
    check(all(c["clips_file"].endswith(".anm") for c in info["clips"]), path, "other clips")
    return len(found)


# ---- Tags --------------------------------------------------------------------------------------

def check_tags(path: str, tags: Sequence[ufoai.Tag]) -> int:
    """Compares names, and in a glTF of the first frame, the origins."""
    info = json.loads(run("info", "--json", path)[0])
    check(info["tags"] == [tag.name for tag in tags], path, info["tags"])
    check(info["tags_file"].endswith(".tag"), path)
    with tempfile.TemporaryDirectory() as folder:
        run("convert", path, "-o", folder + "/x.glb", "--frames", "0", "--axes", "model", "--unit", "1", "--skin",
            "none", "-q")
        gltf = bake.read_glb(Path(folder, "x.glb").read_bytes()).document
    nodes = {node["name"]: node for node in gltf["nodes"] if "mesh" not in node}
    for tag in {tag.name: tag for tag in reversed(tags)}.values():
        found = nodes[tag.name].get("translation", [0, 0, 0])
        check(all(abs(a - b) < UNITS for a, b in zip(found, tag.poses[0][9:])), path, tag.name, found)
    return len(tags)


# ---- Normals -----------------------------------------------------------------------------------

def read_obj(text: str) -> list[list[tuple[Any, Any]]]:
    """Returns the triangles, each corner with its position and normal."""
    rows: dict[str, list[tuple[float, ...]]] = {"v": [], "vn": []}
    triangles = []
    for line in text.splitlines():
        kind, *words = line.split() or [""]
        if kind in rows:
            rows[kind].append(tuple(map(float, words)))
        elif kind == "f":
            indices = [word.split("/") for word in words]
            triangles.append([(rows["v"][int(i[0]) - 1], rows["vn"][int(i[2]) - 1]) for i in indices])
    return triangles


def same_place(a: Sequence[float], b: Sequence[float]) -> bool:
    return all(abs(x - y) < UNITS for x, y in zip(a, b))


def degrees(a: Sequence[float], b: Sequence[float]) -> float:
    return math.degrees(math.acos(max(-1.0, min(1.0, sum(x * y for x, y in zip(a, b))))))


def corners_of(corner: int) -> tuple[int, int, int]:
    return corner, corner + 1, corner + 2


def check_normals(path: str, md2: ufoai.Md2, groups: Sequence[int], frame: int) -> int:
    """Compares the normals of all corners. OBJ leaves out triangles without area, and may begin a triangle at
    another corner and turn it round."""
    text = run("convert", path, "-o", "-", "--format", "obj", "--frames", str(frame), "--axes", "model", "--scale", "1",
               "-q")[0]
    written = iter(read_obj(text))
    expected = ufoai.normals(md2, groups)
    positions = md2.positions
    compared = 0
    current = next(written, None)
    for t, triangle in enumerate(md2.triangles):
        places = {}
        for corner, vertex in zip(corners_of(3 * t), triangle):
            places[tuple(round(x / UNITS) for x in positions[vertex])] = corner
        if current is None or not all(any(same_place(positions[v], place) for place, _ in current) for v in triangle):
            continue
        for place, normal in current:
            near = [expected[corner] for corner, vertex in zip(corners_of(3 * t), triangle)
                    if same_place(positions[vertex], place)]
            check(any(degrees(n, normal) < DEGREES for n in near), path, "frame", frame, "triangle", t, normal, near)
            compared += 1
        current = next(written, None)
    check(current is None, path, "frame", frame, "a triangle is not in the model:", current)
    check(compared > 0, path, "no normal was compared")
    return compared


# ---- Models ------------------------------------------------------------------------------------

def check_model(path: str, model: bytes, sidecars: dict[str, bytes]) -> dict[str, int]:
    """Returns the number of clips, tags and normals that were compared."""
    counts = {}
    num_frames = ufoai.read_md2(model).num_frames
    if ".anm" in sidecars and num_frames > 1:
        counts["clips"] = check_clips(path, sidecars[".anm"].decode("latin-1"))
    if ".tag" in sidecars:
        counts["tags"] = check_tags(path, ufoai.read_tags(sidecars[".tag"]))
    if ".mdx" in sidecars:
        groups = ufoai.read_groups(sidecars[".mdx"])
        counts["normals"] = sum(check_normals(path, ufoai.read_md2(model, frame), groups, frame)
                                for frame in sorted({0, num_frames // 2}))
    return counts


def check_archives(paths: Sequence[str]) -> int:
    total: dict[str, int] = {}
    failures = 0
    for path in paths:
        archive = zipfile.ZipFile(path)
        names = set(archive.namelist())
        for name in sorted(names):
            if not name.endswith(".md2"):
                continue
            sidecars = {end: archive.read(name[:-4] + end) for end in (".anm", ".tag", ".mdx")
                        if name[:-4] + end in names}
            try:
                counts = check_model("%s:%s" % (path, name), archive.read(name), sidecars)
            except Failure as failure:
                print("FAILED:", failure, file=sys.stderr)
                failures += 1
                continue
            for key, count in counts.items():
                total[key] = total.get(key, 0) + count
                total["models with " + key] = total.get("models with " + key, 0) + 1
    print(", ".join("%d %s" % (count, key) for key, count in sorted(total.items())), "are the same;", failures,
          "models differ")
    return 1 if failures or not total else 0


# ---- Generated models --------------------------------------------------------------------------

class Generated:
    """A closed, bumpy grid with hard edges and seams, and its sidecars."""

    def __init__(self, seed: int, frames: int = 3, columns: int = 5, rows: int = 4) -> None:
        chance = random.Random(seed)
        count = columns * rows
        vertices = [bytes([20 * (v % columns) + chance.randrange(9), 20 * (v // columns) + chance.randrange(9),
                           chance.randrange(60), chance.randrange(162)]) for v in range(count)]
        self.triangles = []
        for row in range(rows - 1):
            for column in range(columns - 1):
                a = row * columns + column
                self.triangles += [(a, a + 1, a + columns), (a + 1, a + columns + 1, a + columns)]
        st = [(chance.randrange(64), chance.randrange(64)) for _ in range(2 * count)]
        corners = [(*triangle, *(v + count * chance.randrange(2) for v in triangle)) for triangle in self.triangles]
        model = bytearray(small_files.md2_of(vertices, corners, st, frames, skins=(b"x",)))
        at = struct.unpack_from("<i", model, 56)[0]
        for frame in range(frames):
            for v in range(count):
                model[at + frame * (40 + 4 * count) + 40 + 4 * v + 2] = chance.randrange(60)
        self.model = bytes(model)
        kinds: dict[tuple[int, int], int] = {}
        self.groups = [kinds.setdefault((v, chance.randrange(3)), len(kinds))
                       for triangle in self.triangles for v in triangle]
        self.tags = [ufoai.Tag(name, [(1, 0, 0, 0, 1, 0, 0, 0, 1, chance.random(), 2, f) for f in range(frames)])
                     for name in ("tag_head", "tag_rweapon")]
        self.clips = "// name first last fps\nstand0 0 1 30\n\ndeath1\t1 %d 0 // falls\nstand0 0 0 0.001\n" % (frames - 1)

    def sidecars(self) -> dict[str, bytes]:
        return {".anm": self.clips.encode(), ".tag": ufoai.make_tags(self.tags), ".mdx": ufoai.make_groups(self.groups)}

    def write(self, folder: str, name: str = "x", **replaced: bytes) -> str:
        path = os.path.join(folder, name + ".md2")
        Path(path).write_bytes(self.model)
        for end, data in self.sidecars().items():
            Path(folder, name + end).write_bytes(replaced.get(end[1:], data))
        return path


class Case(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_generated_models_agree(self) -> None:
        for seed in range(12):
            model = Generated(seed, frames=3 + seed % 2)
            counts = check_model(model.write(self.folder), model.model, model.sidecars())
            self.assertEqual(sorted(counts), ["clips", "normals", "tags"])

    def test_stored_normals_ignore_the_smoothing(self) -> None:
        model = Generated(1)
        path = model.write(self.folder)
        export = ("convert", path, "-o", "-", "--format", "obj", "--frames", "0", "-q")
        stored = run(*export, "--normals", "stored")[0]
        self.assertNotEqual(stored, run(*export)[0])
        os.remove(path[:-4] + ".mdx")
        self.assertEqual(stored, run(*export, "--normals", "stored")[0])

    def expect_ignored(self, model: Generated, end: str, data: bytes, sentence: str) -> None:
        """The model is converted as without the sidecar, and a warning says why."""
        path = model.write(self.folder, **{end: data})
        export = ("convert", path, "-o", self.folder + "/y.glb", "--skin", "none")
        self.assertIn(sentence, run(*export)[1])
        found = Path(self.folder, "y.glb").read_bytes()
        os.remove(path[:-4] + "." + end)
        run(*export, "-q")
        self.assertEqual(found, Path(self.folder, "y.glb").read_bytes(), sentence)

    def test_damaged_sidecars_are_ignored_with_a_warning(self) -> None:
        model = Generated(2)
        tags, groups = model.sidecars()[".tag"], model.sidecars()[".mdx"]
        fields = [(tags, "tag", 4, 2, "its version is 2 instead of 1"),
                  (tags, "tag", 8, 0, "it has 0 tags in 3 frames"),
                  (tags, "tag", 8, -1, "it has 4294967295 tags"),
                  (tags, "tag", 12, 4, "its tags extend beyond the end"),
                  (tags, "tag", 12, 2, "it has 2 frames, but the model has 3"),
                  (tags, "tag", 16, len(tags) - 127, "its tags extend beyond the end"),
                  (tags, "tag", 20, -48, "its tags extend beyond the end"),
                  (tags, "tag", 160, 0x7fc00000, "a number is infinite or NaN"),
                  (groups, "mdx", 6, 2, "its version is 2 instead of 1"),
                  (groups, "mdx", 10, 0, "it has 0 normals for"),
                  (groups, "mdx", 10, len(model.groups) + 1, "normals for %d corners" % len(model.groups)),
                  (groups, "mdx", 10, 1, "of 1"),
                  (groups, "mdx", 14, len(model.groups) - 3, "but the model has %d" % len(model.groups)),
                  (groups, "mdx", 18, -1, "corner 0 uses normal 4294967295 of")]
        for data, end, at, value, sentence in fields:
            damaged = bytearray(data)
            struct.pack_into("<I", damaged, at, value % 2 ** 32)
            self.expect_ignored(model, end, bytes(damaged), sentence)
        self.expect_ignored(model, "tag", b"JDP2", "the file ends inside its header")
        self.expect_ignored(model, "mdx", groups[:-1], "the file ends before its last corner")
        self.expect_ignored(model, "mdx", b"IDPX" + groups[4:], "does not begin with UFOMDX")
        self.expect_ignored(model, "anm", b"stand 5 6 30", "is within the model's 3 frames")

    def test_smoothing_of_another_version_is_ignored(self) -> None:
        """Two vertices with one normal may be at the same place, but not apart."""
        model = Generated(6)
        a, b = model.triangles[0][:2]
        groups = [0 if v in (a, b) else i for i, v in enumerate(v for t in model.triangles for v in t)]
        apart = ufoai.make_groups(groups)
        self.expect_ignored(model, "mdx", apart, "corners 0 and 1 have the same normal at different places")
        together = bytearray(model.model)
        at = struct.unpack_from("<i", together, 56)[0] + 40
        together[at + 4 * b:at + 4 * b + 3] = together[at + 4 * a:at + 4 * a + 3]
        model.model = bytes(together)
        _, log = run("convert", model.write(self.folder, mdx=apart), "-o", self.folder + "/y.glb", "--skin", "none")
        self.assertNotIn("cannot use", log)

    # ---- check --engine ufoai

    def errors(self, path: str, *options: str) -> list[str]:
        """Returns the codes of the errors of check, and the words of its messages."""
        done = call("check", "--json", *(options or ("--engine", "ufoai")), path, status=None)
        report = json.loads(done.stdout)
        found = [p["code"] + ": " + p["message"] for p in report["problems"] if p["severity"] == "error"]
        self.assertEqual((report["counts"]["errors"], done.returncode), (len(found), int(bool(found))), done.stderr)
        return found

    def expect_error(self, path: str, *words: str) -> None:
        """The engine rejects the file for one reason. Quake II does not mind."""
        found = self.errors(path)
        self.assertEqual(len(found), 1, (found, words))
        for word in words:
            self.assertIn(word, found[0])
        self.assertFalse([e for e in self.errors(path, "--engine", "quake2") if "gl-" not in e and "no .pcx" not in e])
        self.assertEqual(self.errors(path, "-v"), [])

    def skinned(self, seed: int) -> Generated:
        """A model of the game's kind: its skin begins with a dot, and its image is next to it."""
        model = Generated(seed)
        model.model = model.model.replace(b"x".ljust(64, b"\0"), b".red.005".ljust(64, b"\0"))
        Path(self.folder, "red.jpg").write_bytes(small_files.RED)
        return model

    def test_the_engine_accepts_a_sound_model(self) -> None:
        model = self.skinned(7)
        self.assertEqual(self.errors(model.write(self.folder)), [])
        for end in model.sidecars():
            os.remove(self.folder + "/x" + end)
        self.assertEqual(self.errors(self.folder + "/x.md2"), [])

    def test_the_engine_rejects_a_file_of_another_size(self) -> None:
        model = self.skinned(8)
        sound = model.model
        model.model = sound + b"\0"
        self.expect_error(model.write(self.folder), "trailing-bytes: ", "1 byte follows the end")
        for end in (-1, 0, len(sound) + 1):
            model.model = sound[:64] + struct.pack("<i", end) + sound[68:]
            self.expect_error(model.write(self.folder), "wrong-end: ", "is %d" % end)

    def test_the_engine_rejects_a_model_without_skins(self) -> None:
        model = self.skinned(9)
        model.model = model.model[:20] + bytes(4) + model.model[24:]
        self.expect_error(model.write(self.folder), "no-skins: ")

    def test_the_engine_rejects_a_skin_without_an_image_that_it_reads(self) -> None:
        path, image = self.skinned(10).write(self.folder), Path(self.folder, "red.jpg")
        for name in ("red.tga", "red_nm.png", "x.png"):
            image = image.rename(Path(self.folder, name))
            self.expect_error(path, "engine-file: ", 'ufoai finds no .png or .jpg image for the skin ".red.005"')
        image.rename(Path(self.folder, "red.png"))
        self.assertEqual(self.errors(path), [])

    def test_the_engine_rejects_sidecars_that_do_not_fit(self) -> None:
        model = self.skinned(11)
        sidecars = model.sidecars()
        groups = model.groups
        one_frame = ufoai.make_tags([ufoai.Tag("tag_head", [(0.0,) * 12])])
        for end, data, words in (("mdx", ufoai.make_groups(groups[:-3]), "but the model has %d" % len(groups)),
                                 ("mdx", ufoai.make_groups([0] * len(groups)), "at different places"),
                                 ("mdx", b"IDPX" + sidecars[".mdx"][4:], "does not begin with UFOMDX"),
                                 ("tag", one_frame, "it has 1 frames, but the model has 3")):
            self.expect_error(model.write(self.folder, **{end: data}), words, "x." + end)

    def test_every_prefix_is_ignored(self) -> None:
        model = Generated(3)
        model.write(self.folder, "x")
        for end in ("tag", "mdx"):
            data = model.sidecars()["." + end]
            for length in range(0, len(data), 1 + len(data) // 40):
                path = model.write(self.folder, **{end: data[:length]})
                warnings = run("convert", path, "-o", self.folder + "/y.glb", "--skin", "none")[1]
                self.assertIn("cannot use the ", warnings, (end, length))

    def test_distant_versions_have_the_sidecars_of_the_full_model(self) -> None:
        model = Generated(4)
        model.write(self.folder)
        far = os.path.join(self.folder, "x-lod02.md2")
        Path(far).write_bytes(model.model)
        info = json.loads(run("info", "--json", far)[0])
        self.assertEqual(info["tags"], ["tag_head", "tag_rweapon"])
        self.assertEqual([clip["name"] for clip in info["clips"]], ["stand0", "death1", "stand0_2"])
        renamed = model.model.replace(b"x".ljust(64, b"\0"), b"y".ljust(64, b"\0"))
        Path(far).write_bytes(renamed)
        self.assertEqual(json.loads(run("info", "--json", far)[0])["skins"], ["x"])

    def test_distant_versions_do_not_use_the_smoothing_of_the_full_model(self) -> None:
        """They have other triangles."""
        self.skinned(13).write(self.folder)
        far = self.folder + "/x-lod01.md2"
        model = Generated(13, rows=3)
        Path(far).write_bytes(model.model)
        self.assertNotIn("cannot use", run("convert", far, "-o", self.folder + "/y.glb", "--skin", "none")[1])
        self.assertEqual(self.errors(far), [])
        Path(self.folder, "x-lod01.mdx").write_bytes(ufoai.make_groups([0] * len(model.groups)))
        self.expect_error(far, "cannot use the smoothing in %s/x-lod01.mdx" % self.folder)

    def test_a_model_wears_its_own_tags(self) -> None:
        """A head is attached to a tag of the sidecar, as info suggests."""
        model = Generated(5)
        path = model.write(self.folder)
        self.assertIn("--attach tag_head=MODEL\n", run("info", path)[0])
        run("convert", path, "--attach", "tag_head=" + path, "-o", self.folder + "/y.glb", "-q", "--skin", "none")
        gltf = bake.read_glb(Path(self.folder, "y.glb").read_bytes()).document
        tag = next(node for node in gltf["nodes"] if node["name"] == "tag_head")
        self.assertTrue(tag.get("children"), gltf["nodes"])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(check_archives(sys.argv[1:]))
    unittest.main()
