"""Adds tags that follow the surface (`edit --add-tag NAME=X,Y,Z,follow`), and reads them with the independent oracle."""
import struct

from command import FolderCase
import corpus
import oracle
from small_files import md3

SAMPLES = corpus.source_dir() / "samples"
MODEL_AXES = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
PLACES = [(0.0, 0.0, 0.0), (20.0, -5.0, 10.0), (-3.25, 7.5, -18.0)]


class FollowTags(FolderCase):
    def run_tool(self, *arguments: str, status: int = 0) -> str:
        done = self.call(*arguments, status=status)
        return done.stdout + done.stderr

    def turned(self, kind: str) -> str:
        """Makes a model of three frames: a pose, the same turned by a quarter and moved, and the pose again."""
        if kind == "md3":
            self.run_tool("convert", str(SAMPLES / "tick.md2"), "--frames", "12-12", "-q", "-o", "a.md3")
        else:
            self.run_tool("edit", str(SAMPLES / "tick_head.mdc"), "--keep", "frames:30", "-q", "-o", "a.mdc")
        self.run_tool("edit", f"a.{kind}", "--rotate", "90", "--move", "3,4,5", "-q", "-o", f"b.{kind}")
        self.run_tool("edit", f"a.{kind}", "--append", f"b.{kind}", "--append", f"a.{kind}", "-q", "-o", f"abc.{kind}")
        return f"abc.{kind}"

    def follow(self, path: str, place: tuple[float, float, float], frame: str = "", out: str = "out") -> oracle.Model:
        self.run_tool("edit", path, "--add-tag", "tag_new=%g,%g,%g,follow" % place + frame, "-q", "-o", out)
        return oracle.load((self.folder / out).read_bytes())

    def assert_pose(self, tag: oracle.Tag, position, axes, within: float) -> None:
        self.assertEqual(tag.name, "tag_new")
        for found, wanted in zip([tag.position, *tag.axes], [position, *axes]):
            for a, b in zip(found, wanted):
                self.assertAlmostEqual(a, b, delta=within)

    def test_tags_move_and_turn_with_the_model(self) -> None:
        """A model that moves as a whole takes the tag along, wherever it is."""
        for kind, within in ("md3", 2e-5), ("mdc", 0.02):
            path = self.turned(kind)
            before = oracle.load((self.folder / path).read_bytes())
            for x, y, z in PLACES:
                after = self.follow(path, (x, y, z))
                self.assertEqual(after.tag_names, before.tag_names + ["tag_new"])
                tags = [after.tag(f, len(before.tag_names), None) for f in range(3)]
                for still in tags[0], tags[2]:
                    self.assertEqual(still.position, (x, y, z))
                    self.assert_pose(still, (x, y, z), MODEL_AXES, 1e-9)
                self.assert_pose(tags[1], (3 - y, 4 + x, 5 + z), [(0, 1, 0), (-1, 0, 0), (0, 0, 1)], within)

    def test_position_in_another_frame(self) -> None:
        """The given frame has the position and the model's axes; the others follow back and forth."""
        path = self.turned("md3")
        for x, y, z in PLACES:
            after = self.follow(path, (x, y, z), "@1")
            tags = [after.tag(f, 0, None) for f in range(3)]
            self.assertEqual(tags[1].position, (x, y, z))
            self.assert_pose(tags[1], (x, y, z), MODEL_AXES, 1e-9)
            for tag in tags[0], tags[2]:
                self.assert_pose(tag, (y - 4, 3 - x, z - 5), [(0, -1, 0), (1, 0, 0), (0, 0, 1)], 2e-5)
        self.assertIn("there is no frame 3: the last frame is 2",
                      self.run_tool("edit", path, "--add-tag", "t=0,0,0,follow@3", "-o", "x.md3", status=1))

    def test_tags_turn_around_every_axis(self) -> None:
        """A triangle in the ground stands up, around each axis of the model."""
        turns = {"x": lambda x, y, z: (x, -z, y), "y": lambda x, y, z: (z, y, -x), "z": lambda x, y, z: (-y, x, z)}
        for turn in turns.values():
            data = bytearray(md3(["a"]))
            self.put("ground.md3", bytes(data))
            for k in range(3):
                at = 164 + 212 + 8 * k
                struct.pack_into("<3h", data, at, *turn(*struct.unpack_from("<3h", data, at)))
            self.put("turned.md3", bytes(data))
            self.run_tool("edit", "ground.md3", "--append", "turned.md3", "-q", "-o", "both.md3")
            self.run_tool("convert", "both.md3", "-q", "-o", "both.mdc")
            for kind, within in ("md3", 1e-6), ("mdc", 0.001):
                tag = self.follow("both." + kind, (2, 3, 4)).tag(1, 0, None)
                self.assert_pose(tag, turn(2, 3, 4), [turn(*axis) for axis in MODEL_AXES], within)

    def pair(self, first: tuple[float, float], lifted: int) -> str:
        """Makes a model of two triangles. In the first frame, 0 and 1 of the second triangle lie at x = first[0] and
        first[1] units; in the second frame, corner 1 is lifted."""
        data = bytearray(md3(["a", "b"]))
        at = 164 + struct.unpack_from("<i", data, 164 + 104)[0] + 212
        for k in range(3):
            struct.pack_into("<h", data, at + 8 * k, round(64 * first[k == 1]))
        self.put("low.md3", bytes(data))
        struct.pack_into("<h", data, at + 8 + 4, 64 * lifted)
        self.put("high.md3", bytes(data))
        self.run_tool("edit", "low.md3", "--append", "high.md3", "-q", "-o", "pair.md3")
        return "pair.md3"

    def is_turned(self, path: str, x: float) -> bool:
        return [tuple(axis) for axis in self.follow(path, (x, 0, 0)).tag(1, 0, None).axes] != MODEL_AXES

    def test_tags_follow_one_triangle(self) -> None:
        """The nearer one; at a corner that two share, the larger one."""
        apart = self.pair((100, 101), 10)
        self.assertFalse(self.is_turned(apart, 2))
        self.assertTrue(self.is_turned(apart, 98))
        self.assertTrue(self.is_turned(self.pair((0, 2), 1), 0))
        self.assertFalse(self.is_turned(self.pair((0, 0.5), 1), 0))

    def put(self, name: str, data: bytes) -> None:
        (self.folder / name).write_bytes(data)

    def test_collapsed_triangles(self) -> None:
        """Where the triangle has no area, the tag follows its corner, and keeps its direction."""
        flat = bytearray(md3(["a"]))
        at = 164 + 212
        for k in range(3):
            struct.pack_into("<3h", flat, at + 8 * k, 64, 128, 192)
        self.put("a.md3", md3(["a"]))
        self.put("flat.md3", bytes(flat))
        self.run_tool("edit", "a.md3", "--append", "flat.md3", "-q", "-o", "both.md3")
        self.assert_pose(self.follow("both.md3", (0, 0, 0.5)).tag(1, 0, None), (1, 2, 3.5), MODEL_AXES, 1e-6)
        self.run_tool("edit", "flat.md3", "--append", "a.md3", "-q", "-o", "both.md3")
        self.assertIn("no triangle that a tag could follow",
                      self.run_tool("edit", "both.md3", "--add-tag", "t=0,0,0,follow", "-o", "x.md3", status=1))
