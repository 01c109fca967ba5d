#!/usr/bin/env python3
"""Checks the claims of samples/README.md about the committed samples, without the library."""
import math
import os
import struct
import unittest

SAMPLES = os.path.join(
    os.environ["LERPMESH_SOURCE_DIR"], "samples"
)


def read(name):
    with open(os.path.join(SAMPLES, name), "rb") as file:
        return file.read()


class Knight(unittest.TestCase):
    def setUp(self):
        self.data = read("tick.md2")
        names = (
            "ident version width height framesize skins xyz st tris glcmds frames "
            "ofs_skins ofs_st ofs_tris ofs_frames ofs_glcmds ofs_end"
        ).split()
        self.head = dict(zip(names, struct.unpack_from("<17i", self.data)))

    def array(self, offset, count, layout):
        size = struct.calcsize(layout)
        return [struct.unpack_from(layout, self.data, offset + i * size) for i in range(count)]

    def triangles(self):
        """Returns corners as (vertex, s, t), each triangle beginning with its least corner."""
        st = self.array(self.head["ofs_st"], self.head["st"], "<2h")
        rows = self.array(self.head["ofs_tris"], self.head["tris"], "<6H")
        return [turned([(row[k], *st[row[3 + k]]) for k in range(3)]) for row in rows]

    def gl_triangles(self):
        at, found, strips, fans = self.head["ofs_glcmds"], [], 0, 0
        while True:
            (count,) = struct.unpack_from("<i", self.data, at)
            at += 4
            if count == 0:
                self.assertEqual(at, self.head["ofs_glcmds"] + 4 * self.head["glcmds"])
                return found, strips, fans
            corners = []
            for s, t, vertex in self.array(at, abs(count), "<2fi"):
                corner = (vertex, s * self.head["width"] - 0.5, t * self.head["height"] - 0.5)
                corners.append(corner)
            at += 12 * abs(count)
            strips, fans = strips + (count > 0), fans + (count < 0)
            for i in range(abs(count) - 2):
                a, b, c = (0, i + 1, i + 2) if count < 0 else (i, i + 1, i + 2)
                if count > 0 and i % 2:
                    a, b = b, a
                found.append(turned([corners[a], corners[b], corners[c]]))

    def positions(self, frame):
        at = self.head["ofs_frames"] + frame * self.head["framesize"]
        scale = struct.unpack_from("<6f", self.data, at)
        vertices = self.array(at + 40, self.head["xyz"], "<4B")
        return [[v[k] * scale[k] + scale[3 + k] for k in range(3)] for v in vertices]

    def test_gl_commands_draw_the_triangle_list(self):
        drawn, strips, fans = self.gl_triangles()
        self.assertTrue(sorted(drawn) == sorted(self.triangles()))
        self.assertGreater(strips, 10)
        self.assertGreater(fans, 2)
        self.assertLess(strips + fans, len(drawn) / 6)

    def test_number_and_validity_of_triangles(self):
        triangles = self.triangles()
        self.assertTrue(200 <= len(triangles) < 1000)
        self.assertEqual(len(set(triangles)), len(triangles))
        used = {corner[0] for triangle in triangles for corner in triangle}
        self.assertEqual(used, set(range(self.head["xyz"])))
        self.assertGreater(len({c for t in triangles for c in t}), len(used))

    def test_faces_are_closed_and_face_outwards(self):
        """Clockwise from outside: the volume by the right-hand rule is negative."""
        edges = set()
        for triangle in self.triangles():
            v = [corner[0] for corner in triangle]
            edges |= {(v[k], v[(k + 1) % 3]) for k in range(3)}
        self.assertTrue(all((b, a) in edges for a, b in edges))
        for frame in range(self.head["frames"]):
            p, volume = self.positions(frame), 0
            for triangle in self.triangles():
                a, b, c = (p[corner[0]] for corner in triangle)
                volume += sum(
                    a[k] * (b[(k + 1) % 3] * c[(k + 2) % 3] - b[(k + 2) % 3] * c[(k + 1) % 3])
                    for k in range(3)
                )
            self.assertLess(volume / 6, -5000)

    def test_feet_are_on_the_ground_and_height_is_56_units(self):
        z = [p[2] for p in self.positions(0)]
        self.assertAlmostEqual(min(z), -24, delta=0.3)
        self.assertAlmostEqual(max(z) - min(z), 56, delta=1.5)

    def test_texture_coordinates_lie_inside_the_skin(self):
        for s, t in self.array(self.head["ofs_st"], self.head["st"], "<2h"):
            self.assertTrue(0 <= s < self.head["width"] and 0 <= t < self.head["height"])

    def test_every_frame_moves(self):
        frames = {
            bytes(self.data[at + 40 : at + self.head["framesize"]])
            for at in range(
                self.head["ofs_frames"],
                self.head["ofs_glcmds"],
                self.head["framesize"],
            )
        }
        self.assertGreater(len(frames), 40)

    def test_skin(self):
        skin = read("tick.pcx")
        self.assertEqual(struct.unpack_from("<4B4H", skin), (10, 5, 1, 8, 0, 0, 255, 255))
        at, pixels = 128, bytearray()
        while len(pixels) < 256 * 256:
            run = skin[at] & 63 if skin[at] >= 0xC0 else 1
            at += skin[at] >= 0xC0
            pixels += skin[at : at + 1] * run
            at += 1
        self.assertEqual(len(pixels), 256 * 256)
        self.assertEqual(skin[at], 12)
        self.assertEqual(len(skin), at + 1 + 768)


