"""edit --fix damage and optimize --repair of damaged files, and UFO: Alien Invasion's models whose GL commands store the
index before the texture coordinates. The expected files come from this parser."""
import os
import struct
import zipfile

import skipping
from small_files import make_md2
from tool_case import ToolTest

SAMPLES = os.path.join(os.environ["LERPMESH_SOURCE_DIR"], "samples")
GAME = "/usr/share/games/ufoai/base/0models.pk3"


def header(data):
    names = ("skinwidth skinheight framesize num_skins num_xyz num_st num_tris num_glcmds num_frames "
             "ofs_skins ofs_st ofs_tris ofs_frames ofs_glcmds ofs_end").split()
    return dict(zip(names, struct.unpack_from("<15i", data, 8)))


def primitives(data, h):
    """The count and the first byte of each strip or fan."""
    at, end = h["ofs_glcmds"], h["ofs_glcmds"] + 4 * h["num_glcmds"]
    while at < end:
        (count,) = struct.unpack_from("<i", data, at)
        if count == 0:
            return
        yield count, at + 4
        at += 4 + 12 * abs(count)


def is_index_first(data, h):
    usual = [struct.unpack_from("<ffi", data, at + 12 * i)[2] for count, at in primitives(data, h) for i in range(abs(count))]
    return any(not 0 <= v < h["num_xyz"] for v in usual)


def in_usual_order(data, h):
    made = bytearray(data)
    for count, at in primitives(data, h):
        for i in range(abs(count)):
            index, s, t = struct.unpack_from("<III", data, at + 12 * i)
            struct.pack_into("<III", made, at + 12 * i, s, t, index)
    return bytes(made)


class Repair(ToolTest):
    def repaired(self, name, data, *options):
        self.write(name, data)
        self.run_tool("edit", "--fix", "damage", name, "-o", "made.md2", *options)
        made = self.read("made.md2")
        self.run_tool("check", "--strict", "made.md2")
        return made

    def test_normals_are_replaced_in_place(self):
        data = make_md2(names=[b"run1", b"run2"], normal=200)
        made = self.repaired("normals.md2", data)
        h = header(data)
        expected = bytearray(data)
        for f in range(h["num_frames"]):
            for v in range(h["num_xyz"]):
                expected[h["ofs_frames"] + f * h["framesize"] + 40 + 4 * v + 3] = 5
        self.assertEqual(made, bytes(expected))

    def test_structural_damage_is_removed(self):
        data = make_md2(names=[b"run1"], vertex=900)
        self.write("bad.md2", data)
        self.run_tool("edit", "--normals", "computed", "bad.md2", "-o", "x.md2", status=1)
        made = self.repaired("bad.md2", data)
        self.assertLess(header(made)["num_tris"], header(data)["num_tris"])

    def test_a_sound_file_stays(self):
        data = make_md2(names=[b"run1"])
        self.assertEqual(self.repaired("sound.md2", data), data)

    def test_without_repair_damage_stays(self):
        data = make_md2(names=[b"run1", b"run2"], normal=200)
        self.write("normals.md2", data)
        self.run_tool("edit", "normals.md2", "--rename", "frames:s/run/ran/", "-o", "made.md2")
        self.assertEqual(self.read("made.md2"), data.replace(b"run", b"ran"))


NAN, BIG = struct.pack("<f", float("nan")), struct.pack("<i", 9999)
# The offsets of fields. In a surface: of the triangles, the texture coordinates, and, in MDC, both tables of frames.
FIELDS = {".mdc": {"frames": 92, "tags": 100, "surfaces": 104, "lumps": (92, 100, 112, 116), "end": 120},
          ".md3": {"frames": 92, "tags": 96, "surfaces": 100, "lumps": (88, 96), "end": 104}}


