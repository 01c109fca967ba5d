#!/usr/bin/env python3
"""Generates common/image/font_table.inc: make_font.py FONT.ttf

FONT.ttf is DejaVu Sans Condensed 2.37 (Debian: fonts-dejavu-extra), drawn by FreeType at SIZE pixels.
Other versions of the font or of FreeType may draw some pixels differently. The licence is
docs/LICENSE-DejaVu.txt.
"""
import ctypes
import os
import sys

SIZE = 13
CHARACTERS = [*range(0x20, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100), 0x2026, 0xFFFD]
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common", "image",
                     "font_table.inc")
LIGHT = 1 << 16  # FT_LOAD_TARGET_LIGHT: glyphs keep their widths
RENDER = 4  # FT_LOAD_RENDER


class Bitmap(ctypes.Structure):
    _fields_ = [("rows", ctypes.c_uint), ("width", ctypes.c_uint), ("pitch", ctypes.c_int),
                ("buffer", ctypes.POINTER(ctypes.c_ubyte)), ("grays", ctypes.c_ushort),
                ("mode", ctypes.c_ubyte), ("palette_mode", ctypes.c_ubyte),
                ("palette", ctypes.c_void_p)]


class Slot(ctypes.Structure):
    _fields_ = [("before", ctypes.c_void_p * 3), ("index", ctypes.c_uint),
                ("generic", ctypes.c_void_p * 2), ("metrics", ctypes.c_long * 8),
                ("linear", ctypes.c_long * 2), ("advance", ctypes.c_long * 2),
                ("format", ctypes.c_int), ("bitmap", Bitmap), ("left", ctypes.c_int),
                ("top", ctypes.c_int)]


class Face(ctypes.Structure):
    _fields_ = [("numbers", ctypes.c_long * 5), ("names", ctypes.c_void_p * 2),
                ("num_sizes", ctypes.c_int), ("sizes", ctypes.c_void_p),
                ("num_charmaps", ctypes.c_int), ("charmaps", ctypes.c_void_p),
                ("generic", ctypes.c_void_p * 2), ("box", ctypes.c_long * 4),
                ("units", ctypes.c_ushort), ("shorts", ctypes.c_short * 7),
                ("glyph", ctypes.POINTER(Slot))]


def open_face(freetype, path):
    library, face = ctypes.c_void_p(), ctypes.POINTER(Face)()
    if freetype.FT_Init_FreeType(ctypes.byref(library)) or \
            freetype.FT_New_Face(library, path.encode(), 0, ctypes.byref(face)) or \
            freetype.FT_Set_Pixel_Sizes(face, 0, SIZE):
        sys.exit(f"{path}: FreeType cannot read it")
    return face


def draw(freetype, face, character):
    """Returns advance, left, top, width, height, and a list of coverages from 0 to 15."""
    if freetype.FT_Load_Char(face, ctypes.c_ulong(character), LIGHT | RENDER):
        sys.exit(f"U+{character:04X} cannot be drawn")
    slot = face.contents.glyph.contents
    bitmap = slot.bitmap
    levels = [(bitmap.buffer[y * bitmap.pitch + x] * 15 + 127) // 255
              for y in range(bitmap.rows) for x in range(bitmap.width)]
    return ((slot.advance[0] + 32) // 64, slot.left, slot.top, bitmap.width, bitmap.rows), levels


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    freetype = ctypes.CDLL("libfreetype.so.6")
    face = open_face(freetype, sys.argv[1])
    glyphs, coverage = [], []
    for character in CHARACTERS:
        numbers, levels = draw(freetype, face, character)
        glyphs.append((character, *numbers, len(coverage)))
        levels += [0] * (len(levels) % 2)
        coverage += [levels[i] << 4 | levels[i + 1] for i in range(0, len(levels), 2)]
    with open(TABLE, "w", encoding="ascii") as file:
        file.write(f"/* DejaVu Sans Condensed, {SIZE} pixels; licence: docs/LICENSE-DejaVu.txt.\n"
                   " * Made by scripts/make_font.py. */\n"
                   "static const font_glyph font_glyphs[] = {\n")
        for i in range(0, len(glyphs), 3):
            file.write("    " + " ".join("{" + ", ".join(map(str, glyph)) + "}," for glyph in glyphs[i:i + 3]) + "\n")
        file.write("};\n\n/* Two pixels per byte, the first in the upper four bits; 15 is full coverage. */\n"
                   "static const uint8_t font_coverage[] = {\n")
        for i in range(0, len(coverage), 23):
            file.write("    " + " ".join(f"{byte}," for byte in coverage[i:i + 23]) + "\n")
        file.write("};\n")
    print(f"{len(glyphs)} characters, {len(coverage)} bytes")


main()
