"""Meshes: animated meshes in floats, the input of the encoders."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional, Sequence

import numpy as np

from .clips import Clip, PoseLike, clips_of, clips_to_c
from .library import (Diagnostic, Floats, Indices, Kept, array_of, count_of, diagnostics, engine_of, enum, ffi,
                      format_of, give, items, lib, matrices, names_of, new_error, owned, text, transforms_of, vec3,
                      view, written)
from .model import EmbeddedSkin, Material, Model, embedded_skins_of
from .skeleton import Progress, Skeleton, fit

BODIES = names_of("LM_BODY_")


@dataclass
class MeshSurface:
    """A surface of a mesh. Arrays of other types and layouts are converted when they are used."""

    name: str
    positions: Floats
    """[frames, vertices, 3] units."""
    triangles: Indices
    """[triangles, 3] vertices, clockwise from outside."""
    uvs: Optional[Floats] = None
    """[uvs, 2] texture coordinates, 0 to 1 across the skin, from its top left."""
    uv_triangles: Optional[Indices] = None
    """[triangles, 3] the texture coordinate of each corner; None: that of its vertex."""
    normals: Optional[Floats] = None
    """[frames, vertices, 3] directions of any length; None: computed from the triangles."""
    materials: Sequence[Material] = ()
    flags: int = 0
    body: str = "unknown"
    """The part of a player that it belongs to: "lower", "upper", "head" or "unknown"."""
    piece: Optional[str] = None
    """The model of a weapon that it belongs to: "v_x", "v_x_barrel"; None: not known."""


class EncodeReport(NamedTuple):
    """The error of an encoded file, measured on the file read back."""

    format: str
    size: int
    num_surfaces: int
    num_vertices: int
    num_triangles: int
    rms_error: float
    """Units, as all distances."""
    max_error: float
    worst: tuple[int, int, int]
    """The surface, vertex and frame of the mesh with the greatest error."""
    jitter: float
    """The movement of static vertices, root mean square."""
    mean_normal_error: float
    """Degrees, as all angles."""
    max_normal_error: float
    max_tag_error: float
    max_tag_angle_error: float
    problems: list[Diagnostic]
    """Data that the format cannot store, and the problems of the file, such as exceeded limits of engines."""
    sources: Indices
    """[vertices, 2] the surface and the vertex of the mesh that each vertex of the file comes from."""


class Encoded(NamedTuple):
    """An encoded file."""

    data: bytes
    report: EncodeReport


@dataclass
class Mesh:
    """An animated mesh. Make it from arrays, or by from_model(), compose() or import_mesh().

    >>> import numpy as np
    >>> flat = [[0, 0, 0], [16, 0, 0], [0, 16, 0]]
    >>> rising = np.array([[[x, y, frame] for x, y, z in flat] for frame in range(10)], np.float32)
    >>> mesh = Mesh([MeshSurface("flag", rising, [[0, 2, 1]], uvs=[[0, 0], [1, 0], [0, 1]])])
    >>> encoded = mesh.encode("md3")
    >>> encoded.data[:4], encoded.report.max_error
    (b'IDP3', 0.0)
    """

    surfaces: Sequence[MeshSurface]
    clips: Sequence[Clip] = ()
    tags: dict[str, Floats] = field(default_factory=dict)
    """The transforms [frames, 4, 4] of each tag."""
    skins: Sequence[str] = ()
    """Paths of alternative skins for the whole model."""
    name: str = ""
    frame_names: Optional[Sequence[str]] = None
    """None: the names of the clips, with numbers."""
    embedded_skins: Sequence[EmbeddedSkin] = ()
    """The pixels of each skin, for MDL; none: skins are files."""
    skin_size: tuple[int, int] = (0, 0)
    """Width and height in pixels; 0: unknown."""
    transparent_255: bool = False
    flags: int = 0
    synctype: int = 0
    eye: tuple[float, float, float] = (0.0, 0.0, 0.0)
    grid: tuple[tuple[float, float, float], tuple[float, float, float]] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    """Scale and translate of the file. MDL keeps them if all positions lie on this grid; 0: none."""

    @property
    def num_frames(self) -> int:
        """The number of frames, from the first surface, tag or list of names."""
        for surface in self.surfaces:
            return len(surface.positions)
        for poses in self.tags.values():
            return len(poses)
        return len(self.frame_names or ())

    @staticmethod
    def from_model(model: Model) -> Mesh:
        """Makes a mesh from a model: the vertices of the file, with everything that the model has."""
        kept, error = Kept(), new_error()
        return mesh_of(owned(lib.lm_mesh_from_model(kept.open(model), ffi.NULL, error), lib.lm_mesh_free, error))

    def select_frames(self, poses: Sequence[PoseLike], clips: Sequence[Clip] = ()) -> Mesh:
        """Returns a mesh whose frames are these poses, with clips that count its own frames."""
        kept = Kept()
        pairs = [pose if isinstance(pose, tuple) else _pose_at(pose) for pose in poses]
        array = clips_to_c(clips, kept)
        return self._changed(lib.lm_mesh_select_frames, ffi.new("lm_pose[]", pairs), len(pairs),
                             array, count_of(array))

    def resample(self, fps: float) -> Mesh:
        """Returns a mesh whose clips follow each other, with `fps` frames per second."""
        return self._changed(lib.lm_mesh_resample, ffi.NULL, fps)

    def transform(self, matrix: Floats) -> Mesh:
        """Returns a mesh that is transformed by a matrix [4, 4]."""
        return self._changed(lib.lm_mesh_transform, transforms_of([matrix], 1, "the matrix"))

    def decimate(self, triangles: int) -> Mesh:
        """Returns a mesh with at most `triangles` triangles, as far as its shape allows."""
        return self._changed(lib.lm_mesh_decimate, triangles)

    def _changed(self, function: Any, *arguments: Any) -> Mesh:
        kept, error = Kept(), new_error()
        return mesh_of(owned(function(mesh_to_c(self, kept), *arguments, ffi.NULL, error), lib.lm_mesh_free, error))

    def skeleton(self, *, max_bones: int = 0, max_error: float = 0.0, quantum: float = 0.0, max_work: int = 0,
                 constant_lengths: bool = False, progress: Optional[Progress] = None) -> Skeleton:
        """Finds a skeleton that moves as the mesh does. Always returns one, with a verdict.

        - `max_bones`: the largest number of joints, up to 128; 0: 40.
        - `max_error`: the largest error of an accepted skeleton, in units; 0: twice the rounding, or 0.1 % of the size.
        - `quantum`: the error by rounding, in units; 0: that of 8 bits per coordinate. Model.skeleton() knows it.
        - `max_work`: the most work, in millions of steps, of about a millisecond each; 0: no bound.
        - `constant_lengths`: only the root translates.
        - `progress`: is called with the finished share, 0 to 1. If it returns False, the call raises Error ("stopped");
          its exceptions are raised, too."""
        kept = Kept()
        return fit(mesh_to_c(self, kept), max_bones, max_error, quantum, max_work, constant_lengths, progress)

    def encode(self, format: str, *, engine: str = "any", max_error: float = 0.0, stability: float = 0.0,
               smooth: bool = False, high_precision: bool = False, strips: str = "best", smallest: bool = False,
               flip_winding: bool = False, sidecar_clips: bool = False, keep_numbers: bool = False,
               shared_grid: Sequence[Mesh] = ()) -> Encoded:
        """Encodes the mesh: "md2", "md3", "mdc" or "mdl".

        - `engine`: the engine whose limits apply, such as "quake2" or "quake3".
        - `max_error`: fails if a vertex is further off, in units. 0: no limit.
        - `stability` (MD2): static vertices against accuracy; 0: 64. `smooth`: slow movements do not jerk.
        - `high_precision` (MD2): stores a second byte for each coordinate. `strips`: "best", "fast" or "none".
        - `shared_grid` (MD2): other meshes that must fit this one without cracks.
        - `smallest` (MDC): chooses base frames for each surface.
        - `flip_winding`: the triangles are counter-clockwise.
        - `sidecar_clips` (MD3, MDC): the clips are stored by write_clips().
        - `keep_numbers`: vertices keep their numbers, even if they are unused or the same."""
        kept = Kept()
        others = [mesh_to_c(other, kept) for other in shared_grid]
        options = ffi.new("lm_encode_options *", {
            "engine": engine_of(engine), "max_error": max_error, "stability": stability, "smooth": smooth,
            "high_precision": high_precision, "strips": enum("LM_STRIPS_", strips), "smallest": smallest,
            "flip_winding": flip_winding, "sidecar_clips": sidecar_clips, "keep_numbers": keep_numbers,
            "num_shared_grids": len(others),
            "shared_grid": kept.keep(ffi.new("const lm_mesh *[]", others))})
        report = ffi.new("lm_encode_report **")
        mesh, kind = mesh_to_c(self, kept), format_of(format)
        data = written(lambda out, error: lib.lm_encode(mesh, kind, options, out, report, error))
        return Encoded(data, encode_report_of(ffi.gc(report[0], lib.lm_encode_report_free)))


def _pose_at(frame: float) -> tuple[int, int, float]:
    return int(frame), int(np.ceil(frame)), frame - int(frame)


def encode_report_of(report: Any) -> EncodeReport:
    """Returns an lm_encode_report."""
    return EncodeReport(
        text(report.format), report.size, report.num_surfaces, report.num_vertices, report.num_triangles,
        report.rms_error, report.max_error, (report.worst_surface, report.worst_vertex, report.worst_frame),
        report.jitter, report.mean_normal_error, report.max_normal_error, report.max_tag_error,
        report.max_tag_angle_error, diagnostics(report.num_problems, report.problems),
        view(report.sources, (report.num_vertices, 2), "u4", report).copy())


# ---- From C -----------------------------------------------------------------------------------


def mesh_of(mesh: Any, owner: object = None) -> Mesh:
    """Returns an lm_mesh. Its arrays are views of the C memory, and keep the owner (by default the mesh) alive."""
    owner = mesh if owner is None else owner
    frames = int(mesh.num_frames)
    names = [text(name) for name in items(mesh.frame_names, frames)] if mesh.frame_names else None
    size = (mesh.skin_height, mesh.skin_width)
    return Mesh(
        [_surface_of(surface, frames, owner) for surface in items(mesh.surfaces, mesh.num_surfaces)],
        clips_of(mesh.clips, mesh.num_clips),
        {text(tag.name): matrices(tag.poses, frames) for tag in items(mesh.tags, mesh.num_tags)},
        [text(skin) for skin in items(mesh.skins, mesh.num_skins)], text(mesh.name), names,
        embedded_skins_of(mesh.embedded_skins, mesh.num_skins if mesh.embedded_skins else 0, size, owner),
        (mesh.skin_width, mesh.skin_height), mesh.transparent_255, mesh.flags, mesh.synctype, vec3(mesh.eye),
        (vec3(mesh.grid[0]), vec3(mesh.grid[1])))


def _surface_of(surface: Any, frames: int, owner: object) -> MeshSurface:
    shape, corners = (frames, surface.num_vertices, 3), (surface.num_triangles, 3)
    return MeshSurface(
        text(surface.name), view(surface.positions, shape, "f4", owner, True),
        view(surface.triangles, corners, "u4", owner, True),
        view(surface.st, (surface.num_st, 2), "f4", owner, True) if surface.st else None,
        view(surface.st_triangles, corners, "u4", owner, True) if surface.st_triangles else None,
        view(surface.normals, shape, "f4", owner, True) if surface.normals else None,
        [Material(text(material.name), material.flags) for material in items(surface.materials, surface.num_materials)],
        surface.flags, BODIES[surface.body], text(surface.piece) if surface.piece else None)


# ---- To C -------------------------------------------------------------------------------------


def mesh_to_c(mesh: Mesh, kept: Kept) -> Any:
    """Returns an lm_mesh with copies of the mesh's arrays."""
    frames = mesh.num_frames
    width, height = mesh.skin_size
    names = None if mesh.frame_names is None else kept.texts(mesh.frame_names)
    if names is not None and len(names) != frames:
        raise ValueError(f"there are {len(names)} names of frames, not {frames}")
    skins = kept.texts(mesh.skins)
    embedded = [_embedded_to_c(skin, (-1, height, width), kept) for skin in mesh.embedded_skins]
    if len(embedded) not in (0, len(skins)):
        raise ValueError(f"there are {len(embedded)} embedded skins for {len(skins)} names")
    made = kept.keep(ffi.new("lm_mesh *", {
        "name": kept.text(mesh.name), "num_frames": frames, "frame_names": ffi.NULL if names is None else names,
        "embedded_skins": kept.structs("lm_embedded_skin", embedded), "skin_width": width, "skin_height": height,
        "transparent_255": mesh.transparent_255, "flags": mesh.flags, "synctype": mesh.synctype, "eye": mesh.eye,
        "grid": mesh.grid}))
    give(made, "surfaces", kept.structs("lm_mesh_surface", [_surface_to_c(surface, frames, kept)
                                                            for surface in mesh.surfaces]))
    give(made, "tags", kept.structs("lm_mesh_tag", [
        {"name": kept.text(name), "poses": kept.keep(transforms_of(poses, frames, f"the poses of tag {name!r}"))}
        for name, poses in mesh.tags.items()]))
    give(made, "clips", clips_to_c(mesh.clips, kept))
    give(made, "skins", skins)
    return made


