#!/usr/bin/env python3
"""Runs the command on archives, folders and patterns: the selected models, their order, and the places of
outputs. No archive, even a malicious one, leads outside or costs too much."""
import io
import os
import re
import resource
import shutil
import struct
import unittest
import zipfile

import skipping
from small_files import make_md2, make_pak, make_pk3
from tool_case import ToolTest


def make_tga(color):
    """Makes one pixel."""
    return struct.pack("<3B5x4H2B", 0, 0, 2, 0, 0, 1, 1, 24, 0) + bytes(color)


SKINNED = make_md2(skins=(b"models/gun/skin.pcx",))
TREE = [("models/gun/v.md2", SKINNED), ("models/gun/skin.tga", make_tga((1, 2, 3))),
        ("models/Box.MD2", make_md2()), ("models/broken.md2", make_md2()[:100]), ("readme.txt", b"x")]


class Bulk(ToolTest):
    def archive(self, name="game.pk3", members=TREE, **more):
        return self.write(name, make_pk3(members, **more))

    def pak(self, name, members):
        return self.write(name, make_pak([(path.encode(), data) for path, data in members]))


class Listing(Bulk):

    def test_names_are_harmless(self):
        names = ["../up.md2", "/etc/x.md2", "C:/x.md2", "\x1b[31m.md2", "a/../../../b.md2"]
        self.archive(members=[(name, make_md2()) for name in names])
        self.pak("odd.pak", [(name, make_md2()) for name in names])
        for archive in "game.pk3", "odd.pak":
            output, _ = self.run_tool("ls", "-l", archive)
            self.assertNotIn("\x1b", output)
            self.assertIn("\\x1b[31m.md2", output)
            self.assertEqual(output.count("[unsafe-path: "), 4)
            _, errors = self.run_tool("convert", archive, "-o", "out/%s/" % archive, status=1)
            self.assertIn("5 files: 1 converted, 4 failed (unsafe-path 4), 1 texture missing; ", errors)
            self.run_tool("info", archive + ":../up.md2", status=1)
        self.assertEqual(self.files(), ["game.pk3", "odd.pak", "out/game.pk3/%1b[31m.glb", "out/odd.pak/%1b[31m.glb"])


