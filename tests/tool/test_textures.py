"""Tests textures: the search for them, skins, variants, OBJ materials."""
import json
import os
import re

import image_files
from small_files import make_md2, make_pcx, parse_glb
from tool_case import HEAD, PLAYER, ToolTest


class Textures(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("m/a.md2", make_md2(skins=[b"models\\x\\B.pcx", b"models/y/far.pcx"]))
        self.write("m/b.PCX", make_pcx())
        self.write("game/Models/Y/FAR.pcx", make_pcx(4))

    def textures(self, *arguments):
        (model,) = self.run_json("info", "--json", *arguments)
        return model["textures"]

    def test_missing_textures_are_reported(self):
        _, errors = self.run_tool("convert", "m/a.md2", "-o", "a.glb")
        self.assertIn("1 texture, 2 variants", errors)
        self.assertIn('texture "models/y/far.pcx" not found', errors)
        gltf = parse_glb(self.read("a.glb"))
        self.assertEqual(len(gltf["materials"]), 2)
        self.assertNotIn("baseColorTexture", gltf["materials"][1]["pbrMetallicRoughness"])

    def test_images_next_to_a_gltf_are_kept_like_outputs(self):
        os.mkdir(self.path("out"))
        self.run_tool("convert", "m/a.md2", "-o", "out/a.gltf", "--game", "game")
        self.assertEqual([name for name in self.files() if name.startswith("out")],
                         ["out/a.bin", "out/a.gltf", "out/a_FAR.png", "out/a_b.png"])
        gltf = json.loads(self.read("out/a.gltf"))
        self.assertEqual([image["uri"] for image in gltf["images"]], ["a_b.png", "a_FAR.png"])

    def test_models_in_a_folder_share_images(self):
        """Equal images have the same name, whose checksum differs for others."""
        self.write("m/same.md2", self.read("m/a.md2"))
        self.write("m/other.md2", make_md2(skins=[b"red.pcx"]))
        self.write("m/red.pcx", make_pcx(9))
        self.write("n/copy.md2", make_md2(skins=[b"models/other/red.pcx"]))
        self.write("n/red.pcx", make_pcx(7))

        def convert(*models, **more):
            return self.run_tool("convert", *models, "-o", "out/", "--format", "gltf", **more)[1]
        convert("m/a.md2", "m/same.md2", "m/other.md2", "n/copy.md2")
        images = {name: [image["uri"] for image in json.loads(self.read("out/%s.gltf" % name))["images"]]
                  for name in ("a", "same", "other", "copy")}
        self.assertEqual(images["a"], images["same"])
        self.assertRegex(images["a"][0], r"^b_[0-9a-f]{8}\.png$")
        self.assertEqual(len({*images["a"], *images["other"], *images["copy"]}), 3)
        self.assertEqual(sorted(name[4:] for name in self.files() if name.endswith(".png")),
                         sorted({*images["a"], *images["other"], *images["copy"]}))
        for folder, fill in ("p", 9), ("q", 9), ("r", 8):
            self.write("m/%s/red.pcx" % folder, make_pcx(fill))
        self.write("m/thrice.md2", make_md2(skins=[b"p/red.pcx", b"q/red.pcx", b"r/red.pcx"]))
        convert("m/thrice.md2")
        uris = [image["uri"] for image in json.loads(self.read("out/thrice.gltf"))["images"]]
        self.assertEqual(uris[:2], 2 * images["other"])
        self.assertEqual(len(set(uris)), 2)
        # A later model uses the image that is there, unless another file has its name.
        self.write("m/later.md2", self.read("m/a.md2"))
        before = os.stat(self.path("out/" + images["a"][0])).st_mtime_ns
        convert("m/later.md2")
        self.assertEqual(os.stat(self.path("out/" + images["a"][0])).st_mtime_ns, before)
        self.write("out/" + images["a"][0], b"another")
        for name in "later.gltf", "later.bin":
            os.remove(self.path("out/" + name))
        self.assertIn(images["a"][0] + " exists", convert("m/later.md2", status=1))
        self.assertEqual(self.read("out/" + images["a"][0]), b"another")

    def test_skins_without_effect_fail(self):
        self.write("red.pcx", make_pcx(9))
        for command in ["convert", "-o", "a.glb"], ["info"]:
            _, errors = self.run_tool(*command, "m/a.md2", "--skin", "arm=red.pcx", status=1)
            self.assertIn("m/a.md2: --skin arm=red.pcx: no surface has this name", errors)
        (line,) = self.run_json("info", "--json", "m/a.md2", "--skin", "gold", status=1)
        self.assertEqual(line["error"]["code"], "bad-argument")
        self.assertIn("..._gold.skin", line["error"]["message"])
        # A requested skin needs to exist for one model of a folder only.
        self.write("m/n/b.md2", make_md2())
        self.write("m/n/gold.pcx", make_pcx())
        output, errors = self.run_tool("info", "m", "--skin", "gold")
        self.assertIn("m/n/gold.pcx", output)
        self.assertIn("--skin does not apply to 1 file", errors)
        self.assertIn("does not apply to 2 files", self.run_tool("info", "m", "--skin", "silver", status=1)[1])

    def test_images_that_cannot_be_read(self):
        """They are named with the reason. One that the user names is an error."""
        self.write("m/b.PCX", b"no image")
        self.write("bad.png", b"no image")
        _, errors = self.run_tool("convert", "m/a.md2", "-o", "a.glb")
        self.assertRegex(errors, r"cannot use texture \S*m/b.PCX: image: not an image that lerpmesh reads \(PCX, ")
        for command in ["convert", "-o", "a.glb", "-f"], ["extract", "-o", "out/"]:
            _, errors = self.run_tool(*command, "m/a.md2", "--skin", "bad.png", status=1)
            self.assertIn("m/a.md2: --skin bad.png: image: not an image", errors)

    def test_bmp(self):
        self.write("m/c.md2", make_md2(skins=[]))
        self.write("m/c.bmp", image_files.bmp_write([[(1, 2, 3), (250, 0, 9)]] * 2))
        for options in [], ["--skin", "m/c.bmp"]:
            self.run_tool("convert", "m/c.md2", "-f", "-o", "c.glb", *options)
            (image,) = parse_glb(self.read("c.glb"))["images"]
            self.assertEqual(image["mimeType"], "image/png")

    def test_scripts_are_reported_once_in_a_batch(self):
        """Only if a model uses them."""
        for name in "a", "b":
            with open(HEAD, "rb") as head:
                self.write("g/models/x/%s.mdc" % name, head.read())
        self.write("g/scripts/used.shader", b"models/players/tick/tick\n{\n{ map gone.tga blendFunc add }\n}\nx {\n{\n")
        self.write("g/scripts/other.shader", b"y {\n{\n")
        for options in [], ["-v"]:
            _, errors = self.run_tool("convert", "g/models/x", "-f", "-o", "out/", *options)
            self.assertEqual(errors.count("scripts/used.shader: line 5: the shader has no closing brace; "
                                          "ioquake3 ignores the script\n"), 1, errors)
            self.assertNotIn("other.shader", errors)
        # Nothing is drawn as by a shader: the surface is plain.
        self.assertNotIn("alphaMode", json.dumps(parse_glb(self.read("out/a.glb"))["materials"]))

    def test_batches_count_missing_textures(self):
        self.write("m/n/b.md2", make_md2(skins=[b"x/y.pcx"]))
        for command in ["info"], ["convert", "-o", "out/"]:
            self.assertIn(", 2 textures missing; ", self.run_tool(*command, "m")[1])
        summary = self.run_json("info", "--json", "--summary", "m")[-1]["summary"]
        self.assertEqual(summary["textures_missing"], 2)
        self.write("m/n/red.pcx", make_pcx(size=32))
        for command in ["info"], ["convert", "-f", "-o", "out/"]:
            self.assertIn(", 1 texture missing, 1 model with a guessed texture; ", self.run_tool(*command, "m")[1])
        summary = self.run_json("info", "--json", "--summary", "m")[-1]["summary"]
        self.assertEqual(summary["models_with_guessed_texture"], 1)

    def test_several_images_are_variants(self):
        for name, size in ("red", 9), ("blue", 7):
            self.write("skins/%s.pcx" % name, make_pcx(size))
        self.run_tool("convert", "m/a.md2", "-o", "a.glb", "--skin", "skins/red.pcx", "--skin", "skins/blue.pcx", "-q")
        gltf = parse_glb(self.read("a.glb"))
        variants = gltf["extensions"]["KHR_materials_variants"]["variants"]
        self.assertEqual([variant["name"] for variant in variants], ["red.pcx", "blue.pcx"])
        self.assertEqual([image["name"] for image in gltf["images"]], ["red.pcx", "blue.pcx"])
        (primitive,) = gltf["meshes"][0]["primitives"]
        mappings = primitive["extensions"]["KHR_materials_variants"]["mappings"]
        self.assertEqual(primitive["material"], mappings[0]["material"])
        self.assertNotEqual(mappings[0]["material"], mappings[1]["material"])
        self.run_tool("convert", "m/a.md2", "-o", "a.glb", "--skin", "skins/blue.pcx", "-q")
        gltf = parse_glb(self.read("a.glb"))
        self.assertEqual([image["name"] for image in gltf["images"]], ["blue.pcx"])
        self.assertNotIn("extensions", gltf)

    def test_an_obj_names_its_materials(self):
        os.mkdir(self.path("out"))
        self.run_tool("convert", "m/a.md2", "-o", "out/a b.obj")
        text, mtl = self.read("out/a b.obj").decode(), self.read("out/a b.mtl").decode()
        self.assertTrue(text.startswith("mtllib a b.mtl\n"))
        (name,) = re.findall(r"(?m)^usemtl (.*)$", text)
        self.assertEqual(re.findall(r"(?m)^newmtl (.*)$", mtl), [name])
        (picture,) = re.findall(r"(?m)^map_Kd (.*)$", mtl)
        self.assertEqual(self.read("out/" + picture)[1:4], b"PNG")
        self.assertNotIn("map_d", mtl)
        self.run_tool("convert", "m/a.md2", "-o", os.fsdecode(b"out/a\xffb.obj"))  # the files' own bytes
        self.assertTrue(self.read(os.fsdecode(b"out/a\xffb.obj")).startswith(b"mtllib a\xffb.mtl\n"))
        (picture,) = re.findall(rb"(?m)^map_Kd (.*)$", self.read(os.fsdecode(b"out/a\xffb.mtl")))
        self.assertTrue(os.path.exists(self.path("out/" + os.fsdecode(picture))))
        self.run_tool("convert", "m/a.md2", "-o", "-", "--format", "obj", "-q")
        self.assertNotIn(b"mtl", self.binary)

    def test_the_same_with_any_number_of_threads(self):
        for jobs in "1", "4":
            self.run_tool("convert", "m/a.md2", HEAD, PLAYER, "-j", jobs, "-o", "out" + jobs, "--game", "game")
        for name in "a.glb", "tick_head.glb":
            self.assertEqual(self.read("out1/" + name), self.read("out4/" + name))
