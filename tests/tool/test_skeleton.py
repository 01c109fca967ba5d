"""lerpmesh convert --skeleton: the skinned file, evaluated by the oracle, moves as the model does, within the error
that the command reports."""
import copy
import math
import os
import random
import re
import struct
import subprocess
import zipfile

import bake
import skipping
from small_files import glb, limb_md2, md2_of, parse_glb
from tool_case import MD2, PLAYER, TOOL, ToolTest

METRES = 0.0254
SYDNEY = next((path for path in MD2 if path.endswith("sydney.md2")), None)
OPENARENA = "/usr/share/games/openarena/baseoa/pak0.pk3"
# Floats, and weights in 16 bits.
ROUNDING = 1e-4


class Cached(bake.Gltf):
    def __init__(self, document, data):
        super().__init__(document, data)
        self.seen = {}

    def elements(self, index):
        if index not in self.seen:
            self.seen[index] = super().elements(index)
        return self.seen[index]


def damaged_skins(document):
    """Makes documents with odd numbers in what only skinned files have."""
    for value in -1, 0, 1, 1 << 31, 1e9, 0.5, "x", None, []:
        for path in (("skins", 0, "joints", 1), ("skins", 0, "inverseBindMatrices"), ("skins", 0, "skeleton"),
                     ("meshes", 0, "primitives", 0, "attributes", "JOINTS_0"),
                     ("meshes", 0, "primitives", 0, "attributes", "WEIGHTS_0"),
                     ("meshes", 0, "primitives", 0, "targets", 1, "POSITION"), ("meshes", 0, "weights", 1),
                     ("animations", 0, "channels", 0, "target", "node"), ("animations", 0, "samplers", 0, "output")):
            changed = copy.deepcopy(document)
            place = changed
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = value
            yield changed


