#!/usr/bin/env python3
"""Generates common/image/font_table.inc: make_font.py FONT.ttf

FONT.ttf is DejaVu Sans Condensed 2.37 (Debian: fonts-dejavu-extra), drawn by FreeType at SIZE pixels (python3-freetype).
Other versions of the font or of FreeType may draw some pixels differently. The licence is docs/LICENSE-DejaVu.txt.
"""
import pathlib
import sys

import freetype

SIZE = 13
CHARACTERS = [*range(0x20, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100), 0x2026, 0xFFFD]
TABLE = pathlib.Path(__file__).resolve().parents[1] / "common/image/font_table.inc"
# Light hinting keeps the widths of glyphs.
DRAW = freetype.FT_LOAD_TARGET_LIGHT | freetype.FT_LOAD_RENDER
LINE = 88  # pixels on a line of the table


def draw(face, character):
    """Returns advance, left, top, width, height, and a list of coverages from 0 to 15."""
    face.load_char(chr(character), DRAW)
    slot, bitmap = face.glyph, face.glyph.bitmap
    levels = [(bitmap.buffer[y * bitmap.pitch + x] * 15 + 127) // 255
              for y in range(bitmap.rows) for x in range(bitmap.width)]
    return ((slot.advance.x + 32) // 64, slot.bitmap_left, slot.bitmap_top, bitmap.width, bitmap.rows), levels


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    face = freetype.Face(sys.argv[1])
    face.set_pixel_sizes(0, SIZE)
    with open(TABLE, "w", encoding="ascii") as file:
        file.write(f"/* DejaVu Sans Condensed, {SIZE} pixels; licence: docs/LICENSE-DejaVu.txt.\n"
                   " * Made by scripts/make_font.py. */\n"
                   "static const font_glyph font_glyphs[] = {\n")
        for character in CHARACTERS:
            numbers, levels = draw(face, character)
            digits = "".join(f"{level:x}" for level in levels)
            strings = "\n     ".join(f'"{digits[i:i + LINE]}"' for i in range(0, max(len(digits), 1), LINE))
            file.write("    {%s, %s},\n" % (", ".join(map(str, (character, *numbers))), strings))
        file.write("};\n")
    print(f"{len(CHARACTERS)} characters")


main()
