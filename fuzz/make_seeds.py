#!/usr/bin/env python3
"""make_seeds.py FOLDER: writes the fuzzers' seeds: small files that together have every feature of the files that
the library reads, one or a few features per file. Every Python version writes the same bytes. seeds.py packs them.

Seeds are for fuzzers only: they are written from the formats' descriptions (docs/reference/formats.md), independently of
the library."""
import base64
import binascii
import json
import os
import struct
import sys

ROOT = sys.argv[1]
SEPARATOR = b"\n%%%%\n"


def write(kind, name, data, choices=None):
    """`choices`: the options that the seed selects, see fuzz/fuzz.h."""
    if choices is not None:
        data += struct.pack("<I", choices) + b"\xa5"
    os.makedirs(os.path.join(ROOT, kind), exist_ok=True)
    with open(os.path.join(ROOT, kind, name), "wb") as file:
        file.write(data)


def text(string, size):
    return string.encode("latin-1")[:size].ljust(size, b"\0")


def vertex_bytes(i, normal):
    return bytes(((i * 53) % 256, (i * 91) % 256, (i * 29) % 256, normal))


# ---- MD2 ----------------------------------------------------------------------------------------


def md2(frames=("stand01", "stand02", "run1"), vertices=4, triangles=((0, 1, 2), (2, 1, 3)), sts=5,
        skins=("models/a/skin.pcx",), glcmds=None, normal=5, extra=0, order="skins st tris frames glcmds",
        trailing=b"", width=64):
    if glcmds is None:
        glcmds = b""
        for sign, corners in ((1, (0, 1, 2, 3)), (-1, (3, 2, 1))):
            glcmds += struct.pack("<i", sign * len(corners))
            for v in corners:
                glcmds += struct.pack("<ffi", v / 4, 1 - v / 8, v)
        glcmds += struct.pack("<i", 0)
    framesize = 40 + 4 * vertices + extra
    lumps = {
        "skins": b"".join(text(s, 64) for s in skins),
        "st": b"".join(struct.pack("<hh", i * 7 % 64, i * 5 % 32) for i in range(sts)),
        "tris": b"".join(struct.pack("<6H", *t, *(min(v + i, sts - 1) for v in t))
                         for i, t in enumerate(triangles)),
        "frames": b"".join(
            struct.pack("<6f", 0.5, 0.25, 0.125 + f, -f, 2.5, -8) + text(name, 16) +
            b"".join(vertex_bytes(i + f, (normal + i) % 162) for i in range(vertices)) + bytes(extra)
            for f, name in enumerate(frames)),
        "glcmds": glcmds,
    }
    offsets, body = {}, b""
    for name in order.split():
        offsets[name] = 68 + len(body)
        body += lumps[name]
    head = struct.pack("<4s16i", b"IDP2", 8, width, 32, framesize, len(skins), vertices, sts,
                       len(triangles), len(glcmds) // 4, len(frames),
                       *(offsets[n] for n in ("skins", "st", "tris", "frames", "glcmds")),
                       68 + len(body))
    return head + body + trailing


def make_md2():
    write("md2", "plain", md2())
    write("md2", "repaired", md2(normal=160, triangles=((0, 1, 2), (0, 0, 1), (9, 9, 9))), 1)
    write("md2", "gl", md2(), 6)
    write("md2", "bare", md2(skins=(), glcmds=b"", frames=("a",), triangles=((0, 1, 2),), vertices=3, sts=3))
    write("md2", "names", md2(frames=("pain101", "pain102", "pain201", "run", "attack_10.x", "0123456789abcdef")))
    write("md2", "precise", md2(extra=12))
    write("md2", "reordered", md2(order="glcmds frames tris st skins", trailing=b"end"))
    write("md2", "computed", md2(triangles=((0, 1, 2), (2, 1, 3), (0, 2, 1), (3, 1, 2))), 2)
    write("md2", "automatic", md2(normal=0), 4)
    write("md2", "skins", md2(skins=("a\\B.PCX", "x" * 70, "")))
    write("md2", "flat", md2(vertices=3, triangles=((0, 1, 2),), sts=1, width=0), 1)


# ---- MD3 and MDC --------------------------------------------------------------------------------


def mesh_frames(names):
    return b"".join(struct.pack("<10f", -1, -2, -3, 4 + f, 5, 6, 0.5, f, -1, 9) + text(n, 16)
                    for f, n in enumerate(names))


def md3_surface(name, frames, vertices=3, triangles=((0, 1, 2),), shaders=("models/a/skin.tga",),
                ident=b"IDP3", normal=0x3010):
    parts = [
        b"".join(struct.pack("<3i", *t) for t in triangles),
        b"".join(text(s, 64) + struct.pack("<i", i) for i, s in enumerate(shaders)),
        b"".join(struct.pack("<2f", i / 4, 1 - i / 3) for i in range(vertices)),
        b"".join(struct.pack("<3hH", 64 * i, -32 * f, 16 * i * i, (normal + i * 7) & 0xFFFF)
                 for f in range(frames) for i in range(vertices)),
    ]
    offsets, at = [], 108
    for part in parts:
        offsets.append(at)
        at += len(part)
    head = ident + text(name, 64) + struct.pack("<10i", 0, frames, len(shaders), vertices,
                                                len(triangles), *offsets, at)
    return head + b"".join(parts)


def axes(turn):
    return ((0, turn, 0), (-1, 0, 0), (0, 0, 1))


def md3(frames=("stand1", "run1"), tags=("tag_head",), surfaces=None, turn=1.0, trailing=b""):
    if surfaces is None:
        surfaces = [md3_surface("h_head", len(frames))]
    lumps = [
        mesh_frames(frames),
        b"".join(text(t, 64) + struct.pack("<12f", f, i, -1, *sum(axes(turn), ()))
                 for f in range(len(frames)) for i, t in enumerate(tags)),
        b"".join(surfaces),
    ]
    offsets, at = [], 108
    for lump in lumps:
        offsets.append(at)
        at += len(lump)
    head = struct.pack("<4si", b"IDP3", 15) + text("models/a.md3", 64) + struct.pack(
        "<9i", 0, len(frames), len(tags), len(surfaces), 0, *offsets, at)
    return head + b"".join(lumps) + trailing


QUAD = ((0, 1, 2), (2, 1, 3))


def make_md3():
    write("md3", "plain", md3())
    write("md3", "tags", md3(tags=("tag_head", "tag_weapon", "TAG_HEAD"), surfaces=[], turn=-2.5))
    write("md3", "two", md3(tags=(), surfaces=[md3_surface("a", 2), md3_surface("b_1", 2, 4, QUAD, ("", "b"))]))
    write("md3", "empty_surface", md3(surfaces=[md3_surface("e", 2, 0, (), ())]))
    write("md3", "repaired", md3(surfaces=[md3_surface("r", 2, 3, ((0, 1, 7), (0, 0, 0), (0, 1, 2)))], trailing=b"x"), 1)
    write("md3", "computed", md3(surfaces=[md3_surface("c", 2, 4, QUAD)]), 2)
    write("md3", "automatic", md3(surfaces=[md3_surface("c", 2, 4, QUAD, normal=0)]), 4)
    write("md3", "borrowed", md3(), 24)
    write("md3", "still", md3(frames=("one",), surfaces=[md3_surface("s", 1, ident=b"\0\0\0\0")]))


def mdc_surface(name, frames, base=(0,), comp=(-1,), vertices=3, triangles=((0, 1, 2),), tables=True):
    bases, comps = max(base) + 1, max(comp) + 1
    parts = [
        b"".join(struct.pack("<3i", *t) for t in triangles),
        text("models/a/skin.tga", 64) + struct.pack("<i", 0),
        b"".join(struct.pack("<2f", i / 4, 1 - i / 3) for i in range(vertices)),
        b"".join(struct.pack("<3hH", 64 * i, -32 * b, 16 * i, 0x2010 + i) for b in range(bases) for i in range(vertices)),
        b"".join(vertex_bytes(i + c, 200) for c in range(comps) for i in range(vertices)),
        b"".join(struct.pack("<h", base[f % len(base)]) for f in range(frames)) if tables else b"",
        b"".join(struct.pack("<h", comp[f % len(comp)]) for f in range(frames)) if tables else b"",
    ]
    offsets, at = [], 124
    for part in parts:
        offsets.append(at)
        at += len(part)
    if not tables:
        offsets[5:7] = [0, 0]
    head = struct.pack("<i", 7) + text(name, 64) + struct.pack(
        "<14i", 0, comps, bases, 1, vertices, len(triangles), *offsets, at)
    return head + b"".join(parts)


