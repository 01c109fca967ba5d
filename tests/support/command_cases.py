"""Small runs of every command with every option, for tests that make allocations fail or kill the command."""
import collections.abc
import contextlib
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest
import zipfile

import mds
import player_scene
import ufoai
from command import TOOL, commands, pairs
from small_files import RED, glb, gltf, limb_md2, make_md2, make_md3, make_pcx, make_pk3, moving, tga, worn

ANIMATION = "\n".join("%d 1 0 10 // %s" % (0, name) for name in ("BOTH_DEATH1", "TORSO_GESTURE", "LEGS_IDLE")).encode()
SCRIPT = b"""models/players/tiny/skin
{
    cull none
    { map models/players/tiny/cloth.tga
      blendFunc blend
      tcMod scroll 1 0 }
}
"""


def md3(name, tags=(), frames=2):
    """A moving triangle and static tags."""
    vertices = [vertex for i in range(frames) for vertex in ((0, 0, i, 0), (64, 0, i, 0), (0, 64, i, 0))]
    surface = name, b"models/players/tiny/skin.tga", [(0, 1, 2)], [(0, 0), (1, 0), (0, 1)], vertices
    return make_md3([surface], [(tag, (0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1)) for tag in tags], frames,
                    (0, 0, 0, 1, 1, 1, 0, 0, 0, 2))


COMPOSITIONS = b"""menu_model legs { model "players/tiny/lower"
    need torso need none
    anim "LEGS_IDLE" }
menu_model torso { model "players/tiny/upper" tag "tag_torso" parent legs need absent skin 1 }
menu_model absent { model "absent" }
team squad { models { male("players/tiny" "upper" "head" 0 0) } }
"""
TREE = {
    "models/players/tiny/lower.md3": md3(b"l_legs", (b"tag_torso",)),
    "models/players/tiny/upper.md3": md3(b"u_torso", (b"tag_torso", b"tag_head", b"tag_weapon")),
    "models/players/tiny/head.md3": md3(b"h_head", (b"tag_head",)),
    "models/players/tiny/lower_default.skin": b"l_legs,models/players/tiny/skin.tga\ntag_torso,\n",
    "models/players/tiny/upper_default.skin": b"u_torso,models/players/tiny/skin\n",
    "models/players/tiny/animation.cfg": ANIMATION,
    "models/players/tiny/cloth.tga": tga(3),
    "models/weapons/gun.md3": md3(b"gun", (b"tag_weapon",)),
    "models/box.md2": make_md2(skins=(b"models/box.tga", b"models/other.tga")),
    "models/box.tga": tga(7),
    "models/broken.md2": make_md2()[:100],
    "models/old/tris.md2": make_md2(skins=(b"players/other/skin.pcx",)),
    "models/old/weapon.md2": make_md2(skins=(b"players/other/weapon.pcx",)),
    "models/old/green.pcx": make_pcx(size=32),
    "models/old/green_i.pcx": make_pcx(size=32),
    "scripts/tiny.shader": SCRIPT,
    "ufos/tiny.ufo": COMPOSITIONS,
}
GAME = "game/base"
PLAYER = GAME + "/models/players/tiny"

