"""The file that an imported part came from. The collection of the part keeps its bytes, so that an export can write the
file again: the frames that did not change keep their bytes."""
from __future__ import annotations

import itertools
import json
import os
import re
from dataclasses import dataclass, replace
from typing import Any, Generator, Iterator, Sequence

import mathutils
import numpy as np

from . import armatures, clips, evaluate, jobs, materials, meshes, space, timeline
from .jobs import Step
from .packages import Clip, lerpmesh

TOLERANCE = 1e-4  # of Blender's arithmetic, relative to the size of the model
MAX_TOLERANCE = 1 / 256  # units; MD3 and MDC store 1/64
SHIFT_TOLERANCE = 1e-3  # relative to the shifts of an armature, which are stored in 16 bits

BYTES = "lerpmesh_source"
SHIFTS = "lerpmesh_shifts"
PLAYER = "lerpmesh_player"  # the name of the import that made several parts
CLIPS_FILE = "animation.cfg"
SKIN_FILE = "lerpmesh_skin_file:"  # and the name of the file


@dataclass
class Source:
    """The file of an imported part."""
    collection: Any
    data: bytes
    path: str
    scale: float  # Blender units per game unit
    starts: list[tuple[int, int, int]]  # runs of frames: the frame of Blender, the first of the file, their number
    clips: list[Clip]

    def frame_of(self, frame: int) -> int | None:
        """Returns the frame of Blender on which a frame of the file is shown, first by its own clip; None: on none."""
        for start, first, count in self.starts:
            if first <= frame < first + count:
                return start + frame - first
        return None


    def shown(self) -> list[int]:
        """Returns the frame of the file that each frame of the timeline shows."""
        return timeline.frames_shown([timeline.Segment(*run, None) for run in self.starts])


def store(collection: Any, part: Any, scale: float, segments: Any, shifts: Sequence[np.ndarray]) -> None:
    """Stores a part's file, and what Blender has no place for, as properties of its collection. `shifts`: of each
    surface, how far an armature moves its vertices away from those of the file; none: there is no armature."""
    model = part.model
    collection[BYTES] = part.data
    collection["lerpmesh_path"] = part.path
    collection["lerpmesh_format"] = model.format
    collection["lerpmesh_scale"] = scale
    collection["lerpmesh_segments"] = json.dumps(
        [(s.start, s.first, s.count) for s in sorted(segments, key=lambda s: s.is_idle)])
    collection["lerpmesh_clips"] = json.dumps([clip.__dict__ for clip in part.clips])
    collection["lerpmesh_frames"] = json.dumps([frame.name for frame in model.frames])
    collection["lerpmesh_grids"] = json.dumps([[*frame.scale, *frame.translate] for frame in model.frames])
    collection["lerpmesh_skin_paths"] = json.dumps(list(model.skins))
    collection["lerpmesh_surfaces"] = json.dumps(
        [{"name": s.name, "flags": s.flags, "materials": [m.name for m in s.materials]} for s in model.surfaces])
    collection["lerpmesh_tags"] = json.dumps(list(model.tags))
    if shifts:
        collection[SHIFTS] = np.concatenate([each.ravel() for each in shifts]).astype("<f2").tobytes()
    for key in "name", "flags", "eye", "skin_size":
        collection[f"lerpmesh_{key}"] = getattr(model, key)


def of(collection: Any) -> Source | None:
    """Returns the file of a part's collection; None: it is not an imported part, or its properties are damaged."""
    try:
        clips = [Clip(**{**clip, "times": tuple(clip["times"]) if clip["times"] else None})
                 for clip in json.loads(collection["lerpmesh_clips"])]
        return Source(collection, bytes(collection[BYTES]), collection["lerpmesh_path"], collection["lerpmesh_scale"],
                      [tuple(run) for run in json.loads(collection["lerpmesh_segments"])], clips)
    except (KeyError, ValueError, TypeError):
        return None