def mdc(frames=("a1", "a2", "b1"), tags=("tag_hand",), surfaces=None, trailing=b""):
    if surfaces is None:
        surfaces = [mdc_surface("body", len(frames), (0, 0, 1), (-1, 0, 1))]
    lumps = [
        mesh_frames(frames),
        b"".join(text(t, 64) for t in tags),
        b"".join(struct.pack("<6h", 64 * f, -5, 7, 8175 * f, -4000, 32700) for f in range(len(frames)) for _ in tags),
        b"".join(surfaces),
    ]
    offsets, at = [], 112
    for lump in lumps:
        offsets.append(at)
        at += len(lump)
    head = struct.pack("<4si", b"IDPC", 2) + text("models/a.mdc", 64) + struct.pack(
        "<10i", 0, len(frames), len(tags), len(surfaces), 0, *offsets, at)
    return head + b"".join(lumps) + trailing


def make_mdc():
    write("mdc", "plain", mdc())
    write("mdc", "prinz", mdc(), 12)
    write("mdc", "no_tables", mdc(surfaces=[mdc_surface("n", 3, tables=False)]))
    write("mdc", "tags", mdc(tags=("tag_a", "tag_b"), surfaces=[]))
    write("mdc", "two", mdc(tags=(), surfaces=[mdc_surface("a", 3), mdc_surface("b", 3, (0,), (0, 0), 4, QUAD)]))
    write("mdc", "repaired", mdc(surfaces=[mdc_surface("r", 3, (0, 0, 5), (-1, -1, 9), 3, ((0, 1, 8), (0, 1, 2)))]), 1)
    write("mdc", "computed", mdc(surfaces=[mdc_surface("c", 3, (0, 1), (0, -1), 4, QUAD)]), 2)
    write("mdc", "borrowed", mdc(trailing=b"abc"), 24)


# ---- MDL ----------------------------------------------------------------------------------------


def mdl(skins=(1,), frames=(("stand1", 1), ("flame", 2)), vertices=4, triangles=QUAD, width=4, flags=0):
    body = b""
    for pictures in skins:
        pixels = bytes((i * 37) % 256 for i in range(width * 2))
        body += struct.pack("<i", 0) if pictures == 1 else struct.pack("<ii", 1, pictures) + b"".join(
            struct.pack("<f", 0.5 * (i + 1)) for i in range(pictures))
        body += pixels * pictures
    body += b"".join(struct.pack("<3i", 32 * (i % 2), i, i % 2) for i in range(vertices))
    body += b"".join(struct.pack("<4i", i % 2, *t) for i, t in enumerate(triangles))
    for name, poses in frames:
        bounds = bytes((0, 0, 0, 0, 255, 255, 255, 0))
        body += struct.pack("<i", 0) if poses == 1 else struct.pack("<ii", 1, poses) + bounds + b"".join(
            struct.pack("<f", 0.1 * (i + 1)) for i in range(poses))
        for p in range(poses):
            body += bounds + text(f"{name}{p}" if poses > 1 else name, 16)
            body += b"".join(vertex_bytes(i + p, (40 + i) % 162) for i in range(vertices))
    return struct.pack("<4si10f8if", b"IDPO", 6, 0.5, 0.25, -0.125, -10, 20, 30, 77, 1, 2, 3, len(skins),
                       width, 2, vertices, len(triangles), len(frames), 1, flags, 9.5) + body


def make_mdl():
    write("mdl", "plain", mdl())
    write("mdl", "skins", mdl(skins=(1, 2, 3)))
    write("mdl", "holes", mdl(flags=1 << 14, skins=(2,)))
    write("mdl", "bare", mdl(skins=(), frames=(("a", 1),), vertices=3, triangles=((0, 1, 2),)))
    write("mdl", "names", mdl(frames=(("run1", 1), ("run2", 1), ("death", 3), ("x" * 20, 1))))
    write("mdl", "repaired", mdl(triangles=((0, 1, 9), (0, 1, 2)), skins=(1,)) + b"trailing", 1)
    write("mdl", "computed", mdl(), 2)


# ---- Texts --------------------------------------------------------------------------------------

SHADER = b"""// comment
models/a/skin.tga
{
\tcull none
\tdeformVertexes wave 100 sin 3 0.5 0 0.4
\t{
\t\tmap models/a/skin.tga
\t\tblendFunc GL_SRC_ALPHA GL_ONE_MINUS_SRC_ALPHA
\t\talphaFunc GE128
\t\trgbGen wave sawtooth 0.5 0.5 0 2
\t\ttcMod scroll 0.1 -0.2
\t}
\t{
\t\tanimMap 4 a.tga b.tga
\t\tblendfunc add
\t\ttcGen environment
\t\ttcMod turb 0 0.2 0 1
\t}
}
"""
SKIN = b"tag_head,\nh_head,models/a/skin.tga\n\"a b\", \"x.jpg\" // comment\n/* c */\nbroken\n"
CONFIG = b"""sex m
headoffset 0 0 0
0\t3\t0\t20\t\t// BOTH_DEATH1
3\t2\t2\t15\t\t// TORSO_STAND
5\t4\t4\t10\t\t// LEGS_WALK
9\t-2\t1\t10\t\t// LEGS_RUN
"""
COMPOSITIONS = b"""// compositions
menu_model head { model "a/b" tag "tag_head" parent body skin 1 }
menu_model body
{
\tmodel\t"a/b" /* with a head */
\tneed\thead
\tanim\t"stand0"
}
menu_model many { model a/b need body need head need none need many }
team squad
{
\tmodels {
\t\tmale("a" "b" "b" 0 1)
\t\tfemale ( a b c 9 -1 )
\t}
\tactorsounds { male { hurtsound "x" } }
}
team open { models { neutral("a" "b
"""
ANM = b"// name first last fps\ndeath1\t0\t3\t30\nstand0 4 6 0 // slow\nstand0 1 0 10\n"
GROUPS = b"0 10 10 1 // idle\n10 5 20 0 // fire\n// only a comment\n15 2 0 1\n"


def make_texts():
    write("clips", "animation", CONFIG)
    write("clips", "groups", GROUPS, 5 << 3 | 0)
    write("clips", "anm", ANM, 4 << 2 | 3)
    write("clips", "anm_found", ANM)
    write("clips", "odd", b"\xef\xbb\xbf1 1 1 1\r\n2 -1 nan 1\rxyz\n99999999999 1 1 1\n", 8)
    for i, names in enumerate((b"stand01\nstand02\nrun1\nrun2", b"pain101\npain102\npain201",
                               b"\nx\n\xff\n0123456789abcdefg\nRun_2\nrun", b"stand1\nrun1\nattak1\npain101")):
        write("clips", f"names{i}", names, 5 << 3 | (0, 2, 3, 4)[i])
    write("clips", "table", b"", 7 << 3 | 5)
    write("clips", "player_table", b"stand01\nrun1", 6 << 3 | 2)
    write("skin", "plain", SKIN)
    write("skin", "odd", b"\xef\xbb\xbfA_1,\"\r\nb,c,d\r//\n,x\n/* open", )
    write("shader", "two", SHADER + b"other { nopicmip { clampMap \"q.jpg\" depthWrite } }")
    words = (
        b"deformVertexes move 1 2 3 triangle 0 1 0 1", b"deformVertexes bulge 1 2 3", b"deformVertexes normal 0.1 2",
        b"deformVertexes autosprite", b"deformVertexes autosprite2", b"deformVertexes projectionShadow", b"sort additive",
        b"sort 9.5", b"cull back", b"cull twosided", b"polygonOffset", b"surfaceparm trans", b"surfaceparm nodraw",
        b"skyparms env/a 512 -", b"fogParms ( 1 0 0 ) 100", b"nopicmip", b"qer_editorimage x.tga", b"q3map_sun 1 1 1 1 1 1")
    stages = (
        b"map $lightmap", b"map $whiteimage", b"map *white", b"clampMap a.tga", b"animMap 2 a b c d", b"videoMap a.roq",
        b"map a.tga rgbGen const ( 1 0.5 0 )", b"map a.tga rgbGen lightingDiffuse", b"map a.tga rgbGen vertex",
        b"map a.tga rgbGen wave noise 0 1 2 3", b"map a.tga alphaGen const 0.5", b"map a.tga alphaGen portal 100",
        b"map a.tga alphaGen wave square 0 1 0 1", b"map a.tga alphaGen lightingSpecular", b"map a.tga tcMod rotate 30",
        b"map a.tga tcMod stretch inversesawtooth 1 0.5 0 1", b"map a.tga tcMod transform 1 0 0 1 0 0",
        b"map a.tga tcMod scale 2 3", b"map a.tga tcGen vector ( 1 0 0 ) ( 0 1 0 )", b"map a.tga blendFunc filter",
        b"map a.tga blendFunc blend", b"map a.tga blendFunc GL_DST_COLOR GL_ZERO", b"map a.tga depthFunc equal",
        b"map a.tga alphaFunc GT0", b"map a.tga alphaFunc LT128", b"map a.tga detail")
    write("shader", "words", b"\n".join(b"w%d { %s\n { map a.tga } }" % (i, w) for i, w in enumerate(words)))
    for half in range(2):
        write("shader", f"stages{half}", b"\n".join(
            b"s%d {\n{\n%s\n}\n}" % (i, s.replace(b" ", b"\n", 0)) for i, s in enumerate(stages[13 * half:13 * half + 13])))
    write("shader", "damage", b"a { { map } b { /* c\n\"open")