def make_tree(folder):
    for name, data in TREE.items():
        path = folder / GAME / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    images = [{"at": 0, "size": len(RED)}, {"at": 0, "size": len(RED), "name": "other"}]
    (folder / "game/robot.glb").write_bytes(glb(gltf(images, [worn(0), worn(1)], RED)))
    (folder / "game/moving.glb").write_bytes(glb(moving([0, 1, 0])))
    (folder / "game/cut.cfg").write_text("0 2 0 10 // first\n")
    (folder / "game/simple.glb").write_bytes(glb(gltf(images[:1], [worn(0)], RED)))
    for name in "walk_1", "walk_2":
        shutil.copy(folder / "game/robot.glb", folder / f"game/{name}.glb")
    (folder / "game/imports").mkdir()
    shutil.copy(folder / "game/simple.glb", folder / "game/imports/simple.glb")
    (folder / "game/red.png").write_bytes(RED)
    (folder / "game/square.obj").write_bytes(b"mtllib square.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                                             b"vt 0 0\nf 1/1 2/1 3/1 4/1\n")
    (folder / "game/square.mtl").write_bytes(b"newmtl red\nmap_Kd red.png\n")
    (folder / "game/arms").mkdir()
    for name, surfaces in ("v_gun_hand", 0), ("v_gun", 1), ("v_gun_barrel", 1):
        part = md3(b"gun", (b"tag_weapon", b"tag_barrel"))
        (folder / f"game/arms/{name}.md3").write_bytes(part if surfaces else make_md3(
            [], [(tag, (0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1)) for tag in (b"tag_weapon", b"tag_barrel")], 2))
    (folder / "game/arms/weapon.cfg").write_bytes(b"newfmt\n0 1 20 1 0 0 0\n0 2 20 0 1 0 0\n1 1 20 0 0 0 1\n" +
                                                  b"0 1 20 1 0 0 0\n" * 7)
    subprocess.run([TOOL, "convert", "-q", str(folder / "game/arms"), "-o", str(folder / "game/arms.glb")], check=True)
    (folder / "game/wolf").mkdir()
    (folder / "game/wolf/body.mds").write_bytes(mds.make_player())
    for name in "head", "pack":
        (folder / f"game/wolf/{name}.md3").write_bytes(md3(name.encode(), (b"tag_mouth",)))
    (folder / "game/wolf/wolfanim.cfg").write_bytes(b"walk 0 6 6 10 0\naim 6 5 0 20 0\n")
    (folder / "game/wolf/head_a.skin").write_bytes(b"md3_part,head.md3\nmd3_hat,pack.md3\n")
    (folder / "game/wolf/body_a.skin").write_bytes(b"u_body,a.tga\nmd3_back,worn\n")
    (folder / "game/wolf/worn.skin").write_bytes(b"md3_part,pack.md3\n")
    (folder / "game/ufo").mkdir()
    for name in "body", "body-lod01", "torn":
        (folder / f"game/ufo/{name}.md2").write_bytes(make_md2(skins=(b".body",)))
    (folder / "game/ufo/body.anm").write_bytes(b"stand 0 2 10\n")
    (folder / "game/ufo/body.tag").write_bytes(ufoai.make_tags([ufoai.Tag("tag_head", [(1.0,) * 12] * 3)]))
    (folder / "game/ufo/body.mdx").write_bytes(ufoai.make_groups([0, 1, 2]))
    (folder / "game/ufo/torn.mdx").write_bytes(ufoai.make_groups([0, 1, 0]))
    (folder / "game/ufos.pk3").write_bytes(make_pk3([("ufos/tiny.ufo", COMPOSITIONS)]))
    images = [{"uri": "RED.PNG"}, {"uri": "none.png"}]
    scene = player_scene.Scene("collection")
    scene.animate("run", 3, 10, 30)
    (folder / "game/hero.glb").write_bytes(scene.glb())
    (folder / "game/beside.glb").write_bytes(glb(gltf(images, [worn(0), worn(1)], b"")))
    with zipfile.ZipFile(folder / "game.pk3", "w") as archive:
        for name, data in TREE.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    models = folder / GAME / "models"
    convert = [TOOL, "convert", "-q", "--frames", "0", str(models / "players/tiny/lower.md3"), "-o"]
    subprocess.run([*convert, str(folder / "game/lower.mdc")], check=True)
    (folder / "game/limb.md2").write_bytes(limb_md2(frames=8, vertices=12, bulge=4))
    subprocess.run([TOOL, "convert", "-q", "--skeleton=2", "--correctives", "2",
                    str(folder / "game/limb.md2"), "-o", str(folder / "game/limb.glb")], check=True)


def make_own(folder: pathlib.Path) -> None:
    """Makes own/, which runs change, and out/."""
    (folder / "own").mkdir()
    (folder / "out").mkdir()
    (folder / "own/box.md2").write_bytes(TREE["models/box.md2"])
    (folder / "own/padded.md2").write_bytes(TREE["models/box.md2"] + bytes(100))
    gun = TREE["models/weapons/gun.md3"]
    corner = gun.index(struct.pack("<3i", 0, 1, 2))
    (folder / "own/damaged.md3").write_bytes(gun[:corner] + b"\xff" * 4 + gun[corner + 4:])
    for name in "box.md3", "box.tga":
        (folder / "own" / name).write_bytes(b"before")


def files_of(folder: pathlib.Path) -> dict[str, bytes]:
    """Returns the files that runs write."""
    return {str(path.relative_to(folder)): path.read_bytes() for name in ("own", "out")
            for path in sorted((folder / name).rglob("*")) if path.is_file()}


class InFolders(unittest.TestCase):
    """Runs cases, each in a folder of its own."""
    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        make_tree(self.folder)
        make_own(self.folder)
        self.before = files_of(self.folder)

    @contextlib.contextmanager
    def own_folder(self) -> collections.abc.Iterator[pathlib.Path]:
        """Makes a folder with the tree, own/ and out/."""
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            place = pathlib.Path(name)
            make_own(place)
            for linked in "game", "game.pk3":
                (place / linked).symlink_to(self.folder / linked)
            yield place


# The arguments of each case. It runs in a folder of its own, which has game/ and game.pk3 to read, own/ to change, and
# out/ to write to. Every option of every command has a case.
CASES = {
    "info": ["info", "--json", "--summary", GAME + "/models/box.md2"],
    "info of a player": ["info", PLAYER],
    "info of a weapon": ["info", "--json", "game/arms/v_gun_hand.md3"],
    "a weapon": ["convert", "game/arms", "-o", "out/weapon.glb"],
    "a player with bones": ["convert", "game/wolf", "-o", "out/wolf.glb", "--clip", "walk+aim,aim"],
    "info of a skin": ["info", "--json", "game/wolf/body_a.skin"],
    "a weapon by its hand": ["convert", "game/arms/v_gun_hand.md3", "-o", "out/hand.glb"],
    "the clips of a hand": ["convert", "game/arms/v_gun_hand.md3", "-o", "out/v_gun_hand.mdc", "--write-clips"],
    "info as a table": ["info", "--csv", GAME],
    "info of an archive": ["info", "-j1", "--json", "game.pk3"],
    "info of a guess": ["info", "-v", "--strict", GAME + "/models/old/tris.md2"],
    "info with options": ["info", "-q", "--clips-from", PLAYER + "/animation.cfg", "--game", GAME, "--skin", "default",
                          "--repair", "--quirk", "mdc-prinz", "--max-input", "1M", PLAYER + "/lower.md3"],
    "check": ["check", "--json", "--summary", GAME + "/models/broken.md2", GAME + "/models/box.md2"],
    "check for an engine": ["check", "-q", "-v", "-j2", "--max-input", "1M", "--engine", "quake2", "--strict",
                            GAME + "/models/old"],
    "check with the files around": ["check", "--engine", "ufoai", "game/ufo/body.md2", "game/ufo/torn.md2"],
    "examine": ["examine", "--json", GAME + "/models/box.md2"],
    "examine a lump": ["examine", "-q", "-j1", "--max-input", "1M", "--lump", "triangles",
                       GAME + "/models/box.md2"],
    "ls": ["ls", "game.pk3"],
    "ls of a pattern": ["ls", "--long", "--json", "game.pk3", "models/**/*.md2"],
    "formats": ["formats", "--json"],
    "completions": ["completions", "bash"],
    "uv": ["uv", GAME + "/models/box.md2", "-o", "out/box.svg"],
    "uv of surfaces": ["uv", "-j1", "-f", "-v", "--sync", "--max-input", "1M", "--max-output", "1M", "--repair", "--skin",
                       "default", "--game", GAME, PLAYER + "/upper.md3", "--surface", "u_torso", "-o", "out/"],
    "uv in pixels": ["uv", "-q", "--strict", "--exact", "--format", "png", "--topology", "glcommands", "--palette",
                     GAME + "/models/old/green.pcx", "--skip-existing", GAME + "/models/box.md2", "-o", "out/box.png"],
    "glb": ["convert", "--strict", GAME + "/models/box.md2", "-o", "out/box.glb"],
    "gltf": ["convert", "--json", "--summary", GAME + "/models/box.md2", "-o", "out/box.gltf"],
    "gltf at another rate": ["convert", "--fps", "24", "--speed", "2", "--unit", "1", GAME + "/models/box.md2", "-o",
                             "out/box.gltf"],
    "gltf with options": ["convert", "--sync", "--quantize", "--unlit", "--alpha", "mask", "--axes", "model", "--topology",
                          "glcommands", "--normals", "computed", "--repair", "--transparent-255", "--palette",
                          GAME + "/models/old/green.pcx", "--max-input", "1M", "--max-output", "1M", "--clip", "run",
                          GAME + "/models/box.md2", "-o", "out/box.gltf"],
    "vat": ["convert", "--vat", "exr", "--vnrm", GAME + "/models/box.md2", "-o", "out/box.glb"],
    "vat of a player": ["convert", "--vat", "png", PLAYER, "-o", "out/tiny.glb"],
    "compressed glb": ["convert", "--compress", "meshopt", "--max-error", "0.02", "--for", "three", PLAYER + "/lower.md3",
                       "-o", "out/lower.glb"],
    "skeleton": ["convert", "--skeleton=2", "--correctives", "2", "game/limb.md2", "-o", "out/limb.glb"],
    "skeleton between frames": ["convert", "--skeleton=2", "--fps", "20", "game/limb.md2", "-o", "out/limb.mdc"],
    "import of a skeleton": ["convert", "game/limb.glb", "-o", "out/limb.md2"],
    "obj": ["convert", GAME + "/models/box.md2", "--frames", "1", "-o", "out/box.obj"],
    "md3": ["convert", "--json", GAME + "/models/box.md2", "--fps", "5", "--scale", "2", "-o", "out/box.md3"],
    "mdl": ["convert", "--engine", "quake", "--max-error", "9", GAME + "/models/box.md2", "-o", "out/box.mdl"],
    "mdc": ["convert", "--smallest", "--quirk", "mdc-prinz", PLAYER + "/lower.md3", "-o", "out/lower.mdc"],
    "md2": ["convert", "--hd", "--stability", "8", PLAYER + "/lower.md3", "-o", "out/lower.md2"],
    "md2 on a grid": ["convert", "--smooth", "--shared-grid", PLAYER + "/upper.md3", PLAYER + "/lower.md3", "-o",
                      "out/lower.md2"],
    "lods": ["convert", "--lods", "2", "--decimate", "50%", PLAYER + "/lower.md3", "-o", "out/lower.md3"],
    "skin path": ["convert", "--skin-path", "models/new", PLAYER + "/lower.md3", "-o", "out/lower.md2"],
    "player": ["convert", "game.pk3:models/players/tiny", "--attach",
               "tag_weapon=game.pk3:models/weapons/gun.md3", "-o", "out/tiny.glb"],
    "two models": ["convert", GAME + "/models/box.md2", "--with", GAME + "/models/old/weapon.md2", "-o", "out/both.md2"],
    "sidecars": ["convert", "game/ufo/body.md2", "--attach", "tag_head=game/ufo/body-lod01.md2", "-o", "out/body.glb"],
    "composition": ["convert", "game.pk3:ufos/tiny.ufo/legs", "-o", "out/legs.glb"],
    "compositions of an archive": ["info", "-j1", "--game", GAME, "game/ufos.pk3"],
    "no compositions": ["check", "game/ufos.pk3"],
    "members of a team": ["info", "-j1", GAME + "/ufos/tiny.ufo"],
    "clips": ["convert", GAME + "/models/box.md2", "--frames", "0-1", "--clips-from", PLAYER + "/animation.cfg", "-o",
              "out/box.glb"],
    "game": ["convert", PLAYER, "--game", GAME, "--skin", "default", "-o", "out/tiny.glb"],
    "import": ["convert", "game/robot.glb", "-o", "out/robot.md3"],
    "import of an atlas": ["convert", "game/robot.glb", "-o", "out/robot.md2", "--strips", "fast"],
    "import of a PCX": ["convert", "game/robot.glb", "--palette", GAME + "/models/old/green.pcx", "-o", "out/robot.md2"],
    "import of clips": ["convert", "--loop", "walk", "--normals", "computed", "game/moving.glb", "-o", "out/moving.md3"],
    "import that is cut": ["convert", "--once", "walk", "--clips-from", "game/cut.cfg", "game/moving.glb", "-o",
                           "out/moving.md3"],
    "import of what is spelled otherwise": ["convert", "game/beside.glb", "-o", "out/robot.mdc"],
    "import of numbered files": ["convert", "game/walk_{frame}.glb", "--tag", "tag_hand=square", "-o",
                                 "out/walk.md3"],
    "import of a player": ["convert", "game/simple.glb", "--player", "--lods", "1", "-o", "out/robot.md3"],
    "import through Assimp": ["convert", "--import-time", "60", "--import-memory", "1G", "game/square.obj", "-o",
                              "out/square.md3"],
    "scene as a player": ["convert", "game/hero.glb", "--player", "-f", "-o", "out/hero/"],
    "scene as a packed player": ["convert", "game/hero.glb", "--player", "-o", "out/hero.pk3"],
    "player of Quake II": ["convert", "game/hero.glb", "--player", "--engine", "quake2", "-o", "out/tris.md2"],
    "scene as a weapon": ["convert", "game/arms.glb", "--weapon", "-o", "out/arms/"],
    "weapon as it was": ["convert", "game/arms.glb", "--weapon", "-o", "game/arms/"],
    "folder as a player": ["convert", PLAYER, "--player", "-o", "out/tiny/"],
    "player beside": ["convert", PLAYER, "--player", "-o", "out/tiny.md3"],
    "half beside": ["convert", PLAYER + "/lower.md3", "--player", "-o", "out/lower.md3"],
    "clips beside": ["convert", GAME + "/models/box.md2", "--write-clips", "-o", "out/box.mdc"],
    "batch": ["convert", "-j1", "game.pk3", "-o", "out/"],
    "folder": ["convert", "-j1", "game", "-o", "out/"],
    "batch of gltf": ["convert", "-j1", "--format", "gltf", "game.pk3:models/players/tiny", "game.pk3:models/old", "-o",
                      "out/"],
    "folder of imports": ["convert", "-j1", "--format", "md3", "game/imports", "-o", "out/"],
    "batch that replaces": ["convert", "-q", "-v", "-j1", "-f", "--format", "md3", "own/box.md2", "own/padded.md2", "-o",
                            "own/"],
    "batch that continues": ["convert", "-j1", "--format", "md3", "--skip-existing", "own/box.md2", "own/padded.md2", "-o",
                             "own/"],
    "edit": ["edit", "--path", "s/box/new/", "--set-skin", "0=models/a.pcx", "--add-skin", "b.pcx", "--rename",
             "frames:s/run/walk/", "--reverse", "all", "--append", GAME + "/models/box.md2", "--drop", "skins:2",
             GAME + "/models/box.md2", "-o", "out/box.md2"],
    "edit of tags": ["edit", "--name", "n", "--keep", "tags:tag_head,tag_torso", "--order", "tags:tag_torso,tag_head",
                     "--add-tag", "tag_x=1,2,3", "--move-tag", "tag_x=1,2,3", "--scale", "2", "--rotate", "90", "--move",
                     "1,2,3", "--round", "--remove-unused", "--normals", "computed", "--compute-bounds",
                     PLAYER + "/upper.md3", "-o", "out/upper.md3"],
    "edit of a tag that follows": ["edit", "--add-tag", "tag_x=1,2,3,follow", PLAYER + "/upper.md3", "-o", "out/upper.md3"],
    "edit by encoding": ["edit", "--reencode", "--fps", "20", "--rotate", "30", GAME + "/models/box.md2", "-o",
                         "out/box.md2"],
    "edit in place": ["edit", "--in-place", "--backup", "-f", "--sync", "-v", "--rename", "clips:run=walk",
                      "own/box.md2"],
    "edit of a folder": ["edit", "-j1", "-q", "--json", "--summary", "--skip-existing", "--max-input", "1M",
                         "--max-output", "1M", "--rename", "clips:run=walk", "own", "-o", "out/"],
    "edit of an archive": ["edit", "-j1", "--path", "s#^models/#{dir}/#", "game.pk3:models/old", "-o", "out/new.pk3"],
    "edit of damage": ["edit", "--fix", "all", "own/damaged.md3", "-o", "out/mended.md3"],
    "edit of nothing": ["edit", "-n", "--fix", "damage", "--path", "s/a/b/", "own/box.md2"],
    "optimize": ["optimize", "--strips", "best", "--sync", "own/padded.md2", "-o", "out/box.md2"],
    "optimize an mdc": ["optimize", "--max-error", "1", "-v", "game/lower.mdc", "-o", "out/lower.mdc"],
    "optimize in place": ["optimize", "--in-place", "--backup", "-f", "own/padded.md2"],
    "optimize a folder": ["optimize", "-j1", "-q", "--json", "--summary", "--skip-existing", "--max-input", "1M",
                          "--max-output", "1M", "own", "-o", "out/"],
    "optimize an archive": ["optimize", "-j1", "game.pk3:models/players", "-o", "out/new.pak"],
    "optimize nothing": ["optimize", "-n", "--repair", "--static", "own/padded.md2"],
    "optimize in order": ["optimize", "--game", GAME, PLAYER + "/lower.md3", "-o", "out/lower.md3"],
    "optimize out of order": ["optimize", "--reorder", "own/padded.md2", "-o", "out/box.md2"],
    "compare": ["compare", "--strict", "--tolerance", "1", GAME + "/models/box.md2", PLAYER + "/lower.md3"],
    "compare with options": ["compare", "--json", "--clips-from", "none", "--normals", "computed", "--topology", "glcommands",
                             "--quirk", "mdc-prinz", "--repair", "--game", GAME, "--max-input", "1M",
                             GAME + "/models/box.md2", GAME + "/models/old/tris.md2"],
    "extract": ["extract", "-j1", "-q", "--json", "--summary", "--sync", "--max-input", "1M", "game.pk3:models/**/*",
                "-o", "out/"],
    "extract over files": ["extract", "-j1", "-f", "-v", "--max-output", "1M", "game.pk3:models/box.tga", "-o", "own/"],
    "extract images strictly": ["extract", "-j1", "--images", "--strict", GAME + "/models/box.md2", "-o", "out/"],
    "extract images": ["extract", "-j1", "--images", "--game", GAME, "--skin", "default", "--repair", "--palette",
                       GAME + "/models/old/green.pcx", "--transparent-255", PLAYER + "/lower.md3", "-o", "out/"],
    "pack": ["pack", "--sync", "--json", GAME, "-o", "out/game.pk3"],
    "pack a pak": ["pack", "-q", "--format", "pak", "--max-output", "1M", GAME, "models/**/*", "-o", "out/game"],
}
# A graphics driver takes part in these.
DRAWN = {
    "render": ["render", "--size", "16x16", "--skeleton", GAME + "/models/box.md2", "-o", "out/box.png"],
    "gallery": ["render", "--size", "16x16", GAME + "/models/box.md2", GAME + "/models/broken.md2", "-o",
                "out/index.html"],
    "compare with an image": ["compare", "--image", "out/box.png", "--max-output", "1M", GAME + "/models/box.md2",
                              GAME + "/models/old/tris.md2"],
}
ELSEWHERE = {"render", "compare --image", "compare --max-output"}


def without_case() -> list[str]:
    """Returns the commands and options that have no case."""
    missing = []
    for command in commands():
        given = {word for arguments in CASES.values() if arguments[0] == command
                 for word in (part.partition("=")[0] if part.startswith("--") else part for part in arguments)}
        if not given:
            missing.append(command)
        missing += [f"{command} {long}" for long, short in pairs(command)
                    if long not in ("--help", "--help-all") and long not in given
                    and not (short and given & {short, short + "1", short + "2"})]
    return [name for name in missing if not ELSEWHERE & {name, name.split()[0]}]
