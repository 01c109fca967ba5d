"""Checking, optimizing, comparing and importing files; archives, images and .skin files."""
from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Collection, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from .library import (Bytes, Data, Diagnostic, Handle, Kept, PathLike, array_of, count_of, data_of, diagnostics,
                      engine_of, enum, fail, ffi, give, items, lib, name_of, new_error, owned, path_of, pixels_of,
                      read, text, view, written)
from .mesh import Mesh, mesh_of, mesh_to_c
from .model import Model, load

Source = Union[Data, PathLike]

# ---- Checking ---------------------------------------------------------------------------------


class Report(NamedTuple):
    """The problems of a file."""

    format: Optional[str]
    """None: the format is unknown."""
    problems: list[Diagnostic]
    """First errors, then the others."""
    num_errors: int
    num_warnings: int
    num_notes: int


def check(source: Source, *, engine: str = "any", strict: bool = False, max_per_code: int = 0) -> Report:
    """Reports every problem of a file. With an engine, exceeding its limits is an error.

    >>> check("samples/tick.md2").num_errors
    0
    """
    data, error = data_of(read(source)), new_error()
    options = ffi.new("lm_check_options *", {"engine": engine_of(engine), "strict": strict,
                                             "max_per_code": max_per_code})
    report = owned(lib.lm_check_memory(data, len(data), options, error), lib.lm_report_free, error)
    return Report(text(report.format) if report.format else None, diagnostics(report.num_problems, report.problems),
                  report.num_errors, report.num_warnings, report.num_notes)


# ---- Optimizing -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gain:
    """The gain of one step of optimizing."""

    count: int
    """Removed vertices, texture coordinates, frames or integers."""
    bytes: int


class Optimized(NamedTuple):
    """An optimized file, which draws the same."""

    data: bytes
    size_before: int
    gains: dict[str, Gain]
    """By step: "vertices", "st", "frames", "commands", "junk", "loss"."""
    num_triangles: int
    transforms_before: int
    """Vertices that a graphics card transforms if it caches the last 16."""
    transforms_after: int
    max_error: float
    """Units; 0: lossless."""


def optimize(source: Source, *, strips: str = "best", keep_draw_order: bool = False, keep_numbers: bool = False,
             max_error: float = 0.0, repair: bool = False, one_frame: bool = False) -> Optimized:
    """Returns the same model in fewer bytes. `keep_draw_order` keeps the order of triangles, `keep_numbers` also their
    numbers and those of vertices. `max_error` allows loss in MDC, in units. `one_frame` keeps only the first frame if
    all are equal."""
    data = data_of(read(source))
    options = ffi.new("lm_optimize_options *", {
        "strips": enum("LM_STRIPS_", strips), "keep_draw_order": keep_draw_order, "keep_numbers": keep_numbers,
        "max_error": max_error, "repair": repair, "one_frame": one_frame})
    made = ffi.new("lm_optimize_report **")
    result = written(lambda out, error: lib.lm_optimize(data, len(data), options, out, made, error))
    report = ffi.gc(made[0], lib.lm_optimize_report_free)
    gains = {text(gain.step): Gain(gain.count, gain.bytes) for gain in items(report.gains, report.num_gains)}
    return Optimized(result, report.size_before, gains, report.num_triangles, report.transforms_before,
                     report.transforms_after, report.max_error)


# ---- Comparing --------------------------------------------------------------------------------


class Distance(NamedTuple):
    """The distance between the vertices of two meshes, in units, and between their normals, in degrees."""

    rms: float
    max: float
    mean_angle: float
    max_angle: float
    surface: int
    """The position of the largest distance: a surface and vertex, and the frames of both."""
    vertex: int
    frame_a: int
    frame_b: int
    of_second: bool
    """The vertex is of the second mesh."""


