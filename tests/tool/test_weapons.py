"""Tests first-person weapons of Return to Castle Wolfenstein: each part is where the game's rule puts it, computed here
from the bytes of the tags. Real weapons are those of the game, if its files are there."""
import itertools
import json
import math
import os
import shutil
import struct
import subprocess
import unittest
from pathlib import Path
from typing import Any

import bake
import corpus
import image_files
import oracle
import player_scene
import skipping
from command import FolderCase, call
from small_files import glb, make_md3, make_pk3, parse_glb
from test_player import as_model

GAME = corpus.corpus_dir().parent / "rtcw/main/models"
CLIPS = ("IDLE1", "IDLE2", "ATTACK1", "ATTACK2", "ATTACK_LASTSHOT", "DROP", "RAISE", "RELOAD1", "RELOAD2", "RELOAD3",
         "ALTSWITCHFROM", "ALTSWITCHTO")
Place = tuple[list[float], list[list[float]]]  # an origin and three axes


def axes(pitch: float, yaw: float, roll: float) -> list[list[float]]:
    """Returns forward, left and up of angles in radians."""
    (sp, cp), (sy, cy), (sr, cr) = ((math.sin(angle), math.cos(angle)) for angle in (pitch, yaw, roll))
    return [[cp * cy, cp * sy, -sp], [sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp],
            [cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp]]


def tags_of(path: Path) -> list[dict[str, Place]]:
    """Reads the tags of each frame from the bytes of an MD3 or MDC."""
    data = path.read_bytes()
    frames, count = struct.unpack_from("<2i", data, 76)
    if data[:4] == b"IDP3":
        at, = struct.unpack_from("<i", data, 96)
        rows = [struct.unpack_from("<64s12f", data, at + 112 * i) for i in range(frames * count)]
        places = [(row[0], (list(row[1:4]), [list(row[4 + 3 * i:7 + 3 * i]) for i in range(3)])) for row in rows]
    else:
        names, at = struct.unpack_from("<2i", data, 96)
        places = []
        for i in range(frames * count):
            *origin, pitch, yaw, roll = struct.unpack_from("<6h", data, at + 12 * i)
            name = data[names + 64 * (i % count):][:64]
            angles = [angle * 2 * math.pi / 32700 for angle in (pitch, yaw, roll)]
            places.append((name, ([value / 64 for value in origin], axes(*angles))))
    return [{name.split(b"\0")[0].decode(): place for name, place in places[frame * count:(frame + 1) * count]}
            for frame in range(frames)]


def nested(parent: Place, child: Place) -> Place:
    """Returns the place of what is at `child` of what is at `parent`."""
    def along(vector: list[float]) -> list[float]:
        return [sum(vector[i] * parent[1][i][k] for i in range(3)) for k in range(3)]
    return [a + b for a, b in zip(parent[0], along(child[0]))], [along(axis) for axis in child[1]]


def rows_of(path: Path) -> dict[str, tuple[int, int, float, int, int]]:
    """Reads a weapon.cfg: name: first, count, fps, animated and hidden barrels."""
    lines = [line.partition("//")[0].split() for line in path.read_text(encoding="latin-1").splitlines()]
    new = ["newfmt"] in lines
    rows = [[float(word) for word in line] for line in lines if len(line) >= 4]
    return {name: (int(row[0]), int(row[1]), row[2] or 1, *((int(row[4]), int(row[6])) if new else (0, 0)))
            for name, row in zip(CLIPS, rows)}


def find(folder: Path, stem: str) -> Path | None:
    """The game tries .mdc before .md3, whatever their case."""
    return next((path for extension in (".mdc", ".md3") for path in sorted(folder.iterdir())
                 if path.name.lower() == stem + extension), None)


def expected(folder: Path, weapon: str, frame: int) -> dict[str, Place]:
    """Returns the place of each part in a frame of the hand, by the rule of the game."""
    hand = tags_of(find(folder, weapon + "_hand") or folder)[frame]
    places = {weapon: hand["tag_weapon"]}
    scope = find(folder, weapon + "_scope")
    if scope:
        places[scope.stem] = nested(hand["tag_weapon"], tags_of(find(folder, weapon) or folder)[0]["tag_scope"])
    for number in range(1, 8):
        suffix = str(number) if number > 1 else ""
        barrel = find(folder, f"{weapon}_barrel{suffix}")
        if not barrel and weapon != "v_mauser":
            break
        if barrel and "tag_barrel" + suffix in hand:
            places[barrel.stem] = hand["tag_barrel" + suffix]
    return places


def drawn(folder: Path, weapon: str, row: str, key: int) -> dict[str, list[tuple[float, ...]]]:
    """Returns the corners of each model's triangles in a frame of a row, as the game puts the files together."""
    rows = rows_of(folder / "weapon.cfg")
    first, _, _, animated, hidden = rows[row]
    found = {}
    for part, place in expected(folder, weapon, first + key).items():
        suffix = part[len(weapon) + 1:]
        bit = 1 << (int(suffix[6:] or 1) - 1) if suffix.startswith("barrel") else 0
        before = sum(each[1] for each in list(rows.values())[:list(rows).index(row)] if each[3] & bit)
        pose = oracle.load((find(folder, part) or folder).read_bytes()).pose(before + key if animated & bit else 0)
        found[part] = [tuple(nested(place, (list(corner.position), []))[0]) for surface in pose.surfaces
                       for triangle in surface.triangles for corner in triangle if not hidden & bit]
    return found


class Scene:
    """A weapon as a .glb in the model's axes and units."""

    def __init__(self, path: Path) -> None:
        self.gltf = bake.read_glb(path.read_bytes())
        nodes = self.gltf.document["nodes"]
        self.animations = {one["name"]: one for one in self.gltf.document.get("animations", [])}
        parents = {child: i for i, node in enumerate(nodes) for child in node.get("children", [])}
        # A tag that holds a model is the parent of its meshes' nodes, and of its tags.
        self.tags = {i: node["extras"]["tag"] for i, node in enumerate(nodes) if "tag" in node.get("extras", {})}
        self.held = {tag: [child for child in nodes[tag].get("children", [])] for tag in self.tags}
        self.of_hand = {name: i for i, name in self.tags.items() if i not in parents or parents[i] not in self.tags}
        self.parents = parents

    def pose(self, clip: str, key: int, fps: float) -> Any:
        return self.gltf.pose(self.animations[clip], key / fps)[0]


def split_glb(data: bytes) -> tuple[dict[str, Any], bytearray]:
    document = parse_glb(data)
    return document, bytearray(data[-document["buffers"][0]["byteLength"]:])


def floats_of(document: dict[str, Any], data: bytearray, index: int) -> list[tuple[float, ...]]:
    """Reads the rows of an accessor."""
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    at = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return [struct.unpack_from(f"<{width}f", data, at + i * view.get("byteStride", 4 * width))
            for i in range(accessor["count"])]


def add_floats(document: dict[str, Any], data: bytearray, rows: list[tuple[float, ...]]) -> int:
    """Adds an accessor with these rows."""
    document["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": 4 * len(rows) * len(rows[0])})
    data.extend(b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows))
    document["buffers"][0]["byteLength"] = len(data)
    document["accessors"].append({
        "bufferView": len(document["bufferViews"]) - 1, "componentType": 5126, "count": len(rows),
        "type": {1: "SCALAR", 3: "VEC3", 4: "VEC4"}[len(rows[0])], "min": [min(column) for column in zip(*rows)],
        "max": [max(column) for column in zip(*rows)]})
    return len(document["accessors"]) - 1


def resample(document: dict[str, Any], data: bytearray, fps: int) -> None:
    """Samples all animations at other times, up to the frame after the end, as Blender does: each component of a rotation
    is interpolated, and then the length."""
    for animation in document["animations"]:
        samplers = []
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            times = [row[0] for row in floats_of(document, data, sampler["input"])]
            rows = floats_of(document, data, sampler["output"])
            width = len(rows) // len(times)  # of morph targets
            rows = [tuple(x for row in rows[i * width:(i + 1) * width] for x in row) for i in range(len(times))]
            made = []
            for j in range(math.ceil(times[-1] * fps - .01) + 1):
                time = min(max(j / fps, times[0]), times[-1])
                k = max(i for i, at in enumerate(times) if at <= time)
                after = min(k + 1, len(times) - 1)
                t = (time - times[k]) / (times[after] - times[k]) if after > k else 0.0
                t = 0.0 if sampler.get("interpolation") == "STEP" else t
                rotated = channel["target"]["path"] == "rotation"
                sign = -1 if rotated and sum(a * b for a, b in zip(rows[k], rows[after])) < 0 else 1
                row = [a + (sign * b - a) * t for a, b in zip(rows[k], rows[after])]
                length = math.hypot(*row) if rotated else 1
                made.append(tuple(x / length for x in row))
            if channel["target"]["path"] == "weights":
                made_rows = [(x,) for row in made for x in row]
            else:
                made_rows = made
            samplers.append({"input": add_floats(document, data, [(j / fps,) for j in range(len(made))]),
                             "output": add_floats(document, data, made_rows)})
            channel["sampler"] = len(samplers) - 1
        animation["samplers"] = samplers


def convert(source: object, out: Path) -> Scene:
    call("convert", "-q", source, "-o", out, "--axes", "model", "--unit", "1")
    return Scene(out)


