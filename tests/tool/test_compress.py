"""lerpmesh convert --compress: decoded by the oracle and compared with the plain file, corner by corner."""
import glob
import json
import math
import os
import random
import struct
import subprocess

import bake
import meshopt
import skipping
from small_files import make_md2, md2_of, parse_glb
from tool_case import PLAYER, TOOL, ToolTest

METRES = 0.0254
TRIANGLE = [(0, 0, 0, 0), (9, 0, 0, 0), (0, 9, 0, 0)]
# Half a step of 0.003 units, with the rounding of the plain file's floats.
POSITION = 0.0015 * METRES + 2e-7


def flat(path):
    """Returns a .glb with one binary, without compression, as the reader of bake.py needs it."""
    with open(path, "rb") as file:
        document, views = meshopt.unpack(file.read())
    at = 0
    for view, data in zip(document["bufferViews"], views):
        view["byteOffset"] = at
        at += len(data)
    return bake.Gltf(document, b"".join(views))


def meshes(gltf):
    """Returns for each mesh node of a file its corners, texture coordinates, base and targets."""
    found = {}
    for index, node in enumerate(gltf.document["nodes"]):
        if "mesh" not in node:
            continue
        primitive = gltf.document["meshes"][node["mesh"]]["primitives"][0]
        attributes, targets = primitive["attributes"], primitive.get("targets", [])
        found[index] = {
            "corners": [i for (i,) in gltf.elements(primitive["indices"])],
            "st": gltf.elements(attributes["TEXCOORD_0"]),
            "base": [gltf.elements(attributes[name]) for name in ("POSITION", "NORMAL")],
            "targets": [[gltf.elements(target[name]) if name in target else None for name in ("POSITION", "NORMAL")]
                        for target in targets],
            "scale": node.get("scale", [1, 1, 1])[0], "move": node.get("translation", [0, 0, 0])}
    return found


def shape(mesh, weights):
    """Returns the positions and unit normals of a mesh with these weights."""
    used = [(w, target) for w, target in zip(weights, mesh["targets"]) if w]
    rows = []
    for kind in range(2):
        row = [list(v) for v in mesh["base"][kind]]
        for weight, target in used:
            for v, change in zip(row, target[kind] or ()):
                for k in range(3):
                    v[k] += weight * change[k]
        rows.append(row)
    positions = [[x * mesh["scale"] + m for x, m in zip(p, mesh["move"])] for p in rows[0]]
    return positions, [bake.unit(n) for n in rows[1]]


def keys(gltf):
    """Yields the weights of each key: the animation's name, the node, the key's number and the weights."""
    for animation in gltf.document.get("animations", ()):
        for channel in animation["channels"]:
            if channel["target"]["path"] != "weights":
                continue
            sampler = animation["samplers"][channel["sampler"]]
            count = len(gltf.elements(sampler["input"]))
            values = [w for (w,) in gltf.elements(sampler["output"])]
            size = len(values) // count
            for key in range(count):
                yield animation["name"], channel["target"]["node"], key, values[key * size:][:size]


