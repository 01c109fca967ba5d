"""lerpmesh convert --vat: vertex-animation textures, read back by an independent reader and compared with
the independent decoder of the source, in every frame of every model."""
import math
import os
from pathlib import Path

import corpus
import make_models
import oracle
import vat
from small_files import make_md2, make_md3, make_pcx
from tool_case import HEAD, PLAYER, SOURCE, ToolTest

UNIT = 0.0254
FORMATS = ("md2", "mdc", "md3", "mdl")
HALF_STEP = 0.5 / 65535
ROUNDING = 2e-6  # of the model's size: floats of the base, of the offset and of its bounds
MAX_ANGLE = 0.01  # degrees, by the 16 bits of a normal
# The tables of the formats round normals to a float, and the oracle computes them in double precision.
MAX_FLOAT_ANGLE = 0.002
TICK = os.path.join(SOURCE, "samples", "tick.md2")


def to_model(v):
    """glTF's axes and metres to the model's: (y, z, x) back to (x, y, z)."""
    return v[2], v[0], v[1]


def angle(a, b):
    cross = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    dot = sum(x * y for x, y in zip(a, b))
    return math.degrees(math.atan2(math.sqrt(sum(c * c for c in cross)), dot))


class Source:
    """A surface of the oracle: its vertices in all frames."""

    def __init__(self, model, surface):
        self.triangles = surface.triangles
        self.vertices = [[surface.vertex(f, v, None) for f in range(len(model.frames))]
                         for v in range(surface.num_vertices)]

    def key(self, vertex, texcoord):
        return tuple(self.vertices[vertex]), texcoord


class Compared:
    """The largest differences over all corners and frames."""

    def __init__(self):
        self.distance = self.angle = self.corners = self.size = 0

    def corner(self, made, primitive, index, frames):
        for frame, (position, normal) in enumerate(frames):
            p, n = made.vertex(primitive, index, frame)
            far = max(abs(a / UNIT - b) for a, b in zip(to_model(p), position))
            self.distance = max(self.distance, far)
            self.size = max(self.size, *map(abs, position))
            if any(normal):
                self.angle = max(self.angle, angle(to_model(n), normal))
        self.corners += len(frames)


class Vat(ToolTest):
    def made(self, path, *arguments, texture="png"):
        _, self.errors = self.convert(str(path), "-f", "-o", "X.glb", "--vat", texture, *arguments)
        return vat.Vat(Path(self.path("X.glb")))

    def compare(self, made, model):
        """Compares the triangles in file order. Those with two equal corners are not written."""
        result = Compared()
        primitives = iter(made.primitives)
        for surface in (Source(model, s) for s in model.surfaces):
            wanted = []
            for triangle in surface.triangles:
                keys = [surface.key(v, st) for v, st in zip(triangle.vertices, triangle.texcoords)]
                if len(set(keys)) == 3:
                    wanted.append(keys)
            if wanted:
                self.compare_surface(made, next(primitives), wanted, result)
        self.assertIsNone(next(primitives, None))
        return result

    def compare_surface(self, made, primitive, wanted, result):
        self.assertEqual(len(primitive.triangles), len(wanted))
        seen = {}
        for (a, c, b), corners in zip(primitive.triangles, wanted):  # counter-clockwise
            for index, (frames, st) in zip((a, b, c), corners):
                if (index, frames, st) in seen:
                    continue
                seen[index, frames, st] = True
                self.assertLess(max(abs(x - y) for x, y in zip(primitive.st[index], st)), 1e-6)
                result.corner(made, primitive, index, frames)
        # Welded: no two vertices are equal in all frames.
        self.assertEqual(len(set(primitive.pixels)), len(primitive.pixels))
        self.assertLessEqual(len(primitive.pixels), len({key for key in wanted for key in key}))

    def check(self, made, model, exr=False):
        result = self.compare(made, model)
        low, high = made.remap["Min"], made.remap["Max"]
        step = 0 if exr else max(b - a for a, b in zip(low, high)) / UNIT * HALF_STEP
        self.assertLessEqual(result.distance, step + ROUNDING * result.size)
        self.assertLess(result.angle, MAX_FLOAT_ANGLE if exr else MAX_ANGLE)
        self.assertEqual(made.frames, len(model.frames))
        return result, step


