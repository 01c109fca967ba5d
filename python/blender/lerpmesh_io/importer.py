"""Import: a scene of lerpmesh as objects of Blender.

A part is a collection with its surfaces as mesh objects, and its tags as empties. The parts of a player are nested: the
torso is a child of the empty tag_torso of the legs."""
from __future__ import annotations

import functools
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generator, Iterator

import bpy
import mathutils
import numpy as np

from . import animation, armatures, clips, evaluate, jobs, materials, meshes, source, space, timeline
from .jobs import Step
from .packages import lerpmesh

MAX_SKINS = 64  # of a model; further ones are not loaded


@dataclass
class Options:
    """Options of an import."""
    path: str
    scale: float = 1.0  # Blender units per game unit
    frames: str = "AUTO"  # AUTO, RELATIVE, ABSOLUTE, CACHE, ARMATURE or NONE
    bones: int = 0  # the most, of an armature; 0: the library's default
    constant_lengths: bool = False  # bones of an armature do not stretch
    related: bool = True
    skins: str = "ALL"  # ALL, FIRST or NONE
    set_scene: bool = True
    cache_folder: str = ""  # empty: next to the .blend, else in the user's data


@dataclass
class Result:
    """An import: its collection, its cache files, and what went wrong."""
    collection: Any = None
    files: list[Path] = field(default_factory=list)
    diagnostics: list[Any] = field(default_factory=list)


def cache_folder(options: Options) -> str:
    """Returns the folder for cache files, as Blender spells it."""
    if options.cache_folder:
        return options.cache_folder
    if bpy.data.filepath:
        return "//"
    return bpy.utils.user_resource("DATAFILES", path="lerpmesh", create=True)


def unused_file(folder: str, name: str) -> tuple[str, Path]:
    """Returns a new file's path as Blender spells it, and as the system does."""
    safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in name)
    os.makedirs(bpy.path.abspath(folder), exist_ok=True)
    for number in range(1, 100000):
        spelled = os.path.join(folder, f"{safe}.mdd" if number == 1 else f"{safe}_{number}.mdd")
        path = Path(bpy.path.abspath(spelled))
        if not path.exists():
            return spelled, path
    raise lerpmesh.Error(f"{folder}: too many cache files", "io")