class Inputs(Bulk):
    def test_one_member(self):
        self.archive()
        self.write("alone.md2", SKINNED)
        alone, = self.run_json("info", "--json", "alone.md2")
        inside, = self.run_json("info", "--json", "game.pk3:MODELS/gun/V.md2")
        for key in "format", "frames", "surfaces", "clips":
            self.assertEqual(alone[key], inside[key])
        for command in ["examine"], ["check"], ["uv"]:
            self.run_tool(*command, "game.pk3:models/gun/v.md2")
        self.assertIn("the archive has no such file", self.run_tool("info", "game.pk3:models/none.md2", status=1)[1])

    def test_control_characters_in_names(self):
        """Members' names become file names, without characters that affect terminals."""
        names = ["a\nb.md2", "a%0ab.md2", "\x1b[31mred.md2", "\u202egpj.md2", "100%.md2"]
        self.archive(members=[("m/" + name, SKINNED) for name in names])
        errors = self.run_tool("convert", "-j1", "game.pk3", "-o", "out", status=1)[1]
        written = ["%1b[31mred.glb", "%e2%80%aegpj.glb", "100%.glb", "a%0ab.glb"]
        self.assertEqual(sorted(os.listdir(self.path("out/m"))), written)
        self.assertIn("a\\x0ab.md2: written as out/m/a%0ab.glb: control characters", errors)
        self.assertIn("a%0ab.md2: not written: out/m/a%0ab.glb is also the output of", errors)
        self.assertEqual(errors.count("written as"), 3)
        self.assertNotIn("\x1b", errors)

    def test_real_files_precede_archive_members(self):
        self.archive()
        self.write("game.pk3:models/gun/v.md2", make_md2(names=[b"only1"]))
        inside, = self.run_json("info", "--json", "game.pk3:models/gun/v.md2")
        self.assertEqual(len(inside["frames"]), 1)

    def test_folders(self):
        self.write("a/b/z.md2")
        self.write("a/Y.MD2")
        self.write("a/b.md2")
        self.write("a/.hidden/x.md2")
        self.write("a/.x.md2")
        self.write("a/notes.txt", b"no model")
        os.symlink("..", self.path("a/b/circle"))
        os.symlink("Y.MD2", self.path("a/link.md2"))
        rows = self.run_json("check", "--json", "a")
        self.assertEqual([row["file"] for row in rows], ["a/Y.MD2", "a/b.md2", "a/b/z.md2", "a/link.md2"])
        self.run_tool("convert", "a", "-o", "out/", "-q")
        self.assertEqual([name for name in self.files() if name.startswith("out")],
                         ["out/Y.glb", "out/b.glb", "out/b/z.glb", "out/link.glb"])
        rows = self.run_json("examine", "--json", "a")
        self.assertEqual([row["file"] for row in rows], ["a/Y.MD2", "a/b.md2", "a/b/z.md2", "a/link.md2"])
        self.write("a/y.mdl", b"IDPO")
        output, errors = self.run_tool("examine", "a", "--lump", "triangles", status=1)
        self.assertEqual([line for line in output.splitlines() if line[:1] == "a"],
                         ["a/Y.MD2", "a/b.md2", "a/b/z.md2", "a/link.md2"])
        self.assertIn("1 failed (truncated 1)", errors)
        os.remove(self.path("a/y.mdl"))
        os.mkdir(self.path("empty"))
        self.assertIn("this folder contains no models", self.run_tool("info", "empty", status=1)[1])

    def test_an_output_without_slash_and_extension(self):
        """One model is written as several are, or the message says how."""
        self.write("one/a.md2", SKINNED)
        self.write("two/a.md2", SKINNED)
        self.write("two/b.md2", SKINNED)
        path = "--path", "s/gun/axe/"
        for folder in "one", "two":
            self.run_tool("edit", folder, *path, "-o", "edited_" + folder)
            for command, extension in ("convert", ".glb, "), ("uv", ".svg or "):
                errors = self.run_tool(command, folder, "-o", "made", status=2)[1]
                self.assertIn("made: end the name with " + extension, errors)
                self.assertIn("; or with a slash for a folder: made/\n", errors)
        self.assertEqual([name for name in self.files() if "_" in name],
                         ["edited_one/a.md2", "edited_two/a.md2", "edited_two/b.md2"])
        self.run_tool("edit", "one/a.md2", *path, "-o", "named")
        self.assertEqual(self.read("named"), self.read("edited_one/a.md2"))

    def test_an_archive_is_no_output(self):
        before = self.read(os.path.basename(self.archive()))
        os.symlink("game.pk3", self.path("v.glb"))
        self.run_tool("convert", "game.pk3:models/gun/v.md2", "-o", "v.glb", status=1)
        self.assertEqual(self.read("game.pk3"), before)

    def test_tree_of_an_archive(self):
        self.archive()
        self.run_tool("convert", "game.pk3", "-o", "all/", status=1)
        self.run_tool("convert", "game.pk3:models/gun", "-o", "gun/")
        self.run_tool("convert", "game.pk3:**/v.md2", "-o", "one/")
        self.assertEqual(self.files(), ["all/models/Box.glb", "all/models/gun/v.glb", "game.pk3",
                                        "gun/v.glb", "one/models/gun/v.glb"])