def turned(corners):
    least = corners.index(min(corners))
    return tuple(corners[least:] + corners[:least])


class Head(unittest.TestCase):
    def setUp(self):
        self.data = read("tick_head.mdc")
        head = struct.unpack_from("<10i", self.data, 72)
        self.frames, self.tags, self.ofs_frames, self.ofs_tags = head[1], head[2], head[5], head[7]
        self.surfaces, at = [], head[8]
        for _ in range(head[3]):
            self.surfaces.append(self.surface(at))
            at += self.surfaces[-1]["end"]
        self.assertEqual(at, len(self.data))

    def surface(self, at):
        names = (
            "flags comp base shaders vertices triangles ofs_triangles ofs_shaders ofs_st "
            "ofs_base ofs_comp ofs_base_table ofs_comp_table end"
        ).split()
        s = dict(zip(names, struct.unpack_from("<14i", self.data, at + 68)))
        s["at"] = at
        table = f"<{self.frames}h"
        s["base_table"] = struct.unpack_from(table, self.data, at + s["ofs_base_table"])
        s["comp_table"] = struct.unpack_from(table, self.data, at + s["ofs_comp_table"])
        return s

    def positions(self, s, frame):
        count, base, comp = s["vertices"], s["base_table"][frame], s["comp_table"][frame]
        out = []
        for v in range(count):
            at = s["at"] + s["ofs_base"] + 8 * (base * count + v)
            p = [x / 64 for x in struct.unpack_from("<3h", self.data, at)]
            if comp >= 0:
                at = s["at"] + s["ofs_comp"] + 4 * (comp * count + v)
                p = [x + (self.data[at + k] - 127) * 0.05 for k, x in enumerate(p)]
            out.append(p)
        return out

    def test_base_and_compressed_frames(self):
        self.assertGreaterEqual(len(self.surfaces), 3)
        for s in self.surfaces:
            self.assertGreater(s["base"], 1)
            self.assertEqual(set(s["base_table"]), set(range(s["base"])))
            self.assertEqual({i for i in s["comp_table"] if i >= 0}, set(range(s["comp"])))
        self.assertGreater(len({s["base_table"] for s in self.surfaces}), 1)
        self.assertGreater(len({s["comp_table"] for s in self.surfaces}), 1)
        first = [s["comp_table"][0] for s in self.surfaces]
        self.assertIn(-1, first)
        self.assertIn(0, first)
        self.assertTrue(any(-1 in s["comp_table"][1:] for s in self.surfaces))

    def test_compressed_offsets_use_their_range(self):
        offsets = [
            self.data[s["at"] + s["ofs_comp"] + 4 * i + k] - 127
            for s in self.surfaces
            for i in range(s["comp"] * s["vertices"])
            for k in range(3)
        ]
        self.assertLess(min(offsets), -100)
        self.assertGreater(max(offsets), 100)

    def test_bounds_enclose_every_vertex_closely(self):
        for frame in range(self.frames):
            bounds = struct.unpack_from("<10f", self.data, self.ofs_frames + 56 * frame)
            points = [p for s in self.surfaces for p in self.positions(s, frame)]
            origin, radius = bounds[6:9], bounds[9]
            for k in range(3):
                low, high = min(p[k] for p in points), max(p[k] for p in points)
                self.assertTrue(0 <= low - bounds[k] <= 0.6)
                self.assertTrue(0 <= bounds[3 + k] - high <= 0.6)
                self.assertAlmostEqual(origin[k], (bounds[k] + bounds[3 + k]) / 2)
            furthest = max(math.dist(p, origin) for p in points)
            self.assertTrue(0 <= radius - furthest <= 0.6)

    def test_tags_follow_the_head(self):
        """The skull's vertex 0 is its crown: the hat is 0.3 below it, along the tag's own z."""
        moved = set()
        for frame in range(self.frames):
            at = self.ofs_tags + 12 * self.tags * frame
            tag = struct.unpack_from("<6h", self.data, at)
            moved.add(tag)
            origin = [x / 64 for x in tag[:3]]
            pitch, yaw, roll = (math.radians(x * 360 / 32700) for x in tag[3:])
            sp, cp, sy, cy = math.sin(pitch), math.cos(pitch), math.sin(yaw), math.cos(yaw)
            sr, cr = math.sin(roll), math.cos(roll)
            up = (cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp)
            crown = self.positions(self.surfaces[0], frame)[0]
            for k in range(3):
                self.assertAlmostEqual(origin[k] + 0.3 * up[k], crown[k], delta=0.08)
        self.assertGreater(len(moved), 20)


if __name__ == "__main__":
    unittest.main()
