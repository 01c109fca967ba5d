"""Compares every pixel of random images of every kind: tests/oracle/image_files.py makes them, the library reads them and
writes PNGs, and the oracle reads these."""
import ctypes
import os
import pathlib
import random
import sys
import zipfile

import image_files
import skipping

LIBRARY = ctypes.CDLL(os.environ["LERPMESH_ASSETS_SHARED_LIBRARY"])


class Image(ctypes.Structure):
    _fields_ = [("format", ctypes.c_char_p), ("width", ctypes.c_uint32),
                ("height", ctypes.c_uint32), ("pixels", ctypes.POINTER(ctypes.c_uint8)),
                ("indices", ctypes.POINTER(ctypes.c_uint8))]


class Buffer(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(ctypes.c_uint8)), ("size", ctypes.c_size_t),
                ("capacity", ctypes.c_size_t), ("max_size", ctypes.c_size_t),
                ("failed", ctypes.c_bool), ("allocator", ctypes.c_void_p * 4)]


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("offset", ctypes.c_size_t),
                ("section", ctypes.c_char * 48), ("message", ctypes.c_char * 1024)]


LIBRARY.lm_image_read.restype = ctypes.POINTER(Image)
LIBRARY.lm_pixels_write.restype = ctypes.c_bool
LIBRARY.lm_code_name.restype = ctypes.c_char_p


def read(data, what="a picture"):
    """Returns (width, height, RGBA) and the bytes of the library's PNG; None if stb is not built in."""
    error = Error()
    image = LIBRARY.lm_image_read(data, ctypes.c_size_t(len(data)), None, ctypes.byref(error))
    if not image:
        if LIBRARY.lm_code_name(error.code) == b"not-built-in":
            return None
        sys.exit(f"{what} is refused: {error.message.decode()}")
    it = image.contents
    got = it.width, it.height, ctypes.string_at(it.pixels, 4 * it.width * it.height)
    out = Buffer()
    if not LIBRARY.lm_pixels_write(it.pixels, it.width, it.height, 0, None, ctypes.byref(out), None):
        sys.exit("a PNG was not written")
    png = ctypes.string_at(out.data, out.size)
    LIBRARY.lm_buffer_free(ctypes.byref(out))
    LIBRARY.lm_image_free(image)
    return got, png


def compare(what, data, rows):
    """rows: lists of RGBA tuples."""
    result = read(data)
    if result is None:
        return 0
    got, png = result
    expected = len(rows[0]), len(rows), bytes(v for row in rows for pixel in row for v in pixel)
    if got != expected:
        sys.exit(f"{what}: other pixels than the oracle's")
    if image_files.png_read(png) != expected:
        sys.exit(f"{what}: the PNG shows other pixels")
    return 1


def rows_of(rng, width, height, value):
    """Random rows, some of one value, some with runs, so that both kinds of packing occur."""
    kinds = [lambda: [value()] * width,
             lambda: [value() for _ in range(width)],
             lambda: [v for v in [value() for _ in range(width)] for _ in range(5)][:width]]
    return [rng.choice(kinds)() for _ in range(height)]


