"""Composing a scene or a mesh for a format: one mesh, its images, and the parts of a player."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from .clips import Clip, clips_of, clips_to_c
from .library import (Bytes, Diagnostic, Kept, diagnostics, enum, fail, ffi, format_of, items, lib, new_error, owned,
                      text)
from .mesh import Mesh, mesh_of, mesh_to_c
from .scene import ALPHAS, Scene, Texture


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
    """For player="quake3": "lower", "upper" and "head"."""
    player_clips: tuple[Clip, ...]
    """For player="quake3": the rows of animation.cfg."""
    notes: list[Diagnostic]
    """Data that was dropped or replaced."""


def compose(source: Union[Scene, Mesh], *, format: Optional[str] = None, path: str = "model",
            folder: Optional[str] = None, textures: Sequence[Union[SurfaceImage, Bytes, None]] = (),
            player: str = "none", clips: Optional[Sequence[Clip]] = None,
            frame: Optional[float] = None, first_frame: int = 0, num_frames: int = 0, by_clips: bool = False,
            fps: float = 0.0, scale: float = 0.0, pcx: bool = False, from_game: bool = False) -> Composition:
    """Makes one mesh from a scene or a mesh. Several parts are joined, each attached to its tag.

    - `format`: adapts the images to a format, for a mesh with this `path` and with its images in a `folder` of the
      game.
    - `textures`: for a mesh, the image of each surface, as a SurfaceImage or as pixels [height, width, 4]; None: no
      image, the surface keeps its materials. `from_game`: materials are named by paths of a game, and keep their names.
    - `player`: "none", "model" (named by a .skin file), "quake3" (also three models, and the rows of animation.cfg) or
      "quake2" (the 198 frames of the standard table).
    - `clips`: replace those of a mesh. `by_clips`: frames clip by clip. `fps`: the rate of all clips.
    - `frame`: one pose only. `first_frame`, `num_frames`: only these, of a single model.
    - `pcx`: images of formats with one skin are named for PCX."""
    kept, error = Kept(), new_error()
    options = ffi.new("lm_compose_options *", {
        "still": frame is not None, "frame": frame or 0.0, "first_frame": first_frame, "num_frames": num_frames,
        "clips": by_clips, "fps": fps, "scale": scale, "player": enum("LM_PLAYER_", player), "pcx": pcx})
    if isinstance(source, Scene):
        made = lib.lm_compose_scene(source._open.scene, options, error)
        kept.keep(source._owner)
    else:
        used = source.clips if clips is None else clips
        made = lib.lm_compose_mesh(mesh_to_c(source, kept), clips_to_c(used, kept), len(used), options, error)
    # The composition refers to its source, which the destructor keeps.
    made = owned(made, lambda pointer, kept=kept: lib.lm_composition_free(pointer), error)
    if textures:
        set_images(made, textures, items(made.mesh.surfaces, made.mesh.num_surfaces), from_game, kept)
        made.num_skin_surfaces, made.embedded = len(textures), True
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
    """Gives an lm_composition or an lm_convert_source one skin, with an image for each of the surfaces of its mesh."""
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
            height, width = np.shape(image.pixels)[:2]
            known[id(image.pixels)] = len(textures)
            textures.append({
                "name": kept.text(image.name), "alpha": alphas[image.alpha], "width": width, "height": height,
                "pixels": kept.array(image.pixels, "u1", (-1, -1, 4), "the textures")})
        materials.append({"name": kept.text(image.name if image else ""),
                          "alpha": alphas[image.alpha if image else "opaque"],
                          "texture": known[id(image.pixels)] if image else lib.LM_NO_TEXTURE})
    target.textures, target.num_textures = kept.structs("lm_scene_texture", textures), len(textures)
    target.skins, target.num_skins = kept.structs("lm_material_set", [
        {"name": kept.text("default"), "materials": kept.structs("lm_scene_material", materials)}]), 1
    target.from_game = from_game