def shifts_of(source: Source, shapes: Sequence[tuple[int, ...]]) -> list[np.ndarray]:
    """Returns how far the import moved the vertices of each surface away from those of the file: arrays of the given
    shapes [frames, vertices, 3]."""
    stored = np.frombuffer(bytes(source.collection.get(SHIFTS, b"")), "<f2").astype(np.float32)
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    if len(stored) != sum(ends[-1:]):
        return [np.zeros(shape, np.float32) for shape in shapes]
    return [each.reshape(shape) for each, shape in zip(np.split(stored, ends[:-1]), shapes)]


def find(objects: Any) -> list[Source]:
    """Returns the files of all imported parts that objects belong to."""
    collections = {collection for made in objects for collection in made.users_collection if BYTES in collection}
    found = [of(collection) for collection in sorted(collections, key=lambda c: c.name)]
    return [source for source in found if source]


def parts_of(collection: Any) -> list[Any]:
    """Returns the collections of imported parts in a collection, itself first."""
    return [c for c in (collection, *collection.children_recursive) if BYTES in c]


def part_of(made: Any) -> Any:
    """Returns the collection of the imported part that an object belongs to; None: of none."""
    return next((collection for collection in made.users_collection if BYTES in collection), None)


def current(context: Any) -> Any:
    """Returns the collection of the imported part that the active object belongs to; None: of none."""
    return part_of(context.object) if context.object else None


# ---- Writing the file again --------------------------------------------------------------------

def same_clips(scene: Any, parts: list[Part]) -> bool:
    """Returns whether the scene's clips have the frames that the import gave them, and the files of the parts can store
    their names, rates and loops. MD2 and MDL store no rates and loops."""
    stored = next((part.source.collection["lerpmesh_ranges"] for part in parts
                   if "lerpmesh_ranges" in part.source.collection), None)
    if not scene.lerpmesh.clips or stored is None:
        return not scene.lerpmesh.clips
    if stored == ranges_text(scene) or any(changed_clips_file(scene, part.source) for part in parts):
        return True
    return all(part.names_clips() and changed_clips(scene, part.source) is not None and
               (part.format in ("md2", "mdl") or PLAYER not in part.source.collection or not part.has_new_rates(scene))
               for part in parts)


def changed_clips(scene: Any, source: Source) -> dict[str, list[Any]] | None:
    """Returns the rows of the scene's clips that have other values than the import gave them, by the names that they had,
    in small letters; None: the clips have other frames, or several have the same name."""
    if "lerpmesh_ranges" not in source.collection or not scene.lerpmesh.clips:
        return {}
    before, now = (sorted(json.loads(text), key=lambda row: row[1:5])
                   for text in (source.collection["lerpmesh_ranges"], ranges_text(scene)))
    names = [row[0].lower() for row in before]
    if [row[1:5] for row in before] != [row[1:5] for row in now] or (before != now and len(set(names)) < len(names)):
        return None
    return {was[0].lower(): row for was, row in zip(before, now) if was != row}


def changed_clip(clip: Clip, row: list[Any] | None) -> Clip:
    """Returns a clip of a file with the values of a row that changed."""
    if row is None:
        return clip
    name, *_, fps, loop, loop_frames, is_reversed = row
    loops = {"LOOP": min(loop_frames or clip.count, clip.count), "ONCE": 0}.get(loop, clip.loop_frames)
    return replace(clip, name=name, fps=clip.fps if abs(clip.fps - fps) < 1e-3 else fps, loop_frames=loops,
                   backwards=is_reversed)


