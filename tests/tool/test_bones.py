"""Tests models with bones (MDS): the skinned glTF, evaluated by the specification's text, is where an independent decoder
of MDS puts the vertices; clips of legs and torso at once; players of Return to Castle Wolfenstein, whose .skin files name
what they wear. Real players are those of the game, if its files are there."""
import json
import math
import random
import re
import shutil
import struct
import unittest
from pathlib import Path
from typing import Any

import bake
import corpus
import iqm
import mds
import oracle
import skipping
from command import FolderCase
from small_files import glb, limb_md2, make_md3, make_pk3

GAME = corpus.corpus_dir().parent / "rtcw/main"
MULTI = GAME / "models/players/multi"
SKINS = ["blueengineer1", "bluelieutenant1", "bluemedic1", "bluesoldier1"]
BONES = mds.PLAYER_BONES
CLIPS = "VERSION 2\nSKELETAL\nSTARTANIMS\nwalk 0 6 6 10 0\naim 6 5 0 20 0\nwalk 11 1 1 10 0\n"
CORNERS = [(0, 0, 0, 0), (64, 0, 0, 0), (0, 64, 0, 0)]
MODEL = ("--axes", "model", "--unit", "1")


def apart(some: list[Any], others: list[Any]) -> float:
    """The largest distance of a point from the nearest one of the others, both ways."""
    return max(max(min(math.dist(a, b) for b in right) for a in left) for left, right in ((some, others), (others, some)))


class Skinned:
    """A .glb in the model's axes and units."""

    def __init__(self, path: Path) -> None:
        self.gltf = bake.read_glb(path.read_bytes())
        self.nodes = self.gltf.document["nodes"]
        self.animations = {one["name"]: one for one in self.gltf.document.get("animations", [])}

    def joints(self) -> list[str]:
        return [self.nodes[joint]["name"] for joint in self.gltf.document["skins"][0]["joints"]]

    def attributes(self) -> set[str]:
        return {name for mesh in self.gltf.document["meshes"] for name in mesh["primitives"][0]["attributes"]}

    def tilt(self, model: mds.Mds) -> float:
        """How far the tags of the rest pose are from where their joints hold them in the first frame."""
        skin = self.gltf.document["skins"][0]
        rest = dict(zip(skin["joints"], self.gltf.elements(skin["inverseBindMatrices"])))
        return max(abs(rest[tag][12 + k] - rest[parent][12 + k] + self.nodes[tag]["translation"][k])
                   for parent in skin["joints"] for tag in self.nodes[parent].get("children", [])
                   if self.nodes[tag]["name"] in dict(model.tags) for k in range(3))

    def error(self, model: mds.Mds, clip: str | None, seconds: float, bones: Any) -> float:
        """The largest distance of a vertex or a tag from where the bones have it."""
        world, weights = self.gltf.pose(self.animations[clip] if clip else {"channels": []}, seconds)
        worst = 0.0
        for name, bone in model.tags:
            node, = (i for i, node in enumerate(self.nodes) if node["name"] == name)
            origin, rows = bones[bone]
            worst = max(worst, *(abs(world[node][k][3] - origin[k]) for k in range(3)),
                        *(abs(world[node][k][axis] - rows[axis][k]) for k in range(3) for axis in range(3)))
        for number, surface in enumerate(model.surfaces):
            expected = [place for place, _ in model.vertices(bones, number)]
            for i, node in enumerate(self.nodes):
                if "mesh" in node and self.gltf.document["meshes"][node["mesh"]]["name"] == surface.name:
                    primitive = self.gltf.document["meshes"][node["mesh"]]["primitives"][0]
                    worst = max(worst, apart(self.gltf.vertices(i, primitive, world, weights), expected))
        return worst


def held(model: mds.Mds, joints: list[str]) -> dict[str, str]:
    """The joint below which each tag that is none itself is: the next bone above that is one."""
    out = {}
    for name, bone in model.tags:
        up = model.bones[bone].parent
        while model.bones[up].name not in joints:
            up = model.bones[up].parent
        out[name] = model.bones[up].name
    return out


