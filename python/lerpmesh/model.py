"""Models: loading and sampling."""
from __future__ import annotations

import _thread
from functools import cached_property
from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from .clips import Clip, PoseLike, clips_of
from .library import (Bytes, Data, Diagnostic, Error, Floats, Handle, Indices, Kept, PathLike, bad_argument, data_of,
                      diagnostics, enum, error_of, ffi, holds_itself, items, lib, matrices, name_of, new_error, owned,
                      path_of, text, vec3, view, written)
from .skeleton import Progress, Skeleton, fit

_POSES = ffi.typeof("lm_pose[1]")
_TARGET = ffi.typeof("lm_sample_target *")
_FLOATS = ffi.typeof("float[]")
_FLOAT32 = np.dtype(np.float32)


class Frame(NamedTuple):
    """A frame: its name, its bounds and its quantisation."""

    name: str
    min: tuple[float, float, float]
    max: tuple[float, float, float]
    origin: tuple[float, float, float]
    """The centre of the culling sphere."""
    radius: float
    scale: tuple[float, float, float]
    """Position = step * scale + translate."""
    translate: tuple[float, float, float]


class Material(NamedTuple):
    """A texture or shader that a surface names."""

    name: str
    flags: int = 0


class EmbeddedSkin(NamedTuple):
    """A skin whose pixels are in the model's file (MDL)."""

    indices: Bytes
    """[images, height, width], into the palette of the model. Several images play one after another."""
    times: Optional[tuple[float, ...]]
    """[images + 1] seconds, as in Clip; None for one image."""


class Place(NamedTuple):
    """The location of a problem on a model."""

    frame: Optional[int]
    """The frame that the problem concerns; None: no particular one."""
    triangles: dict[int, Indices]
    """The vertices [triangles, 3] of the triangles that it concerns, by surface. Three equal vertices: it concerns that
    vertex."""


class Surface:
    """A surface: triangles that share one set of vertices. Its arrays are read-only views of the model's memory, and
    keep the model's memory alive."""

    def __init__(self, surface: Any, owner: object) -> None:
        """For this package: programs use Model.surfaces."""
        self._surface = surface
        self._owner = owner

    @property
    def num_vertices(self) -> int:
        """Vertices to draw: one for each pair of position and texture coordinate."""
        return int(self._surface.num_vertices)

    @property
    def name(self) -> str:
        """The name; "" for MD2 and MDL."""
        return text(self._surface.name)

    @property
    def num_file_vertices(self) -> int:
        """The first of the vertices are those of the file. The rest are copies for seams."""
        return int(self._surface.num_file_vertices)

    @property
    def flags(self) -> int:
        """The flags in the file."""
        return int(self._surface.flags)

    @property
    def materials(self) -> tuple[Material, ...]:
        """The textures or shaders that the surface names (MD3, MDC)."""
        surface = self._surface
        return tuple(Material(text(material.name), material.flags)
                     for material in items(surface.materials, surface.num_materials))

    @cached_property
    def triangles(self) -> Indices:
        """[triangles, 3] vertices, clockwise from outside."""
        return view(self._surface.triangles, (self._surface.num_triangles, 3), "u4", self._owner)

    @cached_property
    def uvs(self) -> Floats:
        """[vertices, 2] texture coordinates, 0 to 1 across the skin, from its top left."""
        return view(self._surface.st, (self.num_vertices, 2), "f4", self._owner)

    @cached_property
    def file_vertices(self) -> Indices:
        """[vertices] the vertex of the file for each vertex."""
        return view(self._surface.file_vertices, (self.num_vertices,), "u4", self._owner)

    def __repr__(self) -> str:
        return f"<Surface {self.name!r}: {self.num_vertices} vertices, {self._surface.num_triangles} triangles>"


