"""Armatures of real models. Slow: only `make test-blender` runs it. tests/tool/test_skinned_players.py lets Blender play
the library's skinned glTF."""
from pathlib import Path
from typing import Any

import bpy
import corpus
import numpy as np
import skipping
import support

import lerpmesh
from lerpmesh_io import source

OPENARENA = Path("/usr/share/games/openarena/baseoa/pak0.pk3")
SYDNEY = corpus.corpus_dir() / "md2" / "sydney.md2"


def in_part(made: Any, armature: Any) -> np.ndarray:
    """Returns the positions of an object in the space of its armature, in the axes of the games."""
    place = np.linalg.inv(np.array(armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world))
    x, y, z = support.evaluated(made).T
    points = np.stack((y, -x, z), axis=1) @ place[:3, :3].T + place[:3, 3]
    return np.stack((-points[:, 1], points[:, 0], points[:, 2]), axis=1)


class Real(support.Case):
    def armature_of(self, collection: Any) -> Any:
        return next(each for each in collection.objects if each.type == "ARMATURE")

    def compare(self, collection: Any, model: Any, skeleton: Any, step: int) -> None:
        """Blender shows the positions of the library, in every `step`-th frame."""
        found, armature = source.of(collection), self.armature_of(collection)
        for frame in range(0, model.num_frames, step):
            bpy.context.scene.frame_set(found.frame_of(frame))
            for made in (each for each in collection.objects if "lerpmesh_surface" in each):
                wanted = skeleton.evaluate(frame, made["lerpmesh_surface"])[0]
                far = np.abs(in_part(made, armature) - wanted).max()
                self.assertLess(far, 1e-4 * np.ptp(wanted, axis=0).max(), f"{made.name} {frame}")

    def check_export(self, path: Any, kind: str) -> None:
        """The same bytes; encoded again, each clip is within the errors of the skeleton and of the format."""
        collection = self.load(path, frames="ARMATURE", related=False)
        model = lerpmesh.open(path, related=False, images="none").model
        skeleton = model.skeleton()
        self.assertNotEqual(skeleton.verdict, "refused")
        self.compare(collection, model, skeleton, 9)
        data = lerpmesh.read_file(path)
        self.assertTrue(self.save(f"same.{model.format}").read_bytes() == data, "other bytes")
        bpy.context.scene.lerpmesh.clips.clear()
        clip = model.clips[0]
        item = bpy.context.scene.lerpmesh.clips.add()
        item.name, item.loop = clip.name, "ONCE"
        item.start, item.end = clip.first, clip.first + clip.count - 1
        made = lerpmesh.load(self.save(f"again.{kind}", use_source=False))
        self.assertEqual(made.num_frames, clip.count)
        before = lerpmesh.Mesh.from_model(model).select_frames(list(clip.frames))
        most = skeleton.clip_errors[0].max + (.2 if kind == "md2" else .06)
        self.assertLess(lerpmesh.compare(before, made).all.max, most)

    def test_models(self) -> None:
        for path, kind in (SYDNEY, "md2"), (f"{OPENARENA}:models/players/sarge/upper.md3", "md3"), \
                (f"{OPENARENA}:models/players/sarge/lower.md3", "mdc"):
            if not Path(str(path).partition(":")[0]).exists():
                skipping.skip(self, f"{path} is not there")
                continue
            with self.subTest(path, kind=kind):
                support.clear()
                self.check_export(path, kind)

    def test_a_player(self) -> None:
        """The armature of the torso follows a tag of the legs' armature, and the head one of the torso's."""
        if not OPENARENA.exists():
            skipping.skip(self, "OpenArena is not installed")
        path = f"{OPENARENA}:models/players/sarge"
        self.load(path, frames="ARMATURE")
        scene = lerpmesh.open(path, related=True, images="none")
        made = {part.name: next(c for c in bpy.data.collections if c.name.partition(".")[0] == part.name and
                                source.BYTES in c) for part in scene.parts}
        for part in scene.parts[:2]:
            self.compare(made[part.name], part.model, part.model.skeleton(), 23)
        armatures = [self.armature_of(made[part.name]) for part in scene.parts[:2]]
        self.assertEqual(armatures[1].parent["lerpmesh_tag"], "tag_torso")
        self.assertEqual((armatures[1].parent.parent, armatures[1].parent.parent_type), (armatures[0], "BONE"))
        self.assertEqual([made.animation_data.action.name for made in armatures], ["lower", "upper"])