def changed_clips_file(scene: Any, source: Source) -> bytes:
    """Returns the clips file that a part came with, with the values of the scene's clips; empty: there is none, or it
    cannot store them."""
    data, changes = bytes(source.collection.get("lerpmesh_clips_file", b"")), changed_clips(scene, source)
    if not data or changes is None:
        return b""
    options = {"num_frames": lerpmesh.lib.LM_MAX_MESH_FRAMES,
               "file_name": os.path.basename(source.collection["lerpmesh_clips_path"])}
    try:
        listed = lerpmesh.read_clips(data, **options).clips
        if not set(changes) <= {clip.name.lower() for clip in listed}:
            return b""
        for index, clip in enumerate(listed):
            if clip.name.lower() in changes:
                data = lerpmesh.change_clip(data, index=index, clip=changed_clip(clip, changes[clip.name.lower()]),
                                            **options)
    except lerpmesh.Error:
        return b""
    return data


def ranges_text(scene: Any) -> str:
    """Returns the scene's clips as text, to compare them."""
    return json.dumps([[c.name, c.source, c.start, c.end, round(c.step, 4), round(c.fps, 4), c.loop, c.loop_frames,
                        c.reversed] for c in scene.lerpmesh.clips])


def as_imported(matrices: np.ndarray) -> np.ndarray:
    """Returns the poses [frames, 4, 3] that Blender makes of a tag's matrices [frames, 4, 4]."""
    matrices = matrices.astype(np.float64)
    out = []
    for matrix in space.tag_matrices(matrices[:, :3, 3], matrices[:, :3, :3].transpose(0, 2, 1), 1):
        made = mathutils.Matrix.LocRotScale(*mathutils.Matrix(matrix.tolist()).decompose())
        out.append(space.tag_pose(np.array(made), 1))
    return np.array(out)


def with_heading(file: bytes, rows: bytes) -> bytes:
    """Returns the rows of a clips file below the lines that another one has before its rows."""
    def start(data: bytes) -> int:
        return next((match.start() for match in re.finditer(rb"^[ \t]*[0-9].*$", data, re.M)), len(data))
    return file[:start(file)] + rows[start(rows):]


