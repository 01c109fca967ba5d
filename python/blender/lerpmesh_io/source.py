"""The file that an imported part came from. The collection of the part keeps its bytes, so that an export can write the
frames that did not change as they were."""
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np

from .packages import Clip, lerpmesh

BYTES = "lerpmesh_source"
SHIFTS = "lerpmesh_shifts"
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
        """Returns the frame of Blender on which a frame of the file is shown; None: on none."""
        for start, first, count in self.starts:
            if first <= frame < first + count:
                return start + frame - first
        return None


def store(collection: Any, part: Any, scale: float, segments: Any, shifts: Sequence[np.ndarray]) -> None:
    """Stores a part's file, and what Blender has no place for, as properties of its collection. `shifts`: of each
    surface, how far an armature moves its vertices away from those of the file; none: there is no armature."""
    model = part.model
    collection[BYTES] = part.data
    collection["lerpmesh_path"] = part.path
    collection["lerpmesh_format"] = model.format
    collection["lerpmesh_scale"] = scale
    collection["lerpmesh_segments"] = json.dumps([(s.start, s.first, s.count) for s in segments])
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


def load(source: Source) -> Any:
    """Returns the model of a file."""
    return lerpmesh.load(source.data)


def parts_of(collection: Any) -> list[Any]:
    """Returns the collections of imported parts in a collection, itself first."""
    return [c for c in (collection, *collection.children_recursive) if BYTES in c]


def current(context: Any) -> Any:
    """Returns the collection of the imported part that the active object belongs to; None: of none."""
    made = context.object
    for collection in made.users_collection if made else ():
        if BYTES in collection:
            return collection
    return None