# ---- Images -------------------------------------------------------------------------------------


def deflate_stored(data):
    size = len(data)
    return b"\x01" + struct.pack("<HH", size, size ^ 0xFFFF) + data


def adler(data):
    a, b = 1, 0
    for byte in data:
        a = (a + byte) % 65521
        b = (b + a) % 65521
    return b << 16 | a


def fixed_literals(data):
    """A deflate block of fixed codes: literals below 144, and a match for a byte repeated four times."""
    bits = [1, 1, 0]

    def code(value, length):
        bits.extend(value >> (length - 1 - i) & 1 for i in range(length))
    i = 0
    while i < len(data):
        code(0x30 + (data[i] & 127), 8)
        if data[i + 1:i + 4] == data[i:i + 1] * 3:
            code(1, 7)  # length 3
            code(0, 5)  # distance 1
            i += 3
        i += 1
    code(0, 7)
    bits += [0] * (-len(bits) % 8)
    return bytes(sum(bits[i + k] << k for k in range(8)) for i in range(0, len(bits), 8))


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", binascii.crc32(kind + data))


# Each pass of an interlaced image: its first pixel, and the distances between its pixels.
ADAM7 = (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)


def png(color, depth, width=3, height=2, interlace=0, extra=b"", filters=(0,), fixed=False):
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    row = (width * channels * depth + 7) // 8
    data = b"".join(bytes((filters[y % len(filters)],)) + bytes((17 * (x + y)) % 128 for x in range(row))
                    for y in range(height))
    if interlace:
        data = b"".join(bytes(1 + len(range(x, width, dx)) * channels * depth // 8)
                        for x, y, dx, dy in ADAM7 if x < width for _ in range(y, height, dy))
    if color == 3:
        data = bytes(1 if depth == 8 and i % (row + 1) else b for i, b in enumerate(data))
    packed = fixed_literals(data) if fixed else deflate_stored(data)
    stream = b"\x78\x01" + packed + struct.pack(">I", adler(data))
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlace)) +
            extra + png_chunk(b"IDAT", stream[:9]) + png_chunk(b"IDAT", stream[9:]) + png_chunk(b"IEND", b""))


PALETTE = bytes(range(0, 96, 2))


