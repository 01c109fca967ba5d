#!/usr/bin/env python3
"""Tests the oracle itself, against the generator's intentions and against real models."""
from __future__ import annotations

import json
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from typing import Any, Sequence

import corpus
import make_models
import oracle
import skipping

FORMATS = ("md2", "mdc", "md3", "mdl")
GENERATED = 240
# The bounds of this one have min and max of x exchanged, and half of its triangles face inwards.
UNSOUND = {"camera.md3"}
EXACT = 1e-9  # both sides compute in double precision


def close(a: Sequence[float], b: Sequence[float], tolerance: float = EXACT) -> bool:
    return len(a) == len(b) and all(abs(x - y) <= tolerance for x, y in zip(a, b))


def rotated_to_least(corners: Sequence[Any]) -> tuple[Any, ...]:
    """Returns one of the three rotations of a triangle, the same for all of them."""
    return min(tuple(corners[i:]) + tuple(corners[:i]) for i in range(3))


class Tables(unittest.TestCase):
    """Checks properties of the tables of normals."""

    def check_unit_and_different(self, normals: Sequence[oracle.Vec3], count: int) -> None:
        self.assertEqual(len(normals), count)
        for n in normals:
            self.assertAlmostEqual(oracle.length(n), 1.0, places=5)
        self.assertEqual(len({tuple(round(c, 4) + 0.0 for c in n) for n in normals}), count)

    def test_md2(self) -> None:
        """An icosahedron divided twice: symmetric about its centre."""
        self.check_unit_and_different(oracle.MD2_NORMALS, 162)
        points = {tuple(c + 0.0 for c in n) for n in oracle.MD2_NORMALS}
        self.assertEqual(points, {tuple(0.0 - c for c in n) for n in points})
        self.assertEqual(points, {(y, z, x) for x, y, z in points})

    def test_mdc(self) -> None:
        """Every code has a direction; the poles are coarse, the equator fine."""
        self.check_unit_and_different(oracle.MDC_NORMALS, 256)
        self.assertTrue(close(oracle.MDC_NORMALS[0], (1.0, 0.0, 0.0)))
        self.assertTrue(close(oracle.MDC_NORMALS[8], (0.0, 1.0, 0.0)))
        self.assertEqual(sum(abs(n[2]) < EXACT for n in oracle.MDC_NORMALS), 32)

    def test_angles(self) -> None:
        """id's convention: pitch looks down, yaw turns left, roll leans right."""
        forward, left, up = oracle.angle_axes(90.0, 0.0, 0.0)
        self.assertTrue(close(forward, (0.0, 0.0, -1.0)) and close(up, (1.0, 0.0, 0.0)))
        forward, left, up = oracle.angle_axes(0.0, 90.0, 0.0)
        self.assertTrue(close(forward, (0.0, 1.0, 0.0)) and close(left, (-1.0, 0.0, 0.0)))
        forward, left, up = oracle.angle_axes(0.0, 0.0, 90.0)
        self.assertTrue(close(left, (0.0, 0.0, 1.0)) and close(up, (0.0, -1.0, 0.0)))