@dataclass(frozen=True)
class ClipDistance:
    """The distance within one clip."""

    name: str
    first_a: int
    first_b: int
    count: int
    distance: Distance
    max_tag: float
    """The largest distance of tags that both meshes have: at this tag of the first one, in this frame of the clip."""
    max_tag_angle: float
    tag: int
    tag_frame: int


class Comparison(NamedTuple):
    """A comparison of two meshes."""

    all: Distance
    max_uv: float
    """Between texture coordinates; 1 is the whole skin."""
    max_tag: float
    max_tag_angle: float
    clips: list[ClipDistance]
    differences: list[Diagnostic]
    """A clip, name, skin or tag that only one mesh has."""


def compare(a: Union[Source, Model, Mesh], b: Union[Source, Model, Mesh]) -> Comparison:
    """Compares two models, of the same format or of different ones.

    >>> compare("samples/tick.md2", "samples/tick.md2").all.max
    0.0
    """
    kept, error = Kept(), new_error()
    meshes = [mesh_to_c(_mesh(each), kept) for each in (a, b)]
    found = owned(lib.lm_mesh_compare(*meshes, ffi.NULL, error), lib.lm_comparison_free, error)
    clips = [ClipDistance(text(clip.name), clip.first_a, clip.first_b, clip.count, _distance(clip.distance),
                          clip.max_tag_distance, clip.max_tag_angle_error, clip.tag, clip.tag_frame)
             for clip in items(found.clips, found.num_clips)]
    return Comparison(_distance(found.all), found.max_st, found.max_tag_distance, found.max_tag_angle_error, clips,
                      diagnostics(found.num_differences, found.differences))


def _mesh(source: Union[Source, Model, Mesh]) -> Mesh:
    if isinstance(source, Mesh):
        return source
    return Mesh.from_model(source if isinstance(source, Model) else load(source))


def _distance(distance: Any) -> Distance:
    return Distance(distance.rms_distance, distance.max_distance, distance.mean_angle_error, distance.max_angle_error,
                    distance.surface, distance.vertex, distance.frame_a, distance.frame_b, distance.of_second)


# ---- Importing --------------------------------------------------------------------------------


class ImportedImage(NamedTuple):
    """An image of a surface, as the bytes of a file: PNG, JPEG, ..."""

    name: str
    data: bytes
    transparent: bool


class Imported(NamedTuple):
    """A mesh of another program's file."""

    mesh: Mesh
    images: list[ImportedImage]
    surface_images: list[list[Optional[int]]]
    """For each variant and surface, the index of its image."""
    diagnostics: list[Diagnostic]
    """Data that was skipped or repaired."""


def import_mesh(source: Source, *, name: Optional[str] = None, fps: float = 0.0, scale: float = 0.0,
                tags: Sequence[tuple[str, str]] = (), loops: Sequence[str] = (), onces: Sequence[str] = (),
                images: bool = False, compute_normals: bool = False, all_frames: bool = False) -> Imported:
    """Imports glTF 2.0, and by Assimp other formats (FBX, Collada, OBJ, ...).

    Files that a file refers to are read from its folder. `name` gives the extension of bytes for Assimp. Assimp is not
    made for untrusted files.

    - `fps`: frames per second; 0: each key, if keys are evenly spaced, else 10. `scale`: units per metre; 0: 39.37.
    - `tags`: additional tags as (tag, node); nodes named tag_SOMETHING always become tags.
    - `loops`, `onces`: clips that loop or play once. `images`: also reads images.
    - `all_frames`: keeps all frames, also the last one of a loop."""
    data = data_of(read(source))
    path = None if isinstance(source, (bytes, bytearray, memoryview)) else Path(os.fspath(source))
    kept, error = Kept(), new_error()
    options = ffi.new("lm_import_options *", {
        "fps": fps, "scale": scale, "read": kept.keep(_reader(path.parent)) if path else ffi.NULL, "images": images,
        "compute_normals": compute_normals, "all_frames": all_frames})
    give(options, "tags", kept.structs("lm_import_tag", [{"name": kept.text(tag), "node": kept.text(node)}
                                                         for tag, node in tags]))
    give(options, "loops", kept.texts(loops))
    give(options, "onces", kept.texts(onces))
    options.name = kept.path(name or (path.name if path else ""))
    made = lib.lm_import_read(data, len(data), options, error)
    # Images may point into the bytes.
    made = owned(made, lambda made, data=data: lib.lm_import_free(made), error)
    found = [ImportedImage(text(image.name), bytes(ffi.buffer(image.data, image.size)) if image.data else b"",
                           image.transparent) for image in items(made.images, made.num_images)]
    return Imported(mesh_of(made.mesh, made), found, _surface_images(made),
                    diagnostics(made.num_diagnostics, made.diagnostics))


