"""What OpenArena's engine is asked about: all its MD3 files optimized; via glTF; from MD2; with LODs; players."""
import struct
import zipfile
from pathlib import Path

import openarena
import shaders
from cases import Case, case
from engine import run_tool
from openarena import test_model

# MD2's coordinates have 256 steps and its texture coordinates whole pixels, so colours differ, and this share of the
# model's pixels at its edges.
COARSE = 0.1
# A found skeleton is off by about the file's rounding; some vertices more.
SKINNED = 0.03
# The server changes the player within some of its frames.
PLAYER_WAIT = ["set fixedtime 50", "wait 12", "set fixedtime 1", "wait 2"]


class Maker:
    """The rewritten files, in a folder that the engine searches before the game's archives."""

    def __init__(self, tool: Path, work: Path):
        self.tool, self.work = tool, work
        self.home = work / "home"
        self.base = self.home / "baseoa"
        self.files = read_game()
        self.md3 = {name: data for name, data in sorted(self.files.items()) if name.endswith(".md3")}
        self.original = work / "original"
        for name, data in self.md3.items():
            self.put(self.original / name, data)

    @staticmethod
    def put(path: Path, data: bytes) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def run(self, *words: object) -> None:
        run_tool(self.tool, *words)

    def through(self, source: Path, between: Path, target: Path, *options: str) -> None:
        """Converts a file into another format, and that into the target."""
        between.parent.mkdir(parents=True, exist_ok=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        self.run("convert", "-q", source, "-o", between)
        self.run("convert", "-q", between, "-o", target, *options)


def read_game() -> dict[str, bytes]:
    """Returns the models, players and shader scripts; later archives replace files of earlier ones."""
    files = {}
    for path in sorted(openarena.ARCHIVES.glob("*.pk3")):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.lower().endswith((".md3", ".shader")) or name.startswith("models/players/"):
                    files[name.lower()] = archive.read(name)
    return files


def read_shaders(files: dict[str, bytes]) -> list[shaders.Shader]:
    return [shader for name, data in files.items() if name.endswith(".shader") for shader in shaders.read(data)]


def blended(files: dict[str, bytes]) -> set[bytes]:
    """Returns the shaders whose surfaces are blended with the background."""
    return {shader.name.lower() for shader in read_shaders(files) if shader.stages and shader.stages[0].blend}


def vertex_coloured(files: dict[str, bytes]) -> set[bytes]:
    """Returns the shaders that use vertex colours. MD3 has none: the engine uses what the last model left."""
    vertex = {shaders.RGB.index(word) for word in ("vertex", "exactvertex", "oneminusvertex")}
    alpha = {shaders.ALPHA.index(word) for word in ("vertex", "oneminusvertex")}
    return {shader.name.lower() for shader in read_shaders(files)
            if any(stage.rgb_gen in vertex or stage.alpha_gen in alpha for stage in shader.stages)}


def materials(md3: bytes) -> set[bytes]:
    """Returns the names of the surfaces' shaders, without extension."""
    names = set()
    count, at = struct.unpack_from("<i", md3, 84)[0], struct.unpack_from("<i", md3, 100)[0]
    for _ in range(count):
        num, where = struct.unpack_from("<i", md3, at + 76)[0], struct.unpack_from("<i", md3, at + 92)[0]
        for i in range(num):
            start = at + where + 68 * i
            name = md3[start:start + 64].split(b"\0")[0].lower().replace(b"\\", b"/")
            names.add(name.rsplit(b".", 1)[0] if b"." in name.rsplit(b"/", 1)[-1] else name)
        at += struct.unpack_from("<i", md3, at + 104)[0]
    return names


# ---- Cases --------------------------------------------------------------------------------------

def rewritten(maker: Maker, folder: str, kind: str, **more) -> list[Case]:
    """Returns a case for each MD3 in a folder with rewritten files; their paths are those of the originals."""
    cases = []
    coloured = vertex_coloured(maker.files)
    for path in sorted((maker.base / "models" / folder).rglob("*.md3")):
        name = str(path.relative_to(maker.base / "models" / folder))
        data = maker.md3["models/" + name]
        exempt = "rgbGen vertex" if materials(data) & coloured else ""
        cases.append(case(name, kind, test_model(data, "models/" + name),
                          test_model(data, f"models/{folder}/{name}", path.read_bytes()), exempt=exempt, **more))
    return cases


def optimized(maker: Maker) -> list[Case]:
    maker.run("optimize", "-q", "--game", openarena.ARCHIVES, maker.original / "models", "-o",
              f"{maker.base}/models/opt/")
    return rewritten(maker, "opt", "MD3, optimized")


def via_gltf(maker: Maker) -> list[Case]:
    for name in maker.md3:
        path = name.removeprefix("models/")
        maker.through(maker.original / name, maker.work / "glb" / (path + ".glb"), maker.base / "models/glb" / path)
    return rewritten(maker, "glb", "glb to MD3")


def via_md2(maker: Maker) -> list[Case]:
    """Weapons of one surface: MD2 has only one, and coarser coordinates. Flashes have no clear outline."""
    for name, data in maker.md3.items():
        if name.startswith("models/weapons2/") and "_flash" not in name and struct.unpack_from("<i", data, 84)[0] == 1:
            path = name.removeprefix("models/")
            maker.through(maker.original / name, maker.work / "md2" / (path + ".md2"), maker.base / "models/md2" / path)
    return rewritten(maker, "md2", "MD2 to MD3", outline=COARSE)


def pose(md3: bytes, path: str, frame: int) -> list[str]:
    """Returns the commands that show a frame of a model with the size of this file."""
    return [test_model(md3, path)[0], f"testmodel {path}", *["nextframe"] * frame, "wait 2"]


def skinned(maker: Maker) -> list[Case]:
    """Halves of players as IQM, with the skeletons that are found in them: three poses each."""
    cases = []
    for name in "liz/lower", "skelebot/upper", "major/lower":
        path, made = f"models/players/{name}.md3", f"models/iqm/{name}.iqm"
        (maker.base / made).parent.mkdir(parents=True, exist_ok=True)
        # Frames keep their numbers, also those that no clip shows.
        maker.run("convert", "-q", "--clips-from", "none", maker.original / path, "-o", maker.base / made)
        cases += [case(f"{name} {frame}", "MD3 to IQM", pose(maker.md3[path], path, frame),
                       pose(maker.md3[path], made, frame), outline=SKINNED) for frame in (3, 40, 110)]
    return cases


def broken(maker: Maker) -> list[Case]:
    """Files that are wrong: the highest vertex is moved; the triangles of a blended surface are in another order; half
    of the file is missing."""
    gun, juicer = "weapons2/shotgun/shotgun.md3", "powerups/shield/juicer.md3"
    data = bytearray(maker.md3["models/" + gun])
    surface, = struct.unpack_from("<i", data, 100)
    at = surface + struct.unpack_from("<i", data, surface + 100)[0]
    count, = struct.unpack_from("<i", data, surface + 80)
    at = max(range(at, at + 8 * count, 8), key=lambda vertex: struct.unpack_from("<h", data, vertex + 4))
    struct.pack_into("<3h", data, at, *[value + 512 for value in struct.unpack_from("<3h", data, at)])
    maker.put(maker.base / "models/moved" / gun, bytes(data))
    data = bytearray(maker.md3["models/" + juicer])
    surface, = struct.unpack_from("<i", data, 100)
    count, = struct.unpack_from("<i", data, surface + 84)
    at = surface + struct.unpack_from("<i", data, surface + 88)[0]
    triangles = [bytes(data[at + 12 * i:at + 12 * i + 12]) for i in range(count)]
    data[at:at + 12 * count] = b"".join(reversed(triangles))
    maker.put(maker.base / "models/reversed" / juicer, bytes(data))
    maker.put(maker.base / "models/cut" / gun, maker.md3["models/" + gun][:2000])
    return [one for folder in ("moved", "reversed", "cut") for one in rewritten(maker, folder, folder, broken=True)]


def lods(maker: Maker) -> list[Case]:
    """Models with LODs, from a glb: each is what the engine shows if it is asked for that LOD."""
    cases = []
    for name in ("weapons2/rocketl/rocketl.md3", "weapons2/shotgun/shotgun.md3", "powerups/health/large_cross.md3"):
        source = maker.original / "models" / name
        stem = maker.base / "models/lods" / name.removesuffix(".md3")
        maker.through(source, maker.work / "lods" / (name + ".glb"), Path(f"{stem}.md3"), "--lods", "2")
        for level in (1, 2):
            path = f"{name.removesuffix('.md3')}_{level}.md3"
            data = Path(f"{stem}_{level}.md3").read_bytes()
            maker.put(maker.base / "models/lone" / path, data)
            cases.append(case(path, "LODs", ["set r_lodbias 0", *test_model(data, f"models/lone/{path}")],
                              [f"set r_lodbias {level}", *test_model(data, f"models/lods/{name}"),
                               "set r_lodbias 0"]))
    return cases


# ---- Players ------------------------------------------------------------------------------------

# Of a player's visible pixels, this share may differ at its edges: its vertices are rounded again.
PLAYER_OUTLINE = 0.02
PARTS = ("lower", "upper", "head")


def players(maker: Maker) -> list[str]:
    return sorted({name.split("/")[2] for name in maker.files if name.endswith("/animation.cfg")})


def wear(player: str) -> list[str]:
    """Returns the commands that make the camera look at a player from the front."""
    return [f"set model {player}", f"set headmodel {player}", *PLAYER_WAIT]


def copy_player(maker: Maker, player: str, new: str) -> Path:
    """Copies a player, without its models, under another name."""
    folder = f"models/players/{player}/"
    for name, data in maker.files.items():
        if name.startswith(folder) and not name.endswith((".md3", "/")):
            maker.put(maker.base / "models/players" / new / name.removeprefix(folder), data)
    return maker.base / "models/players" / new


def players_rewritten(maker: Maker) -> list[Case]:
    cases = []
    for number, player in enumerate(players(maker)):
        # Paths have at most 63 bytes.
        optimized_name, gltf_name = f"o{number}", f"g{number}"
        folder = copy_player(maker, player, optimized_name)
        source = maker.original / "models/players" / player
        maker.run("optimize", "-q", "--game", openarena.ARCHIVES, *[source / f"{part}.md3" for part in PARTS], "-o", f"{folder}/")
        cases.append(case(player, "players, optimized", wear(player), wear(optimized_name),
                          earlier=wear(player), alias=(optimized_name, player)))
        folder = copy_player(maker, player, gltf_name)
        for part in PARTS:
            maker.through(source / f"{part}.md3", maker.work / "players" / player / f"{part}.glb",
                          folder / f"{part}.md3")
        cases.append(case(player, "players, glb to MD3", wear(player), wear(gltf_name),
                          earlier=wear(player), alias=(gltf_name, player)))
    return cases


def has_surfaces(maker: Maker, player: str) -> bool:
    """Returns whether all parts of a player have surfaces. A part of a scene is found by its surfaces."""
    return all(materials(maker.files[f"models/players/{player}/{part}.md3"]) for part in PARTS)


def skin_shaders(maker: Maker, player: str) -> set[bytes]:
    """Returns the shaders of a player's default skin, without extension."""
    lines = [line for part in PARTS
             for line in maker.files.get(f"models/players/{player}/{part}_default.skin", b"").lower().split(b"\n")]
    return {line.split(b",")[1].strip().rsplit(b".", 1)[0] for line in lines if b"," in line}


def make_player(maker: Maker, player: str, new: str) -> Path:
    """Converts a player into one glb, and that into a player by one command. Returns its folder."""
    between = maker.work / "made" / f"{player}.glb"
    between.parent.mkdir(parents=True, exist_ok=True)
    maker.run("convert", "-q", "-f", "--game", openarena.ARCHIVES, maker.original / "models/players" / player, "-o", between)
    maker.run("convert", "-q", between, "-o", f"{maker.base}/models/players/{new}/", "--player")
    return maker.base / "models/players" / new


def players_made(maker: Maker) -> list[Case]:
    """Players of one glb each. Their images are made of shaders, so only outlines are compared."""
    cases = []
    see_through = blended(maker.files)
    for name, data in maker.files.items():
        if name.startswith("models/players/") and not name.endswith("/"):
            maker.put(maker.original / name, data)
    for number, player in enumerate(players(maker)):
        if has_surfaces(maker, player):
            make_player(maker, player, f"m{number}")
            exempt = "a blended shader" if skin_shaders(maker, player) & see_through else ""
            cases.append(case(player, "players of one glb", wear(player), wear(f"m{number}"), alias=(f"m{number}", player),
                              outline=PLAYER_OUTLINE, exempt=exempt))
    return cases + players_broken(maker)


def read_tags(md3: bytes) -> list[bytes]:
    """Returns the tags of the first frame."""
    count, at = *struct.unpack_from("<i", md3, 80), *struct.unpack_from("<i", md3, 96)
    return [md3[start:start + 112] for start in range(at, at + 112 * count, 112)]


def players_broken(maker: Maker) -> list[Case]:
    """Players that are wrong: a head's tag is too high; there is no icon, so that the game shows another player."""
    player = "skelebot"
    folder = make_player(maker, player, "tag")
    data = bytearray((folder / "upper.md3").read_bytes())
    frames, tags = struct.unpack_from("<2i", data, 76)
    at, = struct.unpack_from("<i", data, 96)
    for tag in range(at, at + 112 * frames * tags, 112):
        if data[tag:tag + 9] == b"tag_head\0":
            struct.pack_into("<f", data, tag + 72, struct.unpack_from("<f", data, tag + 72)[0] + 8)
    (folder / "upper.md3").write_bytes(data)
    (make_player(maker, player, "icon") / "icon_default.tga").unlink()
    return [case(player, f"{new}, broken", wear(player), wear(new), alias=(new, player), outline=PLAYER_OUTLINE, broken=True)
            for new in ("tag", "icon")]


def has_blender() -> bool:
    return Path("/usr/bin/blender").exists()


def player_of_blender(maker: Maker) -> list[Case]:
    """A character that Blender exported with its defaults. Its head is blue, its torso green, its legs are red."""
    scene = maker.work / "made/hero.glb"
    scene.parent.mkdir(parents=True, exist_ok=True)
    script = Path(__file__).parents[2] / "examples/hero.py"
    # Blender finds its modules next to the first python3 of the path.
    run_tool("env", "PATH=/usr/bin:/bin", "blender", "-b", "--python-exit-code", 1, "--python", script, "--", scene)
    maker.run("convert", "-q", scene, "-o", f"{maker.base}/models/players/hero/", "--player")
    for part in ("lower", "upper"):
        for tag in read_tags((maker.base / f"models/players/hero/{part}.md3").read_bytes()):
            if struct.unpack_from("<f", tag, 76)[0] < 0.9:
                raise ValueError(f"hero: {part}.md3 has a tag that does not point forward")
    return [case("hero", "player of Blender", wear("sarge"), wear("hero"), alias=("hero", "sarge"),
                 bands=["blue", "green", "red"])]


PACKAGE = Path(__file__).parents[2] / "build/python/lib"  # of make python
ADDON = """
import sys
sys.path[:0] = [{package!r}, {addon!r}]
import bpy, lerpmesh_io
lerpmesh_io.register()
bpy.context.scene.lerpmesh.units = "METRES"
bpy.ops.export_scene.lerpmesh(filepath={folder!r}, format="md3", player="quake3", content="VISIBLE")
"""


def player_of_addon(maker: Maker) -> list[Case]:
    """The same character, exported by the add-on."""
    if not (PACKAGE / "lerpmesh").is_dir():
        print("left out: a player of the add-on: make python")
        return []
    root = Path(__file__).parents[2]
    scene = maker.work / "made/hero.blend"
    scene.parent.mkdir(parents=True, exist_ok=True)
    run_tool("env", "PATH=/usr/bin:/bin", "blender", "-b", "--python-exit-code", 1, "--python", root / "examples/hero.py",
             "--", scene)
    code = ADDON.format(package=str(PACKAGE), addon=str(root / "python/blender"),
                        folder=f"{maker.base}/models/players/addon")
    run_tool("env", "PATH=/usr/bin:/bin", "blender", "-b", scene, "--python-exit-code", 1, "--python-expr", code)
    return [case("addon", "player of the add-on", wear("sarge"), wear("addon"), alias=("addon", "sarge"),
                 bands=["blue", "green", "red"])]


def player_of_samples(maker: Maker) -> list[Case]:
    """The samples' knight: the game has nothing to report, and his two skins have one outline. His crest is red."""
    source = Path(__file__).parents[2] / "samples/models/players/tick"
    for path in source.iterdir():
        maker.put(maker.base / "models/players/tick" / path.name, path.read_bytes())
    return [case("tick", "player of the samples", wear("sarge"), wear("tick"), alias=("tick", "sarge"), bands=["red"]),
            case("tick", "player of the samples, in red", wear("tick"), wear("tick/red"), outline=PLAYER_OUTLINE)]


SETTINGS = ["set cg_deferPlayers 0", "set cg_animspeed 0", "set cg_thirdPersonAngle 150", "set cg_thirdPersonRange 90"]


# With players, the engine crashes if the time stands still.
CAMERA = ["set timescale 1", "set cg_fov 90", "set cg_thirdPerson 1", *SETTINGS, *wear("sarge")]


def sessions(maker: Maker) -> list[tuple[list[str], list[Case]]]:
    """Returns the cases by session, each with the commands that come first. An engine holds 1,024 models."""
    nothing = ["wait 1"]
    return [(nothing, optimized(maker) + broken(maker)), (nothing, via_gltf(maker) + via_md2(maker) + lods(maker) + skinned(maker)),
            (CAMERA, players_rewritten(maker) + players_made(maker) + player_of_samples(maker)),
            *([(CAMERA, player_of_blender(maker) + player_of_addon(maker))] if has_blender() else [])]