def make_png():
    for color, depth in ((0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (4, 8), (4, 16), (6, 8), (6, 16)):
        write("png", f"color{color}_{depth}", png(color, depth))
    for depth in (1, 2, 4, 8):
        write("png", f"palette{depth}", png(3, depth, extra=png_chunk(b"PLTE", PALETTE) + png_chunk(b"tRNS", b"\0\x80")))
    write("png", "interlaced", png(2, 8, 5, 5, 1))
    write("png", "filters", png(6, 8, 3, 5, filters=(0, 1, 2, 3, 4)))
    write("png", "transparent", png(0, 8, extra=png_chunk(b"tRNS", b"\0\x11")))
    write("png", "transparent_rgb", png(2, 8, extra=png_chunk(b"tEXt", b"a\0b") + png_chunk(b"tRNS", b"\0\1\0\2\0\3")))
    write("png", "fixed", png(0, 8, 12, 4, fixed=True))


def pcx(width=5, height=3, bits=8, planes=1, version=5, encoding=1, palette=True, tail=b"", choices=None, name=None):
    line = (width * bits + 7) // 8
    line += line % 2
    raw = bytes((i * 29) % 256 for i in range(line * planes * height))
    body = raw if not encoding else b"".join(
        (b"\xc2" + raw[i:i + 1] if i % 3 == 0 and i + 1 < len(raw) and raw[i] == raw[i + 1] else b"\xc1" + raw[i:i + 1])
        for i in range(len(raw)))
    head = struct.pack("<BBBB6H", 10, version, encoding, bits, 0, 0, width - 1, height - 1, 72, 72)
    head += bytes(range(48)) + struct.pack("<BBHHHH", 0, planes, line, 1, 320, 200)
    head = head.ljust(128, b"\0")
    colors = b"\x0c" + bytes(i // 3 for i in range(768)) if palette else b""
    write("pcx", name or f"b{bits}_p{planes}_v{version}_e{encoding}", head + body + colors + tail, choices)


def make_pcx():
    pcx()
    pcx(encoding=0)
    pcx(palette=False, name="no_palette", choices=6)
    for planes in (3, 4):
        pcx(planes=planes, palette=False)
    for bits, planes in ((1, 1), (1, 4), (2, 1), (4, 1), (1, 3), (2, 2)):
        pcx(bits=bits, planes=planes, palette=False)
    pcx(bits=1, planes=4, version=3, palette=False)
    pcx(bits=4, version=0, palette=False)
    pcx(palette=False, tail=bytes(768), name="unmarked_palette")
    pcx(height=9, palette=False, choices=1, name="repaired")


def make_tga():
    for kind in (1, 2, 3, 9, 10, 11):
        for depth in {1: (8,), 9: (8,), 3: (8, 16), 11: (8,)}.get(kind, (15, 16, 24, 32)):
            size = (depth + 7) // 8
            pixels = bytes((i * 31) % 7 if kind in (1, 9) else (i * 31) % 256 for i in range(size * 6))
            if kind >= 9:
                pixels = b"\x83" + pixels[:size] + b"\x01" + pixels[:2 * size]
            colors = bytes(range(21)) if kind in (1, 9) else b""
            head = struct.pack("<BBBHHBHHHHBB", 2, 1 if colors else 0, kind, 0, 7 if colors else 0, 24 if colors else 0,
                               0, 0, 3, 2, depth, 0x20 if kind % 2 else 8 if depth == 32 else 0)
            write("tga", f"t{kind}_{depth}", head + b"id" + colors + pixels)


def jpeg(components=1, sampling=0x11, progressive=False, restart=0, adobe=None, size=8):
    def segment(marker, data):
        return bytes((0xFF, marker)) + struct.pack(">H", len(data) + 2) + data
    out = b"\xff\xd8"
    if adobe is not None:
        out += segment(0xEE, b"Adobe\0\x64\0\0\0\0" + bytes((adobe,)))
    else:
        out += segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")
    out += segment(0xDB, b"\0" + bytes(range(1, 65)))
    frame = struct.pack(">BHHB", 8, size, size, components) + b"".join(
        bytes((c + 1, sampling if c == 0 else 0x11, 0)) for c in range(components))
    out += segment(0xC2 if progressive else 0xC0, frame)
    # DC: 0 is "no change", 10 a difference of 3 bits; AC: 0 ends the block, 10 one coefficient of 2 bits.
    out += segment(0xC4, b"\x00" + bytes((1, 1)) + bytes(14) + b"\x00\x03")
    out += segment(0xC4, b"\x10" + bytes((1, 1)) + bytes(14) + b"\x00\x02")
    if restart:
        out += segment(0xDD, struct.pack(">H", restart))
    table = b"".join(bytes((c + 1, 0)) for c in range(components))
    # Enough blocks, each 10 100, 10 01, 0, which a scan of DC or of AC alone can read too.
    data = int("1010010010" * 16, 2).to_bytes(20, "big")
    if progressive:
        out += segment(0xDA, bytes((components,)) + table + b"\0\0\x01") + data
        out += segment(0xDA, bytes((components,)) + table + b"\0\0\x10") + data
        out += segment(0xDA, b"\1\1\0\1\x3f\0") + data
    else:
        if restart:  # after each block, filled up with ones
            data = b"\xa4\xbf\xff\xd0\xa4\xbf\xff\xd1\xa4\xbf\xff\xd2\xa4\xbf"
        out += segment(0xDA, bytes((components,)) + table + b"\0\x3f\0") + data
    return out + b"\xff\xd9"


def make_jpeg():
    write("jpeg", "grey", jpeg())
    write("jpeg", "color", jpeg(3))
    write("jpeg", "subsampled", jpeg(3, 0x22, size=17))
    write("jpeg", "wide", jpeg(3, 0x21))
    write("jpeg", "high", jpeg(3, 0x12))
    write("jpeg", "progressive", jpeg(1, progressive=True))
    write("jpeg", "progressive_color", jpeg(3, 0x22, progressive=True))
    write("jpeg", "restarts", jpeg(1, restart=1, size=16))
    write("jpeg", "rgb", jpeg(3, adobe=0))
    write("jpeg", "cmyk", jpeg(4, adobe=0))
    write("jpeg", "ycck", jpeg(4, adobe=2))


def make_palettes():
    write("palette", "gpl", b"GIMP Palette\nName: x\nColumns: 4\n# c\n  0   0   0\tBlack\n255 128 0 Orange\n")
    write("palette", "lmp", bytes(i * 7 % 256 for i in range(768)))
    write("palette", "lmp_choices", bytes(768), 5)


# ---- Archives -----------------------------------------------------------------------------------

MEMBERS = ((b"models/a.md2", b"IDP2"), (b"Models\\b/c.tga", b"abcdabcdabcd"), (b"../up", b"x"), (b"empty", b""))


def pak(members, entry=56):
    body, entries = b"", b""
    for name, data in members:
        entries += name[:entry].ljust(entry, b"\0") + struct.pack("<ii", 12 + len(body), len(data))
        body += data
    return struct.pack("<4sii", b"PACK", 12 + len(body), len(entries)) + body + entries


def make_archives():
    write("pak", "plain", pak(MEMBERS))
    write("pak", "twice", pak(((b"a", b"1"), (b"A", b"22"), (b"a", b"333"))))
    write("pak", "none", pak(()))
    write("pak", "names", pak(((b"/abs", b"1"), (b"c:/x", b"1"), (b"a/../b", b"1"), (b"con", b"1"), (b"x" * 56, b"1"),
                               (b"models/a\nb\x1b", b"1"), (b"a/", b""))))

    def zipped(members, method=0, flags=0, comment=b"", descriptor=False):
        body, entries = b"", b""
        for name, data in members:
            packed = {0: data, 8: fixed_literals(bytes(b & 127 for b in data))}.get(method, data)
            data = bytes(b & 127 for b in data) if method == 8 else data
            crc = binascii.crc32(data)
            sizes = struct.pack("<III", crc, len(packed), len(data))
            local = struct.pack("<4s5H", b"PK\3\4", 20, flags, method, 0, 33) + (bytes(12) if descriptor else sizes)
            entries += struct.pack("<4s6H", b"PK\1\2", 20, 20, flags, method, 0, 33) + sizes + struct.pack(
                "<5HII", len(name), 4, 0, 0, 0, 0, len(body)) + name + b"\1\0\0\0"
            body += local + struct.pack("<HH", len(name), 0) + name + packed
            if descriptor:
                body += b"PK\7\x08" + sizes
        return body + entries + struct.pack("<4s4HIIH", b"PK\5\6", 0, 0, len(members), len(members),
                                            len(entries), len(body), len(comment)) + comment
    write("pk3", "stored", zipped(MEMBERS))
    write("pk3", "deflated", zipped(MEMBERS, 8))
    write("pk3", "descriptor", zipped(MEMBERS, 8, 8, descriptor=True))
    write("pk3", "comment", zipped(MEMBERS[:1], comment=b"PK\5\6 comment"))
    write("pk3", "encrypted", zipped(MEMBERS[:2], 0, 1))
    write("pk3", "unknown", zipped(MEMBERS[:2], 12))
    write("pk3", "none", zipped(()))
    write("pk3", "folders", zipped(((b"models/", b""), (b"models/a.md3", b"IDP3"), (b"MODELS/A.MD3", b"x"))))
    write("pk3", "before", b"not a zip" + zipped(MEMBERS[:1]))


# ---- Meshes -------------------------------------------------------------------------------------
# In the encoding that fuzz/mesh.c reads.

FRAME_NAMES, EMBEDDED, MESH_TIMES = 1, 2, 4
OWN_ROWS, NORMALS, ST, ST_TRIANGLES = 1, 2, 4, 8


def mesh_name(string):
    return bytes([0xF0]) if string is None else bytes([0xF1]) if len(string) > 23 else bytes([len(string)]) + string.encode()


def take_number(value):
    if value == value and abs(value) < 500:
        return struct.pack("<h", round(value * 64))
    return struct.pack("<Hf", 0x8000, value)


def mesh_numbers(values):
    return b"".join(take_number(v) for v in values)


def mesh_surface(name="body", frames=2, vertices=4, triangles=QUAD, materials=("models/a/skin.tga",), flags=NORMALS | ST,
                 apart=1.0, bad=None):
    out = bytes([flags]) + mesh_name(name) + bytes([vertices, len(triangles), len(materials)])
    out += b"".join(mesh_name(m) for m in materials)
    sts = 5 if flags & ST_TRIANGLES else 0
    out = out + bytes([sts]) if flags & ST_TRIANGLES else out
    for i in range(sts or (vertices if flags & ST else 0)):
        out += mesh_numbers((i / 8, 1 - i / 4))
    out += b"".join(bytes(t) for t in triangles)
    if flags & ST_TRIANGLES:
        out += b"".join(bytes(min(i + 1, 4) for i in t) for t in triangles)
    first = [(3.0 * (i % 2) * apart, 2.0 * (i // 2), 0.25 * i) for i in range(vertices)]
    if bad is not None:
        first[0] = (bad, 0, 0)
    for row in range(2 if flags & NORMALS else 1):
        out += b"".join(mesh_numbers((0, row - 1 + 2 * i, 64) if row else p) for i, p in enumerate(first))
        for f in range(1, frames):
            if flags & OWN_ROWS:
                out += b"".join(mesh_numbers((p[0] + f, p[1] - f * i, p[2] + 7 * (f % 2))) for i, p in enumerate(first))
            else:
                out += mesh_numbers((f, 0.5 * f, -0.25))
    return out


def animated_mesh(frames=2, surfaces=None, tags=(), clips=(), skins=(), names=None, missing=0, pictures=0, times=False, **more):
    if surfaces is None:
        surfaces = [mesh_surface(frames=frames, **more)]
    flags = (FRAME_NAMES if names else 0) | (EMBEDDED if pictures else 0) | (MESH_TIMES if times else 0)
    out = bytes([frames, len(surfaces), len(tags), len(clips), len(skins), flags, missing, 4, 2]) + mesh_name("made")
    out += b"".join(mesh_name(n) for n in names or ())
    for name, first, count, fps in clips:
        out += mesh_name(name) + bytes([first, count - 1, 0]) + take_number(fps)
        out += mesh_numbers([0.0] * (count + 1)) if times else b""
    out += b"".join(mesh_name(s) for s in skins)
    for _ in skins if pictures else ():
        out += bytes([pictures]) + bytes(range(8)) + (mesh_numbers([0.0] * (pictures + 1)) if times else b"")
    for name in tags:
        out += mesh_name(name)
        for f in range(frames):
            out += mesh_numbers((f, 2, 3) + sum(axes(1), ()))
    return out + b"".join(surfaces)


def make_meshes():
    clips = (("stand", 0, 2, 10), ("run", 2, 3, 12.5))
    write("mesh", "plain", animated_mesh())
    write("mesh", "clips", animated_mesh(5, clips=clips, tags=("tag_head", "tag_weapon"), skins=("models/a/skin.pcx",)), 2)
    write("mesh", "surfaces", animated_mesh(3, [mesh_surface("a", 3), mesh_surface("b", 3, 6, QUAD + ((0, 4, 5),), ("x", "y"))]), 1)
    write("mesh", "corners", animated_mesh(3, flags=OWN_ROWS | NORMALS | ST_TRIANGLES), 0)
    write("mesh", "bare", animated_mesh(1, vertices=3, triangles=((0, 1, 2),), materials=(), flags=0), 1)
    write("mesh", "tags", animated_mesh(3, [], tags=("tag_torso",)), 1)
    write("mesh", "names", animated_mesh(3, names=("a", "x" * 30, "run2"), skins=("s" * 70, ""), materials=("m" * 70,)), 0)
    write("mesh", "embedded", animated_mesh(2, skins=("one", "two"), pictures=2, times=True, clips=(("all", 0, 2, 10),)), 3)
    write("mesh", "alike", animated_mesh(2, clips=(("run", 0, 1, 10), ("run", 1, 1, 10)), tags=("tag_a", "tag_a")), 2)
    write("mesh", "apart", animated_mesh(9, flags=OWN_ROWS, apart=400.0), 1 + 4 * 5)
    write("mesh", "far", animated_mesh(2, bad=3e9), 0)
    write("mesh", "steady", animated_mesh(8, clips=(("stand", 0, 8, 10),), flags=OWN_ROWS), 4 * 8 * 3 * 2 * 2)
    write("mesh", "flat", animated_mesh(2, triangles=((0, 0, 1), (1, 1, 1), (0, 1, 2))), 0)
    for number, bad in enumerate((float("nan"), float("inf"), 2e12)):
        write("mesh", f"wild{number}", animated_mesh(2, bad=bad))
    for missing in (1, 3, 5, 8):
        write("mesh", f"missing{missing}", animated_mesh(2, tags=("tag_a",), clips=clips[:1], missing=missing), 2)
    write("mesh", "index", animated_mesh(2, triangles=((0, 1, 250),)))
    write("mesh", "two", SEPARATOR.join((animated_mesh(3), animated_mesh(3, apart=1.5))), 0)
    write("mesh", "others", SEPARATOR.join((animated_mesh(3, clips=clips[:1]), animated_mesh(2, tags=("tag_a",), clips=clips[:1]))), 4 * 8 * 3)


# ---- glTF ---------------------------------------------------------------------------------------

COMPONENTS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Gltf:
    """A file being built: each call adds a buffer view and an accessor."""

    def __init__(self):
        self.bytes, self.views, self.accessors = b"", [], []

    def view(self, data, **more):
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data), **more})
        self.bytes += data + bytes(-len(data) % 4)
        return len(self.views) - 1

    def put(self, kind, values, component=5126, **more):
        data = struct.pack(f"<{len(values)}{COMPONENTS[component]}", *values)
        self.accessors.append({"bufferView": self.view(data), "componentType": component, "type": kind,
                               "count": len(values) // WIDTHS[kind], **more})
        return len(self.accessors) - 1

    def json(self, uri=None, **rest):
        buffer = {"byteLength": len(self.bytes), **({"uri": uri} if uri else {})}
        return json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "buffers": [buffer],
                           "bufferViews": self.views, "accessors": self.accessors, **rest},
                          separators=(",", ":")).encode()

    def write(self, name, choices=0, **rest):
        """Writes the parts from which the fuzzer builds a .glb."""
        write("gltf", name, self.json(**rest) + SEPARATOR + self.bytes, choices)


TRIANGLE = (0, 0, 0, 1, 0, 0, 0, 1, 0)


def triangle_mesh(g, **more):
    return {"primitives": [{"attributes": {"POSITION": g.put("VEC3", TRIANGLE)}, **more}]}


def moved(g, path, values, interpolation=None, times=(0, 0.1, 0.2), node=0):
    kind = {"rotation": "VEC4", "weights": "SCALAR"}.get(path, "VEC3")
    sampler = {"input": g.put("SCALAR", times), "output": g.put(kind, values)}
    if interpolation:
        sampler["interpolation"] = interpolation
    return {"name": path, "samplers": [sampler], "channels": [{"sampler": 0, "target": {"node": node, "path": path}}]}


def make_gltf_meshes():
    g = Gltf()
    g.write("plain", nodes=[{"mesh": 0, "name": "body"}], meshes=[triangle_mesh(g)])
    g = Gltf()
    mesh = triangle_mesh(g, indices=g.put("SCALAR", (0, 1, 2, 2, 1, 0), 5121), material=0, mode=4)
    mesh["primitives"][0]["attributes"].update(
        NORMAL=g.put("VEC3", (0, 0, 1) * 3), TEXCOORD_0=g.put("VEC2", (0, 65535, 7, 9, 0, 1), 5123, normalized=True))
    g.write("dressed", nodes=[{"mesh": 0}], meshes=[mesh], images=[{"uri": "a.png"}], textures=[{"source": 0}],
            materials=[{"name": "cloth", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": {
                "KHR_texture_transform": {"offset": [0.5, 0], "rotation": 1, "scale": [2, 2]}}}}}])
    for mode in (0, 1, 5, 6):
        g = Gltf()
        mesh = {"primitives": [{"attributes": {"POSITION": g.put("VEC3", TRIANGLE + (1, 1, 0))}, "mode": mode}]}
        g.write(f"mode{mode}", nodes=[{"mesh": 0}], meshes=[mesh])
    g = Gltf()
    where, what = g.view(struct.pack("<H", 1)), g.view(struct.pack("<3f", 5, 6, 7))
    g.accessors.append({"componentType": 5126, "type": "VEC3", "count": 3, "sparse": {
        "count": 1, "indices": {"bufferView": where, "componentType": 5123}, "values": {"bufferView": what}}})
    g.write("sparse", nodes=[{"mesh": 0}], meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}])
    g = Gltf()
    both = g.view(struct.pack("<12f", *(TRIANGLE + (1, 2, 3))), byteStride=16)
    g.accessors.append({"bufferView": both, "byteOffset": 4, "componentType": 5126, "type": "VEC3", "count": 3})
    g.write("strided", nodes=[{"mesh": 0}], meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}])
    g = Gltf()
    mesh = {"primitives": [{"attributes": {"POSITION": g.put("VEC3", (0, 127, -127) * 3, 5120, normalized=True)}}]}
    g.write("quantized", nodes=[{"mesh": 0}], meshes=[mesh], extensionsRequired=["KHR_mesh_quantization"])
    g = Gltf()
    g.write("required", nodes=[{"mesh": 0}], meshes=[triangle_mesh(g)], extensionsRequired=["KHR_draco_mesh_compression"])
    g = Gltf()
    meshes = [triangle_mesh(g)]
    meshes[0]["primitives"] *= 2
    g.write("variants", nodes=[{"mesh": 0}], meshes=meshes, materials=[{"name": "a"}, {"name": "b"}], extensions={
        "KHR_materials_variants": {"variants": [{"name": "red"}]}})