class Compress(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("a.md2", make_md2([b"run%d" % i for i in range(5)]))
        done = subprocess.run([TOOL, "convert", "a.md2", "--compress", "meshopt", "-o", "a.glb"], cwd=self.folder,
                              capture_output=True, check=False)
        if b"needs meshoptimizer" in done.stderr:
            skipping.skip(self, "meshoptimizer is not installed")

    def compare(self, path, *options, position=POSITION, normal=0.04):
        """Compares all keys of the compressed file with the plain one. Returns the sizes of both."""
        frames = options[:2] if "--frames" in options else ()
        self.convert(path, "-q", "-o", "plain.glb", *frames)
        self.convert(path, "-q", "--compress", "meshopt", "-o", "packed.glb", *options)
        plain, packed = (flat(os.path.join(self.folder, name)) for name in ("plain.glb", "packed.glb"))
        wanted, got = meshes(plain), meshes(packed)
        self.assertEqual(list(wanted), list(got))
        for a, b in zip(wanted.values(), got.values()):
            self.assertEqual(len(a["corners"]), len(b["corners"]))
            for i, j in zip(a["corners"], b["corners"]):
                for x, y in zip(a["st"][i], b["st"][j]):
                    self.assertAlmostEqual(x, y, delta=1e-4)
        worst, angles, active = 0, [], 0
        all_keys = list(keys(plain)), list(keys(packed))
        self.assertEqual([key[:3] for key in all_keys[0]], [key[:3] for key in all_keys[1]])
        rests = [("rest", node, 0, []) for node in wanted]
        for (name, node, key, weights), (*_, others) in zip([*all_keys[0], *rests], [*all_keys[1], *rests]):
            active = max(active, sum(w > 0 for w in others))
            a, b = shape(wanted[node], weights), shape(got[node], others)
            pairs = set(zip(wanted[node]["corners"], got[node]["corners"]))
            for i, j in pairs:
                worst = max(worst, *(abs(x - y) for x, y in zip(a[0][i], b[0][j])))
                angles.append(2 * math.asin(min(1, math.dist(a[1][i], b[1][j]) / 2)))
        self.assertLessEqual(worst, position, path)
        self.assertLessEqual(math.degrees(sum(angles) / len(angles)), normal, path)
        self.assertLessEqual(active, 3 if len(all_keys[0]) else 0)
        return [os.path.getsize(os.path.join(self.folder, name)) for name in ("plain.glb", "packed.glb")]

    def test_small_files(self):
        self.compare("a.md2")

    def test_samples(self):
        paths = sorted(glob.glob(os.path.join(os.environ["LERPMESH_SOURCE_DIR"], "samples", "*.md[23cl]")))
        self.assertGreater(len(paths), 2)
        for path in paths:
            plain, packed = self.compare(path)
            self.assertLess(packed, plain)

    def test_player(self):
        _, packed = self.compare(PLAYER)
        self.assertLessEqual(packed, 2.2 * os.path.getsize(PLAYER))

    def test_max_error(self):
        last = os.path.getsize(os.path.join(self.folder, "a.glb")) + 1e9
        for error, normal in ((0.002, 0.04), (0.01, 0.08), (0.04, 0.15), (0.1, 0.3)):
            _, packed = self.compare(PLAYER, "--frames", "0-29", "--max-error", str(error), position=error * METRES, normal=normal)
            self.assertLess(packed, last)
            last = packed

    def test_wide_movement(self):
        """A difference of more than 16 bits makes the steps larger."""
        data = bytearray(md2_of(TRIANGLE, [(0, 1, 2, 0, 0, 0)], [(0, 0)], frames=3))
        frames, = struct.unpack_from("<i", data, 56)
        data[frames + 52 + 40] = 255  # x of the first vertex in the second frame
        self.write("wide.md2", bytes(data))
        self.compare("wide.md2", position=255 / 65535 * METRES + 2e-7)
        scale, = {node["scale"][0] for node in parse_glb(self.read("packed.glb"))["nodes"]}
        self.assertAlmostEqual(scale, 2 * 255 / 65535 * METRES, 9)

    def test_files(self):
        self.convert("a.md2", "-q", "--compress", "meshopt", "-o", "b.gltf")
        gltf = json.loads(self.read("b.gltf"))
        self.assertEqual([buffer.get("uri") for buffer in gltf["buffers"]], ["b.bin", None])
        self.assertEqual(gltf["buffers"][0]["byteLength"], len(self.read("b.bin")))
        self.assertEqual(gltf["extensionsRequired"], ["KHR_mesh_quantization", "EXT_meshopt_compression"])
        self.convert("b.gltf", "-q", "-o", "b.md2")

    def test_comes_back(self):
        """The compressed file becomes the model of the plain one: frames, names and clips."""
        for path in ("a.md2", PLAYER):
            self.compare(path)
            for name in ("plain", "packed"):
                self.convert(name + ".glb", "-q", "-o", name + ".md3")
            output, _ = self.run_tool("compare", "plain.md3", "packed.md3", "--tolerance", "0.05")
            plain, packed = (json.loads(self.run_tool("info", "--json", name + ".md3")[0])
                             for name in ("plain", "packed"))
            for key in "frames", "clips":
                self.assertEqual([one["name"] for one in plain[key]], [one["name"] for one in packed[key]])
            self.assertTrue(output)

    def test_damage(self):
        self.convert(PLAYER, "-q", "--compress", "meshopt", "--frames", "0-9", "-o", "good.glb")
        good, chance, failed = self.read("good.glb"), random.Random(7), 0
        start = 20 + int.from_bytes(good[12:16], "little")
        for _ in range(30):
            data = bytearray(good)
            for _ in range(chance.choice((1, 40))):
                data[chance.randrange(start, len(data))] = chance.randrange(256)
            self.write("bad.glb", bytes(data))
            done = subprocess.run([TOOL, "convert", "-q", "bad.glb", "-o", "bad.md3"], cwd=self.folder,
                                  capture_output=True, check=False)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            failed += done.returncode
        self.assertGreater(failed, 0)

    def test_hint(self):
        self.write("long.md2", make_md2([b"run%d" % i for i in range(300)]))
        self.assertIn("--compress meshopt makes them much smaller", self.convert("long.md2", "-o", "long.glb")[1])
        self.compare("long.md2", position=1024 / 65535 * METRES)