class Generated(unittest.TestCase):
    """The oracle reads the generator's values from generated files."""

    models: list[tuple[str, dict[str, Any], oracle.Model]]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        make_models.main([cls.folder.name, "--count", str(GENERATED), "--seed", "11"])
        cls.models = []
        for path in sorted(Path(cls.folder.name).glob("*.json")):
            intent = json.loads(path.read_text())
            cls.models.append((path.stem, intent, oracle.load_file(str(path)[: -len(".json")])))

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def each(self) -> list[tuple[str, dict[str, Any], oracle.Model]]:
        self.assertEqual(len(self.models), GENERATED)
        return self.models

    def test_every_feature_has_a_model(self) -> None:
        seen = {(i["format"], f) for _, i, _ in self.each() for f in i["features"]}
        for kind, (_, features) in make_models.MAKERS.items():
            self.assertEqual({(kind, f) for f in features} - seen, set())

    def test_same_seed_same_bytes(self) -> None:
        """Another seed gives other bytes."""
        for kind in FORMATS:
            for index in range(8):
                one, other = make_models.make_model(kind, 5, index)[0], None
                self.assertEqual(one, make_models.make_model(kind, 5, index)[0])
                other = make_models.make_model(kind, 6, index)[0]
                self.assertNotEqual(one, other)

    def test_frames_and_surfaces(self) -> None:
        for name, intent, model in self.each():
            with self.subTest(name, features=intent["features"]):
                self.assertEqual(model.format, intent["format"])
                self.assertEqual([f.name for f in model.frames], intent["frame_names"])
                for frame, limits in zip(model.frames, intent.get("boxes", [])):
                    self.assertEqual([*frame.min, *frame.max], limits)
                for frame, origin in zip(model.frames, intent.get("local_origins", [])):
                    self.assertEqual([*frame.local_origin], origin)
                self.assertEqual(len(model.surfaces), len(intent["surfaces"]))
                for surface, meant in zip(model.surfaces, intent["surfaces"]):
                    self.check_surface(surface, meant)

    def check_surface(self, surface: oracle.Surface, meant: dict[str, Any]) -> None:
        self.assertEqual(surface.name, meant["name"])
        self.assertEqual(surface.num_vertices, meant["num_vertices"])
        self.assertEqual([list(t.vertices) for t in surface.triangles], meant["triangles"])
        texcoords = [[list(c) for c in t.texcoords] for t in surface.triangles]
        self.assertEqual(texcoords, meant["texcoords"])

    def test_vertices(self) -> None:
        compared = 0
        for name, intent, model in self.each():
            for s in intent["samples"]:
                surface = model.surfaces[s["surface"]]
                position, normal = surface.vertex(s["frame"], s["vertex"], None)
                self.assertTrue(close(position, s["position"]), (name, s, position))
                self.assertTrue(close(normal, s["normal"]), (name, s, normal))
                compared += 1
        self.assertGreater(compared, 2000)

    def test_prinz_vertices(self) -> None:
        compared = differing = 0
        for name, intent, model in self.each():
            for s in (s for s in intent["samples"] if "prinz" in s):
                surface, meant = model.surfaces[s["surface"]], s["prinz"]
                position, normal = surface.vertex(s["frame"], s["vertex"], oracle.PRINZ)
                self.assertTrue(close(position, meant["position"]), (name, s, position))
                direction = meant["normal"] or (0.0, 0.0, 0.0)
                self.assertTrue(close(normal, direction, 1e-8), (name, s, normal))
                compared += 1
                differing += not close(position, s["position"])
        self.assertGreater(compared, 500)
        self.assertGreater(differing, 100)

    def test_groups_and_skins(self) -> None:
        """An MDL's groups of poses with their times, and the pixels of its skins."""
        grouped = 0
        for name, intent, model in self.each():
            if not isinstance(model, oracle.MdlModel):
                continue
            self.assertEqual([group.ends for group in model.groups], intent["groups"], name)
            self.assertEqual([*model.skin_size], intent["skin_size"])
            self.assertEqual(model.flags, intent["flags"])
            self.assertEqual([skin.ends for skin in model.pictures],
                             [skin["ends"] for skin in intent["skins"]])
            self.assertEqual([[p.hex() for p in skin.pictures] for skin in model.pictures],
                             [skin["pictures"] for skin in intent["skins"]])
            grouped += any(len(group.ends) > 1 for group in model.groups)
        self.assertGreater(grouped, 5)

    def test_gl_commands(self) -> None:
        """The generator's strips draw its triangles, once each, with their own coordinates."""
        drawn = 0
        for name, intent, model in self.each():
            got = Counter(
                rotated_to_least(list(zip(t.vertices, t.texcoords))) for t in model.gl_triangles
            )
            meant = Counter(
                rotated_to_least([(v, tuple(st)) for v, st in t]) for t in intent["gl_triangles"]
            )
            self.assertEqual(got, meant, name)
            drawn += sum(got.values())
        self.assertGreater(drawn, 1000)

    def test_tags(self) -> None:
        compared = 0
        for name, intent, model in self.each():
            for t in intent["tags"]:
                tag = model.tag(t["frame"], t["tag"], None)
                self.assertEqual(tag.name, t["name"])
                self.assertTrue(close(tag.position, t["position"]), (name, t, tag))
                for axis, meant in zip(tag.axes, t["axes"]):
                    self.assertTrue(close(axis, meant), (name, t, tag))
                compared += 1
        self.assertGreater(compared, 100)

    def test_between_frames(self) -> None:
        """Halfway between two poses is their middle, and the normals have length one."""
        for name, intent, model in self.each():
            if len(model.frames) < 2:
                continue
            poses = [model.pose(f) for f in (0.0, 0.5, 1.0)]
            for surfaces in zip(*(p.surfaces for p in poses)):
                for triangles in zip(*(s.triangles for s in surfaces)):
                    for a, middle, b in zip(*triangles):
                        mean = [(p + q) / 2 for p, q in zip(a.position, b.position)]
                        self.assertTrue(close(middle.position, mean), name)
                        self.check_middle_normal(a, middle, b)

    def check_middle_normal(
        self, a: oracle.Corner, middle: oracle.Corner, b: oracle.Corner
    ) -> None:
        if middle.normal_length < 0.01:
            return
        self.assertAlmostEqual(oracle.length(middle.normal), 1.0, places=9)
        one = sum(x * y for x, y in zip(a.normal, middle.normal))
        two = sum(x * y for x, y in zip(b.normal, middle.normal))
        self.assertAlmostEqual(one, two, delta=1e-4 / middle.normal_length)

    def test_frames_outside(self) -> None:
        for _, _, model in self.each():
            last = len(model.frames) - 1
            for frame in (-1.0, -0.5, last + 0.25, last + 1.0):
                self.assertRaises(oracle.OracleError, model.pose, frame)