def make_gltf_movements():
    for path, values in (("translation", (0, 0, 0, 1, 2, 3, 0, 1, 0)), ("scale", (1, 1, 1, 2, 2, 2, -1, 1, 1)),
                         ("rotation", (0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0))):
        for interpolation in (None, "STEP"):
            g = Gltf()
            mesh = triangle_mesh(g)
            g.write(f"{path}_{interpolation or 'linear'}".lower(), 0 if interpolation else 3, nodes=[{"mesh": 0}], meshes=[mesh],
                    animations=[moved(g, path, values, interpolation)])
    g = Gltf()
    mesh = triangle_mesh(g)
    g.write("cubic", 6, nodes=[{"mesh": 0, "rotation": [0, 0, 0, 1]}], meshes=[mesh], animations=[
        moved(g, "translation", [0.5 * i for i in range(27)], "CUBICSPLINE", (0, 0.1, 0.35))])
    g = Gltf()
    mesh = triangle_mesh(g, targets=[{"POSITION": g.put("VEC3", (0, 0, 1) * 3)}, {"NORMAL": g.put("VEC3", (0, 0, 1) * 3)}])
    g.write("morph", 9, nodes=[{"mesh": 0, "weights": [0.5, 0]}], meshes=[{**mesh, "weights": [0, 1]}], animations=[
        moved(g, "weights", (0, 0, 1, 0, 0, 1))])
    g = Gltf()
    mesh = triangle_mesh(g)
    mesh["primitives"][0]["attributes"].update(
        JOINTS_0=g.put("VEC4", (0, 1, 0, 0) * 3, 5121), WEIGHTS_0=g.put("VEC4", (128, 127, 0, 0) * 3, 5121, normalized=True))
    inverse = g.put("MAT4", (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) * 2)
    g.write("skin", 12, nodes=[{"mesh": 0, "skin": 0}, {"name": "Bone", "children": [2]}, {"name": "tag_head"}], meshes=[mesh],
            scenes=[{"nodes": [0, 1]}], skins=[{"joints": [1, 2], "inverseBindMatrices": inverse}],
            animations=[moved(g, "translation", (0, 0, 0, 1, 2, 3, 0, 1, 0), node=1),
                        moved(g, "rotation", (0, 0, 0, 1, 0, 0, 1, 0), times=(0, 2), node=2)])
    g = Gltf()
    mesh = triangle_mesh(g)
    g.write("tree", 24, nodes=[{"children": [1, 2], "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 3, 2, 1, 1]},
                               {"mesh": 0, "scale": [1, -1, 1], "name": "a\u00e9\n"}, {"name": "x", "extras": {"tag": "tag_\"x\""}}],
            meshes=[mesh])
    g = Gltf()
    mesh = triangle_mesh(g)
    g.write("long", 1 * 3, nodes=[{"mesh": 0}], meshes=[mesh], animations=[
        moved(g, "translation", TRIANGLE, times=(0, 1, 60)), moved(g, "scale", (1, 1, 1), times=(0.5,))])


# Encoders of meshopt's three modes. They compress nothing.


def pack_vertices(data, stride):
    """ATTRIBUTES: per byte of an element the zigzag differences of all elements, in groups of 16."""
    out, count = b"\xa0", len(data) // stride
    for k in range(stride):
        column = data[k::stride] + data[len(data) - stride + k:][:1] * (-count % 16)
        deltas = [(b - a + 128) % 256 - 128 for a, b in zip(column[:1] + column, column)]
        out += b"\xff" * ((count + 63) // 64) + bytes((d << 1 ^ d >> 7) & 255 for d in deltas)
    return out + bytes(max(32 - stride, 0)) + data[:stride]


def pack_sequence(indices):
    """INDICES: the zigzag difference from the index before, shifted by one."""
    out, last = b"\xd1", 0
    for index in indices:
        rest, last = ((index - last) << 1 ^ (index - last) >> 31) << 1, index
        while rest > 127:
            out, rest = out + bytes([rest & 127 | 128]), rest >> 7
        out += bytes([rest])
    return out + bytes(4)


def pack_triangles(count):
    """TRIANGLES: each has the next three vertices."""
    return b"\xe1" + b"\xf0" * count + bytes(16)


def packed_view(g, data, count, stride, mode="ATTRIBUTES", **more):
    """Adds a compressed view. The extension describes the compressed bytes, and the view the others."""
    view = g.view(data)
    about = dict(g.views[view])
    g.views[view] = {"buffer": 0, "byteLength": count * stride, "extensions": {"EXT_meshopt_compression": {
        **about, "byteStride": stride, "mode": mode, "count": count, **more}}}
    return view


def make_packed_gltfs():
    used = {"extensionsUsed": ["EXT_meshopt_compression"], "extensionsRequired": ["EXT_meshopt_compression"]}
    for name, triangles in (("packed", True), ("packed_sequence", False)):
        g = Gltf()
        view = packed_view(g, pack_vertices(struct.pack("<9f", *TRIANGLE), 12), 3, 12)
        g.accessors.append({"bufferView": view, "componentType": 5126, "type": "VEC3", "count": 3})
        view = packed_view(g, pack_triangles(1) if triangles else pack_sequence((0, 2, 1)), 3, 2,
                           "TRIANGLES" if triangles else "INDICES")
        g.accessors.append({"bufferView": view, "componentType": 5123, "type": "SCALAR", "count": 3})
        g.write(name, nodes=[{"mesh": 0}], meshes=[{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], **used)
    g = Gltf()
    octahedral = struct.pack("<12b", 0, 0, 127, 0, 90, -30, 127, 0, -127, 0, 127, 0)
    exponential = struct.pack("<9I", *(0xFE000000 | n for n in (0, 0, 0, 4, 0, 0, 0, 4, 8)))
    rotations = struct.pack("<12h", 0, 0, 0, 0x7FFF, 900, -900, 0, 0x7FFF, 0, 0x4000, 0, 0x7FFC)
    for data, stride, kind, component, name in ((exponential, 12, "VEC3", 5126, "EXPONENTIAL"),
                                                (octahedral, 4, "VEC3", 5120, "OCTAHEDRAL"),
                                                (rotations, 8, "VEC4", 5122, "QUATERNION")):
        view = packed_view(g, pack_vertices(data, stride), 3, stride, filter=name)
        g.accessors.append({"bufferView": view, "componentType": component, "type": kind, "count": 3,
                            **({} if component == 5126 else {"normalized": True})})
    g.views[1]["byteStride"] = 4
    turning = moved(g, "rotation", (0, 0, 0, 1) * 3)
    turning["samplers"][0]["output"] = 2
    g.write("packed_filters", 3, nodes=[{"mesh": 0}], animations=[turning],
            meshes=[{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1}}]}], **used)
    g = Gltf()  # 20 vertices: two groups
    many = struct.pack("<60h", *(7 * i % 200 - 100 for i in range(60)))
    many = b"".join(many[i:i + 6] + b"\0\0" for i in range(0, 120, 6))
    view = packed_view(g, pack_vertices(many, 8), 20, 8)
    g.views[view]["byteStride"] = 8
    g.accessors.append({"bufferView": view, "componentType": 5122, "type": "VEC3", "count": 20, "normalized": True})
    both = ["EXT_meshopt_compression", "KHR_mesh_quantization"]
    g.write("packed_quantized", nodes=[{"mesh": 0, "scale": [3, 3, 3]}], extensionsUsed=both, extensionsRequired=both,
            meshes=[{"primitives": [{"attributes": {"POSITION": 0}, "mode": 5}]}])


