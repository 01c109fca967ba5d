"""Import as an armature: bones, weights, actions and tags; what moves them; and the way back."""
import math
import threading
import time
from pathlib import Path
from typing import Any
from unittest import mock

import bpy
import corpus
import mathutils
import numpy as np
import support
from cases_jobs import Job

import lerpmesh
import lerpmesh_io
from lerpmesh_io import armatures

SAMPLE = corpus.source_dir() / "samples" / "tick.md2"
FRONT = mathutils.Vector((0, -1, 0))


def limb(frames: int = 24, parts: int = 3, rows: int = 8, around: int = 6) -> lerpmesh.Mesh:
    """Returns a tube of stiff parts, 20 units each, that bend at their joints, with a tag at its end and two clips."""
    angle = np.arange(around) * 2 * math.pi / around
    length = np.repeat((np.arange(parts * rows) + .5) * 20 / rows, around)
    rest = np.stack((length, 4 * np.tile(np.cos(angle), parts * rows), 4 * np.tile(np.sin(angle), parts * rows)), -1)
    positions, tag = np.empty((frames, len(rest), 3), np.float32), np.tile(np.eye(4, dtype=np.float32), (frames, 1, 1))
    for frame in range(frames):
        turn, start = np.eye(3), np.zeros(3)
        for part in range(parts):
            bend = .4 * (part + 1) * math.sin(frame * (part + 2) * math.pi / frames)
            turn = turn @ np.array(mathutils.Matrix.Rotation(bend, 3, "Z" if part == 1 else "Y"))
            own = length // 20 == part
            positions[frame, own] = start + (rest[own] - (20 * part, 0, 0)) @ turn.T
            start = start + turn @ (20, 0, 0)
        tag[frame, :3, :3], tag[frame, :3, 3] = turn, start
    first = np.arange((parts * rows - 1) * around)
    right = first - first % around + (first + 1) % around
    triangles = np.concatenate((np.stack((first, right, first + around), 1),
                                np.stack((right, right + around, first + around), 1)))
    surface = lerpmesh.MeshSurface("limb", positions, triangles, np.zeros((len(rest), 2), np.float32))
    half = frames // 2
    return lerpmesh.Mesh([surface], [lerpmesh.Clip("up", 0, half, 12.0), lerpmesh.Clip("down", half, half, 8.0, half)],
                         {"tag_end": tag}, name="limb")


