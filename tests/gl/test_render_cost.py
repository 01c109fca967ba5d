"""Tests that `lerpmesh render` and `compare --image` bound the cost of hostile files: triangles that fill
the image, pages and series of too many images, textures of too many pixels."""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
import zipfile

import image_files
from small_files import make_md2, md2_of, md3

TOOL = os.environ["LERPMESH_BINARY"]
SAMPLES = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples"
COARSE = re.compile(r"its triangles fill an image (\d+) times, more than (\d+) times: "
                    r"drawn at (\d+) x (\d+) and enlarged \(--max-fill\)\n")
SQUARE = [(0, 0, 0, 0), (0, 255, 0, 0), (0, 0, 255, 0), (0, 255, 255, 0)]
# Both sides of both halves.
HALVES = [(0, 1, 2, 0, 0, 0), (1, 3, 2, 0, 0, 0), (0, 2, 1, 0, 0, 0), (1, 2, 3, 0, 0, 0)]


def squares(count):
    """Makes an MD2 that covers its square `count` times: it has two triangles for each."""
    return md2_of(SQUARE, HALVES * (count // 2), [(0, 0)])


class RenderCost(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def run_tool(self, *arguments, status=0):
        done = subprocess.run([TOOL, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              check=False, timeout=300)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def draw(self, name, *arguments):
        return self.run_tool("render", "-q", "-f", name, "--view", "front", *arguments, "-o", "out.png")

    def size(self):
        """Returns the size of the image that was written."""
        return struct.unpack(">II", (self.folder / "out.png").read_bytes()[16:24])

    def test_images_are_filled_a_limited_number_of_times(self):
        """The square fills 0.9 of the image. The smaller image has at most the limit's pixels."""
        for count in 1000, 4000:
            (self.folder / "a.md2").write_bytes(squares(count))
            for width, height in (256, 256), (128, 128), (300, 200):
                told = COARSE.search(self.draw("a.md2", "--size", "%dx%d" % (width, height)))
                self.assertTrue(told)
                fill, limit, drawn_width, drawn_height = map(int, told.groups())
                shorter = min(width, height)
                covered = 0.9025 * shorter * shorter / (width * height) * count
                self.assertEqual(limit, 250)
                self.assertGreater(fill, 0.95 * covered)
                self.assertLess(fill, 1.2 * covered)
                self.assertLess(fill * drawn_width * drawn_height, 1.1 * limit * width * height)
                self.assertGreater(5 * fill * drawn_width * drawn_height, limit * width * height)
                self.assertEqual(self.size(), (width, height))

    def test_option_raises_the_limit(self):
        (self.folder / "a.md2").write_bytes(squares(600))
        self.assertTrue(COARSE.search(self.draw("a.md2", "--size", "64")))
        coarse = (self.folder / "out.png").read_bytes()
        self.assertEqual(self.draw("a.md2", "--size", "64", "--max-fill", "800"), "")
        self.assertNotEqual((self.folder / "out.png").read_bytes(), coarse)
        self.assertTrue(COARSE.search(self.draw("a.md2", "--size", "64", "--max-fill", "300")))
        for value, sentence in ("0", "must be greater than 0"), ("x", "needs a number"):
            self.assertIn("--max-fill " + sentence, self.run_tool(
                "render", "a.md2", "--max-fill", value, "-o", "o.png", status=2))

    def test_coarse_images_show_the_same(self):
        """A square of 600 triangles in 32 x 32 pixels covers the same pixels as one of two, but for the edge."""
        raw = []
        for count in 2, 600:
            (self.folder / "a.md2").write_bytes(squares(count))
            told = self.run_tool("render", "-q", "a.md2", "--view", "front", "--size", "64", "--background",
                                 "none", "--format", "raw", "-f", "-o", "out.rgba")
            self.assertEqual(COARSE.search(told) is not None, count == 600)
            raw.append((self.folder / "out.rgba").read_bytes())
        self.assertEqual(len(raw[0]), 64 * 64 * 4)
        alphas = [[data[4 * i + 3] for i in range(64 * 64)] for data in raw]
        inside = [i for i in range(64 * 64) if 4 <= i % 64 < 60 and 4 <= i // 64 < 60]
        self.assertEqual({alphas[0][i] for i in inside}, {255})
        self.assertEqual({alphas[1][i] for i in inside}, {255})
        self.assertEqual(alphas[0][0], 0)

    def test_models_are_not_drawn_coarsely(self):
        """No shading, overlay or size of the samples comes near the limit."""
        for name in "tick.md2", "tick_head.mdc", "tick_torch.mdl":
            for options in (["--size", "16"], ["--size", "512"], ["--zoom", "10"],
                            ["--shading", "wire", "--size", "64", "--show", "commands,normals"]):
                self.assertNotIn("--max-fill", self.draw(SAMPLES / name, *options))

    def test_sheets_and_comparisons(self):
        (self.folder / "a.md2").write_bytes(squares(600))
        self.assertTrue(COARSE.search(self.run_tool("render", "-q", "a.md2", SAMPLES / "tick.md2", "--view",
                                                    "front", "--sheet", "-o", "sheet.png")))
        self.assertIn("triangles fill an image ", self.run_tool("compare", "a.md2", "a.md2", "--image", "o.png"))
        self.assertEqual(struct.unpack(">I", (self.folder / "o.png").read_bytes()[16:20]), (1024,))

    def test_pages_of_too_many_clips_are_rejected(self):
        """Before any image is drawn: drawing 6,000 would take minutes."""
        (self.folder / "a.md2").write_bytes(make_md2([b"clip%dx1" % i for i in range(2000)], ()))
        self.assertIn("a page of 6000 images is too large; a smaller --size helps",
                      self.run_tool("render", "a.md2", "--sheet", "-o", "out.png", status=1))

    def test_series_of_too_many_triangles_are_rejected(self):
        """2^28 triangles in all images together."""
        model = md2_of(SQUARE, HALVES * 50000, [(0, 0)], frames=1400)
        (self.folder / "a.md2").write_bytes(model)
        self.assertIn("1400 images of 200000 triangles are too many; --frames, --clip and --rate draw fewer",
                      self.run_tool("render", "a.md2", "--frames", "0-1399", "-o", "out.webp", status=1))

    def test_textures_have_a_limit_together(self):
        """20 textures of 16 megapixels in 4 KB: 64 megapixels are read."""
        with zipfile.ZipFile(self.folder / "g.pk3", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.md3", md3(["t/%d" % i for i in range(20)]))
            for i in range(20):
                archive.writestr("t/%d.png" % i, image_files.plain_png(4096))
        self.assertLess((self.folder / "g.pk3").stat().st_size, 5000)
        told = self.run_tool("render", "g.pk3:a.md3", "--size", "32", "-o", "out.png")
        self.assertEqual(told.count("the images of the model exceed the limit of "), 16)
        told = self.run_tool("render", "g.pk3:a.md3", "--skin", "none", "-f", "--size", "32", "-o", "out.png")
        self.assertNotIn("exceed", told)