class PartImport:
    """The import of one part."""

    def __init__(self, part: Any, collection: Any, owner: Import, segments: Any, prefix: str, is_alone: bool) -> None:
        self.part, self.model, self.collection, self.options = part, part.model, collection, owner.options
        self.segments, self.is_alone, self.result, self.context = segments, is_alone, owner.result, owner.context
        self.strips = animation.Strips(segments, prefix, owner.result.collection.name)
        self.names = animation.key_names([frame.name for frame in self.model.frames])
        self.tags: dict[str, Any] = {}
        self.surfaces: list[Any] = []
        self.skins: list[tuple[str, list[Any]]] = []  # names, and the material of each surface
        self.skin_names: list[str] = []  # as lerpmesh.Skin has them
        self.anchor: Any = None
        self.rig: armatures.Rig | None = None
        self.shifts: list[Any] = []  # of each surface: what the armature moves from the positions of the file

    def kind(self) -> str:
        """Returns how the frames are stored."""
        kind = self.options.frames
        if self.model.num_frames < 2 or kind == "NONE":
            return "none"
        if self.rig:
            return "armature"
        if kind in ("AUTO", "ARMATURE"):
            kind = "RELATIVE" if animation.are_keys_fast(self.model.num_frames, len(self.model.surfaces)) else "CACHE"
        return kind.lower()

    def link(self, made: Any) -> Any:
        self.collection.objects.link(made)
        return made

    def run(self) -> Generator[str, None, None]:
        """Yields the work that follows."""
        where = "" if self.is_alone else f"{self.part.name}, "
        if self.options.frames == "ARMATURE" and self.model.num_frames > 1:
            yield from self.add_armature(where)
        if self.anchor is None and (len(self.model.surfaces) != 1 or self.model.tags or not self.is_alone):
            self.anchor = self.link(bpy.data.objects.new(self.part.name, None))
            self.anchor.empty_display_type = "PLAIN_AXES"
        self.shaded = yield from jobs.in_background(lambda: meshes.smoothed(self.part), f"{where}normals")
        for index, surface in enumerate(self.model.surfaces):
            text = f"{where}surface {index + 1} of {len(self.model.surfaces)}"
            yield text
            for more in self.add_surface(index, surface):
                yield text + more
        if self.anchor is None:
            self.anchor = self.surfaces[0]
        for index, name in enumerate(self.model.tags):
            text = f"{where}tag {index + 1} of {len(self.model.tags)}"
            yield text
            for _ in self.add_tag(index, name):
                yield text
        source.store(self.collection, self.part, self.options.scale, self.segments, self.shifts)
        if self.part.clips_path:
            self.collection["lerpmesh_clips_path"] = self.part.clips_path
            self.collection["lerpmesh_clips_file"] = lerpmesh.read_file(self.part.clips_path)

    def tell(self, severity: str, text: str) -> None:
        """Adds a message to those of the import."""
        self.result.diagnostics.append(lerpmesh.Diagnostic(armatures.CODE, severity, text, self.part.name, None, 1))

    def find_skeleton(self, where: str) -> Generator[str, None, Any]:
        """Returns a skeleton of the model; None: there is no good one. A cancelled import stops the search."""
        share, is_stopped = 0.0, False

        def progress(done: float) -> bool:
            nonlocal share
            share = done
            return not is_stopped

        try:
            skeleton = yield from jobs.in_background(lambda: self.model.skeleton(
                max_bones=self.options.bones, constant_lengths=self.options.constant_lengths, progress=progress),
                lambda: f"{where}skeleton, {share:.0%}")
        finally:
            is_stopped = True
        if skeleton.verdict == "refused":
            self.tell("warning", f"{skeleton.reason}; the frames are stored without an armature")
            return None
        self.tell("note", armatures.text_of(skeleton))
        if skeleton.verdict == "warned":
            self.tell("warning", skeleton.reason)
        return skeleton

    def add_armature(self, where: str) -> Generator[str, None, None]:
        """Makes an armature with the clips. Without a good skeleton, the frames are stored otherwise."""
        skeleton = yield from self.find_skeleton(where)
        if not skeleton:
            return
        self.rig = armatures.Rig(skeleton, self.options.scale)
        self.anchor = self.link(bpy.data.objects.new(self.part.name, bpy.data.armatures.new(self.part.name)))
        self.anchor.show_in_front = True
        self.rig.add_bones(self.context, self.anchor)
        self.strips.hold(self.anchor, self.rig.write)

    def rest_normals(self, index: int) -> Any:
        """Returns the normals of the corners of a surface in the pose of its mesh: [triangles, 3, 3]."""
        normals = meshes.game_normals(self.shaded, index)
        if not self.rig:
            return normals
        surface = self.model.surfaces[index]
        return self.rig.rest_normals(index, surface.file_vertices[surface.triangles], normals)

    def add_surface(self, index: int, surface: Any) -> Generator[str, None, None]:
        count, scale = surface.num_file_vertices, self.options.scale
        kind = self.kind()
        if self.rig:
            frames = self.rig.rest[index][None]
        elif kind == "none":
            frames = space.to_blender(self.model.sample(0.0, index)[0][None, :count], scale)
        else:
            frames = yield from jobs.in_background(
                lambda: space.to_blender(self.model.bake(index)[:, :count], scale), "")
        name = surface.name or self.part.name
        mesh = meshes.game_mesh(name, surface, frames[0], self.rest_normals(index))
        made = self.link(bpy.data.objects.new(name, mesh))
        made.parent = self.anchor
        made["lerpmesh_surface"] = index
        made[evaluate.NAME] = made.name
        self.surfaces.append(made)
        if self.rig:
            self.rig.add_weights(made, index)
            made.modifiers.new("Armature", "ARMATURE").object = self.anchor
            self.shifts.append(self.rig.shifts(index, self.model.bake(index)[:, :count]))
        if kind in ("none", "armature"):
            return
        yield ""
        block = made
        if kind == "cache":
            spelled, path = unused_file(cache_folder(self.options), f"{self.part.name}_{name}")
            self.result.files.append(path)
            steps = animation.write_mdd(path, frames, 10)
        else:
            steps = animation.add_keys(made, frames, self.names)
        for done in steps:
            yield f", frame {done} of {len(frames)}"
        if kind == "cache":
            animation.add_cache(made, spelled)
        else:
            block = made.data.shape_keys
            block.use_relative = kind == "relative"
        writer = animation.surface_writer(kind, block, self.names)
        for _ in self.strips.play(block, kind, writer):
            yield ", clips"

    def add_tag(self, index: int, name: str) -> Iterator[None]:
        transforms = self.model.bake_tag(index).astype(np.float64)
        matrices = space.tag_matrices(transforms[:, :3, 3], transforms[:, :3, :3].transpose(0, 2, 1),
                                      self.options.scale)
        made = self.link(bpy.data.objects.new(name, None))
        made.empty_display_type, made.empty_display_size = "ARROWS", 4 * self.options.scale
        if self.rig:
            matrices = self.rig.follow(made, self.anchor, matrices)
        else:
            made.parent = self.anchor
        made.rotation_mode = "QUATERNION"
        made["lerpmesh_tag"] = name
        made[evaluate.NAME] = made.name
        self.tags.setdefault(name.lower(), made)
        rows = animation.places_of(matrices)
        for path, first, number in animation.PLACES:
            setattr(made, path, rows[0, first:first + number])
        writer = animation.place_writer(rows, self.rig is not None)
        if self.rig and writer:
            self.strips.hold(made, writer, name)
        elif self.kind() != "none" and writer:
            yield from self.strips.play(made, f"tag {index}", writer, name)


