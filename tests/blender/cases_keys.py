"""Positions computed from shape keys and their curves, against Blender's evaluation of the same frames."""
import random
import shutil
from typing import Any, Callable
from unittest import mock

import bpy
import corpus
import numpy as np
import scenes
import support
from lerpmesh_io import clips, evaluate, exporter, keys

SEEDS = 80
FRAMES = [-2, 0, 1, 2.5, 5, 7, 10, 11, 12.25, 20, 25, 31, 60]
SAMPLE = corpus.source_dir() / "samples" / "tick.md2"


def know_normals(made: Any) -> None:
    """Computes the normals of an evaluated mesh, as a window does that draws it."""
    mesh = made.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    for part in (mesh.vertices, mesh.polygons) if made.type == "MESH" and len(mesh.polygons) else ():
        part[0].normal.length  # noqa: B018


class Samples:
    """The frames of the scene's meshes, as an export samples them. `alone`: whether keys may be computed."""

    def __init__(self, clip: Any = None, frames: Any = FRAMES, alone: bool = True) -> None:
        scene = bpy.context.scene
        self.shown = 0
        player = clips.Player(scene, scene.objects)
        self.evaluation = evaluate.Evaluation(sorted(scene.objects, key=lambda o: o.name), 1)
        with mock.patch.object(keys, "are_keys_alone", keys.are_keys_alone if alone else lambda made: False), \
                mock.patch.object(player, "show", side_effect=self.count(player.show)):
            shown = evaluate.Frames(bpy.context, player, self.evaluation.sampled, self.evaluation.tags)
            shown.begin(clip)
            for each in self.evaluation.sampled:
                know_normals(each.made)
            for frame in frames:
                self.evaluation.sample(shown.show(frame), frame)
        self.computed = [each.made.name for each in self.evaluation.sampled if each.blend]
        player.restore()

    def count(self, show: Callable[[float], None]) -> Callable[[float], None]:
        def counted(frame: float) -> None:
            self.shown += 1
            show(frame)
        return counted


def grid(name: str = "grid", location: Any = (0, 0, 0)) -> Any:
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=3, y_subdivisions=3, location=location)
    bpy.context.object.name = name
    return bpy.context.object


def add_keys(made: Any, count: int, rng: random.Random) -> Any:
    for number in range(count):
        block = made.shape_key_add(name=f"key {number}" if number else "Basis", from_mix=False)
        for point in block.data:
            point.co = [c + rng.uniform(-1, 1) * (number > 0) for c in point.co]
    return made.data.shape_keys


def value_path(block: Any) -> str:
    return f'key_blocks["{block.name}"].value'


def make_action(block: Any, rng: random.Random) -> Any:
    """An action with curves of some keys; some are muted, empty, cyclic, in a muted group, or of a missing key."""
    action = support.new_action("move", "KEY")
    for key in rng.sample(list(block.key_blocks), rng.randint(1, len(block.key_blocks))):
        curve = support.new_curve(action, value_path(key), group=rng.choice(("", "a", "b")))
        for frame in sorted(rng.sample(range(0, 20), rng.randint(0, 4))):
            point = curve.keyframe_points.insert(frame, rng.uniform(-2, 2))
            point.interpolation = rng.choice(("LINEAR", "BEZIER", "CONSTANT"))
        curve.mute = rng.random() < .1
        curve.extrapolation = rng.choice(("CONSTANT", "LINEAR"))
        if rng.random() < .2:
            curve.modifiers.new("CYCLES")
    for group in support.bag_of(action).groups:
        group.mute = group.name == "b" and rng.random() < .3
    if rng.random() < .2:
        support.new_curve(action, 'key_blocks["gone"].value').keyframe_points.insert(3, 1)
    return action


