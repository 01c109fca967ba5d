"""Imports and exports in steps: which work a step does, and what is left after a cancelled or failed one."""
from __future__ import annotations

import re
import shutil
import threading
from pathlib import Path
from typing import Any, Iterator
from unittest import mock

import bpy
import corpus
import make_models
import scenes
import skipping
import support
from lerpmesh_io import evaluate, exporter, importer, jobs, meshes, operators, rewrite

import lerpmesh

OPENARENA = Path("/usr/share/games/openarena/baseoa/pak0.pk3")
UFO = Path("/usr/share/games/ufoai/base/0models.pk3")
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
    action = bpy.data.actions.new("walk")
    for path, count in ("location", 3), ('["speed"]', 1), ('pose.bones["arm"].rotation_quaternion', 4):
        for index in range(count):
            action.fcurves.new(path, index=index).keyframe_points.insert(5, .5)
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
        after = support.snapshot()
        for key, value in before.items():
            self.assertEqual(value, after[key], key)
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

                def fail(evaluation: Any, graph: Any, frame: float) -> None:
                    sample(evaluation, graph, frame)
                    if evaluation.num_frames == 4:
                        raise evaluate.ExportError("planted")

                with mock.patch.object(evaluate.Evaluation, "sample", fail), self.assertRaises(evaluate.ExportError):
                    for _ in made.run():
                        pass
                self.compare(before)


def counts() -> dict[str, int]:
    """How much of each kind Blender's file has."""
    data = bpy.data
    found = {name: len(getattr(data, name)) for name in ("objects", "meshes", "actions", "materials", "images")}
    found["keys"] = sum(len(keys.key_blocks) for keys in data.shape_keys)
    found["strips"] = sum(len(track.strips) for block in (*data.objects, *data.shape_keys) if block.animation_data
                          for track in block.animation_data.nla_tracks)
    return found


# Calls of the library that take long: an object and the name of its method.
SLOW_READS = ((lerpmesh, "open"), (lerpmesh.Scene, "with_skin"), (lerpmesh.Model, "bake"), (meshes, "smoothed"))
SLOW_WRITES = ((lerpmesh, "convert"), (lerpmesh.Mesh, "from_model"), (evaluate.Evaluation, "surfaces"),
               (rewrite.Part, "data"), (exporter, "bytes_of"))


class Watch:
    """Counts the calls of functions that run in the main thread, and those that do not."""

    def __init__(self, case: support.Case, slow: Any) -> None:
        self.here: list[str] = []
        self.elsewhere: set[str] = set()
        for owner, name in slow:
            patcher = mock.patch.object(owner, name, self.wrap(name, getattr(owner, name)))
            patcher.start()
            case.addCleanup(patcher.stop)

    def wrap(self, name: str, call: Any) -> Any:
        def watched(*values: Any, **named: Any) -> Any:
            if threading.current_thread() is threading.main_thread():
                self.here.append(name)
            else:
                self.elsewhere.add(name)
            return call(*values, **named)
        return watched


class Steps(support.Case):
    """A step has a bounded amount of work, so that progress is shown and Esc works."""

    def models(self) -> Iterator[tuple[str, dict[str, Any]]]:
        folder = self.folder / "players" / "tick"
        folder.mkdir(parents=True)
        for name in "tick.md2", "tick.pcx":
            shutil.copy(SAMPLE.parent / name, folder)
        for i in range(3):
            data = bytearray((folder / "tick.pcx").read_bytes())
            data[-600 + i] ^= 255
            (folder / f"skin{i}.pcx").write_bytes(data)
        for frames in "RELATIVE", "ABSOLUTE", "CACHE":
            yield str(folder / "tick.md2"), {"frames": frames}
        path = self.folder / "m.mdc"
        for seed in range(60):
            path.write_bytes(make_models.make_model("mdc", 9, seed)[0])
            model = lerpmesh.load(str(path))
            if len(model.tags) > 1 and len(model.surfaces) > 1 and 2 < model.num_frames < 300:
                for frames in "RELATIVE", "NONE":
                    yield str(path), {"frames": frames}
                break
        else:
            self.fail("no generated model has surfaces and tags")
        for archive, member, frames in (OPENARENA, "models/players/sarge", "AUTO"), \
                (UFO, "models/soldiers/female/body.md2", "RELATIVE"):
            if archive.exists():
                yield f"{archive}:{member}", {"frames": frames}
            else:
                skipping.skip(self, f"{archive.name} is not installed")

    def test_import(self) -> None:
        for path, options in self.models():
            with self.subTest(Path(path).name, **options):
                support.clear()
                self.check_import(importer.Options(path, cache_folder=str(self.folder / "cache"), **options))

    def check_import(self, options: importer.Options) -> None:
        scene = lerpmesh.open(options.path, related=True)
        most = max(len(part.model.surfaces) for part in scene.parts)
        limits = {"objects": 2, "meshes": 1, "actions": 1, "strips": 1, "keys": jobs.FRAMES, "materials": max(most, 1),
                  "images": max(most, 1)}
        watch = Watch(self, SLOW_READS)
        before, texts, parts = counts(), [], []
        made = importer.Import(bpy.context, options)
        add_skin = made.add_skin
        made.add_skin = lambda number, *rest: parts.append(number) or add_skin(number, *rest)
        for _, text in made.run():
            texts.append(text)
            after = counts()
            done = {kind: after[kind] - before[kind] for kind in after}
            for kind, most in limits.items():
                self.assertLessEqual(done[kind], most, f"{kind}: {text}")
            self.assertFalse(done["meshes"] and (done["keys"] or done["strips"]), text)
            self.assertLessEqual(len(parts), 1)
            parts.clear()
            before = after
        self.assertEqual(watch.here, [])
        self.assertLessEqual({"open"}, watch.elsewhere)
        wanted = {f"{kind} {i + 1} of {count}" for part in scene.parts
                  for kind, count in (("surface", len(part.model.surfaces)), ("tag", len(part.model.tags)))
                  for i in range(count)}
        skins = {text for text in texts if re.fullmatch(r"skin \d+ of \d+", text)}
        self.assertLessEqual(wanted, {text.rsplit(", ", 1)[-1] for text in texts} | {t.split(",")[0] for t in texts})
        numbers = sorted(int(text.split()[1]) for text in skins)
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        self.assertTrue(all(text.endswith(f" of {len(numbers)}") for text in skins))

    def test_export(self) -> None:
        """A step has one frame, and the library works in a thread."""
        watch = Watch(self, SLOW_WRITES)
        for name in "tick", "player":
            for use_source in True, False:
                with self.subTest(name, use_source=use_source):
                    support.clear()
                    SCENES[name]()
                    self.check_export(exporter.Settings(str(self.folder / "out.md2"), list(bpy.context.scene.objects),
                                                        "md2", images="ALL", use_source=use_source))
        self.assertEqual(watch.here, [])
        self.assertEqual(watch.elsewhere, {name for _, name in SLOW_WRITES})

    def check_export(self, settings: exporter.Settings) -> None:
        made, frames = exporter.Export(bpy.context, settings), 0
        shown: list[float] = []
        with mock.patch.object(evaluate.Frames, "show", autospec=True,
                               side_effect=lambda f, frame: shown.append(frame) or SHOW(f, frame)):
            for _, text in made.run():
                self.assertLessEqual(len(shown), 1, text)
                frames += len(shown)
                shown.clear()
        self.assertGreater(frames, 40)


SHOW = evaluate.Frames.show


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
        after = support.snapshot()
        for key, value in before.items():
            self.assertEqual(value, after[key], key)
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
