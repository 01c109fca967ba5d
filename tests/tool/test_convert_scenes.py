"""lerpmesh convert: attached models, players and folders."""
import os
import shutil

from small_files import make_md2, obj_vertices, parse_glb
from tool_case import HEAD, PLAYER, ToolTest


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

    def test_mistakes_in_attach(self):
        self.write("hat.md2")
        for value in "hat.md2", "=hat.md2", "tag_hat=", "tag_hat=@run", "tag_hat=hat@":
            self.assertIn("TAG=MODEL", self.convert(HEAD, "-o", "a.glb", "--attach", value, status=2)[1])
        for value, wanted in (("tag_hut=hat.md2", 'did you mean "tag_hat"'),
                              ("tag_hat=none.md2", "none.md2"),
                              ("tag_hat=hat.md2@ran", 'did you mean "run"')):
            self.assertIn(wanted, self.convert(HEAD, "-o", "a.glb", "--attach", value, status=1)[1])
        self.assertIn("has no tags", self.convert("hat.md2", "-o", "a.glb", "--attach", "tag_a=hat.md2", status=1)[1])
        self.assertEqual(self.files(), ["hat.md2"])

    def test_obj_parts_are_at_their_tags(self):
        self.write("hat.md2")
        self.convert(HEAD, "-o", "alone.obj", "--frame", "9")
        self.convert(HEAD, "-o", "both.obj", "--frame", "9", "--attach", "tag_hat=hat.md2")
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