class Bones(FolderCase):
    def put(self, name: str, data: bytes | str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def test_poses(self) -> None:
        """At every key of every clip, for vertices that follow up to 3, and up to 6 bones."""
        self.put("wolfanim.cfg", CLIPS)
        for weights in 3, 6:
            data = mds.make_player(weights, weights)
            self.put("body.mds", data)
            model = mds.read_mds(data)
            log = self.convert("body.mds", "-o", "a.glb", *MODEL)
            self.assertIn("skeleton of 6 joints, the model's own, at most", log)
            scene = Skinned(self.folder / "a.glb")
            self.assertEqual(scene.joints(), [name for name, *_ in BONES])  # the tags are the last
            self.assertLess(scene.tilt(model), 1e-3)
            self.assertEqual("JOINTS_1" in scene.attributes(), weights > 4)
            self.assertEqual(set(scene.animations), {"walk", "aim", "walk_2"})
            self.assertFalse(any("targets" in mesh["primitives"][0] for mesh in scene.gltf.document["meshes"]))
            worst = 0.0
            for clip, first, fps, keys in ("walk", 0, 10, 6), ("aim", 6, 20, 5), ("walk_2", 11, 10, 1):
                for key in range(keys):
                    pose = (first + key, first + key, 0.0)
                    worst = max(worst, scene.error(model, clip, key / fps, model.skeleton(pose, pose)))
            self.assertLess(worst, 1e-3)

    def test_iqm(self) -> None:
        """IQM has the file's own bones. A vertex keeps its four largest weights."""
        for weights, allowed in (3, 0.5), (6, 20):
            data = mds.make_player(weights, weights)
            self.put("body.mds", data)
            model = mds.read_mds(data)
            log = self.convert("body.mds", "-o", "a.iqm")
            self.assertIn("skeleton of 6 joints, the model's own, at most", log)
            reported = float(log.split("maximum error ")[1].split()[0])
            self.assertLess(reported, allowed)
            made = iqm.read((self.folder / "a.iqm").read_bytes())
            bones = [name for name, *_ in BONES]
            self.assertEqual([joint.name for joint in made.joints][:len(bones)], bones)
            worst = 0.0
            for frame in range(len(made.frames)):
                at = made.vertices(frame)
                posed = model.skeleton((frame, frame, 0.0), (frame, frame, 0.0))
                expected = [place for number in range(len(model.surfaces)) for place, _ in model.vertices(posed, number)]
                worst = max(worst, apart(at, expected))
            self.assertLess(worst, 1.01 * reported + 1e-3)

    def check_tags(self, source: Path | str, model: mds.Mds, *frames: str) -> None:
        """The file says which bone a tag is: its parent does not depend on what moves."""
        for words in ["a.iqm"], ["a.glb"], ["a.glb", "b.iqm"], ["a.iqm", "b.iqm"]:
            with self.subTest((words, frames)):
                for path, made in zip([source, *words], words):
                    self.convert("-q", "-f", path, "-o", made, *(frames if path == source else ()))
                if words[-1].endswith(".glb"):
                    tree = TwoFormats.tree(self, bake.read_glb((self.folder / words[-1]).read_bytes()))  # type: ignore[arg-type]
                else:
                    joints = iqm.read((self.folder / words[-1]).read_bytes()).joints
                    tree = {joint.name: joints[joint.parent].name for joint in joints if joint.parent >= 0}
                wanted = held(model, [name for name in tree if name not in dict(model.tags)] + [model.bones[0].name])
                self.assertEqual({name: tree[name] for name in wanted}, wanted)

    def test_tags_of_one_pose(self) -> None:
        data = mds.make_player()
        self.put("body.mds", data)
        for frames in ["--frames", "0"], ["--frames", "2.5"], []:
            self.check_tags("body.mds", mds.read_mds(data), *frames)

    def check_between(self, source: Path | str, model: mds.Mds, words: list[str], frames: list[tuple[float, Any]]) -> None:
        """Compares three formats with the bones. `frames`: seconds, and a pose of the model."""
        errors = {}
        for made in "a.iqm", "a.md3":
            log = self.convert("-f", source, "-o", made, *words)
            errors[made] = float(log.split("maximum error ")[1].split()[0])
        self.convert("-q", "-f", source, "-o", "a.glb", *words, *MODEL)
        scene = Skinned(self.folder / "a.glb")
        joints, keys = iqm.read((self.folder / "a.iqm").read_bytes()), oracle.load_file(str(self.folder / "a.md3"))
        self.assertEqual([len(joints.frames), len(keys.frames)], [len(frames), len(frames)])
        self.assertLess(errors["a.iqm"], 0.5)
        self.assertLess(errors["a.md3"], 0.015)  # of rounding to 1/64
        for number, (seconds, pose) in enumerate(frames):
            bones = model.skeleton(pose, pose)
            places = [place for surface in range(len(model.surfaces)) for place, _ in model.vertices(bones, surface)]
            self.assertLess(scene.error(model, next(iter(scene.animations), None), seconds, bones), 0.003)
            self.assertLess(apart(joints.vertices(number), places), 1.01 * errors["a.iqm"] + 1e-3)
            self.assertLess(apart([surface.vertex(number, v, None)[0] for surface in keys.surfaces
                                   for v in range(surface.num_vertices)], places), 0.015)
            world = dict(zip([joint.name for joint in joints.joints], joints.world(joints.frames[number])))
            for tag, (name, bone) in enumerate(model.tags):
                self.assertLess(math.dist(keys.tag(number, tag, None).position, bones[bone][0]), 1e-3)
                self.assertLess(math.dist([row[3] for row in world[name]], bones[bone][0]), 0.03)

    def test_between_frames(self) -> None:
        """All formats have the poses of the bones as the game makes them, and no mean of two frames."""
        data = mds.make_player()
        self.put("body.mds", data)
        self.put("wolfanim.cfg", "VERSION 2\nSKELETAL\nSTARTANIMS\nwalk 0 6 6 10 0\n")
        model = mds.read_mds(data)
        self.check_between("body.mds", model, ["--frames", "3.25"], [(0, (3, 4, 0.75))])
        self.check_between("body.mds", model, ["--fps", "25"], [(k / 25, (k * 2 // 5, (k * 2 // 5 + 1) % 6, 1 - k * 2 % 5 / 5))
                                                                for k in range(15)])
        # An import's joints move its vertices between its frames, and the error is that from these places.
        log = self.convert("-f", "a.glb", "--frames", "1.5", "-o", "b.iqm")
        self.assertLess(float(log.split("maximum error ")[1].split()[0]), 0.2)
        # A player of several models: its body is where the bones have it.
        self.put_player()
        for made in "p.iqm", "p.md3":
            self.convert("-q", "p", "-o", made, "--frames", "3.25")
        posed = model.skeleton((3, 4, 0.75), (3, 4, 0.75))
        places = [place for place, _ in model.vertices(posed, 0)]
        keys = oracle.load_file(str(self.folder / "p.md3"))
        for all_places, far in ((iqm.read((self.folder / "p.iqm").read_bytes()).vertices(0), 0.4),
                                ([keys.surfaces[0].vertex(0, v, None)[0] for v in range(keys.surfaces[0].num_vertices)], 0.015)):
            self.assertLess(max(min(math.dist(one, other) for other in all_places) for one in places), far)

    def test_own_gltf_comes_back(self) -> None:
        """Clips and frames are those of the table, in which frames are in no clip."""
        self.put("body.mds", mds.make_player())
        self.put("wolfanim.cfg", "VERSION 2\nSKELETAL\nSTARTANIMS\nwalk 1 4 4 10 0\naim 6 4 0 20 0\nbase 11 1 0 15 0\n")
        for words, frames in ([], 9), (["--clip", "aim"], 4):
            with self.subTest(words):
                self.convert("-f", "body.mds", "-o", "a.glb", *words)
                self.convert("-f", "a.glb", "-o", "a.iqm")
                self.convert("-f", "body.mds", "-o", "b.iqm", *words)
                one, other = [iqm.read((self.folder / name).read_bytes()) for name in ("a.iqm", "b.iqm")]
                self.assertEqual(len(one.frames), frames)
                self.assertEqual([(c.name, c.count, c.fps, c.loops) for c in one.clips],
                                 [(c.name, c.count, c.fps, c.loops) for c in other.clips])
                for clip, same in zip(one.clips, other.clips):
                    for k in range(clip.count):
                        self.assertLess(apart(one.vertices(clip.first + k), other.vertices(same.first + k)), 0.05)

    def test_frames_without_clips(self) -> None:
        """Frames that no clip shows, of bones or of an IQM without clips, are one animation."""
        self.put("body.mds", mds.make_player())
        self.put("wolfanim.cfg", "VERSION 2\nSKELETAL\nSTARTANIMS\nwalk 0 2 2 10 0\n")
        made = bytearray(iqm.make(random.Random(1)))
        struct.pack_into("<I", made, 16 + 4 * iqm.FIELDS.index("num_anims"), 0)
        self.put("none.iqm", bytes(made))
        for words, frames in (["body.mds", "--frames", "3-7"], 5), (["none.iqm"], 7):
            with self.subTest(words):
                self.convert("-f", *words, "-o", "a.glb")
                self.convert("-f", *words, "-o", "a.iqm")
                self.convert("-f", "a.glb", "-o", "b.iqm")
                gltf = bake.read_glb((self.folder / "a.glb").read_bytes())
                one, other = [iqm.read((self.folder / name).read_bytes()) for name in ("a.iqm", "b.iqm")]
                self.assertEqual([animation["name"] for animation in gltf.document["animations"]], ["all"])
                self.assertEqual([(clip.name, clip.count) for clip in one.clips], [("all", frames)])
                self.assertEqual(len(other.frames), frames)
                for frame in range(frames):
                    self.assertLess(apart(one.vertices(frame), other.vertices(frame)), 0.05)

    def test_rates(self) -> None:
        """A rate at which no import reads the file is refused before anything is written; a lower one is read."""
        self.put("body.mds", mds.make_player())
        self.put("wolfanim.cfg", "VERSION 2\nSKELETAL\nSTARTANIMS\nwalk 0 6 6 0.1 0\naim 6 5 0 0.2 0\n")
        for name in "a.iqm", "a.glb":
            failed = self.call("convert", "body.mds", "--fps", "1000", "-o", name, status=1)
            self.assertIn("--fps 1000 gives 80001 frames, but an import of the file takes at most 65536: "
                          "lower the rate or select clips with --clip", failed.stderr)
            self.assertFalse((self.folder / name).exists())
        self.convert("-q", "body.mds", "--fps", "500", "-o", "a.iqm", "--clip", "walk")
        self.convert("-q", "a.iqm", "--frames", "0", "-o", "b.md3")

    def test_no_rest_pose(self) -> None:
        """Points that do not meet: a small error is reported, and a large one makes morph targets."""
        self.put("body.mds", mds.make_player(3, 7, 0.02))
        self.assertRegex(self.convert("body.mds", "-o", "a.glb"), r"the model's own, at most 0\.0\d+ units off")
        self.put("body.mds", mds.make_player(3, 7, 9.0))
        self.assertIn("no skeleton, but morph targets: no rest pose fits the model's bones: its error is ",
                      self.convert("body.mds", "-o", "b.glb"))
        self.assertNotIn("skins", bake.read_glb((self.folder / "b.glb").read_bytes()).document)

    def test_generated(self) -> None:
        """Any valid file becomes some glTF: its points need not meet."""
        for seed in range(12):
            rng = random.Random(seed)
            data, _ = mds.make_mds(rng, set(rng.sample(mds.FEATURES, 3)))
            self.put("body.mds", data)
            self.convert("-q", "body.mds", "-o", "a.glb")
            self.convert("-q", "body.mds", "-o", "b.glb", "--compress", "meshopt")

    def test_legs_and_torso(self) -> None:
        """As long as the longer of both, and at the higher rate."""
        self.put("wolfanim.cfg", CLIPS)
        data = mds.make_player()
        self.put("body.mds", data)
        model = mds.read_mds(data)
        self.convert("-q", "body.mds", "-o", "a.glb", "--clip", "walk+aim,aim", *MODEL)
        scene = Skinned(self.folder / "a.glb")
        self.assertEqual(set(scene.animations), {"walk+aim", "aim"})
        seconds = [t for (t,) in scene.gltf.elements(scene.animations["walk+aim"]["samplers"][0]["input"])]
        self.assertAlmostEqual(seconds[-1], 0.6, places=5)
        worst = 0.0
        for key in range(13):
            legs = (key // 2 % 6, (key + 1) // 2 % 6, 0.5) if key % 2 else (key // 2 % 6, key // 2 % 6, 0.0)
            torso = (min(6 + key, 10), min(6 + key, 10), 0.0)
            worst = max(worst, scene.error(model, "walk+aim", key / 20, model.skeleton(legs, torso)))
        self.assertLess(worst, 0.01)  # angles are rounded as in a file
        self.convert("-q", "body.mds", "-o", "a.md3", "--clip", "walk+aim")
        done = json.loads(self.call("info", "--json", "a.md3").stdout)
        self.assertEqual(len(done["frames"]), 13)
        self.assertEqual([clip["name"] for clip in done["clips"]], ["walk+aim"])  # by the names of frames
        # The longer clip ends between two frames of the higher rate.
        self.put("wolfanim.cfg", CLIPS.replace("walk 11 1 1 10 0", "fall 6 5 0 22 0\nturn 0 4 0 30 0"))
        self.convert("-q", "body.mds", "-o", "c.glb", "--clip", "fall+turn", *MODEL)
        scene = Skinned(self.folder / "c.glb")
        ends = model.skeleton((10, 10, 0.0), (3, 3, 0.0))
        self.assertLess(scene.error(model, "fall+turn", 6 / 30, ends), 0.01)
        for names, problem in (("aim+wolk", 'there is no clip "wolk"; did you mean "walk"?'),
                               ("aim+walk+fall", 'no model plays "fall" in "aim+walk+fall": each plays one clip at a '
                                                   "time, one with bones two")):
            self.assertIn(problem, self.convert("body.mds", "-o", "b.glb", "--clip", names, status=1))
            self.assertIn(problem, self.call("render", "body.mds", "-o", "b.png", "--clip", names, status=1).stderr)

    def test_options_without_effect(self) -> None:
        self.put("body.mds", mds.make_player())
        unused = "--topology has no effect: the model is no MD2"
        for words, warning in ((["convert", "-o", "a.md3", "--topology", "glcommands"], unused),
                               (["render", "-o", "a.png", "--topology", "glcommands"], unused),
                               (["render", "-o", "b.png", "--skeleton=2"],
                                "--skeleton=2 has no effect: the file has its own skeleton of 6 joints"),
                               (["convert", "-o", "a.glb", "--compress", "meshopt"],
                                "--compress does not keep the file's skeleton: its poses become morph targets")):
            self.assertIn(warning, self.call(words[0], "body.mds", *words[1:]).stderr)
        self.convert("-q", "-f", "body.mds", "-o", "b.glb")
        self.assertIn("--compress does not keep the file's skeleton", self.convert("b.glb", "-o", "c.glb", "--compress", "meshopt"))
        self.put("limb.md2", limb_md2())
        self.assertNotIn("does not keep", self.convert("limb.md2", "-o", "d.glb", "--compress", "meshopt"))

    # ---- Players

    def put_player(self) -> None:
        self.put("p/body.mds", mds.make_player())
        self.put("p/wolfanim.cfg", CLIPS)
        tag = (0, 0, 5, 1, 0, 0, 0, 1, 0, 0, 0, 1)
        for name, tags in ("head", [(b"tag_mouth", tag)]), ("acc/hat", ()), ("acc/pack", ()), ("acc/other", ()):
            self.put(f"p/{name}.md3", make_md3([(name[:3].encode(), b"", [(0, 1, 2)], [(0, 0)] * 3, CORNERS * 2)], tags, 2))
        for skin in "red1", "blue1":
            self.put(f"p/body_{skin}.skin", f'tag_head,\nu_body,{skin}.tga\nmd3_back, "acc/pack.md3"\n')
            self.put(f"p/head_{skin}.skin", f"md3_part,head.md3\nmd3_hat,acc/hat.md3\nhea,{skin}.tga\n")
        self.put("p/body_blue1.skin", "u_body,blue1.tga\nmd3_back,acc/kit\n")
        self.put("p/acc/kit.skin", "md3_part,acc/other.md3\nacc,kit.tga\n")

    def parts(self, *words: str) -> tuple[list[tuple[str, str]], str]:
        """Returns the files and tags of a player, and the messages."""
        done = self.call("info", "--json", *words, status=None)
        return [(Path(part["file"]).name, part.get("tag", "")) for part in json.loads(done.stdout)["parts"]], done.stderr

    def test_what_a_player_wears(self) -> None:
        self.put_player()
        red = [("body.mds", ""), ("head.md3", "tag_head"), ("hat.md3", "tag_mouth"), ("pack.md3", "tag_back")]
        blue = red[:3] + [("other.md3", "tag_back")]
        self.assertEqual(self.parts("p")[0], blue)  # the first in byte order
        self.assertEqual(self.parts("p", "--skin", "red1")[0], red)
        self.assertEqual(self.parts("p/body_red1.skin")[0], red)
        for option in "p/body_red1.skin", "./p/head_red1.skin":
            self.assertEqual(self.parts("p", "--skin", option), (red, ""))
        self.assertEqual(self.parts("p/body_blue1.skin", "--skin", "p/head_red1.skin", "--skin", "p/body_red1.skin"), (red, ""))
        self.assertIn('--skin takes one NAME, not both "red1" and "blue1"',
                      self.call("info", "p", "--skin", "red1", "--skin", "p/head_blue1.skin", status=None).stderr)
        self.assertEqual(self.parts("p/head_red1.skin")[0], red)
        self.assertEqual(json.loads(self.call("info", "--json", "p").stdout)["skins"], ["blue1", "red1"])
        packed = self.pack()
        for option in "red1", f"{packed}/head_red1.skin":
            self.assertEqual(self.parts(packed, "--skin", option), (red, ""))
        self.put("q/body_red1.skin", "u_body,own.tga\n")  # of no player
        self.assertEqual(self.parts("p", "--skin", "q/body_red1.skin")[0], blue)
        self.convert("-q", "p", "-o", "a.glb", "--skin", "red1")
        self.assertEqual(len(bake.read_glb((self.folder / "a.glb").read_bytes()).document["meshes"]), 4)
        self.assertIn("blue1.tga", self.call("info", "p").stdout)
        self.assertIn("no such file, and no body_green1.skin or image green1 in the model's folder; its skins are "
                      '"blue1", "red1"\n', self.call("info", "p", "--skin", "green1", status=None).stderr)
        self.assertIn('--skin takes one NAME, not both "red1" and "blue1"',
                      self.call("info", "p", "--skin", "red1", "--skin", "blue1", status=2).stderr)
        listed = self.call("render", "--json", "p", "p", "--sheet", "-o", "a.png", status=None).stdout.splitlines()
        self.assertTrue(all("head" not in line for line in listed))
        shutil.copy(self.folder / "p/acc/hat.md3", self.folder / "p/acc/hat.mdc")  # is tried first
        self.assertIn(("hat.mdc", "tag_mouth"), self.parts("p")[0])

    def pack(self) -> str:
        """Puts the player p into an archive. Returns its path there."""
        self.put("p.pk3", make_pk3([(f"models/players/p/{path.relative_to(self.folder / 'p')}", path.read_bytes())
                                    for path in sorted((self.folder / "p").rglob("*.*"))]))
        return "p.pk3:models/players/p"

    def test_frames_of_a_player(self) -> None:
        """A range has the frames of the body in all formats, whether clips show them or not."""
        self.put_player()
        self.put("p/wolfanim.cfg", "VERSION 2\nSKELETAL\nSTARTANIMS\nwalk 0 5 5 10 0\n")
        for frames, count, clips in ("2-6", 3, ["walk"]), ("6-8", 3, ["all"]), ("7-7", 1, []):
            for name in "a.glb", "a.iqm", "a.md3":
                self.convert("-q", "-f", "p", "--frames", frames, "-o", name)
            self.assertEqual(list(Skinned(self.folder / "a.glb").animations), clips, frames)
            made = iqm.read((self.folder / "a.iqm").read_bytes())
            self.assertEqual([(clip.name, clip.count) for clip in made.clips], [(name, count) for name in clips])
            for name in "a.glb", "a.iqm":
                self.convert("-q", "-f", name, "-o", "b.md3")
                compared = json.loads(self.call("compare", "--json", "a.md3", "b.md3").stdout)
                self.assertLess(compared["max_distance"], 0.5, (name, frames))
        self.assertIn("there are no clips to resample",
                      self.convert("p", "--frames", "6-8", "--fps", "5", "-o", "c.md3", status=1))

    def test_still_clips(self) -> None:
        """A clip of one frame lasts as long in the glTF of several models, which has no table of clips."""
        self.put_player()
        self.put("p/wolfanim.cfg", "VERSION 2\nSKELETAL\nSTARTANIMS\nlow 6 1 0 2 0\nhigh 7 1 1 15 0\nwalk 0 6 6 8 0\n")
        self.convert("-q", "p", "-o", "a.glb")
        self.assertEqual(self.clips("a.glb"), {("low", 1, 2, False), ("high", 1, 15, True), ("walk", 6, 8, True)})
        gltf = bake.read_glb((self.folder / "a.glb").read_bytes())
        for change in {"count": 3}, {"fps": 0}, {"loop": 2}, {"count": None}, {"count": 1 << 40}, {"fps": "2"}, {"loop": -1}:
            for animation in gltf.document["animations"]:
                if animation["name"] == "low":
                    animation["extras"] = {"fps": 2, "count": 1, "loop": 0} | change
            self.put("b.glb", glb(gltf.document, gltf.data))  # are no longer those of the keys
            self.assertIn(("low", 1, 2, True), self.clips("b.glb"), change)
        head = [(0, 1, 2)], [(0, 0)] * 3
        tag = (0, 0, 5, 1, 0, 0, 0, 1, 0, 0, 0, 1)
        for name, tags, frames in ("lower", [b"tag_torso"], 6), ("upper", [b"tag_torso", b"tag_head"], 3), ("head", [b"tag_head"], 1):
            moves = [(x + 64 * f, y, z, n) for f in range(frames) for x, y, z, n in CORNERS]
            self.put(f"q/{name}.md3", make_md3([(name.encode(), b"", *head, moves)], [(one, tag) for one in tags], frames))
        self.put("q/animation.cfg", "0 2 0 15 // BOTH_DEATH1\n1 1 0 30 // BOTH_DEAD1\n2 1 1 5 // TORSO_STAND\n2 4 4 8 // LEGS_IDLE\n")
        for words in [], ["--skeleton"]:
            self.convert("-q", "-f", "q", "-o", "q.glb", *words)
            self.assertEqual(self.clips("q.glb"), {("BOTH_DEATH1", 2, 15, False), ("BOTH_DEAD1", 1, 30, False),
                                                   ("TORSO_STAND", 1, 5, True), ("LEGS_IDLE", 4, 8, True)})

    def clips(self, name: str) -> set[tuple[str, int, float, bool]]:
        """The clips of a file as IQM."""
        self.convert("-q", "-f", name, "-o", "clips.iqm")
        return {(clip.name, clip.count, clip.fps, clip.loops) for clip in iqm.read((self.folder / "clips.iqm").read_bytes()).clips}

    def test_tags_of_one_name(self) -> None:
        """Of two tags with one name, in all formats the second gets another, if it is at another place."""
        self.put_player()
        tag = (0, 0, 9, 1, 0, 0, 0, 1, 0, 0, 0, 1)
        for name, more in ("tag_head", "tag_head_2"), ("tag_mouth", None):
            self.put("p/acc/pack.md3", make_md3([(b"acc", b"", [(0, 1, 2)], [(0, 0)] * 3, CORNERS)], [(name.encode(), tag)]))
            self.convert("-q", "-f", "p", "-o", "a.glb", "--skin", "red1")
            for source in "p", "a.glb":
                for out in "a.iqm", "a.md3", "a.mdc":
                    words = ["--skin", "red1"] if source == "p" else []
                    log = self.convert("-f", source, "-o", out, *words)
                    tags = json.loads(self.call("info", "--json", out).stdout)["tags"] if out != "a.iqm" else \
                           [joint.name for joint in iqm.read((self.folder / out).read_bytes()).joints]
                    with self.subTest(source, out=out, name=name):
                        self.assertEqual(tags.count(name), 1)
                        self.assertIn(f'several tags have the name "{name}": one becomes "{name}_2"', log)
                        self.assertEqual(tags.count(f"{name}_2"), 1)

    def test_materials(self) -> None:
        """A player in an archive, and one named by a skin, are the one of the folder."""
        self.put_player()
        packed = self.pack()
        self.convert("-q", "p", "--skin", "red1", "-o", "red.iqm")
        red = [mesh.material for mesh in iqm.read((self.folder / "red.iqm").read_bytes()).meshes]
        self.assertIn("red1.tga", red)
        for kind in "iqm", "md3", "mdc":
            for skin in "red1", "blue1", "none":
                self.convert("-q", "-f", "p", "--skin", skin, "-o", f"a.{kind}")
                wanted = (self.folder / f"a.{kind}").read_bytes()
                self.assertEqual(f"{skin}.tga".encode() in wanted, skin != "none", (kind, skin))
                sources = [[packed, "--skin", skin]]
                if skin != "none":
                    sources += [[f"p/body_{skin}.skin"], [f"p/head_{skin}.skin"], [f"{packed}/body_{skin}.skin"]]
                for words in sources:
                    self.convert("-q", "-f", *words, "-o", f"b.{kind}")
                    self.assertEqual((self.folder / f"b.{kind}").read_bytes(), wanted, (kind, words))
        self.assertIn('1 of the player\'s skins is left out: "red1"; --skin red1 writes it instead\n',
                      self.convert(packed, "-o", "c.iqm").replace("\n\n", "\n"))
        self.assertNotIn("left out", self.convert("-f", "p/body_red1.skin", "-o", "c.iqm"))

    def test_a_player_is_one_thing(self) -> None:
        """Its clips are those of its body, and its surfaces those of all its models; each of its models is checked."""
        self.put_player()
        clips = [one["name"] for one in json.loads(self.call("info", "--json", "p").stdout)["clips"]]
        self.convert("-q", "p", "-o", "a.glb")
        self.assertEqual(list(Skinned(self.folder / "a.glb").animations), clips)
        self.assertIn('there is no clip "f"', self.convert("p", "-o", "b.glb", "--clip", "f", status=1))
        body = [surface.name for surface in mds.read_mds(mds.make_player()).surfaces]
        self.call("uv", "p", "-o", "a.svg")
        drawn = re.findall("<title>(.*?)</title>", (self.folder / "a.svg").read_text(encoding="utf-8"))
        self.assertEqual(drawn, [*body, "hea", "acc", "acc"])
        self.call("uv", "p", "-o", "b.svg", "--surface", "hea")
        self.call("uv", "p", "-o", "out/")
        self.assertEqual(len(list((self.folder / "out").rglob("*.svg"))), 5)
        checked = {line.split(":")[0] for line in self.call("check", "p").stdout.splitlines()}
        self.assertEqual(checked, {"p/body.mds", "p/head.md3", "p/acc/hat.md3", "p/acc/other.md3", "p/acc/pack.md3"})
        for folder in "p", self.pack():
            worn = [f"{folder}/{name}" for name in ("body.mds", "head.md3", "acc/hat.md3", "acc/other.md3")]
            for command in "check", "examine":
                told = self.call(command, "--json", f"{folder}/head_blue1.skin").stdout.splitlines()
                self.assertEqual([json.loads(line)["file"] for line in told], worn)
        for name in "p/acc/pack.md3", "p/head.md3", "p/body.mds":
            self.put(name, b"damaged")
            self.assertIn(f"{name}: error [", self.call("check", "p/body_red1.skin", status=1).stdout)
        self.assertIn("; draw all its models with -o DIR/\n", self.call("uv", "p/acc", status=1).stderr)

    def test_the_body_alone(self) -> None:
        """It stands as in its folder, which is named, and so is a missing file of clips."""
        self.put_player()
        self.put("p/wolfanim.cfg", CLIPS.replace("aim", "stand_binoculars") + "stand_machinegun 9 1 1 10 0\n")
        folder = "p/body.mds: the body alone, without head and skin; the player is the folder p\n"
        log = self.call("render", "p/body.mds", "-o", "a.png", "--size", "32").stderr
        self.assertIn(folder, log)
        self.assertNotIn("wolfanim", log)
        self.call("render", "-q", "p/body.mds", "-o", "b.png", "--size", "32", "--clip", "stand_machinegun")
        self.assertEqual((self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes())
        self.assertNotIn("alone", self.call("info", "p").stderr)
        (self.folder / "p/wolfanim.cfg").unlink()
        missing = "p/body.mds: without wolfanim.cfg, which names its clips: there is no such file\n"
        self.assertIn(missing, self.call("info", "p").stderr)
        self.assertNotIn(missing, self.call("info", "p", "--clips-from", "none").stderr)
        self.put("body.mds", mds.make_player())
        self.assertNotIn("alone", self.call("info", "body.mds").stderr)

    def test_damaged_clips(self) -> None:
        """check and info count the warnings about a wolfanim.cfg with those of the body."""
        self.put_player()
        for row, code, warning in (
                ("neg -3 6 6 10 0", "clip-frames", "the model has none of the clip's frames; ignored"),
                ("none 3 0 0 10 0", "clip-frames", "the model has none of the clip's frames; ignored"),
                ("past 9 9 0 10 0", "clip-frames", "the clip extends beyond the model's last frame; shortened"),
                ("slow 0 3 0 -3 0", "clip-rate", "the rate is invalid; 10 fps is used"),
                ("word x 3 0 10 0", "clip-line", "not a clip; ignored"),
                ("few 1 2", "clip-line", "not a clip; ignored")):
            self.put("p/wolfanim.cfg", f"{CLIPS}{row}\n")
            text = f"p/wolfanim.cfg: line 7: {warning}\n"
            for path in "p/body.mds", "p":
                found = self.call("check", path).stdout
                self.assertIn(f"p/body.mds: warning [{code}] {text}", found)
                self.assertIn("p/body.mds: 0 errors, 1 warning\n", found)
                self.assertIn("0 errors, 1 warning; lerpmesh check", self.call("info", path).stdout)
            self.assertIn(text, self.convert("-f", "p", "-o", "a.glb"))
        self.put("p/wolfanim.cfg", CLIPS)
        self.assertIn("p/body.mds: 0 errors, 0 warnings\n", self.call("check", "p").stdout)
        (self.folder / "p/wolfanim.cfg").unlink()  # is no problem of the model
        self.assertIn("p/body.mds: 0 errors, 0 warnings\n", self.call("check", "p").stdout)

    def test_damaged_players(self) -> None:
        self.put_player()
        skin = (self.folder / "p/body_red1.skin").read_bytes()
        self.put("p/acc/ring.skin", "md3_part,acc/ring\n")
        self.put("p/acc/body.skin", "md3_part,body.mds\n")
        self.put("p/acc/none.skin", "u_body,x.tga\n")
        for text, warning in (
                (skin + b"md3_belt, ../../../etc/belt.md3\n", "red1.skin: the skin names ../../../etc/belt.md3, which is missing"),
                (skin + b"md3_beltl\nmd3_beltr,acc\n", "red1.skin: the skin names acc, but there is no such .skin file"),
                (skin + b"md3_beltl\n", "p/body_red1.skin: [skin-line] skin file: line 4 is not SURFACE,PATH"),
                (skin + b"md3_weapon,/etc/x.md3\n", "p/body_red1.skin: the skin names /etc/x.md3, which is missing"),
                (skin + b"md3_belt,body.mds\n", "p/body_red1.skin: the skin names body.mds, which is no .md3 file"),
                (skin + b"md3_belt,acc/ring\n", "p/acc/ring.skin: the skin names acc/ring, which is no .md3 file"),
                (skin + b"md3_belt,acc/body\n", "p/acc/body.skin: the skin names body.mds, which is no .md3 file"),
                (skin + b"md3_belt,acc/none\n", "red1.skin: the skin names acc/none, a skin without an md3_part"),
                (skin + b"md3_belt,acc/pack.md3\n", 'p/acc/pack.md3: left out: p/body.mds has no tag "tag_ubelt"'),
                (b"\xff\0\n" * 99, "line 1 is not SURFACE,PATH (byte 0) (first of 99 such lines)\n"),
                (b"", "")):
            self.put("p/body_red1.skin", text)
            log = self.convert("p", "-o", "a.glb", "--force", "--skin", "red1")
            self.assertIn(warning, log)
            if "the skin names" in warning:  # check tells the same, of the skin and of the whole player
                blue = (self.folder / "p/body_blue1.skin").read_bytes()
                self.put("p/body_blue1.skin", text)
                for player in "p/body_red1.skin", "p", self.pack():
                    told = self.call("check", player, status=None).stdout
                    self.assertIn("body.mds: warning [io] ", told)
                    self.assertIn(warning[warning.index("the skin names"):], told)
                self.put("p/body_blue1.skin", blue)
        for path in "acc/hat.md3", "head.md3", "head_red1.skin":
            (self.folder / "p" / path).unlink()
            self.assertIn(f"the skin names {path}, which is missing" if path.endswith("md3") else
                          "the player has no head: no head_red1.skin with an md3_part",
                          self.convert("p", "-o", "a.glb", "--force", "--skin", "red1"))
        (self.folder / "p/body_red1.skin").unlink()
        self.put("p/head_red1.skin", skin)
        self.assertIn('skin red1: no such file, and no body_red1.skin or image red1 in the model\'s folder; its skins are "blue1"',
                      self.convert("p", "-o", "b.glb", "--skin", "red1", status=1))
        self.assertIn("p: there is no body_red1.skin, which names what the player wears",
                      self.convert("p/head_red1.skin", "-o", "b.glb", status=1))
        (self.folder / "p/body_blue1.skin").unlink()
        self.assertIn("p/body.mds: without body_NAME.skin, which names what the player wears and is missing",
                      self.convert("p", "-o", "a.glb", "--force"))  # the body alone
        (self.folder / "p/body.mds").unlink()
        self.assertIn("no body.mds, lower.md3", self.convert("p", "-o", "b.glb", status=1))


class TwoFormats(FolderCase):
    """glTF and IQM get one skeleton: the same joints and tags, and the same movement."""

    def tree(self, gltf: bake.Gltf) -> dict[str, str | None]:
        """The joints and tags, each with the one above."""
        nodes = gltf.document["nodes"]
        shown = {joint for skin in gltf.document["skins"] for joint in skin["joints"]}
        shown |= {i for i, node in enumerate(nodes) if "tag" in node.get("extras", {})}
        above = {child: i for i, node in enumerate(nodes) for child in node.get("children", [])}
        out: dict[str, str | None] = {}
        for i in shown:
            up = above.get(i)
            while up is not None and up not in shown:
                up = above.get(up)
            out[nodes[i]["name"]] = None if up is None else nodes[up]["name"]
        return out

    def compare(self, far: float, *words: object) -> iqm.Iqm:
        self.convert("-q", "-f", *words, "-o", "a.glb", *MODEL)
        self.convert("-q", "-f", *(word for word in words if word != "--skeleton"), "-o", "a.iqm")
        return self.check(far, bake.read_glb((self.folder / "a.glb").read_bytes()), words)

    def check(self, far: float, gltf: bake.Gltf, words: object, more: frozenset[str] = frozenset()) -> iqm.Iqm:
        """Compares a.iqm, which may have more joints."""
        made = iqm.read((self.folder / "a.iqm").read_bytes())
        own: dict[str, str | None] = {}
        for joint in made.joints:
            if joint.name not in more:
                self.assertNotIn(joint.name, own)
                own[joint.name] = made.joints[joint.parent].name if joint.parent >= 0 else None
        tree, root = self.tree(gltf), made.joints[0].name
        if root not in tree:  # the root of several
            own = {name: None if up == root else up for name, up in own.items() if name != root}
        self.assertEqual(own, tree)
        clips = {clip.name: clip for clip in made.clips}
        nodes = gltf.document["nodes"]
        for animation in gltf.document["animations"][:3]:
            clip = clips[animation["name"]]
            for k in sorted({0, clip.count // 2, clip.count - 1}):
                world, weights = gltf.pose(animation, k / clip.fps)
                places = [place for i, node in enumerate(nodes) if "mesh" in node
                          for place in gltf.vertices(i, gltf.document["meshes"][node["mesh"]]["primitives"][0], world, weights)]
                self.assertLess(apart(made.vertices(clip.first + k), places), far, (words, clip.name, k))
                placed = dict(zip((joint.name for joint in made.joints), made.world(made.frames[clip.first + k])))
                for i, node in enumerate(nodes):
                    if node["name"] in tree:
                        m = placed[node["name"]]
                        self.assertLess(math.dist([m[r][3] for r in range(3)], [world[i][r][3] for r in range(3)]), far)
        return made

    def test_own_bones(self) -> None:
        Bones.put_player(self)  # type: ignore[arg-type]
        for words in (["p/body.mds"], ["p"], ["p", "--skin", "red1"], ["p", "--clip", "walk+aim"], ["p/body.mds", "--clip", "walk+aim,aim"],
                      ["p", "--scale", "0.5"], ["p/body.mds", "--scale", "0.5"], ["p", "--fps", "20"], ["p/body.mds", "--fps", "20"],
                      ["p/body.mds", "--frames", "2-5"], ["p/body.mds", "--clip", "aim"]):
            with self.subTest(words):
                made = self.compare(0.4, *words)
                self.assertEqual([name for name, *_ in BONES[:6]], [joint.name for joint in made.joints[:6]])
        # The player's glTF as input. Rigid models are joints, because they are nodes.
        self.convert("-q", "p", "-o", "p.glb", *MODEL)
        self.convert("-q", "-f", "p.glb", "-o", "a.iqm")
        gltf = bake.read_glb((self.folder / "p.glb").read_bytes())
        self.check(0.4, gltf, "p.glb", frozenset({node["name"] for node in gltf.document["nodes"] if "mesh" in node}))

    def test_gltf_of_gltf(self) -> None:
        """A tag that is a joint is one node with both. Rigid models follow the tags that hold them, without joints of their own."""
        Bones.put_player(self)  # type: ignore[arg-type]
        first, second = self.again("p")
        self.assertEqual(second, first)

    def again(self, *words: object) -> tuple[dict[str, str | None], dict[str, str | None]]:
        """Converts to glTF, and that twice. Returns the first two trees."""
        self.convert("-q", *words, "-o", "0.glb", *MODEL)
        for i in range(2):
            self.convert("-q", f"{i}.glb", "-o", f"{i + 1}.glb", *MODEL)
        scenes = [Skinned(self.folder / f"{i}.glb") for i in range(3)]
        trees = [self.tree(scene.gltf) for scene in scenes]
        self.assertEqual(trees[1].keys(), trees[0].keys())
        self.assertEqual(trees[2], trees[1])
        tags, names = [], []
        for scene in scenes:
            names.append(sorted(node["name"] for node in scene.nodes))
            tags.append(sorted((node["extras"]["tag"], node["name"]) for node in scene.nodes if "tag" in node.get("extras", {})))
        self.assertEqual([tags[1], tags[2], names[2]], [tags[0], tags[0], names[1]])
        clip = next(iter(scenes[0].animations))
        times = scenes[0].gltf.elements(scenes[0].animations[clip]["samplers"][0]["input"])
        for seconds in times[0][0], times[-1][0]:
            places = []
            for scene in scenes:
                world, _ = scene.gltf.pose(scene.animations[clip], seconds)
                places.append({node["name"]: [row[3] for row in world[i]] for i, node in enumerate(scene.nodes)})
            for name in trees[0]:
                for other in places[1:]:
                    self.assertLess(math.dist(other[name][:3], places[0][name][:3]), 0.1, name)
        return trees[0], trees[1]

    def test_mirrored_tags(self) -> None:
        """Joints have no scale: such a tag is a node below the joint with its name."""
        Bones.put_player(self)  # type: ignore[arg-type]
        self.convert("-q", "p", "-o", "a.glb", *MODEL)
        gltf = bake.read_glb((self.folder / "a.glb").read_bytes())
        node, = (node for node in gltf.document["nodes"] if node["name"] == "tag_head")
        node["scale"] = [1, -1, 1]
        self.put("a.glb", glb(gltf.document, gltf.data))
        self.convert("-q", "a.glb", "-o", "b.glb", *MODEL)
        scene = Skinned(self.folder / "b.glb")
        node, = (node for node in scene.nodes if node["name"] == "tag_head_2")
        self.assertLess(math.prod(node["scale"]), 0)
        joint, = (joint for joint in scene.nodes if scene.nodes.index(node) in joint.get("children", []))
        self.assertEqual(joint["name"], "tag_head")
        self.assertEqual(self.tree(scene.gltf)["hea"], "tag_head")

    def test_found_skeletons(self) -> None:
        self.put("limb.md2", limb_md2())
        self.convert("-q", "limb.md2", "-o", "limb.md3")
        self.call("edit", "limb.md3", "--add-tag", "tag_hand=1,2,3,follow@0", "-o", "tag.md3")
        for words in (["tag.md3"], ["tag.md3", "--scale", "0.5"], ["tag.md3", "--fps", "7"], ["tag.md3", "--skeleton=2"],
                      ["tag.md3", "--attach", "tag_hand=limb.md3"]):
            with self.subTest(words):
                self.compare(0.4, *words, *(["--skeleton"] if "--skeleton=2" not in words else []))
        self.convert("-q", "tag.md3", "-o", "b.glb", "--skeleton")
        self.compare(0.4, "b.glb")

    def test_too_many_joints_and_tags(self) -> None:
        """IQM keeps no skeleton of 128 joints besides a tag: vertices follow one that is found. glTF keeps up to 256 joints."""
        self.put("limb.md2", limb_md2())
        self.convert("-q", "limb.md2", "-o", "limb.md3")
        self.call("edit", "limb.md3", "--add-tag", "tag_hand=1,2,3,follow@0", "-o", "tag.md3")
        self.convert("-q", "tag.md3", "-o", "a.glb", "--skeleton")
        for count in 128, 200, 256, 257:
            with self.subTest(count):
                self.put_joints(count)
                log = self.convert("-f", "b.glb", "-o", "a.iqm")
                self.assertIn("its skeleton is not kept" if count > 256 else
                              f"the skeleton is not kept: {count} joints and 1 tag are more than the 128 joints that engines read", log)
                made = iqm.read((self.folder / "a.iqm").read_bytes())
                self.assertLess(len(made.joints), 41)
                self.assertIn("tag_hand", [joint.name for joint in made.joints])
                self.convert("-q", "-f", "b.glb", "-o", "c.glb")
                scenes = [bake.read_glb((self.folder / name).read_bytes()).document for name in ("b.glb", "c.glb")]
                names = [{scene["nodes"][joint]["name"] for skin in scene.get("skins", []) for joint in skin["joints"]} for scene in scenes]
                self.assertEqual(names[1] - {"tag_hand"}, names[0] - {"tag_hand"} if count <= 256 else set())

    def put_joints(self, count: int) -> None:
        """Puts b.glb: a.glb with more joints below the first, which nothing follows."""
        gltf = bake.read_glb((self.folder / "a.glb").read_bytes())
        document, skin = gltf.document, gltf.document["skins"][0]
        matrices = gltf.elements(skin["inverseBindMatrices"])
        matrices += [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)] * (count - len(matrices))
        more = range(len(document["nodes"]), len(document["nodes"]) + count - len(skin["joints"]))
        document["nodes"] += [{"name": f"more{node}"} for node in more]
        document["nodes"][skin["joints"][0]]["children"] += more
        skin["joints"] += more
        data = gltf.data + bytes(-len(gltf.data) % 4)
        document["bufferViews"] += [{"buffer": 0, "byteOffset": len(data), "byteLength": 64 * count}]
        document["accessors"] += [{"bufferView": len(document["bufferViews"]) - 1, "componentType": 5126, "type": "MAT4", "count": count}]
        document["buffers"][0]["byteLength"] = len(data) + 64 * count
        skin["inverseBindMatrices"] = len(document["accessors"]) - 1
        self.put("b.glb", glb(document, data + struct.pack(f"<{16 * count}f", *(x for m in matrices for x in m))))

    put = Bones.put


class RealPlayer(FolderCase):
    def setUp(self) -> None:
        if not MULTI.is_dir():
            skipping.skip(self, "there are no files of Return to Castle Wolfenstein")
        super().setUp()

    def test_poses(self) -> None:
        """Five of 875 vertices have points that meet in no rest pose: they are up to 0.003 units off."""
        model = mds.read_mds((MULTI / "body.mds").read_bytes())
        clips = json.loads(self.call("info", "--json", MULTI / "body.mds").stdout)["clips"]
        self.assertEqual(len(clips), 138)
        self.convert("-q", MULTI / "body.mds", "-o", "a.glb", *MODEL)
        scene = Skinned(self.folder / "a.glb")
        self.assertEqual({one["name"] for one in clips}, set(scene.animations))
        self.assertEqual(len(scene.joints()), 53 + 17)
        self.assertLess((self.folder / "a.glb").stat().st_size, 11 << 20)  # with morph targets, 105 MB
        worst = []
        for one in clips[3::45]:
            frame = one["first"] + one["count"] // 2
            seconds = one["count"] // 2 / one["fps"]
            bones = model.skeleton((frame, frame, 0.0), (frame, frame, 0.0))
            worst.append(scene.error(model, one["name"], seconds, bones))
        self.assertLess(max(worst), 0.003)

    def test_between_frames(self) -> None:
        model = mds.read_mds((MULTI / "body.mds").read_bytes())
        Bones.check_tags(self, MULTI / "body.mds", model, "--frames", "0")  # type: ignore[arg-type]
        Bones.check_between(self, MULTI / "body.mds", model, ["--frames", "1880.5"], [(0, (1880, 1881, 0.5))])  # type: ignore[arg-type]

    def test_two_formats(self) -> None:
        for words in [MULTI / "body.mds"], [MULTI, "--skin", SKINS[0]], [MULTI, "--clip", "stand_radio+pain_head", "--scale", "2"]:
            with self.subTest(words):
                TwoFormats.compare(self, 0.1, *words)  # type: ignore[arg-type]

    def test_gltf_of_gltf(self) -> None:
        TwoFormats.again(self, MULTI, "--clip", "stand_machinegun")  # type: ignore[arg-type]

    tree, check = TwoFormats.tree, TwoFormats.check

    def test_what_it_wears(self) -> None:
        for skin, hat in zip(SKINS, ("eng", "lieu", "med", "sol")):
            done = json.loads(self.call("info", "--json", MULTI, "--skin", skin).stdout)
            self.assertEqual(done["skins"], SKINS)
            self.assertEqual([part.get("tag") for part in done["parts"][1:]], ["tag_head", "tag_mouth", "tag_back"])
            self.assertEqual([Path(part["file"]).name for part in done["parts"]],
                             ["body.mds", "head.md3", f"{hat}.md3", f"backpack_{hat}.md3"])
            log = self.convert("-q", MULTI, "-o", "a.glb", "--force", "--skin", skin, "--clip", "stand_machinegun")
            self.assertNotIn("not found", log)


if __name__ == "__main__":
    unittest.main()
