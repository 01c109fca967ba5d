"""Imports and exports in steps: what is left after a cancelled or failed one."""
from __future__ import annotations

import shutil
from typing import Any
from unittest import mock

import bpy
import corpus
import scenes
import support
from lerpmesh_io import evaluate, exporter, importer, operators

SAMPLE = corpus.source_dir() / "samples" / "tick.md2"


def tick_scene() -> None:
    bpy.ops.import_scene.lerpmesh(filepath=str(SAMPLE), frames="RELATIVE")


def loose_action_scene() -> None:
    """An object with an action that it does not use, a bone and a custom property that it moves, and muted tracks."""
    scenes.rig_scene()
    rig = bpy.data.objects["rig"]
    rig["speed"] = 2.0
    rig.location = 1, 2, 3
    rig.pose.bones["arm"].rotation_mode = "QUATERNION"
    action = support.new_action("walk")
    for path, count in ("location", 3), ('["speed"]', 1), ('pose.bones["arm"].rotation_quaternion', 4):
        for index in range(count):
            support.new_curve(action, path, index).keyframe_points.insert(5, .5)
    for track in rig.animation_data.nla_tracks:
        track.mute = track.name != "idle"
    clips = bpy.context.scene.lerpmesh.clips
    for name in "walk", "swing":
        item = clips.add()
        item.name, item.source, item.action, item.start, item.end = name, "ACTION", bpy.data.actions[name], 1, 4
    item = clips.add()
    item.name, item.source, item.track, item.start, item.end = "fall", "TRACK", "fall", 1, 4


SCENES = {**scenes.SCENES, "tick": tick_scene, "loose action": loose_action_scene}


class Export(support.Case):
    """The scene is as it was after an export, whether it ends, fails or is cancelled."""

    def make(self, name: str) -> exporter.Export:
        support.clear()
        SCENES[name]()
        scene = bpy.context.scene
        scene.frame_set(4, subframe=.5)
        path = self.folder / "out.md3"
        return exporter.Export(bpy.context, exporter.Settings(str(path), list(scene.objects), "md3", use_source=False))

    def compare(self, before: dict[str, Any]) -> None:
        support.assert_same(before, support.snapshot())
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_ended(self) -> None:
        for name in SCENES:
            with self.subTest(name):
                made = self.make(name)
                before = support.snapshot()
                for _ in made.run():
                    pass
                self.compare(before)

    def test_cancelled(self) -> None:
        """After each step."""
        for name in SCENES:
            with self.subTest(name):
                made = self.make(name)
                before = support.snapshot()
                count = sum(1 for _ in made.run())
                for stop in {1, 2, count // 3, count // 2, count - 2, count - 1}:
                    running = exporter.Export(bpy.context, made.settings).run()
                    for _ in range(stop):
                        next(running, None)  # calls in a thread take any number of steps
                    running.close()
                    self.compare(before)

    def test_failed(self) -> None:
        for name in SCENES:
            with self.subTest(name):
                made = self.make(name)
                before = support.snapshot()
                sample = evaluate.Evaluation.sample

                def fail(evaluation: Any, graph: Any, frame: float, back: Any) -> None:
                    sample(evaluation, graph, frame, back)
                    if evaluation.num_frames == 4:
                        raise evaluate.ExportError("planted")

                with mock.patch.object(evaluate.Evaluation, "sample", fail), self.assertRaises(evaluate.ExportError):
                    for _ in made.run():
                        pass
                self.compare(before)


class Job(operators.ImportJob):
    """The steps of the operators of an import."""

    def __init__(self, path: str, frames: str, folder: str) -> None:
        self.path, self.options = path, importer.Options(path, frames=frames, cache_folder=folder)

    def paths(self) -> list[str]:
        return [self.path]

    def import_options(self, path: str) -> importer.Options:
        return self.options


class Cancelled(support.Case):
    """An import that is cancelled or fails leaves nothing."""

    def test_steps(self) -> None:
        bpy.context.scene.render.fps = 17
        loose = bpy.data.meshes.new("without a user")
        before = support.snapshot()
        for frames in "RELATIVE", "CACHE":
            for stop in range(0, 40, 3):
                job = Job(str(SAMPLE), frames, str(self.folder))
                job.prepare()
                running = job.steps(bpy.context)
                for _ in range(stop):
                    next(running, None)
                running.close()
                job.cancelled(bpy.context)
                self.compare(before)
        self.assertEqual(loose.users, 0)

    def compare(self, before: dict[str, Any]) -> None:
        support.assert_same(before, support.snapshot())
        self.assertEqual(list(self.folder.glob("*.mdd")), [])

    def test_the_second_file_fails(self) -> None:
        shutil.copy(SAMPLE, self.folder / "a.md2")
        (self.folder / "b.md2").write_bytes(SAMPLE.read_bytes()[:4000])
        before = support.snapshot()
        with self.assertRaisesRegex(RuntimeError, "b.md2"):
            bpy.ops.import_scene.lerpmesh(directory=str(self.folder), files=[{"name": "a.md2"}, {"name": "b.md2"}],
                                          filepath="", frames="CACHE", cache_folder=str(self.folder))
        self.compare(before)

    def test_a_bug(self) -> None:
        """Also if the add-on itself has an error."""
        before = support.snapshot()
        with mock.patch.object(importer.Import, "finish", side_effect=KeyError("planted")), \
                self.assertRaisesRegex(RuntimeError, "planted"):
            bpy.ops.import_scene.lerpmesh(filepath=str(SAMPLE))
        self.compare(before)
