#!/usr/bin/env python3
"""Converts models to MD2 with --palette: their images become PCX files that Quake II's loader reads, in the palette's
colours. The decoder here follows that loader, and knows no other PCX."""
from __future__ import annotations

import os
import random
import struct
import unittest

from command import ImportCase
import image_files
import make_models
import oracle
from small_files import RED, glb, gltf, worn

GAME_SIZE = (640, 480)


def quake2_read(data: bytes) -> tuple[int, int, list[list[int]], bytes]:
    """Returns width, height, rows of indices and the palette. The loader takes a line for as long as the image is wide,
    and begins a new run in each."""
    manufacturer, version, encoding, bits = data[:4]
    left, top, right, bottom = struct.unpack_from("<4H", data, 4)
    planes, line = struct.unpack_from("<BH", data, 65)
    if (manufacturer, version, encoding, bits, left, top, planes) != (10, 5, 1, 8, 0, 0, 1) or line != right + 1:
        raise ValueError("the game rejects it")
    at, rows = 128, []
    for _ in range(bottom + 1):
        row: list[int] = []
        while len(row) <= right:
            count = 1
            if data[at] & 0xC0 == 0xC0:
                count = data[at] & 0x3F
                at += 1
            row += [data[at]] * count
            at += 1
        if len(row) != right + 1:
            raise ValueError("a run leaves its line")
        rows.append(row)
    if data[at] != 12 or len(data) != at + 769:
        raise ValueError("no palette follows")
    return right + 1, bottom + 1, rows, data[-768:]


