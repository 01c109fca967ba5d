"""Composing a scene or a mesh for a format: one mesh, its images, and the parts of a player. Converting in one call, as
`lerpmesh convert` does: opening or importing, composing, encoding or exporting, and the files next to the result."""
from __future__ import annotations

import dataclasses
import os
import threading
from numbers import Real
from typing import Any, Callable, NamedTuple, Optional, Sequence, Union

import numpy as np

from .clips import Clip, clips_of, clips_to_c
from .library import (Bytes, Diagnostic, Kept, PathLike, diagnostics, enum, fail, ffi, format_of, give, items, lib,
                      name_of, new_error, owned, pixels_of, text)
from .mesh import EncodeReport, Mesh, encode_report_of, mesh_of, mesh_to_c
from .model import Model
from .scene import ALPHAS, Scene, Texture
from .skeleton import Skeleton

# ---- Composing --------------------------------------------------------------------------------


class SurfaceImage(NamedTuple):
    """The image of a surface."""

    name: str
    """For the names of files."""
    pixels: Bytes
    """[height, width, 4] red, green, blue, alpha; rows from the top. Surfaces may share one array."""
    alpha: str = "opaque"
    """"opaque", "mask" or "blend"."""


class Composition(NamedTuple):
    """A mesh with the images of its surfaces."""

    mesh: Mesh
    images: dict[str, Texture]
    """Images without a file, which the program must write, by the name that the mesh refers to. The name ends in .png,
    .tga or .pcx, the format that the game reads; see write_image()."""
    models: dict[str, Mesh]
    """For player="quake3": "lower", "upper" and "head". For player="weapon": its models by their names, the hand first."""
    player_clips: tuple[Clip, ...]
    """For player="quake3": the rows of animation.cfg. For player="weapon": those of weapon.cfg."""
    notes: list[Diagnostic]
    """Data that was dropped or replaced."""


def compose(source: Union[Scene, Mesh], *, format: Optional[str] = None, path: str = "model",
            folder: Optional[str] = None, textures: Sequence[Union[SurfaceImage, Bytes, None]] = (),
            player: str = "none", clips: Optional[Sequence[Clip]] = None,
            frame: Optional[float] = None, first_frame: int = 0, num_frames: int = 0, by_clips: bool = False,
            fps: float = 0.0, scale: float = 0.0, pcx: bool = False, from_game: bool = False,
            all_frames: bool = False) -> Composition:
    """Makes one mesh from a scene or a mesh. Several parts are joined, each attached to its tag.

    - `format`: adapts the images to a format, for a mesh with this `path` and with its images in a `folder` of the
      game.
    - `textures`: for a mesh, the image of each surface, as a SurfaceImage or as pixels [height, width, 4]; None: no
      image, the surface keeps its materials. `from_game`: materials are named by paths of a game, and keep their names.
    - `player`: "none", "model" (named by a .skin file), "quake3" (also three models, and the rows of animation.cfg),
      "quake2" (the 198 frames of the standard table) or "weapon" (of Return to Castle Wolfenstein: its models, by the
      `piece` of the surfaces, and the rows of weapon.cfg).
    - `clips`: replace those of a mesh. `by_clips`: frames clip by clip. `fps`: the rate of all clips.
    - `all_frames`: a source in which nothing moves keeps its frames and clips. Else it becomes one frame.
    - `frame`: one pose only. `first_frame`, `num_frames`: only these, of a single model.
    - `pcx`: images of formats with one skin are named for PCX."""
    kept, error = Kept(), new_error()
    options = ffi.new("lm_compose_options *", {
        "still": frame is not None, "frame": frame or 0.0, "first_frame": first_frame, "num_frames": num_frames,
        "clips": by_clips, "fps": fps, "scale": scale, "player": enum("LM_PLAYER_", player), "pcx": pcx,
        "all_frames": all_frames})
    if isinstance(source, Scene):
        if textures:
            raise ValueError("only a Mesh takes textures; a model's are found by its skins")
        assets = kept.open(source)
        with source._lock:  # a conversion changes the images
            made = lib.lm_compose_scene(assets.scene, options, error)
    else:
        mesh = mesh_to_c(source, kept)
        if clips is not None:
            give(mesh, "clips", clips_to_c(clips, kept))
        if textures:
            set_images(options, textures, items(mesh.surfaces, mesh.num_surfaces), from_game, kept)
            options.embedded = True
        made = lib.lm_compose_mesh(mesh, options, error)
    # The composition refers to its source, which the destructor keeps.
    made = owned(made, lambda pointer, kept=kept: lib.lm_composition_free(pointer), error)
    if format is not None:
        place = ffi.NULL if folder is None else kept.text(folder)
        if not lib.lm_compose_images(made, format_of(format), kept.text(path), place, error):
            fail(error)
    return Composition(
        mesh_of(made.mesh, made),
        {text(image.name): Texture(image, made) for image in items(made.images, made.num_images)},
        {text(model.name): mesh_of(model.mesh, made) for model in items(made.models, made.num_models)},
        clips_of(made.player_clips, made.num_player_clips), diagnostics(made.num_notes, made.notes))


