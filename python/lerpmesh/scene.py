"""Scenes: models attached to each other, with clips, skins and decoded images."""
from __future__ import annotations

import os
from functools import cached_property
from typing import Any, NamedTuple, Optional, Sequence, Union

from .clips import Clip, Pose, clip_of, clips_of
from .library import (Bytes, Diagnostic, Error, Floats, Handle, Kept, PathLike, diagnostics, engine_of,
                      enum, error_of, ffi, give, items, lib, matrices, names_of, new_error, owned, path_of, text, view)
from .model import Model, load_options

ALPHAS = {lib.LM_ALPHA_OPAQUE: "opaque", lib.LM_ALPHA_MASK: "mask", lib.LM_ALPHA_BLEND: "blend"}
SIDES = names_of("LM_SIDES_")
MAPS = names_of("LM_MAP_")
MATCHES = names_of("LM_MATCH_")


class Texture:
    """An image of a scene."""

    def __init__(self, texture: Any, owner: object) -> None:
        """For this package: programs use Scene.textures."""
        self._texture = texture
        self._owner = owner
        # A conversion gives the scene files for its other images; those here stay the same.
        self._mime = text(texture.mime) if texture.mime else None
        self._file = (texture.data, texture.size)

    @property
    def name(self) -> str:
        """The origin of the image, such as its path."""
        return text(self._texture.name)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels; 0: unknown."""
        return self._texture.width, self._texture.height

    @property
    def alpha(self) -> str:
        """The alpha mode that the pixels suggest: "opaque", "mask" or "blend"."""
        return ALPHAS[self._texture.alpha]

    @property
    def pixels(self) -> Optional[Bytes]:
        """[height, width, 4] red, green, blue, alpha; rows from the top. A read-only view. None: not decoded."""
        texture = self._texture
        if not texture.pixels:
            return None
        return view(texture.pixels, (texture.height, texture.width, 4), "u1", self._owner)

    @property
    def mime(self) -> Optional[str]:
        """"image/png" or "image/jpeg", if `data` is a file."""
        return self._mime

    @property
    def data(self) -> Optional[bytes]:
        """The bytes of a PNG or JPEG file; None: there is none."""
        return bytes(ffi.buffer(*self._file)) if self._mime else None

    def __repr__(self) -> str:
        return f"<Texture {self.name!r}: {self.size[0]} x {self.size[1]}>"


class SceneMaterial(NamedTuple):
    """The appearance of one surface."""

    name: str
    texture: Optional[Texture]
    alpha: str
    """"opaque", "mask" or "blend"."""
    shader: Optional[str]
    """The name of its shader in a script."""
    sides: str
    """The sides that are drawn: "front", "back" or "both"."""
    maps: dict[str, Texture]
    """Images that describe more than the colour: "normal", "emissive", "specular", "roughness"."""


class Skin(NamedTuple):
    """A skin: the materials of a model's surfaces."""

    name: str
    materials: tuple[SceneMaterial, ...]


class SkinChoice(NamedTuple):
    """A skin that can be assigned to the first part."""

    name: str
    skin: Union[str, int]
    """For open(skin=...)."""


class TextureName(NamedTuple):
    """A texture name of a part, and the image that was found for it."""

    name: str
    match: str
    """"none", "name", "script", "fallback" or "not-drawn"."""
    path: Optional[str]


