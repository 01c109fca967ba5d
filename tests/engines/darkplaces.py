"""DarkPlaces with the models of Nexuiz: a program for its client (client.qc) draws one model at a time."""
import math
import shutil
import struct
import subprocess
import zipfile
from pathlib import Path

from cases import Case, case
from engine import Shot, fresh, run_tool, split_console, start
from pictures import read_tga

ENGINE = Path("/usr/games/darkplaces")
GAME = Path("/usr/share/games/nexuiz")
DATA = GAME / "data"
ARCHIVE = DATA / "data.pk3"
COMPILER = "fteqcc"
PROGRAMS = {"server.qc": "progs.dat", "client.qc": "csprogs.dat"}
IGNORED = (r"^Wrote |^FS_WriteFile: |^execing |^Compiling shader|^GLSL shader|^CSQC entity DB: lost a frame|^Lost frame = |"
           r"^Entity DB = |^$")
# Coordinates of MD2 and MDL have 256 steps, and MD2's texture coordinates are whole pixels: this share of the model's
# pixels may differ at its edges.
COARSE = 0.03
# A found skeleton is off by about the file's rounding; some vertices more.
SKINNED = 0.03
# The engine computes tangents itself, from triangles in their order: this share of the pixels may differ slightly.
SHARE = 0.015
# The map's start sets variables back. The light comes from the side, so that wrong normals are visible. Time stands
# still, so that moving textures do. The fog colours the background, so that black models are visible.
SETTINGS = ["r_draw2d 0", "r_novis 1", "r_fullbright 1", "r_fullbright_directed 1", "r_fullbright_directed_ambient 1",
            "r_fullbright_directed_diffuse 2", "r_shadow_gloss 0", "r_shadow_usenormalmap 0", "slowmo 0.0001", "fog 0.00001 0.3 0 0.3"]

EMPTY = ["set engines_distance 1", "set engines_frame 0", 'set engines_model ""']


def lacking() -> str | None:
    if not ENGINE.exists():
        return "darkplaces is not installed"
    if not ARCHIVE.exists() or not (DATA / "textures.pk3").exists():
        return "nexuiz-data is not installed"
    return None if shutil.which(COMPILER) else "fteqcc is not installed"


def is_md3(model: bytes) -> bool:
    return model[:4] == b"IDP3"


def ending(model: bytes) -> str:
    return "MD3" if is_md3(model) else "MDL"


def radius(model: bytes) -> float:
    """Returns how far an MD3 or MDL reaches from its origin, by its vertices' bounds."""
    if not is_md3(model):
        scale, origin = struct.unpack_from("<3f", model, 8), struct.unpack_from("<3f", model, 20)
        return math.dist((0, 0, 0), [max(abs(origin[i]), abs(origin[i] + 255 * scale[i])) for i in range(3)])
    far = 0.0
    count, at = struct.unpack_from("<i", model, 84)[0], struct.unpack_from("<i", model, 100)[0]
    for _ in range(count):
        vertices, where = struct.unpack_from("<i", model, at + 80)[0], struct.unpack_from("<i", model, at + 100)[0]
        for i in range(vertices):
            x, y, z = struct.unpack_from("<3h", model, at + where + 8 * i)
            far = max(far, math.sqrt(x * x + y * y + z * z) / 64)
        at += struct.unpack_from("<i", model, at + 104)[0]
    return far


def show(model: bytes, path: str) -> list[str]:
    """Returns the commands that show a model of this file, large in the picture and between two of its frames."""
    frames, = struct.unpack_from("<i", model, 76 if is_md3(model) else 68)
    return [f"set engines_distance {3 * max(radius(model), 0.1):.2f}", f"set engines_frame {(frames - 1) // 2}",
            f'set engines_model "{path}"']