def add_strips(block: Any, rng: random.Random) -> None:
    """NLA tracks with strips that are held, repeated, scaled, reversed or muted."""
    data = block.animation_data_create()
    actions = [make_action(block, rng) for _ in range(2)]
    for _ in range(rng.randint(1, 3)):
        track, at = data.nla_tracks.new(), rng.randint(0, 6)
        for _ in range(rng.randint(1, 3)):
            action = rng.choice(actions)
            strip = support.use(track.strips.new("strip", at, action), action)
            strip.use_auto_blend, strip.blend_in, strip.blend_out = False, 0, 0
            strip.action_frame_start, strip.action_frame_end = rng.randint(0, 3), rng.randint(3, 9)
            strip.repeat, strip.scale = rng.choice((1, 2, 1.5)), rng.choice((1, 1, .5, 1.7))
            strip.extrapolation = rng.choice(("HOLD", "HOLD_FORWARD", "NOTHING"))
            strip.use_reverse, strip.mute = rng.random() < .3, rng.random() < .15
            at = int(strip.frame_end) + rng.randint(1, 5)
        track.mute = rng.random() < .2
    if rng.random() < .2:
        data.nla_tracks[-1].is_solo = True


def vary(made: Any, rng: random.Random) -> None:
    """Changes what a key has: its value, range, reference and mute."""
    blocks = list(made.data.shape_keys.key_blocks)
    for block in blocks:
        block.slider_min, block.slider_max = rng.choice(((0, 1), (-1, 2), (.2, .6)))
        block.value = rng.uniform(-1, 2)
        block.mute = rng.random() < .2
        block.relative_key = rng.choice(blocks)