class PcxSkins(ImportCase):
    def setUp(self) -> None:
        super().setUp()
        rng = random.Random(2)
        self.palette = bytes(rng.randrange(256) for _ in range(768))
        colours = [tuple(self.palette[i:i + 3]) for i in range(0, 768, 3)]
        (self.folder / "colormap.pcx").write_bytes(image_files.pcx_write([[0, 1]], 8, 1, colours=colours))
        (self.folder / "out").mkdir()

    def paint(self, rows: list[list[tuple[int, int, int]]]) -> list[list[int]]:
        """Converts a glTF with an image, and returns the indices in the skin."""
        png = image_files.png_write([bytes(v for pixel in row for v in pixel) for row in rows], 2)
        (self.folder / "robot.glb").write_bytes(glb(gltf([{"at": 0, "size": len(png)}], [worn(0)], png)))
        self.told = self.convert("robot.glb", "-o", "out/robot.md2", "--palette", "colormap.pcx", "-f")
        width, height, indices, palette = quake2_read((self.folder / "out/robot.pcx").read_bytes())
        self.assertEqual((width, height), (len(rows[0]), len(rows)))
        self.assertEqual(palette, self.palette)
        return indices

    def colour(self, index: int) -> tuple[int, int, int]:
        red, green, blue = self.palette[3 * index:3 * index + 3]
        return red, green, blue

    def test_the_name_in_the_model_is_that_of_the_file(self) -> None:
        self.paint([[(1, 2, 3)]])
        self.assertEqual(sorted(os.listdir(self.folder / "out")), ["robot.md2", "robot.pcx"])
        self.assertEqual(oracle.load_file(str(self.folder / "out/robot.md2")).skins, ["models/robot/robot.pcx"])
        self.assertIn("image next to the model: robot.pcx; ", self.told)

    def test_colours_of_the_palette_are_kept(self) -> None:
        """In lines of any length, odd ones too, with runs of all lengths."""
        rng = random.Random(1)
        for width in 1, 2, 3, 62, 63, 64, 65, 127, 255:
            wanted = []
            for _ in range(5):
                row: list[int] = []
                while len(row) < width:
                    row += [rng.randrange(255)] * rng.choice((1, 1, 1, 2, 5, 70))
                wanted.append(row[:width])
            self.assertEqual(self.paint([[self.colour(index) for index in row] for row in wanted]), wanted)

    def test_other_colours_become_near_ones(self) -> None:
        """No other entry is nearer in red, green and blue. Entry 255 is transparent in the game, and never used."""
        rng = random.Random(3)
        pixels = [(rng.randrange(256), rng.randrange(256), rng.randrange(256)) for _ in range(4000)]
        pixels += [self.colour(255)] * 96
        found = [index for row in self.paint([pixels[i:i + 64] for i in range(0, 4096, 64)]) for index in row]
        self.assertNotIn(255, found)
        for pixel, index in zip(pixels, found):
            mine = [abs(a - b) for a, b in zip(pixel, self.colour(index))]
            for other in range(255):
                theirs = [abs(a - b) for a, b in zip(pixel, self.colour(other))]
                self.assertFalse(all(a < b for a, b in zip(theirs, mine)), (pixel, index, other))

    def test_skins_of_an_mdl(self) -> None:
        data, intent = make_models.make_model("mdl", 4, make_models.MDL_FEATURES.index("skins"))
        (self.folder / "torch.mdl").write_bytes(data)
        (self.folder / "quake.lmp").write_bytes(oracle.QUAKE_PALETTE)
        self.convert("torch.mdl", "-o", "out/torch.md2", "--palette", "quake.lmp")
        names = [f"torch_skin{i}.pcx" for i in range(len(intent["skins"]))]
        self.assertEqual(oracle.load_file(str(self.folder / "out/torch.md2")).skins, ["models/torch/" + n for n in names])
        for name, skin in zip(names, intent["skins"]):
            _, _, rows, palette = quake2_read((self.folder / "out" / name).read_bytes())
            self.assertEqual(palette, oracle.QUAKE_PALETTE)
            pairs = list(zip(bytes.fromhex(skin["pictures"][0]), (p for row in rows for p in row), strict=True))
            for wanted, index in pairs:
                if wanted != 255:
                    self.assertEqual(palette[3 * index:3 * index + 3], palette[3 * wanted:3 * wanted + 3])

    def test_an_atlas(self) -> None:
        """A game's model with several textures, and an import with two."""
        images = [{"name": "one", "at": 0, "size": len(RED)}, {"name": "two", "at": 0, "size": len(RED)}]
        (self.folder / "two.glb").write_bytes(glb(gltf(images, [worn(0), worn(1)], RED)))
        self.convert("two.glb", "-o", "out/two.md2", "--palette", "colormap.pcx")
        self.assertEqual(oracle.load_file(str(self.folder / "out/two.md2")).skins, ["models/two/two.pcx"])
        quake2_read((self.folder / "out/two.pcx").read_bytes())

    def test_large_images_are_reported(self) -> None:
        sentence = "pixels; Quake II itself reads at most 640 x 480"
        for size, told in (GAME_SIZE, False), ((641, 1), True), ((1, 481), True):
            self.paint([[(9, 9, 9)] * size[0]] * size[1])
            self.assertEqual(sentence in self.told, told, size)

    def test_where_it_applies(self) -> None:
        (self.folder / "robot.glb").write_bytes(glb(gltf([{"at": 0, "size": len(RED)}], [worn(0)], RED)))
        for out in "out/robot.md3", "-":
            told = self.convert("robot.glb", "-o", out, *(["--format", "md2"] if out == "-" else []), "--palette",
                                "colormap.pcx", status=2)
            self.assertIn("--palette does not apply to md", told)
        told = self.convert("robot.glb", "-o", "out/robot.mdl", "--palette", "colormap.pcx", status=1)
        self.assertIn("--palette does not apply to imported files", told)
        told = self.convert("robot.glb", "-o", "out/robot.md2", "--palette", "robot.glb", status=2)
        self.assertIn("not a palette", told)
        self.assertEqual(os.listdir(self.folder / "out"), [])


if __name__ == "__main__":
    unittest.main()
