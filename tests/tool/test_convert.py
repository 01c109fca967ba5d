"""lerpmesh convert: glTF and OBJ of one model, a model of another format, attached models, players and folders."""
import json
import os
import shutil
import struct
import zipfile

from small_files import make_inward_md2, make_md2, make_md3, obj_vertices, parse_glb
from tool_case import HEAD, PLAYER, SOURCE, ToolTest


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

    def test_joined_clips(self):
        self.write("a.md2", make_md2([b"stand1", b"stand2", b"run1"]))
        for joined, unknown, near in (("stand+rum", "rum", "run"), ("stant+run", "stant", "stand")):
            for command in ("convert", "-o", "a.glb"), ("render", "-o", "a.png"):
                _, errors = self.run_tool(command[0], "a.md2", "--clip", joined, *command[1:], status=1)
                self.assertIn(f'there is no clip "{unknown}"; did you mean "{near}"?', errors)
        long = "a" * 300 + " clip"
        self.assertIn(f'there is no clip "{long}"', self.convert("a.md2", "--clip", long, "-o", "a.glb", status=1)[1])
        self.assertIn('there is no clip ""', self.convert("a.md2", "--clip", "run+", "-o", "a.glb", status=1)[1])
        self.assertIn('no model plays "stand" in "run+stand"',
                      self.convert("a.md2", "--clip", "run+stand,stand", "-o", "a.glb", status=1)[1])

    def test_clips_of_the_table(self):
        self.write("a.md2", make_md2([b"x%d" % i for i in range(45)]))
        (info,) = self.run_json("info", "--json", "a.md2")
        self.assertEqual([(c["name"], c["loop"], c["loop_frames"], c["source"])
                          for c in info["clips"]], [("x", True, 45, "frame names")])
        (info,) = self.run_json("info", "--json", "--clips-from", "quake2", "a.md2")
        self.assertEqual([(c["name"], c["count"], c["source"]) for c in info["clips"]],
                         [("stand", 40, "table"), ("run", 5, "table")])
        self.write("a.cfg", b"0 -4 0 10 // back\n")
        (info,) = self.run_json("info", "--json", "--clips-from", "a.cfg", "a.md2")
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

    def test_gltf_names_its_buffer(self):
        self.write("my model #1%.md2")
        self.convert("my model #1%.md2", "-o", "my model #1%.gltf")
        self.assertEqual(self.files(), ["my model #1%.bin", "my model #1%.gltf", "my model #1%.md2"])
        (buffer,) = json.loads(self.read("my model #1%.gltf"))["buffers"]
        self.assertEqual(buffer["uri"], "my%20model%20%231%25.bin")
        self.assertEqual(buffer["byteLength"], len(self.read("my model #1%.bin")))

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
        self.assertAlmostEqual(self.clips_of("a.md2", "--clip", "run", "--speed", "0.5")[0]["run"], 2 * slow, places=5)
        for rate in "5", "24", "60":
            self.assertAlmostEqual(self.clips_of("a.md2", "--clip", "run", "--fps", rate)[0]["run"], slow, places=5)
        self.assertAlmostEqual(self.clips_of("a.md2", "--clip", "run", "--fps", "24", "--speed", "2")[0]["run"], slow / 2, places=5)
        times, targets = self.clips_of("a.md2", "--frames", "3.5")
        self.assertEqual((times, targets), ({}, 0))
        self.write("c.framegroups", b"0 2 10 1 // a,b\n2 2 10 1 // b\n")
        for clips, expected in ("a,b", ["a,b"]), ("b", ["b"]):
            self.assertEqual(list(self.clips_of("a.md2", "--clips-from", "c.framegroups", "--clip", clips)[0]), expected)


