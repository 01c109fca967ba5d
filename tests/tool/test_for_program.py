#!/usr/bin/env python3
"""lerpmesh convert --for: the settings for each program, and the line that explains them."""
import unittest

from small_files import make_md2, parse_glb
from tool_case import ToolTest


class ForProgram(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("a.md2", make_md2([b"run%d" % i for i in range(4)] + [b"death%d" % i for i in range(4)]))

    def made(self, *options):
        _, errors = self.convert("a.md2", "-o", "a.glb", *options)
        return parse_glb(self.read("a.glb")), errors

    def end(self, gltf, name):
        animation = next(a for a in gltf["animations"] if a["name"] == name)
        return gltf["accessors"][animation["samplers"][0]["input"]]["max"][0]

    def test_one_line(self):
        for name, title in (("blender", "Blender"), ("godot", "Godot"), ("three", "three.js"), ("unreal", "Unreal"),
                            ("assimp", "Assimp")):
            _, errors = self.made("--for", name)
            self.assertEqual(errors.count(f"lerpmesh: for {title}: "), 1, errors)
            self.assertEqual(self.made("--for", name, "-q")[1], "")

    def test_blender(self):
        plain, _ = self.made()
        self.assertAlmostEqual(self.end(plain, "death"), 3 / 10, 5)
        gltf, _ = self.made("--for", "blender")
        self.assertAlmostEqual(self.end(gltf, "death"), 3 / 24, 5)
        self.assertAlmostEqual(self.end(self.made("--for", "blender", "--fps", "8")[0], "death"), 3 / 8, 5)
        self.convert("a.md2", "-o", "a.glb", "--for", "blender", "--frame", "1")

    def test_godot(self):
        gltf, _ = self.made("--for", "godot")
        self.assertEqual([a["name"] for a in gltf["animations"]], ["run-loop", "death"])
        self.assertNotIn("extensionsUsed", gltf)
        clips = gltf["scenes"][0]["extras"]["clips"]
        self.assertEqual([(c["name"], c["animation"]) for c in clips], [("run", "run-loop"), ("death", "death")])
        self.convert("a.glb", "-q", "-o", "b.md2")
        self.assertIn('"run"', self.run_tool("info", "--json", "b.md2")[0])

    def test_three(self):
        gltf, _ = self.made("--for", "three")
        self.assertEqual(gltf["extensionsRequired"], ["KHR_mesh_quantization"])

    def test_usage(self):
        for options, wanted in ((["--for", "maya"], '--for must be blender, godot, three, unreal or assimp, not "maya"'),
                                (["--for", "godot", "--quantize"], "--quantize does not apply to --for godot"),
                                (["--for", "blender", "--compress", "meshopt"],
                                 "--compress does not apply to --for blender")):
            self.assertIn(wanted, self.convert("a.md2", "-o", "a.glb", *options, status=2)[1])
        self.assertIn("--for does not apply to md3 files",
                      self.convert("a.md2", "-o", "a.md3", "--for", "godot", status=2)[1])


if __name__ == "__main__":
    unittest.main()