class Part:
    """An imported part, with its objects as they are now."""

    def __init__(self, found: Source) -> None:
        self.source = found
        self.model = lerpmesh.load(found.data)
        self.format = self.model.format
        self.name = evaluate.plain_name(found.collection.name)
        objects = found.collection.all_objects
        self.surfaces = [made for made in objects if made.type == "MESH" and "lerpmesh_surface" in made]
        self.surfaces.sort(key=lambda made: made["lerpmesh_surface"])
        self.tags = {made["lerpmesh_tag"]: made for made in objects if "lerpmesh_tag" in made}
        self.sampled: list[evaluate.Sampled] | None = None  # the surfaces; None: not yet
        self.poses: dict[str, np.ndarray] = {}
        self.unwritten: list[tuple[int, int | None]] = []  # frames of the timeline, and those that are written instead
        self.hidden: dict[Any, list[int]] = {}  # bones, and frames of the timeline with keys of another rotation mode

    def change_of_objects(self, objects: Sequence[Any]) -> str:
        """Returns how the surfaces and tags differ from those of the file, each of which is one object; empty: they do
        not. MD2 and MDL have no names and no tags."""
        if [made["lerpmesh_surface"] for made in self.surfaces] != list(range(len(self.model.surfaces))):
            return "it has other surfaces"
        if self.format in ("md2", "mdl"):
            return ""
        renamed = next((made for made in self.surfaces if evaluate.is_renamed(made)), None)
        if renamed:
            return f"surface {renamed.name} has another name"
        tags = [tag.name for tag in evaluate.find_tags([*self.tags.values(), *objects])]
        if sorted(tags) != sorted(set(self.model.tags)):
            return "it has other tags"
        return ""

    def keeps_frames(self, scene: Any, objects: Sequence[Any]) -> bool:
        """Returns whether the part has the frames of its file: the clips are as imported, and its objects are animated, or
        not, as in the file."""
        movers = [modifier.object for made in objects for modifier in made.modifiers if getattr(modifier, "object", None)]
        is_animated = any(clips.animated_blocks([*objects, *movers]))
        if self.model.num_frames < 2:
            return not is_animated and not any(clips.animated_blocks(
                itertools.takewhile(lambda each: not part_of(each), self.above())))
        return same_clips(scene, [self]) and (is_animated or not self.surfaces)

    def frames(self) -> list[int | None]:
        """Returns the frames of Blender that show those of the file; None: none does."""
        return [self.source.frame_of(frame) for frame in range(self.model.num_frames)]

    def begin(self, scene: Any) -> Generator[Step, None, None]:
        """Prepares the sampling of the frames of the file."""
        step = 0.0, f"{self.name}, reading"
        self.before = yield from jobs.in_background(lambda: lerpmesh.Mesh.from_model(self.model), step)
        largest = max((float(np.abs(s.positions).max(initial=0)) for s in self.before.surfaces), default=0)
        shifts = shifts_of(self.source, [s.positions.shape for s in self.before.surfaces])
        self.tolerance = min(TOLERANCE * max(largest, 1e-3), MAX_TOLERANCE) + \
            SHIFT_TOLERANCE * max((float(np.abs(shift).max(initial=0)) for shift in shifts), default=0)
        self.imported = [surface.positions + shift for surface, shift in zip(self.before.surfaces, shifts)]
        self.sampled = [evaluate.Sampled(made) for made in self.surfaces]
        self.placed = [evaluate.Tag(name, self.tags[name]) for name in self.model.tags]
        # Blender keeps no shear, so tags are compared with what the import made of them.
        self.stood = {name: as_imported(np.array(poses)) for name, poses in self.before.tags.items()}
        self.read = self.frames()
        self.skipped = [frame is None and len(self.read) > 1 for frame in self.read]
        self.repeats = {frame: number for frame, number in enumerate(self.source.shown())
                        if self.read[number] != frame and not self.skipped[number]}
        self.found = [scene.frame_start if frame is None else frame for frame in self.read]
        self.numbers: dict[int, list[int]] = {frame: [] for frame in self.found}  # the frames of the file by these
        for number, (frame, is_skipped) in enumerate(zip(self.found, self.skipped)):
            self.numbers[frame] += [] if is_skipped else [number]
        self.order: dict[int, int] = {}  # the numbers of the samples by the frames of the timeline
        self.edits: list[tuple[int, list[np.ndarray], list[np.ndarray]]] = []  # of `repeats`: positions and poses

    def sample(self, graph: Any, frame: int) -> None:
        """Samples a frame of the timeline, in the space of the part."""
        if frame not in self.numbers and frame not in self.repeats:
            return
        scale, back, numbers = 1 / self.source.scale, self.anchor_matrix(graph), self.numbers.get(frame, ())
        for each, imported in zip(self.sampled, self.imported):
            each.sample(graph, scale, frame, back,
                        lambda now, was=imported: any(self.moves(now, was[number]) for number in numbers))
        for tag in self.placed:
            tag.sample(graph, scale, back)
        if frame in self.numbers:
            self.order[frame] = len(self.order)
            return
        number = self.repeats[frame]
        positions, poses = [each.positions.pop() for each in self.sampled], [tag.poses.pop() for tag in self.placed]
        for each in self.sampled:
            each.normals.pop()
        if any(self.moves(now, was[number]) for now, was in zip(positions, self.imported)) or \
                any(self.turns(pose, self.stood[tag.name][number]) for pose, tag in zip(poses, self.placed)):
            self.edits.append((frame, positions, poses))

    def finish(self) -> None:
        """Brings the samples into the order of the file, and finds the edits that it does not get."""
        at = [self.order[frame] for frame in self.found]
        for each in self.sampled:
            each.positions = [each.positions[index] for index in at]
            each.normals = [None if is_skipped else each.normals[index] for index, is_skipped in zip(at, self.skipped)]
        self.poses = {tag.name: np.array([tag.poses[index] for index in at]) for tag in self.placed}
        self.find_unwritten()
        self.find_hidden()

    def find_hidden(self) -> None:
        """Finds the frames that did not change although a bone was turned, in a rotation mode that it no longer has."""
        rigs = [made for made in self.source.collection.all_objects if made.type == "ARMATURE"]
        rivals = armatures.rivals(rigs[0], max(filter(None, self.read), default=0) + 1) if rigs else {}
        for number, frame in enumerate(self.read):
            for bone in rivals.get(frame, ()) if frame is not None and not self.is_changed(number) else ():
                self.hidden.setdefault(bone, []).append(frame)

    def is_changed(self, number: int) -> bool:
        """Returns whether a sampled frame of the file has another pose."""
        return any(each.normals[number] is not None for each in self.sampled) or \
            any(self.turns(poses[number], self.stood[name][number]) for name, poses in self.poses.items())

    def find_unwritten(self) -> None:
        """Finds the edited frames of the timeline that are not read, because another one shows the same frame of the file:
        clips share frames, and a part repeats its idle clip where it has no other."""
        for frame, positions, poses in self.edits:
            number = self.repeats[frame]
            if any(self.moves(now, each.positions[number]) for now, each in zip(positions, self.sampled)) or \
                    any(self.turns(pose, self.poses[tag.name][number]) for pose, tag in zip(poses, self.placed)):
                self.unwritten.append((frame, self.read[number]))

    def moves(self, now: np.ndarray, was: np.ndarray) -> bool:
        """Returns whether a vertex moved in a frame. Without that, the normals of the file stay."""
        return now.shape != was.shape or bool(np.abs(now - was).max(initial=0) > self.tolerance)

    def turns(self, now: np.ndarray, was: np.ndarray) -> bool:
        """Returns whether a tag has another pose."""
        return bool(np.abs(now - was).max() > max(self.tolerance, 1e-4))

    def anchor_matrix(self, graph: Any) -> np.ndarray:
        """Returns the matrix from the world to the space of the part, which follows the tag that it is attached to."""
        root = self.root()
        return np.linalg.inv(np.array(root.evaluated_get(graph).matrix_world)) if root else np.eye(4)

    def root(self) -> Any:
        """Returns the empty of another part's tag that carries the part; None: it is at the origin."""
        return next((each for each in self.above() if part_of(each)), None)

    def above(self) -> list[Any]:
        """Returns the objects above the part, the nearest first. Those that the user put there move the part."""
        members = set(self.source.collection.all_objects)
        first = next(iter((*self.surfaces, *self.tags.values())), None)
        return [each for each in evaluate.family(first) if each not in members]

    # ---- Comparing -----------------------------------------------------------------------------

    def change_of_shape(self) -> str:
        """Returns how the faces and their materials differ from those of the file; empty: they do not."""
        for index, (sampled, surface) in enumerate(zip(self.sampled, self.model.surfaces)):
            triangles = np.asarray(surface.triangles)
            vertices = np.asarray(surface.file_vertices).astype(np.int32)
            kept = triangles[meshes.faces_of(vertices[triangles])]
            if sampled.mirrored or len(sampled.positions[0]) != surface.num_file_vertices or \
                    len(sampled.corners) != len(kept) or \
                    not np.array_equal(sampled.loop_vertices[sampled.corners], vertices[kept][:, [0, 2, 1]]):
                return f"surface {surface.name or index} has other faces"
            st = np.asarray(surface.uvs)[kept][:, [0, 2, 1]]
            uv = sampled.uv[sampled.corners] if sampled.uv is not None else np.zeros_like(st)
            if np.abs(np.stack((uv[..., 0], 1 - uv[..., 1]), axis=-1) - st).max(initial=0) > 1e-5:
                return f"surface {surface.name or index} has other texture coordinates"
            if len(sampled.made.material_slots) > 1 or (self.format == "mdl" and self.has_new_material(sampled.made)):
                return f"surface {surface.name or index} has another material"
        return ""

    def has_new_material(self, made: Any) -> bool:
        """Returns whether a surface has another material than in the part's skins."""
        return not all(materials.is_imported(self.source.collection, made["lerpmesh_surface"], slot.material)
                       for slot in made.material_slots)

    def painted(self) -> list[int]:
        """Returns the numbers of the surfaces with new materials."""
        return [made["lerpmesh_surface"] for made in self.surfaces if self.has_new_material(made)]

    def set_paths(self, document: Any, paths: dict[int, str]) -> None:
        """Replaces the paths of surfaces; in MD2, that of the shown skin."""
        shown = materials.shown_skin(self.source.collection).get("paths", {})
        for surface, path in paths.items():
            names, before = document.names("skins", surface), shown.get(str(surface))
            if names:
                document.rename("skins", names.index(before) if before in names else 0, path, surface)
            else:
                document.add_skin(path, surface)

    def mesh(self) -> tuple[Any, float]:
        """Returns the frames as they are now as a mesh of the file's vertices, and the tolerance of a comparison."""
        mesh = self.before
        for sampled, surface, imported in zip(self.sampled, mesh.surfaces, self.imported):
            now, stored = np.array(sampled.positions), np.asarray(surface.positions)
            stays = np.abs(now - imported).max(axis=2, initial=0) <= self.tolerance
            stays[self.skipped] = True
            now[stays] = stored[stays]
            surface.positions = now
            surface.normals = self.normals(sampled, np.asarray(surface.normals))
        for name, poses in self.poses.items():
            stored = np.array(mesh.tags[name])
            now = stored.copy()
            now[:, :3, 3], now[:, :3, :3] = poses[:, 0], poses[:, 1:].transpose(0, 2, 1)
            same = np.abs(poses - self.stood[name]).max(axis=(1, 2)) < max(self.tolerance, 1e-4)
            now[same | np.array(self.skipped)] = stored[same | np.array(self.skipped)]
            mesh.tags[name] = now
        return mesh, self.tolerance

    @staticmethod
    def normals(sampled: evaluate.Sampled, stored: np.ndarray) -> np.ndarray:
        """Returns the mean normal of each vertex in each frame; the stored one where no face uses it."""
        out = stored.copy()
        for frame, normals in enumerate(sampled.normals):
            if normals is None:
                continue
            total = np.stack([np.bincount(sampled.loop_vertices, normals[:, axis], stored.shape[1])
                              for axis in range(3)], axis=1)
            used = np.linalg.norm(total, axis=1) > 1e-6
            out[frame][used] = total[used]
        return out

    def data(self, paths: dict[int, str], names: dict[int, str]) -> tuple[bytes | None, Any]:
        """Returns the file, and the number of frames that changed. If it must be encoded again: None and the reason.
        `paths`: those of surfaces with new materials. `names`: those of renamed clips."""
        reason = self.change_of_shape()
        if reason:
            return None, reason
        mesh, tolerance = self.mesh()
        document = lerpmesh.Document(self.source.data)
        try:
            changed = document.put_frames(mesh, tolerance)
            self.set_paths(document, paths)
            self.rename_clips(document, names)
        except lerpmesh.Error as error:
            return None, str(error)
        return document.encode(), changed

    # ---- The files around it -------------------------------------------------------------------

    def clips(self, scene: Any) -> list[Clip]:
        """Returns the clips of the file, with the values of the scene's clips."""
        changes = changed_clips(scene, self.source) or {}
        return [changed_clip(clip, changes.get(clip.name.lower())) for clip in self.source.clips]

    def names_clips(self) -> bool:
        """Returns whether the names of the frames are those of the clips: without a clips file."""
        return "lerpmesh_clips_file" not in self.source.collection

    def new_names(self, scene: Any) -> dict[int, str]:
        """Returns the scene's names of the clips whose frames have others, by the numbers of the clips."""
        pairs = enumerate(zip(self.source.clips, self.clips(scene) if self.names_clips() else ()))
        return {index: now.name for index, (was, now) in pairs if was.name != now.name}

    def rename_clips(self, document: Any, names: dict[int, str]) -> None:
        """Renames the frames of clips. Those of a clip whose name ends in a digit, as pain1, get two digits more."""
        if names:
            document.use_clips(self.source.clips)
        for index, name in names.items():
            clip = self.source.clips[index]
            if not name[-1:].isdigit():
                document.rename("clips", index, name)
                continue
            digits = max(2, len(str(clip.count)))
            for number, frame in enumerate(clip.frames):
                document.rename("frames", frame, f"{name}{number + 1:0{digits}}")

    def frame_names(self, scene: Any) -> list[str] | None:
        """Returns the names of the file's frames, with those of the scene's clips; None: they do not fit."""
        document = lerpmesh.Document(self.source.data)
        try:
            self.rename_clips(document, self.new_names(scene))
        except lerpmesh.Error:
            return None
        return document.names("frames")

    def has_new_rates(self, scene: Any) -> bool:
        """Returns whether clips without a clips file have other rates or loops than the import gave them."""
        return self.names_clips() and any(replace(clip, name=was.name) != was
                                          for clip, was in zip(self.clips(scene), self.source.clips))

    def clips_file(self, scene: Any) -> tuple[str, bytes, bool]:
        """Returns the clips file that the part came with, or the one that other rates need, and whether the scene's clips
        changed it; an empty name: none."""
        collection = self.source.collection
        if self.names_clips():
            if self.format in ("md2", "mdl") or not self.has_new_rates(scene):
                return "", b"", False
            return CLIPS_FILE, lerpmesh.write_clips(self.clips(scene), self.model.num_frames), False
        stored = bytes(collection["lerpmesh_clips_file"])
        data = changed_clips_file(scene, self.source) or stored
        return os.path.basename(collection["lerpmesh_clips_path"]), data, data != stored

    def skin_files(self, written: Any) -> Iterator[tuple[str, bytes]]:
        """Returns the names and texts of the .skin files that the part came with; without any, those of its skins. Those
        that lack a surface of the written model name its material, and so does the shown skin for a new material."""
        collection = self.source.collection
        stored = [key for key in collection.keys() if key.startswith(SKIN_FILE)]
        shown = f"{SKIN_FILE}{self.name}_{materials.shown_skin(collection).get('name')}.skin"
        names = {self.model.surfaces[index].name for index in self.painted()}
        for key in stored:
            lines = bytes(collection[key]).decode("utf-8", "surrogateescape").split("\n")
            listed = {line.partition(",")[0].strip().lower(): number for number, line in enumerate(lines)}
            added = []
            for surface in (surface for surface in written.surfaces if surface.materials):
                line, number = f"{surface.name},{surface.materials[0].name}", listed.get(surface.name.lower())
                if number is None:
                    added.append(line)
                elif key == shown and surface.name in names:
                    lines[number] = line
            yield key[len(SKIN_FILE):], "\n".join(added + lines).encode("utf-8", "surrogateescape")
        for name, chosen in materials.skins_of(collection) if not stored else ():
            paths = {self.model.surfaces[i].name: materials.game_path(material) for i, material in chosen.items()}
            paths = {surface: path for surface, path in paths.items() if path}
            if paths and name != materials.PLACEHOLDER:
                yield f"{self.name}_{name}.skin", lerpmesh.write_skin(paths, list(self.model.tags))


def sample(parts: Sequence[Part], context: Any, player: clips.Player) -> Iterator[Step]:
    """Samples the frames of files. Each frame of the timeline is shown once, for all parts."""
    for part in parts:
        yield from part.begin(context.scene)
    shown = evaluate.Frames(context, player, [each for part in parts for each in part.sampled],
                            [tag for part in parts for tag in part.placed])
    shown.begin()
    frames = sorted({frame for part in parts for frame in (*part.found, *part.repeats)})
    for done, frame in enumerate(frames):
        yield done / len(frames), f"frame {done + 1} of {len(frames)}"
        graph = shown.show(frame)
        for part in parts:
            part.sample(graph, frame)
    for part in parts:
        part.finish()
