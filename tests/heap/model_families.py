"""Families of hostile models and archives, for the commands that write."""
import io
import random
import struct
import zipfile

import image_files
import ufoai
from families import family, md3_of, mdl_of, pk3, strip
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
    plain = md3_of([[(0, 0, f), (64, 0, f), (0, 64, f)] for f in range(frames)], [(0, 1, 2)], surfaces)
    end = 108 + 56 * frames
    rows = b"".join(struct.pack("<64s12f", b"tag_%d" % t, f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
                    for f in range(frames) for t in range(tags))
    header = struct.pack("<4si64s9i", b"IDP3", 15, b"m", 0, frames, tags, surfaces, 0, 108, end, end + len(rows),
                         len(plain) + len(rows))
    return header + plain[108:end] + rows + plain[end:]


def grid(n):
    """Makes an MD3 of a square of about n vertices that bulges."""
    side = int(n ** 0.5)
    rows = [(x * 64, y * 64, (x * x + y * y) % 97) for y in range(side) for x in range(side)]
    triangles = [t for y in range(side - 1) for x in range(side - 1) for a in [y * side + x]
                 for t in ((a, a + 1, a + side), (a + 1, a + side + 1, a + side))]
    return md3_of([rows], triangles)


def named_surfaces(n):
    return md3(["t%d" % i for i in range(n)])


# ---- Compressed glTF ---------------------------------------------------------------------------


@family(2000, "convert", "-q", "a.md2", "--compress", "meshopt", "-o", "a.glb", memory=64)
def vertices_to_compress(n):
    return {"a.md2": md2_strip(n)}


@family(100, "convert", "-q", "a.md2", "--compress", "meshopt", "-o", "a.glb", memory=64)
def frames_to_compress(n):
    return {"a.md2": md2_strip(60, frames=n)}


# ---- Convert to models ---------------------------------------------------------------------------


@family(200, "convert", "-q", "a.md3", "-o", "out.mdc")
def surfaces_to_an_mdc(n):
    return {"a.md3": named_surfaces(n)}


@family(100, "convert", "-q", "a.md3", "--lods", "2", "-o", "out.md3")
def lods_of_surfaces(n):
    return {"a.md3": named_surfaces(n)}


@family(400, "convert", "-q", "a.md3", "--lods", "2", "-o", "out.md3", memory=64)
def lods_of_a_surface(n):
    return {"a.md3": grid(n)}


@family(1000, "convert", "-q", "a.md3", "--decimate", "50%", "-o", "out.md3", memory=64)
def vertices_decimated(n):
    return {"a.md3": grid(n)}


@family(400, "convert", "-q", "a.md3", "--decimate", "1", "-o", "out.md3", memory=64)
def vertices_decimated_to_one_triangle(n):
    return {"a.md3": grid(n)}


@family(60, "convert", "-q", "a.md3", "--decimate", "50%", "-o", "out.md3")
def surfaces_decimated(n):
    return {"a.md3": md3_of([[(0, 0, 0), (64, 0, 0), (0, 64, 0), (64, 64, 0)]], [(0, 1, 2), (1, 2, 3)], n)}


@family(300, "convert", "-q", "a.md3", "--decimate", "50%", "-o", "out.md3", memory=64)
def vertices_at_one_place_decimated(n):
    return {"a.md3": md3_of([[(0, 0, 0)] * n], strip(n))}


@family(300, "convert", "-q", "a.md3", "--decimate", "50%", "-o", "out.md3", memory=64)
def one_triangle_often_decimated(n):
    return {"a.md3": md3_of([[(0, 0, 0), (64, 0, 0), (0, 64, 0)]], [(0, 1, 2)] * n)}


@family(300, "convert", "-q", "a.md3", "--decimate", "50%", "-o", "out.md3", memory=64)
def triangles_around_one_edge_decimated(n):
    return {"a.md3": md3_of([[(0, 0, 0), (64, 0, 0)] + [(i % 999, i * 7 % 997, i % 31) for i in range(n)]],
                            [(0, 1, 2 + i) for i in range(n)])}


@family(500, "convert", "-q", "a.md3", "-o", "out.md2", memory=64)
def triangles_to_strips(n):
    return {"a.md3": grid(n)}


# Only the last of the vertices shows that the frame does not lie on a grid of 256 lines.
@family(1500, "convert", "-q", "a.md3", "--strips", "none", "-o", "out.md2", memory=64)
def vertices_nearly_on_a_grid(n):
    rows = [(i % 256 * 40, i * 7 % 256 * 40, i * 91 % 256 * 40) for i in range(n)]
    return {"a.md3": md3_of([rows + [(17, 17, 17)]], strip(n + 1))}


@family(500, "convert", "-q", "a.md3", "--strips", "best", "-o", "out.md2", memory=64)
def triangles_around_one_edge_to_strips(n):
    return {"a.md3": md3_of([[(0, 0, 0), (64, 0, 0)] + [(i % 999, i * 7 % 997, i % 31) for i in range(n)]],
                            [(0, 1, 2 + i) for i in range(n)])}


@family(500, "convert", "-q", "a.md3", "-o", "out.md2", memory=64)
def triangles_around_one_vertex_to_strips(n):
    return {"a.md3": md3_of([[(0, 0, 0)] + [(i % 999, i * 7 % 997, i % 31) for i in range(n)]],
                            [(0, 1 + i, 1 + (i + 1) % n) for i in range(n)])}


@family(300, "convert", "-q", "a.md3", "-o", "out.md2", memory=64)
def one_triangle_often_to_strips(n):
    return {"a.md3": md3_of([[(0, 0, 0), (64, 0, 0), (0, 64, 0)]], [(0, 1, 2)] * n)}


@family(1500, "convert", "-q", "a.md3", "--smooth", "-o", "out.md2", memory=64)
def frames_to_an_md2(n):
    return {"a.md3": md3_of([[(0, 0, f % 200), (64, 0, 0), (0, 64, f % 7)] for f in range(n)], [(0, 1, 2)])}


@family(1500, "convert", "-q", "a.md3", "--hd", "-o", "out.md2", memory=64)
def frames_to_an_accurate_md2(n):
    return {"a.md3": md3_of([[(0, 0, f % 200), (64, 0, 0), (0, 64, f % 7)] for f in range(n)], [(0, 1, 2)])}


@family(200, "convert", "-q", "a.md3", "-o", "out.mdl", memory=64)
def frames_to_an_mdl(n):
    return {"a.md3": md3_of([[(0, 0, f % 200), (64, 0, 0), (0, 64, f % 7)] for f in range(n)], [(0, 1, 2)])}


@family(2500, "convert", "-q", "a.md3", "-o", "out.mdc", memory=64)
def frames_to_an_mdc(n):
    return {"a.md3": md3_of([[(0, 0, f % 200), (64, 0, 0), (0, 64, f % 7)] for f in range(n)], [(0, 1, 2)])}


@family(2500, "convert", "-q", "a.md3", "--smallest", "-o", "out.mdc", memory=64)
def frames_to_a_small_mdc(n):
    return {"a.md3": md3_of([[(0, 0, f % 200), (64, 0, 0), (0, 64, f % 7)] for f in range(n)], [(0, 1, 2)])}


@family(25, "convert", "-q", "a.md3", "-o", "out.glb")
def tags_times_frames(n):
    return {"a.md3": md3_tagged(2 * n, 20)}


@family(25, "convert", "-q", "a.md3", "-o", "out.glb")
def frames_times_tags(n):
    return {"a.md3": md3_tagged(20, 2 * n)}


@family(60, "convert", "-q", "a.md3", "--player", "-f", "-o", "out.md3")
def surfaces_of_a_player(n):
    return {"a.md3": named_surfaces(n)}


@family(1500, "convert", "-q", "a.md2", "--shared-grid", "b.md2", "-o", "out.md2", memory=64)
def frames_of_a_shared_grid(n):
    return {"a.md2": md2_of([(0, 0, 0, 0), (9, 0, 0, 0), (0, 9, 0, 0)], [(0, 1, 2, 0, 0, 0)], [(0, 0)], n),
            "b.md2": md2_of([(0, 0, 0, 0), (9, 0, 0, 0), (0, 9, 9, 0)], [(0, 1, 2, 0, 0, 0)], [(0, 0)], n)}


# ---- Vertex-animation textures -------------------------------------------------------------------


@family(300, "convert", "-q", "a.md3", "--vat", "png", "-o", "out.glb", memory=64)
def vertices_of_a_texture(n):
    return {"a.md3": grid(4 * n)}


@family(1000, "convert", "-q", "a.md3", "--vat", "exr", "-o", "out.glb", memory=64)
def frames_of_a_texture(n):
    return {"a.md3": md3_of([[(0, 0, f % 200), (64, f, 0), (0, 64, f % 7)] for f in range(n)], [(0, 1, 2)])}


@family(100, "convert", "-q", "a.md3", "--vat", "png", "-o", "out.glb", memory=64)
def surfaces_of_a_texture(n):
    return {"a.md3": named_surfaces(n)}


@family(100, "convert", "-q", "a.md2", "--clips", "a.cfg", "--vat", "png", "-o", "out.glb", memory=256)
def backwards_clips_of_a_texture(n):
    return {"a.md2": make_md2(skins=()), "a.cfg": b"0 -3 0 10 // back\n" * n}


@family(2000, "convert", "-q", "a.md2", "--vat", "png", "-o", "out.glb", memory=64)
def corners_at_one_vertex_of_a_texture(n):
    triangles = [(0, 1, 2, i, 0, 0) for i in range(n)]
    return {"a.md2": md2_of([(0, 0, 0, 0), (9, 0, 0, 0), (0, 9, 0, 0)], triangles,
                            [(i % 181, i // 181) for i in range(n)])}


@family(500, "convert", "-q", "a.md2", "--vat", "png", "-o", "out.glb", memory=64)
def equal_corners_of_a_texture(n):
    return {"a.md2": md2_of([(i % 2, 0, 0, 0) for i in range(n)],
                            [(i, (i + 1) % n, (i + 2) % n, 0, 0, 0) for i in range(n)], [(0, 0)], 3)}


# ---- Sidecar files -------------------------------------------------------------------------------


@family(2000, "convert", "-q", "a.md2", "--clips", "animation.cfg", "-o", "out.glb", memory=64)
def rows_of_an_animation_cfg(n):
    return {"a.md2": make_md2(skins=()), "animation.cfg": b"0 1 0 10 // LEGS_IDLE\n" * n}


@family(2000, "info", "a.md2", memory=32)
def rows_of_a_frame_group(n):
    return {"a.md2": make_md2(skins=()), "a.md2.framegroups": b"0 1 10 1 run\n" * n}


@family(2000, "info", "a.md2", memory=32)
def rows_of_an_anm(n):
    return {"a.md2": make_md2(skins=()), "a.anm": b"run 0 1 10\n" * n}


@family(60, "convert", "-q", "a.md2", "-o", "out.glb", memory=64)
def tags_of_a_tag_file(n):
    tags = [ufoai.Tag("tag_%d" % i, [(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, i, 0)] * 20) for i in range(n)]
    return {"a.md2": md2_strip(3, 20), "a.tag": ufoai.make_tags(tags)}


@family(1000, "convert", "-q", "a.md2", "-o", "out.glb", memory=64)
def frames_of_a_tag_file(n):
    return {"a.md2": md2_strip(3, n), "a.tag": ufoai.make_tags([ufoai.Tag("tag", [(0,) * 12] * n)])}


@family(300, "convert", "-q", "a.md2", "-o", "out.glb", memory=64)
def corners_with_their_own_normals(n):
    return {"a.md2": md2_strip(n, 4), "a.mdx": ufoai.make_groups(range(3 * n))}


@family(300, "convert", "-q", "a.md2", "-o", "out.glb", memory=64)
def corners_that_share_a_normal(n):
    triangles = [(0, 1 + i % 6, 2 + i % 6, i % 181, 1, 2) for i in range(n)]
    model = md2_of([(i, i * i, 0, 0) for i in range(8)], triangles, [(i, i) for i in range(181)], 4)
    return {"a.md2": model, "a.mdx": ufoai.make_groups([v for triangle in triangles for v in triangle[:3]])}


@family(300, "check", "--engine", "ufoai", "-v", "a.md2", status=1, memory=64)
def skins_without_an_image(n):
    return {"a.md2": make_md2(skins=[b".skin%d" % i for i in range(n)])}


@family(10000, "info", "a.md3", "--skin", "a_default.skin", memory=32)
def lines_of_a_skin(n):
    return {"a.md3": named_surfaces(2), "a_default.skin": b"s0,t.tga\n" * n}


@family(10000, "info", "a.md3", "--skin", "a_default.skin", status=1, memory=32)
def different_lines_of_a_skin(n):
    return {"a.md3": named_surfaces(2), "a_default.skin": b"".join(b"x%d,t.tga\n" % i for i in range(n))}


@family(3000, "info", "g.pk3:a.md3")
def shaders_of_one_name(n):
    return {"g.pk3": pk3([("a.md3", md3(["s"])), ("scripts/a.shader", b"s\n{\n{\nmap t.tga\n}\n}\n" * n)])}


@family(3000, "convert", "-q", "g.pk3:a.md3", "-o", "out.glb")
def stages_of_a_converted_shader(n):
    script = b"s\n{\n" + b"{\nmap t.tga\ntcMod scroll 1 1\ntcMod rotate 4\n}\n" * n + b"}\n"
    return {"g.pk3": pk3([("a.md3", md3(["s"])), ("scripts/a.shader", script)])}


@family(3000, "info", "g.pk3:a.md3")
def words_of_a_shader(n):
    script = b"s\n{\n{\nanimMap 4 " + b"t.tga " * n + b"\n}\n}\n"
    return {"g.pk3": pk3([("a.md3", md3(["s"])), ("scripts/a.shader", script)])}


# ---- Images --------------------------------------------------------------------------------------


def png(width, height, colour=1):
    return image_files.png_write([bytes((colour % 251, colour // 251, 7)) * width] * height, 2)


@family(8, "convert", "-q", "a.md3", "-o", "out.md2", memory=400)
def images_of_an_atlas(n):
    return {"a.md3": md3(["p%d" % i for i in range(n)]),
            **{"p%d.png" % i: image_files.png_write(
                [random.Random(i).randbytes(3 * (16 + i % 7)) for _ in range(16 + i % 5)], 2) for i in range(n)}}


@family(40, "extract", "-q", "a.mdl", "-o", "out/")
def skins_of_an_mdl(n):
    model = mdl_of(1, False)
    return {"a.mdl": model[:48] + struct.pack("<i", n) + model[52:84] + (struct.pack("<i", 0) + bytes(16)) * n
            + model[84 + 20:]}


@family(20000, "extract", "-q", "a.mdl", "-o", "out/")
def skins_of_a_group(n):
    model = mdl_of(1, False)
    group = struct.pack("<2i", 1, n) + struct.pack("<%df" % n, *(0.1 * (i + 1) for i in range(n))) + bytes(16) * n
    return {"a.mdl": model[:84] + group + model[84 + 20:]}


@family(20, "extract", "--images", "-q", "-j1", "m", "-o", "out/")
def images_of_models(n):
    return {**{"m/%d.md2" % i: make_md2(skins=(b"p.pcx",)) for i in range(n)}, "m/p.pcx": make_pcx(size=32)}


@family(1000, "uv", "a.md2", "-o", "out.svg")
def triangles_drawn(n):
    return {"a.md2": md2_strip(n)}


@family(1000, "uv", "--topology", "glcommands", "a.md2", "-o", "out.svg")
def strips_drawn(n):
    triangles = [(i, (i + 1) % n, (i + 2) % n, 0, 0, 0) for i in range(n)]
    commands = [x for i in range(n) for x in (3, 0, 0, i, 0, 0, (i + 2) % n, 0, 0, (i + 1) % n)]
    return {"a.md2": md2_of([(i % 7, i // 7 % 200, 0, 0) for i in range(n)], triangles, [(0, 0)],
                            commands=commands + [0])}


@family(1000, "uv", "a.md2", "-o", "out.svg")
def islands_drawn(n):
    triangles = [(0, 1, 2, 3 * i, 3 * i + 1, 3 * i + 2) for i in range(n)]
    st = [(300 * (i // 3 % 7) + i % 3 * 9, 300 + i % 3 % 2 * 9) for i in range(3 * n)]
    return {"a.md2": md2_of([(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0)], triangles, st)}


@family(200, "uv", "-q", "a.md3", "-o", "out.svg")
def surfaces_drawn(n):
    return {"a.md3": named_surfaces(n)}


# ---- Archives ------------------------------------------------------------------------------------


@family(500, "extract", "-q", "-j1", "g.pk3", "-o", "out/")
def members_extracted(n):
    return {"g.pk3": pk3([("m/%d" % i, b"x") for i in range(n)])}


@family(500, "extract", "-q", "-j1", "g.pak", "-o", "out/")
def members_of_a_pak_extracted(n):
    return {"g.pak": make_pak([(b"m/%d" % i, b"x") for i in range(n)])}


@family(100, "extract", "-q", "-j1", "g.pk3", "-o", "out/")
def folders_extracted(n):
    return {"g.pk3": pk3([("/".join("d%d" % (i + k) for k in range(20)) + "/x", b"x") for i in range(n)])}


@family(500, "extract", "-q", "-j1", "g.pak:**/*", "-o", "out/")
def members_extracted_by_a_pattern(n):
    return {"g.pak": make_pak([(b"m/%d" % i, b"x") for i in range(n)])}


@family(100000, "extract", "-q", "-j1", "g.pk3", "-o", "out/")
def bytes_extracted(n):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("a"), random.Random(3).randbytes(n))
    return {"g.pk3": file.getvalue()}


@family(60, "pack", "-q", "m", "-o", "out.pk3")
def files_packed(n):
    return {"m/%d" % i: b"x" * 20 for i in range(n)}


@family(200, "pack", "-q", "m", "-o", "out.pak")
def files_packed_in_a_pak(n):
    return {"m/%d" % i: b"x" * 20 for i in range(n)}


@family(40, "pack", "-q", "m", "-o", "out.pk3", memory=48)
def folders_packed(n):
    return {"m/" + "/".join("d%d" % (i + k) for k in range(12)) + "/x": b"x" for i in range(n)}


@family(200, "pack", "-q", "m", "*a*a*a*a*a*b", "x", "-o", "out.pk3")
def files_matched_by_a_pattern(n):
    return {**{"m/" + "a" * 100 + str(i): b"x" * 20 for i in range(n)}, "m/x": b""}


@family(60000, "pack", "-q", "m", "-o", "out.pk3")
def equal_bytes_packed(n):
    return {"m/x": bytes(n)}


@family(60000, "pack", "-q", "m", "-o", "out.pk3")
def bytes_that_almost_repeat_packed(n):
    return {"m/x": b"".join(b"aaaaaaaa" * 4 + struct.pack("<H", i) for i in range(n // 34))}


@family(500, "ls", "g.pk3", "**/*a*a*a*a*a*b/**/*a*b", status=1)
def members_matched_by_a_pattern(n):
    return {"g.pk3": pk3([("a" * 50 + "/" + "a" * 50 + "/%d" % i, b"") for i in range(n)])}


@family(100, "ls", "g.pk3", "**/**/**/**/**/x", status=1)
def members_matched_by_folders(n):
    return {"g.pk3": pk3([("a/" * 50 + str(i), b"") for i in range(n)])}


@family(60, "ls", "-l", "g.pk3")
def folders_in_an_archive(n):
    return {"g.pk3": pk3([("a%d/" % i * 30 + str(i), b"") for i in range(n)])}


@family(40, "check", "-j1", "-q", "g.pk3")
def models_checked_in_an_archive(n):
    return {"g.pk3": pk3([("m/%d.md2" % i, make_md2(skins=(b"x.pcx",))) for i in range(n)])}


# ---- Optimize ------------------------------------------------------------------------------------


@family(1000, "optimize", "-q", "a.md2", "-o", "out.md2", memory=64)
def triangles_optimized(n):
    return {"a.md2": md2_strip(n)}


@family(1500, "optimize", "-q", "a.md2", "-o", "out.md2", memory=64)
def triangles_without_common_vertices_optimized(n):
    return {"a.md2": md2_soup(n)}


@family(500, "optimize", "-q", "--strips", "best", "a.md2", "-o", "out.md2", memory=64)
def triangles_around_one_edge_optimized(n):
    return {"a.md2": md2_of([(0, 0, 0, 0), (9, 0, 0, 0)] + [(i % 251, i * 7 % 250, i % 241, 0) for i in range(n)],
                            [(0, 1, 2 + i, 0, 0, 0) for i in range(n)], [(0, 0)])}


@family(500, "optimize", "-q", "a.md2", "-o", "out.md2", memory=64)
def triangles_around_one_vertex_optimized(n):
    return {"a.md2": md2_of([(0, 0, 0, 0)] + [(i % 251, i * 7 % 250, i % 241, 0) for i in range(n)],
                            [(0, 1 + i, 1 + (i + 1) % n, 0, 0, 0) for i in range(n)], [(0, 0)])}


@family(1000, "optimize", "-q", "a.md2", "-o", "out.md2", memory=64)
def unused_vertices(n):
    return {"a.md2": md2_of([(i % 251, i * 7 % 250, i % 241, 0) for i in range(n)], [(0, 1, 2, 0, 0, 0)], [(0, 0)])}


@family(1000, "optimize", "-q", "a.md3", "-o", "out.md3", memory=64)
def equal_vertices(n):
    return {"a.md3": md3_of([[(0, 0, 0)] * n, [(1, 2, 3)] * n], strip(n))}


@family(100, "optimize", "-q", "a.md3", "-o", "out.md3", memory=64)
def surfaces_optimized(n):
    return {"a.md3": named_surfaces(n)}


@family(1000, "optimize", "-q", "a.mdl", "-o", "out.mdl", memory=64)
def poses_optimized(n):
    return {"a.mdl": mdl_of(n, True)}


# ---- Compare -------------------------------------------------------------------------------------


@family(400, "compare", "a.md3", "a.md3")
def frames_compared(n):
    return {"a.md3": md3_of([[(0, 0, f % 200), (64, 0, 0), (0, 64, f % 7)] for f in range(n)], [(0, 1, 2)])}


@family(40, "compare", "a.md3", "a.md3")
def tags_compared(n):
    return {"a.md3": md3_tagged(4 * n, 4)}


@family(150, "compare", "a.md3", "b.md3")
def surfaces_that_differ_compared(n):
    return {"a.md3": named_surfaces(n), "b.md3": md3(["u%d" % i for i in range(n)])}


@family(300, "compare", "a.md2", "b.md2", memory=32)
def clips_compared(n):
    return {"a.md2": make_md2([b"clip%dx1" % i for i in range(n)], ()),
            "b.md2": make_md2([b"pilc%dx1" % i for i in range(n)], ())}


# ---- Edit ----------------------------------------------------------------------------------------


def edited(size, *steps, kind="md3", status=0, **more):
    return family(size, "edit", "-q", "a." + kind, *steps, "-o", "out." + kind, status=status, **more)


@edited(200, "--rename", "frames:s/(a*)*b/x/", kind="md2")
def frames_renamed_by_a_pattern(n):
    return {"a.md2": make_md2([b"aaaaaaaaaaaaaac"] * n, ())}


@edited(200, "--path", r"s/.*.*.*.*.*.*x\/y/z/")
def paths_matched_by_a_pattern(n):
    return {"a.md3": md3(["a" * 62] * n)}


@edited(300, "--drop", "frames:0-100", kind="md2")
def frames_dropped(n):
    return {"a.md2": make_md2([b"run%d" % i for i in range(n)], ())}


@edited(300, "--keep", "clips:clip7x,clip9x,clip11x", "--reverse", "all", kind="md2")
def clips_kept(n):
    return {"a.md2": make_md2([b"clip%dx1" % i for i in range(n)], ())}


@edited(300, "--rename", "clips:s/^/x/", kind="md2")
def clips_renamed(n):
    return {"a.md2": make_md2([b"clip%dx1" % i for i in range(n)], ())}


@edited(300, "--append", "a.md2", kind="md2")
def frames_appended(n):
    return {"a.md2": make_md2([b"run%d" % i for i in range(n)], ())}


@edited(25, "--rename", "tags:s/tag/gat/", "--move-tag", "gat_1=1,2,3", "--add-tag", "tag_x=1,2,3")
def tags_edited(n):
    return {"a.md3": md3_tagged(4 * n, 10)}


@edited(25, "--drop", "tags:tag_3", "--keep", "frames:0-3")
def tags_dropped(n):
    return {"a.md3": md3_tagged(4 * n, 10)}


@edited(150, "--rename", "surfaces:s/s/x/", "--drop", "surfaces:x3")
def surfaces_edited(n):
    return {"a.md3": named_surfaces(n)}


@edited(1000, "--remove-unused", "--compute-normals", "--compute-bounds", memory=64)
def vertices_edited(n):
    return {"a.md3": md3_of([[(0, 0, 0)] * n], strip(n))}


@edited(300, "--rotate", "90", "--scale", "2", "--move", "1,2,3", memory=64)
def frames_moved(n):
    return {"a.md3": md3_of([[(0, 0, f % 200), (64, 0, 0), (0, 64, f % 7)] for f in range(n)], [(0, 1, 2)])}


@edited(300, "--reencode", "--fps", "20", kind="md2", memory=64)
def clips_resampled(n):
    return {"a.md2": make_md2([b"clip%dx%d" % (i // 2, i % 2) for i in range(2 * n)], ())}


@edited(600, "--drop", "skins:3", "--add-skin", "x.pcx", kind="md2")
def skins_edited(n):
    return {"a.md2": make_md2(skins=[b"players/x/%d.pcx" % i for i in range(n)])}


# ---- Reading -------------------------------------------------------------------------------------


@family(25, "check", "a.md3")
def tags_checked(n):
    return {"a.md3": md3_tagged(4 * n, 20)}


@family(25, "info", "a.md3")
def tags_shown(n):
    return {"a.md3": md3_tagged(4 * n, 20)}


@family(1000, "check", "a.mdl")
def poses_checked(n):
    return {"a.mdl": mdl_of(n, True)}


@family(300, "examine", "a.mdl", memory=48)
def poses_examined(n):
    return {"a.mdl": mdl_of(n, False)}


@family(100, "check", "-j1", "-q", "m", status=1)
def damaged_models(n):
    return {"m/%d.md2" % i: make_md2()[:100] for i in range(n)}


@family(100, "info", "-q", "a.md2", "--skin", "p.tga")
def one_skin_for_all(n):
    return {"a.md2": make_md2(skins=[b"x%d.pcx" % i for i in range(n)]), "p.tga": tga(1)}


# ---- Scripts of UFO: Alien Invasion --------------------------------------------------------------


def ufo_script(text):
    return {"ufos/a.ufo": text.encode(), "models/b.md2": make_md2(skins=())}


@family(2000, "info", "-q", "ufos/a.ufo/m0")
def menu_models(n):
    return ufo_script("".join("menu_model m%d { model b }\n" % i for i in range(n)))


@family(3000, "info", "-q", "ufos/a.ufo/m")
def menu_models_of_one_name(n):
    return ufo_script("menu_model m { model b }\n" * n)


@family(60, "info", "-j1", "-q", "ufos/a.ufo", memory=128)
def menu_models_of_a_script(n):
    return ufo_script("".join("menu_model m%d { model b need m0 }\n" % i for i in range(n)))


@family(60, "info", "-j1", "-q", "a.pk3", status=1, memory=40)
def scripts_of_an_archive(n):
    return {"a.pk3": pk3([("ufos/%d.ufo" % i, b"menu_model m { model b }") for i in range(n)])}


@family(3000, "info", "-q", "ufos/a.ufo/m")
def needs_of_a_menu_model(n):
    return ufo_script("menu_model m { model b\n" + "".join("need n%d\n" % i for i in range(n)) + "}")


@family(2000, "info", "-q", "ufos/a.ufo/t/male1")
def members_of_a_team(n):
    return ufo_script('team t { models { %s } }' % ('male("" "b" "" 0 0)\n' * n))


@family(2000, "info", "-q", "ufos/a.ufo/none", status=1)
def names_to_guess_from(n):
    return ufo_script("".join("menu_model m%d { model b }\n" % i for i in range(n)))


@family(20000, "info", "-q", "ufos/a.ufo/none", status=1)
def braces_of_a_script(n):
    return ufo_script("{" * n)


@family(20000, "info", "-q", "ufos/a.ufo/none", status=1)
def words_of_a_member(n):
    return ufo_script("team t { models { male(" + "1 " * n)


# ---- Skeletons -----------------------------------------------------------------------------------


# The fit holds each coordinate as a double, and bones of 32 bytes per coordinate.
@family(60, "convert", "-q", "a.md3", "--skeleton", "4", "-o", "a.glb", memory=32)
def vertices_of_a_skeleton(n):
    rng = random.Random(n)
    return {"a.md3": md3_of([[tuple(rng.randrange(3000) for _ in range(3)) for _ in range(n)] for _ in range(8)],
                            strip(n))}


@family(32, "convert", "-q", "a.md3", "--skeleton", "4", "-o", "a.glb", memory=32)
def frames_of_a_skeleton(n):
    rng = random.Random(n)
    return {"a.md3": md3_of([[tuple(rng.randrange(3000) for _ in range(3)) for _ in range(40)] for _ in range(n)],
                            strip(40))}
