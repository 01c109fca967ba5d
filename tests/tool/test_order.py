"""Tests what `lerpmesh optimize` leaves in order, and what it says about that: models with an .mdx file, and
surfaces that are blended or may be. The independent oracle reads the order of the triangles.

Environment: LERPMESH_BINARY (the command), LERPMESH_SOURCE_DIR."""
import os
import random
import shutil
import struct
import zipfile

import oracle
from small_files import tga
from tool_case import SOURCE, ToolTest

HEAD = os.path.join(SOURCE, "samples", "tick_head.mdc")
OPAQUE = "{ map a.tga }"
HOLES = "{ map a.tga\nalphaFunc GE128 }"
BLENDED = "{ map a.tga\nblendFunc blend }"


def triangles(path):
    """Returns the triangles of each surface in order, in the first frame."""
    return [[[(corner.position, corner.texcoord) for corner in triangle] for triangle in surface.triangles]
            for surface in oracle.load_file(path).pose(0.0, None, "triangles").surfaces]


def numbers(path):
    """Returns the vertices of an MD2's corners."""
    with open(path, "rb") as file:
        data = file.read()
    count, = struct.unpack_from("<i", data, 32)
    at, = struct.unpack_from("<i", data, 52)
    return [struct.unpack_from("<3H", data, at + 12 * i) for i in range(count)]


def mix(data):
    """Returns an MD2 with its triangles in another order."""
    data = bytearray(data)
    count, = struct.unpack_from("<i", data, 32)
    at, = struct.unpack_from("<i", data, 52)
    order = [bytes(data[at + 12 * i:at + 12 * i + 12]) for i in range(count)]
    random.Random(7).shuffle(order)
    data[at:at + 12 * count] = b"".join(order)
    return bytes(data)


class OrderTest(ToolTest):
    def setUp(self):
        super().setUp()
        with open(os.path.join(SOURCE, "samples", "tick.md2"), "rb") as file:
            self.write("models/a/tick.md2", mix(file.read()))
        self.shader = next(name for surface in oracle.load_file(HEAD).surfaces for name in surface.shaders)

    def optimize(self, path, *options):
        """Returns the line of JSON, what is said on standard error, and the path of the result."""
        out = self.path("out" + os.path.splitext(path)[1])
        _, said = self.run_tool("optimize", *options, self.path(path), "-o", out, "-f")
        line, = self.run_json("optimize", "--json", *options, self.path(path), "-n")
        return line, said, out

    def assert_order(self, before, after, kept):
        a, b = triangles(before), triangles(after)
        self.assertEqual([sorted(map(repr, surface)) for surface in a], [sorted(map(repr, surface)) for surface in b])
        self.assertEqual(a == b, kept)

    def test_an_mdx_file_keeps_all_numbers(self):
        source = self.path("models/a/tick.md2")
        line, _, out = self.optimize("models/a/tick.md2")
        self.assertIsNone(line["kept_for_sidecar"])
        self.assert_order(source, out, False)
        self.write("models/a/tick.mdx", b"IDMX")
        line, said, out = self.optimize("models/a/tick.md2")
        self.assertEqual(line["kept_for_sidecar"], self.path("models/a/tick.mdx"))
        self.assertIn("tick.mdx refers to the vertices by number", said)
        self.assert_order(source, out, True)
        self.assertEqual(*(numbers(path) for path in (source, out)))
        self.assertLess(os.path.getsize(out), os.path.getsize(source))
        line, said, out = self.optimize("models/a/tick.md2", "--reorder")
        self.assertIsNone(line["kept_for_sidecar"])
        self.assertIn("tick.mdx refers to the vertices by their old numbers; it no longer fits", said)
        self.assert_order(source, out, False)

    def test_an_mdx_file_in_the_archive_counts(self):
        with zipfile.ZipFile(self.path("a.pk3"), "w") as archive:
            archive.write(self.path("models/a/tick.md2"), "models/a/tick.md2")
            archive.writestr("models/a/tick.mdx", b"IDMX")
        line, = self.run_json("optimize", "--json", self.path("a.pk3") + ":models/a/tick.md2", "-n")
        self.assertEqual(line["kept_for_sidecar"], self.path("a.pk3") + ":models/a/tick.mdx")

    def head(self, *stages, image=False, scripts=True):
        """Optimizes the head in a game whose script gives its shader these stages."""
        shutil.rmtree(self.path("game"), ignore_errors=True)
        os.makedirs(self.path("game/models/h"))
        shutil.copy(HEAD, self.path("game/models/h/head.mdc"))
        stem = os.path.splitext(self.shader)[0]
        text = "%s\n{\n%s\n}\n" % (stem, "\n".join(stages)) if stages else "other\n{\n{ map a.tga }\n}\n"
        if scripts:
            self.write("game/scripts/a.shader", text.encode())
        if image:
            self.write("game/" + stem + ".tga", tga(0))
        line, said, out = self.optimize("game/models/h/head.mdc", "--game", self.path("game"))
        kept = line["kept_for_shader"]
        self.assert_order(HEAD, out, kept is not None)
        return kept, said

    def test_blended_surfaces_keep_their_order(self):
        kept, said = self.head(BLENDED)
        self.assertEqual(kept, self.shader)
        self.assertIn('order: kept, because the shader "%s" is blended' % self.shader, said)
        self.assertEqual(self.head(HOLES, BLENDED)[0], self.shader)

    def test_opaque_surfaces_are_reordered(self):
        for stages in ([OPAQUE], [HOLES], [OPAQUE, BLENDED], [HOLES, OPAQUE]):
            self.assertIsNone(self.head(*stages)[0], stages)

    def test_without_a_script_an_image_is_opaque_if_there_are_scripts(self):
        self.assertIsNone(self.head(image=True)[0])
        kept, said = self.head()
        self.assertEqual(kept, self.shader)
        self.assertIn("was not found and may be blended", said)
        self.assertEqual(self.head(image=True, scripts=False)[0], self.shader)

    def test_reorder_reorders_blended_surfaces(self):
        self.head(BLENDED)
        line, said, out = self.optimize("game/models/h/head.mdc", "--game", self.path("game"), "--reorder")
        self.assertIsNone(line["kept_for_shader"])
        self.assertNotIn("kept", said)
        self.assert_order(HEAD, out, False)

    def test_converting_keeps_the_order(self):
        """Texture coordinates identify a triangle: they survive the way through glTF and into each format."""
        def order(path):
            return [st for surface in triangles(path) for triangle in surface for st in sorted(st for _, st in triangle)]
        source = self.path("models/a/tick.md2")
        self.run_tool("convert", "-q", source, "-o", "between.glb")
        for model in (source, "between.glb"):
            for name in ("out.md2", "out.md3", "out.mdc", "out.mdl"):
                self.run_tool("convert", "-q", "-f", model, "-o", name)
                self.assertEqual(len(order(self.path(name))), len(order(source)))
                for found, right in zip(order(self.path(name)), order(source)):
                    self.assertLess(max(abs(a - b) for a, b in zip(found, right)), 0.01, (model, name))