def sparse(g, base, kind, count, at, values, component=5123, **more):
    """Adds an accessor with some elements of its own; the others are those of `base`, or 0 if it is None."""
    where = g.view(struct.pack(f"<{len(at)}{COMPONENTS[component]}", *at))
    what = g.view(struct.pack(f"<{len(values)}f", *values))
    g.accessors.append({**({} if base is None else {"bufferView": base}), "componentType": 5126, "type": kind,
                        "count": count, **more, "sparse": {
                            "count": len(at), "indices": {"bufferView": where, "componentType": component},
                            "values": {"bufferView": what}}})
    return len(g.accessors) - 1


def make_sparse_gltfs():
    g = Gltf()
    base = g.view(struct.pack("<9f", *TRIANGLE))
    position = sparse(g, base, "VEC3", 3, (0, 2), (9, 8, 7, 1, 2, 3), 5121)
    target = sparse(g, None, "VEC3", 3, (1,), (0, 0, 4), 5125)
    mesh = {"primitives": [{"attributes": {"POSITION": position}, "targets": [{"POSITION": target}]}]}
    weights = moved(g, "weights", (0, 1, 0))
    weights["samplers"][0]["output"] = sparse(g, None, "SCALAR", 3, (1,), (1,))
    g.write("sparse_target", 3, nodes=[{"mesh": 0}], meshes=[mesh], animations=[weights])
    for name, at in (("sparse_unsorted", (2, 0)), ("sparse_twice", (1, 1)), ("sparse_beyond", (0, 3))):
        g = Gltf()
        sparse(g, g.view(struct.pack("<9f", *TRIANGLE)), "VEC3", 3, at, (9, 8, 7, 1, 2, 3))
        g.write(name, nodes=[{"mesh": 0}], meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}])


