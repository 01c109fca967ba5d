"""Import: a scene of lerpmesh as objects of Blender.

A part is a collection with its surfaces as mesh objects, and its tags as empties. The parts of a player are nested: the
torso is a child of the empty tag_torso of the legs."""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterator

import bpy
import mathutils
import numpy as np

from . import animation, clips, materials, meshes, rewrite, source, space, timeline
from .packages import lerpmesh

MAX_SKINS = 64  # of a model; further ones are not loaded


@dataclass
class Options:
    """Options of an import."""
    path: str
    scale: float = 1.0  # Blender units per game unit
    frames: str = "AUTO"  # AUTO, RELATIVE, ABSOLUTE, CACHE or NONE
    related: bool = True
    clips: str = ""  # a clips file; empty: the one in the model's folder
    skins: str = "ALL"  # ALL, FIRST or NONE
    set_scene: bool = True
    cache_folder: str = ""  # empty: next to the .blend, else in the user's data


@dataclass
class Result:
    """An import: its collection, and what went wrong."""
    collection: Any = None
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

    def __init__(self, part: Any, collection: Any, options: Options, segments: Any, prefix: str, model: str,
                 is_alone: bool) -> None:
        self.part, self.model, self.collection, self.options = part, part.model, collection, options
        self.segments, self.is_alone = segments, is_alone
        self.shaded = meshes.smoothed(part)
        self.strips = animation.Strips(segments, prefix, model)
        self.names = animation.key_names([frame.name for frame in self.model.frames])
        self.tags: dict[str, Any] = {}
        self.surfaces: list[Any] = []
        self.anchor: Any = None

    def kind(self) -> str:
        """Returns how the frames are stored."""
        kind = self.options.frames
        if self.model.num_frames < 2 or kind == "NONE":
            return "none"
        if kind == "AUTO":
            kind = "RELATIVE" if animation.are_keys_fast(self.model.num_frames, len(self.model.surfaces)) else "CACHE"
        return kind.lower()

    def link(self, made: Any) -> Any:
        self.collection.objects.link(made)
        return made

    def run(self) -> Iterator[None]:
        if len(self.model.surfaces) != 1 or self.model.tags or not self.is_alone:
            self.anchor = self.link(bpy.data.objects.new(self.part.name, None))
            self.anchor.empty_display_type = "PLAIN_AXES"
        for index, surface in enumerate(self.model.surfaces):
            self.add_surface(index, surface)
            yield
        if self.anchor is None:
            self.anchor = self.surfaces[0]
        for index, name in enumerate(self.model.tags):
            self.add_tag(index, name)
        source.store(self.collection, self.part, self.options.scale, self.segments)
        if self.part.clips_path:
            self.collection["lerpmesh_clips_path"] = self.part.clips_path
            self.collection["lerpmesh_clips_file"] = lerpmesh.read_file(self.part.clips_path)

    def add_surface(self, index: int, surface: Any) -> None:
        count, scale = surface.num_file_vertices, self.options.scale
        kind = self.kind()
        if kind == "none":
            frames = space.to_blender(self.model.sample(0.0, index)[0][None, :count], scale)
        else:
            frames = space.to_blender(self.model.bake(index)[:, :count], scale)
        name = surface.name or self.part.name
        mesh = meshes.game_mesh(name, surface, frames[0], meshes.game_normals(self.shaded, index))
        made = self.link(bpy.data.objects.new(name, mesh))
        made.parent = self.anchor
        made["lerpmesh_surface"] = index
        self.surfaces.append(made)
        if kind in ("relative", "absolute"):
            keys = animation.add_keys(made, frames, self.names, kind == "relative")
            self.strips.play(keys, kind, "KEY", animation.surface_writer(kind, keys, self.names))
        elif kind == "cache":
            spelled, path = unused_file(cache_folder(self.options), f"{self.part.name}_{name}")
            animation.write_mdd(path, frames, 10)
            animation.add_cache(made, spelled)
            self.strips.play(made, kind, "OBJECT", animation.surface_writer(kind, made, self.names))

    def add_tag(self, index: int, name: str) -> None:
        transforms = self.model.bake_tag(index).astype(np.float64)
        matrices = space.tag_matrices(transforms[:, :3, 3], transforms[:, :3, :3].transpose(0, 2, 1),
                                      self.options.scale)
        made = self.link(bpy.data.objects.new(name, None))
        made.empty_display_type, made.empty_display_size = "ARROWS", 4 * self.options.scale
        made.parent = self.anchor
        made.rotation_mode = "QUATERNION"
        made["lerpmesh_tag"] = name
        self.tags.setdefault(name.lower(), made)
        rows = animation.places_of(matrices)
        for path, first, number in animation.PLACES:
            setattr(made, path, rows[0, first:first + number])
        writer = animation.place_writer(rows)
        if self.kind() != "none" and writer:
            self.strips.play(made, f"tag {index}", "OBJECT", writer, name)