class Model(Handle):
    """A loaded model: frames, surfaces, tags, clips and skins. It is constant, and any number of threads may use it.

    Model space: x forward, y left, z up; triangles are clockwise from outside.

    `close()` and `with` release the model at once. Arrays that were made from it stay valid, and keep its memory."""

    def __init__(self, model: Any, owner: object) -> None:
        """For this package: programs call load()."""
        super().__init__(model, owner)
        self._num_frames: int = lib.lm_model_count(model, lib.LM_MODEL_FRAMES)
        # Without surfaces, the first one is empty.
        self._sizes = [(surface.num_vertices, 3) for surface in items(model.surfaces, model.num_surfaces)] or [(0, 3)]

    def __repr__(self) -> str:
        return f"<Model: {self.format}, {self._num_frames} frames>" if self._content else "<Model: closed>"

    # ---- Contents -----------------------------------------------------------------------------

    @property
    def format(self) -> str:
        """"md2", "md3", "mdc", "mdl" or "mds"."""
        return text(self._open.format)

    @property
    def name(self) -> str:
        """The name in the header; "" if the format has none."""
        return text(self._open.name)

    @property
    def num_frames(self) -> int:
        """The number of frames."""
        return self._num_frames

    @property
    def flags(self) -> int:
        """The flags of the header."""
        return int(self._open.flags)

    @property
    def eye(self) -> tuple[float, float, float]:
        """The position of the eyes (MDL)."""
        return vec3(self._open.eye)

    @property
    def skin_size(self) -> tuple[int, int]:
        """Width and height of the skin in pixels, if the format stores them; else 0."""
        return self._open.skin_width, self._open.skin_height

    @property
    def skins(self) -> tuple[str, ...]:
        """The paths of the skins for the whole model (MD2), or names of the embedded skins (MDL)."""
        return tuple(map(text, items(self._open.skins, self._open.num_skins)))

    @property
    def clips(self) -> tuple[Clip, ...]:
        """The clips. Together they contain every frame."""
        return clips_of(self._open.clips, self._open.num_clips)

    @property
    def tags(self) -> tuple[str, ...]:
        """The names of the tags, to which other models are attached (MD3, MDC)."""
        return tuple(text(tag.name) for tag in items(self._open.tags, self._open.num_tags))

    @property
    def warnings(self) -> list[Diagnostic]:
        """Repairs, and other harmless damage."""
        return diagnostics(self._open.num_warnings, self._open.warnings)

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """The frames."""
        return tuple(Frame(text(frame.name), vec3(frame.min), vec3(frame.max), vec3(frame.origin), frame.radius,
                           vec3(frame.scale), vec3(frame.translate))
                     for frame in items(self._open.frames, self._num_frames))

    @cached_property
    def surfaces(self) -> tuple[Surface, ...]:
        """The surfaces."""
        return tuple(Surface(surface, self._owner) for surface in items(self._open.surfaces, self._open.num_surfaces))

    @property
    def embedded_skins(self) -> tuple[EmbeddedSkin, ...]:
        """The skins whose pixels are in the model's file (MDL)."""
        model = self._open
        count = model.num_skins if model.embedded_skins else 0
        return embedded_skins_of(model.embedded_skins, count, (model.skin_height, model.skin_width), self._owner)

    @property
    def palette(self) -> Bytes:
        """[256, 3] red, green, blue of the embedded skins."""
        model = self._open
        return view(model.palette, (256 if model.palette else 0, 3), "u1", self._owner)

    # ---- Sampling -----------------------------------------------------------------------------

    def _shape(self, surface: int) -> tuple[int, int]:
        """Returns the shape of a surface's positions."""
        if not 0 <= surface < len(self._sizes):
            raise bad_argument(f"the model has {len(self._sizes)} surfaces, not {surface}")
        return self._sizes[surface]

    def _shows_nothing(self, model: Any, pose: Any) -> bool:
        """Returns whether the model has a pose, but no surfaces."""
        return not model.num_surfaces and max(pose.frame_a, pose.frame_b) < self._num_frames

    def sample(self, pose: PoseLike, surface: int = 0) -> tuple[Floats, Floats]:
        """Returns the positions [vertices, 3], in units, and the normals [vertices, 3] of a pose."""
        shape = self._shape(surface)
        positions, normals = np.empty(shape, np.float32), np.empty(shape, np.float32)
        self.sample_into(pose, surface, positions, normals)
        return positions, normals

    @holds_itself
    def sample_into(self, pose: PoseLike, surface: int = 0, positions: Optional[Floats] = None,
                    normals: Optional[Floats] = None) -> None:
        """Writes the positions and normals of a pose into arrays [vertices, 3] of float32. An array that is None is
        not written. The rows may have gaps, as in interleaved vertices.

        A pose is a fractional frame, or (frame_a, frame_b, t)."""
        content = self._content or self._content_now()
        shape = self._shape(surface)
        target = ffi.new(_TARGET)
        if positions is not None:
            target.positions, target.stride = _floats(positions, shape)
        if normals is not None:
            target.normals, stride = _floats(normals, shape)
            if positions is not None and stride != target.stride:
                self.sample_into(pose, surface, positions)
                target.positions = ffi.NULL
            target.stride = stride
        model, poses = content.pointer, self._poses(pose)
        if lib.lm_sample(model, surface, poses, 1, target) and not self._shows_nothing(model, poses[0]):
            raise bad_argument(f"the model has no pose {pose}")

    def _poses(self, pose: PoseLike) -> Any:
        if isinstance(pose, tuple):
            return ffi.new(_POSES, (pose,))
        poses = ffi.new(_POSES)
        lib.lm_model_pose_at(self._open, pose, poses)
        return poses

    def bake(self, surface: int = 0, positions: Optional[Floats] = None) -> Floats:
        """Returns the positions of all frames: [frames, vertices, 3]. An existing array may receive them, which saves
        the time that the system needs for new memory."""
        return self._bake(surface, "positions", positions)

    def bake_normals(self, surface: int = 0, normals: Optional[Floats] = None) -> Floats:
        """Returns the normals of all frames: [frames, vertices, 3]."""
        return self._bake(surface, "normals", normals)

    def _bake(self, surface: int, what: str, out: Optional[Floats]) -> Floats:
        shape = (self._num_frames, *self._shape(surface))
        result = np.empty(shape, np.float32) if out is None else out
        target = ffi.new(_TARGET)
        setattr(target, what, _floats(result, shape)[0])
        lib.lm_sample(self._open, surface, self._whole_frames, self._num_frames, target)
        return result

    @cached_property
    def _whole_frames(self) -> Any:
        """An lm_pose for each frame."""
        poses = np.zeros((self._num_frames, 4), np.uint32)  # t = 0, not hidden
        poses[:, 0] = poses[:, 1] = np.arange(self._num_frames)
        return ffi.from_buffer("lm_pose[]", poses)

    def tag(self, tag: Union[int, str], pose: PoseLike) -> Floats:
        """Returns the transform [4, 4] of a tag in a pose: its axes are columns 0 to 2, its origin is column 3."""
        model = self._open
        transform = ffi.new("lm_transform *")
        if lib.lm_sample_tag(model, self._tag(tag), self._poses(pose), transform):
            raise bad_argument(f"the model has no tag {tag!r} or no pose {pose}")
        result: Floats = matrices(transform, 1)[0]
        return result

    def bake_tag(self, tag: Union[int, str]) -> Floats:
        """Returns the transforms of a tag in all frames: [frames, 4, 4]."""
        model, index = self._open, self._tag(tag)
        transforms = ffi.new("lm_transform[]", self._num_frames)
        pose = ffi.new("lm_pose *")
        for frame in range(self._num_frames):
            pose.frame_a = pose.frame_b = frame
            if lib.lm_sample_tag(model, index, pose, transforms + frame):
                raise bad_argument(f"the model has no tag {tag!r}")
        return matrices(transforms, self._num_frames)

    def _tag(self, tag: Union[int, str]) -> int:
        if isinstance(tag, str):
            return int(lib.lm_model_find_tag(self._open, name_of(tag)))
        return tag

    def bounds(self, first: int = 0, count: Optional[int] = None) -> tuple[tuple[float, float, float],
                                                                            tuple[float, float, float]]:
        """Returns the box around all vertices in some frames, as its least and its greatest corner."""
        model = self._open
        low, high = ffi.new("lm_vec3 *"), ffi.new("lm_vec3 *")
        if lib.lm_model_bounds(model, first, self._num_frames - first if count is None else count, low, high):
            raise bad_argument(f"the model has {self._num_frames} frames")
        return vec3(low), vec3(high)

    def skeleton(self, *, max_bones: int = 0, max_error: float = 0.0, max_work: int = 0,
                 constant_lengths: bool = False, progress: Optional[Progress] = None) -> Skeleton:
        """Returns the model's own bones (MDS), or finds a skeleton that moves as the model does. Always returns one, with
        a verdict; see Mesh.skeleton(). The errors are compared with those of the rounding in the model's file."""
        return fit(self._open, max_bones, max_error, 0.0, max_work, constant_lengths, progress, lib.lm_skeleton_of_model)

    # ---- Problems -----------------------------------------------------------------------------

    def locate(self, problem: Diagnostic) -> Place:
        """Finds the location of a problem of check() or of an EncodeReport on the model of its file."""
        place, kept = ffi.new("lm_diagnostic *", {"code": enum("LM_CODE_", problem.code), "count": problem.count}), Kept()
        if problem.location:
            where = problem.location
            place.location = (kept.text(where.section), where.offset, where.surface, where.index)
        found = ffi.new("uint32_t *")
        triangles = written(lambda out, error: lib.lm_diagnostic_locate(self._open, place, out, found, error))
        rows = np.frombuffer(triangles, np.uint32).reshape(-1, 4)
        frame = None if found[0] == lib.LM_NO_FRAME else int(found[0])
        return Place(frame, {int(surface): rows[rows[:, 0] == surface, 1:] for surface in np.unique(rows[:, 0])})