def set_images(target: Any, images: Sequence[Union[SurfaceImage, Bytes, None]], surfaces: Sequence[Any], from_game: bool,
               kept: Kept) -> None:
    """Gives lm_compose_options or an lm_convert_source one skin, with an image for each of the surfaces of its mesh."""
    alphas = {name: value for value, name in ALPHAS.items()}
    if len(images) != len(surfaces):
        raise ValueError(f"there are {len(images)} textures for {len(surfaces)} surfaces")
    known: dict[int, int] = {}
    textures: list[dict[str, Any]] = []
    materials: list[dict[str, Any]] = []
    for surface, image in zip(surfaces, images):
        if image is not None and not isinstance(image, SurfaceImage):
            image = SurfaceImage(text(surface.name) or "texture", image)
        if image and id(image.pixels) not in known:
            if np.ndim(image.pixels) != 3:
                raise ValueError("a texture is an array of pixels [height, width, 4]; read_image() reads a file")
            pixels = pixels_of(image.pixels, "the textures")
            known[id(image.pixels)] = len(textures)
            textures.append({
                "name": kept.text(image.name), "alpha": alphas[image.alpha], "width": pixels.shape[1],
                "height": pixels.shape[0], "pixels": kept.numbers(pixels)})
        materials.append({"name": kept.text(image.name if image else ""),
                          "alpha": alphas[image.alpha if image else "opaque"],
                          "texture": known[id(image.pixels)] if image else lib.LM_NO_TEXTURE})
    give(target, "textures", kept.structs("lm_scene_texture", textures))
    give(target, "skins", kept.structs("lm_material_set", [
        {"name": kept.text("default"), "materials": kept.structs("lm_scene_material", materials)}]))
    target.from_game = from_game


# ---- Converting -------------------------------------------------------------------------------

Source = Union[PathLike, Scene, Model, Mesh]
Textures = Sequence[Union[SurfaceImage, Bytes, None]]
Progress = Callable[[float, str], Optional[bool]]
SEVERITIES = {lib.LM_CONVERT_KIND_NOTE: "note", lib.LM_CONVERT_KIND_WARNING: "warning", lib.LM_CONVERT_KIND_DETAIL: "note"}


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
    optional: list[str]
    """The names of files that stay if they exist, such as the clips of a model that is no player."""

    @property
    def data(self) -> bytes:
        """The bytes of the model."""
        return self.files[list(self.files)[-1]]


def option_text(value: Any) -> str:
    """Returns the value of an option as the command takes it."""
    return str(value) if isinstance(value, Real) else os.fsdecode(value)


def run(source: Source, format: str, path: Optional[PathLike], write: bool, replace: bool,
        skeletons: Sequence[Optional[Skeleton]], textures: Textures, from_game: bool, progress: Optional[Progress],
        options: str, values: dict[str, Any]) -> Converted:
    """For convert(), whose arguments are typed. `values`: of options, by their names in the command; None and False: not
    given."""
    if write and path is None:
        raise ValueError("write needs a path")
    kept, error = Kept(), new_error()
    vfs = owned(lib.lm_vfs_new(ffi.NULL, error), lib.lm_vfs_free, error)
    settings = owned(lib.lm_convert_settings_new(vfs, ffi.NULL, error), lib.lm_convert_settings_free, error)
    try:
        settings.options.format = kept.text(format)
        settings.options.path = ffi.NULL if path is None else kept.path(path)
        for name, value in values.items():
            for each in value if isinstance(value, (list, tuple)) else [value]:
                if each is not None and each is not False:
                    given = ffi.NULL if each is True else kept.text(option_text(each))
                    if not lib.lm_convert_set(settings, name_of(name), given, error):
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
        # Converting changes the images of a scene.
        with source._lock if isinstance(source, Scene) else threading.RLock():
            return _convert(given, settings, {"replaces": replace} if write else None, progress, error)
    finally:
        ffi.release(settings)  # before what it refers to


def _convert(source: Any, settings: Any, target: Optional[dict[str, Any]], progress: Optional[Progress],
             error: Any) -> Converted:
    """Converts; with `target`, an lm_convert_target, writes the files."""
    notes: list[Diagnostic] = []
    reports: dict[str, EncodeReport] = {}

    def report(_: Any, message: Any) -> None:
        if message.kind == lib.LM_CONVERT_KIND_MODEL:
            reports[text(message.text)] = encode_report_of(message.report)
        elif message.kind == lib.LM_CONVERT_KIND_PROBLEM:
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
                         encode_report_of(made.report) if made.report else None, reports, notes,
                         [text(file.name) for file in items(made.files, made.num_files)
                          if file.role == lib.LM_CONVERT_ROLE_OPTIONAL])
    finally:
        ffi.release(made)  # before its source


def _source(source: Source, vfs: Any, skeletons: Sequence[Optional[Skeleton]], kept: Kept) -> Any:
    """Returns an lm_convert_source."""
    given = kept.keep(ffi.new("lm_convert_source *", {"vfs": vfs}))
    if skeletons:
        found = kept.keep(ffi.new("const lm_skeleton *[]", [
            ffi.NULL if one is None else kept.open(one) for one in skeletons]))
        parts = len(source.parts) if isinstance(source, Scene) else 1
        if len(found) != parts or not isinstance(source, (Scene, Model)):
            raise ValueError(f"there are {len(found)} skeletons for {parts} parts of a scene")
        given.skeletons = found
    if isinstance(source, Scene):
        given.assets = kept.open(source)
        given.path = kept.keep(ffi.new("char[]", source._content_now().results["opening"][1]))
    elif isinstance(source, Model):
        part = kept.structs("lm_scene_part", [{"model": kept.open(source), "parent": lib.LM_NO_PART}])
        given.scene = kept.keep(ffi.new("lm_scene *", {"parts": part, "num_parts": 1}))
        given.path = kept.text("model")
    elif isinstance(source, Mesh):
        given.mesh, given.path = mesh_to_c(source, kept), kept.text("model")
    else:
        given.path = kept.path(os.fspath(source))
    return given