class Import:
    """An import. Its steps can be interrupted between two values of `run`."""

    def __init__(self, context: Any, options: Options) -> None:
        self.context, self.options = context, options
        self.images = materials.Images()
        self.materials: dict[Any, Any] = {}
        self.parts: list[PartImport] = []
        self.result = Result()

    def run(self) -> Iterator[float]:
        """Imports, and yields the share that is done."""
        options = self.options
        scene = lerpmesh.open(options.path, related=options.related, clips=options.clips or None,
                              images="none" if options.skins == "NONE" else "portable")
        self.result.diagnostics = [d for d in scene.diagnostics if d.severity != "note"]
        self.timeline = timeline.lay_out([timeline.Part(p.model.num_frames, p.clips, p.idle,
                                                        p.parent if p.follows and p.parent is not None else -1)
                                          for p in scene.parts])
        self.make_collections(scene)
        yield .1
        for part in self.parts:
            for _ in part.run():
                yield .3
            self.attach(part)
        if options.skins != "NONE":
            for share in self.add_skins(scene):
                yield .5 + .5 * share
        if options.set_scene and options.frames != "NONE" and self.timeline.num_frames > 1:
            self.set_scene()
        self.context.scene.lerpmesh.units = "FILE" if options.scale == 1 else "METRES"
        self.select()
        yield 1.0

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
            prefix = part.name if sum(p.model.num_frames > 1 for p in scene.parts) > 1 else ""
            self.parts.append(PartImport(part, collection, self.options, segments, prefix, top.name, alone))

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

    def add_skins(self, scene: Any) -> Iterator[float]:
        """Makes the materials of all skins, and assigns the first."""
        skins: list[list[tuple[str, Any, Any]]] = [[] for _ in self.parts]
        choices = scene.skin_choices if self.options.skins == "ALL" else []
        named = {choice.skin: choice.name for choice in choices if isinstance(choice.skin, int)}
        own_only = not any(isinstance(choice.skin, str) for choice in choices)
        for part, found in zip(scene.parts, skins):
            if part is scene.parts[0] or own_only:
                listed = part.skins if self.options.skins == "ALL" else [part.skin] if part.skin else []
                found += [(named.get(i, skin.name), skin, part.skin_path) for i, skin in enumerate(listed)]
        if not own_only:
            if not named:
                skins[0].clear()
            asked = [choice for choice in choices if isinstance(choice.skin, str)][:MAX_SKINS]
            for i, choice in enumerate(asked):
                other = scene.with_skin(choice.skin)
                for part, found in zip(other.parts, skins):
                    if part.skin:
                        found.append((choice.name, part.skin, part.skin_path))
                yield i / len(asked)
        current = scene.parts[0].skin
        for part, found in zip(self.parts, skins):
            self.store_skins(part, found, current)
        yield 1.0

    def store_skins(self, part: PartImport, skins: list[tuple[str, Any, Any]], current: Any) -> None:
        if not part.surfaces:
            return
        made = []
        for name, skin, path in skins or [(materials.PLACEHOLDER, None, None)]:
            listed = {}
            if path:
                text = lerpmesh.read_file(path)
                listed = lerpmesh.read_skin(text)
                part.collection[f"{source.SKIN_FILE}{os.path.basename(path)}"] = text
            made.append((name, [self.surface_material(part, i, skin, listed) for i in range(len(part.surfaces))]))
        materials.store_skins(part.collection, made)
        names = [skin.name for _, skin, _ in skins]
        materials.assign_skin(part.collection, names.index(current.name) if current and current.name in names else 0)

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
        self.parts[0].collection["lerpmesh_ranges"] = rewrite.ranges_text(scene)
        scene.frame_set(rest.start)

    def select(self) -> None:
        layer = self.context.view_layer
        for made in layer.objects:
            made.select_set(False)
        made = [m for part in self.parts for m in part.collection.objects]
        for each in made:
            each.select_set(True)
        layer.objects.active = self.parts[0].surfaces[0] if self.parts[0].surfaces else made[0] if made else None


def run(context: Any, options: Options) -> Result:
    """Imports at once."""
    made = Import(context, options)
    for _ in made.run():
        pass
    return made.result