def _surface_images(made: Any) -> list[list[Optional[int]]]:
    count = made.mesh.num_surfaces
    indices = ffi.unpack(made.surface_images, made.num_variants * count) if made.surface_images and count else []
    return [[None if index == lib.LM_IMPORT_NO_IMAGE else index for index in indices[start:start + count]]
            for start in range(0, len(indices), count or 1)]


def _reader(folder: Path) -> Any:
    """Returns lm_import_options.read for the files of a folder."""

    def read_uri(_: Any, uri: Any, out: Any, error: Any) -> bool:
        try:
            path = (folder / text(uri)).resolve()
            if folder.resolve() not in path.parents:
                raise OSError(f"{text(uri)}: outside the folder")
            data = path.read_bytes()
        except OSError as reason:
            lib.lm_fail_plain(error, lib.LM_CODE_IO, b"%s", ffi.new("char[]", str(reason).encode("utf-8", "replace")))
            return False
        lib.lm_buffer_append(out, data, len(data))
        return True

    return ffi.callback("bool(void *, const char *, lm_buffer *, lm_error *)", read_uri)


# ---- Archives and folders ---------------------------------------------------------------------


def write_files(files: Mapping[str, bytes], *, stop: Collection[str] = (), optional: Collection[str] = ()) -> list[str]:
    """Writes a group of files by their paths, atomically: no program ever sees an incomplete file, and if one cannot be
    written, the existing files stay. The last file refers to the others. Their folders must exist.

    An existing file with other contents is replaced. One of `stop` makes the call fail before anything is written, and one
    of `optional` stays. Returns the paths of these."""
    kept, error = Kept(), new_error()
    stayed = {path: kept.keep(ffi.new("bool *")) for path in optional if path in files}
    outputs = kept.structs("lm_file_output", [
        {"path": kept.path(path), "data": data, "size": len(data), "stayed": stayed.get(path, ffi.NULL),
         "existing": lib.LM_EXISTING_STAYS if path in stayed
         else lib.LM_EXISTING_STOPS if path in stop else lib.LM_EXISTING_REPLACED}
        for path, data in ((path, kept.keep(data_of(data))) for path, data in files.items())])
    if not lib.lm_file_write(outputs, count_of(outputs), False, error):
        fail(error)
    return [path for path, flag in stayed.items() if flag[0]]


class Member(NamedTuple):
    """A file in an archive."""

    path: str
    size: int
    problem: Optional[str]
    """The reason if it cannot be read."""


class Archive(Handle):
    """A PAK or PK3. Use `with`, or close()."""

    def __init__(self, path: PathLike) -> None:
        error = new_error()
        archive = lib.lm_archive_open(path_of(path), ffi.NULL, ffi.NULL, error)
        super().__init__(owned(archive, lib.lm_archive_free, error))

    @property
    def members(self) -> list[Member]:
        """The files, sorted by path."""
        archive = self._open
        return [Member(text(member.path), member.size, text(member.problem) or None)
                for member in items(archive.members, archive.num_members)]

    def read(self, path: str, max_size: int = 0) -> bytes:
        """Returns the bytes of a file, case-insensitively. `max_size` 0: 256 MiB."""
        return written(lambda out, error: lib.lm_archive_read(self._open, name_of(path), max_size, out, error))