def make_gltfs():
    make_gltf_meshes()
    make_gltf_movements()
    make_packed_gltfs()
    make_sparse_gltfs()
    g = Gltf()
    mesh = triangle_mesh(g)
    rest = {"nodes": [{"mesh": 0}], "meshes": [mesh]}
    inside = "data:application/octet-stream;base64," + base64.b64encode(g.bytes).decode()
    write("gltf", "data_uri", g.json(uri=inside, **rest))
    g.write("beside", 1, uri="a%20b.bin", **rest)
    g.write("missing", 1, uri="missing.bin", **rest)
    g.write("damaged", 2 + 3 * (4 + 6 * 40), **rest)
    text = g.json(**rest)
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(g.bytes), b"BIN\0") + g.bytes
    write("gltf", "whole_glb", struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    write("gltf", "bom", b"\xef\xbb\xbf \r\n" + g.json(uri=inside, **rest) + b"\n\n")
    write("gltf", "odd", b'{"asset":{"version":"2.0","minVersion":"2.1"},"a":[1e400,-0,"\\u00e9\\ud83d\\ude00\\"",null,true,{}]}')
    write("gltf", "empty", b'{"asset":{"version":"2.0"}}')
    write("gltf", "old", b'{"asset":{"version":"1.0"}}')


# ---- Several files ------------------------------------------------------------------------------


# ---- Scenes of Assimp ---------------------------------------------------------------------------
# In the encoding that fuzz/fuzz_assimp.c reads.

NONE, BONE, HAND, BODY, WALK, UNIT, EMBEDDED_0, PATH = 128, 1, 2, 3, 4, 5, 6, 9


def raw(value):
    return b"\xff" + struct.pack("<f", value)


def eighths(*values):
    return bytes(128 + round(8 * v) for v in values)


def items(*parts):
    return bytes((len(parts),)) + b"".join(parts)


def shifted(x):
    """A transform with a translation."""
    return items(b"\3" + eighths(x))


def node(name, parent, meshes=(), transform=b"\0"):
    return bytes((name,)) + transform + items(*(bytes((m,)) for m in meshes)) + bytes((parent,))


def bone(name, *weights):
    return bytes((0, name)) + shifted(-1) + items(*(bytes((v,)) + eighths(w) for v, w in weights))


def target(*rows, flags=0):
    """`flags`: 2 no positions."""
    return bytes((flags,)) + b"".join(eighths(*row) for row in rows if not flags & 2) + eighths(1)


def scene_mesh(rows, faces, bones=(), targets=(), flags=3, method=0, material=0):
    """`flags`: 1 normals, 2 texture coordinates."""
    vectors = b"".join(eighths(*row) for row in rows)
    return (bytes((flags, BODY, len(rows))) + vectors * (1 + (flags & 1) + (flags >> 1 & 1)) +
            items(*(bytes(f) for f in faces)) + items(*bones) + bytes((method,)) + items(*targets) + bytes((material,)))


def keys(*times, width):
    return items(*(eighths(t, *((t, 0, 1, 1)[:width])) for t in times))


def assimp_animation(name, channels=(), morphs=(), ticks=1):
    return bytes((0, name)) + eighths(ticks) + items(*channels) + items(*morphs) + b"\0"


def assimp_scene(nodes, meshes, materials=(), textures=(), animations=(), metadata=b"\0"):
    """Follows a file that is read, one that is not there, and no abort()."""
    count = bytes((len(nodes) - 1,))
    return (b"\2\4\3\x81\0\1\2\x90\2" + b"\0" + b"\0" + b"\0" + b"\0" + count + b"".join(nodes) + items(*meshes) +
            items(*materials) + items(*textures) + items(*animations) + metadata)


def make_assimp():
    rows = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    faces = ((0, 1, 2), (1, 2, 3))
    plain = scene_mesh(rows, faces)
    nodes = (node(0, 0), node(BODY, 0, (0,)), node(BONE, 0, (), shifted(2)), node(HAND, 2, (), shifted(1)))
    walk = bytes((0, BONE)) + keys(0, 1, 2, width=3) + keys(0, 1, width=3) + keys(0, 1, 2, width=4)
    write("assimp", "plain", assimp_scene(nodes, (plain,)))
    write("assimp", "no_root", b"\0" * 4 + b"\x80")
    write("assimp", "missing", assimp_scene((node(0, 0), node(BODY, 200, (0, 9))), (b"\x80", plain)))
    write("assimp", "aborts", b"\0" * 3 + b"\x80")
    write("assimp", "fails", b"\0" * 3 + b"\x81")
    skinned = scene_mesh(rows, faces, (bone(BONE, (0, 1), (1, 0.5), (9, 1)), bone(HAND, (1, 0.5)), b"\x80"))
    fits = scene_mesh(rows, faces, (bone(BONE, (0, 1), (1, 0.5)), bone(HAND, (1, 0.5), (2, 1))))
    write("assimp", "skin", assimp_scene(nodes, (fits,), animations=(assimp_animation(WALK, (walk,)),)), 1)
    write("assimp", "bad_skin", assimp_scene(nodes, (skinned,)))
    shapes = scene_mesh(rows, faces, targets=(target(*rows), target(*rows[::-1], flags=2), b"\x80"))
    swing = bytes((0, BODY)) + items(*(eighths(t) + items(b"\0" + eighths(t), b"\1" + eighths(1 - t)) for t in (0, 1)))
    write("assimp", "shapes", assimp_scene(nodes, (shapes,), animations=(
        assimp_animation(WALK, (b"\x80", walk), (swing, b"\x80")), b"\x80")), 5)
    write("assimp", "numbers", assimp_scene(
        (node(0, 0, (0,), items(b"\0" + raw(float("nan")))),), (plain,)) + raw(float("inf")))
    materials = (bytes((3, 12, PATH)), bytes((14, 0, EMBEDDED_0)), b"\x80")
    textures = (bytes((0, PATH, 5)), bytes((1, 0, 4, 3)))
    unit = b"\1" + items(b"\0" + eighths(1) + bytes((UNIT,)))
    for i, name in enumerate(("obj", "fbx", "smd", "md5mesh", "iqm", "dae")):
        write("assimp", f"images_{name}", assimp_scene(nodes, (scene_mesh(rows, faces, material=i % 3),), materials, textures,
                                                       (assimp_animation(BONE, (walk,)),), unit), i)


def make_scenes():
    body, head = md3(), md3(tags=())
    write("scene", "one", body)
    write("scene", "two", SEPARATOR.join((body, head)), 0)
    write("scene", "clips", SEPARATOR.join((md2(), md2(), GROUPS)), 3 << 24)
    write("scene", "shader", SEPARATOR.join((md3(surfaces=[md3_surface("a", 2), md3_surface("b", 2)]), mdc(), CONFIG, SHADER)),
          0x1234567)
    for choices in (48, 48 * 7, 48 * 50, 48 * 400 + 1, 48 * 5000, 48 * 90000):
        write("scene", f"options{choices}", SEPARATOR.join((mdc(), head, GROUPS, SHADER)), choices)


def tags_of(frames, names=("tag_head", "tag_rweapon")):
    at = 32 + 64 * len(names)
    poses = b"".join(struct.pack("<12f", 1, 0, 0, 0, 1, 0, 0, 0, 1, f, i, 2) for i in range(len(names)) for f in range(frames))
    return (struct.pack("<4s7i", b"JDP2", 1, len(names), frames, 32, at, at + len(poses), 0) +
            b"".join(text(name, 64) for name in names) + poses)


def smoothing_of(*groups):
    return struct.pack("<6s3i%di" % len(groups), b"UFOMDX", 1, max(groups) + 1, len(groups), *groups)


def members(*files):
    return SEPARATOR.join(name + b"\n" + data for name, data in files)


def tga():
    return struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, 1, 1, 32, 8) + b"\1\2\3\x80"


def make_variants():
    folder = b"models/a/"
    write("assets", "md3", members((folder + b"a.md3", md3()), (folder + b"skin.tga", tga()),
                                  (folder + b"a_default.skin", SKIN), (b"scripts/a.shader", SHADER)))
    for choices in (1, 10, 12, 60, 200, 700, 6000, 20011):
        write("assets", f"options{choices}",
              members((folder + b"a.md3", md3(surfaces=[md3_surface("h_head", 2, shaders=("models/a/skin",))])),
                      (folder + b"skin.png", png(6, 8)), (folder + b"a_blue.skin", SKIN), (b"scripts/a.shader", SHADER),
                      (folder + b"animation.cfg", CONFIG)), choices)
    write("assets", "md2", members((folder + b"tris.md2", md2()), (folder + b"weapon.md2", md2(skins=("w.pcx",))),
                                  (folder + b"skin.pcx", tga()), (folder + b"tris.md2.framegroups", GROUPS)), 5)
    sidecars = [(folder + b"b.anm", ANM), (folder + b"b.tag", tags_of(3)), (folder + b"b.mdx", smoothing_of(0, 1, 2, 3, 1, 4))]
    for choices in (0, 12, 3000):
        write("assets", f"sidecars{choices}", members((folder + b"b.md2", md2()), *sidecars), choices)
    for name, groups in ("engine", (0, 1, 2, 3, 1, 4)), ("torn", (0, 1, 0, 3, 1, 4)):
        write("assets", name, members((folder + b"b.md2", md2(skins=(".red", ".blue.001"))), (folder + b"red.tga", tga()),
                                      (folder + b"blue.png", png(6, 8)), (folder + b"b.mdx", smoothing_of(*groups))), 15360)
    write("assets", "distant", members((folder + b"b-lod01.md2", md2()), (folder + b"b.md2", md2(skins=("x.png",))), *sidecars))
    for name, path in ("menu", b"body"), ("needs", b"many"), ("member", b"squad/male1+light"), ("script", b""):
        write("assets", name, members((b"ufos/a.ufo/" + path, b""), (b"ufos/a.ufo", COMPOSITIONS),
                                      (b"models/a/b.md2", md2(skins=(".red", ".blue"))), (b"models/a/b.tag", tags_of(3)),
                                      (b"models/a/b.anm", ANM), (b"models/a/red.png", png(6, 8)),
                                      (b"models/alight/b.md2", md2(skins=(".red",)))))
    write("assets", "mdl", members((b"progs/a.mdl", mdl(skins=(1, 2), flags=1 << 14))), 13)
    write("assets", "guess", members((folder + b"tris.md2", md2(skins=(), width=3)), (folder + b"any.png", png(2, 8, 64, 32)[:40]),
                                    (folder + b"any_i.pcx", b"x"), (folder + b"tris.png", png(0, 8))))
    player = [(folder + part + b".md3", md3(tags=tags, surfaces=[md3_surface("u_x", 2)]))
              for part, tags in ((b"lower", ("tag_torso",)), (b"upper", ("tag_torso", "tag_head")), (b"head", ("tag_head",)))]
    write("assets", "player", members(*player, (folder + b"animation.cfg", CONFIG),
                                     *((folder + p + b"_default.skin", SKIN) for p in (b"lower", b"upper", b"head"))), 5)
    write("assets", "unsafe", members((b"m/a.md3", md3(surfaces=[md3_surface("x", 2, shaders=("../../etc/passwd", "c:\\x"))]))))