class Summary(Bulk):

    def test_a_batch_reports_failures_and_a_summary(self):
        self.archive()
        self.write("other.md2", SKINNED)
        _, errors = self.run_tool("convert", "game.pk3", "other.md2", "-o", "out/", status=1)
        failure, summary = errors.splitlines()
        self.assertIn("broken.md2: md2: ", failure)
        self.assertRegex(summary, r"^lerpmesh: 4 files: 3 converted, 1 failed \(bad-offset 1\), "
                                  r"2 textures missing; \d+\.\d s$")
        _, errors = self.run_tool("convert", "-v", "-f", "game.pk3", "other.md2", "-o", "out/", status=1)
        self.assertEqual(errors.count(": wrote "), 3)
        self.assertIn("no texture at ", errors)
        self.assertIn("lerpmesh: other.md2: ", self.run_tool("convert", "other.md2", "-o", "a.glb")[1])
        self.assertEqual(self.run_tool("convert", "-q", "other.md2", "a.md2", "-o", "new/", status=1)
                         [1].count("\n"), 1)

    def test_a_batch_continues_after_failures(self):
        self.archive()
        self.run_tool("convert", "game.pk3:models/gun", "-o", "out/")
        self.run_tool("convert", "game.pk3:models/gun", "-o", "out/", status=1)
        before = os.stat(self.path("out/v.glb")).st_mtime_ns
        self.write("out/Box.glb", b"half")
        _, errors = self.run_tool("convert", "--skip-existing", "game.pk3:models", "-o", "out/", status=1)
        self.assertIn("3 files: 1 converted, 1 skipped, 1 failed (bad-offset 1)", errors)
        self.assertEqual(self.read("out/Box.glb"), b"half")
        self.assertTrue(os.path.exists(self.path("out/gun/v.glb")))
        _, errors = self.run_tool("convert", "--skip-existing", "game.pk3:models/gun", "-o", "out/", "-v")
        self.assertIn("skipped: out/v.glb exists", errors)
        self.assertEqual(os.stat(self.path("out/v.glb")).st_mtime_ns, before)
        self.run_tool("convert", "--skip-existing", "game.pk3:models/gun/v.md2", "-o", "out/v.glb")
        self.assertEqual(os.stat(self.path("out/v.glb")).st_mtime_ns, before)
        # If two inputs are one file, the second fails, as above.
        self.write("a/v.md2")
        for _ in range(2):
            _, errors = self.run_tool("convert", "--skip-existing", "-j1", "a/v.md2", "./a/v.md2", "-o", "two/", status=1)
            self.assertIn("two/v.glb is also the output of a/v.md2", errors)
        self.run_tool("convert", "--skip-existing", "-f", "a", "-o", "two/", status=2)

    def test_outputs_with_one_name(self):
        """Inputs whose outputs would have one name keep more of theirs, in any order."""
        model = make_md2()
        for path in "t/v.md2", "t/a/v.md2", "t/b/v.md2", "t/c/w.md2":
            self.write(path, model)
        for format in "md3", "mdc":
            self.run_tool("convert", "-q", "t/c/w.md2", "-o", f"t/c/w.{format}")
        for path in "t/d/w.md3", "t/e/w.md3", "t/e/w.mdc", "t/e/w_md3.mdc", "t/e/w_md3_2.mdc":
            self.write(path, self.read(f"t/c/w{path[-4:]}"))
        self.archive("p.pk3", members=[("a/v.md2", model), ("b/v.md2", model)])
        self.archive("q.pk3", members=[("b/v.md2", model), ("x.md2", model)])
        for inputs, outputs in ((("t/a/v.md2", "t/b/v.md2"), {"a/v.glb", "b/v.glb"}),
                                (("t/v.md2", "t/a/v.md2"), {"v.glb", "a/v.glb"}),
                                (("t/c/w.md2", "t/c/w.md3", "t/v.md2"), {"w_md2.glb", "w_md3.glb", "v.glb"}),
                                (("t/c",), {"w_md2.glb", "w_md3.glb", "w_mdc.glb"}),
                                (("t/c/w.mdc", "t/c/w.md3"), {"w.glb", "w_md3.glb"}),
                                (("t/c/w.mdc", "t/d/w.md3"), {"w_mdc.glb", "w_md3.glb"}),
                                (("t/e",), {"w.glb", "w_md3.glb", "w_md3_2.glb", "w_md3_3.glb"}),
                                (("p.pk3:a/v.md2", "p.pk3:b/v.md2"), {"a/v.glb", "b/v.glb"}),
                                (("p.pk3", "q.pk3"), {"a/v.glb", "p.pk3/b/v.glb", "q.pk3/b/v.glb", "x.glb"}),
                                (("t/c/w.md2", "t/a/v.md2", "t/b/v.md2", "t/c/../c/w.md3"),
                                 {"a/v.glb", "b/v.glb", "w_md2.glb", "w_md3.glb"})):
            for ordered in inputs, inputs[::-1]:
                shutil.rmtree(self.path("two"), ignore_errors=True)
                self.run_tool("convert", *ordered, "--format", "glb", "-o", "two/")
                found = {os.path.relpath(os.path.join(folder, name), self.path("two"))
                         for folder, _, names in os.walk(self.path("two")) for name in names}
                self.assertEqual(found, outputs, ordered)
        errors = self.run_tool("convert", "t/c", "--format", "glb", "-o", "three/", "-v")[1]
        self.assertIn("t/c/w.md3: the game opens the .mdc of the same name instead", errors)
        self.assertIn("t/c/w.md2: written as three/w_md2.glb, because another input has the same name", errors)
        self.assertIn("t/c/w.mdc: written as three/w_mdc.glb, because", errors)
        errors = self.run_tool("convert", "t/c/w.md3", "t/c/w.mdc", "--format", "mdc", "-o", "four/")[1]
        self.assertEqual(sorted(os.listdir(self.path("four"))), ["w.mdc", "w_md3.mdc"])
        self.assertIn("t/c/w.md3: the game opens the .mdc of the same name instead, which keeps the name", errors)
        self.run_tool("optimize", "t/a/v.md2", "t/b/v.md2", "-o", "same/")
        self.assertEqual(sorted(os.listdir(self.path("same/a")) + os.listdir(self.path("same/b"))), ["v.md2", "v.md2"])

    def test_info_counts_the_warnings_of_check(self):
        """Also those of problems that do not matter for loading."""
        odd = make_md2(skins=[b"skin.pcx"])
        self.archive(members=[("m/a.md2", odd), ("m/b.md2", make_md2()), ("m/c.md2", odd[:-1])])
        *checked, expected = self.run_json("check", "--json", "--summary", "game.pk3", status=1)
        *read, summary = self.run_json("info", "--json", "--summary", "game.pk3", status=1)
        for key in "read", "warned", "failed", "warnings":
            self.assertEqual(summary["summary"][key], expected["summary"][key])
        self.assertGreater(summary["summary"]["warned"], 0)
        self.assertEqual([row["counts"] for row in read[:2]], [row["counts"] for row in checked[:2]])
        warnings = checked[0]["counts"]["warnings"]
        self.assertIn("  Problems\n    0 errors, %d warning%s; lerpmesh check lists them\n" %
                      (warnings, "s" * (warnings != 1)), self.run_tool("info", "game.pk3:m/a.md2")[0])

    def test_warnings_that_many_files_have(self):
        """The first three files show them, the others are counted; files with errors show all of them."""
        odd = make_md2(skins=[b"skin.pcx"])
        self.archive(members=[("m/%d.md2" % i, odd) for i in range(8)] + [("m/a.md2", odd[:-1])])
        mark = ": warning [skin-path] "
        shown, errors = self.run_tool("check", "game.pk3", status=1)
        lines = shown.splitlines()
        self.assertEqual([line.split(":")[1] for line in lines if mark in line],
                         ["m/0.md2", "m/1.md2", "m/2.md2", "m/a.md2"])
        self.assertIn("5 more files: warning [skin-path]; -v lists all", lines)
        self.assertEqual(len([line for line in lines if re.search(r": \d errors?, \d warnings?$", line)]), 9)
        self.assertIn("9 files: 8 checked, 1 failed", errors)
        every = self.run_tool("check", "-v", "game.pk3", status=1)[0]
        self.assertEqual((every.count(mark), every.count("more file")), (9, 0))
        *rows, _ = self.run_json("check", "--json", "--summary", "game.pk3", status=1)
        self.assertEqual([[p["code"] for p in row["problems"]].count("skin-path") for row in rows], [1] * 9)
        self.archive(members=[("m/%d.md2" % i, odd) for i in range(4)])
        self.assertIn("1 more file: warning [skin-path]; -v", self.run_tool("check", "game.pk3")[0])
        self.archive(members=[("m/%d.md2" % i, odd) for i in range(3)])
        self.assertNotIn("more file", self.run_tool("check", "game.pk3")[0])
        self.assertNotIn("more file", "".join(self.run_tool("check", "game.pk3:m/0.md2")))

    def test_messages_that_many_files_have(self):
        self.archive(members=[("m/%d.md2" % i, make_md2()) for i in range(6)])
        arguments = "convert", "game.pk3", "--format", "md3", "--tag", "a=b", "-f", "-o", "out/"
        errors = self.run_tool(*arguments)[1].splitlines()
        sentence = "--tag applies only to imported files"
        self.assertEqual([line.split(": ")[1] for line in errors if sentence in line],
                         ["game.pk3:m/%d.md2" % i for i in range(3)] + ["3 more files"])
        self.assertTrue(errors[-2].startswith("lerpmesh: 3 more files: " + sentence), errors)
        self.assertTrue(errors[-2].endswith("; -v lists all"), errors)
        self.assertEqual("".join(self.run_tool(*arguments, "-v")).count(sentence), 6)
        self.assertEqual(self.run_tool(*arguments, "-j1")[1].splitlines()[:-1], errors[:-1])

    def test_threads_change_nothing(self):
        members = [("m/%d/%02d.md2" % (i % 3, i), make_md2() if i % 5 else make_md2()[:90 + i]) for i in range(40)]
        self.archive(members=members)
        for command in ["info"], ["check"], ["info", "--json", "--summary"]:
            runs = {tuple(re.sub(r"; \d+\.\d s\n$", "", text) for text in
                          self.run_tool(*command, "game.pk3", "-j", jobs, status=1))
                    for jobs in ("1", "2", "7")}
            self.assertEqual(len(runs), 1)
        for jobs in "1", "7":
            self.run_tool("convert", "game.pk3", "-o", "out%s/" % jobs, "-j", jobs, status=1)
        outputs = [{name[5:]: self.read(name) for name in self.files() if name.startswith("out" + jobs)}
                   for jobs in ("1", "7")]
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual(len(outputs[0]), 32)