class RealWeapons(FolderCase):
    def setUp(self) -> None:
        if not GAME.is_dir():
            skipping.skip(self, "there are no files of Return to Castle Wolfenstein")
        super().setUp()

    def test_places_of_parts(self) -> None:
        weapons = sorted(path for path in GAME.glob("*/*/*") if path.stem.lower().endswith("_hand"))
        worst, poses = 0.0, 0
        self.assertGreaterEqual(len(weapons), 12)
        for hand in weapons:
            folder, weapon = hand.parent, hand.stem[:-5]
            rows = rows_of(folder / "weapon.cfg")
            scene = convert(folder / weapon, self.folder / "a.glb")
            self.assertEqual(set(scene.animations), set(rows), hand)
            for clip, key in (("IDLE1", 0), ("ATTACK1", rows["ATTACK1"][1] - 1), ("RELOAD1", rows["RELOAD1"][1] // 2)):
                first, _, fps, _, hidden = rows[clip]
                world = scene.pose(clip, key, fps)
                poses += 1
                for part, (origin, turned) in expected(folder, weapon, first + key).items():
                    suffix = part[len(weapon) + 1:] or "weapon"
                    nodes = [i for i, name in scene.tags.items() if name == "tag_" + suffix and
                             (i in scene.of_hand.values()) == (suffix != "scope") and scene.held[i]]
                    self.assertEqual(len(nodes), 1, (hand, part))
                    matrix = world[nodes[0]]
                    worst = max(worst, *(abs(matrix[k][3] - origin[k]) for k in range(3)))
                    number = int(suffix[6:] or 1) if suffix.startswith("barrel") else 0
                    shown = 0 if number and hidden >> (number - 1) & 1 else 1
                    for axis in range(3):
                        for k in range(3):
                            self.assertAlmostEqual(matrix[k][axis], shown * turned[axis][k], delta=0.001)
        self.assertGreaterEqual(poses, 36)
        self.assertLessEqual(worst, 0.01)

    def test_clips(self) -> None:
        for path in sorted(GAME.glob("*/*/weapon.cfg")):
            hand = next(one for one in path.parent.iterdir() if one.stem.lower().endswith("_hand"))
            clips = json.loads(call("info", "--json", hand).stdout)["clips"]
            frames = len(tags_of(hand))
            self.assertEqual([(one["name"], one["first"], one["count"], one["fps"]) for one in clips],
                             [(name, first, min(count, frames - first), fps)
                              for name, (first, count, fps, _, _) in rows_of(path).items()], path)
        mauser = json.loads(call("info", "--json", GAME / "weapons2/mauser/v_mauser_hand.mdc").stdout)["clips"]
        self.assertEqual((mauser[7]["name"], mauser[7]["fps"], round(23 / 14, 2)), ("RELOAD1", 14, 1.64))

    def test_what_is_not_drawn(self) -> None:
        """The Panzerfaust's rocket, barrel 1, is gone in two of three attacks."""
        scene = convert(GAME / "weapons2/panzerfaust", self.folder / "a.glb")
        rocket = scene.of_hand["tag_barrel"]
        shown = {clip: any(abs(scene.pose(clip, 1, 20)[rocket][k][0]) > 0.01 for k in range(3))
                 for clip in scene.animations}
        self.assertEqual({clip for clip, drawn in shown.items() if not drawn}, {"ATTACK1", "ATTACK_LASTSHOT"})

    def test_the_way_back(self) -> None:
        """A weapon's glTF becomes its files again, in a new folder and in a copy of its own."""
        hands = [path for path in sorted(GAME.glob("*/*/*")) if path.stem.lower().endswith("_hand")
                 and find(path.parent, path.stem.lower()[:-5])]
        self.assertGreaterEqual(len(hands), 12)
        for hand in hands:
            folder, weapon, new, copy = hand.parent, hand.stem[:-5], self.folder / "new", self.folder / "copy"
            self.convert("-q", folder / weapon, "-o", "a.glb")
            self.convert("-q", "a.glb", "--weapon", "--format", hand.suffix[1:], "-o", "new/")
            self.call("check", "--engine", "rtcw", new)
            wanted = [part + hand.suffix for part in (hand.stem, *expected(folder, weapon, 0))]
            self.assertEqual({path.name.lower() for path in new.iterdir()}, {*map(str.lower, wanted), "weapon.cfg"})
            rows = rows_of(folder / "weapon.cfg")
            self.assertEqual(rows_of(new / "weapon.cfg"), rows)
            for clip, key in (("IDLE1", 0), ("ATTACK1", rows["ATTACK1"][1] - 1), ("RELOAD1", rows["RELOAD1"][1] // 2)):
                both = [expected(each, weapon, rows[clip][0] + key) for each in (folder, new)]
                self.assertLessEqual(max(abs(a - b) for part, (origin, _) in both[0].items()
                                         for a, b in zip(origin, both[1][part][0])), 0.01, hand)
                before, after = (drawn(each, weapon, clip, key) for each in (folder, new))
                for part, corners in before.items():
                    self.assertLessEqual(len(corners) - len(after[part]), 9, (hand, part))  # without area
                    near = {tuple(round(x) for x in corner) for corner in corners}
                    for x, y, z in after[part][::50]:
                        self.assertTrue(any((round(x) + i, round(y) + j, round(z) + k) in near for i in (-1, 0, 1)
                                            for j in (-1, 0, 1) for k in (-1, 0, 1)), (hand, part))
            copy.mkdir()
            for path in folder.iterdir():
                (copy / path.name).write_bytes(path.read_bytes())
            log = self.convert("a.glb", "--weapon", "-o", "copy/")
            self.assertIn(f"{len(wanted)} of {len(wanted)} models of the weapon are unchanged", log)
            self.assertEqual({path.name: path.read_bytes() for path in copy.iterdir()},
                             {path.name: path.read_bytes() for path in folder.iterdir()}, hand)
            (copy / "weapon.cfg").unlink()
            log = self.convert("a.glb", "--weapon", "-o", "copy/")
            self.assertIn(f"{len(wanted)} of {len(wanted)} models of the weapon are unchanged", log)
            self.assertEqual(rows_of(copy / "weapon.cfg"), rows)
            shutil.rmtree(copy)
            shutil.rmtree(new)

    def test_another_rate(self) -> None:
        """Blender samples animations at the rate of its scene, 24 unless somebody changed it. What nobody changed keeps its
        bytes, and a change is found."""
        hands = [path for path in sorted(GAME.glob("*/*/*")) if path.stem.lower().endswith("_hand")
                 and find(path.parent, path.stem.lower()[:-5])]
        for hand, fps in zip(hands, itertools.cycle((24, 30, 60))):
            folder, weapon, copy = hand.parent, hand.stem[:-5], self.folder / "copy"
            self.convert("-q", folder / weapon, "-o", "a.glb", "-f")
            document, data = split_glb((self.folder / "a.glb").read_bytes())
            resample(document, data, fps)
            (self.folder / "b.glb").write_bytes(glb(document, bytes(data)))
            shutil.copytree(folder, copy)
            parts = 1 + len(expected(folder, weapon, 0))
            log = self.convert("b.glb", "--weapon", "-f", "-o", "copy/")
            self.assertIn(f"{parts} of {parts} models of the weapon are unchanged", log, (hand, fps))
            self.assertEqual({path.name: path.read_bytes() for path in copy.iterdir()},
                             {path.name: path.read_bytes() for path in folder.iterdir()}, (hand, fps))
            shutil.rmtree(copy)
        # The magazine is half a unit higher in the middle of RELOAD1, in one key.
        self.convert("-q", GAME / "weapons2/thompson", "-o", "a.glb", "-f")
        document, data = split_glb((self.folder / "a.glb").read_bytes())
        resample(document, data, 24)
        animation = next(one for one in document["animations"] if one["name"] == "RELOAD1")
        tag = next(i for i, node in enumerate(document["nodes"]) if node.get("extras", {}).get("tag") == "tag_barrel2")
        sampler = next(animation["samplers"][channel["sampler"]] for channel in animation["channels"]
                       if channel["target"] == {"node": tag, "path": "translation"})
        rows = floats_of(document, data, sampler["output"])
        rows[20] = (rows[20][0], rows[20][1] + .5 * .0254, rows[20][2])
        sampler["output"] = add_floats(document, data, rows)
        (self.folder / "b.glb").write_bytes(glb(document, bytes(data)))
        shutil.copytree(GAME / "weapons2/thompson", copy)
        self.convert("-q", "b.glb", "--weapon", "-f", "-o", "copy/")
        self.assertEqual({path.name for path in copy.iterdir()
                          if path.read_bytes() != (GAME / "weapons2/thompson" / path.name).read_bytes()},
                         {"v_thompson_hand.mdc", "weapon.cfg"})
        rows, after = (rows_of(where / "weapon.cfg") for where in (GAME / "weapons2/thompson", copy))
        self.assertEqual({name: row[1:] for name, row in after.items()}, {name: row[1:] for name, row in rows.items()})
        self.assertEqual([after[f"RELOAD{number}"][0] for number in (1, 2, 3)], [16, 66, 66])  # all shared frames
        hands = [tags_of(where / "v_thompson_hand.mdc") for where in (GAME / "weapons2/thompson", copy)]
        for name, (first, count, *_) in rows.items():
            for key in range(count):
                one, other = hands[0][first + key], hands[1][after[name][0] + key]
                for tag, (origin, turned) in one.items() if name != "RELOAD1" else ():
                    near = zip(origin + sum(turned, []), other[tag][0] + sum(other[tag][1], []))
                    self.assertLess(max(abs(a - b) for a, b in near), 1e-6, (name, key))
                if name == "RELOAD1" and key == round(20 / 24 * 20):
                    self.assertGreater(other["tag_barrel2"][0][2] - one["tag_barrel2"][0][2], .2)

    def test_blender(self) -> None:
        """Blender with its own importer and exporter, and all settings as they are but Custom Properties. The first weapon
        has both sides of some triangles, the second rows that hide a barrel."""
        if not shutil.which("blender"):
            skipping.skip(self, "there is no Blender")
        for name in "mp40", "panzerfaust":
            self.convert("-q", GAME / "weapons2" / name, "-o", f"{name}.glb")
            shutil.copytree(GAME / "weapons2" / name, self.folder / name)
            done = subprocess.run(["blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python-expr",
                                   "import bpy, numpy; numpy.bool = bool; bpy.ops.wm.read_factory_settings(use_empty=True);"
                                   f" bpy.ops.import_scene.gltf(filepath='{name}.glb');"
                                   f" bpy.ops.export_scene.gltf(filepath='{name}2.glb', export_extras=True)"],
                                  cwd=self.folder, env={**os.environ, "PATH": os.defpath}, capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
            self.convert("-q", f"{name}2.glb", "--weapon", "-f", "-o", name + "/")
            self.assertEqual({path.name: path.read_bytes() for path in (self.folder / name).iterdir()},
                             {path.name: path.read_bytes() for path in (GAME / "weapons2" / name).iterdir()}, name)

    def test_one_changed_part(self) -> None:
        """Only the bolt moves: only its file changes."""
        source = GAME / "weapons2/thompson"
        files = {path.name: path.read_bytes() for path in source.iterdir()}
        self.convert("-q", source, "-o", "a.glb")
        document = parse_glb((self.folder / "a.glb").read_bytes())
        next(node for node in document["nodes"] if node["name"] == "b_bolt")["translation"] = [0, 0, .0254]
        (self.folder / "a.glb").write_bytes(glb(document, (self.folder / "a.glb").read_bytes()[-document[
            "buffers"][0]["byteLength"]:]))
        (self.folder / "copy").mkdir()
        for name, data in files.items():
            (self.folder / "copy" / name).write_bytes(data)
        self.assertIn("copy/v_thompson_barrel.mdc exists; --force replaces it",
                      self.convert("a.glb", "--weapon", "-o", "copy/", status=1))
        self.assertEqual(self.convert("-q", "a.glb", "--weapon", "-f", "-o", "copy/"), "")
        self.assertEqual([path.name for path in (self.folder / "copy").iterdir()
                          if path.read_bytes() != files.get(path.name)], ["v_thompson_barrel.mdc"])
        before, after = (drawn(each, "v_thompson", "RELOAD1", 20) for each in (source, self.folder / "copy"))
        moved = {part for part, corners in before.items() if corners != after[part]}
        self.assertEqual(moved, {"v_thompson_barrel"})
        self.assertAlmostEqual(math.dist(before["v_thompson_barrel"][0], after["v_thompson_barrel"][0]), 1, delta=.02)

    def test_repainted_images(self) -> None:
        """They are written, under their own name if it is one of the weapon's, so that the models stay."""
        source = GAME / "weapons2/thompson"
        self.convert("-q", source, "-o", "c/gun.gltf")
        self.convert("-q", source, "-o", "c/gun.glb")
        document, data = split_glb((self.folder / "c/gun.glb").read_bytes())
        red = image_files.png_write([bytes((255, 0, 0)) * 4] * 4, 2)
        models = {path.name: path.read_bytes() for path in source.iterdir() if path.name.startswith("v_")}
        for image, file, changed in ((0, "thompson_la.tga", set()),
                                     (1, "thompson_hand16.tga", {"v_thompson.mdc", "v_thompson_barrel3.mdc"})):
            painted = json.loads(json.dumps(document))
            painted["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": len(red)})
            painted["buffers"][0]["byteLength"] += len(red)
            painted["images"][image] |= {"bufferView": len(painted["bufferViews"]) - 1, "mimeType": "image/png"}
            (self.folder / "c/gun2.glb").write_bytes(glb(painted, bytes(data) + red))
            shutil.copytree(self.folder / "c", self.folder / "d")
            (self.folder / "d" / json.loads((self.folder / "d/gun.gltf").read_text(encoding="utf-8"))["images"][image][
                "uri"]).write_bytes(red)
            for made in "c/gun2.glb", "d/gun.gltf":
                shutil.copytree(source, self.folder / "m/models/weapons2/thompson")
                log = self.convert(made, "--weapon", "-f", "-o", "m/models/weapons2/thompson/")
                self.assertIn(f"{5 - len(changed)} of 5 models of the weapon are unchanged", log)
                self.assertEqual({name for name, old in models.items() if (
                    self.folder / "m/models/weapons2/thompson" / name).read_bytes() != old}, changed, made)
                new = {path.name for path in (self.folder / "m/models/weapons2/thompson").iterdir()} - {
                    path.name for path in source.iterdir()}
                self.assertEqual(new, {file}, made)
                self.assertEqual((self.folder / "m/models/weapons2/thompson" / file).read_bytes()[18:21], b"\0\0\xff")
                shutil.rmtree(self.folder / "m")
            shutil.rmtree(self.folder / "d")

    def test_the_way_back_of_a_gltf(self) -> None:
        """Its images are files that are called after it, which may be missing: names in the file decide."""
        source = GAME / "weapons2/thompson"
        self.convert("-q", source, "-o", "c/gun.gltf")
        images = sorted(path.name for path in (self.folder / "c").iterdir() if path.suffix in (".png", ".jpg"))
        self.assertEqual(images, ["gun_arm2.jpg", "gun_hand16.png", "gun_thompson_la.jpg"])
        for missing in False, True:
            for image in images if missing else ():
                (self.folder / "c" / image).unlink()
            shutil.copytree(source, self.folder / "copy")
            self.assertIn("5 of 5 models of the weapon are unchanged",
                          self.convert("c/gun.gltf", "--weapon", "-o", "copy/"), missing)
            self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "copy").iterdir()},
                             {path.name: path.read_bytes() for path in source.iterdir()}, missing)
            shutil.rmtree(self.folder / "copy")

    def test_a_removed_row(self) -> None:
        """It plays the one that it shared its frames with, and so do the others."""
        self.convert("-q", GAME / "weapons2/thompson", "-o", "a.glb")
        document, data = split_glb((self.folder / "a.glb").read_bytes())
        document["animations"] = [one for one in document["animations"] if one["name"] != "RELOAD2"]
        (self.folder / "b.glb").write_bytes(glb(document, bytes(data)))
        self.assertIn("no clip for RELOAD2:", self.convert("b.glb", "--weapon", "-o", "new/"))
        self.assertEqual(rows_of(self.folder / "new/weapon.cfg"), rows_of(GAME / "weapons2/thompson/weapon.cfg"))

    def test_a_longer_row(self) -> None:
        """The other rows share their frames as before."""
        source = GAME / "weapons2/thompson"
        self.convert("-q", source, "-o", "a.glb")
        rows = rows_of(source / "weapon.cfg")
        for longer, count in ("DROP", 9), ("RELOAD2", 98):
            document, data = split_glb((self.folder / "a.glb").read_bytes())
            for sampler in next(one for one in document["animations"] if one["name"] == longer)["samplers"]:
                times = floats_of(document, data, sampler["input"])
                sampler["input"] = add_floats(document, data, [(2 * time,) for time, in times])
            (self.folder / "b.glb").write_bytes(glb(document, bytes(data)))
            shutil.copytree(source, self.folder / "copy")
            self.convert("-q", "b.glb", "--weapon", "-f", "-o", "copy/")
            after = rows_of(self.folder / "copy/weapon.cfg")
            self.assertEqual({name: row[1:] for name, row in after.items()},
                             {name: (count if name == longer else row[1], *row[2:]) for name, row in rows.items()})
            for one, other in itertools.combinations(rows, 2):
                self.assertEqual(after[one][0] == after[other][0],
                                 rows[one][0] == rows[other][0] and longer not in (one, other), (one, other))
            shutil.rmtree(self.folder / "copy")

    def test_other_materials(self) -> None:
        """A new material or image of a surface replaces its path; other surfaces keep theirs, and only new images are
        written. The glove's material has a script, which names its image."""
        self.convert("-q", GAME / "weapons2/thompson", "-o", "a.glb")
        whole = parse_glb((self.folder / "a.glb").read_bytes())
        data = (self.folder / "a.glb").read_bytes()[-whole["buffers"][0]["byteLength"]:]
        la, hand, arm = ("models/weapons2/" + name for name in ("thompson/thompson_la.tga", "mp40/hand16.tga",
                                                                "knife/arm2.tga"))
        mine = "models/weapons2/x/x_mine.tga"

        def give(document: Any, mesh: str, material: dict[str, Any]) -> None:
            document["materials"].append(material)
            next(each for each in document["meshes"] if each["name"] == mesh)["primitives"][0]["material"] = len(
                document["materials"]) - 1

        def image(document: Any, name: str) -> dict[str, Any]:
            document["images"].append({**document["images"][0], "name": name})
            document["textures"].append({"source": len(document["images"]) - 1})
            return {"pbrMetallicRoughness": {"baseColorTexture": {"index": len(document["textures"]) - 1}}}

        def number(document: Any) -> None:  # as Blender does
            for material in document["materials"]:
                material["name"] += ".001"
            for each in document["images"]:
                each["name"] = each["name"].rpartition(".")[0] + ".001"
        for change, bolt, written in (
                (lambda d: None, la, set()), (number, la, set()),
                (lambda d: give(d, "b_bolt", {"name": "models/mine.tga"}), "models/mine.tga", set()),
                (lambda d: give(d, "b_bolt", {"name": "models/mine.tga", **image(d, "thompson_la.jpg")}),
                 "models/mine.tga", set()),
                (lambda d: give(d, "b_bolt", {"name": la + "_4", **image(d, "mine.png")}), mine, {"x_mine.tga"}),
                (lambda d: give(d, "b_bolt", {"name": "mine", **image(d, "other.png")}), None, {"x_other.tga"}),
                (lambda d: d["materials"][1].update(image(d, "glove.png")), la, {"x_glove.tga"})):
            document = json.loads(json.dumps(whole))
            change(document)
            (self.folder / "b.glb").write_bytes(glb(document, data))
            self.convert("-q", "b.glb", "--weapon", "-o", "x/")
            materials = {surface["name"]: surface["materials"]
                         for path in sorted((self.folder / "x").glob("*.mdc"))
                         for surface in json.loads(self.call("info", "--json", path).stdout)["surfaces"]}
            self.assertEqual({path.name for path in (self.folder / "x").glob("*.tga")}, written)
            glove = "models/weapons2/x/x_glove.tga" if "x_glove.tga" in written else hand
            self.assertEqual(materials, {"w_tgun": [la], "w_handr": [glove], "b_bolt": [
                bolt or "models/weapons2/x/x_other.tga"], "b2_catridge": [la], "b3_lhand": [hand], "b3_sleeve": [arm]})
            shutil.rmtree(self.folder / "x")

    def test_wolfanim_cfg(self) -> None:
        """The name comes first, and the loop before the rate."""
        model = GAME / "weapons2/panzerfaust/v_pf_hand.mdc"
        cfg = GAME / "players/multi/wolfanim.cfg"
        clip = json.loads(call("info", "--json", "--clips-from", cfg, model).stdout)["clips"][0]
        self.assertEqual([clip[key] for key in ("name", "first", "count", "fps", "loop_frames")],
                         ["death_machinegun_1", 0, 32, 20, 0])


# ---- Synthetic weapons -------------------------------------------------------------------------------

TAGS = ("tag_weapon", "tag_scope", "tag_flash", "tag_barrel", *(f"tag_barrel{i}" for i in range(2, 8)))


def part(frames: int = 1, surfaces: int = 1, tags: tuple[str, ...] = TAGS, offset: int = 0) -> bytes:
    """Makes a triangle whose height is the frame, and tags: tag i is at x = offset + i."""
    vertices = [(64 * i, 64 * i * i, 64 * f, 0) for f in range(frames) for i in range(3)]
    places = [(name.encode(), (offset + i, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)) for i, name in enumerate(tags)]
    return make_md3([(b"s", b"t", [(0, 1, 2)], [(0, 0)] * 3, vertices)] * surfaces, places, frames)


CFG = """newfmt
0 1 20 1 0 0 0
0 1 20 1 2 0 0
1 3 20 0 2 0 0
4 2 10 0 3 1 4
0 1 20 1 0 0 1
1 5 0 2 0 0 0
1 1 20 0 0 0 0
4 4 10 0 2 0 0
0 1 20 1 0 0 0
0 1 20 1 0 0 0
"""


PLAIN_CFG = "\n".join(" ".join(line.split()[:4]) for line in CFG.splitlines()[1:])  # no bits
BOX = [((.02, .03, .1), "red")]


class Gun(player_scene.Scene):
    """A weapon with a bolt, which turns while it fires, and a magazine, which is gone while it is reloaded."""

    def __init__(self, held: bool, called: dict[str, str] | None = None, animated: bool = True) -> None:
        """`held`: objects are children of the empties; else they lie beside them and move as these."""
        self.data = b""
        self.document = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [], "meshes": [],
                         "materials": [], "accessors": [], "bufferViews": [], "animations": []}
        self.index = {}
        self.held, self.called = held, called or {}
        self.add_materials(False)
        self.add_node("Root", None, (0, 0, 0))
        for tag, name, place in (("tag_weapon", "v_x", (.05, -.1, .2)), ("tag_barrel", "v_x_barrel", (0, .05, .3)),
                                 ("tag_barrel2", "v_x_barrel2", (0, -.15, .25))):
            self.add("Root", tag, place, [])
            self.add(tag if held else "Root", name, (0, 0, 0) if held else place, BOX)
        self.add("v_x", "sight", (0, .05, 0), BOX)
        self.add("v_x", "tag_flash", (0, 0, .4), [])
        if animated:
            self.turn("tag_weapon", "idle", 2)
            self.turn("tag_weapon", "Fire", 4, "v_x_barrel")
            self.turn("tag_barrel", "RELOAD", 5, hidden="v_x_barrel2")

    def add(self, parent: str, name: str, place: tuple[float, float, float], boxes: Any) -> None:
        self.add_part(self.called.get(name, name), self.called.get(parent, parent), place, boxes, "none")
        self.index[name] = self.index[self.called.get(name, name)]

    def turn(self, tag: str, clip: str, frames: int, also: str = "", hidden: str = "") -> None:
        """Turns an empty with its object, and `also` an object alone."""
        times = self.add_floats([(i / 10,) for i in range(frames)])
        channels: list[dict[str, Any]] = []
        samplers: list[dict[str, Any]] = []

        def add(name: str, path: str, rows: list[tuple[float, ...]]) -> None:
            channels.append({"sampler": len(samplers), "target": {"node": self.index[name], "path": path}})
            samplers.append({"input": times, "output": self.add_floats(rows)})
        turned = [(math.sin(.1 * i), 0.0, 0.0, math.cos(.1 * i)) for i in range(1, frames + 1)]
        add(tag, "rotation", turned)
        if not self.held:
            add({"tag_weapon": "v_x", "tag_barrel": "v_x_barrel"}[tag], "rotation", turned)
        if also:
            add(also, "rotation", [(0.0, 0.0, math.sin(.2 * i), math.cos(.2 * i)) for i in range(frames)])
        if hidden:
            add(hidden, "scale", [(0.0, 0.0, 0.0)] * frames)
        self.document["animations"].append({"name": clip, "channels": channels, "samplers": samplers})

    def corners(self, clip: str, time: float) -> dict[str, list[tuple[float, float, float]]]:
        """Returns the corners of each model's triangles, by the independent player of glTF."""
        gltf = bake.Gltf(self.document, self.data)
        world, weights = gltf.pose(next(a for a in self.document["animations"] if a["name"] == clip), time)
        found: dict[str, list[tuple[float, float, float]]] = {}
        for name, part in (("v_x", "v_x"), ("sight", "v_x"), ("v_x_barrel", "v_x_barrel"), ("v_x_barrel2", "v_x_barrel2")):
            mesh = self.document["meshes"][self.document["nodes"][self.index[name]]["mesh"]]
            for primitive in mesh["primitives"]:
                points = [as_model(p) for p in gltf.vertices(self.index[name], primitive, world, weights)]
                order = [4 * side + k for side in range(6) for k in (0, 1, 2, 0, 2, 3)]
                found.setdefault(part, []).extend(points[k] for k in order)
        return found