class Damaged(unittest.TestCase):
    """The oracle rejects exactly the files that a reader must reject."""

    def test_damaged(self) -> None:
        made: Counter[str] = Counter()
        with tempfile.TemporaryDirectory() as folder:
            make_models.main([folder, "--damaged", "--seed", "3"])
            for path in sorted(Path(folder).glob("*.json")):
                intent = json.loads(path.read_text())
                made[intent["expect"]] += 1
                with self.subTest(path.stem, reason=intent["reason"]):
                    self.check(str(path)[: -len(".json")], intent["expect"])
        self.assertGreater(made["refuse"], 150)
        self.assertGreater(made["harmless"], 15)
        self.assertGreater(made["accept"], 0)

    def check(self, path: str, expect: str) -> None:
        if expect in ("refuse", "harmless"):  # the oracle is strict
            self.assertRaises(oracle.OracleError, oracle.load_file, path)
        elif expect == "accept":
            oracle.load_file(path)

    def test_names_do_not_collide(self) -> None:
        plain = make_models.plain_model
        names = [n for n, _, _ in make_models.damage.damaged_models(list(FORMATS), 3, plain)]
        self.assertEqual(len(names), len(set(names)))


def facing(corners: Sequence[oracle.Corner]) -> float:
    """The triangle's right-handed normal, times its corners' normals."""
    a, b, c = (corner.position for corner in corners)
    u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
    side = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return sum(side[i] * corner.normal[i] for corner in corners for i in range(3))


class Real(unittest.TestCase):
    """Correctly decoded real models have known properties."""

    models: list[tuple[Path, oracle.Model]]

    @classmethod
    def setUpClass(cls) -> None:
        cls.models = [(p, oracle.load_file(str(p))) for p in corpus.real_models(FORMATS)]

    def each(self) -> list[tuple[Path, oracle.Model]]:
        self.assertTrue(self.models, "no model in the corpus nor in assimp's")
        return self.models

    def test_front_faces_are_clockwise(self) -> None:
        """Seen from the direction of the normals: so positions, normals and winding agree."""
        checked = 0
        for path, model in self.each():
            sides = [facing(t) for s in model.pose(0.0).surfaces for t in s.triangles]
            clear = [s for s in sides if abs(s) > 1e-6]
            if clear and path.name not in UNSOUND:
                share = sum(s < 0 for s in clear) / len(clear)
                self.assertGreater(share, 0.9, path.name)
                checked += 1
        self.assertGreater(checked, 0)

    def test_bounds(self) -> None:
        """MDC and MD3 frames contain their vertices, to the step of 1/64."""
        checked = 0
        for path, model in self.each():
            if model.format == "md2" or not model.surfaces or path.name in UNSOUND:
                continue
            for f in {0, len(model.frames) // 2, len(model.frames) - 1}:
                with self.subTest(path.name, frame=f):
                    self.check_bounds(path, model, f)
                    checked += 1
        self.assertTrue(checked or all(m.format == "md2" for _, m in self.models))

    def check_bounds(self, path: Path, model: oracle.Model, f: int) -> None:
        points = [s.vertex(f, v, None)[0] for s in model.surfaces for v in range(s.num_vertices)]
        low, high = oracle.bounds(points)
        frame = model.frames[f]
        for i in range(3):
            self.assertGreaterEqual(low[i], frame.min[i] - 1.5 / 64.0)
            self.assertLessEqual(high[i], frame.max[i] + 1.5 / 64.0)

    def test_gl_commands_draw_the_triangle_list(self) -> None:
        """As a set, up to the first corner of each triangle; the coordinates differ by half a
        texel."""
        checked = 0
        for path, model in self.each():
            if not model.gl_triangles:
                continue
            listed = Counter(rotated_to_least(t.vertices) for t in model.surfaces[0].triangles)
            drawn = Counter(rotated_to_least(t.vertices) for t in model.gl_triangles)
            self.assertEqual(listed, drawn, path.name)
            checked += 1
        self.assertGreater(checked, 0)

    def test_tags_are_rotations(self) -> None:
        for path, model in self.each():
            for f in (0, len(model.frames) - 1):
                for t in range(len(model.tag_names)):
                    forward, left, up = model.tag(f, t, None).axes
                    cross = [forward[i - 2] * left[i - 1] - forward[i - 1] * left[i - 2]
                             for i in range(3)]
                    self.assertTrue(close(cross, up, 1e-3), (path.name, f, t))

    def test_broken_models_are_rejected(self) -> None:
        """Only the corpus has such a folder; assimp's package alone does not."""
        if not corpus.corpus_dir().is_dir():
            skipping.skip(self, "there is no corpus")
        broken = corpus.broken_models()
        self.assertTrue(broken)
        for path in broken:
            self.assertRaises(oracle.OracleError, oracle.load_file, str(path))


if __name__ == "__main__":
    unittest.main()
