"""Exporting glTF and OBJ."""
from __future__ import annotations

from typing import Any, Optional, Sequence, Union

from .clips import Clip, clips_to_c
from .library import Kept, enum, fail, ffi, lib, new_error, written
from .model import Model
from .scene import Scene
from .skeleton import Skeleton


def _common(kept: Kept, name: str, axes: str, scale: float, frame: Optional[float], first_frame: int, num_frames: int,
            clips: Optional[Sequence[Clip]], fps: float) -> dict[str, Any]:
    return {"name": kept.text(name), "axes": enum("LM_AXES_", axes), "scale": scale, "still": frame is not None,
            "frame": frame or 0.0, "first_frame": first_frame, "num_frames": num_frames,
            "clips": clips_to_c(clips or (), kept), "num_clips": len(clips or ()), "fps": fps}


def export_gltf(source: Union[Model, Scene], *, name: str = "model", axes: str = "default", scale: float = 0.0,
                frame: Optional[float] = None, first_frame: int = 0, num_frames: int = 0,
                clips: Optional[Sequence[Clip]] = None, fps: float = 0.0, quantize: bool = False,
                unlit: bool = False, skeletons: Sequence[Optional[Skeleton]] = ()) -> bytes:
    """Returns a binary glTF file, .glb, with one animation for each clip, and with the skins of a scene.

    - `axes`: "default" (y up) or "model". `scale`: 0 means metres.
    - `frame`: one pose only. `first_frame`, `num_frames`: only these. `clips`: replace those of the first part.
    - `quantize`: KHR_mesh_quantization. `unlit`: KHR_materials_unlit.
    - `skeletons`: one for each part, or for the model, from Model.skeleton(): a skin instead of morph targets; None:
      morph targets.

    >>> export_gltf(load("samples/tick.md2"))[:4]
    b'glTF'
    """
    kept = Kept()
    options = ffi.new("lm_gltf_options *", {
        "common": _common(kept, name, axes, scale, frame, first_frame, num_frames, clips, fps), "quantize": quantize,
        "unlit": unlit, "skeletons": _skeletons(source, skeletons, kept)})
    if isinstance(source, Scene):
        _make_portable(source)
        scene = source._open.scene
        return written(lambda out, error: lib.lm_gltf_write_scene(scene, options, out, ffi.NULL, ffi.NULL, error))
    model = source._open
    return written(lambda out, error: lib.lm_gltf_write(model, options, out, ffi.NULL, ffi.NULL, error))


def _skeletons(source: Union[Model, Scene], skeletons: Sequence[Optional[Skeleton]], kept: Kept) -> Any:
    """Returns skeletons as an array."""
    parts = len(source.parts) if isinstance(source, Scene) else 1
    if not skeletons:
        return ffi.NULL
    if len(skeletons) != parts:
        raise ValueError(f"there are {len(skeletons)} skeletons for {parts} parts")
    pointers = [ffi.NULL if skeleton is None else kept.keep(skeleton._open) for skeleton in skeletons]
    return kept.keep(ffi.new("const lm_skeleton *[]", pointers))


def export_obj(source: Union[Model, Scene], frame: float = 0.0, *, name: str = "model", axes: str = "default",
               scale: float = 0.0) -> bytes:
    """Returns one pose as a Wavefront OBJ file, without materials."""
    kept = Kept()
    options = ffi.new("lm_export_options *", _common(kept, name, axes, scale, frame, 0, 0, None, 0.0))
    if isinstance(source, Scene):
        scene = source._open.scene
        return written(lambda out, error: lib.lm_obj_write_scene(scene, options, ffi.NULL, out, ffi.NULL, error))
    model = source._open
    return written(lambda out, error: lib.lm_obj_write(model, options, out, error))


def _make_portable(scene: Scene) -> None:
    """Converts the images of a scene to PNG, once."""
    error = new_error()
    if not lib.lm_assets_make_portable(scene._open, ffi.NULL, error):
        fail(error)
