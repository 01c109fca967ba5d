"""The operators and panels, called as a user does."""
import json
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any, Iterator

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

SAMPLE = corpus.source_dir() / "samples" / "tick.md2"
ORC = Path("/usr/share/games/openarena/baseoa/pak0.pk3")


def strips_of(made: Any) -> list[tuple[str, tuple[Any, ...], Any]]:
    """Returns name, times and action of the strips of an object or its keys, in the order of time."""
    keys = made.data.shape_keys if made.type == "MESH" else None
    data = (keys or made).animation_data
    found = [(s.name, (s.frame_start, s.frame_end, s.action_frame_start, s.action_frame_end, s.use_reverse), s.action)
             for track in (data.nla_tracks if data else ()) for s in track.strips]
    return sorted(found, key=lambda strip: strip[1])


class Import(support.Case):
    def test_skins_with_models_of_their_own(self) -> None:
        """All skins of a player whose helmets differ: each part has those of its own model."""
        player = corpus.corpus_dir().parent / "rtcw/main/models/players/multi"
        if not player.is_dir():
            skipping.skip(self, "there are no files of Return to Castle Wolfenstein")
        wanted = {path.stem.partition("_")[2] for path in player.glob("body_*.skin")}
        self.load(player)
        body = next(c for c in bpy.data.collections if c.name.partition(".")[0] == "body")
        self.assertEqual({skin["name"] for skin in body["lerpmesh_skins"]}, wanted)

    def test_animation(self) -> None:
        """One action per clip with its name, range and rate; markers; the scene's rate and range; keys like frames."""
        collection = self.load(SAMPLE)
        model = lerpmesh.load(str(SAMPLE))
        scene = bpy.context.scene
        made, = (o for o in collection.all_objects if o.type == "MESH")
        self.assertEqual([k.name for k in made.data.shape_keys.key_blocks], [f.name for f in model.frames])
        clips = lerpmesh.open(str(SAMPLE)).parts[0].clips
        self.assertEqual(sorted(a.name for a in bpy.data.actions), sorted(c.name for c in clips))
        for clip in clips:
            action = bpy.data.actions[clip.name]
            self.assertEqual((action.frame_start, action.frame_end), (0, clip.count - 1))
            self.assertEqual(action["lerpmesh_fps"], clip.fps)
        self.assertEqual(sorted((m.name, m.frame) for m in scene.timeline_markers),
                         sorted((c.name, c.first) for c in clips))
        self.assertEqual((scene.frame_start, scene.frame_end), (0, model.num_frames - 1))
        self.assertEqual(scene.render.fps / scene.render.fps_base, 10)
        self.assertEqual([(c.name, c.start, c.end) for c in scene.lerpmesh.clips],
                         [(c.name, c.first, c.first + c.count - 1) for c in clips])

    def test_tags_play_the_clips(self) -> None:
        """Tags have an action per clip, whose strip, range and rate are those of the surfaces, and whose curves have
        the values of the file."""
        for name in self.animated_models():
            support.clear()
            collection = self.load(name, frames="RELATIVE", related=True)
            for part in lerpmesh_io.source.parts_of(bpy.data.collections[collection.name]):
                objects = part.all_objects
                surface = next(o for o in objects if "lerpmesh_surface" in o)
                for tag in (o for o in objects if "lerpmesh_tag" in o and o.animation_data):
                    self.compare_strips(surface, tag, lerpmesh.load(bytes(part["lerpmesh_source"])))

    def animated_models(self) -> Iterator[str]:
        """Generated models with moving tags and two clips, one of them backwards, and a player."""
        path = self.folder / "lower.md3"
        for seed in range(30):
            path.write_bytes(make_models.make_model("md3", 6, seed)[0])
            model = lerpmesh.load(str(path))
            if model.tags and model.surfaces and 3 < model.num_frames < 300:
                (self.folder / "animation.cfg").write_text(
                    f"sex m\n0 2 0 12 // LEGS_WALK\n2 -{model.num_frames - 2} 0 8 // LEGS_BACK\n")
                yield str(path)
        if ORC.exists():
            yield f"{ORC}:models/players/sarge"

    def compare_strips(self, surface: Any, tag: Any, model: Any) -> None:
        self.assertEqual([s[:2] for s in strips_of(surface)], [s[:2] for s in strips_of(tag)])
        matrices = model.bake_tag(tag["lerpmesh_tag"])
        for (_, values, wanted), (_, _, action) in zip(strips_of(surface), strips_of(tag)):
            self.assertNotEqual(wanted, action)
            self.assertEqual(action.name, f"{wanted.name} {tag['lerpmesh_tag']}")
            for key in "lerpmesh_clip", "lerpmesh_model", "lerpmesh_fps", "lerpmesh_loop_frames", "lerpmesh_backwards":
                self.assertEqual(action.get(key), wanted.get(key), key)
            self.assertEqual(tuple(action.frame_range), tuple(wanted.frame_range))
            fcurves = support.bag_of(action).fcurves
            curves = [fcurves.find("location", index=axis) for axis in range(3)]
            for at in range(int(values[2]), int(values[3]) + 1) if all(curves) else ():
                into = values[3] + values[2] - at if values[4] else at
                frame = next(f for start, first, count in json.loads(tag.users_collection[0]["lerpmesh_segments"])
                             for f in [first + int(values[0]) + into - int(values[2]) - start] if start == values[0])
                found = np.array([curve.evaluate(at) for curve in curves])
                x, y, z = matrices[int(frame)][:3, 3]
                self.assertLess(np.abs(found - (y, -x, z)).max(), 1e-4)
            turns = [fcurves.find("rotation_quaternion", index=axis) for axis in range(4)]
            rows = np.array([[curve.evaluate(at) for curve in turns] for at in range(int(values[3]) + 1)]) \
                if all(turns) else np.zeros((0, 4))
            self.assertTrue(((rows[1:] * rows[:-1]).sum(axis=1) > 0).all(), "turns the long way")

    def test_an_action_alone(self) -> None:
        """An action plays its clip from frame 0, without the NLA tracks."""
        collection = self.load(SAMPLE)
        made, = (o for o in collection.all_objects if o.type == "MESH")
        clip = next(c for c in lerpmesh.open(str(SAMPLE)).parts[0].clips if c.name == "run")
        data = made.data.shape_keys.animation_data
        data.use_nla, data.action = False, bpy.data.actions["run"]
        surface = oracle.load_file(str(SAMPLE)).surfaces[0]
        for step in range(clip.count):
            bpy.context.scene.frame_set(step)
            points = support.evaluated(made)
            for vertex in 0, 50, 100:
                wanted = surface.vertex(clip.first + step, vertex, None)[0]
                self.assertLess(max(abs(a - b) for a, b in zip(points[vertex], wanted)), 1e-4)

    def with_two_skins(self) -> Path:
        folder = self.folder / "players" / "tick"
        folder.mkdir(parents=True)
        for name in "tick.md2", "tick.pcx":
            shutil.copy(SAMPLE.parent / name, folder)
        shutil.copy(folder / "tick.pcx", folder / "gold.pcx")
        data = bytearray((folder / "gold.pcx").read_bytes())
        data[-600] ^= 255
        (folder / "gold.pcx").write_bytes(data)
        return folder / "tick.md2"

    def test_skins(self) -> None:
        """All skins are found, and one can be chosen."""
        collection = self.load(self.with_two_skins())
        made, = (o for o in collection.all_objects if o.type == "MESH")
        bpy.context.view_layer.objects.active = made
        first = made.data.materials[0]
        self.assertEqual(bpy.ops.lerpmesh.skin(skin="1"), {"FINISHED"})
        self.assertNotEqual(made.data.materials[0], first)
        image = lerpmesh_io.materials.image_of(made.data.materials[0])
        self.assertEqual(tuple(image.size), (256, 256))
        self.assertTrue(image.packed_file)

    def test_skins_of_renamed_objects(self) -> None:
        """Skins do not depend on the names of objects and materials, nor on a second import, a copy or another file."""
        path = self.with_two_skins()
        made = [next(o for o in self.load(path).all_objects if o.type == "MESH") for _ in range(2)]
        wanted = [[material for _, materials in lerpmesh_io.materials.skins_of(o.users_collection[0])
                   for material in materials.values()] for o in made]
        self.assertEqual(len({material.name for row in wanted for material in row}), 4)
        for each, name in zip(made, ("tick.001", "robot")):
            each.name = name
        for i, material in enumerate(bpy.data.materials):
            material.name = f"paint {i}"
        copy = made[0].copy()
        copy.data = made[0].data.copy()
        made[0].users_collection[0].objects.link(copy)
        for each, materials in zip(made, wanted):
            for index in 1, 0:
                bpy.context.view_layer.objects.active = each
                bpy.ops.lerpmesh.skin(skin=str(index))
                self.assertEqual(each.data.materials[0], materials[index])
        self.assertEqual(copy.data.materials[0], wanted[0][0])
        names = [material.name for material in wanted[1]]
        bpy.ops.wm.save_as_mainfile(filepath=str(self.folder / "tick.blend"))
        bpy.ops.wm.open_mainfile(filepath=str(self.folder / "tick.blend"))
        robot = bpy.context.view_layer.objects.active = bpy.data.objects["robot"]
        bpy.ops.lerpmesh.skin(skin="1")
        self.assertEqual(robot.data.materials[0].name, names[1])

    def test_skins_of_surfaces(self) -> None:
        """Each surface shows its own material of the skin."""
        if not ORC.exists():
            skipping.skip(self, "OpenArena is not installed")
        self.load(f"{ORC}:models/players/sorceress")
        upper = bpy.data.collections["upper"]
        bpy.context.view_layer.objects.active = bpy.data.objects["u_rings"]
        for index, names in enumerate((("drowbody", "rings"), ("reddrowbody", "rings"))):
            bpy.ops.lerpmesh.skin(skin=str(index))
            for name, material in zip(("u_torso", "u_rings"), names):
                self.assertEqual(upper.objects[name].data.materials[0].name, material)

    def test_a_deleted_model(self) -> None:
        """Nothing of a model is left in the file after it is deleted, not even the skins that were not shown."""
        collection = self.load(self.with_two_skins())
        for made in list(collection.all_objects):
            bpy.data.objects.remove(made)
        bpy.data.collections.remove(collection)
        bpy.data.orphans_purge(do_recursive=True)
        self.assertEqual((len(bpy.data.materials), len(bpy.data.images), len(bpy.data.actions)), (0, 0, 0))

    def test_a_missing_skin(self) -> None:
        """The surface gets a plain material with the path that the model names."""
        shutil.copy(SAMPLE, self.folder)
        collection = self.load(self.folder / "tick.md2")
        made, = (o for o in collection.all_objects if o.type == "MESH")
        self.assertIsNone(lerpmesh_io.materials.image_of(made.data.materials[0]))
        self.assertEqual(made.data.materials[0]["lerpmesh_path"], "players/tick/tick.pcx")

    def test_damaged_files(self) -> None:
        """Nothing is left in the scene, and the message is the library's."""
        data = SAMPLE.read_bytes()
        for name, content in (("cut.md2", data[:5000]), ("empty.md2", b""), ("text.md3", b"no model"),
                              ("damaged.md2", data[:40] + b"\xff" * 28 + data[68:])):
            path = self.folder / name
            path.write_bytes(content)
            with self.subTest(name):
                with self.assertRaisesRegex(RuntimeError, name):
                    bpy.ops.import_scene.lerpmesh(filepath=str(path))
                self.assertEqual(len(bpy.data.objects), 0)
                self.assertEqual(len(bpy.data.collections), 0)
        for path in corpus.broken_models()[:40]:
            support.clear()
            try:
                bpy.ops.import_scene.lerpmesh(filepath=str(path))
            except RuntimeError:
                self.assertEqual(len(bpy.data.objects), 0)
        with self.assertRaises(RuntimeError):
            bpy.ops.import_scene.lerpmesh(filepath=str(self.folder / "missing.md2"))

    def test_a_failing_import(self) -> None:
        """If a cache file cannot be written, nothing is left in the scene."""
        with self.assertRaises(RuntimeError):
            bpy.ops.import_scene.lerpmesh(filepath=str(SAMPLE), frames="CACHE", cache_folder=str(SAMPLE / "none"))
        self.assertEqual((len(bpy.data.objects), len(bpy.data.collections)), (0, 0))

    def test_several_files(self) -> None:
        for name in "a.md2", "b.md2":
            shutil.copy(SAMPLE, self.folder / name)
        bpy.ops.import_scene.lerpmesh(directory=str(self.folder), files=[{"name": "a.md2"}, {"name": "b.md2"}],
                                      filepath="")
        self.assertEqual(sorted(c.name for c in bpy.data.collections), ["a", "b"])

    def test_a_player_is_nested(self) -> None:
        if not ORC.exists():
            skipping.skip(self, "OpenArena is not installed")
        self.load(f"{ORC}:models/players/sarge")
        torso = bpy.data.objects["upper"]
        self.assertEqual(torso.parent["lerpmesh_tag"], "tag_torso")
        self.assertEqual(bpy.data.objects["head"].parent["lerpmesh_tag"], "tag_head")
        strips = {name: len(strips_of(bpy.data.objects[name])) for name in ("tag_torso", "tag_weapon", "tag_head")}
        # The surfaces of a part share their actions; the torso has two tags.
        actions = {strip[2] for made in bpy.data.objects for strip in strips_of(made)}
        self.assertEqual(actions, set(bpy.data.actions))
        self.assertLess(len(actions), 2 * strips["tag_torso"] + 3 * strips["tag_weapon"])
        names = [c.name for c in bpy.context.scene.lerpmesh.clips]
        self.assertEqual(len(names), 25)
        # A model of an archive by the operator of the search popup.
        support.clear()
        self.assertEqual(bpy.ops.lerpmesh.import_member(archive=str(ORC), member=f"{ORC}:models/players/sarge/head.md3",
                                                        related=False), {"FINISHED"})
        self.assertEqual(len([o for o in bpy.data.objects if o.type == "MESH"]), 1)


    def test_the_panel_of_an_archive(self) -> None:
        """The panel lists the models of the selected archive. The chosen one belongs to that archive only."""
        archive = str(self.folder / "a.pk3")
        with zipfile.ZipFile(archive, "w") as made:
            for name in "models/a/tick.md2", "models/b/tick.md2", "readme.txt":
                made.write(SAMPLE, name)
        (self.folder / "empty.pk3").write_bytes(b"PK")
        state, archives = bpy.context.window_manager.lerpmesh_archive, lerpmesh_io.archives
        for path, count in (archive, 2), (str(self.folder / "empty.pk3"), 0), (str(self.folder / "none.pk3"), 0), (archive, 2):
            archives.fill(path)
            self.assertEqual((state.path, len(state.members), archives.chosen(bpy.context, path)), (path, count, ""))
        state.active = 1
        self.assertEqual(archives.chosen(bpy.context, archive), f"{archive}:models/b/tick.md2")
        self.assertEqual(archives.chosen(bpy.context, str(self.folder / "empty.pk3")), "")
        self.assertEqual(self.load(archives.chosen(bpy.context, archive)).name, "tick")


