"""lerpmesh convert: glTF and OBJ of one model."""
import json

from small_files import make_inward_md2, make_md2, obj_vertices, parse_glb
from tool_case import HEAD, MD2, MDC, PLAYER, ToolTest


class Convert(ToolTest):
    def test_glb(self):
        output, errors = self.convert(PLAYER, "-o", "out.glb")
        self.assertEqual(output, "")
        data = self.read("out.glb")
        gltf = parse_glb(data)
        self.assertEqual(len(gltf["animations"]), 20)
        self.assertRegex(errors, r"^lerpmesh: .*: wrote out\.glb: %d bytes, 1 mesh, \d+ morph "
                                 r"targets, 20 animations\n" % len(data))
        self.assertRegex(errors, r'\n.* texture "\w+" not found \(\d+ paths tried\)\n$')
        self.assertEqual(self.convert(PLAYER, "-q", "-o", "out.glb"), ("", ""))
        self.assertIn("wrote standard output: ", self.convert(PLAYER, "-o", "-", "--format", "glb")[1])
        self.assertEqual(self.binary, data)
        with open(PLAYER, "rb") as file:
            self.convert("-", "--format=glb", "-o-", stdin=file)
        self.assertEqual(parse_glb(self.binary)["animations"], gltf["animations"])
        self.convert(PLAYER, "-o", "OUT.GLB")
        self.assertEqual(self.read("OUT.GLB"), data)
        self.assertEqual(self.files(), ["OUT.GLB", "out.glb"])

    def keys(self, path, clip):
        """Returns the times of a .glb animation's keys, and their number."""
        gltf = parse_glb(self.read(path))
        animation = next(a for a in gltf["animations"] if a["name"] == clip)
        return [(gltf["accessors"][s["input"]]["max"][0], gltf["accessors"][s["input"]]["count"])
                for s in animation["samplers"]]

    def test_clips_without_a_loop_end_on_their_last_frame(self):
        names = [b"stand%d" % i for i in range(4)] + [b"death%d" % i for i in range(4)]
        self.write("a.md2", make_md2(names))
        self.convert("a.md2", "-o", "a.glb")
        self.assertEqual([(round(end, 4), count) for end, count in self.keys("a.glb", "stand")], [(0.4, 5)])
        self.assertEqual([(round(end, 4), count) for end, count in self.keys("a.glb", "death")], [(0.3, 4)])

    def test_joined_clips(self):
        self.write("a.md2", make_md2([b"stand1", b"stand2", b"run1"]))
        for joined, unknown, near in (("stand+rum", "rum", "run"), ("stant+run", "stant", "stand")):
            for command in ("convert", "-o", "a.glb"), ("render", "-o", "a.png"):
                _, errors = self.run_tool(command[0], "a.md2", "--clip", joined, *command[1:], status=1)
                self.assertIn(f'there is no clip "{unknown}"; did you mean "{near}"?', errors)
        long = "a" * 300 + " clip"
        self.assertIn(f'there is no clip "{long}"', self.convert("a.md2", "--clip", long, "-o", "a.glb", status=1)[1])
        self.assertIn('there is no clip ""', self.convert("a.md2", "--clip", "run+", "-o", "a.glb", status=1)[1])
        self.convert("a.md2", "--clip", "run+stand,stand", "-o", "a.glb")
        self.assertEqual([a["name"] for a in parse_glb(self.read("a.glb"))["animations"]], ["stand", "run+stand"])

    def test_clips_of_the_table(self):
        self.write("a.md2", make_md2([b"x%d" % i for i in range(45)]))
        (info,) = self.run_json("info", "--json", "a.md2")
        self.assertEqual([(c["name"], c["loop"], c["loop_frames"], c["source"])
                          for c in info["clips"]], [("x", True, 45, "frame names")])
        (info,) = self.run_json("info", "--json", "--clips", "quake2", "a.md2")
        self.assertEqual([(c["name"], c["count"], c["source"]) for c in info["clips"]],
                         [("stand", 40, "table"), ("run", 5, "table")])
        self.write("a.cfg", b"0 -4 0 10 // back\n")
        (info,) = self.run_json("info", "--json", "--clips", "a.cfg", "a.md2")
        self.assertEqual([(c["loop"], c["backwards"], c["source"], c["clips_file"])
                          for c in info["clips"]], [(False, True, "clips file", "a.cfg")])

    def test_normals(self):
        self.write("a.md2", make_inward_md2())
        obj = {}
        for which in "auto", "stored", "computed":
            _, errors = self.convert("a.md2", "--normals", which, "-o", "a.obj")
            self.assertEqual("[normals-inward] surface 0: the stored normals of 100%" in errors, which == "auto")
            obj[which] = self.read("a.obj").decode().splitlines()
        self.assertEqual(obj["auto"], obj["computed"])
        errors = self.convert("a.md2", "-v", "-o", "a.obj")[1]
        self.assertEqual(self.read("a.obj").decode().splitlines(), obj["auto"])
        self.assertEqual(errors.count("[normals-inward]"), 1)
        # Only the normals differ: the file's and the computed ones are opposite.
        for one, other in zip(obj["stored"], obj["auto"]):
            self.assertEqual(one == other, not one.startswith("vn "))
            if one != other:
                a, b = ([float(c) for c in line.split()[1:]] for line in (one, other))
                self.assertLess(sum(x * y for x, y in zip(a, b)), -0.8)
        self.assertIn("--normals must be stored, computed or auto, not \"bad\"",
                      self.convert("a.md2", "--normals", "bad", "-o", "a.obj", status=2)[1])

    def test_every_model_to_every_format(self):
        for path in MD2 + MDC:
            self.convert(path, "-o", "a.glb")
            self.convert(path, "-o", "a.gltf")
            self.convert(path, "-o", "a.obj")
            glb, gltf = parse_glb(self.read("a.glb")), json.loads(self.read("a.gltf"))
            for parsed in glb, gltf:
                for buffer in parsed.get("buffers", []):
                    buffer.pop("uri", None)
                    buffer.pop("byteLength")
            self.assertEqual(glb, gltf)

    def test_gltf_names_its_buffer(self):
        self.write("my model #1%.md2")
        self.convert("my model #1%.md2", "-o", "my model #1%.gltf")
        self.assertEqual(self.files(), ["my model #1%.bin", "my model #1%.gltf", "my model #1%.md2"])
        (buffer,) = json.loads(self.read("my model #1%.gltf"))["buffers"]
        self.assertEqual(buffer["uri"], "my%20model%20%231%25.bin")
        self.assertEqual(buffer["byteLength"], len(self.read("my model #1%.bin")))

    def test_obj_poses(self):
        self.write("a.md2")
        for arguments, z in [([], 0), (["--frame", "2"], 2), (["--frame=0.5"], 0.5)]:
            self.convert("a.md2", "-o", "a.obj", "--axes", "model", *arguments)
            self.assertEqual(obj_vertices(self.read("a.obj")), [(0, 0, z), (10, 0, z), (0, 10, z)])
        self.convert("a.md2", "-o", "a.obj", "--frame", "1", "--scale", "2")
        self.assertEqual(obj_vertices(self.read("a.obj")), [(0, 2, 0), (0, 2, 20), (20, 2, 0)])

    def clips_of(self, *arguments):
        self.convert(*arguments, "-o", "out.glb")
        gltf = parse_glb(self.read("out.glb"))
        times = {}
        for animation in gltf.get("animations", []):
            times[animation["name"]] = max(
                gltf["accessors"][sampler["input"]]["max"][0] for sampler in animation["samplers"])
        targets = [len(primitive.get("targets", [])) for mesh in gltf["meshes"] for primitive in mesh["primitives"]]
        return times, max(targets)

    def test_frames_and_clips(self):
        names = [b"run%d" % i for i in range(1, 5)] + [b"hit%d" % i for i in range(1, 4)]
        names += [b"fly%d" % i for i in range(1, 4)]
        self.write("a.md2", make_md2(names=names))
        times, targets = self.clips_of("a.md2")
        self.assertEqual((sorted(times), targets), (["fly", "hit", "run"], 9))
        times, targets = self.clips_of("a.md2", "--clip", "hit")
        self.assertEqual((sorted(times), targets), (["hit"], 2))
        self.assertEqual(sorted(self.clips_of("a.md2", "--clip", "hit,fly")[0]), ["fly", "hit"])
        self.assertEqual(sorted(self.clips_of("a.md2", "--clip=hit", "--clip=fly")[0]), ["fly", "hit"])
        times, targets = self.clips_of("a.md2", "--frames", "1-5")
        self.assertEqual((sorted(times), targets), (["hit", "run"], 4))
        slow = self.clips_of("a.md2", "--clip", "run")[0]["run"]
        self.assertAlmostEqual(self.clips_of("a.md2", "--clip", "run", "--fps", "5")[0]["run"], 2 * slow, places=5)
        times, targets = self.clips_of("a.md2", "--frame", "3.5")
        self.assertEqual((times, targets), ({}, 0))
        self.write("c.framegroups", b"0 2 10 1 // a,b\n2 2 10 1 // b\n")
        for clips, expected in ("a,b", ["a,b"]), ("b", ["b"]):
            self.assertEqual(list(self.clips_of("a.md2", "--clips", "c.framegroups", "--clip", clips)[0]), expected)

    def test_missing_elements(self):
        for arguments, words in [
            (["--frames", "500-600"], ["500-600", "198 frames, 0 to 197"]),
            (["--frames", "100-198"], ["198 frames, 0 to 197"]),
            (["--frame", "197.5"], ["197.5", "198 frames"]),
            (["--clip", "stadn"], ["stadn", "did you mean \"stand\"?"]),
            (["--clip", "stand,xyzzy"], ["xyzzy"]),
            (["--clip", ""], ["no clip"]),
            (["--clip", "stand", "--frames", "100-120"], ["stand", "0-39", "100-120"]),
        ]:
            _, errors = self.convert(PLAYER, "-o", "out.glb", *arguments, status=1)
            for word in words:
                self.assertIn(word, errors)
        self.assertEqual(self.files(), [])

    def test_contradictory_options(self):
        for arguments, words in [
            (["x.md2"], ["-o"]),
            (["x.md2", "-o", "x"], ["end the name with .glb, .gltf, .obj, .md2",
                                    " or .mdl; or with a slash for a folder: x/"]),
            (["x.md2", "-o", "x.fbx"], [".fbx"]),
            (["x.md2", "-o", "-"], ["--format"]),
            (["x.md2", "-o", "-", "--format", "gltf"], ["two files"]),
            (["x.md2", "-o", "x.glb", "--format", "obj"], ["--format obj"]),
            (["x.md2", "y.md2", "-o", "x.glb"], ["x.md2: there is no such file"]),
            ([HEAD, HEAD, "-o", "x.glb"], ["-o DIR/"]),
            ([HEAD, "-", "-o", "-", "--format", "glb"], ["-o DIR/"]),
            (["x.md2", "-o", ""], ["-o"]),
            (["x.md2", "-o", "x.obj", "--frames", "0-1"], ["--frames", "OBJ"]),
            (["x.md2", "-o", "x.obj", "--quantize"], ["--quantize", "obj"]),
            (["x.md2", "-o", "x.glb", "--frame", "1", "--fps", "5"], ["--fps", "--frame"]),
            (["-", "-o", "x.glb", "--clips", "-"], ["standard input"]),
            (["x.md2", "-o", "x.glb", "--max-error", "1"], ["--max-error", "glb files"]),
            (["x.md2", "-o", "x.obj", "--engine", "quake3"], ["--engine", "obj files"]),
            (["x.md2", "-o", "x.md3", "--quantize"], ["--quantize", "md3 files"]),
            (["x.md2", "-o", "x.md3", "--skin", "a.pcx"], ["--skin", "md3 files"]),
            (["x.md2", "-o", "x.md3", "--max-error", "0"], ["--max-error"]),
            (["x.md2", "-o", "x.md3", "--strips", "worst"], ["--strips must be best, fast or none"]),
            (["x.md2", "-o", "x.md3", "--engine", "quack"], ["did you mean quake?"]),
        ]:
            _, errors = self.convert(*arguments, status=2)
            for word in words:
                self.assertIn(word, errors)
        self.assertEqual(self.files(), [])

    def test_repairs_are_reported(self):
        self.write("bad.md2", make_md2(vertex=900))
        self.convert("bad.md2", "-o", "a.obj", status=1)
        _, errors = self.convert("--repair", "bad.md2", "-o", "a.obj")
        self.assertIn("vertex-index", errors)
        self.assertIn("900", errors)

    def test_splitting_is_reported(self):
        data = bytearray(make_md2(names=[b"c%dx%d" % (c, i) for c in range(3) for i in range(1, 151)]))
        self.write("long.md2", bytes(data))
        self.assertRegex(self.convert("long.md2", "-o", "long.glb")[1], r"split into \d+ parts")
        self.assertTrue(max(len(primitive.get("targets", []))
                            for mesh in parse_glb(self.read("long.glb"))["meshes"]
                            for primitive in mesh["primitives"]) <= 255)

    def test_quantize_and_topology_change_the_result(self):
        self.convert(PLAYER, "-o", "plain.glb")
        self.convert(PLAYER, "-o", "small.glb", "--quantize")
        self.assertLess(len(self.read("small.glb")), len(self.read("plain.glb")))
        self.assertIn("KHR_mesh_quantization", parse_glb(self.read("small.glb"))["extensionsUsed"])
        self.convert(PLAYER, "-o", "plain.obj")
        self.convert(PLAYER, "-o", "gl.obj", "--topology", "glcommands")
        self.assertNotEqual(self.read("plain.obj"), self.read("gl.obj"))

    def test_single_warnings_have_no_count(self):
        self.write("a.md2", make_md2(skins=[]))
        _, errors = self.run_tool("convert", "-v", "a.md2", "-o", "a.glb")
        self.assertIn("warning [no-skins]", errors)
        self.assertNotIn("times)", errors)
