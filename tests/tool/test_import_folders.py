#!/usr/bin/env python3
"""lerpmesh convert: folders and archives of glTF files."""
import os
import unittest

import skipping
from small_files import make_md2
from tool_case import ToolTest


class Folders(ToolTest):
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
                self.assertIn("; lerpmesh convert makes models of its glTF files", told)
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