class Clips(support.Case):
    def test_imported_actions(self) -> None:
        """A clip whose actions move surfaces, tags and the parts of a player is one clip, and plays all of them."""
        if not ORC.exists():
            skipping.skip(self, "OpenArena is not installed")
        self.load(f"{ORC}:models/players/sarge")
        scene = bpy.context.scene
        wanted = {clip.name for clip in scene.lerpmesh.clips}
        strip = next(s for s in strips_of(bpy.data.objects["tag_head"]) if s[0] == "upper BOTH_DEATH2")
        scene.frame_set(int(strip[1][0]) + 9)
        places = {o.name: np.array(o.matrix_world) for o in scene.objects}
        bpy.ops.lerpmesh.clips_fill(source="ACTIONS")
        self.assertEqual(len(set(self.names())), len(self.names()))
        self.assertLessEqual(wanted, set(self.names()))
        scene.lerpmesh.active_clip = self.names().index("BOTH_DEATH2")
        bpy.ops.lerpmesh.clip_play()
        scene.frame_set(9)
        for made in scene.objects:
            np.testing.assert_allclose(np.array(made.matrix_world), places[made.name], atol=1e-4, err_msg=made.name)

    def names(self) -> list[str]:
        return [clip.name for clip in bpy.context.scene.lerpmesh.clips]

    def test_fill(self) -> None:
        scenes.rig_scene()
        for source, wanted in (("NLA", ["idle", "swing", "fall"]), ("ACTIONS", ["fall", "idle", "swing"]),
                               ("RANGE", ["frames"])):
            bpy.ops.lerpmesh.clips_fill(source=source)
            self.assertEqual(self.names(), wanted)
        scenes.keys_scene()
        bpy.ops.lerpmesh.clips_fill(source="MARKERS")
        self.assertEqual(self.names(), ["stretch", "relax"])

    def test_tracks_with_blenders_names(self) -> None:
        """Such a track names its clip after its strip, as Push Down leaves it."""
        scenes.rig_scene()
        tracks = bpy.data.objects["rig"].animation_data.nla_tracks
        for number, track in enumerate(tracks):
            track.name = f"NlaTrack.{number:03}" if number else "NlaTrack"
            track.strips[0].frame_start, track.strips[0].frame_end = 1, 9
        bpy.ops.lerpmesh.clips_fill(source="NLA")
        self.assertEqual(self.names(), ["idle", "swing", "fall"])
        self.assertEqual([clip.track for clip in bpy.context.scene.lerpmesh.clips], [track.name for track in tracks])

    def test_actions_and_tracks_are_alike(self) -> None:
        """The same frames, whether a clip is an action or an NLA track."""
        found = []
        for source in "NLA", "ACTIONS":
            scenes.rig_scene()
            bpy.ops.lerpmesh.clips_fill(source=source)
            path = self.save(f"{source}.md3", replace=True)
            model = lerpmesh.load(str(path))
            clips = lerpmesh.read_clips((self.folder / "animation.cfg").read_bytes(), model.num_frames).clips
            found.append({c.name: model.bake(0)[c.first:c.first + c.count].tolist() for c in clips})
        self.assertEqual(found[0], found[1])

    def test_list(self) -> None:
        bpy.ops.lerpmesh.clip_add()
        bpy.ops.lerpmesh.clip_add()
        bpy.context.scene.lerpmesh.clips[1].name = "second"
        bpy.ops.lerpmesh.clip_move(by=-1)
        self.assertEqual(self.names(), ["second", "clip"])
        bpy.ops.lerpmesh.clip_remove()
        self.assertEqual(self.names(), ["clip"])

    def test_reversed_and_stepped(self) -> None:
        scenes.rig_scene()
        bpy.ops.lerpmesh.clips_fill(source="NLA")
        item = bpy.context.scene.lerpmesh.clips[2]
        item.step, item.reversed, item.loop = 2, True, "LOOP"
        self.save("a.md3")
        rows = [line.split() for line in (self.folder / "animation.cfg").read_text().splitlines()[1:]]
        self.assertEqual(rows[2][:3], ["25", "-10", "10"])

    def test_presets(self) -> None:
        scenes.player_scene()
        bpy.ops.lerpmesh.clips_fill(source="NLA")
        for player in "quake2", "quake3":
            bpy.ops.lerpmesh.clips_preset(player=player)
            texts = [p.text for p in bpy.context.scene.lerpmesh_checks.problems]
            self.assertTrue(texts)
        self.assertTrue(any("LEGS_SWIM" in text for text in texts), texts)

    def test_presets_order_the_clips(self) -> None:
        self.load(SAMPLE)
        listed = bpy.context.scene.lerpmesh.clips
        listed.move(0, 3)
        bpy.ops.lerpmesh.clips_preset(player="quake2")
        table = [clip.name for clip in lerpmesh.quake2_clips()]
        known = [name for name in self.names() if name in table]
        self.assertEqual(known, sorted(known, key=table.index))
        self.assertGreater(len(known), 3)

    def test_a_preset_shortens_loops(self) -> None:
        """A loop of one frame more than the game's repeats its first pose. Other clips keep their frames."""
        scenes.player_scene()
        listed = bpy.context.scene.lerpmesh.clips
        for name, end, wanted in ("stand", 41, (40, "LOOP")), ("run", 9, (9, "AUTO")), ("attack", 9, (9, "ONCE")):
            lerpmesh_io.clips.add(bpy.context.scene, name, 1, end)
            bpy.ops.lerpmesh.clips_preset(player="quake2")
            self.assertEqual((listed[name].end, listed[name].loop), wanted)
        lerpmesh_io.clips.add(bpy.context.scene, "crwalk", 1, 17, step=2.5)
        bpy.ops.lerpmesh.clips_preset(player="quake2")
        self.assertEqual(len(listed["crwalk"].frames()), 6)
        self.assertEqual([name for name in self.names()], ["stand", "run", "attack", "crwalk"])

    def test_play(self) -> None:
        self.load(SAMPLE)
        bpy.context.scene.lerpmesh.active_clip = 1
        bpy.ops.lerpmesh.clip_play()
        scene = bpy.context.scene
        item = scene.lerpmesh.clips[1]
        self.assertEqual((scene.frame_preview_start, scene.frame_preview_end), (item.start, item.end))


