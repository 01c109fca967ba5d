#!/usr/bin/env python3
"""lerpmesh convert --skeleton: the skinned file, evaluated by the oracle, moves as the model does, within the error
that the command reports."""
import json
import math
import re
import struct
import unittest

import bake
from small_files import make_md2, md2_of, parse_glb
from tool_case import PLAYER, ToolTest

METRES = 0.0254
# Floats, and weights in 16 bits.
ROUNDING = 1e-4


class Cached(bake.Gltf):
    def __init__(self, data):
        size = struct.unpack_from("<I", data, 12)[0]
        super().__init__(parse_glb(data), data[28 + size:])
        self.seen = {}

    def elements(self, index):
        if index not in self.seen:
            self.seen[index] = super().elements(index)
        return self.seen[index]


def limb(frames=24, parts=2, vertices=40):
    """Makes an MD2 of stiff parts that bend at joints 50 steps apart."""
    rows, triangles = [], []
    for frame in range(frames):
        row = []
        for v in range(vertices * parts):
            x, y, z = 50 * parts * v / (vertices * parts), 8 * math.cos(2.4 * v), 8 * math.sin(2.4 * v)
            for joint in range(int(x // 50), 0, -1):
                angle = 0.5 * math.sin(frame * (joint + 1) / 4)
                x, z = (50 * joint + math.cos(angle) * (x - 50 * joint) + math.sin(angle) * z,
                        math.cos(angle) * z - math.sin(angle) * (x - 50 * joint))
            row.append((round(x) + 20, round(y) + 100, round(z) + 100, 0))
        rows.append(row)
    for v in range(vertices * parts - 2):
        triangles.append((v, v + 1, v + 2, 0, 0, 0))
    return rows, triangles


def limb_md2():
    rows, triangles = limb()
    first = md2_of(rows[0], triangles, [(0, 0)], frames=len(rows))
    at, size = struct.unpack_from("<i", first, 56)[0], struct.unpack_from("<i", first, 16)[0]
    data = bytearray(first)
    for frame, row in enumerate(rows):
        struct.pack_into("<%dB" % (4 * len(row)), data, at + frame * size + 40, *(x for v in row for x in v))
    return bytes(data)


class Skeleton(ToolTest):
    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def compare(self, skinned, plain, step=1):
        """Returns the root mean square of a coordinate's error and the largest distance, in units."""
        total, count, most = 0, 0, 0
        for animation in plain.document["animations"]:
            other = next(a for a in skinned.document["animations"] if a["name"] == animation["name"])
            keys = [t for (t,) in plain.elements(animation["samplers"][0]["input"])]
            for time in keys[::step]:
                rows = []
                for gltf, what in (skinned, other), (plain, animation):
                    world, weights = gltf.pose(what, time)
                    node = next(i for i, n in enumerate(gltf.document["nodes"]) if "mesh" in n)
                    mesh = gltf.document["meshes"][gltf.document["nodes"][node]["mesh"]]
                    rows.append(gltf.vertices(node, mesh["primitives"][0], world, weights))
                self.assertEqual(len(rows[0]), len(rows[1]))
                for p, q in zip(*rows):
                    square = sum((a - b) ** 2 for a, b in zip(p, q))
                    total, count, most = total + square, count + 3, max(most, square)
        return math.sqrt(total / count) / METRES, math.sqrt(most) / METRES

    def both(self, path, *options, step=1):
        text = self.convert(path, "-o", "skinned.glb", "--skeleton", *options)[1]
        self.convert(path, "-o", "plain.glb")
        found = re.search(r"skeleton of (\d+) joints?.*error ([\d.e-]+) units .*at most ([\d.e-]+)", text)
        self.assertTrue(found, text)
        skinned = Cached(self.read("skinned.glb"))
        self.assertEqual(len(skinned.document["skins"][0]["joints"]), int(found[1]))
        rms, most = self.compare(skinned, Cached(self.read("plain.glb")), step)
        return skinned, float(found[2]), float(found[3]), rms, most

    def test_a_limb(self):
        self.write("limb.md2", limb_md2())
        for options in [], ["--quantize"], ["2"]:
            with self.subTest(options):
                skinned, rms, most, found_rms, found_most = self.both("limb.md2", *options)
                self.assertEqual(len(skinned.document["skins"][0]["joints"]), 2)
                self.assertLess(abs(found_rms - rms), 0.01 * rms + ROUNDING)
                self.assertLess(found_most, 1.01 * most + 50 * ROUNDING)
                self.assertLess(len(self.read("skinned.glb")), len(self.read("plain.glb")) / 2)

    def test_a_player(self):
        """A real model: the error of every eighth frame is about that of all."""
        skinned, rms, most, found_rms, found_most = self.both(PLAYER, step=8)
        self.assertLess(found_rms, 1.3 * rms)
        self.assertLess(found_most, 1.01 * most + ROUNDING)
        self.assertLess(len(self.read("skinned.glb")) * 6, len(self.read("plain.glb")))
        paths = [c["target"]["path"] for a in skinned.document["animations"] for c in a["channels"]]
        self.assertNotIn("weights", paths)
        self.assertLess(paths.count("translation"), paths.count("rotation"))

    def test_it_comes_back(self):
        self.write("limb.md2", limb_md2())
        self.convert("limb.md2", "-o", "limb.glb", "--skeleton")
        self.convert("limb.glb", "-o", "back.md2")
        told = json.loads(self.run_tool("compare", "--json", "limb.md2", "back.md2")[0])
        self.assertLess(told["rms_distance"], 1)

    def test_nothing_moves(self):
        self.write("still.md2", md2_of([(0, 0, 0, 0), (9, 0, 0, 0), (0, 9, 0, 0)], [(0, 1, 2, 0, 0, 0)], [(0, 0)],
                                       frames=1))
        text = self.convert("still.md2", "-o", "still.glb", "--skeleton")[1]
        self.assertIn("no skeleton, but morph targets: nothing moves", text)
        self.assertNotIn("skins", parse_glb(self.read("still.glb")))

    def test_wrong_options(self):
        self.write("x.md2", make_md2([b"a1", b"a2"], ()))
        for arguments, words in ((["-o", "x.obj", "--skeleton"], "applies to glTF only"),
                                 (["-o", "x.glb", "--skeleton=0"], "number of joints"),
                                 (["-o", "x.glb", "--skeleton", "999"], "up to 128"),
                                 (["-o", "x.glb", "--skeleton", "--frame", "1"], "--frame cannot be combined")):
            with self.subTest(arguments):
                self.assertIn(words, self.convert("x.md2", *arguments, status=2)[1])


if __name__ == "__main__":
    unittest.main()
