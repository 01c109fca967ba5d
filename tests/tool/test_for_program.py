"""lerpmesh convert --for: the settings for each program, and the line that explains them."""
import os
import subprocess

import bake
import skipping
from small_files import make_md2, parse_glb
from tool_case import SOURCE, ToolTest


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
        self.assertAlmostEqual(self.end(self.made()[0], "death"), 3 / 10, 5)
        self.assertAlmostEqual(self.end(self.made("--for", "blender")[0], "death"), 3 / 10, 5)
        self.assertAlmostEqual(self.end(self.made("--for", "blender", "--fps", "24")[0], "death"), 3 / 10, 5)
        self.convert("a.md2", "-o", "a.glb", "--for", "blender", "--frames", "1")

    def test_godot(self):
        gltf, _ = self.made("--for", "godot")
        self.assertEqual([a["name"] for a in gltf["animations"]], ["run-loop", "death"])
        self.assertNotIn("extensionsUsed", gltf)
        clips = gltf["scenes"][0]["extras"]["clips"]
        self.assertEqual([(c["name"], c["animation"]) for c in clips], [("run", "run-loop"), ("death", "death")])
        self.convert("a.glb", "-q", "-o", "b.md2")
        self.assertIn('"run"', self.run_tool("info", "--json", "b.md2")[0])

    def test_three(self):
        self.assertEqual(self.made("--for", "three")[0]["extensionsRequired"], ["KHR_mesh_quantization"])


class Assimp(ToolTest):
    """Assimp reads the targets, clips and weights that the specification gives for the file."""

    def read_lines(self, path):
        program = self.path("assimp")
        built = subprocess.run(["cc", "-std=c11", os.path.join(SOURCE, "tests/consumer/assimp.c"), "-lassimp", "-o", program],
                               capture_output=True, text=True, check=False)
        if "assimp" in built.stderr:
            skipping.skip(self, "there is no libassimp-dev")
        self.assertEqual(built.returncode, 0, built.stderr)
        read = subprocess.run([program, path], capture_output=True, text=True, check=True)
        return [line.split(" ") for line in read.stdout.splitlines()]

    def compare(self, found, wanted):
        self.assertEqual(len(found), len(wanted))
        for a, b in zip(found, wanted):
            self.assertAlmostEqual(float(a), b, 5)

    def test_reads_all_targets_and_clips(self):
        self.convert(os.path.join(SOURCE, "samples", "tick.md2"), "-q", "-o", "a.glb", "--for", "assimp")
        lines, gltf = self.read_lines(self.path("a.glb")), bake.read_glb(self.read("a.glb"))
        document = gltf.document
        mesh, = document["meshes"]
        primitive, = mesh["primitives"]
        corners = [i for (i,) in gltf.elements(primitive["indices"])]
        rows = gltf.elements(primitive["attributes"]["POSITION"])
        base = [x for i in corners for x in rows[i]]
        targets = [line for line in lines if line[0] == "target"]
        self.assertEqual([line[1] for line in targets], ["base", *mesh["extras"]["targetNames"]])
        self.compare(targets[0][2:], base)
        for line, target in zip(targets[1:], primitive["targets"]):
            rows = gltf.elements(target["POSITION"])
            moved = [x for i in corners for x in rows[i]]
            self.compare(line[2:], [a + b for a, b in zip(base, moved)])
        names = [line[1] for line in lines if line[0] == "animation"]
        self.assertEqual(names, [a["name"] for a in document["animations"]])
        keys, count = [line[1:] for line in lines if line[0] == "key"], len(primitive["targets"])
        for animation in document["animations"]:
            sampler, = animation["samplers"]
            weights = [w for (w,) in gltf.elements(sampler["output"])]
            for i, (time,) in enumerate(gltf.elements(sampler["input"])):
                row = weights[i * count:(i + 1) * count]
                self.compare(keys.pop(0), [time, *(x for k, w in enumerate(row) if w for x in (k, w))])
        self.assertFalse(keys)