class Models(ToolTest):
    def made(self, *arguments, status=0):
        _, errors = self.run_tool("convert", *arguments, status=status)
        return errors

    def info(self, name):
        return self.run_json("info", "--json", name)[0]

    def clips(self, name):
        return [(c["name"], c["first"], c["count"]) for c in self.info(name)["clips"]]

    def test_a_player_becomes_another_format(self):
        errors = self.made(PLAYER, "-o", "a.md3")
        self.assertRegex(errors, r"^lerpmesh: .*: wrote a\.md3: \d+ bytes, 1 surface, \d+ vertices, "
                                 r"\d+ triangles; maximum error 0\.\d+ units, RMS 0\.\d+\n$")
        old, new = self.run_json("info", "--json", PLAYER)[0], self.info("a.md3")
        self.assertEqual(new["format"], "md3")
        self.assertEqual(new["clips"], old["clips"])
        self.run_tool("check", "a.md3")
        self.assertEqual(self.made("-q", PLAYER, "-o", "b.md3"), "")
        self.assertEqual(self.read("a.md3"), self.read("b.md3"))

    def test_clips_follow_each_other_in_the_order_of_the_names(self):
        self.made(PLAYER, "-o", "a.md2", "--clip", "jump,run,jump", "--clip", "stand,run")
        self.assertEqual(self.clips("a.md2"), [("jump", 0, 6), ("run", 6, 6), ("stand", 12, 40)])
        self.made(PLAYER, "-o", "b.md2", "--clip", "run", "--clip", "jump")
        self.assertEqual(self.clips("b.md2"), [("run", 0, 6), ("jump", 6, 6)])

    def test_fps_resamples_the_frames(self):
        self.made(PLAYER, "-o", "a.md3", "--clip", "run,jump", "--fps", "20")
        # A loop of 6 frames gets twice as many; of 6 frames without a loop the last is not doubled.
        self.assertEqual(self.clips("a.md3"), [("run", 0, 12), ("jump", 12, 11)])
        self.made(PLAYER, "-o", "b.md3", "--clip", "run,jump")
        for file, step in ("a.md3", 2), ("b.md3", 1):
            self.made(file, "-o", file + ".obj", "--frames", str(2 * step))
        vertices = [{line for line in self.read(name).splitlines() if line.startswith(b"v ")}
                    for name in ("a.md3.obj", "b.md3.obj")]
        self.assertEqual(*vertices)
        self.assertGreater(len(vertices[0]), 100)
        self.assertIn("wrote c.md3", self.made(PLAYER, "-o", "c.md3", "--fps", "1000", "--clip", "stand"))

    def test_numbered_files(self):
        """-o x_{frame:02}.obj writes a file per frame, as render does; the messages are those of the first one."""
        names = [b"run%d" % i for i in range(12)]
        self.write("a.md2", make_md2(names=names))
        errors = self.made("a.md2", "-o", "x_{frame:02}.obj").splitlines()
        self.assertEqual(errors[-1], "lerpmesh: a.md2: wrote x_{frame:02}.obj: 12 files")
        self.assertEqual(len([line for line in errors if "wrote" in line]), 2)
        for frame in range(12):
            self.made("a.md2", "-o", "one.obj", "--frames", str(frame))
            self.assertEqual(self.read("x_%02d.obj" % frame), self.read("one.obj").replace(b"one.mtl", b"x_%02d.mtl" % frame))
        self.made("a.md2", "-o", "{frame}.md3", "--frames", "3-5")
        self.made("a.md2", "-o", "one.md3", "--frames", "5")
        self.assertEqual([name for name in self.files() if name.endswith("md3")], ["0.md3", "1.md3", "2.md3", "one.md3"])
        self.assertEqual(self.read("2.md3"), self.read("one.md3"))
        self.made("x_{frame}.obj", "-o", "back.md3")  # the import of such files
        self.assertEqual(len(self.info("back.md3")["frames"]), 12)
        before = self.files()
        self.assertIn("there are no frames 11-12: the last frame is 11",
                      self.made("a.md2", "-o", "y{frame}.obj", "--frames", "11-12", status=1))
        for name, sentence in (("{foo}.obj", "{foo}.obj: number the files with {frame} or {frame:04}"),
                               ("{frame}_{clip}.obj", "{frame}_{clip}.obj: number the files with {frame} or {frame:04}"),
                               ("{frame:0x}.glb", "{frame:0x}.glb: number the files with {frame} or {frame:04}"),
                               ("h_{}.obj", "h_{}.obj: number the files with {frame} or {frame:04}"),
                               ("h_{frame.obj", "h_{frame.obj: number the files with {frame} or {frame:04}"),
                               ("h_{x}", "h_{x}: number the files with {frame} or {frame:04}"),
                               ("d_{frame}/x.obj", "d_{frame}/x.obj: {frame} numbers files, not folders"),
                               ("{x}/{frame}.obj", "{x}/{frame}.obj: {frame} numbers files, not folders"),
                               ("{x}/", "{x}/: {frame} numbers files, not folders")):
            self.assertIn("lerpmesh convert: %s\n" % sentence, self.made("a.md2", "-o", name, status=2))
        self.assertIn("--clip does not apply to numbered files", self.made("a.md2", "-o", "{frame}.glb", "--clip", "run", status=2))
        self.assertIn("only files of convert and render are numbered",
                      self.run_tool("uv", "a.md2", "-o", "{frame}.svg", status=2)[1])
        self.assertEqual(self.files(), before)
        os.mkdir(self.path("{x}"))  # a folder that exists keeps its name
        self.made("a.md2", "-o", "{x}/{frame}.glb", "--frames", "0-1")
        self.made("a.md2", "-o", "{x}", "--format", "glb")
        self.assertEqual(sorted(os.listdir(self.path("{x}"))), ["0.glb", "1.glb", "a.glb"])

    def test_numbered_files_that_exist_stay(self):
        """--skip-existing keeps each of them, and what lies next to it, as it keeps a file with a name."""
        self.write("a.md2", make_md2(names=[b"run%d" % i for i in range(4)]))
        for kept in ((0,), (1, 2), (0, 1, 2, 3)):
            for i in kept:
                self.write("v_%d.obj" % i, b"hand")
                self.write("v_%d.mtl" % i, b"hand")
            errors = self.made("a.md2", "-o", "v_{frame}.obj", "--skip-existing")
            self.assertEqual([i for i in range(4) if self.read("v_%d.obj" % i) == b"hand"], list(kept))
            self.assertIn("skipped: %d existing file" % len(kept), errors)
            self.assertIn("wrote v_{frame}.obj: %d file" % (4 - len(kept)), errors)
            for name in [name for name in self.files() if name.startswith("v_")]:
                os.remove(self.path(name))

    def test_numbered_files_are_all_or_none(self):
        """A file in the way of any of them stops the command before it writes or replaces anything."""
        self.write("a.md2", make_md2(names=[b"run%d" % i for i in range(4)]))
        for name, other, words in (("f_2.bin", "f_{frame}.gltf", ()), ("f_3.mtl", "f_{frame}.obj", ()),
                                   ("f_1.obj/x", "f_{frame}.obj", ("-f",))):
            self.write("f_0." + other.rpartition(".")[2], b"mine")
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            self.write(name, b"hand")
            before = {path: self.read(path) for path in self.files()}
            errors = self.made("a.md2", "-o", other, *words, status=1)
            self.assertIn(name.split("/")[0] + (" is a folder" if words else " exists; --force replaces it"), errors)
            self.assertNotIn("wrote", errors)
            self.assertEqual({path: self.read(path) for path in self.files()}, before)
        self.made("a.md2", "-o", "f_{frame}.gltf", "-f")
        self.assertNotEqual(self.read("f_2.bin"), b"hand")

    def test_hints_help(self):
        """A hint names what would help; without one, there is none. Members of archives have a colon."""
        surfaces = [(b"s%d" % i, b"", [(0, 1, 2)], [(0, 0)] * 3, [(i, 64, 0, 0), (0, 0, i, 0), (64, 0, 0, 0)])
                    for i in range(40)]
        self.write("many.md3", make_md3(surfaces, [], 1))
        errors = self.made("many.md3", "-o", "x.md3", "--engine", "quake3", status=1)
        self.assertIn("40 surfaces", errors)
        self.assertNotIn("--decimate", errors)
        self.write("in/models/c/a.md2", make_md2(skins=[b"models/c/s.pcx"]))
        self.write("in/models/c/s.pcx", b"\x0a\x05")
        self.run_tool("pack", "in", "-o", "e.pak")
        self.assertIn("cannot use texture e.pak:models/c/s.pcx: ", self.made("e.pak:models/c/a.md2", "-o", "x.glb"))
        with zipfile.ZipFile(self.path("d.pk3"), "w") as archive:
            for name in "../evil.txt", "good.txt", "other.txt":
                archive.writestr(name, b"x")
        for command in "extract", "convert":
            self.assertNotIn("such as d.pk3:../evil.txt",
                             self.run_tool(command, "d.pk3", "-o", "x.pk3", status=2)[1])

    def test_a_file_of_clips_that_parts_share_is_reported_once(self):
        shutil.copytree(os.path.join(SOURCE, "samples/models/players/tick"), self.path("tick"))
        self.write("tick/animation.cfg", b"foo bar\n")
        self.assertEqual(self.made("tick", "-o", "a.glb").count("tick/animation.cfg"), 1)

    def test_warnings_of_several_parts_are_shown_once(self):
        self.write("a.md2", make_md2(names=[b"a%d" % i for i in range(4)], skins=[b"/absolute/x.pcx"]))
        self.write("a.framegroups", b"0 2 10 1 // walk\nnone\n")
        errors = self.made(HEAD, "--attach", "tag_hat=a.md2", "--attach", "tag_mouth=a.md2", "-o", "x.glb")
        self.assertEqual(errors.count("line 2: not a clip; ignored"), 1, errors)
        self.assertEqual(errors.count("/absolute/x.pcx is an absolute path"), 1, errors)
        shutil.copytree(os.path.join(SOURCE, "samples", "models", "players", "tick"), self.path("tick"))
        with open(self.path("tick/animation.cfg"), "a", encoding="ascii") as file:
            file.write("5 x\n")
        errors = self.made("tick", "-o", "y.glb")
        self.assertEqual(errors.count(": not a clip; ignored"), 1, errors)

    def test_frames_that_no_clip_has(self):
        """glTF gets them as animations, unless --clip all is given; a model loses them then."""
        self.write("a.md2", make_md2(names=[b"f%d" % i for i in range(9)]))
        self.write("a.framegroups", b"0 2 10 1 // walk\n4 3 10 1 // run\n")

        def animations(*options):
            errors = self.made("a.md2", *options, "-o", "a.glb")
            return [clip["name"] for clip in parse_glb(self.read("a.glb")).get("animations", [])], errors
        names, errors = animations()
        self.assertEqual(names, ["walk", "run", "frames 2-3", "frames 7-8"])
        self.assertIn("a.md2: 2 animations are of frames that no clip has; --clip all leaves them out\n", errors)
        names, errors = animations("--clip", "all")
        self.assertEqual(names, ["walk", "run"])
        self.assertNotIn("no clip has", errors)
        self.made("a.md2", "--clip", "all", "-o", "b.md3")
        self.assertEqual(self.clips("b.md3"), [("walk", 0, 2), ("run", 2, 3)])
        self.made("a.md2", "--clip", "run,all", "-o", "c.md3")
        self.assertEqual(self.clips("c.md3"), [("run", 0, 3), ("walk", 3, 2)])
        # A clip of this name is meant itself.
        self.write("a.framegroups", b"0 2 10 1 // all\n4 3 10 1 // run\n")
        self.assertEqual(animations("--clip", "all")[0], ["all"])

    def test_several_models_become_one(self):
        for name in "tris", "weapon":
            self.write("p/%s.md2" % name)
        self.made("p", "-o", "a.md3")
        info = json.loads(self.run_tool("info", "--json", "a.md3")[0])
        self.assertEqual([s["name"] for s in info["surfaces"]], ["tris", "weapon"])

    def test_texture_coordinates_on_the_edge_of_a_skin_stay_inside(self):
        """Engines that draw an MD2's triangles reject the edge; the GL commands have the exact coordinates."""
        self.made(os.path.join(SOURCE, "samples", "tick_torch.mdl"), "-o", "a.md2")
        data = self.read("a.md2")
        width, height = struct.unpack_from("<2i", data, 8)
        count, at = struct.unpack_from("<i", data, 28)[0], struct.unpack_from("<i", data, 48)[0]
        pairs = [struct.unpack_from("<2h", data, at + 4 * i) for i in range(count)]
        self.assertLess(max(s for s, _ in pairs), width)
        self.assertEqual(max(t for _, t in pairs), height - 1)


