"""IQM: an independent reader finds what the command wrote, and the command reads what an independent maker made."""
import json
import math
import os
import random
import re
import struct

import bake
import iqm
import oracle
from small_files import limb_md2, make_pcx, tga
from tool_case import HEAD, PLAYER, ToolTest

METRES = 0.0254


class InterQuake(ToolTest):
    def figures(self, text):
        """Returns the largest and the mean error that the command reports."""
        found = re.search(r"maximum error ([\d.e-]+) units, RMS ([\d.e-]+)", text)
        self.assertTrue(found, text)
        return float(found[1]), float(found[2])

    def distances(self, made, frames, model, ordered=True):
        """Compares the corners of triangles, in the order of the file or by their texture coordinates. Returns the largest distance and the root mean
        square of a coordinate's error."""
        most, square, count = 0, 0, 0
        for frame, number in frames:
            at = made.vertices(frame)
            corners = [corner for surface in model.pose(number).surfaces for row in surface.triangles for corner in row]
            own = [v for mesh in made.meshes for row in mesh.triangles for v in row]
            self.assertEqual(len(own), len(corners))
            if not ordered:
                places = {made.arrays["st"][v]: v for v in own}
                own = [places[corner.texcoord] for corner in corners]
            for v, corner in zip(own, corners):
                away = math.dist(at[v], corner.position)
                self.assertLess(math.dist(made.arrays["st"][v], corner.texcoord), 1e-6)
                most, square, count = max(most, away), square + away * away, count + 3
        return most, math.sqrt(square / count)

    def test_names(self):
        """The name makes a short file a truncated IQM. Joints without names get different ones."""
        data = bytearray(iqm.make(random.Random(1)))
        h = dict(zip(iqm.FIELDS, struct.unpack_from("27I", data, 16)))
        for size in 0, 1, 15, 16, 123:
            self.write("a.iqm", bytes(data[:size]))
            self.assertIn(f"a.iqm: iqm: the file has {size} bytes, but its header 124",
                          self.convert("a.iqm", "-o", "b.glb", status=1)[1])
        self.write("a.iqm", b"no model")
        self.assertIn("a.iqm: iqm: this is no IQM", self.convert("a.iqm", "-o", "b.glb", status=1)[1])
        for j in 0, 2, 3:
            struct.pack_into("<I", data, h["ofs_joints"] + 48 * j, 0)
        self.write("a.iqm", bytes(data))
        self.convert("a.iqm", "-o", "b.iqm")
        self.assertEqual([joint.name for joint in iqm.read(self.read("b.iqm")).joints],
                         ["root", "bone1", "joint", "joint_2", "tag_hand"])

    def test_no_images(self):
        """Without images, an IQM of one model has the names that it has with them."""
        self.convert(PLAYER, "-o", "a.iqm")
        self.convert(PLAYER, "--skin", "none", "-o", "b.iqm")
        self.assertEqual(self.read("a.iqm"), self.read("b.iqm"))

    def test_a_player(self):
        text = self.convert(PLAYER, "-o", "a.iqm")[1]
        most, rms = self.figures(text)
        made, model = iqm.read(self.read("a.iqm")), oracle.load_file(PLAYER)
        info = self.run_json("info", "--json", PLAYER)[0]
        clips = [(c["name"], c["first"], c["count"], c["fps"]) for c in info["clips"]]
        self.assertEqual([(c.name, c.first, c.count, c.fps) for c in made.clips], clips)
        self.assertEqual(made.meshes[0].material, (model.skins or [""])[0])
        self.assertEqual(len(made.frames), len(model.frames))
        found_most, found_rms = self.distances(made, [(f, f) for f in range(0, len(model.frames), 16)], model)
        self.assertLess(found_most, 1.01 * most + 1e-3)
        self.assertLess(abs(found_rms - rms), 0.3 * rms)
        for normal, tangent in zip(made.arrays["normal"], made.arrays["tangent"]):
            self.assertLess(abs(sum(a * b for a, b in zip(normal, tangent))), 1e-3)
            self.assertAlmostEqual(math.hypot(*tangent[:3]), 1, 4)
        for frame in range(0, len(made.frames), 40):
            at, bounds = made.vertices(frame), made.bounds[frame]
            for axis in range(3):
                self.assertAlmostEqual(min(p[axis] for p in at), bounds[axis], 1)
                self.assertAlmostEqual(max(p[axis] for p in at), bounds[3 + axis], 1)
            self.assertAlmostEqual(max(math.hypot(*p[:2]) for p in at), bounds[6], 1)
            self.assertAlmostEqual(max(math.hypot(*p) for p in at), bounds[7], 1)

    def test_tags_and_backward_clips(self):
        self.write("limb.md2", limb_md2())
        self.convert("limb.md2", "-o", "limb.md3")
        self.run_tool("edit", "limb.md3", "--add-tag", "tag_hand=1,2,3,follow@0", "-o", "tag.md3")
        self.write("tag.cfg", b"0 10 10 15\n")
        self.write("animation.cfg", b"")
        self.write("clips.framegroups", b"0 8 10 1 forth\n8 6 12 0 back\n")
        self.convert("tag.md3", "-o", "a.iqm", "--clips-from", "clips.framegroups")
        made, model = iqm.read(self.read("a.iqm")), oracle.load_file(self.path("tag.md3"))
        self.assertEqual([(c.name, c.first, c.count, c.fps, c.loops) for c in made.clips],
                         [("forth", 0, 8, 10, True), ("back", 8, 6, 12, False)])
        self.assertEqual(len(made.frames), 14)
        joint = [j.name for j in made.joints].index("tag_hand")
        for frame in range(14):
            m, tag = made.world(made.frames[frame])[joint], model.pose(frame).tags[0]
            self.assertLess(math.dist([row[3] for row in m], tag.position), 0.01)
            for axis in range(3):
                self.assertLess(math.dist([row[axis] for row in m], tag.axes[axis]), 1e-3)

    def test_turned_base_poses_are_read(self):
        for seed in range(3):
            with self.subTest(seed):
                self.write("a.iqm", iqm.make(random.Random(seed)))
                made = iqm.read(self.read("a.iqm"))
                self.convert("a.iqm", "-o", "a.md3")
                model = oracle.load_file(self.path("a.md3"))
                self.assertEqual(model.surfaces[0].shaders, ["models/body.tga"])
                self.assertEqual(len(model.frames), 7)
                info = self.run_json("info", "--json", "--clips-from", "none", "a.md3")[0]
                self.assertEqual(info["tags"], ["tag_hand"])
                most = self.distances(made, [(f, f) for f in range(7)], model, False)[0]
                self.assertLess(most, 0.02)
                for frame in range(7):
                    m, tag = made.world(made.frames[frame])[-1], model.pose(frame).tags[0]
                    for axis in range(3):
                        self.assertLess(math.dist([row[axis] for row in m], tag.axes[axis]), 1e-3)
                # Written again, it moves alike, with the same joints and clips.
                most = self.figures(self.convert("a.iqm", "-o", "b.iqm")[1])[0]
                self.assertLess(most, 0.01)
                again = iqm.read(self.read("b.iqm"))
                self.assertEqual([(j.name, j.parent) for j in again.joints], [(j.name, j.parent) for j in made.joints])
                self.assertEqual(again.clips, made.clips)
                for frame in range(7):
                    one = [made.vertices(frame)[v] for row in made.meshes[0].triangles for v in row]
                    other = [again.vertices(frame)[v] for row in again.meshes[0].triangles for v in row]
                    self.assertLess(max(map(math.dist, one, other)), 0.01)

    def test_a_skinned_gltf(self):
        """Joints, weights and clips of a glTF stay."""
        self.convert(PLAYER, "-o", "a.glb", "--skeleton=20", "--clip", "stand,run")
        text = self.convert("a.glb", "-o", "a.iqm")[1]
        self.assertIn("skeleton of 20 joints, the model's own", text)
        made, gltf = iqm.read(self.read("a.iqm")), bake.read_glb(self.read("a.glb"))
        nodes = gltf.document["nodes"]
        joints = gltf.document["skins"][0]["joints"]
        parents = {child: index for index, node in enumerate(nodes) for child in node.get("children", ())}
        self.assertEqual([(j.name, made.joints[j.parent].name if j.parent >= 0 else None) for j in made.joints],
                         [(nodes[j]["name"], nodes[parents[j]]["name"] if parents.get(j) in joints else None) for j in joints])
        clips = {a["name"]: a for a in gltf.document["animations"]}
        self.assertEqual({c.name for c in made.clips}, set(clips))
        node = next(i for i, n in enumerate(nodes) if "mesh" in n)
        primitive = gltf.document["meshes"][nodes[node]["mesh"]]["primitives"][0]
        corners = [c for (c,) in gltf.elements(primitive["indices"])]
        for clip in made.clips:
            for frame in range(0, clip.count, 11):
                world, weights = gltf.pose(clips[clip.name], frame / clip.fps)
                one = gltf.vertices(node, primitive, world, weights)
                other = made.vertices(clip.first + frame)
                places = sorted((p[2] / METRES, p[0] / METRES, p[1] / METRES) for p in {tuple(one[c]) for c in corners})
                # Each vertex of the IQM is at one of the glTF, but for weights of 8 bits.
                far = [min(math.dist(p, q) for q in places) for p in other[::29]]
                self.assertLess(max(far), 0.2)

    def test_a_gltf_comes_back(self):
        """glb to IQM to glb: joints, weights, clips and movement stay."""
        self.write("limb.md2", limb_md2())
        self.convert("limb.md2", "-o", "a.glb", "--skeleton")
        self.convert("a.glb", "-o", "a.iqm")
        self.assertIn("joints", self.convert("a.iqm", "-o", "b.glb")[1])
        self.convert("b.glb", "-o", "c.glb")
        one = bake.read_glb(self.read("a.glb"))
        for name, far in ("b.glb", 0.1), ("c.glb", 0.1):
            other = bake.read_glb(self.read(name))
            names = [[g.document["nodes"][j]["name"] for j in g.document["skins"][0]["joints"]] for g in (one, other)]
            self.assertEqual(*names)
            clips = [{a["name"]: max(t for s in a["samplers"] for (t,) in g.elements(s["input"]))
                      for a in g.document["animations"]} for g in (one, other)]
            self.assertEqual(clips[0].keys(), clips[1].keys())
            rows = []
            for g in one, other:
                node = next(i for i, n in enumerate(g.document["nodes"]) if "mesh" in n)
                primitive = g.document["meshes"][g.document["nodes"][node]["mesh"]]["primitives"][0]
                corners = [c for (c,) in g.elements(primitive["indices"])]
                weights = [g.elements(primitive["attributes"][a]) for a in ("WEIGHTS_0", "JOINTS_0")]
                weighted = [{j: w for j, w in zip(joints, shares) if w > 0} for shares, joints in zip(*weights)]
                for animation in g.document["animations"]:
                    self.assertAlmostEqual(clips[0][animation["name"]], clips[1][animation["name"]], 5)
                    poses = [g.vertices(node, primitive, *g.pose(animation, t)) for t in (0, 0.5, 1.2)]
                    rows.append([(weighted[c], [pose[c] for pose in poses]) for c in corners])
            for (own, places), (others, at) in zip(*rows):
                for p, q in zip(places, at):
                    self.assertLess(math.dist(p, q) / METRES, far)
                for joint in own.keys() | others.keys():
                    self.assertLess(abs(own.get(joint, 0) - others.get(joint, 0)), 1.6 / 255)

    def test_joints_keep_their_names_in_gltf(self):
        """Where a joint and a surface share a name, the node of the surface gets another one."""
        self.write("a.iqm", iqm.make(random.Random(1)).replace(b"bone2\0", b"body\0\0"))
        self.convert("a.iqm", "-o", "a.glb")
        self.convert("a.glb", "-o", "b.iqm")
        gltf, again = bake.read_glb(self.read("a.glb")).document, iqm.read(self.read("b.iqm"))
        for names in [gltf["nodes"][j]["name"] for j in gltf["skins"][0]["joints"]], [joint.name for joint in again.joints]:
            self.assertEqual(names[:4], ["bone0", "bone1", "body", "bone3"])
        self.assertEqual([mesh.name for mesh in again.meshes], ["body"])

    def test_edges_stay_sharp(self):
        """Two vertices that differ only in their normals stay two in a glb."""
        self.write("limb.md2", limb_md2())
        self.convert("limb.md2", "-o", "a.iqm")
        data = bytearray(self.read("a.iqm"))
        normals = iqm.read(bytes(data)).arrays["normal"]
        other = next(v for v, normal in enumerate(normals) if math.dist(normal, normals[0]) > 0.1)
        count, = struct.unpack_from("<I", data, 16 + 4 * iqm.FIELDS.index("num_vertexarrays"))
        at, = struct.unpack_from("<I", data, 16 + 4 * iqm.FIELDS.index("ofs_vertexarrays"))
        for kind, _, code, width, offset in struct.iter_unpack("<5I", data[at:at + 20 * count]):
            size = width * (4 if code == 7 else 1)
            if iqm.ARRAYS[kind][0] != "normal":
                data[offset + size * other:offset + size * (other + 1)] = data[offset:offset + size]
        self.write("b.iqm", bytes(data))
        self.convert("b.iqm", "-o", "b.glb")
        made = bake.read_glb(self.read("b.glb"))
        primitive = made.document["meshes"][0]["primitives"][0]
        self.assertEqual(len(made.elements(primitive["attributes"]["NORMAL"])), len(normals))

    def test_static(self):
        self.convert(PLAYER, "-o", "a.iqm", "--frames", "3")
        made = iqm.read(self.read("a.iqm"))
        self.assertEqual((made.joints, made.frames, made.clips), ([], [], []))
        self.assertLess(self.distances(made, [(0, 3)], oracle.load_file(PLAYER))[0], 1e-4)

    def corners(self, name):
        """The corners of all triangles of a .glb in units of the model, and the document."""
        made = bake.read_glb(self.read(name))
        out = []
        for i, node in enumerate(made.document["nodes"]):
            for primitive in made.document["meshes"][node["mesh"]]["primitives"] if "mesh" in node else ():
                places = made.vertices(i, primitive, *made.pose({"channels": []}, 0))
                out += [tuple(x / METRES for x in places[c]) for (c,) in made.elements(primitive["indices"])]
        return [(z, x, y) for x, y, z in out], made.document

    def test_static_models_become_every_format(self):
        """Vertices that do not move, and those of one pose, are written without joints; no skeleton is needed."""
        self.convert(PLAYER, "-o", "a.iqm", "--frames", "3")
        model = oracle.load_file(PLAYER)
        places = [corner.position for s in model.pose(3).surfaces for row in s.triangles for corner in row]
        self.convert("a.iqm", "-o", "a.glb")
        self.convert("a.glb", "-o", "b.glb", "--quantize")
        for name, far in ("a.glb", 1e-3), ("b.glb", 0.01):
            corners, document = self.corners(name)
            self.assertNotIn("skins", document)
            # Triangles turn around: a, c, b.
            turned = [places[i // 3 * 3 + (3 - i % 3) % 3] for i in range(len(places))]
            self.assertEqual(len(corners), len(turned))
            self.assertLess(max(map(math.dist, corners, turned)), far)
        self.convert("a.iqm", "-o", "a.obj", "--axes", "model")
        rows = [tuple(map(float, line.split()[1:])) for line in self.read("a.obj").decode().splitlines() if line.startswith("v ")]
        self.assertLess(max(min(math.dist(p, q) for q in places) for p in rows), 1e-4)
        self.convert("a.iqm", "-o", "a.gltf")
        self.assertEqual(json.loads(self.read("a.gltf"))["buffers"][0]["uri"], "a.bin")

    def test_moving_models_become_every_format(self):
        self.write("limb.md2", limb_md2())
        self.convert("limb.md2", "-o", "a.iqm")
        made = iqm.read(self.read("a.iqm"))
        self.convert("a.iqm", "-o", "a.obj", "--axes", "model", "--frames", "7")
        rows = [tuple(map(float, line.split()[1:])) for line in self.read("a.obj").decode().splitlines() if line.startswith("v ")]
        self.assertLess(max(min(math.dist(p, q) for q in made.vertices(7)) for p in rows), 1e-3)
        self.convert("a.iqm", "-o", "a.gltf")
        self.assertEqual(len(json.loads(self.read("a.gltf"))["skins"]), 1)
        # Shapes that move the vertices stay shapes.
        self.convert("limb.md2", "-o", "b.glb")
        self.convert("b.glb", "-o", "c.glb")
        targets = [len(self.corners(name)[1]["meshes"][0]["primitives"][0]["targets"]) for name in ("b.glb", "c.glb")]
        self.assertEqual(targets[0], targets[1])

    def test_images_of_materials(self):
        """They are found as those of an MD3, become PNG, and one that is missing is named."""
        self.write("game/models/x/a.iqm", iqm.make(random.Random(2)))
        self.assertIn('texture "models/body.tga" not found', self.convert("game/models/x/a.iqm", "-o", "a.glb")[1])
        self.assertNotIn("images", self.corners("a.glb")[1])
        self.write("skin.pcx", make_pcx())
        self.write("game/models/body.tga", tga(3))
        for options in [], ["--skin", "skin.pcx"]:
            self.convert("game/models/x/a.iqm", "-o", "a.glb", *options)
            document = self.corners("a.glb")[1]
            self.assertEqual([image["mimeType"] for image in document["images"]], ["image/png"])
            self.convert("game/models/x/a.iqm", "-f", "-o", "out/a.gltf", *options)
            uri = json.loads(self.read("out/a.gltf"))["images"][0]["uri"]
            self.assertEqual(self.read("out/" + uri)[:4], b"\x89PNG")
        self.convert("a.glb", "-f", "-o", "out/b.glb", "--skin", "skin.pcx")
        self.assertEqual(self.corners("out/b.glb")[1]["images"][0]["mimeType"], "image/png")

    def test_names_of_materials(self):
        """They are judged as those of an MD3."""
        for name, fault in (("models\\a.tga", "has backslashes"), ("a.tga", "has no folder"), ("models/A.tga", "has capital letters"),
                            ("models/a.tga", None)):
            self.write("a.iqm", iqm.make(random.Random(1), material=name))
            for output in "b.iqm", "b.md3":
                text = self.convert("a.iqm", "-f", "-o", output)[1]
                self.assertEqual(re.findall(r"\[skin-path\] .* (has [a-z]+ ?[a-z]*)", text)[:1], [fault] if fault else [], text)
            self.assertEqual(iqm.read(self.read("b.iqm")).meshes[0].material, name)

    def test_the_skeleton_stays(self):
        """Some clips of a file keep its joints, and no number asks for others."""
        self.write("a.iqm", iqm.make(random.Random(1)))
        made = iqm.read(self.read("a.iqm"))
        text = self.convert("a.iqm", "-o", "b.iqm", "--clip", "walk")[1]
        self.assertIn("skeleton of 4 joints, the model's own", text)
        again = iqm.read(self.read("b.iqm"))
        self.assertEqual([j.name for j in again.joints], [j.name for j in made.joints])
        self.assertEqual((again.clips, len(again.frames)), (made.clips[:1], made.clips[0].count))
        for output in "c.iqm", "c.glb":
            self.assertIn("--skeleton=2 has no effect: the file has its own skeleton of 4 joints",
                          self.convert("a.iqm", "-o", output, "--skeleton=2")[1])

    def test_tags_alone(self):
        """A hand has no surfaces, and no vertex arrays either."""
        hand = os.path.join(os.path.dirname(HEAD), "models/weapons2/winder/v_winder_hand.mdc")
        self.convert(hand, "-o", "hand.iqm")
        self.assertEqual(iqm.read(self.read("hand.iqm")).meshes, [])
        self.convert("hand.iqm", "-o", "hand.md3")
        names = [self.run_json("info", "--json", path)[0]["tags"] for path in (hand, "hand.md3")]
        self.assertEqual(names[0], names[1])

    def test_options(self):
        self.write("limb.md2", limb_md2())
        for options, message in ((["--engine", "quake3"], "does not apply to iqm"), (["--lods", "1"], "does not apply to iqm"),
                                 (["--skeleton", "--correctives", "2"], "does not apply to iqm"),
                                 (["--player"], "applies only to"), (["--max-error", "1e-9"], "has an error of"),
                                 (["--quantize"], "does not apply to iqm"),
                                 (["--max-output", "1K"], "the IQM would be larger than 1024 bytes (--max-output)"),
                                 (["--skeleton=1"], ".glb and .md3 hold all frames, and --frames 0 writes one as IQM")):
            with self.subTest(options):
                status = 1 if options[0] in ("--max-error", "--skeleton=1", "--max-output") else 2
                self.assertIn(message, self.convert("limb.md2", "-o", "a.iqm", *options, status=status)[1])
        for options in ["--decimate", "50%"], ["--skeleton=3"], ["--fps", "5"], ["--scale", "2"]:
            with self.subTest(options):
                self.convert("limb.md2", "-f", "-o", "a.iqm", *options)
                iqm.read(self.read("a.iqm"))