def random_pcx(rng):
    bits, planes = rng.choice([(8, 1), (8, 3), (8, 4), (1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (4, 1)])
    size = rng.randrange(1, 90), rng.randrange(1, 40)
    how = {"padding": rng.randrange(5), "raw": rng.random() < 0.3, "origin": (rng.randrange(900), rng.randrange(900))}
    if planes * bits > 8:
        rows = rows_of(rng, *size, lambda: tuple(rng.randrange(256) for _ in range(planes)))
        shown = [[(*p, 255)[:4] for p in row] for row in rows]
        return image_files.pcx_write(rows, bits, planes, **how), shown
    colours = [tuple(rng.randrange(256) for _ in range(3)) for _ in range(256)]
    rows = rows_of(rng, *size, lambda: rng.randrange(1 << bits * planes))
    if bits == 8:
        how["colours"] = colours
    elif bits * planes > 1 and rng.random() < 0.3:
        how["version"], colours = rng.choice((0, 3)), image_files.EGA
    else:
        how["header_colours"] = bytes(sum(colours[:16], ()))
    return (image_files.pcx_write(rows, bits, planes, **how), [[(*colours[i], 255) for i in row] for row in rows])


def random_tga(rng):
    size = rng.choice((3, 4))
    rows = rows_of(rng, rng.randrange(1, 60), rng.randrange(1, 20),
                   lambda: tuple(rng.randrange(256) for _ in range(size)))
    data = image_files.tga_write(rows, packed=rng.random() < 0.5, upwards=rng.random() < 0.5)
    return data, [[(*p, 255)[:4] for p in row] for row in rows]


def random_bmp(rng):
    size = rng.choice((1, 3, 4))
    colours = [tuple(rng.randrange(256) for _ in range(3)) for _ in range(256)] if size == 1 else None
    rows = rows_of(rng, rng.randrange(1, 60), rng.randrange(1, 20), lambda: rng.randrange(256) if colours else
                   tuple(rng.randrange(1, 256) for _ in range(size)))
    data = image_files.bmp_write(rows, colours, packed=bool(colours and rng.random() < 0.5), upwards=rng.random() < 0.5)
    return data, [[(*colours[p], 255) if colours else (*p, 255)[:4] for p in row] for row in rows]


def random_png(rng):
    colour = rng.choice((0, 2, 3, 4, 6))
    step = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    rows = rows_of(rng, rng.randrange(1, 60), rng.randrange(1, 20),
                   lambda: tuple(rng.randrange(256) for _ in range(step)))
    palette = [tuple(rng.randrange(256) for _ in range(3)) for _ in range(256)]
    alpha = [rng.randrange(256) for _ in range(rng.randrange(1, 256))] if colour == 3 else None
    full = (alpha or []) + [255] * 256
    show = {0: lambda p: (p[0], p[0], p[0], 255), 2: lambda p: (*p, 255), 6: lambda p: p,
            3: lambda p: (*palette[p[0]], full[p[0]]), 4: lambda p: (p[0], p[0], p[0], p[1])}[colour]
    data = image_files.png_write([bytes(v for p in row for v in p) for row in rows], colour,
                              palette if colour == 3 else None, alpha, (0, 1, 2, 3, 4))
    return data, [[show(p) for p in row] for row in rows]


def large_image():
    """Makes an image with many blocks of deflate, long matches and large distances."""
    rng = random.Random(5)
    block = [tuple(rng.randrange(256) for _ in range(3)) for _ in range(700)]
    rows = [block[y % 50:] + block[:y % 50] for y in range(200)]
    return image_files.pcx_write(rows, 8, 3), [[(*p, 255) for p in row] for row in rows]


def seeds():
    """Reads the fuzzers' handwritten seeds, except those that need repair. Returns their number. Inputs found by a
    fuzzer may be damaged."""
    count = 0
    for kind in "pcx", "bmp", "png", "jpeg", "tga":
        with zipfile.ZipFile(pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"], "fuzz", "seeds", f"{kind}.zip")) as archive:
            for name in archive.namelist():
                if name not in ("repaired", "no_palette", "moves") and not name.startswith("found-"):
                    read(archive.read(name), f"{kind}/{name}")
                    count += 1
    return count


def main():
    rng = random.Random(20)
    counts = {}
    for kind in (random_pcx, random_bmp, random_tga, random_png):
        for number in range(150):
            data, rows = kind(rng)
            counts[kind.__name__] = counts.get(kind.__name__, 0) + compare(f"{kind.__name__} {number}", data, rows)
    compare("the large picture", *large_image())
    if counts["random_pcx"] != 150 or counts["random_bmp"] != 150 or {counts["random_png"], counts["random_tga"]} not in ({0}, {150}):
        sys.exit(f"too few were compared: {counts}")
    if counts["random_png"] == 0:
        skipping.report_skipped("PNG, JPEG and TGA", "built without stb")
    counts["seeds"] = seeds()
    if counts["seeds"] == 0:
        sys.exit("there are no seeds")
    print(", ".join(f"{count} of {name}" for name, count in counts.items()))


main()
