"""Combines several textures into one. The independent oracle reads the result: each corner of an MD2 or MDL
shows the same texels as in its own texture, and each texture has a margin wide enough for filters."""
import random
import struct
import zlib

from command import FolderCase
import oracle
import image_files
from small_files import make_md3

Rows = list[bytes]


def textured(surfaces: list[tuple[str, list[tuple[float, float]]]]) -> bytes:
    """Makes a triangle per surface: its texture, and the texture coordinates of its corners."""
    return make_md3([(b"s%d" % number, texture.encode(), [(0, 1, 2)], st,
                      [(640 * (i == 1), 640 * (i == 2), 640 * number, 0) for i in range(3)])
                     for number, (texture, st) in enumerate(surfaces)])


def texel(x: int, y: int, width: int, height: int) -> tuple[float, float]:
    return (x + 0.5) / width, (y + 0.5) / height


class Atlas(FolderCase):
    def setUp(self) -> None:
        super().setUp()
        self.chance = random.Random(3)

    def picture(self, name: str, width: int, height: int) -> Rows:
        rows = [self.chance.randbytes(3 * width) for _ in range(height)]
        (self.folder / name).write_bytes(image_files.png_write(rows, 2))
        return rows

    def corners(self, name: str) -> list[list[tuple[float, float]]]:
        """Returns the texture coordinates of each triangle, by its height."""
        model = oracle.load_file(str(self.folder / name))
        found: dict[int, list[tuple[float, float]]] = {}
        for surface in model.pose(0.0, None).surfaces:
            for triangle in surface.triangles:
                which = lambda p: 1 if p[0] > 5 else 2 if p[1] > 5 else 0  # noqa: E731
                by_corner = {which(c.position): c.texcoord for c in triangle}
                found[round(triangle[0].position[2] / 10)] = [by_corner[i] for i in range(3)]
        return [found[i] for i in sorted(found)]

    def atlas(self, name: str = "out.png") -> tuple[int, int, bytes]:
        return image_files.png_read((self.folder / name).read_bytes())

    def pixel(self, atlas: tuple[int, int, bytes], st: tuple[float, float]) -> bytes:
        width, height, pixels = atlas
        x, y = min(int(st[0] * width), width - 1), min(int(st[1] * height), height - 1)
        return pixels[4 * (y * width + x):][:3]

    def test_image_from_a_skin_file(self) -> None:
        """An image from a .skin file is included: one of the model's own, found by its path."""
        rows = self.picture("worn.png", 16, 8)
        st = [texel(1, 1, 16, 8), texel(14, 2, 16, 8), texel(3, 6, 16, 8)]
        (self.folder / "a.md3").write_bytes(textured([("models/x/named", st)]))
        (self.folder / "a_default.skin").write_text("s0,models/x/worn.png\n")
        self.convert("a.md3", "-o", "out.md2")
        width, height, pixels = self.atlas()
        self.assertEqual((width, height), (16, 8))
        self.assertEqual([pixels[4 * i:][:3] for i in range(128)], [row[3 * x:][:3] for row in rows for x in range(16)])
        skin = (self.folder / "out.md2").read_bytes()[68:132].rstrip(b"\0")
        self.assertEqual(skin, b"models/x/out.png")
        (self.folder / "a_default.skin").unlink()
        self.picture("named.png", 16, 8)
        self.convert("a.md3", "-o", "other.md2")
        self.assertFalse((self.folder / "other.png").exists())

    def test_corners_keep_their_colours(self) -> None:
        """Triangles inside the image, outside it, and across several repetitions of it."""
        sizes = {"a.png": (16, 8), "b.png": (40, 24), "c.png": (7, 5)}
        rows = {name: self.picture(name, *size) for name, size in sizes.items()}
        surfaces, wanted = [], []
        for name, (width, height) in sizes.items():
            for shift, spread in ((0, 0), (-3, 0), (5, 1), (0, 2)):
                spots = [(self.chance.randrange(width), self.chance.randrange(height)) for _ in range(3)]
                st = [texel(x, y, width, height) for x, y in spots]
                st = [(s + shift + spread * (i == 1), t - shift + spread * (i == 2)) for i, (s, t) in enumerate(st)]
                surfaces.append((name, st))
                wanted.append([rows[name][y][3 * x:3 * x + 3] for x, y in spots])
        (self.folder / "in.md3").write_bytes(textured(surfaces))
        self.assertIn("3 textures become one atlas of", self.convert("in.md3", "-o", "out.md2"))
        atlas = self.atlas()
        self.assertLessEqual(max(atlas[:2]), 2048)
        model = oracle.load_file(str(self.folder / "out.md2"))
        self.assertEqual(model.skins, ["models/out/out.png"])
        drawn = {}
        for triangle in model.gl_triangles:
            for vertex, st in zip(triangle.vertices, triangle.texcoords):
                drawn.setdefault(vertex, []).append(self.pixel(atlas, st))
        every = [pixel for spots in wanted for pixel in spots]
        self.assertEqual(sorted(pixel for spots in drawn.values() for pixel in spots), sorted(every))
        self.convert("in.md3", "-o", "same.md2")
        self.assertEqual((self.folder / "same.png").read_bytes(), (self.folder / "out.png").read_bytes())
        # The list of texture coordinates is rounded to pixels' corners.
        for found, spots in zip(self.corners("out.md2"), wanted):
            for (s, t), spot in zip(found, spots):
                near = [self.pixel(atlas, (s + i / atlas[0], t + k / atlas[1]))
                        for i in (-0.9, -0.1, 0.1, 0.9) for k in (-0.9, -0.1, 0.1, 0.9)]
                self.assertIn(spot, near)

    def test_a_texture_is_not_replaced(self) -> None:
        inside = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75)]
        self.picture("in.png", 8, 8)
        self.picture("b.png", 8, 8)
        before = (self.folder / "in.png").read_bytes()
        (self.folder / "in.md3").write_bytes(textured([("in.png", inside), ("b.png", inside)]))
        self.assertIn("in.png, a texture of the model, would be replaced",
                      self.convert("in.md3", "-o", "in.md2", status=1))
        self.assertEqual((self.folder / "in.png").read_bytes(), before)
        self.assertFalse((self.folder / "in.md2").exists())

    def test_edges_do_not_bleed(self) -> None:
        """A triangle over the whole of each image: the margin of 4 pixels repeats its edges."""
        colours = {"a.png": b"\xff\0\0", "b.png": b"\0\xff\0"}
        for name, colour in colours.items():
            (self.folder / name).write_bytes(image_files.png_write([colour * 20] * 12, 2))
        whole = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
        (self.folder / "in.md3").write_bytes(textured([(name, whole) for name in colours]))
        self.convert("in.md3", "-o", "out.md2")
        width, height, pixels = self.atlas()
        for found, colour in zip(self.corners("out.md2"), colours.values()):
            for s, t in found:
                x, y = round(s * width), round(t * height)
                for px in range(x - 4, x + 4):
                    for py in range(y - 4, y + 4):
                        self.assertEqual(pixels[4 * (py * width + px):][:3], colour)

    def test_into_an_mdl(self) -> None:
        for name, colour in (("a.png", b"\xff\0\0"), ("b.png", b"\0\0\0")):
            (self.folder / name).write_bytes(image_files.png_write([colour * 16] * 16, 2))
        inside = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75)]
        (self.folder / "in.md3").write_bytes(textured([("a.png", inside), ("b.png", inside)]))
        self.convert("in.md3", "-o", "out.mdl")
        self.assertFalse((self.folder / "out.png").exists())
        model = oracle.load_file(str(self.folder / "out.mdl"))
        assert isinstance(model, oracle.MdlModel)
        (width, height), skin = model.skin_size, model.pictures[0].pictures[0]
        seen = [[oracle.QUAKE_PALETTE[3 * skin[int(t * height) * width + int(s * width)]:][:3]
                 for s, t in triangle] for triangle in self.corners("out.mdl")]
        for triangle, red in zip(seen, (True, False)):
            for colour in triangle:
                self.assertEqual(colour[0] > 100, red)
                self.assertLess(max(colour[1:]), 40)

    def test_large_textures_are_halved(self) -> None:
        for name in "a.png", "b.png", "c.png":
            (self.folder / name).write_bytes(
                b"\x89PNG\r\n\x1a\n"
                + image_files.chunk(b"IHDR", struct.pack(">2I5B", 1500, 1500, 8, 2, 0, 0, 0))
                + image_files.chunk(b"IDAT", zlib.compress(bytes(1500 * 4501)))
                + image_files.chunk(b"IEND", b""))
        inside = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75)]
        (self.folder / "in.md3").write_bytes(textured([(name, inside) for name in ("a.png", "b.png", "c.png")]))
        self.convert("in.md3", "-o", "out.md2")
        header = (self.folder / "out.png").read_bytes()[16:24]
        self.assertLessEqual(max(struct.unpack(">2I", header)), 2048)
        data = (self.folder / "out.md2").read_bytes()
        width, height = struct.unpack_from("<2i", data, 8)
        self.assertLessEqual((width <= 640, height <= 480), (True, True))

    def test_no_atlas_without_need(self) -> None:
        inside = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75)]
        self.picture("a.png", 8, 8)
        (self.folder / "one.md3").write_bytes(textured([("a.png", inside)] * 2))
        errors = self.convert("one.md3", "-o", "one.md2")
        self.assertFalse((self.folder / "one.png").exists())
        self.assertNotIn("the skin's size is unknown", errors)
        self.assertEqual(struct.unpack_from("<2i", (self.folder / "one.md2").read_bytes(), 8), (8, 8))
        (self.folder / "two.md3").write_bytes(textured([("x.png", inside), ("y.png", inside)]))
        self.assertIn("has another texture", self.convert("two.md3", "-o", "two.md2"))
        self.assertFalse((self.folder / "two.png").exists())
        (self.folder / "half.md3").write_bytes(textured([("a.png", inside), ("y.png", inside)]))
        self.convert("half.md3", "-o", "half.md2")
        grey = [self.pixel(self.atlas("half.png"), st) for st in self.corners("half.md2")[1]]
        self.assertEqual(grey, [b"\xa0\xa0\xa0"] * 3)
        # Two names of one image are no loss.
        (self.folder / "both.md3").write_bytes(textured([("first", inside), ("second", inside)]))
        (self.folder / "both_default.skin").write_text("s0,a.png\ns1,a.png\n")
        for out in "both.md2", "both.mdl":
            self.assertNotIn("has another texture", self.convert("both.md3", "-o", out))
        self.assertEqual(oracle.load_file(str(self.folder / "both.md2")).skins, ["models/both/both.png"])
        long = [(0.0, 0.0), (20.0, 0.0), (0.0, 1.0)]
        (self.folder / "far.md3").write_bytes(textured([("a.png", inside), ("y.png", long)]))
        self.assertIn("repeats more than 8 times", self.convert("far.md3", "-o", "far.md2"))
