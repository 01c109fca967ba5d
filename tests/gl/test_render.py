"""Tests `lerpmesh render` from outside: the images are decoded by the formats' own rules."""
import json
import os
import random
import shutil
import struct
import subprocess
import zipfile

import image_files
import mds
from tool_case import ToolTest

TOOL = os.environ["LERPMESH_BINARY"]
SAMPLES = os.path.join(os.environ["LERPMESH_SOURCE_DIR"], "samples")
KNIGHT = os.path.join(SAMPLES, "tick.md2")
HEAD = os.path.join(SAMPLES, "tick_head.mdc")


def run(*arguments, **options):
    return subprocess.run([TOOL, "render", *arguments], capture_output=True, check=False, **options)


class Picture:
    """A PNG of 8 bits per channel, as width, height and rows of RGBA."""

    def __init__(self, data):
        self.width, self.height, pixels = image_files.png_read(data)
        pixels = list(zip(*[iter(pixels)] * 4))
        self.rows = [pixels[i:i + self.width] for i in range(0, len(pixels), self.width)]

    def box(self):
        """Returns left, top, right and bottom of the pixels that differ from the corner."""
        ground = self.rows[0][0]
        xs = [x for row in self.rows for x, p in enumerate(row) if p != ground]
        ys = [y for y, row in enumerate(self.rows) if any(p != ground for p in row)]
        return (min(xs), min(ys), max(xs) + 1, max(ys) + 1) if xs else None