class Armatures(support.Case):
    def armature(self, path: Any, **options: Any) -> tuple[Any, Any]:
        """Imports a file as an armature. Returns the collection and the armature."""
        collection = self.load(path, frames="ARMATURE", **options)
        made, = (each for each in collection.objects if each.type == "ARMATURE")
        return collection, made

    def write_limb(self) -> Path:
        path = self.folder / "limb.md3"
        path.write_bytes(limb().encode("md3", sidecar_clips=True).data)
        (self.folder / "animation.cfg").write_bytes(lerpmesh.write_clips(limb().clips, 24))
        return path

    def compare(self, path: Any, collection: Any, step: int) -> None:
        """Blender shows the positions and the tags of the library."""
        model = lerpmesh.open(path, related=False, images="none").model
        skeleton = model.skeleton()
        graph = bpy.context.evaluated_depsgraph_get()
        for frame in range(0, model.num_frames, step):
            bpy.context.scene.frame_set(frame)
            for made in (each for each in collection.objects if "lerpmesh_surface" in each):
                wanted = skeleton.evaluate(frame, made["lerpmesh_surface"])[0]
                self.assertLess(np.abs(support.evaluated(made) - wanted).max(), 1e-4 * np.ptp(wanted, axis=0).max())
            for made in (each for each in collection.objects if "lerpmesh_tag" in each):
                found = lerpmesh_io.space.tag_pose(np.array(made.evaluated_get(graph).matrix_world), 1)
                tag = model.tag(made["lerpmesh_tag"], frame)
                self.assertLess(np.abs(found[0] - tag[:3, 3]).max(), 1e-3)
                self.assertLess(np.abs(found[1:] - tag[:3, :3].T).max(), 1e-4)

    def test_positions_and_tags(self) -> None:
        path = self.write_limb()
        self.compare(path, self.armature(path)[0], 1)
        support.clear()
        collection, _ = self.armature(SAMPLE)
        self.compare(SAMPLE, collection, 6)
        self.check_bones(collection)
        self.check_weights(collection)
        self.check_actions(collection)
        self.check_sides(collection)

    def check_bones(self, collection: Any) -> None:
        """Parents are those of the library; bones whose length is constant are connected."""
        made = next(each for each in collection.objects if each.type == "ARMATURE")
        skeleton = lerpmesh.load(SAMPLE).skeleton()
        names = [armatures.bone_name(joint.name) for joint in skeleton.joints]
        self.assertEqual(sorted(bone.name for bone in made.data.bones), sorted(names))
        self.assertLessEqual({"hips", "thigh.L", "thigh.R", "shin.L", "shin.R", "head"}, set(names))
        for joint, name in zip(skeleton.joints, names):
            bone = made.data.bones[name]
            parent = None if joint.parent is None else made.data.bones[names[joint.parent]]
            self.assertEqual(bone.parent, parent)
            x, y, z = joint.position
            self.assertLess((bone.head_local - mathutils.Vector((y, -x, z))).length, 1e-4)
            self.assertGreater(bone.length, .2)
            self.assertEqual(bone.use_connect, parent is not None and not joint.translates and
                             (parent.tail_local - bone.head_local).length < 1e-6)
        self.assertTrue(made.data.bones["shin.L"].use_connect)

    def check_sides(self, collection: Any) -> None:
        """Bones bend about axes that lie in the side's plane, the same for both sides."""
        bones = next(each for each in collection.objects if each.type == "ARMATURE").data.bones
        for bone in bones:
            other = bones.get(bone.name.replace(".L", ".R"))
            fronts = FRONT, mathutils.Vector((0, 0, 1))
            flat = [abs(bone.matrix_local.col[0].to_3d().dot(front)) < 1e-3 for front in fronts]
            self.assertTrue(any(flat), bone.name)
            side = other.matrix_local.col[0].to_3d() if other else None
            for front, is_flat in zip(fronts, flat):
                self.assertTrue(not is_flat or not other or abs(side.dot(front)) < 2e-3, bone.name)

    def check_weights(self, collection: Any) -> None:
        for made in (each for each in collection.objects if each.type == "MESH"):
            for vertex in made.data.vertices:
                self.assertTrue(1 <= len(vertex.groups) <= 4)
                self.assertAlmostEqual(sum(group.weight for group in vertex.groups), 1, 4)

    def check_actions(self, collection: Any) -> None:
        """One action with a key on each frame, where Blender inserts keys."""
        made = next(each for each in collection.objects if each.type == "ARMATURE")
        action = made.animation_data.action
        self.assertEqual((action.name, len(made.animation_data.nla_tracks)), ("tick", 0))
        curves = support.bag_of(action).fcurves
        self.assertEqual({len(curve.keyframe_points) for curve in curves}, {lerpmesh.load(SAMPLE).num_frames})
        moved = {curve.data_path for curve in curves if curve.data_path.endswith("location") and
                 np.ptp([key.co[1] for key in curve.keyframe_points]) > 0}
        self.assertEqual(moved, {'pose.bones["hips"].location'})

    def insert_key(self, made: Any, bone: str, frame: int) -> None:
        """Turns a bone on a frame and inserts a key of its place, as a user does in Pose Mode."""
        bpy.context.view_layer.objects.active = made
        bpy.ops.object.mode_set(mode="POSE")
        bpy.context.scene.frame_set(frame)
        for each in made.pose.bones:
            (each.bone if hasattr(each.bone, "select") else each).select = each.name == bone  # 5.0
        chosen = made.pose.bones[bone]
        chosen.rotation_quaternion = chosen.rotation_quaternion @ mathutils.Quaternion((1, 0, 0), -1)
        window = bpy.context.window_manager.windows[0]
        area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
        region = next(region for region in area.regions if region.type == "WINDOW")
        with bpy.context.temp_override(window=window, area=area, region=region):
            self.assertEqual(bpy.ops.anim.keyframe_insert_by_name(type="LocRotScale"), {"FINISHED"})
        bpy.ops.object.mode_set(mode="OBJECT")

    def test_a_key(self) -> None:
        """A key of a pose changes the frame that it is set on, and no other."""
        for frame, bone in (20, "forearm.R"), (0, "thigh.L"), (48, "hips"):
            support.clear()
            _, made = self.armature(SAMPLE)
            self.insert_key(made, bone, frame)
            before, after = lerpmesh.load(SAMPLE).bake(), lerpmesh.load(self.save("key.md2")).bake()
            far = np.abs(after - before).max(axis=(1, 2))
            self.assertEqual(list(np.flatnonzero(far)), [frame])
            self.assertGreater(far[frame], 1)

    def test_a_key_of_any_channel(self) -> None:
        """So does a key of a channel that does not move: the location, scale and Euler angles of a bone. The armature
        stays where a user places it."""
        for name in "location", "scale", "rotation_euler":
            support.clear()
            _, made = self.armature(SAMPLE)
            bone = made.pose.bones["upper_arm.L"]
            if name == "rotation_euler":
                bone.rotation_mode = "XYZ"
            bpy.context.scene.frame_set(20)
            setattr(bone, name, [value + 1 for value in getattr(bone, name)])
            bone.keyframe_insert(name)
            before, after = lerpmesh.load(SAMPLE).bake(), lerpmesh.load(self.save("key.md2")).bake()
            self.assertEqual(list(np.flatnonzero(np.abs(after - before).max(axis=(1, 2)))), [20], name)
        made.location.x = 9
        bpy.context.scene.frame_set(30)
        self.assertEqual(made.location.x, 9)
        support.clear()
        path = self.write_limb()
        collection, _ = self.armature(path)
        tag, = (each for each in collection.objects if "lerpmesh_tag" in each)
        bpy.context.scene.frame_set(20)
        tag.location.x += 5
        tag.keyframe_insert("location")
        before, after = (lerpmesh.load(each).bake_tag(0) for each in (path, self.save("tag.md3")))
        self.assertEqual(list(np.flatnonzero(np.abs(after - before).max(axis=(1, 2)))), [20])

    def test_another_rotation_mode(self) -> None:
        """The file has the pose that Blender shows. A warning names the keys that another rotation mode hides."""
        _, made = self.armature(SAMPLE)
        mesh = next(each for each in bpy.data.objects if each.type == "MESH")
        bone, wanted = made.pose.bones["shin.L"], lerpmesh.load(SAMPLE).bake()
        self.insert_key(made, "shin.L", 10)
        bpy.ops.object.mode_set(mode="OBJECT")
        for mode, shown, hidden in ("QUATERNION", 10, None), ("XYZ", 20, 10), ("QUATERNION", 10, 20):
            bone.rotation_mode = mode
            if mode == "XYZ":
                bpy.context.scene.frame_set(shown)
                bone.rotation_euler.x += .3
                bone.keyframe_insert("rotation_euler")
            again = lerpmesh.load(self.save("key.md2", replace=True)).bake()
            self.assertEqual(list(np.flatnonzero(np.abs(again - wanted).max(axis=(1, 2)))), [shown])
            bpy.context.scene.frame_set(shown)
            now = support.evaluated(mesh)
            self.assertLess(np.abs(now - again[shown][:len(now)]).max(), .7)  # the rig's error
            warnings = [line for line in bpy.context.window_manager.lerpmesh_report.splitlines() if "keys" in line]
            self.assertEqual(warnings, [
                f"tick: keys of shin.L on frame {hidden} of the timeline are not written: its rotation mode, "
                f"{mode}, hides them"] if hidden else [])

    def test_playing(self) -> None:
        """Playing an action changes no other clip of an export, and the timeline comes back."""
        for frames in "ARMATURE", "AUTO":
            support.clear()
            made = next(o for o in self.load(SAMPLE, frames=frames).objects if o.type == ("ARMATURE" if frames == "ARMATURE"
                                                                                          else "MESH"))
            block = made if frames == "ARMATURE" else made.data.shape_keys
            data, scene = block.animation_data, bpy.context.scene
            action = data.action.copy() if data.action else bpy.data.actions["run"]
            lerpmesh_io.clips.add(scene, "salute", 0, 5, source="ACTION", action=action)
            before, state = self.save("before.md2").read_bytes(), support.state_of(data)
            for number, plays in (len(scene.lerpmesh.clips) - 1, action), (0, data.action):
                scene.lerpmesh.active_clip = number
                bpy.ops.lerpmesh.clip_play()
                self.assertEqual(data.action, plays)
                self.assertTrue(self.save("after.md2").read_bytes() == before, (frames, number))
                self.assertEqual(data.action, plays)
            self.assertEqual(support.state_of(data), state)

    def test_ik(self) -> None:
        """A target moves the foot; the leg keeps its lengths and bends at the knee."""
        _, made = self.armature(SAMPLE)
        bpy.context.scene.frame_set(0)
        target = bpy.data.objects.new("target", None)
        bpy.context.scene.collection.objects.link(target)
        pose = made.pose.bones
        start = pose["shin.L"].tail.copy()
        lengths = pose["thigh.L"].length, pose["shin.L"].length
        limit = pose["shin.L"].constraints.new("IK")
        limit.target, limit.chain_count = target, 2
        for by in (0, 0, 0), (0, -3, 3), (2, 2, 4), (-2, 4, 2):
            target.location = start + mathutils.Vector(by)
            bpy.context.view_layer.update()
            shown = made.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
            self.assertLess((shown["shin.L"].tail - target.location).length, .05, by)
            self.assertLess((shown["shin.L"].head - shown["thigh.L"].tail).length, 1e-4)
            self.assertAlmostEqual((shown["thigh.L"].tail - shown["thigh.L"].head).length, lengths[0], 3)
            self.assertAlmostEqual((shown["shin.L"].tail - shown["shin.L"].head).length, lengths[1], 3)
            moved = (shown["thigh.L"].tail - pose["thigh.L"].tail).length
            self.assertTrue(moved < 1e-2 or any(by))

    def turn(self, action: Any, bone: str, angle: float, frames: Any) -> None:
        """Rotates a bone in keys of an action."""
        path = f'pose.bones["{bone}"].rotation_quaternion'
        curves = [support.bag_of(action).fcurves.find(path, index=i) for i in range(4)]
        for keys in zip(*(curve.keyframe_points for curve in curves)):
            turned = mathutils.Quaternion([key.co[1] for key in keys]) @ mathutils.Quaternion((1, 0, 0), angle)
            for key, value in zip(keys, turned) if keys[0].co[0] in frames else ():
                key.co[1] = value
        for curve in curves:
            curve.update()

    def test_edited_frames(self) -> None:
        """Unchanged, the file keeps its bytes; after an edit of some frames, those of all others."""
        _, made = self.armature(SAMPLE)
        data = SAMPLE.read_bytes()
        self.assertTrue(self.save("same.md2").read_bytes() == data, "other bytes")
        clip = next(clip for clip in lerpmesh.load(SAMPLE).clips if clip.name == "run")
        self.turn(made.animation_data.action, "forearm.R", -1, clip.frames)
        edited = lerpmesh.load(self.save("edited.md2"))
        before, after = lerpmesh.load(data).bake(), edited.bake()
        changed = np.flatnonzero(np.abs(after - before).max(axis=(1, 2)) > 0)
        self.assertEqual(list(changed), list(clip.frames))
        moved = np.abs(after - before).max(axis=2)[clip.first] > .5
        self.assertTrue(5 < moved.sum() < len(moved) / 2, moved.sum())

    def test_formats(self) -> None:
        """Encoded again, the model is within the error of the skeleton and of the format."""
        path = self.write_limb()
        self.armature(path)
        model = lerpmesh.load(path)
        most = model.skeleton().error.max
        for kind in "md2", "md3", "mdc":
            made = lerpmesh.load(self.save(f"limb.{kind}", use_source=False))
            step = max(max(frame.scale) for frame in made.frames)
            self.assertLess(lerpmesh.compare(model, made).all.max, most + 2 * step + .06, kind)
            self.assertEqual("tag_end" in made.tags, kind != "md2")

    def test_a_new_action(self) -> None:
        """A clip of an action of its own follows the others."""
        _, made = self.armature(SAMPLE)
        run = next(clip for clip in lerpmesh.load(SAMPLE).clips if clip.name == "run")
        action = made.animation_data.action.copy()
        self.turn(action, "forearm.R", -1, run.frames)
        item = lerpmesh_io.clips.add(bpy.context.scene, "salute", run.first, run.first + 5, source="ACTION",
                                     action=action)
        saved = lerpmesh.load(self.save("new.md2"))
        self.assertEqual((saved.clips[-1].name, saved.clips[-1].count), ("salute", len(item.frames())))
        far = np.abs(saved.bake()[saved.clips[-1].first] - saved.bake()[run.first]).max(axis=1)
        self.assertTrue(5 < (far > .5).sum() < len(far) / 2)

    def test_no_skeleton(self) -> None:
        """Vertices that move at random become shape keys, with a warning."""
        mesh = limb(12)
        mesh.surfaces[0].positions += np.random.default_rng(5).normal(0, 6, mesh.surfaces[0].positions.shape)
        path = self.folder / "noise.md3"
        path.write_bytes(mesh.encode("md3").data)
        collection = self.load(path, frames="ARMATURE")
        self.assertFalse(bpy.data.armatures)
        made, = (each for each in collection.objects if each.type == "MESH")
        self.assertEqual(len(made.data.shape_keys.key_blocks), 12)
        self.assertIn("without an armature", bpy.context.window_manager.lerpmesh_report)

    def test_options(self) -> None:
        path = self.write_limb()
        self.load(path, frames="ARMATURE", bones=2)
        self.assertIn("no skeleton of 2 joints", bpy.context.window_manager.lerpmesh_report)
        support.clear()
        _, made = self.armature(path, units="METRES")
        self.assertLess(max(bone.tail_local.length for bone in made.data.bones), 62 * lerpmesh_io.space.METRES_PER_UNIT)
        self.assertRegex(bpy.context.window_manager.lerpmesh_report, r"^limb: 3 bones; error [\d.]+ units \([\d.]+ ")

    def test_search_stops(self) -> None:
        """A cancelled import stops the thread that searches for a skeleton."""
        ended = threading.Event()

        def search(_model: Any, progress: Any, **_options: Any) -> None:
            end = time.monotonic() + 5
            while progress(.5) and time.monotonic() < end:
                time.sleep(.01)
            if time.monotonic() < end:
                ended.set()

        with mock.patch.object(lerpmesh.Model, "skeleton", search):
            job = Job(str(SAMPLE), "ARMATURE", str(self.folder))
            job.prepare()
            running = job.steps(bpy.context)
            while "50%" not in next(running)[1]:
                pass
            running.close()
        job.cancelled(bpy.context)
        self.assertTrue(ended.wait(6))

    def test_cancelled(self) -> None:
        """A cancelled import leaves nothing."""
        before, limb_path = support.snapshot(), self.write_limb()
        for path, kind in (SAMPLE, ""), (limb_path, "armatures"), (limb_path, "actions"), (limb_path, "meshes"):
            job = Job(str(path), "ARMATURE", str(self.folder))
            job.prepare()
            running = job.steps(bpy.context)
            for _ in range(3):
                next(running)
            while kind and not getattr(bpy.data, kind):
                next(running)
            running.close()
            job.cancelled(bpy.context)
            support.assert_same(before, support.snapshot())

    def test_edit_mode(self) -> None:
        """An import leaves the mode of other objects alone."""
        _, other = self.armature(self.write_limb())
        other.select_set(True)
        bpy.context.view_layer.objects.active = other
        bpy.ops.object.mode_set(mode="POSE")
        _, made = self.armature(SAMPLE)
        self.assertEqual((other.mode, made.mode), ("POSE", "OBJECT"))
        self.assertGreater(len(made.data.bones), 10)