class Scenes(ToolTest):
    def gltf(self, *arguments):
        self.convert(*arguments, "-q", "-o", "out.glb")
        return parse_glb(self.read("out.glb"))

    def nodes(self, gltf):
        return {node["name"]: node for node in gltf["nodes"]}

    def test_attached_models_are_children_of_their_tags(self):
        self.write("hat.md2")
        self.write("fly.md2", make_md2(names=[b"buzz1", b"buzz2"]))
        gltf = self.gltf(HEAD, "--attach", "TAG_hat=hat.md2@run,tag_mouth=fly.md2")
        nodes = self.nodes(gltf)
        for tag, name in ("tag_hat", "hat"), ("tag_mouth", "fly"):
            children = [gltf["nodes"][i]["name"] for i in nodes[tag]["children"]]
            self.assertEqual(children, [name])
        self.assertEqual([animation["name"] for animation in gltf["animations"]],
                         ["idle", "talk", "look", "laugh", "run", "buzz"])
        nodes_of = [{channel["target"]["node"] for channel in animation["channels"]}
                    for animation in gltf["animations"]]
        hat, fly = (gltf["nodes"].index(nodes[name]) for name in ("hat", "fly"))
        self.assertEqual([hat in targets for targets in nodes_of], [True] * 6)
        self.assertEqual([fly in targets for targets in nodes_of], [False] * 5 + [True])

    def test_a_later_tag_is_that_of_the_model_attached_last(self):
        gltf = self.gltf(HEAD, "--attach", "tag_hat=%s" % HEAD, "--attach", "tag_hat=" + PLAYER)
        tags = [i for i, node in enumerate(gltf["nodes"]) if node.get("extras", {}).get("tag") == "tag_hat"]
        outer, inner = (gltf["nodes"][i] for i in tags)
        self.assertIn(tags[1], outer["children"])
        self.assertEqual(len(inner["children"]), 1)

    def test_attached_models_are_found_in_the_models_folder(self):
        self.write("deep/hat.md2")
        shutil.copy(HEAD, self.path("deep/head.mdc"))
        self.assertIn("hat", self.nodes(self.gltf("deep/head.mdc", "--attach", "tag_hat=hat.md2")))
        self.write("deep/a,b@c.md2")
        self.gltf("deep/head.mdc", "--attach", "tag_hat=deep/a,b@c.md2,tag_mouth=hat.md2")

    def test_obj_parts_are_at_their_tags(self):
        self.write("hat.md2")
        self.convert(HEAD, "-o", "alone.obj", "--frames", "9")
        self.convert(HEAD, "-o", "both.obj", "--frames", "9", "--attach", "tag_hat=hat.md2")
        alone, both = (obj_vertices(self.read(name)) for name in ("alone.obj", "both.obj"))
        self.assertEqual(both[:len(alone)], alone)
        hat = both[len(alone):]
        self.assertEqual(len(hat), 3)
        lengths = [sum((a - b) ** 2 for a, b in zip(hat[0], corner)) for corner in hat[1:]]
        self.assertAlmostEqual(lengths[0], 100, 2)  # rotated and moved, not deformed
        self.assertNotEqual(hat[0], (0, 0, 0))

    def test_a_follower_shows_the_same_frames(self):
        self.write("body.md2")
        self.write("gun.md2", make_md2(names=[b"other1", b"other2"]))
        gltf = self.gltf("body.md2", "--with", "gun.md2")
        (animation,) = gltf["animations"]
        self.assertEqual(animation["name"], "run")
        self.assertEqual(len({channel["target"]["node"] for channel in animation["channels"]}), 2)

    def test_a_folder_is_a_player(self):
        self.write("man/TRIS.MD2")
        self.write("man/weapon.md2")
        self.convert("man/", "-o", "man.glb")
        gltf = parse_glb(self.read("man.glb"))
        self.assertEqual([node["name"] for node in gltf["nodes"]], ["man", "weapon"])
        self.assertEqual(gltf["scenes"][0]["name"], "man scene")
        os.mkdir(self.path("empty"))
        self.assertRegex(self.convert("empty", "-o", "a.glb", status=1)[1], "no player.*lower.md3.*tris.md2")

    def test_a_folder_of_outputs_gets_glb(self):
        self.write("a.md2")
        self.convert("a.md2", "-o", "out/")
        self.assertEqual(parse_glb(self.read("out/a.glb"))["asset"]["version"], "2.0")