class Render(ToolTest):
    def draw(self, *arguments, name="out.png"):
        result = run(*arguments, "-o", self.path(name))
        self.assertEqual((result.returncode, result.stdout), (0, b""), result.stderr)
        self.assertIn(b"wrote", result.stderr)
        return self.read(name)

    def test_fits_the_image(self):
        """Nothing is cut off, and the model fills nine tenths of one dimension."""
        for size in "64x64", "200x50", "50x200":
            for view in "front", "right", "top", "iso", "-120,-30":
                for model in KNIGHT, HEAD:
                    picture = Picture(self.draw(model, "--size", size, "--view=" + view, "--background", "none"))
                    self.assertEqual("%dx%d" % (picture.width, picture.height), size)
                    left, top, right, bottom = picture.box()
                    self.assertTrue(left > 0 and top > 0, (size, view))
                    self.assertTrue(right < picture.width and bottom < picture.height, (size, view))
                    self.assertGreater(max((right - left) / picture.width,
                                           (bottom - top) / picture.height), 0.9, (size, view))

    def make_skin_with_holes(self):
        """Makes a skin of which only a third is visible."""
        with open(self.path("holes.tga"), "wb") as file:
            file.write(struct.pack("<3B5xHHHHBB", 0, 0, 2, 0, 0, 64, 64, 32, 0x28))
            for _ in range(64):
                file.write(b"\0" * 64 + b"\x40\x80\xc0\xff" * 20 + b"\0" * 112)
        return self.path("holes.tga")

    def test_fit_ignores_hidden_parts(self):
        """Parts hidden by a texture do not affect the fit, and nothing else is cut off."""
        options = ["--skin", self.make_skin_with_holes(), "--alpha", "mask", "--size", "80",
                   "--background", "none", "--samples", "4"]
        for view in "front", "right", "iso":
            left, top, right, bottom = Picture(self.draw(KNIGHT, *options, "--view", view)).box()
            self.assertTrue(left > 0 and top > 0 and right < 80 and bottom < 80, view)
            self.assertGreater(max(right - left, bottom - top), 0.9 * 80, view)
            half = Picture(self.draw(KNIGHT, *options, "--view", view, "--zoom", "0.5")).box()
            self.assertAlmostEqual((half[3] - half[1]) / (bottom - top), 0.5, delta=0.08)
        result = run(KNIGHT, *options, "--turntable", "8", "-o", self.path("{frame}.png"))
        self.assertEqual(result.returncode, 0, result.stderr)
        boxes = [Picture(self.read("%d.png" % i)).box() for i in range(8)]
        self.assertGreater(min(b[0] for b in boxes) + min(b[1] for b in boxes), 0)
        self.assertLess(max(max(b[2:]) for b in boxes), 80)
        self.assertGreater(max(max(b[2] - b[0], b[3] - b[1]) for b in boxes), 0.8 * 80)

    def test_views(self):
        """Left and right mirror the knight's outline; the default is a three-quarter view from above."""
        outlines = {}
        for view in "left", "right", "front", "back":
            picture = Picture(self.draw(KNIGHT, "--view", view, "--size", "64",
                                        "--background", "none", "--samples", "1"))
            outlines[view] = [[p[3] for p in row] for row in picture.rows]
        for one, other in ("left", "right"), ("front", "back"):
            pairs = [(p, q) for row, mirrored in zip(outlines[one], outlines[other])
                     for p, q in zip(row, reversed(mirrored))]
            self.assertLess(sum(p != q for p, q in pairs), 64 * 64 // 30, one)
        pictures = [self.draw(KNIGHT, "--view", view) for view in outlines]
        self.assertEqual(len(set(pictures)), 4)
        self.assertEqual(self.draw(KNIGHT), self.draw(KNIGHT, "--view", "iso"))

    def test_zoom(self):
        whole = Picture(self.draw(KNIGHT, "--size", "100", "--background", "none")).box()
        half = Picture(self.draw(KNIGHT, "--size", "100", "--background", "none", "--zoom", "0.5")).box()
        self.assertAlmostEqual((half[3] - half[1]) / (whole[3] - whole[1]), 0.5, delta=0.05)

    def test_background(self):
        self.assertEqual(Picture(self.draw(KNIGHT, "--background", "ff8000")).rows[0][0], (255, 128, 0, 255))
        studio = Picture(self.draw(KNIGHT, "--size", "64", "--background", "studio")).rows
        self.assertEqual(studio, Picture(self.draw(KNIGHT, "--size", "64")).rows)
        self.assertGreater(sum(studio[2][32][:3]), sum(studio[0][0][:3]), "lighter in the middle")
        # Below the feet, left and right of them, the ground is darker than at the same height above.
        feet = [p for row in studio[56:] for p in row[10:54]]
        above = [p for row in studio[:8] for p in row[:20] + row[44:]]
        self.assertLess(min(map(sum, feet)), min(map(sum, above)))
        clear = Picture(self.draw(KNIGHT, "--background", "none", "--size", "64"))
        alphas = {p[3] for row in clear.rows for p in row}
        self.assertTrue({0, 255} < alphas, "edges are smooth")
        hard = Picture(self.draw(KNIGHT, "--background", "none", "--size", "64", "--samples", "1"))
        self.assertEqual({p[3] for row in hard.rows for p in row}, {0, 255})

    def test_output_is_repeatable(self):
        self.assertEqual(self.draw(HEAD, "--frames", "3.5"), self.draw(HEAD, "--frames", "3.5"))
        self.assertNotEqual(self.draw(HEAD, "--frames", "3.5"), self.draw(HEAD, "--frames", "3"))

    def test_shadings_and_overlays_differ(self):
        pictures = [self.draw(HEAD, "--shading", shading)
                    for shading in ("studio", "engine", "texture", "normals", "wire", "uv")]
        pictures += [self.draw(HEAD, "--show", thing) for thing in ("box", "grid", "axes", "tags")]
        pictures += [self.draw(HEAD, "--skin", "none"), self.draw(KNIGHT)]
        self.assertEqual(len(set(pictures)), len(pictures))

    def test_bones_are_drawn_like_keys(self):
        """Vertices that follow bones are computed by the CPU: they look as those of an MD3 with the same poses."""
        with open(self.path("a.mds"), "wb") as file:
            file.write(mds.make_mds(random.Random(5), {"surfaces"})[0])
        for frame in "0", "1":
            subprocess.run([TOOL, "convert", "-qf", self.path("a.mds"), "--frames", frame, "-o", self.path("a.md3")],
                           check=True)
            for shading in "studio", "normals", "wire":
                options = ["--size", "96x96", "--background", "none", "--shading", shading]
                drawn = Picture(self.draw(self.path("a.mds"), "--frames", frame, *options))
                wanted = Picture(self.draw(self.path("a.md3"), "--frames", "0", *options))
                self.assertIsNotNone(wanted.box())
                pairs = [pair for rows in zip(drawn.rows, wanted.rows) for pair in zip(*rows)]
                far = sum(max(abs(a - b) for a, b in zip(*pair)) > 24 for pair in pairs)
                self.assertLess(far, (0.06 if shading == "wire" else 0.02) * len(pairs), (frame, shading))

    def test_named_tags(self):
        """Tags and axes are in front of the model in their colours, and the box lies inside the picture."""
        player = os.path.join(SAMPLES, "models/players/tick")

        def rows(*show):
            return Picture(self.draw(player, "--background", "none", "--size", "400", *show)).rows

        def count(rows, color):
            return sum(all(abs(a - b) < 15 for a, b in zip(p, color)) for row in rows for p in row)

        plain = rows()
        for show in "tags", "axes":
            shown = rows("--show", show)
            for color in (240, 75, 75), (80, 205, 80), (110, 145, 255):
                self.assertGreater(count(shown, color), count(plain, color) + 5, (show, color))
        boxed = rows("--show", "box")
        self.assertGreater(count(boxed, (230, 170, 60)), count(plain, (230, 170, 60)) + 20)
        border = [*boxed[0], *boxed[-1], *(row[0] for row in boxed), *(row[-1] for row in boxed)]
        self.assertEqual({p[3] for p in border}, {0})

    def bones(self, *arguments):
        """Returns how many pixels the model covers, how many its bones cover besides, and which pixels they change,
        as (x, colour)."""
        options = [KNIGHT, "--background", "none", "--shading", "texture", "--size", "128", *arguments]
        plain = Picture(self.draw(*options))
        shown = Picture(self.draw(*options, "--skeleton"))
        changed = [(x, y) for y, row in enumerate(shown.rows) for x, p in enumerate(row) if p != plain.rows[y][x]]
        covered = sum(p[3] > 0 for row in plain.rows for p in row)
        return covered, sum(plain.rows[y][x][3] == 0 for x, y in changed), [(x, shown.rows[y][x]) for x, y in changed]

    def test_skeleton(self):
        """The bones are in the model, in every pose, and have a colour for each side."""
        for frame in "9.5", "35":
            covered, beside, pixels = self.bones("--frames", frame)
            self.assertGreater(len(pixels), covered / 25)
            self.assertLess(beside, covered / 250, frame)
        covered, _, pixels = self.bones("--view", "front")
        left = [x for x, (r, _, b, a) in pixels if b > 1.5 * r and a == 255]
        right = [x for x, (r, _, b, a) in pixels if r > 1.5 * b and a == 255]
        self.assertGreater(min(len(left), len(right)), covered / 100)
        self.assertGreater(sum(left) / len(left), sum(right) / len(right) + 8)
        sheets = {self.draw(KNIGHT, "--sheet", "--size", "32", *bones) for bones in ([], ["--skeleton"])}
        self.assertEqual(len(sheets), 2)
        still = self.path("still.md2")
        subprocess.run([TOOL, "convert", KNIGHT, "--frames", "0-0", "-q", "-o", still], check=True)
        result = run(still, "--skin", "none", "--skeleton", "-o", self.path("still.png"))
        self.assertIn(b"no skeleton: nothing moves", result.stderr)
        self.assertTrue(self.read("still.png") == self.draw(still, "--skin", "none"))

    def test_size_bounds_textures(self):
        """A small image loads no large texture; a message names the option that does."""
        run_of_128 = b"\xff" + bytes(3)
        with open(self.path("large.tga"), "wb") as file:
            file.write(struct.pack("<BBB5xHHHHBB", 0, 0, 10, 0, 0, 4224, 4096, 24, 0)
                       + run_of_128 * (4224 // 128 * 4096))
        bare = self.draw(KNIGHT, "--skin", "none", "--size", "128")
        for size, worn in ("128", False), ("272", True):
            result = run(KNIGHT, "--skin", self.path("large.tga"), "--size", size, "-o", self.path("out.png"))
            self.assertEqual(result.returncode, 0, result.stderr)
            told = b"pixels exceed the limit of 16777216" in result.stderr
            self.assertEqual(told, not worn, result.stderr)
            self.assertEqual(b"a larger --size reads larger ones" in result.stderr, not worn)
            self.assertEqual(self.read("out.png") == bare, not worn)

    def test_a_script_that_is_too_large(self):
        """The limit of its bytes is no limit of pixels."""
        os.makedirs(self.path("base/models"))
        os.makedirs(self.path("base/scripts"))
        shutil.copy(HEAD, self.path("base/models/head.mdc"))
        with open(self.path("base/scripts/a.shader"), "wb") as file:
            file.write(b"// " + b"x" * (5 << 20))
        result = run(self.path("base/models/head.mdc"), "-o", self.path("out.png"), "--size", "16")
        self.assertIn(b"exceeds the limit", result.stderr)
        self.assertNotIn(b"larger --size", result.stderr)

    def test_skin(self):
        worn = self.draw(KNIGHT)
        self.assertEqual(worn, self.draw(KNIGHT, "--skin", os.path.join(SAMPLES, "tick.pcx")))
        alone = self.path("alone.md2")
        shutil.copy(KNIGHT, alone)
        plain = self.draw(alone)
        self.assertNotEqual(worn, plain)
        with open(KNIGHT, "rb") as file:
            header = file.read(48)
            file.seek(struct.unpack("<12i", header)[11])
            name = file.read(64).split(b"\0")[0].decode()
        os.makedirs(os.path.join(self.folder, "game", os.path.dirname(name)))
        shutil.copy(os.path.join(SAMPLES, "tick.pcx"), os.path.join(self.folder, "game", name))
        self.assertEqual(worn, self.draw(alone, "--game", self.path("game")))

    def test_shader_without_its_image(self):
        """It looks as without a texture: shaded grey, neither white nor invisible."""
        with open(HEAD, "rb") as head:
            self.write("g/models/x/a.mdc", head.read())
        shutil.copy(os.path.join(SAMPLES, "tick.pcx"), self.path("g/env.pcx"))
        for shading in "studio", "engine", "texture":
            plain = self.draw(self.path("g/models/x/a.mdc"), "--size", "64", "--shading", shading)
            for stages in (b"{ map gone.tga blendFunc blend } { map env.pcx tcGen environment blendFunc add }",
                           b"{ map gone.tga }", b"{ map gone.tga blendFunc add }",
                           b"{ map $whiteimage } { map gone.tga }", b"{ map gone.tga } deformVertexes wave 9 sin 1 1 1 1"):
                self.write("g/scripts/a.shader", b"models/players/tick/tick { %s }" % stages)
                self.assertEqual(self.draw(self.path("g/models/x/a.mdc"), "--size", "64", "--shading", shading), plain,
                                 (shading, stages))
            os.remove(self.path("g/scripts/a.shader"))

    def test_clip_and_time(self):
        """run begins at frame 12 and plays at 10 fps."""
        at = self.draw(KNIGHT, "--clip", "run", "--time", "0.25")
        self.assertEqual(at, self.draw(KNIGHT, "--frames", "14.5"))
        self.assertEqual(self.draw(KNIGHT, "--clip", "run"), self.draw(KNIGHT, "--frames", "12"))

    def test_rest_clip(self):
        """Without options, a model shows its idle clip."""
        shutil.copy(KNIGHT, self.path("tick.md2"))
        self.write("tick.framegroups", b"0 4 10 0 // death\n14 2 10 1 // idle\n")
        self.assertEqual(self.draw(self.path("tick.md2")), self.draw(self.path("tick.md2"), "--frames", "14"))

    def test_rest_clip_is_played(self):
        """Without options, an animation plays the idle clip, or all frames if that is static."""
        for clips, frames in (b"0 4 10 0 // death\n14 3 10 1 // idle\n", "14-16"), \
                             (b"0 4 10 0 // death\n14 1 10 1 // idle\n", "0-48"):
            shutil.copy(KNIGHT, self.path("tick.md2"))
            self.write("tick.framegroups", clips)
            played = [run(self.path("tick.md2"), "--size", "16", "--format", "raw", "-o", "-", *words)
                      for words in ((), ("--frames", frames))]
            # With --frames each is checked to its end.
            size = 16 * 16 * 4
            self.assertEqual(len(played[0].stdout), len(played[1].stdout), frames)
            self.assertEqual(played[0].stdout[:size], played[1].stdout[:size], frames)

    def test_numbered_images(self):
        result = run(KNIGHT, "--clip", "run", "--size", "32", "-o", self.path("p-{frame:03}.png"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["p-%03d.png" % i for i in range(8)])
        result = run(KNIGHT, "--clip", "run", "--rate", "40", "--size", "16", "-o", self.path("q-{frame}.png"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(os.path.exists(self.path("q-31.png")))
        self.assertFalse(os.path.exists(self.path("q-32.png")))

    def test_raw(self):
        result = run(KNIGHT, "--frames", "2-4", "--size", "20x10", "--format", "raw", "-o", "-")
        self.assertEqual((result.returncode, len(result.stdout)), (0, 3 * 20 * 10 * 4))
        raw = run(KNIGHT, "--frames", "2-2", "--size", "20x10", "--format", "raw", "-o", "-")
        png = run(KNIGHT, "--frames", "2", "--size", "20x10", "-o", "-")
        flat = b"".join(bytes(p) for row in Picture(png.stdout).rows for p in row)
        self.assertEqual(flat, raw.stdout)

    def test_turntable(self):
        result = run(KNIGHT, "--turntable", "4", "--size", "40", "-o", self.path("{frame}.png"))
        self.assertEqual(result.returncode, 0, result.stderr)
        files = [self.read("%d.png" % i) for i in range(4)]
        self.assertEqual(len(set(files)), 4)
        heights = [box[3] - box[1] for box in (Picture(data).box() for data in files)]
        self.assertLess(max(heights) - min(heights), 5)
        with open(self.path("2.png"), "wb") as file:
            file.write(b"hand")
        os.remove(self.path("0.png"))
        result = run(KNIGHT, "--turntable", "4", "--size", "40", "-o", self.path("{frame}.png"), "--skip-existing")
        self.assertIn(b"skipped: 3 existing files stay", result.stderr)
        self.assertEqual([self.read("%d.png" % i) for i in range(4)], files[:2] + [b"hand"] + files[3:])

    def test_webp(self):
        data = self.draw(KNIGHT, "--clip", "run", "--size", "32", "--background", "none", name="run.webp")
        self.assertEqual((data[:4], data[8:12]), (b"RIFF", b"WEBP"))
        at, kinds, times = 12, [], []
        while at < len(data):
            kind, size = struct.unpack("<4sI", data[at:at + 8])
            kinds.append(kind)
            if kind == b"ANMF":
                times.append(int.from_bytes(data[at + 20:at + 23], "little"))
            at += 8 + size + size % 2
        self.assertEqual(kinds.count(b"ANMF"), 8)
        self.assertEqual(times, [100] * 8)

    def test_sheets(self):
        clips = Picture(self.draw(KNIGHT, "--sheet", "--size", "32"))
        self.assertEqual(clips.width % (3 * 40), 0)
        page = Picture(self.draw(KNIGHT, HEAD, "--sheet", "--size", "32x48"))
        self.assertTrue(page.width >= 80 and page.box()[2] > 40)

    def cells(self, page, size):
        """Counts the cells of a page with an image in them, and those without."""
        full = empty = 0
        ground = page.rows[0][0]
        # The lines of the longest label are below each cell.
        height = next(h for h in range(1, 13) if page.height % (size + 8 + 16 * h) == 0 and
                      all(p == ground for row in page.rows[::size + 8 + 16 * h] for p in row)) * 16 + 8
        for top in range(4, page.height, size + height):
            for left in range(4, page.width, size + 8):
                cell = [p for row in page.rows[top:top + size] for p in row[left:left + size]]
                full += any(p != ground for p in cell)
                empty += all(p == ground for p in cell)
        return full, empty

    def make_tree(self):
        os.makedirs(self.path("tree/a"))
        shutil.copy(KNIGHT, self.path("tree/a/one.md2"))
        shutil.copy(HEAD, self.path("tree/two.mdc"))
        shutil.copy(HEAD, self.path("tree/three.MDC"))
        self.write("tree/readme.txt", b"no model")
        return self.path("tree")

    def test_sheet_of_a_folder(self):
        tree = self.make_tree()
        page = Picture(self.draw(tree, "--sheet", "--size", "32"))
        self.assertEqual(self.cells(page, 32)[0], 3)
        inner = Picture(self.draw(tree + "/a", "--sheet", "--size", "32"))
        self.assertEqual(self.cells(inner, 32), (1, 0), "one model in a folder is a thumbnail")
        self.write("tree/bad.md2", b"IDP2")
        result = run(tree, "--sheet", "--size", "32", "-o", self.path("rest.png"))
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"bad.md2", result.stderr)
        self.assertEqual(self.cells(Picture(self.read("rest.png")), 32)[0], 3)

    def test_labels(self):
        """A name that is too long for its cell continues on the next line."""
        heights = []
        for name in "k.md2", "a_knight_of_a_long_name.md2", "aknightofalongname-%s.md2" % ("o" * 40):
            os.makedirs(self.path("one"))
            shutil.copy(KNIGHT, self.path("one/" + name))
            page = Picture(self.draw(self.path("one"), "--sheet", "--size", "64"))
            heights.append(page.height - 64 - 8)
            last = [p for row in page.rows[-16 - 4:] for p in row[4:68]]
            self.assertTrue(any(p != page.rows[0][0] for p in last), "the last line has text")
            shutil.rmtree(self.path("one"))
        self.assertEqual(heights[0], 16)
        self.assertTrue(heights[0] < heights[1] < heights[2], heights)

    def test_broken_label_lines_are_aligned(self):
        """If a line is broken at a space, the next one does not begin with it."""
        shutil.copy(KNIGHT, self.path("k.md2"))
        for length in range(4, 13):
            self.write("k.framegroups", b"0 1 10 0 // %s\n" % (b"K" * length))
            page = Picture(self.draw(self.path("k.md2"), "--sheet", "--size", "64"))
            ground = page.rows[0][0]
            for top in range(4 + 64, page.height - 4, 16):
                ink = [x for row in page.rows[top:top + 16] for x in range(4, 68) if row[x] != ground]
                self.assertLess(min(ink), 4 + 3, length)

    def test_each_clip_is_framed_separately(self):
        """The knight fills his cells, although he jumps in another clip."""
        page = Picture(self.draw(KNIGHT, "--sheet", "--size", "64", "--background", "none"))
        cell = [row[4:68] for row in page.rows[4:68]]
        rows = [y for y, row in enumerate(cell) if any(p[3] for p in row)]
        self.assertGreater(max(rows) - min(rows), 0.85 * 64)

    def test_sheet_of_an_archive(self):
        """A page of the same models in the same order is the same, including labels."""
        tree = self.make_tree()
        pictures = [self.draw(tree, "--sheet", "--size", "32", "--skin", "none")]
        pack = self.path("pack.pk3")
        with zipfile.ZipFile(pack, "w") as archive:
            for name in "a/one.md2", "three.MDC", "two.mdc", "readme.txt":
                archive.write(os.path.join(tree, name), name)
        pictures.append(self.draw(pack, "--sheet", "--size", "32", "--skin", "none"))
        self.assertEqual(pictures[0], pictures[1])
        inner = Picture(self.draw(pack + ":a", "--sheet", "--size", "32"))
        self.assertEqual(self.cells(inner, 32), (1, 0))
        self.assertEqual(self.draw(pack + ":two.mdc", "--size", "32"),
                         self.draw(os.path.join(tree, "two.mdc"), "--size", "32"))

    def test_sheet_of_a_player(self):
        """A folder with a player is that player: its clips, three cells each."""
        os.makedirs(self.path("player"))
        shutil.copy(KNIGHT, self.path("player/tris.md2"))
        shutil.copy(HEAD, self.path("player/other.mdc"))
        page = self.draw(self.path("player"), "--sheet", "--size", "32")
        self.assertEqual(self.cells(Picture(page), 32), (18, 0))
        with zipfile.ZipFile(self.path("pack.pk3"), "w") as archive:
            for name in "tris.md2", "other.mdc":
                archive.write(self.path("player/" + name), "players/x/" + name)
        packed = self.path("pack.pk3:players/x")
        self.assertEqual(self.draw(packed, "--sheet", "--size", "32"), page)
        self.assertEqual(self.draw(packed, "--size", "32"), self.draw(self.path("player/tris.md2"), "--size", "32"))

    def test_sheet_of_players(self):
        """Each player of a folder tree has one cell, labelled with his folder; other models too."""
        for name in "ann", "bob":
            os.makedirs(self.path("players/" + name))
            for file in "tris.md2", "weapon.md2":
                shutil.copy(KNIGHT, self.path("players/%s/%s" % (name, file)))
        shutil.copy(HEAD, self.path("players/bob/other.mdc"))
        page = self.draw(self.path("players"), "--sheet", "--size", "32")
        self.assertEqual(self.cells(Picture(page), 32)[0], 3)
        for name in "ann", "bob":
            shutil.rmtree(self.path("players/" + name))
            shutil.copy(KNIGHT, self.path("players/" + name + ".md2"))
        shutil.copy(HEAD, self.path("players/other.mdc"))
        files = self.draw(self.path("players"), "--sheet", "--size", "32")
        self.assertNotEqual(page, files, "the folders' names")

    def test_attached(self):
        alone = self.draw(HEAD, "--clip", "talk")
        both = self.draw(HEAD, "--clip", "talk", "--attach", "tag_hat=" + KNIGHT)
        self.assertNotEqual(alone, both)

    def test_folder(self):
        out = self.path("pictures")
        result = run(KNIGHT, HEAD, "--size", "16", "-o", out + "/")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(os.listdir(out)), ["tick.png", "tick_head.png"])
        again = run(KNIGHT, "-o", out + "/")
        self.assertEqual(again.returncode, 1)
        self.assertIn(b"--force", again.stderr)

    def test_damaged_input_does_not_stop_the_rest(self):
        self.write("bad.md2", b"IDP2")
        self.assertEqual(run(self.path("bad.md2"), KNIGHT, "--size", "16", "-o", self.path("o/")).returncode, 1)
        self.assertEqual(os.listdir(self.path("o")), ["tick.png"])
        self.assertEqual(run(self.path("bad.md2"), "-o", self.path("bad.png")).returncode, 1)
        self.assertFalse(os.path.exists(self.path("bad.png")))

    def test_wrong_usage(self):
        view = "--view must be iso, front, left, right, back, top, eye, or AZIMUTH,ELEVATION in degrees, not "
        numbers = ": number the files with {frame} or {frame:04}"
        sheet = "--sheet draws whole models on one page: name one PNG, and omit frames, clips and --turntable"
        together = "--frames and --clip cannot be combined"
        mismatch = " does not match --format {}: change the name, or omit --format"
        for arguments, sentence in {
                "": "missing output: add -o FILE.png or -o DIR/",
                "-o x.gif": "x.gif: end the name with .png, .webp or .html, or use --format raw",
                "-o x.png --format webp": "x.png" + mismatch.format("webp"),
                "-o x.webp --format png": "x.webp" + mismatch.format("png"),
                "-o x.PNG --format raw": "x.PNG" + mismatch.format("raw"),
                "-o x.png --format gif": '--format must be png, webp or raw, not "gif"',
                "-o x.png --size 0x5": "--size takes WxH, such as 640x480, with sides from 1 to 16384, "
                                       'not "0x5"',
                "-o x.png --size 9x16385": "--size takes WxH, such as 640x480, with sides from 1 to "
                                           '16384, not "9x16385"',
                "-o x.png --view up": view + '"up"', "-o x.png --view 1,x": view + '"1,x"',
                "-o x.png --view 1": view + '"1"',
                "-o x.png --background 12345": "--background must be studio, none, white, black, grey or "
                                               'RRGGBB, not "12345"',
                "-o x.png --shading matt": "--shading must be studio, engine, texture, normals, wire or uv, "
                                           'not "matt"',
                "-o x.png --show box,tail": '--show takes box, grid, axes, tags, normals and commands, not "tail"',
                "-o x.png --skeleton=0": '--skeleton needs a whole number from 1 to 128, not "0"',
                "-o x.png --skeleton=129": '--skeleton needs a whole number from 1 to 128, not "129"',
                "-o x.png --time 1": "--time counts from the start of a clip; name it with --clip",
                "-o x.png --turntable 8": "--turntable needs several images: write .webp or "
                                          "out-{frame:04}.png",
                "-o x.webp --turntable 1": '--turntable needs a whole number from 2 to 10000, not "1"',
                "-o x.png --frames 0-3": "--frames A-B needs several images: write .webp or "
                                         "out-{frame:04}.png",
                "-o x.webp --frames 3-0": "--frames 3-0 ends before it begins", "-o x.webp --frames z": '--frames needs a number, not "z"',
                "-o x.webp --sheet": sheet, "-o x.png --sheet --frames 0": sheet,
                "-o x.png --sheet --clip run": sheet,
                "-o x-{frame:z}.png": "x-{frame:z}.png" + numbers, "-o x{framer}.png": "x{framer}.png" + numbers,
                "-o x-{frame:.png": "x-{frame:.png" + numbers,
                "-o x-{frame:10}.png": "x-{frame:10}.png" + numbers,
                "-o x-{clip}.png": "x-{clip}.png" + numbers,
                "-o x-{frame}.webp": "x-{frame}.webp: only PNG files are numbered",
                "-o x.png --frames 1 --clip run": together, "-o x.webp --frames 0-1 --clip run": together,
                "-o x.png --samples 0": '--samples needs a whole number from 1 to 64, not "0"',
                "-o x.png --samples 65": '--samples needs a whole number from 1 to 64, not "65"',
                "-o x.png --zoom 0.001": "--zoom must be at least 0.01",
                "-o x.webp --rate 1001": "--rate must be at most 1000"}.items():
            result = run(KNIGHT, *arguments.split(), cwd=self.folder)
            self.assertEqual((result.returncode, result.stdout), (2, b""), arguments)
            self.assertEqual(result.stderr.decode().splitlines()[0], "lerpmesh render: " + sentence)
            self.assertEqual(os.listdir(self.folder), [])
        result = run(KNIGHT, HEAD, "-o", "{frame}.png", cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr.decode().splitlines()[0]),
                         (2, "lerpmesh render: 2 inputs cannot go into one file; name a folder: -o DIR/, draw one page of all: "
                             "--sheet or -o NAME.html"))
        os.mkdir(self.path("in"))
        shutil.copy(KNIGHT, self.path("in/a.md2"))
        result = run("in", "-o", "x.png", cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr.decode().splitlines()[0]),
                         (1, "lerpmesh: in: this folder contains no player or weapon: no body.mds, lower.md3, lower.mdc, "
                             "tris.md2, or v_NAME_hand and v_NAME; draw all its models with -o DIR/, or on one page with --sheet or -o NAME.html"))
        shutil.rmtree(self.path("in"))
        self.assertEqual(os.listdir(self.folder), [])
        result = run(KNIGHT, "run", "-o", "x.png", cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr.decode().splitlines()[0]),
                         (2, "lerpmesh render: run: there is no such file"))

    def test_missing_items_are_reported(self):
        for arguments, sentence in ((["--frames", "49"], b"the last frame is 48"),
                                    (["--clip", "rum"], b'did you mean "run"'),
                                    (["--skin", self.path("no.png")], b"no.png")):
            self.assertIn(sentence, run(KNIGHT, *arguments, "-o", self.path("x.png")).stderr)
        alone = self.path("alone.md2")
        shutil.copy(KNIGHT, alone)
        missing = b'texture "players/tick/tick.pcx" not found'
        self.assertIn(missing, run(alone, "-o", self.path("x.png")).stderr)
        self.assertNotIn(missing, run(alone, "-q", "-o", self.path("x.png")).stderr)

    def test_no_driver(self):
        """Without any driver the message names the package."""
        environment = dict(os.environ, LIBGL_DRIVERS_PATH=self.folder, __EGL_VENDOR_LIBRARY_DIRS=self.folder)
        result = run(KNIGHT, "-o", self.path("x.png"), env=environment)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"libgl1-mesa-dri", result.stderr)