class Weapons(FolderCase):
    def put(self, name: str, data: bytes | str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())

    def put_weapon(self, folder: str = "w", name: str = "v_x", barrels: tuple[str, ...] = ("", "2", "3")) -> None:
        self.put(f"{folder}/{name}_hand.md3", part(8, 0))
        self.put(f"{folder}/{name}.md3", part(offset=100))
        self.put(f"{folder}/weapon.cfg", CFG)
        for barrel in barrels:
            self.put(f"{folder}/{name}_barrel{barrel}.md3", part(12, offset=200))

    def parts(self, path: str, *options: str) -> list[tuple[str, Any, Any]]:
        """Returns the file, the parent's name and the tag of each part."""
        rows = json.loads(self.call("info", "--json", path, *options).stdout.splitlines()[0])["parts"]
        return [(Path(row["file"]).name, rows[row["parent"]]["name"] if "parent" in row else None, row.get("tag"))
                for row in rows]

    def test_what_names_a_weapon(self) -> None:
        self.put_weapon(barrels=("", "2", "4"))
        self.put("w/v_x_scope.md3", part())
        self.put("w/v_x_flash.md3", part())
        rows = [("v_x_hand.md3", None, None), ("v_x.md3", "v_x_hand", "tag_weapon"),
                ("v_x_scope.md3", "v_x", "tag_scope"), ("v_x_barrel.md3", "v_x_hand", "tag_barrel"),
                ("v_x_barrel2.md3", "v_x_hand", "tag_barrel2")]
        for path in "w/v_x", "w/v_x_hand.md3", "W/../w/v_x":
            if (self.folder / path.split("/")[0]).is_dir():
                self.assertEqual(self.parts(path), rows)
        self.call("render", "-q", "w", "-o", "a.png", "--size", "16")
        for path in "w/v_x_hand.md3", "w/v_x.md3", "w/v_x":
            self.call("render", "-q", path, "-o", "b.png", "--size", "16")
            self.assertEqual((self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes(), path)

    def test_files_of_a_weapon(self) -> None:
        """The game tries .mdc before .md3, and counts barrels to the first gap, but not those of the Mauser."""
        self.put_weapon(name="V_X", barrels=("", "2", "4"))
        self.convert("-q", "w/V_X.md3", "-o", "w/v_x.MDC")
        self.assertEqual([row[0] for row in self.parts("w/v_x")],
                         ["V_X_hand.md3", "v_x.MDC", "V_X_barrel.md3", "V_X_barrel2.md3"])
        self.put_weapon("m", "v_mauser", ("", "3", "7", "8"))
        self.assertEqual([row[0][8:] for row in self.parts("m/v_mauser")],
                         ["_hand.md3", ".md3", "_barrel.md3", "_barrel3.md3", "_barrel7.md3"])
        members = [(f"models/w/{path.name}", path.read_bytes()) for path in (self.folder / "m").iterdir()]
        self.put("a.pk3", make_pk3(members))
        self.assertEqual(self.parts("a.pk3:models/w/v_mauser")[4][0], "v_mauser_barrel7.md3")
        self.convert("-q", "a.pk3:models/w", "-o", "a.glb")
        for name in "v_mauser.mdc", "v_mauser_hand.mdc":  # which are .md3
            for folder in "m", "a.pk3:models/w":
                self.call("render", "-q", f"{folder}/{name}", "-o", "a.png", "--size", "16")

    def test_info_shows_what_a_row_moves_and_hides(self) -> None:
        self.put_weapon()
        clips = {clip["name"]: clip for clip in json.loads(self.call("info", "--json", "w/v_x_hand.md3").stdout)["clips"]}
        names = "animated_barrels", "animated_weapon", "hidden_barrels"
        self.assertEqual([clips["ATTACK2"][name] for name in names], [3, True, 4])
        self.assertFalse(any(name in clips["IDLE1"] for name in names))
        sheet = self.call("info", "w/v_x_hand.md3").stdout
        self.assertRegex(sheet, r"ATTACK2 .* plays once; moves barrel 1, 2; moves the weapon; hides barrel 3\n")
        self.assertRegex(sheet, r"ATTACK_LASTSHOT .*  hides barrel 1\n")

    def test_damaged_rows(self) -> None:
        """check and info count the warnings about a weapon.cfg with those of the hand."""
        rows = CFG.splitlines()
        for text, code, warning in (
                ("\n".join(rows[:4]), "clip-line", "line 4: the last row; the game needs 10 or more"),
                (CFG.replace("4 4 10", "40 4 10"), "clip-frames", "line 9: the model has none of the clip's frames"),
                (CFG + "what\n", "clip-line", "line 12: not a clip; ignored"),
                (CFG.replace("1 3 20", "1 3 99999999999"), "clip-rate", "line 4: the rate is invalid; 10 fps is used"),
                (CFG.replace("4 4 10", "4 4 10x"), "clip-line", "line 9: a word is no number"),
                (CFG.replace("3 1 4", "3 1 132"), "clip-line", "line 5: a bit is that of no barrel"),
                ("STARTANIMS\nwalk 0 1 1 10 0\n", "clip-line", "line 2: the last row of an animation.cfg"),
                ("models/foot.md3\n", "unknown-format", "no line has the form")):
            self.put_weapon()
            self.put("w/weapon.cfg", text)
            for path in "w/v_x_hand.md3", "w/v_x", "w":
                found = self.call("check", path).stdout
                self.assertRegex(found, rf"w/v_x_hand.md3: warning \[{code}\] .*{warning}")
                self.assertIn("w/v_x_hand.md3: 0 errors, 1 warning\n", found)
            problem, = (one for one in json.loads(self.call("check", "--json", "w/v_x_hand.md3").stdout)["problems"]
                        if one["severity"] != "note")
            self.assertEqual((problem["code"], problem["severity"]), (code, "warning"))
            self.assertIn("0 errors, 1 warning; lerpmesh check", self.call("info", "w/v_x_hand.md3").stdout)
            counts = json.loads(self.call("info", "--json", "w/v_x_hand.md3").stdout)["counts"]
            self.assertEqual((counts["errors"], counts["warnings"]), (0, 1))
        self.put("w/weapon.cfg", "what\n" + CFG[:40])  # the reason why the game rejects the file is not hidden by another
        self.assertIn("needs 10 or more", self.call("check", "w/v_x").stdout)
        self.put("w/weapon.cfg", CFG.replace("\n", " "))
        self.assertIn("w/v_x_hand.md3: 0 errors, 0 warnings\n", self.call("check", "w/v_x").stdout)

    def test_the_eye_of_other_models(self) -> None:
        self.put_weapon()
        self.put("leg.md3", part())
        note = "leg.md3: the eye is at the model's origin, for first-person weapons\n"
        view = "--view", "eye", "--size", "16", "-o", "a.png"
        self.assertIn(note, self.call("render", "leg.md3", *view).stderr)
        self.assertNotIn("the eye", self.call("render", "w", *view).stderr)
        self.assertNotIn("the eye", self.call("render", "leg.md3", *view[2:]).stderr)

    def test_compare_of_hands(self) -> None:
        """Their tags are all that they have."""
        self.put_weapon()
        data = bytearray((self.folder / "w/v_x_hand.md3").read_bytes())
        at, = struct.unpack_from("<i", data, 96)
        struct.pack_into("<f", data, at + 112 * (5 * len(TAGS) + 3) + 64, 40 + 3)  # frame 5 is in ATTACK2, DROP and RELOAD1
        self.put("w/v_y_hand.md3", bytes(data))
        text = self.call("compare", "w/v_x_hand.md3", "w/v_y_hand.md3").stdout
        self.assertIn('tags: maximum error 40 units and 0 degrees\n'
                      '  largest at tag "tag_barrel", in clip ATTACK2, in frames 5 and 5\n', text)
        self.assertRegex(text, r"clip .* max tag error\n")
        self.assertRegex(text, r"\n +RELOAD1 +4 .* 40\n")
        self.assertRegex(text, r"\n +ATTACK1 +3 .* 0\n")
        clips = {clip["name"]: clip for clip in json.loads(self.call(
            "compare", "--json", "w/v_x_hand.md3", "w/v_y_hand.md3").stdout)["clips"]}
        self.assertEqual([clips["RELOAD1"][key] for key in ("max_tag_distance", "worst_tag", "worst_tag_frame")],
                         [40, "tag_barrel", 1])

    def test_check_of_a_weapon(self) -> None:
        """FOLDER/v_NAME names all of its files."""
        self.put_weapon(barrels=("", "2", "4"))
        self.put("w/v_y.md3", b"damaged")
        names = [line.split(": ")[0] for line in self.call("check", "w/v_x").stdout.splitlines() if " errors, " in line]
        self.assertEqual(names, [f"w/v_x{end}.md3" for end in ("_hand", "", "_barrel", "_barrel2", "_barrel4")])
        self.assertIn("cannot open", self.call("check", "w/v_y", status=1).stderr)

    def test_a_weapon_without_clips(self) -> None:
        self.put_weapon()
        missing = "w/v_x_hand.md3: without weapon.cfg, which names its clips: there is no such file\n"
        self.assertNotIn(missing, self.call("info", "w/v_x").stderr)
        (self.folder / "w/weapon.cfg").unlink()
        for command in ("info", "w/v_x"), ("convert", "w", "-o", "a.glb"), ("render", "w/v_x", "-o", "a.png"):
            self.assertEqual(self.call(*command).stderr.count(missing), 1)

    def test_a_folder_of_two_weapons(self) -> None:
        self.put_weapon("b")
        self.put_weapon("b", "v_a")
        self.put_weapon("b", "v_b")
        for path, first in ("b", "v_b_hand.md3"), ("b/v_x", "v_x_hand.md3"):
            self.convert("-q", path, "-o", "a.glb")
            self.assertIn(f'"{first[:-4]}', json.dumps(bake.read_glb(
                (self.folder / "a.glb").read_bytes()).document["nodes"]) + json.dumps(first[:-4])[:-1])
        self.put("b/v_lone_hand.md3", part(8, 0))
        members = [(f"w/{path.name}", path.read_bytes()) for path in (self.folder / "b").iterdir()]
        self.put("a.pk3", make_pk3(members))
        for folder, weapon in ("b", "v_b"), ("b/", "v_b"), ("a.pk3:w", "v_"):
            log = self.convert(folder, "-o", "a.glb")
            self.assertRegex(log, f"{folder}: this is {weapon}[abx]?; the folder also has (v_[abx], )v_[abx]: open one as "
                             f"{folder.rstrip('/')}/v_NAME\n")
        for name in "v_a", "v_b":
            for path in (self.folder / "b").glob(f"{name}*"):
                path.unlink()
            log = self.convert("b", "-o", "a.glb")
        self.assertNotIn("also has", log)
        self.put_weapon("b", "v_y")
        self.assertIn("b: this is v_x; the folder also has v_y: open it as b/v_y\n", self.convert("b", "-o", "a.glb"))
        self.assertNotIn("also has", self.convert("b/v_x", "-o", "a.glb"))

    def test_a_file_that_was_named(self) -> None:
        """It is opened itself; the game opens the .mdc of the same name for all others."""
        self.put_weapon()
        for name in "v_x_hand", "v_x", "v_x_barrel":
            self.convert("-q", f"w/{name}.md3", "-o", f"w/{name}.mdc")
        rows = [row[0] for row in self.parts("w/v_x_hand.mdc")]
        self.assertEqual(rows, ["v_x_hand.mdc", "v_x.mdc", "v_x_barrel.mdc", "v_x_barrel2.md3", "v_x_barrel3.md3"])
        self.assertEqual([row[0] for row in self.parts("w/v_x_hand.md3")], ["v_x_hand.md3", *rows[1:]])
        note = "opened as named, although the game opens v_x"
        self.assertIn(f"w/v_x_hand.md3: {note}_hand.mdc\n", self.convert("w/v_x_hand.md3", "-o", "a.glb"))
        self.assertNotIn(note, self.convert("w/v_x_hand.mdc", "-o", "a.glb"))
        for name in "x.md3", "x.mdc":
            self.put(f"w/{name}", (self.folder / f"w/v_x.{name[2:]}").read_bytes())
            self.assertNotIn("opened as named", self.convert(f"w/{name}", "-o", "a.glb"))
        self.assertIn("opened as named, although the game opens x.mdc", self.convert("w/x.md3", "-o", "a.glb"))
        self.put("w/v_x.mdc", b"damaged")
        done = self.call("render", "w/v_x.md3", "-o", "a.png", "--size", "16")
        self.assertIn(f"w/v_x.md3: {note}.mdc\n", done.stderr)
        self.call("render", "w/v_x.mdc", "-o", "a.png", "--size", "16", status=1)

    def test_frames_of_barrels(self) -> None:
        """Bit 1: barrel 2 has frames of its own, in IDLE2, ATTACK1, ATTACK2 and RELOAD1: 0, 1, 4 and 6 on."""
        self.put_weapon()
        scene = convert(self.folder / "w", self.folder / "a.glb")
        document = scene.gltf.document
        heights: dict[tuple[str, str], float] = {}
        for clip, animation in scene.animations.items():
            world, weights = scene.gltf.pose(animation, 0)
            for name in "tag_barrel", "tag_barrel2", "tag_barrel3":
                meshes = [i for i in scene.held[scene.of_hand[name]] if "mesh" in document["nodes"][i]]
                primitive = document["meshes"][document["nodes"][meshes[0]]["mesh"]]["primitives"][0]
                corners = scene.gltf.vertices(meshes[0], primitive, world, weights)
                width = max(corner[0] for corner in corners) - min(corner[0] for corner in corners)
                heights[clip, name] = round(corners[0][2], 3) if width > 0.01 else -1
        own = {key: height for key, height in heights.items() if height}
        self.assertEqual(own, {("ATTACK1", "tag_barrel2"): 1, ("ATTACK2", "tag_barrel2"): 4,
                               ("RELOAD1", "tag_barrel2"): 6,
                               ("ATTACK2", "tag_barrel3"): -1, ("ATTACK_LASTSHOT", "tag_barrel"): -1})

    def test_a_weapon_as_one_model(self) -> None:
        self.put_weapon()
        self.convert("-q", "w", "-o", "one.md3")
        model = json.loads(self.call("info", "--json", "--clips-from", "none", "one.md3").stdout)
        self.assertEqual(len(model["surfaces"]), 4)
        self.convert("-q", "w/v_x_hand.md3", "-o", "hand.mdc")  # stays the hand
        self.assertEqual(json.loads(self.call("info", "--json", "hand.mdc").stdout)["surfaces"], [])

    def test_clips_of_a_hand(self) -> None:
        """A hand that becomes another file keeps its weapon.cfg, or gets one with other numbers."""
        self.put_weapon()
        clips = [json.loads(self.call("info", "--json", "w/v_x_hand.md3").stdout)["clips"]]
        for folder, *options in ("same",), ("fast", "--speed", "2"):
            (self.folder / folder).mkdir()
            self.convert("-q", "w/v_x_hand.md3", "-o", f"{folder}/v_x_hand.mdc", "--write-clips", *options)
            clips.append(json.loads(self.call("info", "--json", f"{folder}/v_x_hand.mdc").stdout)["clips"])
            self.assertEqual(sorted(path.name for path in (self.folder / folder).iterdir()),
                             ["v_x_hand.mdc", "weapon.cfg"])
        self.assertEqual((self.folder / "same/weapon.cfg").read_text(encoding="utf-8"), CFG)
        self.assertEqual([[(c["name"], c["first"], c["count"], c["loop_frames"], c["fps"] * factor) for c in each]
                          for each, factor in zip(clips, (2, 2, 1))],
                         [[(c["name"], c["first"], c["count"], c["loop_frames"], c["fps"] * 2) for c in clips[0]]] * 3)
        rows = rows_of(self.folder / "fast/weapon.cfg")
        self.assertEqual({name: row[3:] for name, row in rows.items()},
                         {name: row[3:] for name, row in rows_of(self.folder / "w/weapon.cfg").items()})

    def test_lists(self) -> None:
        self.put_weapon()
        self.put("w/v_x_flash.md3", part())
        self.put("w/x.md3", part())
        self.call("render", "-q", "w/v_x", "w/x.md3", "--sheet", "-o", "a.png")
        lines = self.call("render", "--json", "w", "w/x.md3", "--sheet", "-o", "b.png").stdout.splitlines()
        names = [json.loads(line).get("file") for line in lines]
        self.assertEqual([name for name in names if name], ["w/v_x", "w/x.md3", "w/x.md3"])
        log = self.call("render", "w", "--clip", "RELOAD1", "--size", "16", "-o", "r/").stderr  # the others have none
        self.assertEqual(sorted(path.name for path in (self.folder / "r").iterdir()), ["v_x.png", "v_x_hand.png"])
        self.assertIn("lerpmesh: --clip does not apply to 5 files\n", log)
        self.call("render", "w", "--clip", "none", "--size", "16", "-o", "q/", status=1)
        self.put_weapon("w", "v_y")
        self.convert("-q", "w/v_y_hand.md3", "-o", "w/v_y_hand.mdc")
        for second in "w/v_y", "w/v_y.mdc":  # which is v_y.md3
            log = self.call("render", "w/v_x", second, "-o", "a.png", status=2).stderr
            self.assertIn("2 inputs cannot go into one file; name a folder: -o DIR/, draw one page of all: --sheet", log)

    # ---- Attachments

    def test_a_hand_holds_what_names_its_tags(self) -> None:
        """The parts of a weapon repeat its tags, and the order of attaching does not matter."""
        self.put_weapon()
        words = ["tag_weapon=v_x.md3", "tag_barrel=v_x_barrel.md3", "tag_barrel2=v_x_barrel2.md3"]
        places = []
        for order in words, words[::-1], [words[1], words[0], words[2]]:
            log = self.convert("w/v_x_hand.md3", "-o", "a.glb", "--axes", "model", "--unit", "1",
                               *(word for each in order for word in ("--attach", each)))
            self.assertNotIn("models have the tag", log)
            scene = Scene(self.folder / "a.glb")
            places.append({name for name, node in scene.of_hand.items() if scene.held[node]})
        self.assertEqual(places, [{"tag_weapon", "tag_barrel", "tag_barrel2"}] * 3)

    def test_the_parent_of_an_attachment(self) -> None:
        self.put_weapon()
        self.put("w/body.md3", part(1, 1, ("tag_weapon",)))
        both = ("w/body.md3", "-o", "a.glb", "--attach", "tag_weapon=v_x.md3")
        log = self.convert(*both, "--attach", "tag_weapon=v_x_barrel.md3")
        self.assertIn("2 models have the tag \"tag_weapon\"; it is that of this one, the last: v_x:tag_weapon", log)
        for parent, held in ("body", 2), ("V_X", 1):
            log = self.convert(*both, "--attach", f"{parent}:tag_weapon=v_x_barrel.md3")
            self.assertNotIn("models have the tag", log)
            scene = Scene(self.folder / "a.glb")
            self.assertEqual(len([i for i in scene.held[scene.of_hand["tag_weapon"]]
                                  if "mesh" in scene.gltf.document["nodes"][i]]), held)
        for parent, problem in (("v_y", 'no model "v_y" to attach to; did you mean "v_x"?'),
                                ("body", 'no tag "tag_barrel"')):
            self.assertIn(problem, self.convert(*both, "--attach", f"{parent}:tag_barrel=v_x_barrel.md3", status=1))

    def test_a_hand_with_surfaces(self) -> None:
        """The game does not draw them."""
        self.put_weapon()
        self.put("w/v_x_hand.md3", part(8, 2))
        log = self.convert("w", "-o", "a.glb")
        self.assertIn("w/v_x_hand.md3: surfaces of a hand are not drawn, as in the game", log)
        self.assertEqual(len(bake.read_glb((self.folder / "a.glb").read_bytes()).document["meshes"]), 4)
        self.convert("-q", "w/v_x_hand.md3", "-o", "b.glb", "--attach", "tag_weapon=v_x.md3", "--attach",
                     "tag_barrel=v_x_barrel.md3", "--axes", "model", "--unit", "1")
        scene = Scene(self.folder / "b.glb")
        self.assertEqual({name for name, node in scene.of_hand.items() if scene.held[node]},
                         {"tag_weapon", "tag_barrel"})

    # ---- Made of a scene

    def make(self, scene: bytes, *words: object, status: int = 0) -> str:
        (self.folder / "scene.glb").write_bytes(scene)
        return self.convert("scene.glb", "--weapon", *(words or ("-o", "x/")), status=status)

    def test_a_scene_of_objects_and_empties(self) -> None:
        for held in True, False:
            shutil.rmtree(self.folder / "x", ignore_errors=True)
            gun = Gun(held)
            log = self.make(gun.glb())
            self.assertIn("no clip for IDLE2, ATTACK2, ATTACK_LASTSHOT, DROP, RAISE, RELOAD2, RELOAD3", log)
            self.assertEqual(sorted(path.name for path in (self.folder / "x").iterdir()),
                             ["v_x.mdc", "v_x_barrel.mdc", "v_x_barrel2.mdc", "v_x_hand.mdc", "weapon.cfg"])
            rows = rows_of(self.folder / "x/weapon.cfg")
            self.assertEqual({name: row[1:] for name, row in rows.items()}, {
                "IDLE1": (2, 10, 0, 0), "IDLE2": (1, 20, 0, 0), "ATTACK1": (4, 10, 1, 0), "ATTACK2": (4, 10, 1, 0),
                "ATTACK_LASTSHOT": (4, 10, 1, 0), "DROP": (1, 20, 0, 0), "RAISE": (1, 20, 0, 0),
                "RELOAD1": (5, 10, 0, 2), "RELOAD2": (5, 10, 0, 2), "RELOAD3": (5, 10, 0, 2)})
            self.assertEqual(tags_of(self.folder / "x/v_x.mdc")[0].keys(), {"tag_flash"})
            self.assertEqual(tags_of(self.folder / "x/v_x_hand.mdc")[0].keys(),
                             {"tag_weapon", "tag_barrel", "tag_barrel2"})
            self.call("check", "--engine", "rtcw", "x")
            self.convert("-q", "x", "-o", "a.glb")  # as the reader sees it
            for row, clip, count in ("IDLE1", "idle", 2), ("ATTACK1", "Fire", 4), ("RELOAD1", "RELOAD", 5):
                for key in range(count):
                    made = drawn(self.folder / "x", "v_x", row, key)
                    for part, corners in gun.corners(clip, key / 10).items():
                        if (part, row) == ("v_x_barrel2", "RELOAD1"):  # hidden
                            self.assertEqual(made[part], [])
                            continue
                        self.assertEqual(len(made[part]), len(corners))
                        self.assertLess(max(min(math.dist(a, b) for b in corners) for a in made[part]), .05,
                                        (held, part, row, key))

    def test_frames_of_the_timeline(self) -> None:
        """A hand with a mesh of its own keeps it; a clip that the game does not play keeps its frames."""
        gun = Gun(True)
        gun.add_part("v_x_hand", "Root", (0, 0, 0), BOX, "none")
        gun.turn("tag_weapon", "Inspect", 5)
        log = self.make(gun.glb(), "--format", "md3", "-o", "x/")
        self.assertIn("the clip Inspect is none that the game plays", log)
        hand = oracle.load((self.folder / "x/v_x_hand.md3").read_bytes())
        self.assertEqual((len(tags_of(self.folder / "x/v_x_hand.md3")), len(hand.surfaces)), (16, 1))
        self.assertEqual(len(rows_of(self.folder / "x/weapon.cfg")), 10)

    def test_ends_of_clips(self) -> None:
        """A row that plays once keeps its last frame, which equals the first, and a still row has one frame."""
        gun = Gun(True, animated=False)
        times = gun.add_floats([(0.0,), (1.0,), (2.0,)])
        for name, height in ("IDLE1", 0.0), ("IDLE2", .1), ("ATTACK1", .1), ("RAISE", .1), ("RELOAD1", .1):
            rows = gun.add_floats([(.05, -.1 + y, .2) for y in (0, height, 0)])
            gun.document["animations"].append({"name": name, "samplers": [{"input": times, "output": rows}], "channels": [
                {"sampler": 0, "target": {"node": gun.index["tag_weapon"], "path": "translation"}}]})
        log = self.make(gun.glb())
        self.assertIn("no clip for ATTACK2, ATTACK_LASTSHOT, DROP, RELOAD2, RELOAD3:", log)
        self.assertNotIn("it is no clip", log)
        clips = {clip["name"]: clip for clip in json.loads(self.call("info", "--json", "x/v_x_hand.mdc").stdout)["clips"]}
        self.assertEqual({name: (clip["count"], clip["loop_frames"]) for name, clip in clips.items() if name in (
            "IDLE1", "IDLE2", "ATTACK1", "RAISE", "RELOAD1")},
            {"IDLE1": (1, 0), "IDLE2": (21, 20), "ATTACK1": (21, 20), "RAISE": (21, 0), "RELOAD1": (21, 0)})
        heights = [tags["tag_weapon"][0][2] for tags in tags_of(self.folder / "x/v_x_hand.mdc")]
        first = clips["RELOAD1"]["first"]
        self.assertEqual(heights[first], heights[first + 20])
        self.assertGreater(heights[first + 10], heights[first] + 3)
        self.make(gun.glb(), "-f", "--loop", "reload1", "--loop", "raise", "--once", "idle2", "-o", "x/")
        clips = {clip["name"]: clip for clip in json.loads(self.call("info", "--json", "x/v_x_hand.mdc").stdout)["clips"]}
        self.assertEqual([(clips[name]["count"], clips[name]["loop_frames"]) for name in ("RELOAD1", "RAISE", "IDLE2")],
                         [(20, 20), (20, 20), (21, 0)])

    def test_loops_of_clips(self) -> None:
        """--loop also of clips that end elsewhere, and of the rows of a weapon of the game."""
        def loop(source: str, *words: str) -> tuple[int, int]:
            self.convert("-q", source, "--weapon", *words, "-f", "-o", "new/")
            hand, = (self.folder / "new").glob("v_x_hand.*")
            clip = next(clip for clip in json.loads(self.call("info", "--json", hand).stdout)["clips"]
                        if clip["name"] == "RELOAD1")
            shutil.rmtree(self.folder / "new")
            return clip["count"], clip["loop_frames"]
        (self.folder / "scene.glb").write_bytes(Gun(True).glb())
        self.put_weapon()
        self.convert("-q", "w", "-o", "a.glb")
        for source, name, count in ("scene.glb", "RELOAD", 5), ("a.glb", "RELOAD1", 4):
            self.assertEqual(loop(source), (count, 0))
            self.assertEqual(loop(source, "--loop", name.lower()), (count, count))
            self.assertEqual(loop(source, "--once", name), (count, 0))
        before = rows_of(self.folder / "w/weapon.cfg")
        self.convert("-q", "a.glb", "--weapon", "--loop", "RELOAD1", "-f", "-o", "w/")
        self.assertEqual(rows_of(self.folder / "w/weapon.cfg"), before)
        self.assertIn("4 4 10 4 2", " ".join((self.folder / "w/weapon.cfg").read_text(encoding="utf-8").split()))

    def test_rates(self) -> None:
        """A scene is sampled at any rate; a weapon of the game has those of its rows."""
        self.make(Gun(True).glb(), "--fps", "20", "-o", "x/")
        self.assertEqual({name: row[1:3] for name, row in rows_of(self.folder / "x/weapon.cfg").items() if row[1] > 1},
                         {"IDLE1": (3, 20), "ATTACK1": (7, 20), "ATTACK2": (7, 20), "ATTACK_LASTSHOT": (7, 20),
                          "RELOAD1": (9, 20), "RELOAD2": (9, 20), "RELOAD3": (9, 20)})
        self.put_weapon()
        self.convert("-q", "w", "-o", "a.glb")
        self.assertIn("--fps does not apply to a weapon of the game",
                      self.convert("a.glb", "--weapon", "--fps", "20", "-o", "y/", status=1))

    def test_objects_without_a_size(self) -> None:
        """The game hides a barrel for a whole row. For a part of one, its own frames have no size. A tag keeps its turn."""
        turns = None
        for name, sizes, bits in (("v_x", (1, 1, 1, 1), (0, 0)), ("v_x_barrel2", (0, 0, 0, 0), (0, 2)),
                                  ("v_x_barrel2", (1, 1, 0, 0), (2, 0)), ("tag_barrel2", (1, 0, 0, 1), (2, 0)),
                                  ("tag_barrel2", (0, 0, 0, 0), (0, 2)), ("v_x", (0, 0, 0, 0), (0, 0))):
            gun = Gun(True)
            times = gun.add_floats([(i / 10,) for i in range(4)])
            gun.document["animations"].append({"name": "DROP", "samplers": [
                {"input": times, "interpolation": "STEP", "output": gun.add_floats([(size,) * 3 for size in sizes])},
                {"input": times, "output": gun.add_floats([(0, 0, math.sin(i / 9), math.cos(i / 9)) for i in range(4)])}],
                "channels": [{"sampler": 0, "target": {"node": gun.index[name], "path": "scale"}},
                             {"sampler": 1, "target": {"node": gun.index["tag_barrel2"], "path": "rotation"}}]})
            log = self.make(gun.glb(), "-f", "-o", "x/")
            self.assertEqual("in DROP, v_x moves away from tag_weapon, changes its shape or its size" in log,
                             (name, sizes[0]) == ("v_x", 0))
            row = rows_of(self.folder / "x/weapon.cfg")["DROP"]
            self.assertEqual(row[3:], bits)
            tags = tags_of(self.folder / "x/v_x_hand.mdc")[row[0]:row[0] + 4]
            turns = turns or [tag["tag_barrel2"] for tag in tags]
            self.assertEqual([tag["tag_barrel2"] for tag in tags], turns)
            made = [drawn(self.folder / "x", "v_x", "DROP", key)["v_x_barrel2"] for key in range(4)]
            self.assertEqual([any(math.dist(corner, corners[0]) > .1 for corner in corners) for corners in made],
                             [name == "v_x" or size > 0 for size in sizes])

    def test_names_of_objects(self) -> None:
        """Blender appends numbers, and people write capitals; a name with a slash is none."""
        self.make(Gun(True, {"tag_weapon": "Tag_Weapon", "tag_barrel": "tag_barrel.001", "tag_flash": "TAG_FLASH.002",
                             "v_x": "v_x.001"}).glb())
        self.assertEqual(tags_of(self.folder / "x/v_x_hand.mdc")[0].keys(), {"tag_weapon", "tag_barrel", "tag_barrel2"})
        self.assertEqual(tags_of(self.folder / "x/v_x.mdc")[0].keys(), {"tag_flash"})
        for name in "v_a/b", "v_../../evil", "v_a\\b", "v_a:b", "v_a b":
            self.assertIn("is not a usable name", self.make(Gun(True, {"v_x": name, "v_x_barrel": name + "_barrel",
                                                                       "v_x_barrel2": name + "_barrel2"}).glb(),
                                                            "-o", "y/", status=1))
            self.assertFalse((self.folder / "y").exists())

    def test_what_a_weapon_needs(self) -> None:
        robot = player_scene.robot()
        for change, problem in (
                ({"v_x": "gun", "v_x_barrel": "bolt", "v_x_barrel2": "magazine"}, "name an object v_X, and its barrels"),
                ({"tag_barrel": "empty"}, "the weapon has no tag_barrel, which holds v_x_barrel: add an empty of this "
                                          "name (or make an object the tag: --tag NAME=OBJECT)"),
                ({"v_x_barrel2": "v_y"}, "v_y is no model of the weapon v_x"),
                ({"v_x_barrel": "bolt", "tag_barrel": "place"}, 'the surface "bolt" belongs to no model')):
            self.assertIn(problem, self.make(Gun(True, change).glb(), status=1), change)
            self.assertFalse((self.folder / "x").exists())
        self.assertIn("name an object v_X", self.make(robot, status=1))
        self.make(Gun(True, {"tag_barrel": "empty"}).glb(), "--tag", "tag_barrel=empty", "-o", "x/")
        self.assertIn("the game stops there", self.make(Gun(True, {"v_x_barrel2": "v_x_barrel4",
                                                                   "tag_barrel2": "tag_barrel4"}).glb(), "-o", "y/"))
        still = self.make(Gun(True, animated=False).glb(), "-o", "z/")
        self.assertIn("no clip for IDLE1", still)
        self.assertEqual(set(rows_of(self.folder / "z/weapon.cfg").values()), {(0, 1, 20, 0, 0)})
        moved = Gun(True)
        moved.turn("v_x", "Fire2", 3)
        moved.document["animations"][-1]["name"] = "ATTACK2"
        self.assertIn("the game shows only its first frame", self.make(moved.glb(), "-o", "w/"))
        self.put_weapon("a")
        self.convert("-q", "a", "-o", "a.glb")
        document, data = split_glb((self.folder / "a.glb").read_bytes())
        document["scenes"][0]["nodes"].append(len(document["nodes"]))
        document["nodes"].append({"name": "Copy", "mesh": 0})
        self.assertIn('the surface "Copy" belongs to no model', self.make(glb(document, bytes(data)), status=1))

    def test_wrong_use(self) -> None:
        (self.folder / "a.glb").write_bytes(Gun(True).glb())
        for words, problem in ((("--player", "-o", "x/"), "--player cannot be combined with --weapon"),
                               (("-o", "x.mdc"), "--weapon writes several files into a folder: -o x.mdc/"),
                               (("-o", "x.md2"), "--weapon does not apply to md2 files"),
                               (("-o", "x/", "--format", "md2"), "--weapon writes mdc or md3, not md2"),
                               (("-o", "x y/"), "--weapon names the weapon after the folder"),
                               (("-o", "x/", "--frames", "1"), "--weapon cannot be combined with --frames F"),
                               (("-o", "w.pk3:models/x/"), "w.pk3:models/x/ is in an archive, into which no files are "
                                "written: write a folder, then lerpmesh pack DIR -o w.pk3"),
                               (("a.glb", "-o", "x/"), "--weapon makes one weapon of one file, not of 2")):
            self.assertIn(problem, self.convert("a.glb", "--weapon", *words, status=2))
        self.assertIn("--weapon writes several files into a folder: -o DIR/",
                      self.convert("a.glb", "--weapon", "-o", "-", status=2))
        self.assertEqual(self.convert("-q", "a.glb", "--weapon", "-o", "q/"), "")  # without its warnings
        self.put("w/v_x.md3", part())
        self.assertIn("w is a folder: attach one of its models",
                      self.convert("w/v_x.md3", "--attach", "tag_scope=w", "-o", "b.glb", status=1))
        self.put("w.pk3", make_pk3([("a", b"")]))
        self.assertIn("w.pk3:x.md3 is in an archive", self.convert("a.glb", "-o", "w.pk3:x.md3", status=2))

    def test_barrels_of_another_weapon(self) -> None:
        """What stays in the folder is named, if the game shows it: if the hand or the weapon has its tag."""
        self.put_weapon("x", barrels=("3", "4", "6"))
        self.put("x/V_X_scope.mdc", part())
        self.put("x/v_x_flash.md3", part())
        rest = " is not of this weapon, but the game shows it with it: remove it\n"
        gun = Gun(True)
        self.assertNotIn(rest, self.make(gun.glb(), "-f", "-o", "x/"))
        for parent, tag in ("v_x", "tag_scope"), ("Root", "tag_barrel3"), ("Root", "tag_barrel4"), ("Root", "tag_barrel6"):
            gun.add(parent, tag, (0, 0, 0), [])
        log = self.make(gun.glb(), "-f", "-o", "x/")
        self.assertEqual([name for name in ("V_X_scope.mdc", "v_x_barrel3.md3", "v_x_barrel4.md3") if name + rest in log],
                         ["V_X_scope.mdc", "v_x_barrel3.md3", "v_x_barrel4.md3"])
        self.assertEqual(log.count(rest), 3)
        self.assertIn("2 models keep their format in the folder\n", log)
        self.assertFalse((self.folder / "x/v_x.mdc").exists())

    def test_barrels_with_few_frames(self) -> None:
        """They have fewer than their rows count, down to one. What nobody changed keeps its bytes, and a change is found."""
        for frames in 1, 5, 9:
            self.put_weapon()
            self.put("w/v_x_barrel2.md3", part(frames, offset=200))
            files = {path.name: path.read_bytes() for path in (self.folder / "w").iterdir()}
            self.convert("-q", "w", "-o", "a.glb", "-f")
            self.assertIn("5 of 5 models of the weapon are unchanged", self.convert("a.glb", "--weapon", "-o", "w/"), frames)
            self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "w").iterdir()}, files)
            self.put("w/v_x_barrel2.md3", part(frames, offset=201))
            self.assertIn("4 of 5 models of the weapon are unchanged",
                          self.convert("a.glb", "--weapon", "-f", "-o", "w/"), frames)

    def test_the_case_of_files(self) -> None:
        """A file in the folder is the one of its name, whatever its case."""
        self.put_weapon()
        self.convert("-q", "w", "-o", "a.glb")
        names = {"v_x_hand.md3": "V_X_HAND.MD3", "v_x_barrel.md3": "v_x_Barrel.md3", "weapon.cfg": "Weapon.CFG"}
        for old, new in names.items():
            (self.folder / "w" / old).rename(self.folder / "w" / new)
        files = {path.name: path.read_bytes() for path in (self.folder / "w").iterdir()}
        self.assertIn("unchanged: w/ has all 6 files already", self.convert("a.glb", "--weapon", "-o", "w/"))
        self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "w").iterdir()}, files)
        self.assertIn("w/V_X_HAND.MD3 exists; --force replaces it", self.make(Gun(True).glb(), "-o", "w/", status=1))
        self.convert("-q", "scene.glb", "--weapon", "-f", "-o", "w/")
        self.assertEqual({path.name for path in (self.folder / "w").iterdir()}, set(files))
        self.assertNotEqual((self.folder / "w/Weapon.CFG").read_bytes(), files["Weapon.CFG"])

    def test_the_games_own_models(self) -> None:
        """A folder or a hand says less than its glTF: which barrel has which tags, and how rows loop."""
        self.put_weapon()
        for source in "w", "w/v_x", "w/v_x_hand.md3", "w/v_x.md3":
            self.assertIn("convert them to weapon.glb, then that with --weapon",
                          self.convert(source, "--weapon", "-o", "new/", status=1), source)
            self.assertFalse((self.folder / "new").exists())

    def test_an_export_of_another_program(self) -> None:
        """It has other orders of nodes, and a reload that lasts twice as long: rates, loops and bits stay."""
        self.put_weapon()
        files = {path.name: path.read_bytes() for path in (self.folder / "w").iterdir()}
        times = {path.name: path.stat() for path in (self.folder / "w").iterdir()}
        self.convert("-q", "w", "-o", "a.glb")
        document = parse_glb((self.folder / "a.glb").read_bytes())
        data = bytearray((self.folder / "a.glb").read_bytes()[-document["buffers"][0]["byteLength"]:])
        for holder in [*document["nodes"], document["scenes"][0]]:
            for key in "children", "nodes":
                if key in holder:
                    holder[key].reverse()
        (self.folder / "b.glb").write_bytes(glb(document, bytes(data)))
        self.assertIn("5 of 5 models of the weapon are unchanged", self.convert("b.glb", "--weapon", "-o", "w/"))
        self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "w").iterdir()}, files)
        self.assertIn("unchanged: w/ has all 6 files already", self.convert("b.glb", "--weapon", "-f", "-o", "w/"))
        self.assertEqual({path.name: path.stat().st_ino for path in (self.folder / "w").iterdir()},
                         {name: stat.st_ino for name, stat in times.items()})
        inputs = {animation["name"]: {sampler["input"] for sampler in animation["samplers"]}
                  for animation in document["animations"]}
        for index in inputs["RELOAD1"]:
            self.assertFalse(any(index in others for name, others in inputs.items() if name != "RELOAD1"))
            accessor = document["accessors"][index]
            at = document["bufferViews"][accessor["bufferView"]].get("byteOffset", 0) + accessor.get("byteOffset", 0)
            times = struct.unpack_from(f"<{accessor['count']}f", data, at)
            struct.pack_into(f"<{accessor['count']}f", data, at, *(2 * time for time in times))
            accessor["max"] = [2 * accessor["max"][0]]
        (self.folder / "b.glb").write_bytes(glb(document, bytes(data)))
        self.convert("-q", "b.glb", "--weapon", "-f", "-o", "w/")
        after = rows_of(self.folder / "w/weapon.cfg")
        self.put("w/weapon.cfg", CFG)
        before = rows_of(self.folder / "w/weapon.cfg")
        self.assertEqual({name: row[2:] for name, row in after.items()}, {name: row[2:] for name, row in before.items()})
        self.assertEqual([name for name in after if after[name][1] != before[name][1]], ["RELOAD1"])
        self.assertEqual((before["RELOAD1"][1], after["RELOAD1"][1]), (4, 7))
        self.assertEqual((self.folder / "w/v_x.md3").read_bytes(), files["v_x.md3"])

    def test_a_weapon_cfg_of_another_weapon(self) -> None:
        """All hands of a folder read its weapon.cfg: no weapon changes that of another one."""
        self.put_weapon()
        self.put_weapon(name="v_y", barrels=())
        self.put("w/weapon.cfg", PLAIN_CFG)
        self.convert("-q", "w/v_x", "-o", "a.glb")
        for glb_of in "a.glb", "scene.glb":
            if glb_of == "scene.glb":
                (self.folder / glb_of).write_bytes(Gun(True).glb())
            before = {path.name: path.read_bytes() for path in (self.folder / "w").iterdir()}
            status = int(glb_of == "scene.glb")
            for force in (), ("-f",):
                log = self.convert(glb_of, "--weapon", *force, "-o", "w/", status=status)
                self.assertEqual("w/weapon.cfg stays, because it is also that of v_y: keep the rows" in log, status == 1)
                self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "w").iterdir()}, before)
        for path in (self.folder / "w").glob("v_x*"):
            path.unlink()
        self.convert("-q", "a.glb", "--weapon", "-f", "-o", "w/")  # its rows are those of the folder
        self.assertEqual((self.folder / "w/weapon.cfg").read_text(encoding="utf-8"), PLAIN_CFG)
        (self.folder / "w/weapon.cfg").unlink()
        self.convert("-q", "scene.glb", "--weapon", "-f", "-o", "w/")
        self.assertNotEqual((self.folder / "w/weapon.cfg").read_text(encoding="utf-8"), PLAIN_CFG)

    def test_rows_that_share_frames(self) -> None:
        """They share them again, and a change in one of them is not lost."""
        self.put_weapon(barrels=("", "2"))
        self.put("w/weapon.cfg", PLAIN_CFG)
        rows = rows_of(self.folder / "w/weapon.cfg")
        self.assertEqual((rows["ATTACK2"][:2], rows["DROP"][:2], rows["RELOAD1"][:2]), ((4, 2), (1, 5), (4, 4)))
        self.convert("-q", "w", "-o", "a.glb")
        self.convert("-q", "a.glb", "--weapon", "--format", "md3", "-o", "new/")
        self.assertEqual(rows_of(self.folder / "new/weapon.cfg"), rows)
        self.assertEqual(len(tags_of(self.folder / "new/v_x_hand.md3")), 8)
        data = bytearray((self.folder / "w/v_x_hand.md3").read_bytes())
        at, = struct.unpack_from("<i", data, 96)
        for frame in range(8):  # tag_weapon rises
            struct.pack_into("<f", data, at + 112 * frame * len(TAGS) + 72, frame)
        self.put("w/v_x_hand.md3", bytes(data))
        self.convert("-q", "w", "-o", "a.glb")
        document, data = split_glb((self.folder / "a.glb").read_bytes())
        fewer = {**document, "animations": [one for one in document["animations"] if one["name"] != "DROP"]}
        (self.folder / "b.glb").write_bytes(glb(fewer, bytes(data)))
        self.convert("-q", "b.glb", "--weapon", "-f", "-o", "new/")
        self.assertEqual(rows_of(self.folder / "new/weapon.cfg"), {**rows, "DROP": (0, 1, 20, 0, 0)})
        animation = next(one for one in document["animations"] if one["name"] == "RELOAD1")
        sampler = next(animation["samplers"][channel["sampler"]] for channel in animation["channels"]
                       if channel["target"]["path"] == "translation")
        sampler["input"] = add_floats(document, data, [(i / 10,) for i in range(4)])
        sampler["output"] = add_floats(document, data, [(0.0, 0.1 + .01 * i, 0.0) for i in range(4)])
        (self.folder / "b.glb").write_bytes(glb(document, bytes(data)))
        self.convert("-q", "b.glb", "--weapon", "-f", "-o", "w/")
        hand, after = tags_of(self.folder / "w/v_x_hand.md3"), rows_of(self.folder / "w/weapon.cfg")
        heights = {name: [round(hand[first + i]["tag_weapon"][0][2], 2) for i in range(count)]
                   for name, (first, count, *_) in after.items()}
        self.assertEqual((heights["ATTACK2"], heights["DROP"]), ([4, 5], [1, 2, 3, 4, 5]))
        self.assertEqual(heights["RELOAD1"], [round((0.1 + .01 * i) / .0254, 2) for i in range(4)])

    def test_a_removed_animation(self) -> None:
        """Its row is missing. Only rows in which nothing moved have none: IDLE1, RAISE and the like."""
        self.put_weapon()
        self.convert("-q", "w", "-o", "a.glb")
        document = parse_glb((self.folder / "a.glb").read_bytes())
        data = (self.folder / "a.glb").read_bytes()[-document["buffers"][0]["byteLength"]:]
        animations = document["animations"]
        for gone in {"RELOAD1"}, {"RELOAD1", "ATTACK1"}, {animation["name"] for animation in animations}:
            document["animations"] = [one for one in animations if one["name"] not in gone]
            if not document["animations"]:
                del document["animations"]
            (self.folder / "b.glb").write_bytes(glb(document, data))
            log = self.convert("b.glb", "--weapon", "-f", "-o", "new/")
            self.assertIn("no clip for " + ", ".join(name for name in CLIPS if name in gone) + ":", log)
            rows = rows_of(self.folder / "new/weapon.cfg")
            self.assertEqual((rows["RELOAD1"][1], rows["DROP"][1]), (1, 1 if "DROP" in gone else 5))
        document["animations"] = animations
        hand = (self.folder / "w/v_x_hand.md3").read_bytes()
        before = rows_of(self.folder / "w/weapon.cfg")
        for gone, shown in ("RELOAD1", (0, 1)), ("ATTACK2", (1, 3)), ("DROP", (0, 1)):
            document["animations"] = [one for one in animations if one["name"] != gone]
            (self.folder / "b.glb").write_bytes(glb(document, data))
            self.put("w/weapon.cfg", CFG)
            self.convert("-q", "b.glb", "--weapon", "-f", "-o", "w/")
            self.assertEqual((self.folder / "w/v_x_hand.md3").read_bytes(), hand, gone)
            after = rows_of(self.folder / "w/weapon.cfg")
            self.assertEqual({name: row[:2] for name, row in after.items()},
                             {name: shown if name == gone else row[:2] for name, row in before.items()})
        document["animations"] = animations
        next(one for one in animations if one["name"] == "RELOAD1")["name"] = "RELOADX"
        (self.folder / "b.glb").write_bytes(glb(document, data))
        log = self.convert("b.glb", "--weapon", "-f", "-o", "new/")
        self.assertIn("no clip for RELOAD1:", log)
        self.assertIn("the clip RELOADX is none that the game plays", log)

    def test_damaged_ways_back(self) -> None:
        """Damaged files in the folder are no originals, and damaged extras no reason to fail."""
        self.put_weapon()
        self.convert("-q", "w", "-o", "a.glb")
        whole = {path.name: path.read_bytes() for path in (self.folder / "w").iterdir()}
        for name, data in whole.items():
            for damaged in b"", data[:40], b"\xff" * len(data):
                self.put(f"w/{name}", damaged)
                self.convert("-q", "a.glb", "--weapon", "-f", "-o", "w/")
                self.convert("-q", "w", "-o", "b.glb")
            for path in (self.folder / "w").iterdir():
                path.unlink()
            for each, bytes_of in whole.items():
                self.put(f"w/{each}", bytes_of)
        document = parse_glb((self.folder / "a.glb").read_bytes())
        data = (self.folder / "a.glb").read_bytes()[-document["buffers"][0]["byteLength"]:]
        for key in "hand", "clips", "frames":
            changed = json.loads(json.dumps(document))
            for wrong in 7, {}, [], [[]], "v_", None:
                changed["scenes"][0]["extras"][key] = wrong
                (self.folder / "b.glb").write_bytes(glb(changed, data))
                self.convert("-q", "b.glb", "--weapon", "-f", "-o", "new/")
        for wrong in 7, "", "v_", "v_x_barrel9", "\n", None:
            changed = json.loads(json.dumps(document))
            for node in changed["nodes"]:
                if "holds" in node.get("extras", {}):
                    node["extras"]["holds"] = wrong
            (self.folder / "b.glb").write_bytes(glb(changed, data))
            done = self.call("convert", "-q", "b.glb", "--weapon", "-f", "-o", "new/", status=None)
            self.assertIn(done.returncode, (0, 1), done.stderr)

    def test_edits_of_a_hand(self) -> None:
        """Their clips are the rows, as info lists them."""
        self.put_weapon()
        data = bytearray((self.folder / "w/v_x_hand.md3").read_bytes())
        at, = struct.unpack_from("<i", data, 96)
        for frame in range(8):  # tag_weapon rises
            struct.pack_into("<f", data, at + 112 * frame * len(TAGS) + 72, frame)
        self.put("w/v_x_hand.md3", bytes(data))
        warning = ("w/v_x_hand.md3: w/weapon.cfg counts the frames as they were before; lerpmesh convert --clip LIST "
                   "--write-clips selects clips and writes it\n")
        for options, heights in (
                (("--keep", "clips:RELOAD1"), [4, 5, 6, 7]), (("--drop", "clips:reload1,IDLE1"), [1, 2, 3]),
                (("--order", "clips:RELOAD1,ATTACK1"), [4, 5, 6, 7, 1, 2, 3]),
                (("--drop", "frames:0", "--keep", "clips:RELOAD1", "--reverse", "RELOAD1"), [7, 6, 5, 4]),
                (("--reverse", "ATTACK1"), [0, 3, 2, 1, 4, 5, 6, 7])):
            log = self.call("edit", "w/v_x_hand.md3", *options, "-f", "-o", "b.md3").stderr
            self.assertEqual([tags["tag_weapon"][0][2] for tags in tags_of(self.folder / "b.md3")], heights, options)
            self.assertEqual(warning in log, len(heights) < 8)
        done = self.call("edit", "w/v_x_hand.md3", "--keep", "clips:IDLE1", "--keep", "clips:RELOAD1", "-o", "c.md3",
                         status=1)
        self.assertIn("RELOAD1", done.stderr)
        self.call("edit", "-q", "w/v_x_hand.md3", "--append", "w/v_x_hand.md3@reload1,ATTACK2", "-o", "d.md3")
        self.assertEqual([tags["tag_weapon"][0][2] for tags in tags_of(self.folder / "d.md3")][8:], [4, 5, 6, 7, 4, 5])
        for change in "reload1=Load", "s/^RELOAD1/Load/":
            log = self.call("edit", "w/v_x_hand.md3", "--rename", f"clips:{change}", "-f", "-o", "e.md3").stderr
            self.assertIn("w/weapon.cfg names its clips as before; only their frames are renamed\n", log)
            names = [frame["name"] for frame in json.loads(self.call("info", "--json", "e.md3").stdout)["frames"]]
            self.assertEqual(names[4:], [f"Load0{i}" for i in range(1, 5)])
            self.assertNotIn("Load", "".join(names[:4]))

    def test_some_rows_of_a_hand(self) -> None:
        """Others show the hand at rest, so that weapon.cfg keeps its order."""
        self.put_weapon()
        (self.folder / "new").mkdir()
        log = self.convert("w/v_x_hand.md3", "--clip", "RELOAD1,IDLE2", "--write-clips", "-o", "new/v_x_hand.md3")
        self.assertIn("8 rows of weapon.cfg have no clip and show the hand at rest\n", log)
        rows = rows_of(self.folder / "new/weapon.cfg")
        self.assertEqual((len(rows), rows["RELOAD1"], rows["IDLE2"], rows["DROP"]),
                         (10, (0, 4, 10, 2, 0), (4, 1, 20, 2, 0), (0, 1, 20, 0, 0)))

    # ---- Damage

    def test_damaged_weapons(self) -> None:
        self.put_weapon()
        whole = {path.name: path.read_bytes() for path in (self.folder / "w").iterdir()}
        for name, data in whole.items():
            for damaged in b"", data[:40], data[:-20], b"\xff" * len(data):
                self.put(f"w/{name}", damaged)
                for command in ("convert", "-q", "w", "-o", "a.glb"), ("info", "-q", "w/v_x"):
                    done = self.call(*command, status=None)
                    self.assertIn(done.returncode, (0, 1), done.stderr)
                self.put(f"w/{name}", data)
        for missing in "v_x_hand.md3", "v_x.md3":
            (self.folder / "w" / missing).unlink()
            self.assertIn("or v_NAME_hand and v_NAME", self.convert("w", "-o", "a.glb", status=1))
            self.put(f"w/{missing}", whole[missing])
        self.put("w/v_x_hand.md3", part(8, 0, TAGS[:4]))
        self.assertIn('v_x_barrel2.md3: left out: w/v_x_hand.md3 has no tag "tag_barrel2"',
                      self.convert("w", "-o", "a.glb"))
        self.put("w/v_x_hand.md3", whole["v_x_hand.md3"])
        (self.folder / "w/v_x_barrel.md3").unlink()
        log = self.convert("w", "-o", "a.glb")
        for name in "v_x_barrel2.md3", "v_x_barrel3.md3":
            self.assertIn(f"w/{name}: left out: the game shows no barrel after a missing one", log)
        self.put("w/v_x_barrel.md3", part(2))  # fewer frames than the bits say
        self.convert("-q", "w", "-o", "a.glb")

    def test_the_players_camera(self) -> None:
        self.put_weapon()
        self.call("render", "-q", "w", "--view", "eye", "-o", "a.png", "--size", "40x30")
        done = self.call("render", "w", "--view", "eye", "--turntable", "4", "-o", "a.webp", status=2)
        self.assertIn("omit --view eye", done.stderr)


if __name__ == "__main__":
    unittest.main()