class VertexMesh(ToolTest):
    """Repairs of MDC and MD3. The expected bytes are those of the sound file."""

    def setUp(self):
        super().setUp()
        self.run_tool("edit", "--compute-bounds", os.path.join(SAMPLES, "tick_head.mdc"), "-o", "head.mdc")
        self.run_tool("convert", "head.mdc", "-o", "shape.md3")
        self.run_tool("edit", "--compute-bounds", "shape.md3", "-o", "head.md3")
        self.files = {extension: self.read("head" + extension) for extension in FIELDS}

    def lumps(self, extension, surface):
        """Returns the offsets of a surface's lumps in the file."""
        data, fields = self.files[extension], FIELDS[extension]
        at, = struct.unpack_from("<i", data, fields["surfaces"])
        for _ in range(surface):
            at += struct.unpack_from("<i", data, at + fields["end"])[0]
        return [at + struct.unpack_from("<i", data, at + field)[0] for field in fields["lumps"]]

    def with_bytes(self, extension, changes):
        data = bytearray(self.files[extension])
        for at, new in changes.items():
            data[at:at + len(new)] = new
        return bytes(data)

    def repaired(self, extension, changes):
        """Returns the repaired file after changes to the bytes at several offsets."""
        bad, made = "bad" + extension, "made" + extension
        self.write(bad, self.with_bytes(extension, changes))
        self.run_tool("check", "--strict", bad, status=1)
        self.run_tool("edit", "-f", "--fix", "damage", bad, "-o", made)
        self.run_tool("check", "--strict", made)
        shapes = []
        for name, options in (bad, ["--repair"]), (made, []):
            self.run_tool("convert", "-f", "-q", *options, name, "-o", "shape.obj")
            shapes.append(self.read("shape.obj"))
        self.assertEqual(shapes[0], shapes[1])
        return self.read(made)

    def test_texture_coordinates(self):
        for extension in FIELDS:
            for surface in 0, 3:
                at = self.lumps(extension, surface)[1] + 8 * 5 + 4
                self.assertEqual(self.repaired(extension, {at: NAN}), self.with_bytes(extension, {at: bytes(4)}))

    def test_tags(self):
        at = struct.unpack_from("<i", self.files[".md3"], FIELDS[".md3"]["tags"])[0] + 5 * 112
        changes = {at + 64: NAN, at + 108: NAN}
        self.assertEqual(self.repaired(".md3", changes), self.with_bytes(".md3", dict.fromkeys(changes, bytes(4))))

    def test_frame_tables(self):
        _, _, base, compressed = self.lumps(".mdc", 2)
        self.assertEqual(self.repaired(".mdc", {base + 2 * 20: b"\x04\0", base + 2 * 21: b"\xff\xff",
                                                compressed + 2 * 7: b"\x27\0", compressed + 2 * 8: b"\xfe\xff"}),
                         self.with_bytes(".mdc", {base + 2 * 20: b"\0\0", base + 2 * 21: b"\0\0",
                                                  compressed + 2 * 7: b"\xff\xff", compressed + 2 * 8: b"\xfe\xff"}))

    def test_bounds(self):
        for extension in FIELDS:
            at = struct.unpack_from("<i", self.files[extension], FIELDS[extension]["frames"])[0] + 7 * 56
            self.assertEqual(self.repaired(extension, {at: NAN}), self.files[extension])

    def test_triangles(self):
        for extension in FIELDS:
            at = self.lumps(extension, 1)[0]
            made = self.repaired(extension, {at + 12 * 3 + 8: BIG, at + 12 * 90: BIG})
            self.assertEqual(len(made), len(self.files[extension]) - 24)


class UfoAlienInvasion(ToolTest):
    def setUp(self):
        super().setUp()
        if not os.path.exists(GAME):
            skipping.skip(self, "there is no " + GAME)
        with zipfile.ZipFile(GAME) as archive:
            names = [name for name in archive.namelist() if name.endswith(".md2")]
            models = {name: archive.read(name) for name in names}
        self.models = {name: data for name, data in models.items() if is_index_first(data, header(data))}
        self.assertEqual(len(self.models), 13)

    def test_models_are_read_and_repaired(self):
        for name, data in self.models.items():
            with self.subTest(name):
                path = os.path.basename(name)
                self.write(path, data)
                self.assertIn("warning [gl-command-order]", self.run_tool("check", path)[0])
                self.assertIn("error [gl-command-order]",
                              self.run_tool("check", "--engine", "quake2", path, status=1)[0])
                expected = in_usual_order(data, header(data))
                self.run_tool("edit", "--fix", "damage", path, "-o", "edited.md2")
                self.assertEqual(self.read("edited.md2"), expected)
                self.assertNotIn("gl-command", self.run_tool("check", "-v", "edited.md2")[0])
                self.run_tool("optimize", "--repair", "-f", path, "-o", "small.md2")
                self.assertNotIn("gl-command", self.run_tool("check", "-v", "small.md2")[0])
                self.assertLess(len(self.read("small.md2")), len(data))