def percentile(values, share):
    return sorted(values)[len(values) * share // 100]


def middle_losses(data, info):
    """Reads an MD3 whose odd frames lie in the middle of the others. Returns the share of its length that each edge
    of at least one unit loses there."""
    surface = struct.unpack_from("<i", data, 100)[0]
    frames, _, vertices, triangles, first_triangle, _, _, first = struct.unpack_from("<8i", data, surface + 72)
    corners = struct.unpack_from(f"<{3 * triangles}i", data, surface + first_triangle)
    edges = {tuple(sorted((corners[t + k], corners[t + (k + 1) % 3])))
             for t in range(0, len(corners), 3) for k in range(3)}
    at = [struct.unpack_from(f"<{4 * vertices}h", data, surface + first + 8 * vertices * f) for f in range(frames)]

    def length(frame, a, b):
        return math.dist(at[frame][4 * a:4 * a + 3], at[frame][4 * b:4 * b + 3]) / 64

    losses = []
    for clip in info["clips"]:
        for frame in range(clip["first"] + 1, clip["first"] + clip["count"] - 1, 2):
            for a, b in edges:
                whole = (length(frame - 1, a, b) + length(frame + 1, a, b)) / 2
                if whole >= 1:
                    losses.append(1 - length(frame, a, b) / whole)
    return losses


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

    def both(self, path, *options, skeleton="--skeleton", step=1):
        text = self.convert(path, "-o", "skinned.glb", skeleton, *options)[1]
        self.convert(path, "-o", "plain.glb")
        found = re.search(r"skeleton of (\d+) joints?.*error ([\d.e-]+) units .*at most ([\d.e-]+)", text)
        self.assertTrue(found, text)
        skinned = bake.read_glb(self.read("skinned.glb"), Cached)
        self.assertEqual(len(skinned.document["skins"][0]["joints"]), int(found[1]))
        rms, most = self.compare(skinned, bake.read_glb(self.read("plain.glb"), Cached), step)
        return skinned, float(found[2]), float(found[3]), rms, most

    def test_a_limb(self):
        self.write("limb.md2", limb_md2())
        for skeleton, *options in ["--skeleton"], ["--skeleton", "--quantize"], ["--skeleton=2"]:
            with self.subTest([skeleton, *options]):
                skinned, rms, most, found_rms, found_most = self.both("limb.md2", *options, skeleton=skeleton)
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

    # ---- Corrective shapes

    def test_correctives(self):
        """The limb bulges where it bends: shapes explain it, and the oracle finds the error that the command
        reports."""
        self.write("limb.md2", limb_md2(bulge=6))
        _, rms, most, found_rms, found_most = self.both("limb.md2", "--correctives", "8", skeleton="--skeleton=2")
        text = self.convert("limb.md2", "-o", "skinned.glb", "--skeleton=2", "--correctives", "8")[1]
        without = re.search(r"and \d+ corrective shapes? \(without: ([\d.e-]+) units", text)
        self.assertLess(3 * rms, float(without[1]))
        self.assertLess(abs(found_rms - rms), 0.01 * rms + ROUNDING)
        self.assertLess(found_most, 1.01 * most + 50 * ROUNDING)

    def test_correctives_make_a_refused_skeleton_usable(self):
        self.write("limb.md2", limb_md2(bulge=6))
        text = self.convert("limb.md2", "-o", "limb.glb", "--skeleton=1")[1]
        self.assertIn("no skeleton, but morph targets: no skeleton of 1 joint explains the movement", text)
        self.assertNotIn("skins", parse_glb(self.read("limb.glb")))
        text = self.convert("limb.md2", "-o", "limb.glb", "--skeleton=1", "--correctives", "64")[1]
        self.assertNotIn("no skeleton", text)
        document = parse_glb(self.read("limb.glb"))
        self.assertEqual(len(document["skins"][0]["joints"]), 1)
        shapes = document["meshes"][0]["primitives"][0]["targets"]
        self.assertEqual(len(document["meshes"][0]["weights"]), len(shapes))
        self.assertEqual(len(document["meshes"][0]["extras"]["targetNames"]), len(shapes))

    # ---- Other rates

    def test_limbs_keep_their_length(self):
        """Half way between two frames, edges of a real model are as long as in these."""
        if not SYDNEY:
            skipping.skip(self, "there is no sydney.md2")
        losses = []
        for options in [], ["--skeleton"]:
            self.convert(SYDNEY, "-o", "x.md3", "--fps", "20", *options)
            losses.append(middle_losses(self.read("x.md3"), self.run_json("info", "--json", "x.md3")[0]))
        self.assertGreater(percentile(losses[0], 99), 0.15)
        self.assertLess(percentile(losses[1], 99), 0.02)

    def test_all_formats(self):
        """In all formats, and as textures, parts move on circles instead of chords."""
        self.write("limb.md2", limb_md2())
        for name in "a.md2", "a.md3", "a.mdc", "a.mdl":
            with self.subTest(name):
                text = self.convert("limb.md2", "-o", name, "--fps", "20", "--skeleton")[1]
                self.assertIn("skeleton of 2 joints", text)
                self.convert("limb.md2", "-o", "mixed" + name[1:], "--fps", "20")
                far = self.run_json("compare", "--json", name, "mixed" + name[1:])[0]
                self.assertTrue(0.5 < far["max_distance"] < 5, far["max_distance"])
        self.convert("limb.md2", "-o", "a.glb", "--vat", "png", "--fps", "20", "--skeleton")

    def test_a_refused_skeleton_mixes(self):
        self.write("limb.md2", limb_md2(bulge=6))
        text = self.convert("limb.md2", "-o", "a.md2", "--fps", "20", "--skeleton=1")[1]
        self.assertIn("no skeleton, but positions are mixed: no skeleton of 1 joint", text)
        self.convert("limb.md2", "-o", "b.md2", "--fps", "20")
        self.assertEqual(self.read("a.md2"), self.read("b.md2"))

    def test_imports_keep_their_own(self):
        self.write("limb.md2", limb_md2())
        self.convert("limb.md2", "-o", "limb.glb", "--skeleton")
        text = self.convert("limb.glb", "-o", "a.md2", "--fps", "20", "--skeleton")[1]
        self.assertIn("--skeleton does not apply to imported models", text)

    # ---- And back

    def comes_back(self, path, *options):
        """The file comes back as MD2, MD3 and MDC; the distance is the error of the skeleton and of rounding."""
        text = self.convert(path, "-o", "skinned.glb", "--skeleton", *options)[1]
        found = re.search(r"error ([\d.e-]+) units \(.*at most ([\d.e-]+)", text)
        for name in "back.md2", "back.md3", "back.mdc":
            written = self.convert("skinned.glb", "-o", name)[1]
            rounding = re.search(r"maximum error ([\d.e-]+) units, RMS ([\d.e-]+)", written)
            told = self.run_json("compare", "--json", path, name)[0]
            with self.subTest(name):
                self.assertLess(told["rms_distance"],
                                1.15 * math.hypot(math.sqrt(3) * float(found[1]), float(rounding[2])) + ROUNDING)
                self.assertLess(told["max_distance"], float(found[2]) + float(rounding[1]) + ROUNDING)

    def test_it_comes_back(self):
        self.write("limb.md2", limb_md2(bulge=2))
        for options in [], ["--correctives", "4"]:
            self.comes_back("limb.md2", *options)

    def test_real_models_come_back(self):
        if not SYDNEY:
            skipping.skip(self, "there is no sydney.md2")
        self.comes_back(SYDNEY)
        self.convert(SYDNEY, "-o", "sydney.mdc")
        self.comes_back("sydney.mdc", "--correctives", "8")

    def test_a_quake_3_player(self):
        """Its torso comes back. In one file, each of its models moves by its own skeleton."""
        if not os.path.exists(OPENARENA):
            skipping.skip(self, "OpenArena is not installed")
        os.mkdir(self.path("sarge"))
        with zipfile.ZipFile(OPENARENA) as archive:
            for name in "lower.md3", "upper.md3", "head.md3", "animation.cfg":
                self.write("sarge/" + name, archive.read("models/players/sarge/" + name))
        self.comes_back("sarge/upper.md3")
        text = self.convert("sarge", "-o", "both.md3", "--fps", "30", "--clip", "LEGS_RUN", "--skeleton")[1]
        self.assertEqual(re.findall(r"(\w+): skeleton of", text), ["lower", "upper"])
        self.assertNotIn("no skeleton", text)
        self.convert("sarge", "-o", "mixed.md3", "--fps", "30", "--clip", "LEGS_RUN")
        far = self.run_json("compare", "--json", "both.md3", "mixed.md3")[0]
        self.assertTrue(1 < far["max_distance"] < 5, far["max_distance"])

    def test_nothing_moves(self):
        self.write("still.md2", md2_of([(0, 0, 0, 0), (9, 0, 0, 0), (0, 9, 0, 0)], [(0, 1, 2, 0, 0, 0)], [(0, 0)],
                                       frames=1))
        text = self.convert("still.md2", "-o", "still.glb", "--skeleton")[1]
        self.assertIn("no skeleton, but morph targets: nothing moves", text)
        self.assertNotIn("skins", parse_glb(self.read("still.glb")))

    def test_damaged_files(self):
        """Prefixes of a skinned file, and files with other bytes and numbers, become models or are refused."""
        self.write("limb.md2", limb_md2(frames=8, vertices=12, bulge=4))
        self.convert("limb.md2", "-o", "limb.glb", "--skeleton=2", "--correctives", "2")
        whole = self.read("limb.glb")
        document = parse_glb(whole)
        self.assertTrue(document["skins"] and document["meshes"][0]["primitives"][0]["targets"])
        chance = random.Random(30)
        damaged = [(whole[:size], (1,)) for size in chance.sample(range(len(whole)), 60)]
        for _ in range(100):
            changed = bytearray(whole)
            for _ in range(chance.randint(1, 3)):
                changed[chance.randrange(12, len(changed))] = chance.choice((0, 0x30, 0x39, 0x7f, 0xff))
            damaged.append((changed, (0, 1)))
        data = bake.read_glb(whole).data
        joints = document["accessors"][document["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"]]
        at = document["bufferViews"][joints["bufferView"]].get("byteOffset", 0) + joints.get("byteOffset", 0)
        damaged.append((glb(document | {"data": data[:at] + b"\x02" + data[at + 1:]}), (1,)))
        damaged += [(glb(changed | {"data": data}), (0, 1)) for changed in damaged_skins(document)]
        for i, (data, statuses) in enumerate(damaged):
            self.write("x.glb", bytes(data))
            done = subprocess.run([TOOL, "convert", "x.glb", "--force", "-o", "x.md3"], cwd=self.folder,
                                  capture_output=True, text=True, check=False, timeout=60)
            self.assertIn(done.returncode, statuses, f"{i}: {done.stderr}")
            self.assertTrue(done.stderr.startswith("lerpmesh"), done.stderr)
