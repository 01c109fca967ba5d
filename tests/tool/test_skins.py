"""Skins in a palette's colours. Images of MDLs have one variant per skin, and their groups' keys match times.
PCX files of --palette are read as Quake II's loader does, and no other PCX."""
import os
import random
import shutil
import struct
import zipfile
from pathlib import Path
from typing import Any

import bake
import image_files
import make_models
import oracle
from command import FolderCase, ImportCase
from small_files import RED, glb, gltf, worn

GENERATED = len(make_models.MDL_FEATURES)


class Glb(bake.Gltf):
    def pictures(self) -> list[tuple[int, int, bytes]]:
        images = self.document.get("images", [])
        return [image_files.png_read(self.view(image["bufferView"])) for image in images]

    def variants(self) -> list[str]:
        extension = self.document.get("extensions", {}).get("KHR_materials_variants", {})
        return [variant["name"] for variant in extension.get("variants", [])]


def painted(pixels: bytes, holes: bool, palette: bytes = oracle.QUAKE_PALETTE) -> bytes:
    """Returns indices as red, green, blue and alpha."""
    return b"".join(palette[3 * i : 3 * i + 3] + (b"\0" if holes and i == 255 else b"\xff") for i in pixels)


def skins_of(data: bytes) -> list[bytes]:
    """Returns the indices of an MDL's skins, none of which is a group."""
    count, width, height = struct.unpack_from("<3i", data, 48)
    starts = [84 + i * (4 + width * height) for i in range(count)]
    assert all(struct.unpack_from("<i", data, at)[0] == 0 for at in starts)
    return [data[at + 4:at + 4 + width * height] for at in starts]