class Maker:
    """The rewritten files, in an archive of a mod."""

    def __init__(self, tool: Path, work: Path):
        self.tool, self.work = tool, work
        self.home = work / "home"
        self.mod = work / "mod"
        with zipfile.ZipFile(ARCHIVE) as archive:
            self.files = {name.removeprefix("models/"): archive.read(name) for name in archive.namelist()
                          if ".mdl" in name or ".md3" in name}
        self.models = {name: data for name, data in sorted(self.files.items())
                       if name.endswith(".mdl") or name.startswith("weapons/") and name.endswith(".md3")}
        for name, data in self.models.items():
            self.path("raw", name).write_bytes(data)
            self.put_sidecars("raw", name)

    def path(self, folder: str, name: str) -> Path:
        path = self.mod / "models" / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def put_sidecars(self, folder: str, name: str) -> None:
        """Copies the skins and clips of a model into a folder of the mod."""
        for other, data in self.files.items():
            if other != name and other.startswith(name):
                self.path(folder, other).write_bytes(data)

    def run(self, *words: object) -> None:
        run_tool(self.tool, *words)

    def compile(self) -> None:
        for source, program in PROGRAMS.items():
            folder = fresh(self.work / "programs")
            shutil.copy(Path(__file__).parent / source, folder)
            (folder / "progs.src").write_text(f"{program}\n{source}\n")
            done = subprocess.run([COMPILER], cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode != 0 or not (folder / program).exists():
                raise SystemExit(f"{COMPILER} {source}: {done.stdout}{done.stderr}")
            shutil.copy(folder / program, self.mod)

    def pack(self) -> None:
        """The mod becomes an archive, in the folder of the engine's user."""
        self.compile()
        self.run("pack", "-q", self.mod, "-o", fresh(self.home / "engines") / "engines.pak")


def run(shots: list[Shot], home: Path) -> float:
    """Draws all shots in one session of the mod in `home`/engines. Returns the seconds."""
    base = home / "engines"
    fresh(base / "engines")
    (base / "qconsole.log").unlink(missing_ok=True)
    (base / "quake.rc").write_text("map _init/_init\n")
    for number, shot in enumerate(shots):
        lines = [*(SETTINGS if number == 0 else []), f"echo :: {shot.name}", *shot.commands,
                 f"set engines_number {number}"]
        (base / f"engines/{number}.cfg").write_text("\n".join([*lines, ""]))
    (base / f"engines/{len(shots)}.cfg").write_text("quit\n")
    seconds = start([str(ENGINE), "-nexuiz", "-basedir", str(GAME), "-userdir", str(home), "-game", "engines", "-nosound",
                     "-condebug", "-forceqmenu", "-window", "-width", "320", "-height", "240"], home, home / "log.txt")
    console = base / "qconsole.log"
    text = console.read_text("latin-1") if console.exists() else ""
    parts = split_console(text, "::", IGNORED)
    for number, shot in enumerate(shots):
        path = base / f"engines/{number}.tga"
        shot.picture = read_tga(path) if path.exists() else None
        shot.messages = parts.get(shot.name, [])
    return seconds


# ---- Cases --------------------------------------------------------------------------------------

def written(maker: Maker, kind: str, path: str, source: str, original: str = "", **more) -> Case:
    """Returns the case of a model at a path of the mod. `source`: the model of the game that it shows. `original`: the
    path of the model to compare with, otherwise the source's."""
    data = maker.models[source]
    return case(source, kind, show(data, f"models/{original or 'raw/' + source}"), show(data, f"models/{path}"),
                share=SHARE, **more)


def optimized(maker: Maker) -> list[Case]:
    maker.run("optimize", "-q", "--game", DATA, maker.mod / "models/raw", "-o", f"{maker.mod}/models/opt/")
    for name in maker.models:
        maker.put_sidecars("opt", name)
    return [written(maker, f"{ending(data)}, optimized", f"opt/{name}", name) for name, data in maker.models.items()]


def via_gltf(maker: Maker) -> list[Case]:
    cases = []
    for name, data in maker.models.items():
        between = maker.work / "glb" / (name + ".glb")
        between.parent.mkdir(parents=True, exist_ok=True)
        # Stored normals, because some point inward and would be replaced.
        maker.run("convert", "-q", "--normals", "stored", maker.path("raw", name), "-o", between)
        target = maker.path("glb", name)
        made = target.with_suffix("." + ending(data).lower())  # some MD3 files are called .mdl
        maker.run("convert", "-q", between, "-o", made)
        made.rename(target)
        maker.put_sidecars("glb", name)
        # MDL's skins lose the colours that are drawn without light.
        cases.append(written(maker, f"glb to {ending(data)}", f"glb/{name}", name, outline=0 if is_md3(data) else COARSE))
    return cases


def weapons(maker: Maker) -> list[Case]:
    """Weapons as MD2 and MDL, with an image of all textures; the MD2 optimized, and by way of a glb."""
    cases = []
    for name in maker.models:
        if name.startswith("weapons/"):
            md2, mdl = name.replace(".md3", ".md2"), name.replace(".md3", ".mdl")
            raw = maker.path("raw", name)
            maker.run("convert", "-q", "--game", DATA, "--skin-path", "models/md2/weapons", raw, "-o",
                      maker.path("md2", md2))
            maker.run("convert", "-q", "--game", DATA, raw, "-o", maker.path("mdl", mdl))
            maker.run("optimize", "-q", maker.path("md2", md2), "-o", maker.path("md2opt", md2))
            between = maker.work / "glb" / (md2 + ".glb")
            maker.run("convert", "-q", maker.path("md2", md2), "-o", between)
            maker.run("convert", "-q", between, "-o", maker.path("md2glb", md2))
            cases += [written(maker, "MD3 to MD2", f"md2/{md2}", name, outline=COARSE),
                      written(maker, "MD3 to MDL", f"mdl/{mdl}", name, outline=COARSE),
                      written(maker, "MD2, optimized", f"md2opt/{md2}", name, f"md2/{md2}"),
                      written(maker, "glb to MD2", f"md2glb/{md2}", name, f"md2/{md2}")]
    return cases


def skinned(maker: Maker) -> list[Case]:
    """Models as IQM, with the skeletons that are found in them: three poses each. The engine numbers the clips of an IQM,
    not its frames, so each frame becomes a clip. Between clips, joints turn elsewhere than vertices."""
    cases = []
    for name, poses in (("ctf/flag_red.md3", (1, 40, 80)), ("turrets/walker_body.md3", (1, 52, 104)), ("tick.md2", (1, 16, 42))):
        sample = name == "tick.md2"
        data = (Path(__file__).parents[2] / "samples" / name).read_bytes() if sample else maker.files[name]
        frames, = struct.unpack_from("<i", data, 40 if sample else 76)
        source, made = maker.path("raw", name), maker.path("iqm", name).with_suffix(".iqm")
        source.write_bytes(data)
        maker.run("convert", "-q", "--clips-from", "none", source, "-o", made)
        Path(f"{made}.framegroups").write_text("".join(f"{frame} 1 10 0\n" for frame in range(frames)))
        far = 35 if sample else radius(data)
        for frame in poses:
            shown = [f"set engines_distance {3 * far:.2f}", f"set engines_frame {frame}"]
            cases.append(case(f"{name} {frame}", f"{source.suffix[1:].upper()} to IQM",
                              [*shown, f'set engines_model "models/raw/{name}"'],
                              [*shown, f'set engines_model "models/iqm/{Path(name).with_suffix(".iqm")}"'],
                              outline=SKINNED))
    return cases


def broken(maker: Maker) -> list[Case]:
    """Files that are wrong: an MD2's lowest vertices are moved; a texture coordinate is on the edge of the skin, where
    only the console notices it; an MDL is smaller."""
    source, md2 = "weapons/g_shotgun.md3", "md2/weapons/g_shotgun.md2"
    good = (maker.mod / "models" / md2).read_bytes()
    width, _, frame_size = struct.unpack_from("<3i", good, 8)
    frames, = struct.unpack_from("<i", good, 40)
    st, _, at = struct.unpack_from("<3i", good, 48)
    data = bytearray(good)
    for frame in range(at, at + frames * frame_size, frame_size):
        for vertex in range(frame + 40, frame + frame_size, 4):
            if data[vertex + 2] < 8:
                data[vertex + 2] += 64
    maker.path("moved", "shotgun.md2").write_bytes(data)
    data = bytearray(good)
    struct.pack_into("<h", data, st, width)
    maker.path("edge", "shotgun.md2").write_bytes(data)
    gib = "gibs/gib3.mdl"
    data = bytearray(maker.models[gib])
    struct.pack_into("<3f", data, 8, *(0.95 * scale for scale in struct.unpack_from("<3f", data, 8)))
    maker.path("smaller", gib).write_bytes(data)
    return [written(maker, "moved", "moved/shotgun.md2", source, md2, broken=True),
            written(maker, "edge", "edge/shotgun.md2", source, md2, broken=True),
            written(maker, "smaller", f"smaller/{gib}", gib, broken=True)]


def prepare(maker: Maker) -> list[Case]:
    cases = optimized(maker) + via_gltf(maker) + weapons(maker) + skinned(maker) + broken(maker)
    maker.pack()
    return cases