def _floats(array: Floats, shape: tuple[int, ...]) -> tuple[Any, int]:
    """Returns a pointer to an array that the library may write to, and the bytes from one row to the next."""
    if type(array) is not np.ndarray:
        if not isinstance(array, np.ndarray):
            raise TypeError(f"{type(array).__name__} is not an array")
        array = np.asarray(array)  # of numpy's own class
    if array.dtype != _FLOAT32 or array.shape != shape:
        raise ValueError(f"the array has the type {array.dtype} and the shape {array.shape}, not float32 and {shape}")
    if array.flags.carray:
        return ffi.from_buffer(_FLOATS, array), 12
    if array.ndim != 2 or not array.flags.behaved or array.strides[1] != 4 or array.strides[0] < 12:
        raise ValueError("the array is read-only or has gaps, or its rows are not three floats in memory")
    return ffi.cast("float *", array.__array_interface__["data"][0]), array.strides[0]


def embedded_skins_of(skins: Any, count: int, size: tuple[int, int], owner: object) -> tuple[EmbeddedSkin, ...]:
    """Returns an array of lm_embedded_skin; `size` is height and width."""
    return tuple(EmbeddedSkin(view(skin.pixels, (skin.num_images, *size), "u1", owner),
                              tuple(ffi.unpack(skin.times, skin.num_images + 1)) if skin.times else None)
                 for skin in items(skins, count))


