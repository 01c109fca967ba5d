"""Tests models with bones (MDS): the skinned glTF, evaluated by the specification's text, is where an independent decoder
of MDS puts the vertices; clips of legs and torso at once; players of Return to Castle Wolfenstein, whose .skin files name
what they wear. Real players are those of the game, if its files are there."""
import json
import math
import random
import shutil
import struct
import unittest
from pathlib import Path
from typing import Any

import bake
import corpus
import mds
import skipping
from command import FolderCase
from oracle import Vec3, angle_axes
from small_files import make_md3, make_pk3

GAME = corpus.corpus_dir().parent / "rtcw/main"
MULTI = GAME / "models/players/multi"
SKINS = ["blueengineer1", "bluelieutenant1", "bluemedic1", "bluesoldier1"]
# Name, parent, share of the torso, distance from the parent.
BONES = (("hips", -1, 0.0, 0.0), ("spine", 0, 0.4, 9.0), ("neck", 1, 1.0, 12.0), ("arm", 1, 1.0, 8.0), ("leg", 0, 0.0, 7.0),
         ("foot", 4, 0.0, 11.0), ("tag_head", 2, 1.0, 3.0), ("tag_back", 1, 0.4, 4.0))
CLIPS = "VERSION 2\nSKELETAL\nSTARTANIMS\nwalk 0 6 6 10 0\naim 6 5 0 20 0\nwalk 11 1 1 10 0\n"
FRAMES = 12
CORNERS = [(0, 0, 0, 0), (64, 0, 0, 0), (0, 64, 0, 0)]
MODEL = ("--axes", "model", "--unit", "1")
Place = tuple[Vec3, tuple[Vec3, Vec3, Vec3]]