class Part:
    """A model of a scene, attached to a tag of its parent."""

    def __init__(self, scene: Scene, index: int) -> None:
        """For this package: programs use Scene.parts."""
        if not 0 <= index < scene._open.scene.num_parts:
            raise IndexError(f"the scene has no part {index}")
        self._part = scene._open.scene.parts[index]
        self._asset = scene._open.assets[index]
        self._textures = scene.textures
        self._owner = scene._owner
        self.model = Model(self._part.model, scene._owner)
        """The model. It keeps the memory of the whole scene."""
        self.name = text(self._part.name) if self._part.name else "model"
        self.parent: Optional[int] = None if index == 0 or self._part.parent == lib.LM_NO_PART else self._part.parent
        """The index of the part that this one is attached to; None: this one is at the origin."""
        self.tag: Optional[str] = text(self._part.tag) if self._part.tag else None
        """The tag of the parent; None: this part has the transform of its parent."""
        self.follows = bool(self._part.follows)
        """This part shows the same frame as its parent, or its own last frame."""
        self.path = text(self._asset.path)
        """The path of the model's file."""

    def __repr__(self) -> str:
        return f"<Part {self.name!r}: {self.model!r}>"

    @property
    def data(self) -> bytes:
        """The bytes of the model's file."""
        asset = self._asset
        return bytes(ffi.buffer(asset.data, asset.size)) if asset.size else b""

    @cached_property
    def clips(self) -> tuple[Clip, ...]:
        """The clips of the part: those of its clips file, or those of its model."""
        part = self._part
        return clips_of(part.clips, part.num_clips) if part.clips else self.model.clips

    @property
    def clips_path(self) -> Optional[str]:
        """The path of the clips file."""
        return text(self._asset.clips_path) if self._asset.clips_path else None

    @property
    def skin_path(self) -> Optional[str]:
        """The path of the .skin file that applies."""
        return text(self._asset.skin_path) if self._asset.skin_path else None

    @property
    def idle(self) -> Optional[Clip]:
        """The clip that the part plays while others play a clip that it does not have."""
        return clip_of(self._part.idle) if self._part.idle else None

    @cached_property
    def skins(self) -> tuple[Skin, ...]:
        """The skins; none: all surfaces are plain."""
        count = self._part.model.num_surfaces
        return tuple(Skin(text(skin.name), tuple(self._material(item) for item in items(skin.materials, count)))
                     for skin in items(self._part.skins, self._part.num_skins))

    @property
    def skin(self) -> Optional[Skin]:
        """The assigned skin."""
        return self.skins[self._part.skin] if self.skins else None

    @property
    def texture_names(self) -> tuple[TextureName, ...]:
        """The texture names of the surfaces, each once."""
        return tuple(TextureName(text(texture.name), MATCHES[texture.match],
                                 text(texture.path) if texture.path else None)
                     for texture in items(self._asset.textures, self._asset.num_textures))

    def _material(self, material: Any) -> SceneMaterial:
        def texture(index: int) -> Optional[Texture]:
            return None if index == lib.LM_NO_TEXTURE else self._textures[index]

        shader = material.shader
        maps = ((name, texture(material.maps[value])) for value, name in MAPS.items()) if material.maps else ()
        return SceneMaterial(text(material.name), texture(material.texture), ALPHAS[material.alpha],
                             text(shader.name) if shader and shader.name else None,
                             SIDES[shader.sides] if shader else "front",
                             {name: found for name, found in maps if found})


class Scene(Handle):
    """The parts, skins and images that open() found.

    `close()` and `with` release the scene at once. Models and arrays that were made from it stay valid, and keep its
    memory."""

    def __init__(self, assets: Any, vfs: Any, path: bytes, options: Any, kept: Kept) -> None:
        """For this package: programs call open()."""
        super().__init__(assets)
        self._content_now().results["opening"] = (vfs, path, options, kept)
        _ = self.textures  # before a conversion changes them

    def __repr__(self) -> str:
        return f"<Scene: {', '.join(part.name for part in self.parts)}>"

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts: models attached to earlier parts."""
        return tuple(Part(self, index) for index in range(self._open.scene.num_parts))

    @property
    def model(self) -> Model:
        """The model of the first part."""
        return self.parts[0].model

    @cached_property
    def textures(self) -> tuple[Texture, ...]:
        """The images of all materials."""
        scene = self._open.scene
        return tuple(Texture(texture, self._owner) for texture in items(scene.textures, scene.num_textures))

    @property
    def game(self) -> Optional[str]:
        """The game's folder, if it was derived from the path."""
        return text(self._open.game) if self._open.game else None

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Files that were not found or not understood."""
        return diagnostics(self._open.num_diagnostics, self._open.diagnostics)

    @property
    def skin_choices(self) -> list[SkinChoice]:
        """The skins that can be assigned to the first part: open(path, skin=choice.skin)."""
        error = new_error()
        choices = owned(lib.lm_assets_list_skins(self._open, error), lib.lm_skin_choices_free, error)
        return [SkinChoice(text(choice.name), text(choice.option) if choice.option else choice.skin)
                for choice in items(choices.choices, choices.num_choices)]

    def with_skin(self, skin: Union[str, int, Sequence[str]]) -> Scene:
        """Opens the same path with another skin, as open() does. Archives and models are not read again."""
        kept = Kept()
        assets = kept.open(self)
        vfs, path, before, _ = self._content_now().results["opening"]
        options = kept.keep(ffi.new("lm_assets_options *", before[0]))
        _set_skin(options, skin, kept)
        give(options, "files", kept.structs("lm_given_file", [
            {"path": asset.path, "data": asset.data, "size": asset.size}
            for asset in items(assets.assets, assets.scene.num_parts)]))
        return _open(vfs, path, options, kept)

    def pose(self, clip: Optional[str], seconds: float) -> list[Pose]:
        """Returns the pose of each part, `seconds` after a clip began. Parts without it play their idle clips. Several
        names may be separated by +, for a player's parts: "LEGS_RUN+TORSO_ATTACK"."""
        scene = self._open.scene
        poses = ffi.new("lm_pose[]", scene.num_parts)
        kept = Kept()
        lib.lm_scene_pose(scene, kept.text(clip), seconds, poses)
        return [Pose(pose.frame_a, pose.frame_b, pose.t, pose.hidden) for pose in poses]

    def transforms(self, poses: Sequence[Union[tuple[int, int, float], Pose]]) -> Floats:
        """Returns the world transform of each part in these poses: [parts, 4, 4]."""
        scene = self._open.scene
        given = ffi.new("lm_pose[]", list(poses))
        if len(given) != scene.num_parts:
            raise ValueError(f"the scene has {scene.num_parts} parts, not {len(given)}")
        transforms = ffi.new("lm_transform[]", scene.num_parts)
        error = new_error()
        if not lib.lm_scene_evaluate(scene, given, ffi.NULL, ffi.NULL, transforms, error):
            raise error_of(error)
        return matrices(transforms, scene.num_parts)