class Damage(Bulk):
    SMALL = [("m/a.md2", make_md2(names=[b"a1"])), ("m/b.md2", make_md2(names=[b"b1"]))]

    def test_bombs(self):
        bomb = io.BytesIO()
        with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
            with archive.open("bomb.md2", "w") as member:
                for _ in range(1024):
                    member.write(bytes(1 << 20))
        self.write("bomb.pk3", bomb.getvalue())
        lying = bytearray(bomb.getvalue())  # the directory states 1000 bytes
        at = lying.rindex(b"PK\1\2")
        lying[at + 24:at + 28] = struct.pack("<I", 1000)
        self.write("lying.pk3", bytes(lying))

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
        for name, code in ("bomb.pk3", "input-limit"), ("lying.pk3", "bad-member"):
            row, = self.run_json("info", "--json", "-j1", name, status=1, preexec_fn=limit)
            self.assertEqual(row["error"]["code"], code)
        self.archive()
        row, = self.run_json("info", "--json", "--max-input", "100", "game.pk3:models/Box.MD2", status=1)
        self.assertEqual(row["error"]["code"], "input-limit")
        self.run_tool("info", "--max-input", "1K", "game.pk3:models/Box.MD2")


class Imports(ToolTest):
    """Folders and archives of glTF files, where folders of models are converted."""
    def setUp(self):
        super().setUp()
        if not os.environ.get("LERPMESH_IMPORT_SHARED_LIBRARY"):
            skipping.skip(self, "built without lerpmesh-import")
        self.write("a.md2", make_md2(skins=()))
        for name in "glbs/a.glb", "glbs/deep/b.GLB", "glbs/deep/c.gltf":
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            self.run_tool("convert", "-q", "a.md2", "-o", name)
        self.write("glbs/readme.txt", b"x")

    def test_a_folder(self):
        errors = self.run_tool("convert", "glbs", "--format", "md2", "-o", "out/")[1]
        self.assertIn("3 files: 3 converted", errors)
        made = [name for name in self.files() if name.startswith("out")]
        self.assertEqual(made, ["out/a.md2", "out/deep/b.md2", "out/deep/c.md2"])
        self.run_tool("convert", "glbs/a.glb", "-q", "-o", "one.md2")
        self.assertEqual({self.read(name) for name in made}, {self.read("one.md2")})

    def test_an_archive(self):
        self.run_tool("pack", "-q", "glbs", "-o", "glbs.pk3")
        self.run_tool("convert", "glbs.pk3", "--format", "md2", "-o", "out/")
        self.run_tool("convert", "glbs.pk3:**/c.gltf", "--format", "md2", "-o", "two/")
        self.assertEqual(sorted(name for name in self.files() if name.startswith(("out", "two"))),
                         ["out/a.md2", "out/deep/b.md2", "out/deep/c.md2", "two/deep/c.md2"])

    def test_models_come_first(self):
        self.write("glbs/m.md2")
        self.run_tool("convert", "glbs", "--format", "md3", "-o", "out/")
        self.assertEqual([name for name in self.files() if name.startswith("out")], ["out/m.md3"])
        self.write("empty/readme.txt", b"x")
        self.assertIn("this folder contains no models", self.run_tool("convert", "empty", "-o", "out/", status=1)[1])

    def test_other_commands_name_convert(self):
        """They do not read other programs' models, and say what does."""
        self.run_tool("pack", "-q", "glbs", "-o", "glbs.pk3")
        for source in "glbs", "glbs.pk3", "glbs.pk3:deep":
            for command in ["info"], ["check"], ["uv", "-o", "out/"], ["optimize", "-o", "out/"]:
                told = self.run_tool(*command, source, status=1)[1]
                self.assertIn("; lerpmesh convert makes models of its glTF and IQM files", told)
        self.write("glbs/d.FBX", b"; FBX 7.3.0 project file")
        self.write("plain.bin", b"; FBX 7.3.0 project file")
        for command in ["info"], ["check"], ["examine"], ["uv", "-o", "x.svg"], ["compare", "a.md2"]:
            for name in "glbs/a.glb", "glbs/deep/c.gltf", "glbs/d.FBX", "plain.bin":
                told = "".join(self.run_tool(*command, name, status=1)[:2])
                self.assertEqual("; lerpmesh convert makes a model of it" in told, name != "plain.bin", told)
        self.assertNotIn("lerpmesh convert makes", self.run_tool("convert", "glbs/d.FBX", "-o", "x.md3", status=1)[1])


if __name__ == "__main__":
    del ToolTest
    unittest.main()