def list_models(path: PathLike) -> list[str]:
    """Returns the paths of the models below a folder or in an archive, for open(), which raises the reason for those that
    cannot be read. Raises Error if there are no others.

    >>> [os.path.basename(path) for path in list_models("samples") if path.endswith(".md2")]
    ['tick.md2']
    """
    error = new_error()
    vfs = owned(lib.lm_vfs_new(ffi.NULL, error), lib.lm_vfs_free, error)
    listed = owned(lib.lm_vfs_list(vfs, path_of(path), lib.LM_LIST_MODELS, error), lib.lm_path_list_free, error)
    found = items(listed.paths, listed.num_paths)
    problems = [item.problem for item in found if item.problem and not item.skipped]
    if problems and len(problems) == len(found):
        fail(problems[0])
    return [text(item.path) for item in found if not item.skipped]


# ---- Images and skins -------------------------------------------------------------------------


def read_image(source: Source, *, transparent_255: bool = False, repair: bool = False) -> Bytes:
    """Reads a PCX, BMP, PNG, JPEG or TGA: [height, width, 4] red, green, blue, alpha; rows from the top.

    >>> read_image("samples/tick.pcx").shape
    (256, 256, 4)
    """
    data, error = data_of(read(source)), new_error()
    options = ffi.new("lm_image_options *", {"transparent_255": transparent_255, "repair": repair})
    image = owned(lib.lm_image_read(data, len(data), options, error), lib.lm_image_free, error)
    return view(image.pixels, (image.height, image.width, 4), "u1", image)


def write_image(pixels: Bytes, format: str, palette: Optional[Bytes] = None) -> bytes:
    """Returns pixels [height, width, 4] as a file: "png", "tga" (as old games read it), or "pcx" in the colours of a
    palette [256, 3].

    >>> write_image(np.zeros((2, 2, 4), np.uint8), "png")[1:4]
    b'PNG'
    """
    kept = Kept()
    own, chosen = pixels_of(pixels, "the pixels"), array_of(palette, "u1", (256, 3), "the colours of the palette")
    colours = ffi.new("lm_palette *", {"num_colors": 256})
    ffi.memmove(colours.rgb, bytes(768) if chosen is None else chosen, 768)
    return written(lambda out, error: lib.lm_pixels_write(kept.numbers(own), own.shape[1], own.shape[0],
                                                          enum("LM_PIXELS_", format), colours, out, error))


def read_skin(source: Source) -> dict[str, str]:
    """Reads a .skin file: the path of each surface's texture or shader. Surfaces are in lower case."""
    data, error = data_of(read(source)), new_error()
    skin = owned(lib.lm_skin_file_read(data, len(data), ffi.NULL, error), lib.lm_skin_file_free, error)
    found: dict[str, str] = {}
    for entry in items(skin.entries, skin.num_entries):
        found.setdefault(text(entry.surface), text(entry.path))
    return found


def write_skin(surfaces: Mapping[str, str], tags: Sequence[str] = ()) -> bytes:
    """Returns a .skin file: the path of each surface's texture or shader, and the tags.

    >>> write_skin({"head": "models/a/face.tga"}, ["tag_hat"]).split()
    [b'head,models/a/face.tga', b'tag_hat,']
    >>> read_skin(b"Head, models/a/face.tga")
    {'head': 'models/a/face.tga'}
    """
    kept = Kept()
    entries = kept.structs("lm_skin_entry", [{"surface": kept.text(name), "path": kept.text(path)}
                                             for name, path in surfaces.items()])
    names = kept.texts(tags)
    return written(lambda out, error: lib.lm_skin_file_write(entries, count_of(entries), names, len(names), out,
                                                             error))
