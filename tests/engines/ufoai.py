"""UFO: Alien Invasion: shows models in windows of its user interface. Its .mdx files refer to triangles and
vertices by their numbers."""
import struct
import zipfile
from pathlib import Path

from cases import Case, case
from engine import Shot, fresh, run_tool, split_console, start
from pictures import read_tga

ENGINE = Path("/usr/games/ufoai")
ARCHIVE = Path("/usr/share/games/ufoai/base/0models.pk3")
# The engine numbers its pictures from 00 to 99.
MOST = 99
IGNORED = r"^ExecuteString|^Wrote |^R_Screen|^$|^Uploaded|^\.\.\.|^FS_"
WINDOW = """window engines{number}
{{
	{{
		fill true
		bgcolor "0 0 0 1"
	}}
	model shown
	{{
		src *cvar:engines_model
		pos "0 0"
		size "1024 768"
		angles "0 70 90"
		scale "{scale} {scale} {scale}"
	}}
}}
"""
# One session has room for these: soldiers, whose .mdx matters most, and others from everywhere.
SOLDIERS = ["soldiers/male/body", "soldiers/female/body"]
OTHERS = 13


def lacking() -> str | None:
    if not ENGINE.exists():
        return "ufoai is not installed"
    return None if ARCHIVE.exists() else "ufoai-data is not installed"


def scale_of(md2: bytes) -> str:
    """Returns the scale that makes a model fill the window, by its first frame's box. The engine's own would
    depend on how the box is stored."""
    at, = struct.unpack_from("<i", md2, 56)
    scale, origin = struct.unpack_from("<3f", md2, at), struct.unpack_from("<3f", md2, at + 12)
    far = max(abs(value) for i in range(3) for value in (origin[i], origin[i] + 255 * scale[i]))
    return f"{340 / max(far, 0.01):.3f}"


def run(shots: list[Shot], home: Path) -> float:
    """Draws all shots in one session, and returns the seconds. A shot's commands are the model's name and scale."""
    assert len(shots) <= MOST
    base = home / ".ufoai/2.5/base"
    fresh(base / "ufos/ui")
    fresh(base / "scrnshot")
    scales = list(dict.fromkeys(shot.commands[1] for shot in shots))
    (base / "ufos/ui/engines.ufo").write_text(
        "".join(WINDOW.format(number=i, scale=scale) for i, scale in enumerate(scales)))
    step = 20  # The engine reads at most 8 KiB at a time.
    for number, first in enumerate(range(0, len(shots), step)):
        lines = ["wait"]
        for shot in shots[first:first + step]:
            lines += [f'echo ":: {shot.name}"', f'set engines_model "{shot.commands[0]}"', f"ui_push engines{scales.index(shot.commands[1])}",
                      "wait",
                      "wait", "wait", "r_screenshot tga", "wait", "ui_pop"]
        last = "quit" if first + step >= len(shots) else f"exec engines{number + 1}.cfg"
        (base / f"engines{number}.cfg").write_text("\n".join([*lines, last, ""]))
    variables = {"vid_fullscreen": 0, "snd_init": 0, "vid_mode": -1, "vid_width": 400, "vid_height": 300,
                 "developer": 1}
    words = [str(ENGINE)]
    for name, value in variables.items():
        words += ["+set", name, str(value)]
    seconds = start([*words, "+exec", "engines0.cfg"], home, home / "log.txt")
    console = base / "ufoconsole.log"
    parts = split_console(console.read_text("latin-1") if console.exists() else "", "::", IGNORED)
    for i, shot in enumerate(shots):
        path = base / f"scrnshot/ufo{i:02}.tga"
        shot.picture = read_tga(path) if path.exists() else None
        shot.messages = parts.get(shot.name, [])
    return seconds


# ---- Cases --------------------------------------------------------------------------------------

class Maker:
    """Copies of models' folders, with other models in them."""

    def __init__(self, tool: Path, work: Path):
        self.tool, self.home = tool, work / "home"
        self.models = self.home / ".ufoai/2.5/base/models"
        self.original = work / "original"
        self.archive = zipfile.ZipFile(ARCHIVE)
        self.names = self.archive.namelist()

    def copy(self, model: str, to: Path, mdx: bool) -> Path:
        """Copies the folder of a model without the other models, and returns the path of the model."""
        folder = "models/" + model.rsplit("/", 1)[0] + "/"
        for name in self.names:
            rest = name.removeprefix(folder)
            if name.startswith(folder) and rest and "/" not in rest and not rest.endswith((".md2", ".mdx")):
                self.put(to / name.removeprefix("models/"), self.archive.read(name))
        for ending in (".md2", ".mdx") if mdx else (".md2",):
            self.put(to / (model + ending), self.archive.read(f"models/{model}{ending}"))
        return to / (model + ".md2")

    @staticmethod
    def put(path: Path, data: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def run(self, *words: object) -> None:
        run_tool(self.tool, *words)


def has_image(archive: zipfile.ZipFile, model: str) -> bool:
    """Returns whether the first skin's image exists; without, the engine's substitute depends on the name."""
    md2 = archive.read(f"models/{model}.md2")
    at, = struct.unpack_from("<i", md2, 44)
    name = md2[at:at + 64].split(b"\0")[0].decode("latin-1").lstrip(".").split(".")[0]
    stem = f"models/{model.rsplit('/', 1)[0]}/{name}"
    return any(stem + ending in archive.NameToInfo for ending in (".png", ".jpg"))


def choose(archive: zipfile.ZipFile) -> list[str]:
    """Returns soldiers and other models that have an .mdx and an image."""
    names = archive.namelist()
    known = set(names)
    models = sorted(name.removeprefix("models/").removesuffix(".md2") for name in names
                    if name.endswith(".md2") and name.replace(".md2", ".mdx") in known)
    starts = [i * len(models) // OTHERS for i in range(OTHERS)]
    return SOLDIERS + [next(model for model in models[start:] if has_image(archive, model)) for start in starts]


def prepare(maker: Maker) -> list[Case]:
    cases = []
    for model in choose(maker.archive):
        path = maker.copy(model, maker.models / "opt", True)
        scale = scale_of(path.read_bytes())
        maker.run("optimize", "-q", "--in-place", path)
        cases.append(case(model, "MD2, optimized", [model, scale], ["opt/" + model, scale]))
        maker.copy(model, maker.models / "raw", False)
        path = maker.copy(model, maker.models / "glb", False)
        between = path.with_suffix(".glb")
        maker.run("convert", "-q", path, "-o", between)
        maker.run("convert", "-q", between, "-o", path)
        cases.append(case(model, "glb to MD2", ["raw/" + model, scale], ["glb/" + model, scale], outline=0.1))
    path = maker.copy(SOLDIERS[0], maker.models / "stale", True)
    scale = scale_of(path.read_bytes())
    maker.run("optimize", "-q", "--in-place", "--reorder", path)
    cases.append(case(SOLDIERS[0], "stale .mdx", [SOLDIERS[0], scale], ["stale/" + SOLDIERS[0], scale], broken=True))
    return cases