class Corpus(Vat):
    def test_every_model(self):
        models = corpus.real_models(FORMATS) + corpus.sample_models(FORMATS)
        corners = moving = 0
        for path in models:
            with self.subTest(path=path.name):
                model = oracle.load_file(str(path))
                result, step = self.check(self.made(path), model)
                corners += result.corners
                moving += step > 0
                # Offsets of up to 131 units are within 0.001 units; the command names larger errors.
                self.assertEqual(step > 0.001, "use --vat exr" in self.errors, step)
        self.assertGreater(corners, 10000)
        self.assertGreater(moving, 2)


class Files(Vat):
    def test_exr(self):
        """32-bit floats have no step."""
        for path in PLAYER, *corpus.real_models(("md3",))[:1]:
            result, _ = self.check(self.made(path, texture="exr"), oracle.load_file(str(path)), exr=True)
            self.assertLess(result.distance, 2e-4)
            self.assertEqual(self.files(), ["X-remap_info.json", "X.glb", "X_vat.exr"])

    def test_normals_apart(self):
        for texture in "png", "exr":
            made = self.made(TICK, "--vnrm", texture=texture)
            self.check(made, oracle.load_file(TICK), exr=texture == "exr")
            self.assertEqual(made.texture.height, made.frames)
            for name in self.files():
                os.remove(self.path(name))
        self.assertEqual(made.normal_row, 0)

    def test_generated_models(self):
        for kind in FORMATS:
            for seed in range(6):
                path = self.write("in." + kind, make_models.plain_model(kind, seed))
                self.assertLess(self.compare(self.made(path), oracle.load_file(path)).angle, MAX_ANGLE)

    def test_layout(self):
        """The first frame is the mesh, columns are vertices, and rows are frames from the top."""
        made = self.made(TICK)
        (primitive,) = made.primitives
        self.assertEqual([x for x, _ in primitive.pixels], list(range(made.texture.width)))
        self.assertEqual({y for _, y in primitive.pixels}, {0})
        self.assertEqual(made.texture.height, 2 * made.frames)
        for index, base in enumerate(primitive.positions):
            position, _ = made.vertex(primitive, index, 0)
            self.assertLess(max(abs(a - b) for a, b in zip(position, base)), 1e-4)
        for axis in range(3):
            colours = [row[axis::3] for row in made.texture.rows[:made.frames]]
            self.assertEqual((min(map(min, colours)), max(map(max, colours))), (0, 1))

    def test_clips(self):
        model = oracle.load_file(TICK)
        names = [frame.name.rstrip("0123456789") for frame in model.frames]
        made = self.made(TICK)
        self.assertEqual(made.frames, len(names))
        for name, clip in made.animations.items():
            start, end = clip["startFrame"] - 1, clip["endFrame"] - 1  # from 1, the end included
            self.assertEqual(set(names[start:end + 1]), {name.rstrip("123")})
            self.assertNotIn(name, names[:start] + names[end + 1:])
            self.assertEqual(set(clip), {"startFrame", "endFrame", "framerate", "looping"})
        self.assertTrue(made.animations["run"]["looping"])
        self.assertFalse(made.animations["pain1"]["looping"])
        some = self.made(TICK, "--clip", "run")
        self.assertEqual(list(some.animations), ["run"])
        self.assertEqual((some.animations["run"]["startFrame"], some.animations["run"]["endFrame"]), (1, some.frames))
        self.assertEqual(self.made(TICK, "--frames", "3-5").frames, 3)
        two = self.made(TICK, "--clip", "run,stand").animations
        self.assertEqual((list(two), two["stand"]["startFrame"]), (["run", "stand"], two["run"]["endFrame"] + 1))

    def test_backwards_clips_have_rows_of_their_own(self):
        self.write("b.cfg", b"0 4 0 10 // there\n0 -4 0 10 // back\n")
        self.write("b.md2", make_md2(names=[b"a%d" % i for i in range(4)]))
        made = self.made("b.md2", "--clips-from", "b.cfg")
        if "back" not in made.animations:
            self.fail(made.animations)
        there, back = made.animations["there"], made.animations["back"]
        self.assertEqual((back["startFrame"], back["endFrame"], made.frames), (5, 8, 8))
        for frame in range(4):
            self.assertEqual(made.texture.rows[there["startFrame"] - 1 + frame],
                             made.texture.rows[back["endFrame"] - 1 - frame])

    def test_scale_and_rate(self):
        one, two = self.made(TICK), self.made(TICK, "--scale", "2", "--fps", "20")
        self.assertEqual({c["framerate"] for c in two.animations.values()}, {20})
        for a, b in zip(one.primitives[0].positions, two.primitives[0].positions):
            for x, y in zip(a, b):
                self.assertAlmostEqual(x, y / 2, 5)
        self.assertIn("maximum error 0.000383 units", self.errors)

    def test_surfaces_share_a_material(self):
        made = self.made(HEAD)
        self.assertEqual((len(made.primitives), len(made.glb.document["materials"])), (4, 1))

    def test_textures_are_embedded(self):
        document = self.made(TICK).glb.document
        self.assertEqual(len(document["images"]), 1)
        self.assertIn("baseColorTexture", document["materials"][0]["pbrMetallicRoughness"])
        self.assertNotIn("animations", document)
        self.assertNotIn("targets", str(document["meshes"]))


