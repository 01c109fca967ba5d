"""Import, and export again: what did not change keeps its bytes."""
import hashlib
import os
import random
import shutil
from pathlib import Path
from typing import Any
from unittest import mock

import bpy
import corpus
import make_models
import numpy as np
import oracle
import scenes
import skipping
import support

import lerpmesh
import lerpmesh_io
from lerpmesh_io import clips

FORMATS = ("md2", "md3", "mdc", "mdl")
CHECKSUMS = os.environ.get("LERPMESH_CHECKSUMS")  # a file that receives those of the unchanged models; None: none
OPENARENA = Path("/usr/share/games/openarena/baseoa/pak0.pk3")
UFO = Path("/usr/share/games/ufoai/base/0models.pk3")
OF_GAMES = 24  # models of each game
SAMPLE = corpus.source_dir() / "samples" / "tick.md2"
PLAYER = corpus.source_dir() / "samples" / "models" / "players" / "tick"


def frame_bytes(data: bytes) -> list[bytes]:
    """Returns the frames of an MD2."""
    size, _, count = (int.from_bytes(data[at:at + 4], "little") for at in (16, 20, 40))
    start = int.from_bytes(data[56:60], "little")
    return [data[start + size * i:start + size * (i + 1)] for i in range(count)]


class RoundTrips(support.Case):
    def again(self, path: Path, **options: Any) -> bytes:
        self.load(path, related=False, cache_folder=str(self.folder), **options)
        data = self.save(f"again{path.suffix}", content="SELECTED").read_bytes()
        if CHECKSUMS:
            with open(CHECKSUMS, "a", encoding="utf-8") as out:
                print(hashlib.sha256(data).hexdigest(), path.name, *options.values(), file=out)
        return data

    def test_corpus(self) -> None:
        """Nothing changes: the bytes are the same, in both units."""
        found = [*corpus.real_models(FORMATS), *corpus.sample_models(FORMATS)]
        for path in found:
            for units in "FILE", "METRES":
                with self.subTest(f"{path.name} {units}"):
                    support.clear()
                    self.assertTrue(self.again(path, units=units) == path.read_bytes(), "other bytes")
        self.assertGreater(len(found), 2)

    def test_generated_models(self) -> None:
        for kind in FORMATS:
            for index in range(4):
                path = self.folder / f"m{index}.{kind}"
                path.write_bytes(make_models.make_model(kind, 82, index)[0])
                with self.subTest(path.name):
                    support.clear()
                    self.assertTrue(self.again(path) == path.read_bytes(), "other bytes")

    def test_games(self) -> None:
        """Models in the archives of games."""
        for archive in OPENARENA, UFO:
            if not archive.exists():
                skipping.skip(self, f"there is no {archive}")
            models = [path for path in lerpmesh.list_models(archive) if path[-3:] in FORMATS]
            for path in random.Random(57).sample(models, OF_GAMES):
                with self.subTest(path):
                    support.clear()
                    self.assertTrue(self.again(Path(path)) == lerpmesh.read_file(path), "other bytes")

    def test_kinds_of_frames(self) -> None:
        for frames in "RELATIVE", "ABSOLUTE", "CACHE":
            with self.subTest(frames):
                support.clear()
                self.assertTrue(self.again(SAMPLE, frames=frames) == SAMPLE.read_bytes(), "other bytes")

    def test_saved_file(self) -> None:
        """The .blend keeps what the export needs."""
        self.load(SAMPLE)
        blend = self.folder / "tick.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(blend))
        bpy.ops.wm.open_mainfile(filepath=str(blend))
        for made in bpy.data.objects:
            made.select_set(True)
        self.assertTrue(self.save("again.md2", content="SELECTED").read_bytes() == SAMPLE.read_bytes(), "other bytes")

    def test_a_moved_vertex_changes_its_frame(self) -> None:
        collection = self.load(SAMPLE)
        made, = (o for o in collection.all_objects if o.type == "MESH")
        key = made.data.shape_keys.key_blocks[20]
        key.data[7].co.z += 2
        data = self.save("again.md2", content="SELECTED").read_bytes()
        before, after = frame_bytes(SAMPLE.read_bytes()), frame_bytes(data)
        self.assertEqual([i for i, (a, b) in enumerate(zip(before, after)) if a != b], [20])
        moved = oracle.load(data).surfaces[0].vertex(20, 7, None)[0]
        was = oracle.load_file(str(SAMPLE)).surfaces[0].vertex(20, 7, None)[0]
        self.assertAlmostEqual(moved[2] - was[2], 2, delta=.15)
        self.assertEqual(len(data), SAMPLE.stat().st_size)

    def test_a_moved_tag_changes_its_frame(self) -> None:
        path = self.folder / "m.md3"
        for seed in range(40):
            path.write_bytes(make_models.make_model("md3", 5, seed)[0])
            model = oracle.load_file(str(path))
            if model.tag_names and len(model.frames) > 2 and len(set(model.tag_names)) == len(model.tag_names):
                break
        else:
            self.fail("no generated model has tags")
        collection = self.load(path)
        tag = next(o for o in collection.all_objects if o.get("lerpmesh_tag") == model.tag_names[0])
        action = tag.animation_data.nla_tracks[0].strips[0].action
        curve = support.bag_of(action).fcurves.find("location", index=2)
        curve.keyframe_points[1].co[1] += 3
        again = oracle.load_file(str(self.save("again.md3", content="SELECTED")))
        for frame in range(len(model.frames)):
            a, b = model.tag(frame, 0, None).position, again.tag(frame, 0, None).position
            self.assertAlmostEqual(b[2] - a[2], 3 if frame == 1 else 0, places=3 if frame == 1 else 6)

    def test_other_faces_are_encoded(self) -> None:
        """Without a face, the model is encoded again, with its clips and frame names."""
        collection = self.load(SAMPLE)
        made, = (o for o in collection.all_objects if o.type == "MESH")
        bpy.context.view_layer.objects.active = made
        count = len(made.data.polygons)
        made.modifiers.new("triangles", "DECIMATE").ratio = .5
        path = self.save("again.md2", content="SELECTED")
        again, before = oracle.load_file(str(path)), oracle.load_file(str(SAMPLE))
        self.assertEqual([f.name for f in again.frames], [f.name for f in before.frames])
        self.assertLess(len(again.surfaces[0].triangles), count)
        self.assertEqual(again.skins, before.skins)

    def test_without_the_source(self) -> None:
        collection = self.load(SAMPLE)
        path = self.save("again.md2", content="SELECTED", use_source=False)
        comparison = lerpmesh.compare(str(path), str(SAMPLE))
        self.assertLess(comparison.all.max, .3)
        self.assertEqual([c.name for c in lerpmesh.load(str(path)).clips], [c.name for c in lerpmesh.load(str(SAMPLE)).clips])
        self.assertTrue(collection)

    def write_player(self, *names: str) -> Path:
        """Returns the folder of a player of Quake II: body and weapon, each with a skin."""
        folder = self.folder / "players" / "tick"
        folder.mkdir(parents=True)
        for name in names:
            shutil.copy(SAMPLE, folder / f"{name}.md2")
        shutil.copy(SAMPLE.with_suffix(".pcx"), folder / "tick.pcx")
        return folder

    def test_parts(self) -> None:
        """A player that was imported whole becomes a file for each part, with the same bytes. An edit changes the file
        of its part only."""
        folder = self.write_player("tris", "weapon")
        self.load(folder / "tris.md2")
        weapon = next(o for o in bpy.data.collections["weapon"].all_objects if o.type == "MESH")
        for name, files in ("tris.md2", ["tris", "weapon"]), ("hero.md2", ["hero", "weapon"]), \
                ("weapon.md2", ["tris", "weapon"]):
            out = self.folder / name[:-4]
            out.mkdir()
            self.save(f"{out.name}/{name}", content="SELECTED")
            self.assertEqual(sorted(path.stem for path in out.iterdir()), files)
            for path in out.iterdir():
                self.assertTrue(path.read_bytes() == SAMPLE.read_bytes(), path)
        weapon.data.shape_keys.key_blocks[20].data[7].co.z += 2
        self.save("tris/tris.md2", content="SELECTED")  # replaces what it wrote itself
        self.assertTrue((self.folder / "tris" / "weapon.md2").read_bytes() != SAMPLE.read_bytes())
        (self.folder / "tris" / "weapon.md2").write_bytes(b"mine")
        with self.assertRaisesRegex(RuntimeError, "weapon.md2 exists, with other contents"):
            self.save("tris/tris.md2", content="SELECTED")
        self.save("tris/tris.md2", content="SELECTED", replace=True)
        changed = [path.name for path in (self.folder / "tris").iterdir() if path.read_bytes() != SAMPLE.read_bytes()]
        self.assertEqual(changed, ["weapon.md2"])
        count = len(oracle.load_file(str(SAMPLE)).surfaces[0].triangles)
        merged = oracle.load_file(str(self.save("one.md2", content="SELECTED", merge=True)))
        self.assertEqual(len(merged.surfaces[0].triangles), 2 * count)
        bpy.ops.lerpmesh.check()
        self.assertIn("; ", bpy.context.scene.lerpmesh_checks.sizes)

    def quake2_player(self) -> Path:
        """Returns the folder of a player of Quake II. The feet of the body are 24 units below the origin, the weapon is
        above it, and each has skins of its own."""
        folder = self.write_player()
        for name, lowest, skins in ("tris", -24, ["tick", "gold"]), ("weapon", 0, ["weapon"]):
            mesh = lerpmesh.Mesh.from_model(lerpmesh.load(str(SAMPLE)))
            matrix = np.eye(4)
            matrix[2, 3] = lowest - mesh.surfaces[0].positions[0, :, 2].min()
            mesh = mesh.transform(matrix)
            mesh.skins = [f"players/tick/{skin}.pcx" for skin in skins]
            (folder / f"{name}.md2").write_bytes(mesh.encode("md2").data)
            for skin in skins:
                shutil.copy(SAMPLE.with_suffix(".pcx"), folder / f"{skin}.pcx")
        return folder

    def as_quake2(self, name: str, **options: Any) -> dict[str, bytes]:
        """Exports a player of Quake II into a new folder, and returns its files."""
        out = self.folder / name
        out.mkdir()
        self.save(f"{name}/tris.md2", content="SELECTED", player="quake2", **options)
        return {path.name: path.read_bytes() for path in out.iterdir()}

    def test_a_player_of_quake2(self) -> None:
        """Body and weapon become files with the frames of the game, their own skins and their places."""
        self.load(self.quake2_player() / "tris.md2")
        made = self.as_quake2("made")
        self.assertEqual(sorted(made), ["tris.md2", "weapon.md2"])
        count = len(oracle.load_file(str(SAMPLE)).surfaces[0].triangles)
        for name, lowest, skins in ("tris.md2", -24, ["tick", "gold"]), ("weapon.md2", 0, ["weapon"]):
            model = oracle.load(made[name])
            self.assertEqual((len(model.frames), len(model.surfaces[0].triangles)), (198, count))
            self.assertEqual(model.skins, [f"players/tick/{skin}.pcx" for skin in skins])
            self.assertAlmostEqual(support.corners_of(model, 0)[0][..., 2].min(), lowest, delta=.5)
        merged = oracle.load(self.as_quake2("merged", merge=True)["tris.md2"])
        self.assertEqual(len(merged.surfaces[0].triangles), 2 * count)
        material, = next(o for o in bpy.data.collections["weapon"].all_objects if o.type == "MESH").data.materials
        del material["lerpmesh_path"]
        # The game's menu would list a skin that has a portrait, weapon_i.
        self.assertEqual(sorted(self.as_quake2("new")), ["tris.md2", "weapon.md2", "weapon.png"])

    def test_an_unchanged_player_of_quake2(self) -> None:
        """A player that has the frames of the game keeps its bytes, also with a weapon that has none of deaths."""
        self.load(self.quake2_player() / "tris.md2")
        made = self.as_quake2("made")
        short = lerpmesh.convert(str(self.folder / "made/weapon.md2"), "md2", "weapon.md2", options="--frames 0-172")
        for weapon in made["weapon.md2"], short.files["weapon.md2"]:
            (self.folder / "made/weapon.md2").write_bytes(weapon)
            support.clear()
            self.load(self.folder / "made/tris.md2")
            wanted = {"tris.md2": made["tris.md2"], "weapon.md2": weapon}
            self.assertTrue(self.as_quake2(f"same{len(weapon)}") == wanted, "other bytes")
            slots = next(o for o in bpy.data.collections["weapon"].all_objects if o.type == "MESH").data.materials
            before, slots[0] = slots[0], scenes.material("gold", (1, .8, .1))
            painted = self.as_quake2(f"painted{len(weapon)}")
            self.assertEqual(sorted(painted), ["tris.md2", "weapon.md2", "weapon.png"])
            self.assertEqual(frame_bytes(painted["weapon.md2"]), frame_bytes(weapon))
            self.assertIn("weapon.png", oracle.load(painted["weapon.md2"]).skins[0])
            self.assertTrue(painted["tris.md2"] == made["tris.md2"])
            slots[0] = before
            body = next(o for o in bpy.data.collections["tris"].all_objects if o.type == "MESH")
            body.modifiers.new("triangles", "DECIMATE").ratio = .5
            changed = self.as_quake2(f"changed{len(weapon)}")
            self.assertEqual([name for name in wanted if changed[name] != wanted[name]], ["tris.md2"])

    def test_an_object_of_a_part(self) -> None:
        """An object that a user adds belongs to the part of its parent; the other parts keep their bytes."""
        self.load(self.write_player("tris", "weapon") / "tris.md2")
        weapon = next(o for o in bpy.data.collections["weapon"].all_objects if o.type == "MESH")
        bpy.ops.mesh.primitive_cube_add(size=4)
        bpy.context.object.parent = weapon
        for made in bpy.context.scene.objects:
            made.select_set(True)
        path = self.save("tris.md2", content="SELECTED")
        self.assertTrue(path.read_bytes() == SAMPLE.read_bytes(), "other bytes")
        count = len(oracle.load_file(str(SAMPLE)).surfaces[0].triangles)
        self.assertEqual(len(oracle.load_file(str(path.with_name("weapon.md2"))).surfaces[0].triangles), count + 12)

    def test_parts_with_tags(self) -> None:
        """Also lower, upper and head, with their skins and clips."""
        scenes.player_scene()
        folder = self.save("hero", format="md3", player="quake3")
        support.clear()
        self.load(folder)
        out = self.folder / "out"
        out.mkdir()
        self.save("out/lower.md3", content="SELECTED")
        names = sorted(path.name for path in folder.iterdir() if path.suffix in (".md3", ".skin", ".cfg"))
        self.assertEqual(sorted(path.name for path in out.iterdir()), names)
        for name in names:
            self.assertTrue((out / name).read_bytes() == (folder / name).read_bytes(), name)

    def halve_uvs(self, *names: str) -> None:
        """Changes the texture coordinates of objects, so that they are encoded again."""
        for name in names:
            for loop in bpy.data.objects[name].data.uv_layers[0].data:
                loop.uv[0] *= .5

    def compare_shapes(self, path: Path, other: Path) -> None:
        """Both files have the same frames and tags, in the same space."""
        found, wanted = oracle.load_file(str(path)), oracle.load_file(str(other))
        self.assertEqual([frame.name for frame in found.frames], [frame.name for frame in wanted.frames], path.name)
        self.assertEqual(found.tag_names, wanted.tag_names)
        for frame in range(len(found.frames)):
            sets = [{tuple(np.round(corner, 1)) for corner in support.corners_of(model, frame)[0].reshape(-1, 3)}
                    for model in (found, wanted)]
            near = [min(np.abs(np.subtract(a, b)).max() for b in sets[1]) for a in sets[0]]
            self.assertLess(max(near), .21, (path.name, frame))
            for tag in range(len(found.tag_names)):
                places = [model.tag(frame, tag, None).position for model in (found, wanted)]
                self.assertLess(np.abs(np.subtract(*places)).max(), .05, (path.name, frame))

    def player(self) -> Path:
        """Imports a player of Quake III with two skins, and returns its folder."""
        scenes.player_scene()
        bpy.context.scene.lerpmesh.units = "METRES"
        folder = self.save("hero", format="md3", player="quake3")
        for name in "lower", "upper", "head":
            text = (folder / f"{name}_default.skin").read_text()
            (folder / f"{name}_red.skin").write_text(text.replace(".tga", "_red.tga"))
        for path in list(folder.glob("*.tga")):
            shutil.copy(path, path.with_stem(path.stem.replace("_default", "") + "_red"))
        support.clear()
        self.load(folder)
        return folder

    def test_attached_parts(self) -> None:
        """Parts that are encoded again keep their own space, frames and clips; the others keep their bytes. So does a part
        that is exported alone."""
        folder = self.player()
        self.halve_uvs("upper_mesh", "head_mesh")
        names = sorted(path.name for path in folder.iterdir() if path.suffix in (".md3", ".skin", ".cfg"))
        for name, options in ("out/lower.md3", {}), ("whole", {"player": "quake3", "format": "md3"}), \
                ("again/lower.md3", {"use_source": False}), ("alone/head.md3", {}):
            if name == "alone/head.md3":
                for made in bpy.context.scene.objects:
                    made.select_set(made.name == "head_mesh")
                names = [each for each in names if each.startswith("head")]
            out = self.folder / name.partition("/")[0]
            out.mkdir()
            self.save(name, content="SELECTED", **options)
            self.assertEqual(sorted(path.name for path in out.iterdir()), names)
            for path in out.iterdir():
                if path.suffix == ".md3":
                    self.compare_shapes(path, folder / path.name)
                if path.suffix != ".md3" or (path.name == "lower.md3" and options.get("use_source", True)):
                    self.assertTrue(path.read_bytes() == (folder / path.name).read_bytes(), path)

    def test_an_object_above_a_part(self) -> None:
        """Its place is an edit of the part below it, and of no other."""
        self.load(PLAYER)
        for name, carrier in ("lower", None), ("upper", "tag_torso"), ("head", "tag_head"):
            above = bpy.data.objects.new(f"above_{name}", None)
            bpy.context.scene.collection.objects.link(above)
            above.parent, bpy.data.objects[name].parent = bpy.data.objects[carrier] if carrier else None, above
            self.assertEqual(self.moved_parts(f"at_{name}"), {})
            above.location = 0, -3, 1
            self.assertEqual(self.moved_parts(f"moved_{name}"), {name: (3, 0, 1)})
            above.location = 0, 0, 0
        above.keyframe_insert("location", frame=0)
        above.location = 0, 0, 10
        above.keyframe_insert("location", frame=5)
        self.save("animated_head.md3")
        frames = lerpmesh.load(str(self.folder / "head.md3")).bake()
        self.assertGreater(len(frames), 5)
        self.assertAlmostEqual(float((frames[5] - frames[0])[0, 2]), 10, delta=.05)

    def moved_parts(self, name: str) -> dict[str, Any]:
        """Exports the player into a new folder. Returns how far all vertices of parts with other bytes moved."""
        out = self.folder / name
        out.mkdir()
        self.save(f"{name}/lower.md3")
        moved = {}
        for part in "lower", "upper", "head":
            before, after = PLAYER / f"{part}.md3", out / f"{part}.md3"
            if before.read_bytes() != after.read_bytes():
                away = lerpmesh.load(str(after)).bake() - lerpmesh.load(str(before)).bake()
                self.assertLess(np.ptp(away.reshape(-1, 3), axis=0).max(), .05)
                moved[part] = tuple(int(value) for value in away.mean(axis=(0, 1)).round())
        return moved

    def test_other_skins(self) -> None:
        """A player that is encoded again keeps the skins that are not shown."""
        folder = self.player()
        made = self.save("made", format="md3", content="SELECTED", player="quake3", use_source=False)
        for name in "lower", "upper", "head":
            self.assertTrue((made / f"{name}_red.skin").read_bytes() == (folder / f"{name}_red.skin").read_bytes())

    def test_other_tags_and_names(self) -> None:
        """A new, a removed or a renamed tag or surface is an edit of its part: the frames stay, the other parts keep their
        bytes."""
        self.load(PLAYER)
        torso, tag = bpy.data.objects["u_torso"], bpy.data.objects["tag_weapon"]
        before = oracle.load_file(str(PLAYER / "upper.md3"))
        for made in bpy.data.objects:
            made.select_set(made == torso)
        bpy.context.view_layer.objects.active = torso
        bpy.context.scene.cursor.location = 1, 2, 30
        bpy.ops.lerpmesh.add_tag(tag="tag_mine")
        self.assertEqual({made.name for made in bpy.context.selected_objects}, {"u_torso", "tag_mine"})
        (self.folder / "again").mkdir()
        for step, content, names in (0, "SELECTED", ["tag_mine"]), (1, "VISIBLE", ["tag_mine"]), (2, "VISIBLE", []), \
                (3, "VISIBLE", []):
            if step == 2:
                bpy.data.objects.remove(bpy.data.objects["tag_mine"])
                tag.name = "tag_gun"
            if step == 3:
                tag.name, torso.name = "tag_weapon", "u_chest"
            path = self.save("again/upper.md3", content=content, replace=True)
            model = oracle.load_file(str(path))
            wanted = [name.replace("tag_weapon", "tag_gun") if step == 2 else name for name in before.tag_names]
            self.assertEqual(model.tag_names, wanted + names, step)
            self.assertEqual([s.name for s in model.surfaces], ["u_chest" if step == 3 else s.name for s in before.surfaces])
            self.assertEqual([frame.name for frame in model.frames], [frame.name for frame in before.frames])
            self.assertLess(lerpmesh.compare(str(path), str(PLAYER / "upper.md3")).all.max, .02)
            for part in ("lower", "head") if step else ():
                self.assertTrue((path.parent / f"{part}.md3").read_bytes() == (PLAYER / f"{part}.md3").read_bytes(), step)

    def test_frames_are_shown_once(self) -> None:
        """All parts of a player are sampled together, also the frames that they repeat."""
        self.load(PLAYER)
        shown: list[float] = []
        show = clips.Player.show
        with mock.patch.object(clips.Player, "show", lambda player, frame: (shown.append(frame), show(player, frame))):
            self.save("lower.md3")
        self.assertEqual(sorted(shown), list(range(len(shown))))
        self.assertEqual(len(shown), bpy.context.scene.frame_end + 1)

    def test_poses_that_no_file_has(self) -> None:
        """An edit on a frame of the timeline that shows a frame of the file again is not written, and is reported. An edit
        of the file's frame itself, by its shape key, is written without a warning."""
        self.load(PLAYER)
        torso = bpy.data.objects["u_torso"]
        manager = bpy.context.window_manager
        torso.data.shape_keys.key_blocks[69].data[0].co.x += 3
        for frames, lost in ((), ""), ((24, 130), ""), ((25, 60), "upper: the edits on frames 25, 60 of the timeline are not "
                                                       "written. The file has the poses of frames 24, 156"):
            for frame in frames:
                for at, x in (frame - 1, 0), (frame, 3), (frame + 1, 0):
                    torso.location.x = x
                    torso.keyframe_insert("location", frame=at)
            path = self.save(f"{len(frames)}{len(lost)}/upper.md3")
            warnings = [line for line in manager.lerpmesh_report.splitlines() if "timeline" in line]
            self.assertEqual(warnings, [lost] if lost else [])
            changed = [i for i, (a, b) in enumerate(zip(*(lerpmesh.load(str(each)).bake(0) for each in (
                path, PLAYER / "upper.md3")))) if np.abs(a - b).max() > .1]
            self.assertEqual(changed, [69] if lost or not frames else [23, 43, 69])
            torso.animation_data_clear()
            torso.location.x = 0

    def test_changed_clips_of_a_player(self) -> None:
        """Another rate, name or order of clips changes their rows of animation.cfg only. Without a clip, the game's rows
        and the lines above them stay."""
        lines = (PLAYER / "animation.cfg").read_text().split("\n")
        run, = (i for i, line in enumerate(lines) if "LEGS_RUN" in line)
        self.load(PLAYER)
        items = bpy.context.scene.lerpmesh.clips
        (self.folder / "preset").mkdir()
        bpy.ops.lerpmesh.clips_preset(player="quake3")
        self.save("preset/lower.md3")
        self.assertEqual((self.folder / "preset/animation.cfg").read_text().split("\n"), lines)
        items["LEGS_RUN"].fps = 20
        lines[run] = lines[run].replace("15", "20")
        for name, to in ("rate/lower.md3", ""), ("whole", ""), ("name/lower.md3", "LEGS_SPRINT"):
            if to:
                items["LEGS_RUN"].name = to
                lines[run] = lines[run].replace("LEGS_RUN", to)
            out = self.folder / name.partition("/")[0]
            out.mkdir()
            self.save(name, format="md3", player="none" if "/" in name else "quake3")
            self.assertEqual((out / "animation.cfg").read_text().split("\n"), lines)
            for part in "lower", "upper", "head":
                self.assertTrue((out / f"{part}.md3").read_bytes() == (PLAYER / f"{part}.md3").read_bytes(), name)
        items["LEGS_SPRINT"].name = "LEGS_RUN"
        items.remove([item.name for item in items].index("TORSO_GESTURE"))
        (self.folder / "without").mkdir()
        self.save("without/lower.md3")
        made = (self.folder / "without/animation.cfg").read_text().split("\n")
        names = [line.split()[-1].replace("LEGS_SPRINT", "LEGS_RUN") for line in lines[6:-1]]
        self.assertEqual([line.split()[-1] for line in made[6:-1]], names)
        self.assertEqual(made[:6], lines[:6])
        rows = lerpmesh.open(str(self.folder / "without")).parts
        self.assertEqual([[c.fps for c in part.clips if c.name == "LEGS_RUN"] for part in rows], [[20], [], []])
        self.assertLess(rows[0].model.num_frames, 130)

    def test_renamed_clips(self) -> None:
        """Other names of clips rename frames, and other rates make a clips file: all vertices and normals stay."""
        plain = self.folder / "plain.md3"
        plain.write_bytes(lerpmesh.convert(str(SAMPLE), "md3").data)
        for path in SAMPLE, SAMPLE.with_name("tick_torch.mdl"), plain:
            with self.subTest(path.name):
                support.clear()
                self.load(path, related=False)
                items = bpy.context.scene.lerpmesh.clips
                name = items[0].name
                items[0].name, items[0].fps = "sprint", 23
                data = self.save(f"again{path.suffix}").read_bytes()
                self.assertEqual("stores no rates" in bpy.context.window_manager.lerpmesh_report, path != plain)
                document = lerpmesh.Document(str(path))
                index = document.names("clips").index(name)
                document.rename("clips", index, "sprint")
                self.assertTrue(data == document.encode(), "other bytes")
                made = self.folder / "animation.cfg"
                self.assertEqual(made.exists(), path == plain)
                if path == plain:
                    clip = lerpmesh.read_clips(str(made), len(document.names("frames"))).clips[index]
                    self.assertEqual((clip.name, clip.fps, clip.frames), ("sprint", 23, document.clip(index)))
                mesh = next(made for made in bpy.data.objects if made.type == "MESH")
                mesh.data.uv_layers[0].data[0].uv[0] += .1
                encoded = lerpmesh.Document(self.save(f"encoded{path.suffix}").read_bytes())
                self.assertEqual(encoded.names("frames"), document.names("frames"))
        support.clear()
        self.load(SAMPLE)
        bpy.context.scene.lerpmesh.clips["wave"].name = "pain3"
        data = self.save("pain.md2").read_bytes()
        for before, after in zip(frame_bytes(SAMPLE.read_bytes()), frame_bytes(data)):
            self.assertEqual(before[:24] + before[40:], after[:24] + after[40:])  # between them is the name
        self.assertEqual([(clip.name, clip.frames) for clip in lerpmesh.load(data).clips], [
            (clip.name.replace("wave", "pain3"), clip.frames) for clip in lerpmesh.load(str(SAMPLE)).clips])
        support.clear()
        self.load(SAMPLE)
        bpy.context.scene.lerpmesh.clips[0].name = "a_name_of_more_than_16_bytes"
        names = lerpmesh.Document(str(self.save("long.md2"))).names("frames")
        self.assertEqual((len(names), names[0][:8]), (49, "a_name_o"))

    def test_a_player_of_quake3_for_quake2(self) -> None:
        """Its parts become one model. Otherwise they stay parts, without a clips file."""
        folder = self.player()
        path = self.save("tris.md2", content="SELECTED", player="quake2")
        self.assertEqual([each.name for each in self.folder.glob("*.md2")], ["tris.md2"])
        counts = [sum(len(surface.triangles) for surface in oracle.load_file(str(folder / f"{name}.md3")).surfaces)
                  for name in ("lower", "upper", "head")]
        made = oracle.load_file(str(path))
        self.assertEqual((len(made.frames), len(made.surfaces[0].triangles)), (198, sum(counts)))
        (self.folder / "parts").mkdir()
        self.save("parts/lower.md2", content="SELECTED")
        self.assertEqual(sorted(path.name for path in (self.folder / "parts").iterdir()), [
            "head.md2", "lower.md2", "upper.md2"])

    def test_a_new_material(self) -> None:
        """A new material of an imported model is written, and named by the shown skin. Other skins stay."""
        folder = self.player()
        gold = scenes.material("gold", (1, .8, .1))
        for options in {"format": "md3"}, {"format": "md3", "player": "quake3"}:
            bpy.data.objects["head_mesh"].data.materials[0] = gold
            out = self.folder / f"made{len(options)}" / "models" / "players" / "hero"
            out.mkdir(parents=True)
            self.save(f"{out.relative_to(self.folder)}{'' if 'player' in options else '/lower.md3'}", content="SELECTED",
                      **options)
            listed = lerpmesh.read_skin((out / "head_default.skin").read_bytes())
            self.assertEqual((out / "head_default.skin").read_text().split("\n")[1:],
                             (folder / "head_default.skin").read_text().split("\n")[1:])
            self.assertEqual(oracle.load_file(str(out / "head.md3")).surfaces[0].shaders, [listed["head_mesh"]])
            self.assertEqual([path.name for path in out.glob("*.tga")], [Path(listed["head_mesh"]).name])
            self.assertEqual(str(Path(listed["head_mesh"]).parent), "models/players/hero")
            for name in "lower.md3", "upper.md3", "head_red.skin", "lower_default.skin":
                self.assertTrue((out / name).read_bytes() == (folder / name).read_bytes(), name)
            document = lerpmesh.Document(str(folder / "head.md3"))
            document.rename("skins", 0, listed["head_mesh"])
            self.assertTrue((out / "head.md3").read_bytes() == document.encode(), "other bytes")
        for made in bpy.context.scene.objects:
            made.select_set(made.name == "head_mesh")
        alone = out.parents[3] / "alone" / "models" / "players" / "hero"
        alone.mkdir(parents=True)
        self.save(alone.relative_to(self.folder) / "head.md3", content="SELECTED")
        for path in alone.glob("head*.*"):
            self.assertTrue(path.suffix == ".tga" or path.read_bytes() == (out / path.name).read_bytes(), path.name)
        self.assertEqual(len(list(alone.glob("*.skin"))), 2)
        support.clear()
        made, = (o for o in self.load(SAMPLE).all_objects if o.type == "MESH")
        made.data.materials[0] = scenes.material("gold", (1, .8, .1))
        path = self.save("gold.md2", content="SELECTED")
        self.assertIn("gold", oracle.load_file(str(path)).skins[0])
        self.assertEqual(len(list(self.folder.glob("gold.p*"))), 1)
        self.assertEqual(frame_bytes(path.read_bytes()), frame_bytes(SAMPLE.read_bytes()))
        support.clear()
        made, = (o for o in self.load(SAMPLE).all_objects if o.type == "MESH")
        made.data.materials[0]["lerpmesh_path"] = "players/tick/other.pcx"
        self.assertEqual(oracle.load_file(str(self.save("other.md2"))).skins, ["players/tick/other.pcx"])

    def test_images_of_an_unchanged_model(self) -> None:
        """All images are written if they are asked for. The model keeps its bytes, and names the files."""
        self.load(SAMPLE)
        path = self.save("again.md2", images="ALL")
        self.assertTrue(path.read_bytes() == SAMPLE.read_bytes(), "other bytes")
        image = Path(oracle.load_file(str(SAMPLE)).skins[0]).with_suffix(".png").name
        self.assertEqual(sorted(made.name for made in self.folder.iterdir()), ["again.md2", image])
        support.clear()
        self.load(PLAYER)
        (self.folder / "player").mkdir()
        self.save("player/lower.md3", images="ALL")
        for name in "lower", "upper", "head":
            self.assertTrue((self.folder / "player" / f"{name}.md3").read_bytes() ==
                            (PLAYER / f"{name}.md3").read_bytes(), name)
        self.assertEqual([made.name for made in (self.folder / "player").glob("tick.*")], ["tick.tga"])

    def test_the_folder_of_a_new_image(self) -> None:
        """Outside of a game, it is that of the model's other images."""
        self.load(PLAYER)
        bpy.data.objects["h_head"].data.materials[0] = scenes.material("gold", (1, .8, .1))
        self.save("lower.md3")
        listed = lerpmesh.read_skin((self.folder / "head_default.skin").read_bytes())
        self.assertEqual(str(Path(listed["h_head"]).parent), "models/players/tick")
        self.assertTrue((self.folder / Path(listed["h_head"]).name).exists())

    def test_a_part_without_surfaces(self) -> None:
        self.load(PLAYER)
        bpy.data.objects.remove(bpy.data.objects["l_legs"])
        self.save("lower.md3")
        self.assertEqual(oracle.load_file(str(self.folder / "lower.md3")).surfaces, [])
        self.assertIn("lower: all its surfaces are gone; the file has tags only",
                      bpy.context.window_manager.lerpmesh_report.splitlines())

    def test_an_animated_part(self) -> None:
        """A file of one frame that a user animates gets the frames of the timeline. One that was imported without its
        animation gets one."""
        mesh = lerpmesh.Mesh.from_model(lerpmesh.load(str(SAMPLE))).select_frames([0])
        path = self.folder / "still.md3"
        path.write_bytes(mesh.encode("md3").data)
        made, = (o for o in self.load(path).all_objects if o.type == "MESH")
        self.assertTrue(self.save("same.md3").read_bytes() == path.read_bytes())
        for frame, height in (1, 0), (10, 9):
            made.location.z = height
            made.keyframe_insert("location", frame=frame)
        bpy.context.scene.frame_end = 10
        self.assertEqual(lerpmesh.load(str(self.save("moves.md3"))).num_frames, 10)
        support.clear()
        self.load(SAMPLE, frames="NONE")
        self.assertEqual(lerpmesh.load(str(self.save("first.md2"))).num_frames, 1)

    def test_players(self) -> None:
        """A whole player: its three models, its clips and its skins."""
        if not OPENARENA.exists():
            skipping.skip(self, "OpenArena is not installed")
        for name in "sarge", "sorceress":
            with self.subTest(name):
                support.clear()
                source = f"{OPENARENA}:models/players/{name}"
                self.load(source)
                folder = self.save(name, format="md3", player="quake3", content="VISIBLE")
                for part in "lower", "upper", "head":
                    self.assertTrue((folder / f"{part}.md3").read_bytes() ==
                                    lerpmesh.read_file(f"{source}/{part}.md3"), part)
                self.assertEqual((folder / "animation.cfg").read_bytes(), lerpmesh.read_file(f"{source}/animation.cfg"))
                self.compare_skins(folder, source)

    def test_weapons(self) -> None:
        """A weapon as it was, and one of which a barrel changed."""
        source = corpus.corpus_dir().parent / "rtcw/main/models/weapons2/thompson"
        if not source.is_dir():
            skipping.skip(self, "there are no files of Return to Castle Wolfenstein")
        files = {path.name: path.read_bytes() for path in source.glob("v_*")}
        del files["v_thompson_flash.mdc"]
        files["weapon.cfg"] = (source / "weapon.cfg").read_bytes()
        self.load(source)
        for changed in set(), {"v_thompson_barrel.mdc"}:
            if changed:
                bpy.data.objects["b_bolt"].data.vertices[0].co.x += 1
                bpy.data.objects["b_bolt"].data.shape_keys and bpy.data.objects["b_bolt"].shape_key_clear()
            folder = self.save(f"thompson{len(changed)}", format="mdc", player="weapon")
            self.assertEqual({path.name for path in folder.iterdir()}, set(files))
            self.assertEqual({path.name for path in folder.iterdir() if path.read_bytes() != files[path.name]}, changed)
        bpy.data.objects["b_bolt"].data.vertices[0].co.x -= 1
        self.halve_uvs("b_bolt", "b2_catridge")
        (self.folder / "hand").mkdir()
        for name, options in ("barrels", {"player": "weapon"}), ("hand/v_thompson_hand.mdc", {}):
            folder = self.save(name, format="mdc", **options)
            folder = folder if folder.is_dir() else folder.parent
            self.assertEqual({path.name for path in folder.iterdir()}, set(files))
            for path in folder.iterdir():
                if path.name in ("v_thompson_barrel.mdc", "v_thompson_barrel2.mdc"):
                    self.compare_shapes(path, source / path.name)
                else:
                    self.assertTrue(path.read_bytes() == files[path.name], path.name)

    def test_skins_without_files(self) -> None:
        """Without the .skin files, the materials of the surfaces tell their paths."""
        if not OPENARENA.exists():
            skipping.skip(self, "OpenArena is not installed")
        source = f"{OPENARENA}:models/players/sarge"
        self.load(source)
        for collection in bpy.data.collections:
            for key in [key for key in collection.keys() if key.startswith("lerpmesh_skin_file:")]:
                del collection[key]
        plain = bpy.data.materials.new("without a path")
        lerpmesh_io.materials.store_skins(bpy.data.collections["head"], [("default", [plain])])
        folder = self.save("sarge", format="md3", player="quake3", content="VISIBLE")
        wanted = lerpmesh.read_skin(lerpmesh.read_file(f"{source}/upper_default.skin"))
        found = lerpmesh.read_skin((folder / "upper_default.skin").read_bytes())
        self.assertEqual({k: v.lower() for k, v in found.items() if v}, {k: v.lower() for k, v in wanted.items() if v})
        self.assertEqual(list(folder.glob("head_*.skin")), [])

    def compare_skins(self, folder: Path, source: str) -> None:
        found = list(folder.glob("*.skin"))
        self.assertGreater(len(found), 3)
        for path in found:
            self.assertEqual(path.read_bytes(), lerpmesh.read_file(f"{source}/{path.name}"))
