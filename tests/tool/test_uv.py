"""lerpmesh uv: texture coordinates as SVG and PNG."""
import base64
import os
import re
import struct
import xml.etree.ElementTree as ElementTree

from small_files import make_md2, make_pcx
from tool_case import HEAD, MD2, MDC, SPIDER, ToolTest


class Uv(ToolTest):
    def test_image(self):
        for path in MD2 + [SPIDER]:
            self.run_tool("uv", path, "-o", "uv.svg")
            root = ElementTree.fromstring(self.read("uv.svg"))
            self.assertTrue(root.tag.endswith("svg"))
            self.assertGreater(len(list(root.iter())), 3)
            self.run_tool("uv", path)
            self.assertEqual(self.binary, self.read("uv.svg"))
            self.run_tool("uv", path, "-o", "-")
            self.assertEqual(self.binary, self.read("uv.svg"))

    def test_folder(self):
        models = MDC + MD2[:1]
        self.run_tool("uv", *models, "-o", "made/for us")
        expected = sorted("made/for us/" + os.path.basename(path)[:-4] + ".svg" for path in models)
        self.assertEqual(self.files(), expected)

    def test_models_without_the_surface_are_not_drawn(self):
        self.write("in/a.md2")
        self.run_tool("convert", "-q", "in/a.md2", "-o", "in/b.md3")
        with open(self.path("in/b.md3"), "r+b") as file:
            file.seek(struct.unpack_from("<i", file.read(), 100)[0] + 4)
            file.write(b"arm\0")
        self.assertRegex(self.run_tool("uv", "in", "--surface", "arm", "-o", "out/")[1],
                         r"^lerpmesh: 2 files: 1 drawn[;,].*\nlerpmesh: --surface does not apply to 1 file\n$")
        self.assertRegex(self.run_tool("uv", "in", "--surface", "leg", "-o", "none/", status=1)[1],
                         r"lerpmesh: 2 files: 0 drawn[;,].*\nlerpmesh: --surface does not apply to 2 files\n$")

    def test_never_writes_over_a_model(self):
        data = make_md2()
        self.write("a.md2", data)
        self.run_tool("uv", "-o", "a.md2", "a.md2", status=2)
        os.link(self.path("a.md2"), self.path("same.svg"))
        self.assertIn("is also an input", self.run_tool("uv", "a.md2", "-o", "same.svg", status=1)[1])
        self.assertEqual(self.read("a.md2"), data)


class OnSkins(ToolTest):
    """Draws coordinates over their skin."""

    def setUp(self):
        super().setUp()
        self.write("m/a.md2", make_md2(skins=[b"models\\x\\B.pcx", b"models/y/far.pcx"]))
        self.write("m/b.PCX", make_pcx())
        self.write("game/Models/Y/FAR.pcx", make_pcx(4))

    def test_coordinates_lie_on_the_skin(self):
        self.run_tool("uv", "m/a.md2", "-o", "on.svg")
        root = ElementTree.fromstring(self.read("on.svg"))
        (image,) = [element for element in root.iter() if element.tag.endswith("image")]
        kind, data = image.get("href").split(",")
        self.assertEqual(kind, "data:image/png;base64")
        self.assertEqual(base64.b64decode(data, validate=True)[1:4], b"PNG")
        self.assertIsNone(root.get("width"))
        self.run_tool("uv", "m/a.md2", "-o", "exact.svg", "--exact")
        root = ElementTree.fromstring(self.read("exact.svg"))
        self.assertEqual(root.get("viewBox").split(), ["0", "0", root.get("width"), root.get("height")])
        self.assertEqual((root.get("width"), root.get("height")), (image.get("width"), image.get("height")))
        self.write("m/n/b.md2")
        self.run_tool("uv", "m", "-o", "out/", "--skin", "none")
        self.assertEqual([name for name in self.files() if name.startswith("out/")], ["out/a.svg", "out/n/b.svg"])
        self.assertNotIn(b"<image", self.read("out/a.svg"))

    def test_coordinates_are_of_one_texture(self):
        """Surfaces with another skin are drawn separately."""
        for name in "big", "small":
            self.write(name + ".pcx", make_pcx())
        choices = "h_skull=big.pcx", "h_jaw=small.pcx", "h_eyes=small.pcx"
        skins = [word for skin in choices for word in ("--skin", skin)]

        def drawn(*arguments):
            svg, errors = self.run_tool("uv", HEAD, *arguments)
            return re.findall("<title>([^<]*)</title>", svg), "<image" in svg, errors
        names, skin, errors = drawn("--skin", "none")
        self.assertEqual((names, skin, errors), (["h_skull", "h_jaw", "h_eyes", "h_crest"], False, ""))
        names, skin, errors = drawn(*skins)
        self.assertEqual((names, skin), (["h_skull"], True))
        self.assertIn("3 of 4 surfaces use other textures and are not drawn; --surface h_jaw", errors)
        self.assertEqual(drawn(*skins, "-q"), (names, skin, ""))
        self.assertEqual(drawn(*skins, "--surface", "h_eyes"), (["h_jaw", "h_eyes"], True, ""))
        self.assertEqual(drawn("--skin", "none", "--surface", "h_eyes"), (["h_eyes"], False, ""))
        self.assertIn('there is no surface "h_eye"; did you mean "h_eyes"?',
                      self.run_tool("uv", HEAD, "--surface", "h_eye", status=1)[1])

    def test_coordinates_as_png(self):
        def size(path):
            self.assertEqual(self.read(path)[:8], b"\x89PNG\r\n\x1a\n")
            return struct.unpack_from(">2I", self.read(path), 16)
        self.run_tool("uv", "m/a.md2", "-o", "exact.png", "--exact")
        self.run_tool("convert", "m/a.md2", "-o", "a.gltf")
        (skin,) = [name for name in self.files() if name.endswith(".png") and name != "exact.png"]
        self.assertEqual(size("exact.png"), size(skin))
        self.assertNotEqual(self.read("exact.png"), self.read(skin))
        self.run_tool("uv", "m/a.md2", "-o", "on.png")
        self.assertGreater(min(size("on.png")), 1023)
        self.run_tool("uv", "m/a.md2", "--format", "png", "--exact")
        self.assertEqual(self.binary, self.read("exact.png"))
        self.write("m/n/b.md2")
        self.run_tool("uv", "m", "-o", "out/", "--format", "png")
        self.assertEqual([name for name in self.files() if name.startswith("out/")], ["out/a.png", "out/n/b.png"])