def made(weights: int = 3, seed: int = 1, spread: float = 0.0) -> bytes:
    """Makes an MDS whose points meet in a rest pose that no frame has, or miss each other by `spread`."""
    rng = random.Random(seed)

    def angle() -> int:
        return rng.randint(-6000, 6000)

    rest: list[Place] = []
    for _, parent, _, distance in BONES:
        rows = angle_axes(*(rng.uniform(-40, 40) for _ in range(3)))
        x, y, z = rest[parent][0] if parent >= 0 else (0.0, 0.0, 0.0)
        way = angle_axes(rng.uniform(-40, 40), rng.uniform(-40, 40), 0.0)[0]
        rest.append(((x + distance * way[0], y + distance * way[1], z + distance * way[2]), rows))
    frames = b""
    for _ in range(FRAMES):
        frames += struct.pack("<13f", *(-90.0,) * 3, *(90.0,) * 3, *(0.0,) * 3, 160.0, *(rng.uniform(-5, 5) for _ in range(3)))
        frames += b"".join(struct.pack("<6h", angle(), angle(), angle(), 0, angle(), angle()) for _ in BONES)
    bones = b"".join(struct.pack("<64siffi", name.encode(), parent, share, distance, int(name.startswith("tag_")))
                     for name, parent, share, distance in BONES)
    vertices = b""
    for v in range(60):
        point = [rng.uniform(-20, 20) for _ in range(3)]
        chosen = rng.sample(range(6), min(6, 1 + v % weights))
        shares = [rng.uniform(0.1, 1) for _ in chosen]
        vertices += struct.pack("<5fiif", 0, 0, 1, rng.random(), rng.random(), len(chosen), 0, 0.0)
        for bone, share in zip(chosen, shares):
            origin, rows = rest[bone]
            away = [p - o for p, o in zip(point, origin)]
            offset = [sum(rows[k][i] * away[k] for k in range(3)) + rng.uniform(-spread, spread) for i in range(3)]
            vertices += struct.pack("<if3f", bone, share / sum(shares), *offset)
    lumps = [vertices, b"".join(struct.pack("<3i", v, v + 1, v + 2) for v in range(58)),
             struct.pack("<60i", *range(60)), struct.pack("<6i", *range(6))]
    at = [176 + sum(map(len, lumps[:i])) for i in range(5)]
    start = 120 + len(frames) + len(bones)
    surface = struct.pack("<i64s64s11i", 8, b"u_body", b"", 0, 0, -start, 60, at[0], 58, at[1], at[2], 6, at[3], at[4])
    surface += b"".join(lumps)
    tags = b"".join(struct.pack("<64sfi", BONES[b][0].encode(), 0.0, b) for b in (6, 7))
    header = struct.pack("<4si64s2f10i", b"MDSW", 4, b"made", 1.0, 0.0, FRAMES, len(BONES), 120, 120 + len(frames), 1, 1, start, 2,
                         start + len(surface), start + len(surface) + len(tags))
    return header + frames + bones + surface + tags


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
        worst = 0.0
        for parent in skin["joints"]:
            for tag in self.nodes[parent].get("children", []):
                if self.nodes[tag]["name"] in dict(model.tags):
                    # Joints have the axes of the model, so that the inverse is a translation.
                    local = bake.local_matrix(self.nodes[tag], tag, {})
                    there = [[rest[tag][4 * c + r] for c in range(4)] for r in range(4)]
                    moved = bake.product(there, bake.product([[1.0, 0, 0, -rest[parent][12]], [0, 1.0, 0, -rest[parent][13]],
                                                              [0, 0, 1.0, -rest[parent][14]], [0, 0, 0, 1.0]], local))
                    worst = max(worst, *(abs(moved[r][c] - (r == c)) for r in range(4) for c in range(4)))
        return worst

    def error(self, model: mds.Mds, clip: str, seconds: float, bones: Any) -> float:
        """The largest distance of a vertex or a tag from where the bones have it."""
        world, weights = self.gltf.pose(self.animations[clip], seconds)
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
            data = made(weights, weights)
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

    def test_no_rest_pose(self) -> None:
        """Points that do not meet: a small error is reported, and a large one makes morph targets."""
        self.put("body.mds", made(3, 7, 0.02))
        self.assertRegex(self.convert("body.mds", "-o", "a.glb"), r"the model's own, at most 0\.0\d+ units off")
        self.put("body.mds", made(3, 7, 9.0))
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
        data = made()
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
        self.assertEqual(len(json.loads(self.call("info", "--json", "a.md3").stdout)["frames"]), 13)
        self.assertIn('there is no clip "wolk"; did you mean "walk"?',
                      self.convert("body.mds", "-o", "b.glb", "--clip", "aim+wolk", status=1))

    # ---- Players

    def put_player(self) -> None:
        self.put("p/body.mds", made())
        self.put("p/wolfanim.cfg", CLIPS)
        tag = (0, 0, 5, 1, 0, 0, 0, 1, 0, 0, 0, 1)
        for name, tags in ("head", [(b"tag_mouth", tag)]), ("acc/hat", ()), ("acc/pack", ()), ("acc/other", ()):
            self.put(f"p/{name}.md3", make_md3([(name[:3].encode(), b"", [(0, 1, 2)], [(0, 0)] * 3, CORNERS)], tags))
        for skin in "red1", "blue1":
            self.put(f"p/body_{skin}.skin", f'tag_head,\nu_body,{skin}.tga\nmd3_back, "acc/{"pack" if skin == "red1" else "kit"}.md3"\n')
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
        self.assertEqual(json.loads(self.call("info", "--json", "p").stdout)["skins"], ["blue1", "red1"])
        self.put("p.pk3", make_pk3([(f"models/players/p/{path.relative_to(self.folder / 'p')}", path.read_bytes())
                                    for path in sorted((self.folder / "p").rglob("*.*"))]))
        self.assertEqual(self.parts("p.pk3:models/players/p", "--skin", "red1")[0], red)
        self.convert("-q", "p", "-o", "a.glb", "--skin", "red1")
        self.assertEqual(len(bake.read_glb((self.folder / "a.glb").read_bytes()).document["meshes"]), 4)
        self.assertIn("blue1.tga", self.call("info", "p").stdout)
        self.assertIn("no such file, and no ..._green1.skin", self.call("info", "p", "--skin", "green1", status=None).stderr)
        listed = self.call("render", "--json", "p", "p", "--sheet", "-o", "a.png", status=None).stdout.splitlines()
        self.assertTrue(all("head" not in line for line in listed))
        shutil.copy(self.folder / "p/acc/hat.md3", self.folder / "p/acc/hat.mdc")  # is tried first
        self.assertIn(("hat.mdc", "tag_mouth"), self.parts("p")[0])

    def test_damaged_players(self) -> None:
        self.put_player()
        skin = (self.folder / "p/body_red1.skin").read_bytes()
        for text, warning in (
                (skin + b"md3_belt, ../../../etc/belt.md3\n", "the skin names ../../../etc/belt.md3, which is missing"),
                (skin + b"md3_beltl\nmd3_beltr,acc\n", "the skin names acc, which is missing"),
                (skin + b"md3_weapon,/etc/x.md3\n", "the skin names /etc/x.md3, which is missing"),
                (skin + b"md3_belt,body.mds\n", "the skin names body.mds, which is missing"),
                (skin + b"md3_belt,acc/pack.md3\n", 'p/acc/pack.md3: left out: p/body.mds has no tag "tag_ubelt"'),
                (b"\xff\0" * 99, ""), (b"", "")):
            self.put("p/body_red1.skin", text)
            log = self.convert("p", "-o", "a.glb", "--force", "--skin", "red1")
            self.assertIn(warning, log)
        for path in "acc/hat.md3", "head.md3", "head_red1.skin":
            (self.folder / "p" / path).unlink()
            self.assertIn(f"the skin names {path}, which is missing" if path.endswith("md3") else
                          "the player has no head: no head_red1.skin with an md3_part",
                          self.convert("p", "-o", "a.glb", "--force", "--skin", "red1"))
        for path in (self.folder / "p").glob("*.skin"):
            path.unlink()
        self.convert("p", "-o", "a.glb", "--force")  # the body alone
        (self.folder / "p/body.mds").unlink()
        self.assertIn("no body.mds, lower.md3", self.convert("p", "-o", "b.glb", status=1))


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