def move_vertex(data, frame, vertex, by):
    """Changes the packed position of one vertex of an MD2 in one frame."""
    size, = struct.unpack_from("<i", data, 16)
    first, = struct.unpack_from("<i", data, 56)
    at = first + frame * size + 40 + 4 * vertex
    moved = bytes((value + step) % 256 for value, step in zip(data[at:at + 3], by))
    return data[:at] + moved + data[at + 3:]


class Compare(ToolTest):
    """`compare --image`."""

    def compare(self, *arguments):
        return subprocess.run([TOOL, "compare", *arguments], capture_output=True, check=False)

    def draw(self, other):
        result = self.compare(KNIGHT, other, "--image", self.path("out.png"))
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assertIn(b"positions:", result.stdout)
        return Picture(self.read("out.png"))

    def draw_moved(self):
        """Draws the knight and moved.md2, in which one vertex of one frame moved."""
        with open(KNIGHT, "rb") as file:
            data = file.read()
        self.write("moved.md2", move_vertex(data, 7, 40, (20, 20, 0)))
        return self.draw(self.path("moved.md2"))

    @staticmethod
    def kinds(picture, left):
        """Counts the cold and the hot pixels of a side."""
        side = [p for row in picture.rows[:512] for p in row[left:left + 512]]
        return (sum(b > 1.5 * r and b > g for r, g, b, _ in side), sum(r > 2 * b and r > 60 for r, g, b, _ in side))

    def test_equal_models_are_cold(self):
        """Two equal models: nothing is hot, there is no ring, and both sides are the same."""
        picture = self.draw(KNIGHT)
        self.assertEqual((picture.width, picture.height), (1024, 640 + 16))
        for left in 0, 512:
            cold, hot = self.kinds(picture, left)
            self.assertGreater(cold, 10000)
            self.assertEqual(hot, 0)
        self.assertEqual([row[:512] for row in picture.rows[:512]], [row[512:] for row in picture.rows[:512]])

    def test_one_vertex_is_hot(self):
        """At a moved vertex a spot is hot, and little else; the ring surrounds it."""
        picture = self.draw_moved()
        found = json.loads(self.compare("--json", KNIGHT, self.path("moved.md2")).stdout)
        self.assertEqual((found["worst"]["frame_a"], found["worst"]["vertex"]), (7, 40))
        for left in 0, 512:
            cold, hot = self.kinds(picture, left)
            self.assertGreater(hot, 20)
            self.assertGreater(cold, 10 * hot)
        left = 512 if found["worst"]["file"] else 0
        ring = [(x, y) for y, row in enumerate(picture.rows[:512])
                for x, p in enumerate(row[left:left + 512]) if p == (255, 255, 255, 255)]
        middle = [sum(values) / len(ring) for values in zip(*ring)]
        near = [picture.rows[y][left + x] for y in range(512) for x in range(512)
                if (x - middle[0]) ** 2 + (y - middle[1]) ** 2 < 64]
        self.assertTrue(any(r > 2 * b and r > 2 * g for r, g, b, _ in near))

    def test_the_scale_is_from_cold_to_hot(self):
        """A bar of all colours; its last number ends at the bar's end."""
        picture = self.draw_moved()
        stops = [(52, 74, 140, 255), (40, 150, 170, 255), (110, 190, 90, 255), (245, 205, 60, 255), (220, 40, 30, 255)]
        bars = [y for y in range(512, picture.height) if {stops[0], stops[-1]} <= set(picture.rows[y])]
        self.assertGreater(len(bars), 3)
        bar = picture.rows[bars[0]]
        left, right = bar.index(stops[0]), 1023 - bar[::-1].index(stops[-1])
        self.assertGreater(right - left, 200)
        self.assertEqual((bar[left - 1], bar[right + 1]), (bar[0], bar[0]))
        for i, stop in enumerate(stops):
            found = bar[left + (right - left) * i // 4]
            self.assertTrue(all(abs(a - b) < 5 for a, b in zip(found, stop)), (i, found))
        below = picture.rows[bars[-1] + 1:bars[-1] + 24]
        ink = [x for row in below for x, p in enumerate(row) if p != row[-1]]
        self.assertGreater(len(ink), 50)
        self.assertLessEqual(max(ink), right + 8)  # the width of a number is an estimate

    def test_invalid_names_are_rejected(self):
        """Wrong names are rejected before anything is read, and an input is never overwritten."""
        result = self.compare(KNIGHT, "nothing.md2", "--image", self.path("out.jpg"))
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"end the name with .png", result.stderr)
        shutil.copy(KNIGHT, self.path("a.png"))
        result = self.compare(KNIGHT, self.path("a.png"), "--image", self.path("a.png"))
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"is also an input", result.stderr)

    def test_image_is_drawn_beyond_the_tolerance(self):
        """Models that differ too much are drawn all the same: the image is most useful then."""
        self.assertEqual(self.compare(KNIGHT, HEAD, "--tolerance", "0", "--image", self.path("out.png")).returncode, 1)
        self.assertTrue(os.path.exists(self.path("out.png")))
