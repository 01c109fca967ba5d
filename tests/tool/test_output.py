"""Tests output files: names, modes, devices, limits, and existing files."""
import os
import re
import shutil

from small_files import make_md2, make_pcx, parse_glb
from tool_case import MD2, MDC, PLAYER, ToolTest


class Outputs(ToolTest):
    def test_a_folder_keeps_existing_files(self):
        self.write("a.md2")
        self.write("b.md2")
        out = self.path("out")
        self.convert("a.md2", "-o", "out/", "--format", "glb")
        first = self.read("out/a.glb")
        with open(self.path("out/a.glb"), "wb") as file:
            file.write(b"mine")
        self.assertIn("--force", self.convert("a.md2", "b.md2", "-o", out, "--format", "glb", status=1)[1])
        self.assertEqual(self.read("out/a.glb"), b"mine")
        self.assertEqual(self.files(), ["a.md2", "b.md2", "out/a.glb", "out/b.glb"])
        self.convert("a.md2", "b.md2", "-o", out, "--format", "glb", "--force")
        self.assertEqual(self.read("out/a.glb"), first)
        self.write("out/a.bin", b"mine")
        self.assertIn("a.bin", self.convert("a.md2", "-o", out, "--format", "gltf", status=1)[1])
        self.assertFalse(os.path.exists(self.path("out/a.gltf")))
        self.write("one.glb", b"mine")
        self.convert("a.md2", "-o", "one.glb")
        self.assertEqual(self.read("one.glb")[:4], b"glTF")

    def test_no_file_that_was_not_named_is_replaced(self):
        """Every file next to the named one: with other contents, it stops the command before anything is written. With
        the same contents, or --force, it does not."""
        self.write("skin.pcx", make_pcx())
        self.write("m.md2", make_md2(skins=(b"skin.pcx",)))
        for output, *words in (("x.gltf",), ("x.obj",), ("x.md3", "--lods", "2"), ("x.mdc", "--write-clips"),
                               ("x.md3", "--player"), ("x.glb", "--vat", "png"), ("x.glb", "--vat", "exr")):
            command = "m.md2", *words, "-o", "out/" + output
            shutil.rmtree(self.path("out"), ignore_errors=True)
            os.makedirs(self.path("out"))
            self.convert(*command)
            made = {name: self.read(name) for name in self.files() if name.startswith("out/")}
            self.assertGreater(len(made), 1, output)
            self.convert(*command)
            for name in set(made) - {"out/" + output}:
                self.write(name, b"mine")
                self.write("out/" + output, b"old")
                stays = name == "out/animation.cfg" and "--player" not in words  # other models may need it
                _, errors = self.convert(*command, status=0 if stays else 1)
                self.assertIn(f"{name} exists and stays, because other models may need it\n" if stays else
                              f"{name} exists; --force replaces it\n", errors)
                self.assertEqual({name: self.read(name) for name in made},
                                 {**made, name: b"mine", **({} if stays else {"out/" + output: b"old"})})
                self.convert(*command, "--force")
                self.assertEqual({name: self.read(name) for name in made}, made)

    def test_a_gallery_replaces_only_its_page(self):
        self.write("a.md2")
        self.write("b.md2")
        command = "render", "--size", "16x16", "a.md2", "b.md2", "-o", "x.html"
        self.run_tool(*command)
        picture = self.read("x_files/0001.png")
        self.run_tool(*command)
        os.remove(self.path("x.html"))
        os.remove(self.path("x_files/0001.png"))
        self.write("x_files/0002.png", b"mine")
        self.assertIn("the folder x_files/ has files of its own: --force replaces", self.run_tool(*command, status=1)[1])
        self.assertEqual([self.files(), self.read("x_files/0002.png")], [["a.md2", "b.md2", "x_files/0002.png"], b"mine"])
        self.run_tool(*command, "--force")
        self.assertEqual([self.read("x_files/0001.png"), self.read("x_files/0002.png")], [picture, picture])

    def test_two_inputs_of_one_name(self):
        self.write("x/tris.md2", make_md2(names=[b"x1", b"x2"]))
        self.write("y/tris.md2", make_md2(names=[b"y1", b"y2"]))
        for jobs in "-j1", "-j2":
            self.convert("x/tris.md2", "y/tris.md2", jobs, "-f", "-o", "out", "--format", "glb")
            for name in "xy":
                self.assertEqual(parse_glb(self.read(f"out/{name}/tris.glb"))["animations"][0]["name"], name)

    def test_any_number_of_threads_gives_the_same(self):
        paths = MD2 + MDC + ["missing.md2"]
        results = {}
        for jobs in "1", "2":
            _, errors = self.convert(*paths, "-j", jobs, "-o", "out" + jobs, "--format", "gltf", status=1)
            names = [name for name in self.files() if name.startswith("out" + jobs)]
            errors = re.sub(r"; \d+\.\d s\n$", "", errors)
            results[jobs] = (errors.replace("out" + jobs, "out"),
                             {os.path.basename(name): self.read(name) for name in names})
        models = [name for name in results["1"][1] if not name.endswith(".png")]
        self.assertEqual(len(models), 2 * len(MD2 + MDC))
        self.assertEqual(results["1"], results["2"])

    def test_an_existing_file_survives_a_failure(self):
        self.write("bad.md2", make_md2()[:-1])
        self.write("out.glb", b"precious")
        self.convert("bad.md2", "-o", "out.glb", status=1)
        self.convert(PLAYER, "-o", "out.glb", "--frames", "900-901", status=1)
        self.convert(PLAYER, "-o", "out.glb", "--max-output", "1K", status=1)
        self.assertEqual(self.read("out.glb"), b"precious")
        self.assertEqual(self.files(), ["bad.md2", "out.glb"])

    def test_output_limit_covers_all_files_of_a_model(self):
        self.write("skin.pcx", make_pcx())
        self.write("m.md2", make_md2(skins=(b"skin.pcx",)))
        for words in ("-o", "out/m.gltf"), ("-o", "out/m.obj"), ("--lods", "2", "-o", "out/m.md3"):
            os.makedirs(self.path("out"))
            self.convert("m.md2", *words)
            written = [name for name in self.files() if name.startswith("out/")]
            self.assertEqual(len(written), 3)
            size = sum(len(self.read(name)) for name in written)
            shutil.rmtree(self.path("out"))
            os.makedirs(self.path("out"))
            _, errors = self.convert("m.md2", *words, "--max-output", str(size - 1), status=1)
            self.assertIn(f"the model and its additional files would have {size} bytes, more than {size - 1} "
                          "(--max-output)", errors)
            self.assertEqual([name for name in self.files() if name.startswith("out/")], [])
            self.convert("m.md2", *words, "--max-output", str(size))
            shutil.rmtree(self.path("out"))

    def test_output_limit_covers_all_files_of_a_command(self):
        """The first inputs' files fit; the last one's would have a byte too many. It is reported, and the same with any
        number of threads."""
        for name in "abc":
            self.write(f"in/{name}.md2", make_md2(names=[b"run1"] * 3, skins=()))
        self.write("in/skin.pcx", make_pcx())
        for words in (("convert", "--format", "glb"), ("convert", "--format", "gltf"), ("uv",), ("uv", "--format", "png"),
                      ("edit", "--add-skin", "x.pcx"), ("optimize",), ("extract", "--images", "--skin", "in/skin.pcx"),
                      ("render", "--format", "png", "--size", "16x16")):
            command = words[0], "in", *words[1:]
            self.run_tool(*command, "-o", "out/")
            sizes = self.sizes("out/")
            shutil.rmtree(self.path("out"))
            most = sum(sizes.values())
            for jobs in ("-j1",), ("-j3",):
                jobs = jobs if words[0] != "render" else ()
                self.run_tool(*command, *jobs, "-o", "out/", "--max-output", str(most))
                self.assertEqual(self.sizes("out/"), sizes)
                shutil.rmtree(self.path("out"))
                _, errors = self.run_tool(*command, *jobs, "-o", "out/", "--max-output", str(most - 1), status=1)
                self.assertIn(f"lerpmesh: in/c.md2: not written: the outputs would have {most} bytes, more than {most - 1} "
                              "(--max-output)\n", errors)
                self.assertEqual(self.sizes("out/"), {name: size for name, size in sizes.items() if "/c" not in name}, words)
                shutil.rmtree(self.path("out"))

    def sizes(self, folder):
        return {name: len(self.read(name)) for name in self.files() if name.startswith(folder)}

    def test_output_limit_covers_one_file_and_standard_output(self):
        self.write("in/a.md2", make_md2(names=[b"run1", b"run2"], skins=()))
        for words in (("pack", "in", "-o", "x.pk3"), ("convert", "in/a.md2", "-o", "x.glb"), ("uv", "in/a.md2", "-o", "x.png"),
                      ("convert", "in/a.md2", "-o", "x_{frame}.obj"), ("edit", "in/a.md2", "--add-skin", "x", "-o", "x.md2"),
                      ("compare", "in/a.md2", "in/a.md2", "--image", "x.png"), ("uv", "in/a.md2"),
                      ("convert", "in/a.md2", "-o", "-", "--format", "glb"), ("optimize", "in/a.md2", "-o", "-"),
                      ("render", "in/a.md2", "--size", "16x16", "-o", "x.png"),
                      ("render", "in/a.md2", "--size", "16x16", "-o", "x_{frame}.png"),
                      ("render", "in/a.md2", "--size", "16x16", "--format", "raw", "-o", "-"),
                      ("render", "in", "--sheet", "--size", "16x16", "-o", "x.png"),
                      ("render", "in", "--size", "16x16", "-o", "x.html")):
            self.run_tool(*words)
            sizes = self.sizes("x")
            most = sum(sizes.values()) or len(self.binary)
            self.assertGreater(most, 0)
            for name in sizes:
                os.remove(self.path(name))
            _, errors = self.run_tool(*words, "--max-output", str(most - 1), status=1)
            self.assertIn("--max-output", errors)
            self.assertLess(sum(self.sizes("x").values()), most)
            for name in self.sizes("x"):
                os.remove(self.path(name))
            self.run_tool(*words, "--max-output", str(most))
            for name in self.sizes("x"):
                os.remove(self.path(name))

    def test_devices_are_written_to_and_not_replaced(self):
        self.write("a.md2")
        os.symlink("/dev/null", self.path("null.glb"))
        self.convert("a.md2", "-o", "null.glb")
        os.symlink("/dev/full", self.path("full.glb"))
        self.convert("a.md2", "-o", "full.glb", status=1)
        for name in "/dev/null", "/dev/full":
            self.assertFalse(os.path.isfile(name))

    def test_sync_writes_the_same(self):
        """In the current folder, in another one, and by an absolute path."""
        self.write("a.md2")
        self.convert("a.md2", "-o", "once.glb")
        os.mkdir(self.path("deep"))
        for out in "b.glb", "deep/b.glb", self.path("deep/c.glb"):
            self.convert("a.md2", "--sync", "-o", out)
            self.assertEqual(self.read(out), self.read("once.glb"))

    def test_folders_are_never_replaced(self):
        self.write("a.md2")
        os.makedirs(self.path("out/a.glb"))
        for force in (), ("--force",):
            self.assertIn("a.md2: the output out/a.glb is a folder\n",
                          self.convert("a.md2", "-o", "out/", *force, status=1)[1])

    def test_folders_are_created(self):
        """By each command, for a file that was named and for a folder; not if nothing is written."""
        for number, words in enumerate((
                ("convert", "tick.md2", "-o", "a.gltf"), ("convert", "tick.md2", "-o", "{frame}.obj", "--frames", "0-1"),
                ("uv", "tick.md2", "-o", "a.svg"), ("edit", "tick.md2", "--set-skin", "0=x.pcx", "-o", "a.md2"),
                ("optimize", "tick.md2", "-o", "a.md2"), ("pack", ".", "-o", "a.pk3"), ("convert", "tick.md2", "-o", ""),
                ("render", "tick.md2", "-o", "a.png", "--size", "16x16"),
                ("render", "tick.md2", "-o", "a.html", "--size", "16x16"),
                ("render", "tick.md2", "-o", "{frame}.png", "--size", "16x16"))):
            words = tuple(f"../new{number}/sub/{word}" if words[i - 1] == "-o" else word for i, word in enumerate(words))
            self.write("in/tick.md2")
            self.run_tool(*words, cwd=self.path("in"))
            self.assertTrue(os.listdir(self.path(f"new{number}/sub")), words)
        self.run_tool("convert", "in/none.md2", "-o", "empty/", status=1)
        self.assertFalse(os.path.exists(self.path("empty")))

    def test_the_longest_name(self):
        name = "n" * 251 + ".glb"
        self.write("a.md2")
        self.run_tool("convert", "a.md2", "-o", name)
        self.assertEqual(self.files(), ["a.md2", name])

    def test_the_first_cause_is_reported(self):
        """If a folder cannot be created, that is the reported reason, not the missing file in it."""
        self.write("in/deep/a.md2")
        self.write("out/deep", b"a file in the way")
        _, errors = self.run_tool("convert", "in", "-o", "out/", status=1)
        self.assertIn("cannot write out/deep/a.glb: a folder in its path is a file", errors)
        self.assertNotIn("No such file", errors)