def load(source: Union[Data, PathLike], *, repair: bool = False, strict: bool = False, normals: str = "stored",
         topology: str = "triangles", mdc_prinz: bool = False) -> Model:
    """Loads a model from a path, or from the bytes of a file. Raises Error if the file is damaged.

    `repair` drops or clamps damaged elements; `strict` rejects any damage. `normals`: "stored", "computed" or "auto"
    (computed where the stored ones are unusable). `topology`: "triangles" or "gl-commands" (MD2). `mdc_prinz` reads
    MDC as in W. Prinz's description, which differs from the engine."""
    options = load_options(repair, strict, normals, topology, mdc_prinz)
    error = new_error()
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = data_of(source)
        model = lib.lm_load_memory(data, len(data), options, error)
    else:
        model = lib.lm_load_file(path_of(source), options, error)
    model = owned(model, lib.lm_model_free, error)
    return Model(model, model)


def load_many(paths: Sequence[PathLike], *, threads: int = 2, repair: bool = False, strict: bool = False,
              normals: str = "stored", topology: str = "triangles") -> list[Union[Model, Error]]:
    """Loads files in several threads. Returns a model or the error for each path.

    One model loads in 4 to 100 microseconds, less than a task of concurrent.futures takes. Each call of the compiled
    module therefore loads several files. Without it (ABI mode), threads gain little."""
    if threads < 1:
        raise ValueError(f"files are loaded in {threads} threads: at least 1 is needed")
    options = load_options(repair, strict, normals, topology)
    paths = list(paths)
    names = [ffi.new("char[]", path_of(path)) for path in paths]
    array, models = ffi.new("char *[]", names), ffi.new("lm_model *[]", len(names))
    size = max(1, len(names) // (4 * threads))
    starts = iter(range(0, len(names), size))

    def run(ended: Any, kept: Any = names) -> None:  # the other threads keep the names if this one is interrupted
        try:
            for start in starts:
                load_files(array + start, min(size, len(names) - start), options, models + start)
        finally:
            ended.release()

    # The threads need neither the start-up time nor the services of threading.Thread.
    locks = [_thread.allocate_lock() for _ in range(max(1, min(threads, len(names))))]
    for lock in locks:
        lock.acquire()
    for lock in locks[1:]:
        _thread.start_new_thread(run, (lock,))
    run(locks[0])
    for lock in locks:
        lock.acquire()
    owners = [ffi.gc(model, lib.lm_model_free) if model else None for model in models]
    return [Model(owner, owner) if owner else _error_of_file(path, options) for owner, path in zip(owners, paths)]


def _load_files(paths: Any, count: int, options: Any, models: Any) -> None:
    """Loads several files, where there is no compiled module (native.py)."""
    for index in range(count):
        models[index] = lib.lm_load_file(paths[index], options, ffi.NULL)


load_files = getattr(lib, "load_files", _load_files)


def _error_of_file(path: PathLike, options: Any) -> Union[Model, Error]:
    """Loads a file that failed once more, for its error."""
    error = new_error()
    model = lib.lm_load_file(path_of(path), options, error)
    if not model:
        return error_of(error)
    owner = ffi.gc(model, lib.lm_model_free)
    return Model(owner, owner)


def load_options(repair: bool = False, strict: bool = False, normals: str = "stored", topology: str = "triangles",
                 mdc_prinz: bool = False) -> Any:
    """Returns an lm_load_options."""
    return ffi.new("lm_load_options *", {
        "repair": repair, "strict": strict, "normals": enum("LM_NORMALS_", normals),
        "topology": enum("LM_TOPOLOGY_", topology), "quirks": lib.LM_QUIRK_MDC_PRINZ if mdc_prinz else 0})