class Import:
    """An import. Its steps can be interrupted between two values of `run`; `finish` then sets up the scene."""

    def __init__(self, context: Any, options: Options) -> None:
        self.context, self.options = context, options
        self.images = materials.Images()
        self.materials: dict[Any, Any] = {}
        self.parts: list[PartImport] = []
        self.result = Result()

    def run(self) -> Iterator[Step]:
        """Imports, and yields the share that is done and the work that follows."""
        options = self.options
        scene = yield from jobs.in_background(lambda: lerpmesh.open(
            options.path, related=options.related,
            images="none" if options.skins == "NONE" else "portable"), (0.0, "reading"))
        self.result.diagnostics = [d for d in scene.diagnostics if d.severity != "note"]
        self.timeline = timeline.lay_out([timeline.Part(p.model.num_frames, p.clips, p.idle,
                                                        p.parent if p.follows and p.parent is not None else -1)
                                          for p in scene.parts])
        self.make_collections(scene)
        for i, part in enumerate(self.parts):
            for text in part.run():
                yield .1 + .4 * i / len(self.parts), text
            self.attach(part)
        if options.skins != "NONE":
            yield from self.add_skins(scene)

    def finish(self) -> None:
        """Sets up the scene."""
        if self.options.set_scene and self.options.frames != "NONE" and self.timeline.num_frames > 1:
            self.set_scene()
        self.context.scene.lerpmesh.units = "FILE" if self.options.scale == 1 else "METRES"
        self.select()

    def make_collections(self, scene: Any) -> None:
        alone = len(scene.parts) == 1
        name = scene.parts[0].name if alone else Path(self.options.path.rstrip("/")).stem
        top = bpy.data.collections.new(name)
        self.context.scene.collection.children.link(top)
        self.result.collection = top
        for part, segments in zip(scene.parts, self.timeline.segments):
            collection = top
            if not alone:
                collection = bpy.data.collections.new(part.name)
                top.children.link(collection)
                collection[source.PLAYER] = top.name
            prefix = part.name if sum(p.model.num_frames > 1 for p in scene.parts) > 1 else ""
            self.parts.append(PartImport(part, collection, self, segments, prefix, alone))

    def attach(self, part: PartImport) -> None:
        """Makes a part a child of its tag."""
        if part.part.parent is None:
            return
        parent = self.parts[part.part.parent]
        part.anchor.parent = parent.tags.get((part.part.tag or "").lower(), parent.anchor)
        part.anchor.matrix_parent_inverse = mathutils.Matrix()

    # ---- Skins ---------------------------------------------------------------------------------

    def material(self, made: Any, path: str) -> Any:
        """Returns the material of Blender for one of a skin; equal ones once. `path`: its path in the game."""
        texture = made.texture
        data = texture.data if texture else None
        key = path, hash(data), made.alpha, made.sides
        if key not in self.materials:
            image = self.images.get(os.path.basename(texture.name.replace("\\", "/")), data, *texture.size) \
                if texture and data else None
            label = os.path.splitext(path.replace("\\", "/"))[0].rsplit("/", 1)[-1] or "plain"
            material = materials.make_material(label, image, made.alpha, made.sides == "both")
            if path:
                material["lerpmesh_path"] = path
            self.materials[key] = material
        return self.materials[key]

    def add_skins(self, scene: Any) -> Iterator[Step]:
        """Makes the materials of all skins, and assigns the first."""
        loads_all = self.options.skins == "ALL"
        choices = (yield from jobs.in_background(lambda: scene.skin_choices, (.5, "skins"))) if loads_all else []
        named = {choice.skin: choice.name for choice in choices if isinstance(choice.skin, int)}
        asked = [choice for choice in choices if isinstance(choice.skin, str)][:MAX_SKINS]
        own = []
        for number, part in enumerate(scene.parts):
            if not asked or (number == 0 and named):
                listed = part.skins if loads_all else [part.skin] if part.skin else []
                own += [(named.get(i, skin.name), number, skin) for i, skin in enumerate(listed)]
        total = len(own) + len(asked)
        for i, (name, number, skin) in enumerate(own):
            yield .5 + .5 * i / total, f"skin {i + 1} of {total}"
            self.add_skin(number, name, skin, scene.parts[number].skin_path)
        for i, choice in enumerate(asked, len(own)):
            step = .5 + .5 * i / total, f"skin {i + 1} of {total}"
            other = yield from jobs.in_background(functools.partial(scene.with_skin, choice.skin), step)
            by_path = {part.path: part for part in other.parts}
            for number, part in enumerate(scene.parts):  # another skin may show other models beside them
                same = by_path.get(part.path)
                if same and same.skin:
                    yield step
                    self.add_skin(number, choice.name, same.skin, same.skin_path)
        yield 1.0, "skins"
        current = scene.parts[0].skin
        for number, part in enumerate(self.parts):
            if not part.skins:
                self.add_skin(number, materials.PLACEHOLDER, None, "")
            names, first = part.skin_names, current.name if current else ""
            materials.store_skins(part.collection, part.skins)
            materials.assign_skin(part.collection, names.index(first) if first in names else 0)

    def add_skin(self, number: int, name: str, skin: Any, path: str) -> None:
        """Makes the materials of a part. `path`: of its .skin file; empty: none."""
        part, listed = self.parts[number], {}
        if path:
            text = lerpmesh.read_file(path)
            listed = lerpmesh.read_skin(text)
            part.collection[f"{source.SKIN_FILE}{os.path.basename(path)}"] = text
        part.skin_names.append(skin.name if skin else "")
        part.skins.append((name, [self.surface_material(part, i, skin, listed) for i in range(len(part.surfaces))]))

    def surface_material(self, part: PartImport, index: int, skin: Any, listed: dict[str, str]) -> Any:
        """Returns the material of a surface: with the name in the .skin file, else the one in the model."""
        surface = part.model.surfaces[index]
        made = skin.materials[index] if skin else lerpmesh.SceneMaterial("", None, "opaque", None, "front", {})
        own = surface.materials[0].name if surface.materials else part.model.skins[0] if part.model.skins else ""
        listed_path = listed.get(surface.name.lower(), "")
        return self.material(made, listed_path or (made.name if not surface.materials else "") or own)

    # ---- The scene -----------------------------------------------------------------------------

    def set_scene(self) -> None:
        """Sets the scene's rate, range, markers and clips."""
        scene, ranges = self.context.scene, self.timeline.ranges
        rest = next((r for r in ranges if r.name.lower() in ("stand", "idle", "legs_idle")), ranges[0])
        scene.render.fps = max(1, min(120, round(rest.fps)))
        scene.render.fps_base = scene.render.fps / rest.fps
        scene.frame_start, scene.frame_end = 0, self.timeline.num_frames - 1
        present = {(m.name, m.frame) for m in scene.timeline_markers}
        scene.lerpmesh.clips.clear()
        for found in ranges:
            if (found.name, found.start) not in present:
                scene.timeline_markers.new(found.name, frame=found.start)
            clips.add(scene, found.name, found.start, found.start + found.count - 1, fps=found.fps,
                      loop="LOOP" if found.loop_frames else "ONCE", reversed=found.backwards,
                      loop_frames=found.loop_frames if found.loop_frames < found.count else 0)
        for part in self.parts:
            part.collection["lerpmesh_ranges"] = source.ranges_text(scene)
        scene.frame_set(rest.start)

    def select(self) -> None:
        layer = self.context.view_layer
        for made in layer.objects:
            made.select_set(False)
        made = [m for part in self.parts for m in part.collection.objects]
        for each in made:
            each.select_set(True)
        first = self.parts[0]
        layer.objects.active = first.anchor if first.rig or not first.surfaces else first.surfaces[0]
