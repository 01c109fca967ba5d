"""Reading and writing images."""
from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from .library import (Bytes, Data, Kept, PathLike, data_of, ffi, items, lib, new_error, owned, read, text, view,
                      written)


def read_image(source: Union[Data, PathLike], *, transparent_255: bool = False, repair: bool = False) -> Bytes:
    """Reads a PCX, PNG, JPEG or TGA: [height, width, 4] red, green, blue, alpha; rows from the top.

    >>> read_image("samples/tick.pcx").shape
    (256, 256, 4)
    """
    data, error = read(source), new_error()
    options = ffi.new("lm_image_options *", {"transparent_255": transparent_255, "repair": repair})
    image = owned(lib.lm_image_read(data_of(data), len(data), options, error), lib.lm_image_free, error)
    return view(image.pixels, (image.height, image.width, 4), "u1", image)


def write_image(pixels: Bytes, format: str, palette: Optional[Bytes] = None) -> bytes:
    """Returns pixels [height, width, 4] as a file: "png", "tga" (as old games read it), or "pcx" in the colours of a
    palette [256, 3].

    >>> write_image(np.zeros((2, 2, 4), np.uint8), "png")[1:4]
    b'PNG'
    """
    kept = Kept()
    height, width = np.shape(pixels)[:2]
    pointer = kept.array(pixels, "u1", (height, width, 4), "the pixels")
    if format == "pcx":
        colours = ffi.new("lm_palette *", {"num_colors": 256})
        ffi.memmove(colours.rgb, kept.array(palette, "u1", (256, 3), "the palette") or bytes(768), 768)
        return written(lambda out, error: lib.lm_pixels_write_pcx(pointer, width, height, colours, out, error))
    writers: dict[str, Any] = {"png": lib.lm_pixels_write_png, "tga": lib.lm_pixels_write_tga}
    if format not in writers:
        raise ValueError(f"there is no writer for {format!r}")
    return written(lambda out, error: writers[format](pointer, width, height, out, error))


def read_skin(source: Union[Data, PathLike]) -> dict[str, str]:
    """Reads a .skin file: the path of each surface's texture or shader. Surfaces are in lower case."""
    data, error = read(source), new_error()
    skin = owned(lib.lm_skin_read(data_of(data), len(data), ffi.NULL, error), lib.lm_skin_free, error)
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
    return written(lambda out, error: lib.lm_skin_write(entries, len(surfaces), names, len(tags), out, error))