class Skins(FolderCase):
    def to_glb(self, data: bytes, *options: str) -> Glb:
        model, out = self.folder / "torch.mdl", self.folder / "torch.glb"
        model.write_bytes(data)
        self.assertEqual(self.convert("-q", model, "-o", out, *options), "")
        return bake.read_glb(out.read_bytes(), Glb)

    def each(self) -> Any:
        for index in range(GENERATED):
            data, intent = make_models.make_model("mdl", 4, index)
            yield data, intent

    def test_images_are_the_skins_in_quakes_colours(self) -> None:
        several = 0
        for data, intent in self.each():
            with self.subTest(features=intent["features"]):
                glb, holes = self.to_glb(data), intent["flags"] & 16384 != 0
                wanted = [(*intent["skin_size"], painted(bytes.fromhex(s["pictures"][0]), holes))
                          for s in intent["skins"]]
                self.assertEqual(glb.pictures(), wanted)
                names = [f"skin{i}" for i in range(len(wanted))]
                self.assertEqual([m["name"] for m in glb.document["materials"]], names)
                self.assertEqual(glb.variants(), names if len(names) > 1 else [])
                for material in glb.document["materials"]:
                    has_holes = any(255 in bytes.fromhex(s["pictures"][0])
                                    for s in [intent["skins"][int(material["name"][4:])]])
                    self.assertEqual(material.get("alphaMode", "OPAQUE"), "MASK" if holes and has_holes else "OPAQUE")
                several += len(names) > 1
        self.assertGreater(several, 3)

    def test_options_decide(self) -> None:
        data, intent = make_models.make_model("mdl", 4, 3)
        pixels = bytes.fromhex(intent["skins"][0]["pictures"][0])
        palette = bytes(range(256)) * 3
        (self.folder / "other.lmp").write_bytes(palette)
        glb = self.to_glb(data, "--palette", str(self.folder / "other.lmp"), "--transparent-255")
        self.assertEqual(glb.pictures()[0][2], painted(pixels, True, palette))
        # The palette of the game's folder, such as Hexen II's, without the option.
        game = self.folder / "data1"
        (game / "models").mkdir(parents=True)
        (game / "models" / "a.mdl").write_bytes(data)
        self.convert(game / "models" / "a.mdl", "-o", self.folder / "plain.md2")
        (game / "gfx").mkdir()
        (game / "gfx" / "palette.lmp").write_bytes(palette)
        self.convert(game / "models" / "a.mdl", "-o", self.folder / "game.md2")
        images = [image_files.png_read((self.folder / name).read_bytes()) 
                  for name in ("plain_skin0.png", "game_skin0.png")]
        self.assertEqual([image[2] for image in images], [painted(pixels, False), painted(pixels, False, palette)])
        for extension in "pk3", "zip", "pk4", "ipk3", "pkz":  # or an archive in it
            game = self.folder / f"data_{extension}"
            (game / "models").mkdir(parents=True)
            (game / "models" / "a.mdl").write_bytes(data)
            with zipfile.ZipFile(game / f"pak0.{extension}", "w") as archive:
                archive.writestr("gfx/palette.lmp", palette)
            self.convert("-f", game / "models" / "a.mdl", "-o", self.folder / "game.md2")
            image = image_files.png_read((self.folder / "game_skin0.png").read_bytes())
            self.assertEqual(image[2], painted(pixels, False, palette), extension)
        own = image_files.png_write([bytes((1, 2, 3) * 2)] * 2, 2)
        (self.folder / "own.png").write_bytes(own)
        glb = self.to_glb(data, "--skin", str(self.folder / "own.png"))
        self.assertEqual([p[2] for p in glb.pictures()], [bytes((1, 2, 3, 255)) * 4])

    def test_indices_survive_gltf(self) -> None:
        """Each pixel keeps its index, or gets another of the same colour; fullbright ones are reported."""
        bright = 0
        for data, intent in self.each():
            holes, size = intent["flags"] & 16384 != 0, intent["skin_size"]
            if size[0] % 4 or size[1] > 480:  # not a size of Quake
                continue
            with self.subTest(features=intent["features"]):
                self.to_glb(data)
                log = self.convert("torch.glb", "-o", "back.mdl", "-f")
                made = skins_of((self.folder / "back.mdl").read_bytes())
                for skin, new in zip(intent["skins"], made, strict=True):
                    old = bytes.fromhex(skin["pictures"][0])
                    self.assertEqual(painted(new, holes), painted(old, holes))
                    shining = sum(i >= 224 and i != 247 and not (holes and i == 255) for i in old)
                    self.assertEqual(sum(i >= 224 and not (holes and i == 255) for i in new), shining)
                    if shining:
                        bright += 1
                        self.assertIn(f"{shining} fullbright pixels stay", log)
        self.assertGreater(bright, 2)

    def test_fullbright_pixels_of_a_painted_image(self) -> None:
        """An image of other colours gets shaded ones; if most are Quake's, that is reported."""
        data, _ = make_models.make_model("mdl", 4, 3)
        (self.folder / "a.mdl").write_bytes(data)
        fire, stone = oracle.QUAKE_PALETTE[3 * 235:3 * 236], oracle.QUAKE_PALETTE[3:6]
        for others, says in (1, True), (12, False):
            pixels = [bytes((1, 2, 3))] * others + [fire] * 2 + [stone] * (14 - others)
            (self.folder / "p.png").write_bytes(image_files.png_write(
                [b"".join(pixels[at:at + 4]) for at in range(0, 16, 4)], 2))
            log = self.convert("a.mdl", "--skin", "p.png", "-o", "b.mdl", "-f")
            self.assertEqual("2 pixels in fullbright colours" in log, says, log)
            self.assertLess(max(skins_of((self.folder / "b.mdl").read_bytes())[0]), 224)

    def test_another_skin_of_an_mdl(self) -> None:
        """It replaces those in the file; also if the output has no path."""
        data, intent = make_models.make_model("mdl", 4, make_models.MDL_FEATURES.index("skins"))
        (self.folder / "a.mdl").write_bytes(data)
        self.assertGreater(len(intent["skins"]), 1)
        (self.folder / "p.png").write_bytes(image_files.png_write([oracle.QUAKE_PALETTE[9:12] * 4] * 4, 2))
        self.convert("a.mdl", "--skin", "p.png", "-o", "b.mdl")
        made = (self.folder / "b.mdl").read_bytes()
        self.assertEqual(skins_of(made), [bytes([3] * 16)])
        self.assertEqual(self.call("convert", "a.mdl", "--skin", "p.png", "-o", "-", "--format", "mdl",
                                   text=False, errors=None).stdout, made)
        self.assertIn("a grey skin", self.convert("a.mdl", "--skin", "none", "-o", "b.mdl", "-f"))

    def test_transparent_pixels_become_index_255(self) -> None:
        """An image with alpha uses the last index and sets the flag; one without alpha does neither."""
        model = Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples" / "tick.md2"
        for alpha, flag in (0, 16384), (255, 0):
            pixels = [(10, 200, 30, 255)] * 8 + [(0, 0, 200, alpha)] * 8
            tga = struct.pack("<3B5xHHHHBB", 0, 0, 2, 0, 0, 4, 4, 32, 0x28)
            tga += b"".join(bytes((b, g, r, a)) for r, g, b, a in pixels)
            (self.folder / "holes.tga").write_bytes(tga)
            out = self.folder / "out.mdl"
            self.convert("-q", model, "--skin", self.folder / "holes.tga", "-o", out)
            made = out.read_bytes()
            self.assertEqual(struct.unpack_from("<i", made, 76)[0], flag)
            indices = made[84 + 4:84 + 4 + 16]
            self.assertEqual([i == 255 for i in indices], [False] * 8 + [flag != 0] * 8)
            back = self.to_glb(made)
            self.assertEqual(back.pictures()[0][2][3::4], bytes([255] * 8 + [alpha] * 8))

    def test_a_gltf_has_its_images_next_to_it(self) -> None:
        data, intent = make_models.make_model("mdl", 4, make_models.MDL_FEATURES.index("skins"))
        model = self.folder / "torch.mdl"
        model.write_bytes(data)
        self.convert("-q", model, "-o", self.folder / "x.gltf")
        for i, skin in enumerate(intent["skins"]):
            picture = image_files.png_read((self.folder / f"x_skin{i}.png").read_bytes())
            self.assertEqual(picture[2], painted(bytes.fromhex(skin["pictures"][0]), False))

    def test_keys_match_frame_times(self) -> None:
        compared = 0
        for data, intent in self.each():
            glb = self.to_glb(data)
            groups = [ends for ends in intent["groups"] if len(ends) > 1]
            times = []
            for animation in glb.document.get("animations", []):
                times.append(max(([t for (t,) in glb.elements(s["input"])] for s in animation["samplers"]), key=len))
            for ends in groups:
                wanted = [0.0, *ends]
                found = any(len(t) == len(wanted) and all(abs(a - b) < 1e-5 for a, b in zip(t, wanted)) for t in times)
                self.assertTrue(found, (wanted, times))
                compared += 1
        self.assertGreater(compared, 5)


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

    def test_quake2_reads_no_png(self) -> None:
        self.paint([[self.colour(3)] * 4] * 4)
        says, wrong = "Quake II itself reads only PCX images", "quake2 finds no .pcx image for the skin"
        self.assertNotIn(says, self.told)
        plain = self.convert("robot.glb", "-o", "out/robot.md2", "-f")
        self.assertNotIn(says, plain)
        self.assertNotIn(says, self.convert("robot.glb", "-o", "out/good.md2", "--engine", "quake2",
                                            "--palette", "colormap.pcx"))
        self.assertIn(says, self.convert("robot.glb", "-o", "out/robot.md2", "--engine", "quake2", "-f"))
        for name, engine, found in ("robot", "quake2", True), ("good", "quake2", False), ("robot", "q2pro", False):
            done = self.call("check", "--engine", engine, f"out/{name}.md2", status=int(found))
            self.assertEqual(wrong in done.stdout, found, (name, engine, done.stdout))

    def test_quake2_lists_players_with_a_skin_and_its_icon(self) -> None:
        """Whatever the model names. Every PCX in the folder must be one."""
        self.paint([[self.colour(3)] * 4] * 4)
        player = self.folder / "baseq2/players/robot"
        player.mkdir(parents=True)
        shutil.copy(self.folder / "out/robot.md2", player / "tris.md2")
        skin = (self.folder / "out/robot.pcx").read_bytes()
        nobody = "error [engine-file] quake2 does not list the player: "
        no_skin, no_icon = nobody + "the folder has no .pcx skin with an icon", nobody + "the skin %s has no icon %s"
        no_image = "error [engine-file] quake2 cannot read the image baseq2/players/robot/%s: "
        steps: list[tuple[str, bytes, list[str]]] = [
            ("notes.txt", b"none", [no_skin]),
            ("tris.png", image_files.png_write([b"abc"], 2), [no_skin]),
            ("b_i.pcx", skin, [no_skin]),
            ("a.pcx", b"a text", [no_image % "a.pcx", no_icon % ("a.pcx", "a_i.pcx")]),
            ("a.pcx", skin[:129], [no_image % "a.pcx", no_icon % ("a.pcx", "a_i.pcx")]),
            ("a.pcx", image_files.png_write([b"abc"], 2), [no_image % "a.pcx", no_icon % ("a.pcx", "a_i.pcx")]),
            ("a.pcx", skin, [no_icon % ("a.pcx", "a_i.pcx")]),
            ("A_I.PCX", b"", [no_image % "A_I.PCX", no_icon % ("a.pcx", "a_i.pcx")]),
            ("A_I.PCX", skin, []),
            ("weapon.pcx", b"a text", [no_image % "weapon.pcx"])]
        for name, data, expected in steps:
            (player / name).write_bytes(data)
            done = self.call("check", "--engine", "quake2", "baseq2", status=int(bool(expected)))
            found = [line.partition(": ")[2] for line in done.stdout.splitlines() if "[engine-file]" in line]
            self.assertEqual(len(found), len(expected), (name, found))
            for line, wanted in zip(found, expected):
                self.assertTrue(line.startswith(wanted), (name, line))
            self.assertNotIn("engine-file", self.call("check", "--engine", "q2pro", "baseq2", status=0).stdout)

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
        self.assertIn("nor a GIMP palette", told)
        self.assertEqual(os.listdir(self.folder / "out"), [])
