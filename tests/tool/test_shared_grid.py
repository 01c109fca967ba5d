"""`lerpmesh convert --shared-grid`: parts of one model, each an MD2 of its own, have the same positions
along their seam. Without the option they differ."""
import math

from command import FolderCase
import oracle
from small_files import make_md3

FRAMES = 12
ROWS = 6
Point = tuple[float, float, float]


def wave(point: Point, frame: int) -> Point:
    x, y, z = point
    return (x * (1 + 0.02 * frame), y + 7 * math.sin(x / 30 + frame), z + 0.3 * frame)


def md3(points: list[list[Point]], frames: int = FRAMES) -> bytes:
    """Makes a surface of columns of points that move in a wave."""
    columns, flat = len(points), [point for column in points for point in column]
    triangles = []
    for c in range(columns - 1):
        for r in range(ROWS - 1):
            a, b = c * ROWS + r, (c + 1) * ROWS + r
            triangles += [(a, a + 1, b), (b, a + 1, b + 1)]
    vertices = [(*(round(64 * value) for value in wave(point, frame)), 0) for frame in range(frames) for point in flat]
    st = [(x / 200 % 1, z / 200 % 1) for x, _, z in flat]
    return make_md3([(b"piece", b"skin", triangles, st, vertices)], (), frames)


def column(x: float) -> list[Point]:
    return [(x, 3.7 * r, 11.3 * r - x / 7) for r in range(ROWS)]


# A small and a large part that share a column of points.
HEAD = [column(0.0), column(5.3), column(11.9)]
BODY = [column(11.9)] + [column(11.9 + 17.1 * k) for k in range(1, 8)]


class SharedGrid(FolderCase):
    def setUp(self) -> None:
        super().setUp()
        (self.folder / "head.md3").write_bytes(md3(HEAD))
        (self.folder / "body.md3").write_bytes(md3(BODY))

    def seams(self, name: str, first: int, scale: float) -> list[list[oracle.Vec3]]:
        """Returns the positions of the shared column's points in each frame."""
        made = oracle.load_file(str(self.folder / name))
        found = []
        for frame in range(len(made.frames)):
            surface, = made.pose(frame).surfaces
            points = {c.position for corners in surface.triangles for c in corners}
            wanted = [tuple(scale * round(64 * v) / 64 for v in wave(point, first + frame)) for point in column(11.9)]
            found.append([min(points, key=lambda p, w=w: math.dist(p, w)) for w in wanted])
            self.assertEqual(len(set(found[-1])), ROWS)
            self.assertLess(max(map(math.dist, found[-1], wanted)), 1)
        self.assertGreater(len(found), 1)
        return found

    def test_seams_do_not_open(self) -> None:
        for options, first, scale in (((), 0, 1), (("--smooth",), 0, 1), (("--frames", "2-9"), 2, 1),
                                      (("--scale", "0.7"), 0, 0.7)):
            self.convert("head.md3", "body.md3", "--format", "md2", "-o", "with/", "-f",
                          "--shared-grid", "head.md3", "--shared-grid", "body.md3", *options)
            self.assertEqual(self.seams("with/head.md2", first, scale),
                             self.seams("with/body.md2", first, scale), options)
            self.convert("head.md3", "body.md3", "--format", "md2", "-o", "without/", "-f", *options)
            self.assertNotEqual(self.seams("without/head.md2", first, scale),
                                self.seams("without/body.md2", first, scale), options)

    def test_order_of_models_does_not_matter(self) -> None:
        """Listing the input itself changes nothing, and neither does the order."""
        self.convert("head.md3", "-o", "a.md2", "--shared-grid", "body.md3")
        self.convert("head.md3", "-o", "b.md2", "--shared-grid", "head.md3", "--shared-grid", "body.md3")
        self.convert("head.md3", "-o", "c.md2")
        a, b, c = ((self.folder / name).read_bytes() for name in ("a.md2", "b.md2", "c.md2"))
        self.assertEqual(a, b)
        self.assertNotEqual(a, c)

    def test_unequal_models_are_rejected(self) -> None:
        (self.folder / "short.md3").write_bytes(md3(BODY, FRAMES - 1))
        output = self.convert("head.md3", "-o", "a.md2", "--shared-grid", "short.md3", status=1)
        self.assertIn("--shared-grid short.md3 has 11 frames, but this model has 12", output)
        output = self.convert("head.md3", "-o", "a.md2", "--shared-grid", "none.md3", status=1)
        self.assertIn("none.md3", output)
        self.assertIn("cannot read the --shared-grid model none.md3", output)
        (self.folder / "bad.md3").write_bytes(md3(BODY, FRAMES)[:200])
        self.assertIn("bad.md3: md3: ", self.convert("head.md3", "-o", "a.md2", "--shared-grid", "bad.md3", status=1))
        output = self.convert("head.md3", "-o", "a.mdc", "--shared-grid", "body.md3", status=2)
        self.assertIn("--shared-grid does not apply to mdc files", output)
        for options in ("--decimate", "50%"), ("--lods", "1"):
            output = self.convert("head.md3", "-o", "a.md2", "--shared-grid", "body.md3", *options, status=2)
            self.assertIn("cannot be combined", output)
        self.assertFalse((self.folder / "a.md2").exists())
