"""Families of hostile models and archives, for the commands that write."""
import io
import random
import struct
import zipfile

import image_files
import mds
import ufoai
from families import (
    add, around_an_edge, clips, family, md3_of, mdl_of, models, named_surfaces, pk3, strip, triangle, waving)
from small_files import make_md2, make_pak, make_pcx, md2_of, md3, tga


def md2_strip(n, frames=1):
    triangles = [(i, (i + 1) % n, (i + 2) % n, i % 181, (i + 1) % 181, (i + 2) % 181) for i in range(n)]
    return md2_of([(i % 7, i // 7 % 200, i // 1400, 0) for i in range(n)], triangles, [(i, i) for i in range(181)],
                  frames)


def md2_soup(n):
    """Triangles without common vertices."""
    return md2_of([(i % 251, i * 7 % 250, i * 31 % 241, 0) for i in range(n)],
                  [(3 * i, 3 * i + 1, 3 * i + 2, 0, 0, 0) for i in range(n // 3)], [(0, 0)])


def md3_tagged(tags, frames, surfaces=1):
    """Makes an MD3 of equal triangles, with tags in each frame."""
    return md3_of([[(0, 0, f), (64, 0, f), (0, 64, f)] for f in range(frames)], [(0, 1, 2)], surfaces,
                  [(b"tag_%d" % t, (0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)) for t in range(tags)])


def grid(n):
    """Makes an MD3 of a square of about n vertices that bulges."""
    side = int(n ** 0.5)
    rows = [(x * 64, y * 64, (x * x + y * y) % 97) for y in range(side) for x in range(side)]
    triangles = [t for y in range(side - 1) for x in range(side - 1) for a in [y * side + x]
                 for t in ((a, a + 1, a + side), (a + 1, a + side + 1, a + side))]
    return md3_of([rows], triangles)


# ---- Compressed glTF ---------------------------------------------------------------------------

add("vertices to compress", 2000, "convert -q a.md2 --compress meshopt -o a.glb",
    lambda n: {"a.md2": md2_strip(n)}, memory=64)
add("frames to compress", (12, 100), "convert -q a.md2 --compress meshopt -o a.glb",
    lambda n: {"a.md2": md2_strip(60, frames=n)}, memory=64)

# ---- Convert to models ---------------------------------------------------------------------------

add("surfaces to an mdc", 200, "convert -q a.md3 -o out.mdc", lambda n: {"a.md3": named_surfaces(n)})
add("lods of surfaces", (50, 100), "convert -q a.md3 --lods 2 -o out.md3", lambda n: {"a.md3": named_surfaces(n)})
add("lods of a surface", (200, 400), "convert -q a.md3 --lods 2 -o out.md3", lambda n: {"a.md3": grid(n)}, memory=64)
add("vertices decimated", (62, 1000), "convert -q a.md3 --decimate 50% -o out.md3",
    lambda n: {"a.md3": grid(n)}, memory=64)
add("vertices decimated to one triangle", (50, 400), "convert -q a.md3 --decimate 1 -o out.md3",
    lambda n: {"a.md3": grid(n)}, memory=64)
add("surfaces decimated", 60, "convert -q a.md3 --decimate 50% -o out.md3",
    lambda n: {"a.md3": md3_of([[(0, 0, 0), (64, 0, 0), (0, 64, 0), (64, 64, 0)]], [(0, 1, 2), (1, 2, 3)], n)})
add("vertices at one place decimated", 300, "convert -q a.md3 --decimate 50% -o out.md3",
    lambda n: {"a.md3": md3_of([[(0, 0, 0)] * n], strip(n))}, memory=64)
add("one triangle often decimated", 300, "convert -q a.md3 --decimate 50% -o out.md3",
    lambda n: {"a.md3": md3_of([[(0, 0, 0), (64, 0, 0), (0, 64, 0)]], [(0, 1, 2)] * n)}, memory=64)
add("triangles around one edge decimated", (150, 300), "convert -q a.md3 --decimate 50% -o out.md3",
    lambda n: {"a.md3": around_an_edge(n)}, memory=64)
add("triangles to strips", (80, 500), "convert -q a.md3 -o out.md2", lambda n: {"a.md3": grid(n)}, memory=64)


# Only the last of the vertices shows that the frame does not lie on a grid of 256 lines.
@family(1500, "convert -q a.md3 --strips none -o out.md2", memory=64)
def vertices_nearly_on_a_grid(n):
    rows = [(i % 256 * 40, i * 7 % 256 * 40, i * 91 % 256 * 40) for i in range(n)]
    return {"a.md3": md3_of([rows + [(17, 17, 17)]], strip(n + 1))}


add("triangles around one edge to strips", 500, "convert -q a.md3 --strips best -o out.md2",
    lambda n: {"a.md3": around_an_edge(n)}, memory=64)
add("triangles around one vertex to strips", (62, 500), "convert -q a.md3 -o out.md2",
    lambda n: {"a.md3": md3_of([[(0, 0, 0)] + [(i % 999, i * 7 % 997, i % 31) for i in range(n)]],
                               [(0, 1 + i, 1 + (i + 1) % n) for i in range(n)])}, memory=64)
add("one triangle often to strips", 300, "convert -q a.md3 -o out.md2",
    lambda n: {"a.md3": md3_of([[(0, 0, 0), (64, 0, 0), (0, 64, 0)]], [(0, 1, 2)] * n)}, memory=64)
add("frames to an md2", (375, 1500), "convert -q a.md3 --smooth -o out.md2", lambda n: {"a.md3": waving(n)}, memory=64)
add("frames to an accurate md2", (375, 1500), "convert -q a.md3 --hd -o out.md2",
    lambda n: {"a.md3": waving(n)}, memory=64)
add("frames to an mdl", 200, "convert -q a.md3 -o out.mdl", lambda n: {"a.md3": waving(n)}, memory=64)
add("frames to an mdc", (625, 2500), "convert -q a.md3 -o out.mdc", lambda n: {"a.md3": waving(n)}, memory=64)
add("frames to a small mdc", (625, 2500), "convert -q a.md3 --smallest -o out.mdc",
    lambda n: {"a.md3": waving(n)}, memory=64)
add("tags times frames", 25, "convert -q a.md3 -o out.glb", lambda n: {"a.md3": md3_tagged(2 * n, 20)})
add("frames times tags", 25, "convert -q a.md3 -o out.glb", lambda n: {"a.md3": md3_tagged(20, 2 * n)})
add("surfaces of a player", 60, "convert -q a.md3 --player -f -o out.md3", lambda n: {"a.md3": named_surfaces(n)})
add("frames of a shared grid", (93, 1500), "convert -q a.md2 --shared-grid b.md2 -o out.md2",
    lambda n: {"a.md2": triangle(n),
               "b.md2": md2_of([(0, 0, 0, 0), (9, 0, 0, 0), (0, 9, 9, 0)], [(0, 1, 2, 0, 0, 0)], [(0, 0)], n)},
    memory=64)

# ---- Vertex-animation textures -------------------------------------------------------------------

add("vertices of a texture", 300, "convert -q a.md3 --vat png -o out.glb", lambda n: {"a.md3": grid(4 * n)}, memory=64)
add("frames of a texture", (500, 1000), "convert -q a.md3 --vat exr -o out.glb",
    lambda n: {"a.md3": md3_of([[(0, 0, f % 200), (64, f, 0), (0, 64, f % 7)] for f in range(n)], [(0, 1, 2)])},
    memory=64)
add("surfaces of a texture", (50, 100), "convert -q a.md3 --vat png -o out.glb",
    lambda n: {"a.md3": named_surfaces(n)}, memory=64)
add("backwards clips of a texture", 100, "convert -q a.md2 --clips-from a.cfg --vat png -o out.glb",
    lambda n: {"a.md2": make_md2(skins=()), "a.cfg": b"0 -3 0 10 // back\n" * n}, memory=256)


@family(2000, "convert -q a.md2 --vat png -o out.glb", memory=64)
def corners_at_one_vertex_of_a_texture(n):
    triangles = [(0, 1, 2, i, 0, 0) for i in range(n)]
    return {"a.md2": md2_of([(0, 0, 0, 0), (9, 0, 0, 0), (0, 9, 0, 0)], triangles,
                            [(i % 181, i // 181) for i in range(n)])}


add("equal corners of a texture", 500, "convert -q a.md2 --vat png -o out.glb",
    lambda n: {"a.md2": md2_of([(i % 2, 0, 0, 0) for i in range(n)],
                               [(i, (i + 1) % n, (i + 2) % n, 0, 0, 0) for i in range(n)], [(0, 0)], 3)}, memory=64)

# ---- Sidecar files -------------------------------------------------------------------------------

WEAPON_TAGS = [(name, (0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)) for name in (b"tag_weapon", b"tag_barrel", b"tag_barrel2")]


def weapons(n, name="m/v_%d"):
    """Makes weapons of a hand, a model and two barrels."""
    hand = md3_of([[(0, 0, 0)]] * 8, [], 0, WEAPON_TAGS)
    model = md3_of([[(0, 0, 0), (64, 0, 0), (0, 64, 0)]], [(0, 1, 2)], 1, WEAPON_TAGS)
    ends = {"_hand": hand, "": model, "_barrel": model, "_barrel2": model}
    return {name % i + end + ".md3": data for i in range(n) for end, data in ends.items()}


add("weapons in a folder", (10, 40), "info -j1 -q m", weapons)
add("weapons in folders", (10, 40), "info -j1 -q m", lambda n: weapons(n, "m/%d/v_gun"))
add("weapons in an archive", (10, 40), "info -j1 -q g.pk3", lambda n: {"g.pk3": pk3(list(weapons(n).items()))})
add("barrels of weapons", (40, 160), "convert -q m/v_0 -o a.glb",
    lambda n: {**weapons(1), **{"m/v_0_barrel%d.md3" % i: b"" for i in range(8, n)}, "m/weapon.cfg":
               b"newfmt\n" + b"0 8 20 8 3 0 1\n" * n})
add("rows of a weapon cfg", (125, 2000), "info -q m/v_0_hand.md3",
    lambda n: {**weapons(1), "m/weapon.cfg": b"newfmt\n" + b"0 8 20 8 3 0 1\n" * n}, memory=64)
add("rows of an animation cfg", (125, 1000), "convert -q a.md2 --clips-from animation.cfg -o out.glb",
    lambda n: {"a.md2": make_md2(skins=()), "animation.cfg": b"0 1 0 10 // LEGS_IDLE\n" * n}, memory=64)
add("rows of a frame group", (500, 2000), "info a.md2",
    lambda n: {"a.md2": make_md2(skins=()), "a.md2.framegroups": b"0 1 10 1 run\n" * n}, memory=32)
add("rows of an anm", 2000, "info a.md2",
    lambda n: {"a.md2": make_md2(skins=()), "a.anm": b"run 0 1 10\n" * n}, memory=32)


@family(60, "convert -q a.md2 -o out.glb", memory=64)
def tags_of_a_tag_file(n):
    tags = [ufoai.Tag("tag_%d" % i, [(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, i, 0)] * 20) for i in range(n)]
    return {"a.md2": md2_strip(3, 20), "a.tag": ufoai.make_tags(tags)}


add("frames of a tag file", (125, 1000), "convert -q a.md2 -o out.glb",
    lambda n: {"a.md2": md2_strip(3, n), "a.tag": ufoai.make_tags([ufoai.Tag("tag", [(0,) * 12] * n)])}, memory=64)
add("corners with their own normals", 300, "convert -q a.md2 -o out.glb",
    lambda n: {"a.md2": md2_strip(n, 4), "a.mdx": ufoai.make_groups(range(3 * n))}, memory=64)


@family(300, "convert -q a.md2 -o out.glb", memory=64)
def corners_that_share_a_normal(n):
    triangles = [(0, 1 + i % 6, 2 + i % 6, i % 181, 1, 2) for i in range(n)]
    model = md2_of([(i, i * i, 0, 0) for i in range(8)], triangles, [(i, i) for i in range(181)], 4)
    return {"a.md2": model, "a.mdx": ufoai.make_groups([v for triangle in triangles for v in triangle[:3]])}


add("skins without an image", 300, "check --engine ufoai -v a.md2",
    lambda n: {"a.md2": make_md2(skins=[b".skin%d" % i for i in range(n)])}, status=1, memory=64)
add("lines of a skin", (2500, 10000), "info a.md3 --skin a_default.skin",
    lambda n: {"a.md3": named_surfaces(2), "a_default.skin": b"s0,t.tga\n" * n}, memory=32)
add("different lines of a skin", (2500, 10000), "info a.md3 --skin a_default.skin",
    lambda n: {"a.md3": named_surfaces(2), "a_default.skin": b"".join(b"x%d,t.tga\n" % i for i in range(n))}, status=1,
    memory=32)
add("shaders of one name", 3000, "info g.pk3:a.md3",
    lambda n: {"g.pk3": pk3([("a.md3", md3(["s"])), ("scripts/a.shader", b"s\n{\n{\nmap t.tga\n}\n}\n" * n)])})


@family((375, 3000), "convert -q g.pk3:a.md3 -o out.glb")
def stages_of_a_converted_shader(n):
    script = b"s\n{\n" + b"{\nmap t.tga\ntcMod scroll 1 1\ntcMod rotate 4\n}\n" * n + b"}\n"
    return {"g.pk3": pk3([("a.md3", md3(["s"])), ("scripts/a.shader", script)])}


@family(3000, "info g.pk3:a.md3")
def words_of_a_shader(n):
    script = b"s\n{\n{\nanimMap 4 " + b"t.tga " * n + b"\n}\n}\n"
    return {"g.pk3": pk3([("a.md3", md3(["s"])), ("scripts/a.shader", script)])}


# ---- Images --------------------------------------------------------------------------------------

def png(width, height, colour=1):
    return image_files.png_write([bytes((colour % 251, colour // 251, 7)) * width] * height, 2)


add("images of an atlas", 8, "convert -q a.md3 -o out.md2",
    lambda n: {"a.md3": md3(["p%d" % i for i in range(n)]),
               **{"p%d.png" % i: image_files.png_write(
                   [random.Random(i).randbytes(3 * (16 + i % 7)) for _ in range(16 + i % 5)], 2) for i in range(n)}},
    memory=400)


@family((20, 40), "extract -q a.mdl -o out/")
def skins_of_an_mdl(n):
    model = mdl_of(1, False)
    return {"a.mdl": model[:48] + struct.pack("<i", n) + model[52:84] + (struct.pack("<i", 0) + bytes(16)) * n
            + model[84 + 20:]}


@family((150, 2000), "extract -q a.mdl -o out/", memory=20)
def skins_of_a_group(n):
    model = mdl_of(1, False)
    group = struct.pack("<2i", 1, n) + struct.pack("<%df" % n, *(0.1 * (i + 1) for i in range(n))) + bytes(16) * n
    return {"a.mdl": model[:84] + group + model[84 + 20:]}


add("images of models", (10, 20), "extract --images -q -j1 m -o out/",
    lambda n: {**{"m/%d.md2" % i: make_md2(skins=(b"p.pcx",)) for i in range(n)}, "m/p.pcx": make_pcx(size=32)})
add("triangles drawn", (500, 1000), "uv a.md2 -o out.svg", lambda n: {"a.md2": md2_strip(n)})


@family((500, 1000), "uv --topology glcommands a.md2 -o out.svg")
def strips_drawn(n):
    triangles = [(i, (i + 1) % n, (i + 2) % n, 0, 0, 0) for i in range(n)]
    commands = [x for i in range(n) for x in (3, 0, 0, i, 0, 0, (i + 2) % n, 0, 0, (i + 1) % n)]
    return {"a.md2": md2_of([(i % 7, i // 7 % 200, 0, 0) for i in range(n)], triangles, [(0, 0)],
                            commands=commands + [0])}


@family((500, 1000), "uv a.md2 -o out.svg")
def islands_drawn(n):
    triangles = [(0, 1, 2, 3 * i, 3 * i + 1, 3 * i + 2) for i in range(n)]
    st = [(300 * (i // 3 % 7) + i % 3 * 9, 300 + i % 3 % 2 * 9) for i in range(3 * n)]
    return {"a.md2": md2_of([(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0)], triangles, st)}


add("surfaces drawn", 200, "uv -q a.md3 -o out.svg", lambda n: {"a.md3": named_surfaces(n)})

# ---- Archives ------------------------------------------------------------------------------------

add("members extracted", (250, 500), "extract -q -j1 g.pk3 -o out/",
    lambda n: {"g.pk3": pk3([("m/%d" % i, b"x") for i in range(n)])})
add("members of a pak extracted", (250, 500), "extract -q -j1 g.pak -o out/",
    lambda n: {"g.pak": make_pak([(b"m/%d" % i, b"x") for i in range(n)])})
add("folders extracted", 100, "extract -q -j1 g.pk3 -o out/",
    lambda n: {"g.pk3": pk3([("/".join("d%d" % (i + k) for k in range(20)) + "/x", b"x") for i in range(n)])})
add("members extracted by a pattern", (250, 500), "extract -q -j1 'g.pak:**/*' -o out/",
    lambda n: {"g.pak": make_pak([(b"m/%d" % i, b"x") for i in range(n)])})


@family(100000, "extract -q -j1 g.pk3 -o out/")
def bytes_extracted(n):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("a"), random.Random(3).randbytes(n))
    return {"g.pk3": file.getvalue()}


add("files packed", (15, 60), "pack -q m -o out.pk3", lambda n: {"m/%d" % i: b"x" * 20 for i in range(n)})
add("files packed in a pak", 200, "pack -q m -o out.pak", lambda n: {"m/%d" % i: b"x" * 20 for i in range(n)})
add("folders packed", (20, 40), "pack -q m -o out.pk3",
    lambda n: {"m/" + "/".join("d%d" % (i + k) for k in range(12)) + "/x": b"x" for i in range(n)}, memory=48)
add("files matched by a pattern", 200, "pack -q m '*a*a*a*a*a*b' x -o out.pk3",
    lambda n: {**{"m/" + "a" * 100 + str(i): b"x" * 20 for i in range(n)}, "m/x": b""})
add("equal bytes packed", 60000, "pack -q m -o out.pk3", lambda n: {"m/x": bytes(n)})
add("bytes that almost repeat packed", 60000, "pack -q m -o out.pk3",
    lambda n: {"m/x": b"".join(b"aaaaaaaa" * 4 + struct.pack("<H", i) for i in range(n // 34))})
add("members matched by a pattern", (250, 500), "ls g.pk3 '**/*a*a*a*a*a*b/**/*a*b'",
    lambda n: {"g.pk3": pk3([("a" * 50 + "/" + "a" * 50 + "/%d" % i, b"") for i in range(n)])}, status=1)
add("members matched by folders", 100, "ls g.pk3 '**/**/**/**/**/x'",
    lambda n: {"g.pk3": pk3([("a/" * 50 + str(i), b"") for i in range(n)])}, status=1)
add("folders in an archive", 60, "ls -l g.pk3",
    lambda n: {"g.pk3": pk3([("a%d/" % i * 30 + str(i), b"") for i in range(n)])})
add("models checked in an archive", 40, "check -j1 -q g.pk3", lambda n: {"g.pk3": pk3(models(n).items())})

# ---- Optimize ------------------------------------------------------------------------------------

add("triangles optimized", 1000, "optimize -q a.md2 -o out.md2", lambda n: {"a.md2": md2_strip(n)}, memory=64)
add("triangles without common vertices optimized", 1500, "optimize -q a.md2 -o out.md2",
    lambda n: {"a.md2": md2_soup(n)}, memory=64)
add("triangles around one edge optimized", 500, "optimize -q --strips best a.md2 -o out.md2",
    lambda n: {"a.md2": md2_of([(0, 0, 0, 0), (9, 0, 0, 0)] + [(i % 251, i * 7 % 250, i % 241, 0) for i in range(n)],
                               [(0, 1, 2 + i, 0, 0, 0) for i in range(n)], [(0, 0)])}, memory=64)
add("triangles around one vertex optimized", 500, "optimize -q a.md2 -o out.md2",
    lambda n: {"a.md2": md2_of([(0, 0, 0, 0)] + [(i % 251, i * 7 % 250, i % 241, 0) for i in range(n)],
                               [(0, 1 + i, 1 + (i + 1) % n, 0, 0, 0) for i in range(n)], [(0, 0)])}, memory=64)
add("unused vertices", 1000, "optimize -q a.md2 -o out.md2",
    lambda n: {"a.md2": md2_of([(i % 251, i * 7 % 250, i % 241, 0) for i in range(n)], [(0, 1, 2, 0, 0, 0)], [(0, 0)])},
    memory=64)
add("equal vertices", 1000, "optimize -q a.md3 -o out.md3",
    lambda n: {"a.md3": md3_of([[(0, 0, 0)] * n, [(1, 2, 3)] * n], strip(n))}, memory=64)
add("surfaces optimized", 100, "optimize -q a.md3 -o out.md3", lambda n: {"a.md3": named_surfaces(n)}, memory=64)
add("poses optimized", 1000, "optimize -q a.mdl -o out.mdl", lambda n: {"a.mdl": mdl_of(n, True)}, memory=64)

# ---- Compare -------------------------------------------------------------------------------------

add("frames compared", 400, "compare a.md3 a.md3", lambda n: {"a.md3": waving(n)})
add("tags compared", 40, "compare a.md3 a.md3", lambda n: {"a.md3": md3_tagged(4 * n, 4)})
add("surfaces that differ compared", 150, "compare a.md3 b.md3",
    lambda n: {"a.md3": named_surfaces(n), "b.md3": md3(["u%d" % i for i in range(n)])})
add("clips compared", 300, "compare a.md2 b.md2",
    lambda n: {"a.md2": clips(n), "b.md2": make_md2([b"pilc%dx1" % i for i in range(n)], ())}, memory=32)

# ---- Edit ----------------------------------------------------------------------------------------

add("frames renamed by a pattern", 200, "edit -q a.md2 --rename 'frames:s/(a*)*b/x/' -o out.md2",
    lambda n: {"a.md2": make_md2([b"aaaaaaaaaaaaaac"] * n, ())})
add("paths matched by a pattern", (100, 200), "edit -q a.md3 --path 's/.*.*.*.*.*.*x\\/y/z/' -o out.md3",
    lambda n: {"a.md3": md3(["a" * 62] * n)})
add("frames dropped", 300, "edit -q a.md2 --drop frames:0-100 -o out.md2",
    lambda n: {"a.md2": make_md2([b"run%d" % i for i in range(n)], ())})
add("clips kept", 300, "edit -q a.md2 --keep clips:clip7x,clip9x,clip11x --reverse all -o out.md2",
    lambda n: {"a.md2": clips(n)})
add("clips renamed", 300, "edit -q a.md2 --rename 'clips:s/^/x/' -o out.md2", lambda n: {"a.md2": clips(n)})
add("frames appended", 300, "edit -q a.md2 --append a.md2 -o out.md2",
    lambda n: {"a.md2": make_md2([b"run%d" % i for i in range(n)], ())})
add("tags edited", 25, "edit -q a.md3 --rename tags:s/tag/gat/ --move-tag gat_1=1,2,3 --add-tag tag_x=1,2,3 -o out.md3",
    lambda n: {"a.md3": md3_tagged(4 * n, 10)})
add("tags dropped", 25, "edit -q a.md3 --drop tags:tag_3 --keep frames:0-3 -o out.md3",
    lambda n: {"a.md3": md3_tagged(4 * n, 10)})
add("surfaces edited", 150, "edit -q a.md3 --rename surfaces:s/s/x/ --drop surfaces:x3 -o out.md3",
    lambda n: {"a.md3": named_surfaces(n)})
add("vertices edited", 1000, "edit -q a.md3 --remove-unused --normals computed --compute-bounds -o out.md3",
    lambda n: {"a.md3": md3_of([[(0, 0, 0)] * n], strip(n))}, memory=64)
add("frames moved", 300, "edit -q a.md3 --rotate 90 --scale 2 --move 1,2,3 -o out.md3",
    lambda n: {"a.md3": waving(n)}, memory=64)
add("clips resampled", (150, 300), "edit -q a.md2 --reencode --fps 20 -o out.md2",
    lambda n: {"a.md2": make_md2([b"clip%dx%d" % (i // 2, i % 2) for i in range(2 * n)], ())}, memory=64)
add("skins edited", 600, "edit -q a.md2 --drop skins:3 --add-skin x.pcx -o out.md2",
    lambda n: {"a.md2": make_md2(skins=[b"players/x/%d.pcx" % i for i in range(n)])})

# ---- Reading -------------------------------------------------------------------------------------

add("tags checked", 25, "check a.md3", lambda n: {"a.md3": md3_tagged(4 * n, 20)})
add("tags shown", 25, "info a.md3", lambda n: {"a.md3": md3_tagged(4 * n, 20)})
add("poses checked", 1000, "check a.mdl", lambda n: {"a.mdl": mdl_of(n, True)})
add("poses examined", (150, 300), "examine a.mdl", lambda n: {"a.mdl": mdl_of(n, False)}, memory=48)
add("damaged models", 100, "check -j1 -q m", lambda n: {"m/%d.md2" % i: make_md2()[:100] for i in range(n)}, status=1)
add("one skin for all", 100, "info -q a.md2 --skin p.tga",
    lambda n: {"a.md2": make_md2(skins=[b"x%d.pcx" % i for i in range(n)]), "p.tga": tga(1)})

# ---- Scripts of UFO: Alien Invasion --------------------------------------------------------------

def ufo_script(text):
    return {"ufos/a.ufo": text.encode(), "models/b.md2": make_md2(skins=())}


add("menu models", 2000, "info -q ufos/a.ufo/m0",
    lambda n: ufo_script("".join("menu_model m%d { model b }\n" % i for i in range(n))))
add("menu models of one name", 3000, "info -q ufos/a.ufo/m", lambda n: ufo_script("menu_model m { model b }\n" * n))
add("menu models of a script", (7, 60), "info -j1 -q ufos/a.ufo",
    lambda n: ufo_script("".join("menu_model m%d { model b need m0 }\n" % i for i in range(n))), memory=128)
add("scripts of an archive", (15, 60), "info -j1 -q a.pk3",
    lambda n: {"a.pk3": pk3([("ufos/%d.ufo" % i, b"menu_model m { model b }") for i in range(n)])}, status=1, memory=40)
add("needs of a menu model", 3000, "info -q ufos/a.ufo/m",
    lambda n: ufo_script("menu_model m { model b\n" + "".join("need n%d\n" % i for i in range(n)) + "}"))
add("members of a team", (1000, 2000), "info -q ufos/a.ufo/t/male1",
    lambda n: ufo_script('team t { models { %s } }' % ('male("" "b" "" 0 0)\n' * n)))
add("names to guess from", 2000, "info -q ufos/a.ufo/none",
    lambda n: ufo_script("".join("menu_model m%d { model b }\n" % i for i in range(n))), status=1)
add("braces of a script", 20000, "info -q ufos/a.ufo/none", lambda n: ufo_script("{" * n), status=1)
add("words of a member", 20000, "info -q ufos/a.ufo/none",
    lambda n: ufo_script("team t { models { male(" + "1 " * n), status=1)

# ---- Bones ---------------------------------------------------------------------------------------


def mds_of(frames, bones, shapes):
    return {"a.mds": mds.build_mds(random.Random(7), frames, bones, shapes, {"shader"})}


add("frames of bones", 200, "info -q a.mds", lambda n: mds_of(n, 20, [(20, 40)]))
add("frames of bones checked", 500, "check -q a.mds", lambda n: mds_of(n, 20, [(20, 40)]))
add("vertices with weights", 200, "convert -q a.mds --frames 0 -o a.obj", lambda n: mds_of(2, 20, [(n, 2 * n)]))
add("vertices with weights checked", 200, "check -q a.mds", lambda n: mds_of(2, 20, [(n, 2 * n)]))
add("surfaces with bones", 40, "check -q a.mds", lambda n: mds_of(2, 20, [(4, 4)] * n))
add("anatomy of surfaces with bones", 40, "examine -q a.mds", lambda n: mds_of(2, 20, [(4, 4)] * n))

# The skeleton is larger than the file: a joint's pose takes 28 bytes instead of 12.
add("vertices with their bones", 200, "convert -q a.mds -o a.glb", lambda n: mds_of(2, 20, [(n, 2 * n)]), memory=32)
add("frames with their bones", 200, "convert -q a.mds -o a.glb", lambda n: mds_of(n, 20, [(4, 4)]), memory=32)


def dressed(n, name="m/%d/"):
    """Makes players that wear a head and a hat."""
    body, head = mds.make_player(), md3(["a"])
    files = {"body.mds": body, "head.md3": head, "hat.md3": head, "body_a.skin": b"u_body,a\nmd3_belt,hat.md3\n",
             "head_a.skin": b"md3_part,head.md3\nmd3_hat,hat.md3\n"}
    return {name % i + file: data for i in range(n) for file, data in files.items()}


add("players with bones", (10, 40), "info -j1 -q m", dressed)
add("skins of a player with bones", (40, 400), "info -q m/0",
    lambda n: {**dressed(1), **{"m/0/body_x%d.skin" % i: b"u_body,a\n" for i in range(n)}})
add("rows of a player's skin", (100, 2000), "info -q m/0",
    lambda n: {**dressed(1), "m/0/body_a.skin": b"md3_back,none.md3\n" + b"u_body,a\n" * n})

# ---- Skeletons -----------------------------------------------------------------------------------


# The fit holds each coordinate as a double, and bones of 32 bytes per coordinate.
@family((30, 60), "convert -q a.md3 --skeleton=4 -o a.glb", memory=32)
def vertices_of_a_skeleton(n):
    rng = random.Random(n)
    return {"a.md3": md3_of([[tuple(rng.randrange(3000) for _ in range(3)) for _ in range(n)] for _ in range(8)],
                            strip(n))}


@family(32, "convert -q a.md3 --skeleton=4 -o a.glb", memory=32)
def frames_of_a_skeleton(n):
    rng = random.Random(n)
    return {"a.md3": md3_of([[tuple(rng.randrange(3000) for _ in range(3)) for _ in range(40)] for _ in range(n)],
                            strip(40))}