class Keys(support.Case):
    def compare(self, clip: Any = None, frames: Any = FRAMES) -> Samples:
        computed, wanted = Samples(clip, frames), Samples(clip, frames, alone=False)
        self.assertEqual(wanted.computed, [])
        for a, b in zip(computed.evaluation.sampled, wanted.evaluation.sampled):
            for x, y, most in (a.positions, b.positions, 2e-6), (a.normals, b.normals, 1e-3):
                size = max(1.0, float(np.abs(y).max(initial=0)))
                self.assertLess(np.abs(np.array(x) - np.array(y)).max(initial=0), most * size, a.made.name)
        for a, b in zip(computed.evaluation.tags, wanted.evaluation.tags):
            self.assertLess(np.abs(np.array(a.poses) - np.array(b.poses)).max(), 1e-6)
        return computed

    def test_models(self) -> None:
        """All frames of all models that are imported as relative keys, without a change of the frame."""
        found = [*corpus.real_models(("md2", "md3", "mdc", "mdl")), *corpus.sample_models(("md2", "md3", "mdc", "mdl"))]
        for path in found:
            with self.subTest(path.name):
                support.clear()
                collection = self.load(path, frames="RELATIVE", related=False)
                meshes = [o.name for o in collection.all_objects if o.type == "MESH" and o.data.shape_keys]
                scene = bpy.context.scene
                step = max(1, (scene.frame_end - scene.frame_start) // 40)
                found_here = self.compare(frames=range(scene.frame_start, scene.frame_end + 2, step))
                self.assertEqual(sorted(found_here.computed), sorted(meshes))
                if not any("lerpmesh_tag" in o for o in collection.all_objects) and meshes:
                    self.assertEqual(found_here.shown, 0)
        self.assertGreater(len(found), 2)

    def test_made_scenes(self) -> None:
        """Random keys with constant values, actions and NLA tracks, on objects that stand still or move."""
        counts = {"computed": 0, "still": 0}
        for seed in range(SEEDS):
            with self.subTest(seed):
                support.clear()
                rng = random.Random(seed)
                made = grid()
                block = add_keys(made, rng.randint(1, 5), rng)
                kind = rng.choice(("none", "action", "nla", "nla", "nla"))
                if kind == "action":
                    support.use(block.animation_data_create(), make_action(block, rng))
                elif kind == "nla":
                    add_strips(block, rng)
                vary(made, rng)
                if rng.random() < .4:
                    made.location.x = 1
                    made.keyframe_insert("location", frame=2)
                    made.location.x = 3
                    made.keyframe_insert("location", frame=20)
                found = self.compare()
                counts["computed"] += len(found.computed)
                counts["still"] += not found.shown
        self.assertEqual(counts["computed"], SEEDS)
        self.assertGreater(counts["still"], SEEDS // 3)

    def test_clips(self) -> None:
        """Actions and NLA tracks that are played alone."""
        for seed in range(20):
            with self.subTest(seed):
                support.clear()
                rng = random.Random(seed)
                made = grid()
                block = add_keys(made, 4, rng)
                add_strips(block, rng)
                vary(made, rng)
                clip = bpy.context.scene.lerpmesh.clips.add()
                clip.source = rng.choice(("ACTION", "TRACK"))
                clip.action = bpy.data.actions[0]
                clip.track = block.animation_data.nla_tracks[0].name
                self.assertEqual(len(self.compare(clip).computed), 1)


def driver_of_value(made: Any) -> None:
    made.data.shape_keys.key_blocks[1].driver_add("value").driver.expression = "frame / 30"


def animated_mute(made: Any) -> None:
    keys_made = made.data.shape_keys
    for frame, mute in (1, False), (10, True):
        keys_made.key_blocks[1].mute = mute
        keys_made.key_blocks[1].keyframe_insert("mute", frame=frame)


def second_strip(made: Any, **values: Any) -> None:
    data = made.data.shape_keys.animation_data
    track = data.nla_tracks.new()
    action = data.nla_tracks[0].strips[0].action
    strip = support.use(track.strips.new("more", 3, action), action)
    for name, value in values.items():
        setattr(strip, name, value)


def vertex_group(made: Any) -> None:
    made.vertex_groups.new(name="half").add([0, 1, 2], .5, "REPLACE")
    made.data.shape_keys.key_blocks[1].vertex_group = "half"


def lattice(made: Any) -> None:
    cage = bpy.data.objects.new("cage", bpy.data.lattices.new("cage"))
    bpy.context.collection.objects.link(cage)
    cage.data.points[0].co_deform.x -= 2
    made.parent, made.parent_type = cage, "LATTICE"


def time_remap(made: Any) -> None:
    bpy.context.scene.render.frame_map_new = 50


def action_over_nla(made: Any) -> None:
    data = made.data.shape_keys.animation_data
    support.use(data, data.nla_tracks[0].strips[0].action)


def absolute(made: Any) -> None:
    keys_made = made.data.shape_keys
    keys_made.use_relative = False
    for frame in 1, 20:
        keys_made.eval_time = frame
        keys_made.keyframe_insert("eval_time", frame=frame)


def absolute_still(made: Any) -> None:
    made.data.shape_keys.use_relative = False
    made.data.shape_keys.eval_time = 15


def index_path(made: Any) -> None:
    action = made.data.shape_keys.animation_data.nla_tracks[0].strips[0].action
    support.new_curve(action, "key_blocks[1].value").keyframe_points.insert(4, .7)


OTHERS = {
    "driver": driver_of_value, "animated mute": animated_mute, "vertex group": vertex_group, "lattice": lattice,
    "time remap": time_remap, "action over NLA": action_over_nla, "absolute": absolute, "index path": index_path,
    "pinned": lambda made: setattr(made, "show_only_shape_key", True),
    "absolute, still": lambda made: (made.data.shape_keys.animation_data_clear(), absolute_still(made)),
    "sculpt mode": lambda made: bpy.ops.object.mode_set(mode="SCULPT"),
    "edit mode": lambda made: bpy.ops.object.mode_set(mode="EDIT"),
    "modifier": lambda made: made.modifiers.new("wave", "WAVE"),
    "added": lambda made: second_strip(made, blend_type="ADD"),
    "blended in": lambda made: second_strip(made, blend_in=3),
    "influence": lambda made: second_strip(made, use_animated_influence=True, influence=.3),
    "animated time": lambda made: second_strip(made, use_animated_time=True, strip_time=2),
}


def scenes_rig(made: Any) -> None:
    """Parents an object to a bone that moves."""
    rig = scenes.armature({"root": ((0, 0, 0), (0, 0, 1), None)})
    bone = rig.pose.bones[0]
    for frame, x in (1, 0), (20, 3):
        bone.location.x = x
        bone.keyframe_insert("location", frame=frame)
    made.parent, made.parent_type, made.parent_bone = rig, "BONE", "root"


class Fallback(support.Case):
    def make(self) -> Any:
        rng = random.Random(5)
        made = grid()
        block = add_keys(made, 3, rng)
        data = block.animation_data_create()
        action = support.new_action("move", "KEY")
        for key in block.key_blocks[1:]:
            curve = support.new_curve(action, value_path(key))
            for frame in 0, 5, 10:
                curve.keyframe_points.insert(frame, rng.random())
        support.use(data.nla_tracks.new().strips.new("move", 1, action), action)
        return made

    def test_others(self) -> None:
        """Everything else is left to Blender."""
        self.make()
        self.assertEqual(Keys.compare(self, None).computed, ["grid"])
        for name, change in OTHERS.items():
            with self.subTest(name):
                support.clear()
                change(self.make())
                self.assertEqual(Keys.compare(self, None).computed, [])

    def test_handlers(self) -> None:
        """A script that runs on each frame may move keys."""
        made = self.make()

        def move(scene: Any, graph: Any) -> None:
            made.data.vertices[0].co.x = 0

        bpy.app.handlers.frame_change_post.append(move)
        self.assertEqual(Samples().computed, [])
        bpy.app.handlers.frame_change_post.remove(move)

    def test_dependants(self) -> None:
        """Objects that follow a shape, or the value of a key, still do."""
        def follower(kind: str, target: Any) -> Any:
            made = grid(kind, (2, 0, 0))
            if kind == "vertex parent":
                made.parent, made.parent_type, made.parent_vertices = target, "VERTEX", (0, 1, 2)
            elif kind == "constraint":
                made.constraints.new("SHRINKWRAP").target = target
            elif kind == "modifier":
                made.modifiers.new("wrap", "SHRINKWRAP").target = target
            elif kind == "driver":
                variable = made.driver_add("location", 0).driver
                variable.expression = "3 * v"
                source = variable.variables.new()
                source.name, source.targets[0].id_type = "v", "KEY"
                source.targets[0].id = target.data.shape_keys
                source.targets[0].data_path = value_path(target.data.shape_keys.key_blocks[1])
            else:
                made.data = target.data
                made.modifiers.new("wave", "WAVE")
            return made

        for kind in "vertex parent", "constraint", "modifier", "driver", "shared mesh":
            with self.subTest(kind):
                support.clear()
                follower(kind, self.make())
                found = Keys.compare(self, None)
                self.assertEqual(found.computed, ["grid"])
                self.assertEqual(found.shown, len(FRAMES))

    def test_places(self) -> None:
        """The scene changes its frame if an object's place may change."""
        for kind in "constraint", "parent", "driver", "rigid body", "bone", "path":
            with self.subTest(kind):
                support.clear()
                made = self.make()
                other = bpy.data.objects.new("other", bpy.data.curves.new("other", "CURVE") if kind == "path" else None)
                bpy.context.collection.objects.link(other)
                for frame, x in (1, 0), (20, 3):
                    other.location.x = x
                    other.keyframe_insert("location", frame=frame)
                if kind == "constraint":
                    made.constraints.new("COPY_LOCATION").target = other
                elif kind in ("parent", "path"):
                    made.parent = other
                    other.animation_data_clear() if kind == "path" else None
                elif kind == "driver":
                    made.driver_add("location", 0).driver.expression = "frame"
                elif kind == "rigid body":
                    bpy.context.view_layer.objects.active = made
                    bpy.ops.rigidbody.object_add()
                elif kind == "bone":
                    scenes_rig(made)
                self.assertEqual(Keys.compare(self, None).shown, len(FRAMES))

    def test_a_child(self) -> None:
        """A tag that moves, below an object with keys: the keys stand still meanwhile."""
        made = self.make()
        tag = bpy.data.objects.new("tag_a", None)
        bpy.context.collection.objects.link(tag)
        tag.parent = made
        for frame, x in (1, 0), (20, 3):
            tag.location.x = x
            tag.keyframe_insert("location", frame=frame)
        with mock.patch.object(clips.Player, "silence", side_effect=clips.Player.silence, autospec=True) as silence:
            found = Keys.compare(self, None)
        self.assertEqual((found.computed, found.shown, silence.call_count), (["grid"], len(FRAMES), 1))


class Speed(support.Case):
    def test_an_unchanged_model(self) -> None:
        """Exports the file without evaluating a frame."""
        shutil.copy(SAMPLE, self.folder / "tick.md2")
        self.load(self.folder / "tick.md2", frames="RELATIVE")
        settings = exporter.Settings(str(self.folder / "out.md2"), list(bpy.context.scene.objects))
        seen: list[int] = []
        bpy.app.handlers.depsgraph_update_post.append(lambda scene, graph: seen.append(scene.frame_current))
        made = exporter.Export(bpy.context, settings)
        for _ in made.run():
            pass
        bpy.app.handlers.depsgraph_update_post.pop()
        self.assertEqual(seen, [])
        self.assertEqual(made.made.files[settings.path], SAMPLE.read_bytes())