class Attached(Vat):
    def test_attached_models_are_one_mesh(self):
        """Each frame has the hat at the head's tag."""
        self.write("hat.md2", make_md2(skins=[b"hat.pcx"]))
        self.write("hat.pcx", make_pcx())
        alone = self.made(HEAD)
        made = self.made(HEAD, "--attach", "tag_hat=hat.md2")
        head, hat = oracle.load_file(HEAD), oracle.load_file(self.path("hat.md2"))
        self.assertEqual(len(made.glb.document["nodes"]), 1)
        self.assertIn("dropped", self.errors)
        materials = [p.material["pbrMetallicRoughness"]["baseColorTexture"]["index"] for p in made.primitives]
        self.assertEqual(materials, [0, 0, 0, 0, 1])
        tag = head.tag_names.index("tag_hat")
        primitives = made.primitives[:-1]
        self.assertEqual(len(primitives), len(alone.primitives))
        points = {position for v in range(hat.surfaces[0].num_vertices)
                  for position, _ in [hat.surfaces[0].vertex(0, v, None)]}
        checked = 0
        for name, clip in alone.animations.items():
            for frame in range(clip["endFrame"] - clip["startFrame"] + 1):
                source = clip["startFrame"] - 1 + frame
                row = made.animations[name]["startFrame"] - 1 + frame
                for a, b in zip(primitives, alone.primitives):
                    for i in range(len(b.positions)):
                        self.near(made.vertex(a, i, row)[0], alone.vertex(b, i, source)[0])
                pose = head.tag(source, tag, None)
                wanted = [tuple(pose.position[k] + sum(p[i] * pose.axes[i][k] for i in range(3))
                                for k in range(3)) for p in points]
                for i in range(len(made.primitives[-1].positions)):
                    got = tuple(c / UNIT for c in to_model(made.vertex(made.primitives[-1], i, row)[0]))
                    self.assertLess(min(math.dist(got, p) for p in wanted), 0.003)
                    checked += 1
        self.assertGreater(checked, 40)

    def near(self, a, b):
        self.assertLess(max(abs(x - y) for x, y in zip(a, b)), 1e-4)


def strip_surface(number, count, frames):
    """A surface of a strip of triangles, none of whose vertices are equal."""
    return (b"s%d" % number, b"skin", [(i, i + 1, i + 2) for i in range(count - 2)],
            [(i / 4096, number / 8) for i in range(count)],
            [(i, number * 100 + i % 2, frame * 50 + i % 7, i & 0x7f7f) for frame in range(frames) for i in range(count)])


