#!/usr/bin/env python3
"""lerpmesh edit and optimize: archives become archives, and paths take the model's folder and name."""
import io
import os
import unittest
import zipfile

from small_files import make_md2, make_pak, make_pk3
from tool_case import ToolTest

SKINNED = make_md2(skins=[b".skin"])
TREE = [("models/a/tris.md2", SKINNED), ("models/b/Odd.MD2", make_md2(skins=[b"models/b/x.pcx"])),
        ("models/a/skin.tga", b"no image"), ("empty.txt", b""), ("root.md2", SKINNED)]
PATH = "--path", r"s#^\.#{dir}/#"


class Archives(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("in.pk3", make_pk3(TREE))

    def members(self, name):
        with zipfile.ZipFile(io.BytesIO(self.read(name))) as archive:
            return {member: archive.read(member) for member in archive.namelist()}

    def test_the_other_members_stay(self):
        errors = self.run_tool("edit", "in.pk3", *PATH, "-o", "out.pk3")[1]
        self.assertRegex(errors, r"3 files: 2 edited, 1 unchanged; .*\nlerpmesh: in\.pk3: wrote out\.pk3: \d+ bytes, "
                                 r"5 files, 2 changed\n$")
        before, after = dict(TREE), self.members("out.pk3")
        self.assertEqual(list(after), sorted(before))
        self.assertEqual([name for name in after if after[name] != before[name]], ["models/a/tris.md2", "root.md2"])
        self.assertEqual(after["models/a/tris.md2"], make_md2(skins=[b"models/a/skin"]))
        self.assertEqual(after["root.md2"], make_md2(skins=[b"skin"]))
        self.assertEqual(self.members("in.pk3"), before)
        again = self.read("out.pk3")
        self.run_tool("edit", "-j1", "in.pk3", *PATH, "-o", "out.pk3")
        self.assertEqual(self.read("out.pk3"), again)

    def test_selected_members(self):
        for selected in "in.pk3:models/a", "in.pk3:**/tris.md2", "in.pk3:MODELS/A/Tris.md2":
            self.run_tool("edit", selected, *PATH, "-o", "out.pk3")
            before, after = dict(TREE), self.members("out.pk3")
            self.assertEqual([name for name in after if after[name] != before[name]], ["models/a/tris.md2"])
        self.run_tool("edit", "in.pk3:models/a", "in.pk3:models/a/tris.md2", *PATH, "-o", "twice.pk3")
        self.assertEqual(self.read("twice.pk3"), self.read("out.pk3"))

    def test_a_pak(self):
        self.run_tool("edit", "in.pk3", *PATH, "-o", "out.pak")
        self.assertEqual(self.read("out.pak")[:4], b"PACK")
        self.write("own.pak", make_pak([(name.encode(), data) for name, data in TREE]))
        self.run_tool("edit", "own.pak", *PATH, "-o", "out.pk3")
        self.run_tool("edit", "in.pk3", *PATH, "-o", "same.pk3")
        self.assertEqual(self.read("out.pk3"), self.read("same.pk3"))

    def test_optimize(self):
        padded = make_md2() + bytes(100)
        self.write("in.pk3", make_pk3(TREE + [("models/padded.md2", padded)]))
        self.run_tool("optimize", "in.pk3", "-o", "out.pk3")
        after = self.members("out.pk3")
        self.assertLess(len(after["models/padded.md2"]), len(padded))
        self.assertEqual(after["models/a/skin.tga"], b"no image")
        self.run_tool("optimize", "in.pk3", "--skip-existing", "-o", "out.pk3", status=2)

    def test_models_that_fail_stay(self):
        cut = SKINNED[:-1]
        self.write("in.pk3", make_pk3(TREE + [("models/cut.md2", cut)]))
        errors = self.run_tool("edit", "in.pk3", *PATH, "-o", "out.pk3", status=1)[1]
        self.assertIn("in.pk3: 1 model that failed stays as before\n", errors)
        self.assertEqual(self.members("out.pk3")["models/cut.md2"], cut)
        self.assertIn(b"models/a/skin", self.members("out.pk3")["models/a/tris.md2"])
        self.write("bad.pk3", make_pk3([("cut.md2", cut)]))
        self.run_tool("edit", "bad.pk3", *PATH, "-o", "none.pk3", status=1)
        self.assertNotIn("none.pk3", self.files())

    def test_members_that_cannot_be_read_are_left_out(self):
        self.write("in.pk3", make_pk3(TREE + [("../up.txt", b"x")]))
        errors = self.run_tool("edit", "in.pk3:models", *PATH, "-o", "out.pk3", status=1)[1]
        self.assertIn("in.pk3: 1 member is left out, because it cannot be read\n", errors)
        self.assertEqual(sorted(self.members("out.pk3")), sorted(dict(TREE)))

    def test_only_an_archive_becomes_one(self):
        self.write("f/a.md2")
        self.write("two.pk3", make_pk3(TREE))
        for inputs, words in ((["f"], "pack makes one of a folder"), (["f/a.md2"], "pack makes one of a folder"),
                              (["in.pk3", "two.pk3"], "the models are of different archives")):
            self.assertIn(words, self.run_tool("edit", *inputs, *PATH, "-o", "out.pk3", status=2)[1])
        before = self.read("in.pk3")
        self.assertIn("is also an input", self.run_tool("edit", "in.pk3", *PATH, "-o", "in.pk3", status=1)[1])
        self.assertEqual(self.read("in.pk3"), before)
        self.run_tool("edit", "-n", "in.pk3", *PATH, "-o", "out.pk3")
        self.write("none.pk3", make_pk3([("a.txt", b"x")]))
        self.run_tool("edit", "none.pk3", *PATH, "-o", "out.pk3", status=1)
        self.assertNotIn("out.pk3", self.files())

    def test_json(self):
        rows = self.run_json("edit", "--json", "in.pk3", *PATH, "-o", "out.pk3")
        self.assertEqual([row["written"] for row in rows], ["out.pk3", None, "out.pk3"])


class Places(ToolTest):
    """{dir} and {name}."""
    def paths(self, model, *options, **more):
        self.run_tool("edit", model, *options, "-o", os.path.join(self.folder, "out.md2"), **more)
        (row,) = self.run_json("info", "--json", os.path.join(self.folder, "out.md2"))
        return row["skins"]

    def test_places(self):
        model = "baseq2/players/a.b+c#(1)/tris.md2"
        self.write(model, SKINNED)
        folder = "players/a.b+c#(1)"
        self.assertEqual(self.paths(model, *PATH), [folder + "/skin"])
        self.assertEqual(self.paths(self.path(model), *PATH), [folder + "/skin"])
        self.assertEqual(self.paths(model, "--path", "s#.*#{dir}/{name}_{name}.pcx#"), [folder + "/tris_tris.pcx"])
        self.assertEqual(self.paths(model, "--set-skin", "0={dir}/{name}.pcx"), [folder + "/tris.pcx"])
        self.assertEqual(self.paths(model, "--add-skin", "{dir}/{name}_2.pcx"), [".skin", folder + "/tris_2.pcx"])
        self.assertEqual(self.paths("tris.md2", *PATH, cwd=self.path(os.path.dirname(model))), [folder + "/skin"])
        # In a pattern, it matches the folder itself.
        self.write(model, make_md2(skins=[folder.encode() + b"/x.pcx", b"players/axb+c#(1)/x.pcx"]))
        self.assertEqual(self.paths(model, "--path", "s#^{dir}/##"), ["x.pcx", "players/axb+c#(1)/x.pcx"])

    def test_a_folder_that_is_given(self):
        self.write("mod/guns/a.md2", SKINNED)
        self.run_tool("edit", "mod", *PATH, "-o", "out/")
        self.assertEqual(self.read("out/guns/a.md2"), make_md2(skins=[b"guns/skin"]))

    def test_an_unknown_folder(self):
        self.write("a.md2", SKINNED)
        errors = self.run_tool("edit", "a.md2", *PATH, "-o", "out.md2", status=1)[1]
        self.assertIn("a.md2: {dir} is not known: the path has no models/ or players/", errors)
        self.run_tool("edit", "-", *PATH, "-o", "out.md2", status=1, input=SKINNED)

    def test_the_name_in_the_header(self):
        self.write("models/x/a.md2")
        self.run_tool("convert", "-q", "models/x/a.md2", "-o", "models/x/a.md3")
        self.run_tool("edit", "models/x/a.md3", "--name", "{dir}/{name}.md3", "-o", "b.md3")
        self.assertEqual(self.read("b.md3")[8:72].rstrip(b"\0"), b"models/x/a.md3")
        os.rename(self.path("models/x/a.md3"), self.path("c.md3"))
        self.run_tool("edit", "c.md3", "--name", "{name}", "-o", "d.md3")
        self.assertEqual(self.read("d.md3")[8:72].rstrip(b"\0"), b"c")
        self.run_tool("edit", "-", "--name", "{name}", "-o", "e.md3", status=1, input=self.read("c.md3"))


if __name__ == "__main__":
    del ToolTest
    unittest.main()
