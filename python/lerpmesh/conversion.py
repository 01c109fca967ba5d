"""Converting in one call, as `lerpmesh convert` does: opening or importing, composing, encoding or exporting, and the
files next to the result."""
from __future__ import annotations

import dataclasses
import os
from typing import Any, Callable, NamedTuple, Optional, Sequence, Union

from .compose import SurfaceImage, set_images
from .library import (Bytes, Diagnostic, Kept, PathLike, diagnostics, fail, ffi, items, lib, new_error, owned, text)
from .mesh import EncodeReport, Mesh, encode_report_of, mesh_to_c
from .model import Model
from .scene import Scene
from .skeleton import Skeleton

Source = Union[PathLike, Scene, Model, Mesh]
Textures = Sequence[Union[SurfaceImage, Bytes, None]]
Progress = Callable[[float, str], Optional[bool]]
SEVERITIES = {lib.LM_CONVERT_NOTE: "note", lib.LM_CONVERT_WARNING: "warning", lib.LM_CONVERT_DETAIL: "note"}


class Converted(NamedTuple):
    """A converted model."""

    files: dict[str, bytes]
    """All files by their names. The last one is the model, which refers to the others."""
    report: Optional[EncodeReport]
    """None for glTF and OBJ, and for the three models of a player of Quake III."""
    reports: dict[str, EncodeReport]
    """Of these three, by the names of their files."""
    notes: list[Diagnostic]
    """Files that were not found, damage that was repaired, and data that was dropped or replaced."""

    @property
    def data(self) -> bytes:
        """The bytes of the model."""
        return self.files[list(self.files)[-1]]


def run(source: Source, format: str, path: Optional[PathLike], write: bool, replace: bool,
        skeletons: Sequence[Optional[Skeleton]], textures: Textures, from_game: bool, progress: Optional[Progress],
        options: str, values: dict[str, Any]) -> Converted:
    """For convert(), whose arguments are typed. `values`: of options, by their names in the command; None and False: not
    given."""
    if write and path is None:
        raise ValueError("write needs a path")
    kept, error = Kept(), new_error()
    vfs = owned(lib.lm_vfs_new(ffi.NULL), lib.lm_vfs_free, error)
    settings = owned(lib.lm_convert_settings_new(vfs, ffi.NULL), lib.lm_convert_settings_free, error)
    try:
        settings.options.format = kept.text(format)
        settings.options.path = ffi.NULL if path is None else kept.path(path)
        for name, value in values.items():
            for each in value if isinstance(value, (list, tuple)) else [value]:
                if each is not None and each is not False:
                    given = ffi.NULL if each is True else kept.text(os.fsdecode(each) if isinstance(each, bytes) else str(each))
                    if not lib.lm_convert_set(settings, name.encode(), given, error):
                        fail(error)
        if not lib.lm_convert_set_words(settings, kept.text(options), error):
            fail(error)
        settings.options.skeleton = settings.options.skeleton or bool(skeletons)
        if not lib.lm_convert_settings_check(settings, error):
            fail(error)
        given = _source(source, vfs, skeletons, kept)
        if len(textures):
            if not given.mesh:
                raise ValueError("only a Mesh takes textures; a model's are found by its skins")
            set_images(given, textures, items(given.mesh.surfaces, given.mesh.num_surfaces), from_game, kept)
        return _convert(given, settings, {"replaces": replace} if write else None, progress, error)
    finally:
        ffi.release(settings)  # before what it refers to


def _convert(source: Any, settings: Any, target: Optional[dict[str, Any]], progress: Optional[Progress],
             error: Any) -> Converted:
    """Converts; with `target`, an lm_convert_target, writes the files."""
    notes: list[Diagnostic] = []
    reports: dict[str, EncodeReport] = {}

    def report(_: Any, message: Any) -> None:
        if message.kind == lib.LM_CONVERT_MODEL:
            reports[text(message.text)] = encode_report_of(message.report)
        elif message.kind == lib.LM_CONVERT_PROBLEM:
            problem, = diagnostics(1, message.problem)
            notes.append(dataclasses.replace(problem, subject=problem.subject or text(message.subject)))
        elif message.kind in SEVERITIES:
            notes.append(Diagnostic(text(lib.lm_code_name(message.code)), SEVERITIES[message.kind], text(message.text),
                                    text(message.subject) if message.subject else None, None, 1))

    callback = ffi.callback("void(void *, const lm_convert_message *)", report)
    calls = ffi.new("lm_convert_calls *", {"report": callback})
    raised: list[BaseException] = []

    def step(_: Any, share: float, what: Any) -> bool:
        try:
            return not progress or progress(share, text(what)) is not False
        except BaseException as reason:  # raised again below
            raised.append(reason)
            return False

    step_callback = ffi.callback("bool(void *, double, const char *)", step)
    calls.progress = step_callback
    made = lib.lm_convert(source, ffi.addressof(settings, "options"), calls, error)
    if raised:
        raise raised[0]
    made = owned(made, lib.lm_conversion_free, error)
    try:
        if target is not None and not lib.lm_convert_write(
                made, ffi.new("lm_convert_target *", {**target, "report": callback}), error):
            fail(error)
        return Converted({text(file.name): bytes(ffi.buffer(file.data.data, file.data.size))
                          for file in items(made.files, made.num_files)},
                         encode_report_of(made.report) if made.report else None, reports, notes)
    finally:
        ffi.release(made)  # before its source


def _source(source: Source, vfs: Any, skeletons: Sequence[Optional[Skeleton]], kept: Kept) -> Any:
    """Returns an lm_convert_source."""
    given = kept.keep(ffi.new("lm_convert_source *", {"vfs": vfs}))
    if skeletons:
        parts = len(source.parts) if isinstance(source, Scene) else 1
        if len(skeletons) != parts or not isinstance(source, (Scene, Model)):
            raise ValueError(f"there are {len(skeletons)} skeletons for {parts} parts of a scene")
        given.skeletons = kept.keep(ffi.new("const lm_skeleton *[]", [
            ffi.NULL if one is None else kept.keep(one._open) for one in skeletons]))
    if isinstance(source, Scene):
        given.assets, given.path = source._open, kept.keep(ffi.new("char[]", source._path))
    elif isinstance(source, Model):
        part = kept.structs("lm_scene_part", [{"model": source._open, "parent": lib.LM_NO_PART}])
        given.scene = kept.keep(ffi.new("lm_scene *", {"parts": part, "num_parts": 1}))
        given.path = kept.text("model")
    elif isinstance(source, Mesh):
        given.mesh, given.path = mesh_to_c(source, kept), kept.text("model")
    else:
        given.path = kept.path(os.fspath(source))
    return given