class Attachment(NamedTuple):
    """A model to attach to a tag."""

    tag: Optional[str]
    """A tag, or "PARENT:TAG" with the name of the part that has it. None: the model shows the frames of the first part,
    as a weapon of Quake II."""
    path: PathLike
    clip: Optional[str] = None
    """The clip at rest; None: the first frame."""


def open(path: PathLike, *, skin: Union[str, int, Sequence[str], None] = None, games: Sequence[PathLike] = (),
         attach: Sequence[Union[Attachment, tuple[Optional[str], PathLike]]] = (), related: bool = False,
         clips: Optional[str] = None,
         palette: Optional[PathLike] = None, transparent_255: bool = False, images: str = "pixels",
         alpha: str = "auto", engine: str = "any", repair: bool = False, strict: bool = False,
         normals: str = "stored", topology: str = "triangles") -> Scene:
    """Opens a model, a player's folder, or one in an archive ("pak0.pak:models/a.md2"), with its clips and skins.

    - `skin`: the number of a skin in the model's list, an image, "SURFACE=IMAGE", a .skin file, the name of one, or
      several of these; see Scene.skin_choices.
    - `games`: folders and archives to search. None: the game's folder, if the path shows it.
    - `attach`: models, each as (tag, path) or an Attachment.
    - `related`: also opens the other parts of a player, its head or weapon.
    - `clips`: a clips file, "quake2", or "none"; None: the file in the model's folder.
    - `images`: "pixels" (decoded), "portable" (PNG or JPEG files for exporters), "found" (paths only) or "none".
    - `alpha`: "auto", "all-opaque", "all-mask" or "all-blend".
    - `repair`, `strict`, `normals`, `topology`: as for load().

    Missing and damaged images are diagnostics of the scene. Raises Error if the model itself cannot be opened."""
    kept = Kept()
    options = kept.keep(ffi.new("lm_assets_options *"))
    options.load = load_options(repair, strict, normals, topology)[0]
    _set_skin(options, skin, kept)
    give(options, "games", kept.keep(ffi.new("const char *[]", [kept.path(game) for game in games])))
    give(options, "attachments", kept.structs("lm_attachment", [
        {"tag": kept.text(item.tag), "path": kept.path(item.path), "clip": kept.text(item.clip)}
        for item in (Attachment(*each) for each in attach)]))
    options.related = related
    options.clips = kept.text(clips)
    options.palette = ffi.NULL if palette is None else kept.path(palette)
    options.transparent_255 = transparent_255
    options.images = enum("LM_IMAGES_", images)
    options.alpha = enum("LM_ALPHA_USE_", alpha.removeprefix("all-"))
    options.engine = engine_of(engine)
    error = new_error()
    vfs = owned(lib.lm_vfs_new(ffi.NULL, error), lib.lm_vfs_free, error)
    return _open(vfs, path_of(path), options, kept)


def _set_skin(options: Any, skin: Union[str, int, Sequence[str], None], kept: Kept) -> None:
    names: Sequence[str] = ()
    options.listed_skin = 0
    if isinstance(skin, int):
        options.listed_skin = skin + 1
    elif skin is not None:
        names = [skin] if isinstance(skin, str) else skin
    give(options, "skins", kept.texts(names))


def _open(vfs: Any, path: bytes, options: Any, kept: Kept) -> Scene:
    # The destructor keeps the file system, and a file that the options name, until the assets are freed.
    error = new_error()
    assets = owned(lib.lm_assets_open(vfs, path, options, error),
                   lambda pointer, vfs=vfs, kept=kept: lib.lm_assets_free(pointer), error)
    if not assets.scene:
        raise _opening_failed(assets, error_of(error))
    return Scene(assets, vfs, path, options, kept)


def _opening_failed(assets: Any, reason: Error) -> Error:
    """Returns the reason why there is no scene."""
    last = diagnostics(assets.num_diagnostics, assets.diagnostics)[-1]
    return Error(f"{last.subject}: {last.text}", last.code, reason.offset, reason.section, reason.surface, reason.index)
