"""Converts models with embedded images to formats with separate image files: images of a glTF's materials, in its
buffer or in sidecar files, and an MDL's skins. Names of our own exports are kept."""
import base64
import json
import shutil
import struct
from pathlib import Path
from typing import Any

import bake
from command import ImportCase
import corpus
import make_models
import oracle
import image_files
from image_files import tga_read
import skipping
from small_files import BLUE, RED, glb, gltf, md3, tga, worn

SAMPLES = corpus.source_dir() / "samples"


class Images(ImportCase):
    def setUp(self) -> None:
        super().setUp()
        for name in ("tick.md2", "tick.pcx", "tick_torch.mdl"):
            shutil.copy(SAMPLES / name, self.folder / name)

    def convert_to(self, source: str, out: str, *options: str, status: int = 0) -> str:
        """Returns the command's messages; the outputs are in a separate folder, so that only they are found."""
        (self.folder / "out").mkdir(exist_ok=True)
        return self.convert(source, "-o", f"out/{out}", *options, status=status)

    def read(self, name: str) -> bytes:
        return (self.folder / "out" / name).read_bytes()

    def outputs(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "out").iterdir())

    def two(self, **more: Any) -> dict[str, Any]:
        images = [{"name": "Red One", "at": 0, "size": len(RED)},
                  {"name": "blue.PNG", "at": len(RED), "size": len(BLUE)}]
        return gltf(images, [worn(0), worn(1)], RED + BLUE, **more)

    def test_our_own_exports_keep_their_names(self) -> None:
        self.convert_to("tick.md2", "x.glb")
        shutil.move(self.folder / "out" / "x.glb", self.folder / "x.glb")
        image = self.glb_image(self.folder / "x.glb")
        for out in "back.md2", "back.md3":
            self.convert_to("x.glb", out)
        self.assertEqual(self.outputs(), ["back.md2", "back.md3", "tick.png", "tick.tga"])
        self.assertEqual(oracle.load_file(str(self.folder / "out" / "back.md2")).skins,
                         oracle.load_file(str(SAMPLES / "tick.md2")).skins)
        self.assertIn(b"players/tick/tick.pcx\0", self.read("back.md3"))
        self.assertEqual(image_files.png_read(self.read("tick.png")), image_files.png_read(image))
        self.assertEqual(tga_read(self.read("tick.tga")), image_files.png_read(image))

    def test_surfaces_share_an_image(self) -> None:
        """Surfaces without a material of their own get the image that they share with others."""
        (self.folder / "m.md3").write_bytes(md3(["", "", ""]))
        (self.folder / "m.skin").write_text("s0,m.tga\ns1,m.tga\ns2,m.tga\n")
        (self.folder / "m.tga").write_bytes(tga(3))
        self.convert("m.md3", "-o", "m.glb", "--skin", "m.skin")
        self.convert_to("m.glb", "back.md3")
        model = oracle.load_file(str(self.folder / "out" / "back.md3"))
        self.assertEqual([s.shaders for s in model.surfaces], [["models/back/back.tga"]] * 3)

    @staticmethod
    def glb_image(path: Path) -> bytes:
        gltf = bake.read_glb(path.read_bytes())
        return gltf.view(gltf.document["images"][0]["bufferView"])

    def test_md3_surfaces_name_their_images(self) -> None:
        (self.folder / "robot.glb").write_bytes(glb(self.two()))
        self.assertIn("images next to the model", self.convert_to("robot.glb", "robot.md3"))
        self.assertEqual(self.outputs(), ["robot.md3", "robot_blue.tga", "robot_red_one.tga"])
        for name, png in ("robot_red_one.tga", RED), ("robot_blue.tga", BLUE):
            self.assertIn(b"\0models/robot/" + name.encode() + b"\0", self.read("robot.md3"))
            self.assertEqual(tga_read(self.read(name)), image_files.png_read(png))

    def test_an_md2_has_one_image(self) -> None:
        document = gltf([{"at": 0, "size": len(RED)}], [worn(0)], RED)
        (self.folder / "robot.glb").write_bytes(glb(document))
        self.convert_to("robot.glb", "robot.md2")
        self.assertEqual(self.outputs(), ["robot.md2", "robot.png"])
        self.assertEqual(oracle.load_file(str(self.folder / "out" / "robot.md2")).skins, ["models/robot/robot.png"])
        self.assertEqual(image_files.png_read(self.read("robot.png")), image_files.png_read(RED))
        (self.folder / "two.glb").write_bytes(glb(self.two()))
        self.assertIn("2 textures become one", self.convert_to("two.glb", "two.md2"))
        self.assertEqual(oracle.load_file(str(self.folder / "out" / "two.md2")).skins, ["models/two/two.png"])
        width, _, pixels = image_files.png_read(self.read("two.png"))
        self.assertGreater(width, 8)
        colours = {pixels[i:i + 3] for i in range(0, len(pixels), 4)}
        self.assertLessEqual({bytes((200, 10, 20)), bytes((10, 20, 200))}, colours)

    def test_game_paths_of_images(self) -> None:
        """Their folder is given, or that of the model in the game, or derived from its name; none is too long."""
        document = gltf([{"at": 0, "size": len(RED)}], [worn(0)], RED)
        (self.folder / "robot.glb").write_bytes(glb(document))
        long = "l" * 47
        for out, options, folder in (
                ("robot.md2", (), "models/robot/"),
                ("robot.md2", ("--skin-path", "players/x"), "players/x/"),
                ("robot.md3", ("--skin-path", "players/x/"), "players/x/"),
                ("robot.mdc", ("--skin-path", ""), ""),
                ("robot.md2", ("--skin-path", "m" * 46), "m" * 46 + "/"),
                ("players/robot.md2", (), "players/"),
                ("baseq3/models/players/red/robot.md3", (), "models/players/red/"),
                ("models/old/models/new/robot.md3", (), "models/new/"),
                ("mymodels/x/robot.md3", (), "models/robot/"),
                ("models/../x/robot.md3", (), "models/robot/"),
                (f"models/{long}/robot.md3", (), ""),
                (f"{long}.md2", (), "models/"),
                ("n" * 20 + ".md2", (), "models/" + "n" * 20 + "/")):
            path = self.folder / "out" / out
            path.parent.mkdir(parents=True, exist_ok=True)
            output = self.convert_to("robot.glb", out, *options, "-f")
            name = path.stem + (".png" if out.endswith("md2") else ".tga")
            self.assertTrue((path.parent / name).exists(), out)
            model = oracle.load_file(str(path))
            skins = model.skins or [s for surface in model.surfaces for s in surface.shaders]
            self.assertEqual(skins, [folder + name], out)
            in_place = str(path.parent).endswith("/" + folder.rstrip("/"))
            self.assertEqual(f"the game searches for {folder}{name}" in output, bool(folder) and not in_place, output)
            self.assertEqual("has no folder" in output, not folder, output)
            checked = self.call("check", path).stdout
            self.assertEqual("skin-path" in checked, not folder, checked)
        self.assertIn("--skin-path has no effect", self.convert_to("tick.md2", "x.md3", "--skin-path", "m"))
        output = self.convert_to("tick.md2", "tick.glb") + self.convert_to("out/tick.glb", "own.md2", "--skin-path", "m")
        self.assertIn("the game searches for m/tick.png", output)
        self.assertEqual(oracle.load_file(str(self.folder / "out" / "own.md2")).skins, ["m/tick.png"])

    def test_input_images_are_not_overwritten(self) -> None:
        """A file of the same name next to the model, with the same pixels in other bytes, stays. Another one stops the
        command, unless it is forced."""
        own = RED[:33] + image_files.chunk(b"tEXt", b"Author\0somebody") + RED[33:]
        self.assertEqual(image_files.png_read(own), image_files.png_read(RED))
        document = gltf([{"uri": "robot.png"}], [worn(0)], b"")
        data = document.pop("data")
        document["buffers"][0]["uri"] = "data:;base64," + base64.b64encode(data).decode()
        (self.folder / "out").mkdir()
        (self.folder / "out" / "robot.glb").write_text(json.dumps(document))
        (self.folder / "out" / "robot.png").write_bytes(own)
        self.convert_to("out/robot.glb", "robot.md2")
        self.assertEqual(self.read("robot.png"), own)
        (self.folder / "out" / "other.png").write_bytes(BLUE)
        (self.folder / "out" / "robot.glb").write_bytes(glb(gltf([{"at": 0, "size": len(RED)}], [worn(0)], RED)))
        self.assertIn("out/other.png exists; --force replaces it",
                      self.convert("out/robot.glb", "-o", "out/other.md2", status=1))
        self.assertEqual(self.read("other.png"), BLUE)
        self.assertFalse((self.folder / "out" / "other.md2").exists())
        self.convert_to("out/robot.glb", "other.md2", "--force")
        self.assertEqual(image_files.png_read(self.read("other.png")), image_files.png_read(RED))

    def test_a_texture_of_the_model_is_not_replaced(self) -> None:
        """A texture atlas, named like the model, does not replace an image in use."""
        self.has_assimp()
        (self.folder / "robot.png").write_bytes(RED)
        (self.folder / "eyes.png").write_bytes(BLUE)
        self.obj("robot", "robot.png", "eyes.png")
        (self.folder / "out").mkdir()
        for source in "robot.obj", "out/../robot.obj":
            self.assertIn("robot.png, a texture of the model, would be replaced by another file",
                          self.convert(source, "-o", "robot.md2", status=1))
            self.assertEqual((self.folder / "robot.png").read_bytes(), RED)
            self.assertFalse((self.folder / "robot.md2").exists())
        self.convert_to("robot.obj", "robot.md2")
        self.assertEqual((self.folder / "robot.png").read_bytes(), RED)

    def test_variants_are_skins(self) -> None:
        (self.folder / "looks.glb").write_bytes(glb(self.two(variants=2)))
        self.convert_to("looks.glb", "looks.md2")
        names = ["looks_red_one.png", "looks_blue.png"]
        self.assertEqual(oracle.load_file(str(self.folder / "out" / "looks.md2")).skins,
                         [f"models/looks/{name}" for name in names])
        for name, png in zip(names, (RED, BLUE)):
            self.assertEqual(image_files.png_read(self.read(name)), image_files.png_read(png))
        self.convert_to("looks.glb", "looks.mdl")
        self.assertEqual(struct.unpack_from("<i", self.read("looks.mdl"), 48), (2,))

    def test_variants_of_many_surfaces_are_limited(self) -> None:
        """Each surface has a material in each variant, which a file of some bytes can multiply."""
        for count, status in (100, 0), (800, 1):
            document = gltf([{"name": "skin", "at": 0, "size": len(RED)}], [worn(0)], RED, variants=count)
            del document["meshes"][0]["primitives"][0]["extensions"]
            document["meshes"][0]["primitives"] *= count
            (self.folder / "many.glb").write_bytes(glb(document))
            errors = self.convert("many.glb", "-f", "-o", "out/many.md3", status=status)
            self.assertEqual("800 variants of 800 surfaces are too many" in errors, status == 1)

    def test_each_image_is_written_once_under_its_own_name(self) -> None:
        document = gltf([{"name": "skin", "at": 0, "size": len(RED)}], [worn(0), worn(0)], RED, variants=2)
        (self.folder / "one.glb").write_bytes(glb(document))
        self.convert_to("one.glb", "one.md3")
        self.assertEqual(self.outputs(), ["one.md3", "one.tga"])
        model = oracle.load_file(str(self.folder / "out" / "one.md3"))
        self.assertEqual([surface.shaders for surface in model.surfaces], [["models/one/one.tga"]])
        document = gltf([{"name": "skin", "at": 0, "size": len(RED)},
                         {"name": "a/SKIN.png", "at": len(RED), "size": len(BLUE)}], [worn(0), worn(1)], RED + BLUE)
        (self.folder / "two.glb").write_bytes(glb(document))
        self.convert_to("two.glb", "two.md3")
        for name, png in ("two_skin.tga", RED), ("two_skin_2.tga", BLUE):
            self.assertEqual(tga_read(self.read(name)), image_files.png_read(png))

    def test_images_next_to_a_gltf(self) -> None:
        inside = "data:image/png;base64," + base64.b64encode(BLUE).decode()
        document = gltf([{"uri": "skins/red%20one.png"}, {"uri": inside, "name": "blue"}], [worn(0), worn(1)], b"")
        data = document.pop("data")
        document["buffers"][0]["uri"] = "data:;base64," + base64.b64encode(data).decode()
        (self.folder / "skins").mkdir()
        (self.folder / "skins" / "red one.png").write_bytes(RED)
        (self.folder / "robot.glb").write_text(json.dumps(document))
        self.convert_to("robot.glb", "robot.md3")
        self.assertEqual(self.outputs(), ["robot.md3", "robot_blue.tga", "robot_red_20one.tga"])
        self.assertEqual(tga_read(self.read("robot_red_20one.tga")), image_files.png_read(RED))
        self.assertEqual(tga_read(self.read("robot_blue.tga")), image_files.png_read(BLUE))

    def test_unreadable_images_are_reported(self) -> None:
        """The model is written nevertheless, without that image."""
        for images, data, words in (
                ([{"uri": "gone.png"}], b"", 'the image "gone.png" of a surface is missing'),
                ([{"uri": "../robot.glb"}], b"", 'the image "../robot.glb" of a surface is missing'),
                ([{"at": 0, "size": 50}], RED[:50], "cannot read its image")):
            (self.folder / "robot.glb").write_bytes(glb(gltf(images, [worn(0)], data)))
            self.assertIn(words, self.convert_to("robot.glb", "robot.md3"))
            self.assertEqual(self.outputs(), ["robot.md3"])

    def obj(self, name: str, *paths: str, alpha: str = "") -> None:
        """Makes a square for each image, side by side."""
        lines, text = [f"mtllib {name}.mtl"], ""
        for i, path in enumerate(paths):
            text += f"newmtl m{i}\nKd 1 1 1\nmap_Kd {path}\n" + (f"map_d {alpha}\n" if alpha else "")
            lines += [f"v {i} 0 0", f"v {i + 1} 0 0", f"v {i + 1} 1 0", f"v {i} 1 0", f"o part{i}",
                      f"usemtl m{i}", "f " + " ".join(f"{4 * i + k}/{k}" for k in (1, 2, 3, 4))]
        lines[1:1] = ["vt 0 0", "vt 1 0", "vt 1 1", "vt 0 1"]
        (self.folder / f"{name}.obj").write_text("\n".join(lines) + "\n")
        (self.folder / f"{name}.mtl").write_text(text)

    def has_assimp(self) -> None:
        self.obj("try", "red.png")
        done = self.call("convert", "try.obj", "-o", "try.md3", status=None)
        if done.returncode and "Assimp" in done.stderr:
            skipping.skip(self, "built without Assimp")

    def test_images_of_assimps_formats(self) -> None:
        """By the path in the file, in another case, and by the last part of a path on its author's machine."""
        self.has_assimp()
        (self.folder / "art").mkdir()
        (self.folder / "art" / "red.png").write_bytes(RED)
        (self.folder / "blue.png").write_bytes(BLUE)
        for paths in (("art/red.png", "blue.png"), ("./art/red.png", "BLUE.PNG"),
                      ("art\\Red.png", "C:\\Users\\me\\art\\blue.png"), ("art/red.png", "/tmp/x/blue.png"),
                      ("art/red.png", "../textures/blue.png")):
            self.obj("walls", *paths)
            output = self.convert_to("walls.obj", "walls.md3", "-f")
            self.assertNotIn("is not there", output)
            self.assertIn("images next to the model: walls_red.tga and walls_blue.tga", output)
            self.assertEqual(self.outputs(), ["walls.md3", "walls_blue.tga", "walls_red.tga"])
            model = oracle.load_file(str(self.folder / "out" / "walls.md3"))
            self.assertEqual([surface.shaders for surface in model.surfaces],
                             [["models/walls/walls_red.tga"], ["models/walls/walls_blue.tga"]])
            for name, png in ("walls_red.tga", RED), ("walls_blue.tga", BLUE):
                self.assertEqual(tga_read(self.read(name)), image_files.png_read(png))
        self.assertIn("2 textures become one", self.convert_to("walls.obj", "walls.md2"))
        self.convert_to("walls.obj", "walls.mdl")
        self.obj("walls", "art/none.png", "blue.png")
        output = self.convert_to("walls.obj", "gone.md3")
        self.assertIn('the image "art/none.png" of a surface is missing or cannot be read', output)
        model = oracle.load_file(str(self.folder / "out" / "gone.md3"))
        self.assertEqual([surface.shaders for surface in model.surfaces], [["m0"], ["models/gone/gone.tga"]])

    def test_images_beside_the_models_folder(self) -> None:
        """They are read below a game: the one that the path implies, or --game. A missing one is a warning that says what
        to do; an image that the user names is an error if it is missing."""
        (self.folder / "p" / "mod" / "a").mkdir(parents=True)
        (self.folder / "p" / "textures").mkdir()
        (self.folder / "p" / "mod" / "a" / "t.glb").write_bytes(glb(
            gltf([{"uri": "../../textures/T.png"}], [worn(0)], b"")))
        (self.folder / "p" / "textures" / "t.png").write_bytes(RED)
        model = "p/mod/a/t.glb"
        output = self.convert_to(model, "x.md2")
        self.assertIn('the image "../../textures/T.png" of a surface is missing or cannot be read: the file '
                      "../../textures/T.png does not lie below the folder of the source", output)
        self.assertIn("name the image with --skin, or a folder above it and the model with --game", output)
        self.assertEqual(self.outputs(), ["x.md2"])
        for game in "p", "p/", "p/mod/..":
            self.convert_to(model, "x.md2", "-f", "--game", game)
            self.assertEqual(image_files.png_read(self.read("x.png")), image_files.png_read(RED))
            (self.folder / "out" / "x.png").unlink()
        output = self.convert_to(model, "x.md2", "-f", "--game", "p/mod")
        self.assertIn("T.png is neither below the folder of the source nor in the folders of the game", output)
        self.assertRegex(output, "name the image with --skin\n")
        (self.folder / "models").mkdir()
        shutil.move(self.folder / "p" / "mod" / "a", self.folder / "models" / "a")
        shutil.move(self.folder / "p" / "textures", self.folder / "textures")
        self.assertNotIn("cannot be read", self.convert_to("models/a/t.glb", "x.md2", "-f"))
        self.assertEqual(self.outputs(), ["x.md2", "x.png"])
        (self.folder / "out" / "x.png").unlink()
        self.convert_to("models/a/t.glb", "x.md2", "-f", "--game", "gone", status=2)
        self.call("pack", self.folder, "-o", "all.pk3")
        shutil.rmtree(self.folder / "textures")
        self.assertNotIn("cannot be read", self.convert_to("models/a/t.glb", "x.md2", "-f", "--game", "all.pk3"))

    def test_skins_of_imported_files(self) -> None:
        """--skin replaces the images of all surfaces, or of one; several are several skins."""
        (self.folder / "red.png").write_bytes(RED)
        (self.folder / "blue.png").write_bytes(BLUE)
        (self.folder / "two.glb").write_bytes(glb(self.two()))
        self.convert_to("two.glb", "x.md2", "--skin", "red.png", "--skin", "blue.png")
        self.assertEqual(oracle.load_file(str(self.folder / "out" / "x.md2")).skins,
                         ["models/x/x_red.png", "models/x/x_blue.png"])
        for name, png in ("x_red.png", RED), ("x_blue.png", BLUE):
            self.assertEqual(image_files.png_read(self.read(name)), image_files.png_read(png))
        self.convert_to("two.glb", "y.md3", "--skin", "red.png")
        self.assertEqual(tga_read(self.read("y.tga")), image_files.png_read(RED))
        names = [surface.name for surface in oracle.load_file(str(self.folder / "out" / "y.md3")).surfaces]
        self.convert_to("two.glb", "z.md3", "--skin", f"{names[0]}=blue.png")
        self.assertEqual([surface.shaders for surface in oracle.load_file(str(self.folder / "out" / "z.md3")).surfaces],
                         [["models/z/z_blue_2.tga"], ["models/z/z_blue.tga"]])
        self.convert_to("two.glb", "m.mdl", "--skin", "red.png", "--skin", "blue.png")
        self.assertEqual(struct.unpack_from("<i", self.read("m.mdl"), 48)[0], 2)
        self.convert_to("two.glb", "n.md3", "--skin", "none")
        self.assertEqual([name for name in self.outputs() if name.startswith("n")], ["n.md3"])
        self.convert_to("two.glb", "n.md3", "-f", "--skin", "gone.png", status=2)
        self.assertIn("--skin applies to .md3 files only if",
                      self.convert_to("tick.md2", "n.md3", "-f", "--skin", "red.png", status=1))

    def test_assimps_alpha(self) -> None:
        self.has_assimp()
        rows = [bytes((1, 2, 3, 0)) * 4] * 2 + [bytes((90, 2, 3, 255)) * 4] * 2
        (self.folder / "leaf.png").write_bytes(image_files.png_write(rows, 6))
        for alpha, flag in ("", 0), ("leaf.png", 16384):
            self.obj("leaf", "leaf.png", "leaf.png", alpha=alpha)
            path = self.folder / "leaf.mtl"
            if alpha:  # the second material does not define it
                path.write_text(path.read_text().rsplit("map_d", 1)[0])
            self.convert_to("leaf.obj", "leaf.mdl", "-f")
            self.assertEqual(struct.unpack_from("<i", self.read("leaf.mdl"), 76)[0], flag)
            self.convert_to("leaf.obj", "leaf.md3", "-f")
            self.assertEqual([name for name in self.outputs() if name.endswith("tga")], ["leaf.tga"])

    def test_embedded_images_of_assimps_formats(self) -> None:
        self.has_assimp()
        for name, size in (("FBX/embedded_ascii/box_embedded_texture_fragmented.fbx", 1024),
                           ("BLEND/TexturedPlane_ImageUvPacked_248.blend", 512)):
            path = corpus.assimp_dir() / name
            if not path.exists():
                skipping.skip(self, "Assimp's models are not here")
            self.convert_to(str(path), "Box.md3", "-f")
            width, height, pixels = tga_read(self.read("box.tga"))
            self.assertEqual((width, height), (size, size))
            self.assertGreater(len(set(pixels)), 20)
            self.assertIn(b"\0models/box/box.tga\0", self.read("Box.md3"))

    def test_images_of_one_name(self) -> None:
        images = [{"at": 0, "size": len(RED), "name": name} for name in ("a", "a", "a_2", "b", "a", "a_2", "b")]
        (self.folder / "robot.glb").write_bytes(glb(gltf(images, [worn(i) for i in range(7)], RED)))
        names = [f"robot_{name}.tga" for name in ("a", "a_2", "a_2_2", "b", "a_3", "a_2_3", "b_2")]
        self.convert_to("robot.glb", "robot.md3")
        self.assertEqual(self.outputs(), sorted(["robot.md3", *names]))
        at = [self.read("robot.md3").index(f"models/robot/{name}\0".encode()) for name in names]
        self.assertEqual(at, sorted(at))

    def test_more_images_than_an_atlas_can_hold(self) -> None:
        """Each of one pixel, and eight times in a row."""
        count = 16385
        document = gltf([{"at": 0, "size": len(RED)}] * count, [worn(i) for i in range(count)], RED)
        data = bytearray(document["data"])
        struct.pack_into("<8f", data, len(RED) + 48, 0, 8, 8, 8, 8, 0, 0, 0)
        (self.folder / "robot.glb").write_bytes(glb(document | {"data": bytes(data)}))
        self.assertIn(f"the {count} textures do not fit into one atlas of 2048 x 2048 pixels",
                      self.convert_to("robot.glb", "robot.md2", status=1))
        self.assertEqual(self.outputs(), [])

    def test_numbered_files_use_the_first_files_images(self) -> None:
        self.has_assimp()
        (self.folder / "red.png").write_bytes(RED)
        for i in range(3):
            self.obj(f"walk_{i}", "red.png" if i == 0 else "none.png")
        self.assertNotIn("is not there", self.convert_to("walk_{frame}.obj", "walk.md2"))
        self.assertEqual(self.outputs(), ["walk.md2", "walk.png"])
        self.assertEqual(image_files.png_read(self.read("walk.png")), image_files.png_read(RED))

    def test_alpha_counts_if_the_material_uses_it(self) -> None:
        rows = [bytes((1, 2, 3, 0)) * 4] * 2 + [bytes((90, 2, 3, 255)) * 4] * 2
        png = image_files.png_write(rows, 6)
        for mode, flag in ("MASK", 16384), ("OPAQUE", 0):
            document = gltf([{"at": 0, "size": len(png)}], [worn(0, alphaMode=mode)], png)
            (self.folder / "robot.glb").write_bytes(glb(document))
            self.convert_to("robot.glb", "robot.mdl")
            self.assertEqual(struct.unpack_from("<i", self.read("robot.mdl"), 76)[0], flag)

    def test_mdl_skins_are_converted(self) -> None:
        data, intent = make_models.make_model("mdl", 4, make_models.MDL_FEATURES.index("skins"))
        (self.folder / "torch.mdl").write_bytes(data)
        width, height = intent["skin_size"]
        for out, read in ("torch.md3", tga_read), ("torch.md2", image_files.png_read):
            output = self.convert_to("torch.mdl", out)
            extension = "tga" if out.endswith("md3") else "png"
            for i, skin in enumerate(intent["skins"]):
                name = f"torch_skin{i}.{extension}"
                indices = bytes.fromhex(skin["pictures"][0])
                painted = b"".join(oracle.QUAKE_PALETTE[3 * p:3 * p + 3] + b"\xff" for p in indices)
                self.assertEqual(read(self.read(name)), (width, height, painted))
                self.assertIn(b"models/torch/" + name.encode() + b"\0", self.read(out))
            self.assertNotIn("the skin's size", output)
        self.assertGreater(len(intent["skins"]), 1)
