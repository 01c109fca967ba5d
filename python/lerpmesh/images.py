"""Writing images and .skin files."""
from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from .library import Bytes, Data, Kept, PathLike, data_of, ffi, lib, new_error, owned, read, view, written


def read_image(source: Union[Data, PathLike]) -> Bytes:
    """Returns the pixels of a PNG, JPEG, TGA or PCX: [height, width, 4] red, green, blue, alpha; rows from the top."""
    data, error = read(source), new_error()
    image = owned(lib.lm_image_read(data_of(data), len(data), ffi.NULL, error), lib.lm_image_free, error)
    return view(image.pixels, (image.height, image.width, 4), "u1", image)


def write_image(pixels: Bytes, format: str, *, palette: Optional[Bytes] = None) -> bytes:
    """Returns pixels [height, width, 4] as a "png", a "tga" for old games, or a "pcx" for Quake II. A PCX has the
    nearest colours of a palette [256, 3].

    >>> import numpy as np
    >>> read_image(write_image(np.full((2, 4, 4), 255, np.uint8), "tga")).shape
    (2, 4, 4)
    """
    kept = Kept()
    height, width = np.shape(pixels)[:2]
    memory = kept.array(pixels, "u1", (height, width, 4), "the pixels")
    if format in ("png", "tga"):
        call = lib.lm_pixels_write_png if format == "png" else lib.lm_pixels_write_tga
        return written(lambda out, error: call(memory, width, height, out, error))
    if format != "pcx" or palette is None:
        raise ValueError("the format is png, tga or pcx; pcx needs a palette")
    colours = ffi.new("lm_palette *", {"num_colors": 256})
    ffi.memmove(colours.rgb, kept.array(palette, "u1", (256, 3), "the palette"), 768)
    return written(lambda out, error: lib.lm_pixels_write_pcx(memory, width, height, colours, out, error))


def write_skin(surfaces: Mapping[str, str], tags: Sequence[str] = ()) -> bytes:
    """Returns a .skin file: the path of each surface's texture or shader, and the tags.

    >>> write_skin({"head": "models/a/face.tga"}, ["tag_hat"]).split()
    [b'head,models/a/face.tga', b'tag_hat,']
    """
    kept = Kept()
    entries: Any = kept.structs("lm_skin_entry", [{"surface": kept.text(name), "path": kept.text(path)}
                                                  for name, path in surfaces.items()])
    names = kept.texts(tags)
    return written(lambda out, error: lib.lm_skin_write(entries, len(surfaces), names, len(tags), out, error))