# ---- The command ----------------------------------------------------------------------------------


def command(kind, name, arguments, *files):
    """`arguments`: without spaces in any of them."""
    write(kind, name, SEPARATOR.join((arguments.replace(" ", "\n").encode(), *(n.encode() + b"\n" + d for n, d in files))))


def make_arguments():
    models = ("a.md3", md3()), ("b.md2", md2())
    for number, arguments in enumerate((
            "", "help convert", "version", "nothing a.md3", "info a.md3 b.md2 --json", "info missing.md3",
            "check a.md3 b.md2 --engine quake3", "examine a.md3", "convert a.md3 -o out.glb --scale 2 --clip all",
            "convert a.md3 b.md2 -o out --format obj -j 2", "convert *.md? -o out{name}.md3 --fps 20",
            "edit a.md3 -o c.md3 --add-tag tag_x=1,2,3 --rename-surface h_head=x", "edit b.md2 --in-place --frames 0-1",
            "optimize a.md3 -o c.md3 --max-error 0.1", "compare a.md3 b.md2 --json", "ls a.md3", "uv a.md3 -o uv.svg",
            "pack -o a.pk3 a.md3 b.md2", "extract a.pk3 -o out", "render a.md3 -o a.png --sheet --size 8x8",
            "formats --json", "completions bash", "convert -- -o", "convert - -o x.md3", "edit --help")):
        command("arguments", f"command{number:02}", arguments, *models)
    files = *models, ("m.mdl", mdl()), ("a.tga", tga()), ("c.cfg", CONFIG), ("p.lmp", bytes(range(256)) * 3)
    for number, arguments in enumerate((
            "info -v --clips c.cfg --game . --quirk mdc-prinz --max-input 1M --repair a.md3",
            "examine --lump triangles -j1 b.md2", "check -v --engine quake2 --summary --json b.md2",
            "uv a.md3 --surface h_head --format png --exact -f -o u.png", "uv b.md2 --topology glcommands -o u.svg",
            "convert b.md2 --quantize --unlit --alpha mask --axes model --normals computed --max-output 1M -o o.gltf",
            "convert b.md2 --frame 1 -o o.obj", "convert m.mdl --palette p.lmp --transparent-255 -o o.glb",
            "convert b.md2 --fps 5 --scale 2 --engine quake --max-error 9 -o o.mdl",
            "convert a.md3 --smallest --lods 2 --decimate 50% -o o.mdc", "convert a.md3 --hd --stability 8 -o o.md2",
            "convert a.md3 --smooth --shared-grid --frames 0 --strips fast --skin-path s -o o.md2",
            "convert a.md3 --attach tag_head=b.md2 -o o.glb", "convert a.md3 --clips c.cfg -o o.glb",
            "convert b.md2 --with a.md3 -o o.md2", "convert a.md3 b.md2 --skip-existing -q --sync --format md3 -o o/",
            "edit b.md2 --path s/a/b/ --set-skin 0=x.pcx --add-skin y.pcx --rename frames:s/run/walk/ --reverse all -o o.md2",
            "edit b.md2 --append b.md2 --drop skins:0 -o o.md2", "edit b.md2 --reencode --fps 20 --rotate 30 -o o.md2",
            "edit a.md3 --name n --keep tags:tag_head --order tags:tag_head --move-tag tag_head=1,2,3 -o o.md3",
            "edit a.md3 --scale 2 --rotate 90 --move 1,2,3 --round --remove-unused --compute-normals --compute-bounds -o o.md3",
            "edit b.md2 --in-place --backup --rename clips:run=walk -n", "optimize b.md2 --strips best --in-place --backup -f",
            "compare a.md3 b.md2 --tolerance 999 --clips none --normals computed --repair",
            "pack . [ac].* --format pak --sync -o o.pak", "extract m.mdl --images --palette p.lmp --max-output 1M -o o")):
        command("arguments", f"options{number:02}", arguments, *(f for f in files if f[0] in arguments or "pack" in arguments and f[0] != "p.lmp"))


def make_sidecars():
    g = Gltf()
    body = {"nodes": [{"mesh": 0}], "meshes": [triangle_mesh(g)]}
    for number, uri in enumerate(("a.bin", "sub/a.bin", "../a.bin", "missing.bin", "work", "A.BIN")):
        command("sidecars", f"buffer{number}", "convert m.gltf -o out.md3", ("m.gltf", g.json(uri=uri, **body)),
                ("sub/a.bin" if "sub" in uri else "a.bin", g.bytes))
    command("sidecars", "skin", "convert a.md3 -o out.gltf", ("a.md3", md3()), ("a_default.skin", SKIN), ("skin.tga", tga()))
    command("sidecars", "skin_named", "info a.md3 --skin blue --json", ("a.md3", md3()), ("a_blue.skin", SKIN))
    command("sidecars", "clips", "convert a.md3 -o out.glb --clip TORSO_STAND", ("a.md3", md3()), ("animation.cfg", CONFIG))
    command("sidecars", "groups", "info a.md2", ("a.md2", md2()), ("a.md2.framegroups", GROUPS))
    command("sidecars", "tags_and_smoothing", "convert a.md2 --attach tag_head=a.md2 -o out.glb", ("a.md2", md2()),
            ("a.anm", ANM), ("a.tag", tags_of(3)), ("a.mdx", smoothing_of(0, 1, 2, 3, 1, 4)))
    for name, arguments in ("composition", "convert ufos/a.ufo/body -o out.glb"), ("compositions", "info ufos/a.ufo"):
        command("sidecars", name, arguments, ("ufos/a.ufo", COMPOSITIONS.replace(b"a/b", b"b")), ("models/b.md2", md2()),
                ("models/b.tag", tags_of(3)))
    command("sidecars", "clips_given", "info a.md2 --clips c.cfg", ("a.md2", md2()), ("c.cfg", CONFIG))
    command("sidecars", "shader", "info a.md3 --game .", ("models/a.md3", md3()), ("scripts/a.shader", SHADER), ("a.md3", md3()))
    command("sidecars", "palette", "convert a.mdl -o out.glb --palette p.lmp", ("a.mdl", mdl()), ("p.lmp", PALETTE * 8))
    command("sidecars", "player", "info p", *((f"p/{part}.md3", md3(tags=tags, surfaces=[md3_surface("u_x", 2)])) for part, tags in (
        ("lower", ("tag_torso",)), ("upper", ("tag_torso", "tag_head")), ("head", ("tag_head",)))),
        ("p/animation.cfg", CONFIG))


def make_sheets():
    write("sheet", "clips", md2(), 0)
    write("sheet", "still", mdl(), 2)
    names = b"tris.md2\nmodels/a", b"a name that needs several lines\nand/a/folder/too", b"\xc3\xa9\xff\n", b""
    write("sheet", "thumbnails", SEPARATOR.join((md3(), *names)), 1)
    write("sheet", "small", SEPARATOR.join((md3(surfaces=[]), *names)), 1 + 2 * 1 + 8 * 3)
    write("sheet", "tags", md3(surfaces=[]), 2 * 4 * 4 * 2)


for make in (make_md2, make_md3, make_mdc, make_mdl, make_texts, make_png, make_pcx, make_tga, make_jpeg,
             make_palettes, make_archives, make_scenes, make_variants, make_meshes, make_gltfs,
             make_assimp, make_arguments, make_sidecars, make_sheets):
    make()