class Export(support.Case):
    def test_selection(self) -> None:
        scenes.objects_scene()
        for made in bpy.data.objects:
            made.select_set(made.name == "left")
        model = oracle.load_file(str(self.save("a.md3", content="SELECTED")))
        self.assertEqual([s.name for s in model.surfaces], ["left"])
        self.assertEqual(model.tag_names, ["tag_weapon"])  # its child

    def test_nothing_is_selected(self) -> None:
        """Without a selected mesh, an export and a check take all visible objects."""
        scenes.player_scene()
        for made in bpy.data.objects:
            made.select_set(made.type == "ARMATURE")
        bpy.data.objects["head_mesh"].hide_set(True)
        model = oracle.load_file(str(self.save("a.md3", content="SELECTED")))
        self.assertEqual(sorted(s.name for s in model.surfaces), ["lower_mesh", "upper_mesh"])
        bpy.ops.lerpmesh.check()
        self.assertTrue(bpy.context.scene.lerpmesh_checks.sizes)

    def test_a_check_is_as_the_export(self) -> None:
        """A check lists the problems of the export, and no others. Only the export counts a loop's frames without the
        repeated one."""
        scenes.player_scene()
        bpy.context.scene.lerpmesh.units = "METRES"
        state = bpy.context.scene.lerpmesh_checks
        for player, name in ("none", "a.md2"), ("none", "a.md3"), ("quake2", "tris.md2"), ("quake3", "hero"):
            with self.subTest(player, name=name):
                bpy.ops.lerpmesh.clips_fill(source="NLA")
                state.player, state.format = player, name.partition(".")[2] or "md3"
                bpy.ops.lerpmesh.check()
                found = {re.sub(r"resampled: .*", "", p.text) for p in state.problems}
                self.save(name, player=player, format=state.format)
                reported = set(re.sub(r"resampled: .*", "", bpy.context.window_manager.lerpmesh_report).splitlines())
                self.assertEqual(found - reported, set())
                self.assertTrue(found or player == "none")
                self.assertFalse(any(p.places for p in state.problems if "dropped" in p.text))

    def test_collection(self) -> None:
        scenes.player_scene()
        layer = bpy.context.view_layer
        layer.active_layer_collection = layer.layer_collection.children["upper"]
        model = oracle.load_file(str(self.save("a.md3", content="COLLECTION")))
        self.assertEqual([s.name for s in model.surfaces], ["upper_mesh"])

    def test_nothing(self) -> None:
        with self.assertRaisesRegex(RuntimeError, "nothing to export"):
            self.save("a.md3")

    def test_a_changing_topology(self) -> None:
        """The message names the object, which is selected; nothing is written."""
        scenes.keys_scene()
        head = bpy.data.objects["head"]
        mask = head.modifiers.new("build", "BUILD")
        mask.frame_start, mask.frame_duration = 0, 10
        with self.assertRaisesRegex(RuntimeError, "head has"):
            self.save("a.md3")
        self.assertTrue(head.select_get())
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_limits(self) -> None:
        """A check names what the engine rejects, and selects it."""
        bpy.ops.mesh.primitive_uv_sphere_add(segments=64, ring_count=64)
        made = bpy.context.object
        state = bpy.context.scene.lerpmesh_checks
        state.format, state.engine = "md2", "quake2"
        bpy.ops.lerpmesh.check()
        self.assertTrue(any("triangles" in p.text or "vertices" in p.text for p in state.problems),
                        [p.text for p in state.problems])
        made.select_set(False)
        index = next(i for i, p in enumerate(state.problems) if p.places)
        bpy.ops.lerpmesh.select_problem(index=index)
        self.assertTrue(made.select_get())

    def check_and_select(self, *words: str) -> dict[str, list[int]]:
        """Checks all objects, and selects the problem whose text has the words. Returns the vertices that are selected,
        by object."""
        bpy.ops.object.select_all(action="DESELECT")
        bpy.ops.lerpmesh.check()
        problems = bpy.context.scene.lerpmesh_checks.problems
        index = next((i for i, p in enumerate(problems) if all(word in p.text for word in words)), None)
        self.assertIsNotNone(index, [p.text for p in problems])
        bpy.ops.lerpmesh.select_problem(index=index)
        return {made.name: [v.index for v in made.data.vertices if v.select] for made in bpy.context.selected_objects}

    def test_vertices_at_fault(self) -> None:
        """Problems select their vertices: in the order of Blender, and of the right object."""
        for name, at in ("Left", -40), ("Right", 40):
            bpy.ops.mesh.primitive_grid_add(x_subdivisions=5, y_subdivisions=5, size=20, location=(at, 0, 0))
            bpy.context.object.name = name
        right = bpy.data.objects["Right"].data
        state = bpy.context.scene.lerpmesh_checks
        state.format, state.engine = "md3", "any"
        right.uv_layers.active.data[right.polygons[24].loop_indices[0]].uv = (1.5, 0.5)
        touched = set(right.polygons[24].vertices)
        found = self.check_and_select("outside")
        self.assertEqual(list(found), ["Right"])
        self.assertTrue(found["Right"] and set(found["Right"]) <= touched, (found, touched))
        right.vertices[17].co.x = 2000
        self.assertEqual(self.check_and_select("511.98"), {"Right": [17]})

    def test_vertices_at_fault_in_a_player(self) -> None:
        """The parts of a player are moved to the origins of their tags."""
        scenes.player_scene()
        bpy.context.scene.lerpmesh.units = "METRES"
        bpy.ops.lerpmesh.clips_fill(source="NLA")
        bpy.ops.lerpmesh.clips_preset(player="quake3")
        upper = bpy.data.objects["upper_mesh"].data
        upper.uv_layers.active.data[upper.polygons[3].loop_indices[0]].uv = (1.5, 0.5)
        self.assertEqual(self.check_and_select("outside"), {"upper_mesh": sorted(upper.polygons[3].vertices)})

    def test_levels_of_detail(self) -> None:
        scenes.keys_scene()
        self.save("a.md3", lods=2)
        counts = [len(oracle.load_file(str(self.folder / name)).surfaces[0].triangles)
                  for name in ("a.md3", "a_1.md3", "a_2.md3")]
        self.assertTrue(counts[0] > counts[1] > counts[2], counts)

    def test_more_options(self) -> None:
        scenes.keys_scene()
        whole = oracle.load_file(str(self.save("a.md3")))
        half = oracle.load_file(str(self.save("a.md3", more="--decimate 50% --clip all --fps 7")))
        self.assertLess(len(half.surfaces[0].triangles), len(whole.surfaces[0].triangles))
        for wrong, message in ("--no-such 1", "there is no option no-such"), ("50%", "options begin with --, not as .50%"), \
                ("--path a.md3", "there is no option path"), ("--decimate x", "decimate"), ("--clip 'a", "quotation"), \
                ("--clip 'no such'", "no clip"):
            with self.assertRaisesRegex(RuntimeError, message):
                self.save("b.md3", more=wrong)
        self.assertFalse((self.folder / "b.md3").exists())

    def test_paths_in_the_game(self) -> None:
        scenes.objects_scene()
        bpy.ops.lerpmesh.shader_path(material="paint", path="models/mapobjects/wedge.tga")
        self.assertEqual(oracle.load_file(str(self.save("a.md3"))).surfaces[0].shaders, ["models/mapobjects/wedge.tga"])
        self.assertFalse(list(self.folder.glob("*.tga")))
        self.assertEqual(oracle.load_file(str(self.save("a.md2"))).skins, ["models/mapobjects/wedge.tga"])

    def test_a_scene_in_metres(self) -> None:
        """A small model is probably in metres."""
        scenes.rig_scene()
        for units, noted in ("FILE", True), ("METRES", False):
            bpy.context.scene.lerpmesh.units = units
            self.save("a.md3")
            self.assertEqual("set Units to Metres" in bpy.context.window_manager.lerpmesh_report, noted)
            bpy.ops.lerpmesh.check()
            problems = bpy.context.scene.lerpmesh_checks.problems
            self.assertEqual(any("set Units to Metres" in p.text for p in problems), noted)

    def test_tags_on_bones(self) -> None:
        scenes.rig_scene()
        rig = bpy.data.objects["rig"]
        rig.data.bones["arm"]["lerpmesh_tag"] = "tag_arm"
        self.assertEqual(sorted(oracle.load_file(str(self.save("a.md3"))).tag_names), ["tag_arm", "tag_hand"])

    def test_existing_files_stay(self) -> None:
        """Clips of a model that is no player stay. Another file next to the model stops the export. Both can be
        replaced."""
        scenes.rig_scene()
        clips = self.folder / "animation.cfg"
        self.save("new.md3", player="model")
        own = {path: path.read_bytes() for path in self.folder.iterdir()}
        self.save("new.md3", player="model")
        clips.write_text("sex f\n0 30 0 25 // BOTH_DEATH1\n")
        self.save("new.md3")
        self.assertEqual(clips.read_text(), "sex f\n0 30 0 25 // BOTH_DEATH1\n")
        self.assertIn("animation.cfg exists and stays", bpy.context.window_manager.lerpmesh_report)
        for path in set(own) - {self.folder / "new.md3"}:
            for other in own:
                other.write_bytes(own[other])
            path.write_bytes(b"mine")
            (self.folder / "new.md3").write_bytes(b"old")
            with self.assertRaisesRegex(RuntimeError, f"{path.name} exists, with other contents"):
                self.save("new.md3", player="model")
            self.assertEqual([path.read_bytes(), (self.folder / "new.md3").read_bytes()], [b"mine", b"old"])
            self.save("new.md3", player="model", replace=True)
            self.assertEqual({other: other.read_bytes() for other in own}, own)

    def test_nothing_moves(self) -> None:
        """A static scene becomes one frame without clips, however long its range is."""
        bpy.ops.mesh.primitive_cube_add(size=16)
        for name in "a.md2", "a.md3", "a.mdc", "a.mdl":
            self.assertEqual(lerpmesh.load(str(self.save(name))).num_frames, 1, name)
            self.assertIn("nothing moves: the 250 frames are equal, and become one",
                          bpy.context.window_manager.lerpmesh_report)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.md2", "a.md3", "a.mdc", "a.mdl"])
        bpy.context.object.data.clear_geometry()
        self.assertEqual(lerpmesh.load(str(self.save("empty.md3"))).num_frames, 1)
        self.assertFalse((self.folder / "animation.cfg").exists())

    def test_formats_by_name(self) -> None:
        """Without a format, the name of the file decides, else the imported model."""
        bpy.ops.mesh.primitive_cube_add(size=16)
        export = bpy.ops.export_scene.lerpmesh
        for kind in "md2", "md3", "mdc", "mdl":
            export(filepath=str(self.folder / f"a.{kind.upper()}"))
            self.assertEqual(lerpmesh.load(str(self.folder / f"a.{kind.upper()}")).format, kind)
        for name, options in ("b.md3", {"format": "md2"}), ("b.md2", {"player": "model"}), ("b.md3", {"player": "quake2"}), \
                ("b.glb", {}), ("b.v2", {"format": "md3"}):
            with self.assertRaisesRegex(RuntimeError, f"its name ends in .{name[2:]}"):
                export(filepath=str(self.folder / name), **options)
        with self.assertRaisesRegex(RuntimeError, "ends in .mds, but exports are .md2, .md3, .mdc, .mdl"):
            export(filepath=str(self.folder / "b.mds"))
        for kind in "md2", "md3":
            path = self.folder / f"d.{kind}"
            path.write_bytes(b"mine")
            with self.assertRaisesRegex(RuntimeError, f"d.{kind} exists, with other contents"):
                export(filepath=str(self.folder / "d"), format=kind)
            self.assertEqual(path.read_bytes(), b"mine")
            export(filepath=str(path))
            self.assertEqual(lerpmesh.load(str(path)).format, kind)
        support.clear()
        path = self.folder / "m.mdc"
        path.write_bytes(make_models.make_model("mdc", 82, 0)[0])
        self.load(path)
        export(filepath=str(self.folder / "c"))
        self.assertEqual(sorted(path.name for path in self.folder.glob("[bc]*")), ["c.mdc"])

    def test_palette(self) -> None:
        """With a palette, images are PCX in its colours. It is a file, or in a folder of the game."""
        colors = np.arange(768, dtype=np.uint8).reshape(256, 3)
        (self.folder / "baseq2" / "pics").mkdir(parents=True)
        palette = self.folder / "baseq2" / "pics" / "colormap.pcx"
        palette.write_bytes(lerpmesh.write_image(np.zeros((8, 8, 4), np.uint8), "pcx", colors))
        scenes.objects_scene()
        (self.folder / "models").mkdir()
        for given in palette, *palette.parents[1:3]:
            self.save("models/a.md2", palette=str(given), replace=True)
            image, = (self.folder / "models").glob("*.pcx")
            self.assertEqual(image.read_bytes()[-768:], colors.tobytes())
            image.unlink()
        (self.folder / "baseq2" / "models").mkdir()
        self.save("baseq2/models/a.md2", engine="quake2")
        self.assertEqual(len(list((self.folder / "baseq2" / "models").glob("*.pcx"))), 1)

    def test_alpha(self) -> None:
        image = bpy.data.images.new("skin", 4, 4)
        for alpha in "opaque", "mask", "blend":
            made = lerpmesh_io.materials.make_material(alpha, image, alpha, False)
            self.assertEqual(lerpmesh_io.materials.alpha_of(made), alpha)

    def test_a_failing_disk(self) -> None:
        """Nothing is replaced if a file cannot be written."""
        scenes.rig_scene()
        old = self.folder / "a.md3"
        old.write_bytes(b"old")
        (self.folder / "animation.cfg").mkdir()
        with self.assertRaises(RuntimeError):
            self.save("a.md3")
        self.assertEqual(old.read_bytes(), b"old")

    def test_undo(self) -> None:
        self.load(SAMPLE)
        bpy.ops.ed.undo_push(message="before")
        bpy.ops.lerpmesh.clips_fill(source="RANGE")
        self.assertEqual(len(bpy.context.scene.lerpmesh.clips), 1)