def _embedded_to_c(skin: EmbeddedSkin, shape: tuple[int, int, int], kept: Kept) -> dict[str, Any]:
    images = array_of(skin.indices, "u1", shape, "embedded skins")
    if images is None or 0 in images.shape:
        raise ValueError("an embedded skin has no pixels: each side has at least 1")
    return {"num_images": len(images), "pixels": kept.numbers(images),
            "times": kept.numbers(array_of(skin.times, "f4", (len(images) + 1,), "times"))}


def _surface_to_c(surface: MeshSurface, frames: int, kept: Kept) -> dict[str, Any]:
    name = f"surface {surface.name!r}: the "
    positions = array_of(surface.positions, "f4", (frames, -1, 3), name + "positions")
    triangles = array_of(surface.triangles, "u4", (-1, 3), name + "triangles")
    if positions is None or triangles is None:
        raise ValueError(f"surface {surface.name!r} has no positions or no triangles")
    uvs = array_of(surface.uvs, "f4", (-1, 2), name + "uvs")
    materials = [{"name": kept.text(material.name), "flags": material.flags} for material in surface.materials]
    bodies = {body: value for value, body in BODIES.items()}
    return {
        "name": kept.text(surface.name), "num_vertices": positions.shape[1], "positions": kept.numbers(positions),
        "normals": kept.numbers(array_of(surface.normals, "f4", positions.shape, name + "normals")),
        "num_st": 0 if uvs is None else len(uvs), "st": kept.numbers(uvs),
        "num_triangles": len(triangles), "triangles": kept.numbers(triangles),
        "st_triangles": kept.numbers(array_of(surface.uv_triangles, "u4", triangles.shape, name + "uv_triangles")),
        "num_materials": len(materials), "materials": kept.structs("lm_material", materials),
        "flags": surface.flags, "body": bodies[surface.body],
        "piece": ffi.NULL if surface.piece is None else kept.text(surface.piece)}