def big_md3(vertices, frames):
    counts = [4096] * (vertices // 4096) + [vertices % 4096] * (vertices % 4096 > 0)
    if counts[-1] < 3:
        counts[-2:] = [counts[-2] - 3, counts[-1] + 3]
    return make_md3([strip_surface(i, count, frames) for i, count in enumerate(counts)], (), frames)


class Limits(Vat):

    def test_more_vertices_than_columns(self):
        path = self.write("big.md3", big_md3(8193, 3))
        made = self.made(path)
        self.assertIn("8193 vertices are more than 8192", self.errors)
        self.assertEqual((made.texture.width, made.texture.height), (4097, 2 * 2 * 3))
        self.assertEqual({y for p in made.primitives for _, y in p.pixels}, {0, 3})
        self.check(made, oracle.load_file(path))
        path = self.write("big.md3", big_md3(8192, 3))
        made = self.made(path)
        self.assertNotIn("columns", self.errors)
        self.assertEqual((made.texture.width, made.texture.height), (8192, 6))

    def test_too_many_rows(self):
        self.write("long.md2", make_md2(names=[b"f"] * 4097, vertex=1))
        errors = self.convert("long.md2", "-o", "X.glb", "--vat", "png", status=1)[1]
        self.assertIn("need a texture of 8194 rows; the maximum is 8192", errors)
        self.assertEqual(self.files(), ["long.md2"])
        self.convert("long.md2", "-o", "X.glb", "--vat", "png", "--vnrm")
        self.convert("long.md2", "-o", "Y.glb", "--vat", "png", "--frames", "0-4095")
        self.write("long.md2", make_md2(names=[b"f"] * 8193, vertex=1))
        errors = self.convert("long.md2", "-o", "Z.glb", "--vat", "exr", "--vnrm", status=1)[1]
        self.assertIn("8193 frames are more than the 8192 rows", errors)

    def test_max_output_counts_all_files(self):
        self.made(TICK)
        size = sum(os.path.getsize(self.path(name)) for name in self.files())
        self.convert(TICK, "-o", "Y.glb", "--vat", "png", "--max-output", str(size))
        for name in self.files():
            os.remove(self.path(name))
        for limit in size - 1, 20000, 1000:
            errors = self.convert(TICK, "-o", "Y.glb", "--vat", "png", "--max-output", str(limit), status=1)[1]
            self.assertIn("--max-output", errors)
            self.assertEqual(self.files(), [])


class Usage(Vat):

    def test_folder(self):
        for name in "a", "b":
            self.write(f"in/{name}.md2")
        self.convert("in", "-o", "out/", "--vat", "png")
        self.assertEqual([n for n in self.files() if n.startswith("out")],
                         [f"out/{n}{end}" for n in "ab" for end in ("-remap_info.json", ".glb", "_vat.png")])
        before = {n: self.read(n) for n in self.files()}
        self.convert("in", "-o", "out/", "--vat", "png", status=1)
        self.convert("in", "-o", "out/", "--vat", "png", "-f")
        self.assertEqual(before, {n: self.read(n) for n in self.files()})

    def test_a_texture_of_the_model_is_not_replaced(self):
        self.write("X.md2", make_md2(skins=[b"X_vat.png"]))
        self.convert("X.md2", "-o", "skin.glb", "--vat", "png")
        self.write("X_vat.png", self.read("skin_vat.png") + b"other")
        before = self.read("X_vat.png")
        errors = self.convert("X.md2", "-o", "X.glb", "--vat", "png", status=1)[1]
        self.assertIn("a texture of the model, would be replaced", errors)
        self.assertEqual(self.read("X_vat.png"), before)

    def test_imports_stay_models(self):
        self.convert(TICK, "-o", "in.glb")
        self.assertIn("--vat does not apply to imported files", self.convert("in.glb", "-o", "X.glb", "--vat", "png", status=1)[1])
