"""OpenArena's engine: one session draws any number of models, at a place of a map where nothing else is."""
import math
import shutil
import struct
from pathlib import Path

from engine import Shot, collect, split_console, start

ENGINE = Path("/usr/lib/ioquake3/ioquake3")
GAME = Path("/usr/lib/openarena")
ARCHIVES = Path("/usr/share/games/openarena/baseoa")
# The distance at which `testmodel` puts a model.
DISTANCE = 100
# Lines that the console prints for each picture.
IGNORED = r"^Wrote |^execing |^clientCommand: |^serverCommand: |^$"

# Earlier, the map's start would set these variables back. Then the time stands still, so that moving textures do.
PLACE = ["con_notifytime -1", "wait 60", "set cg_draw2D 0", "set cg_drawGun 0", "noclip",
         "setviewpos -76 957 186 165", "wait 150", "set r_drawworld 0", "set r_fastsky 1",
         "set r_ambientScale 6", "set timescale 0", "wait 5"]


def lacking() -> str | None:
    if not ENGINE.exists():
        return "ioquake3 is not installed"
    if not (ARCHIVES / "pak0.pk3").exists() or not (GAME / "baseoa").exists():
        return "openarena is not installed"
    return None


def radius(md3: bytes) -> float:
    """Returns how far the model reaches from its origin, by the frames' bounds."""
    frames, = struct.unpack_from("<i", md3, 76)
    at, = struct.unpack_from("<i", md3, 92)
    far = 1.0
    for frame in range(min(frames, 2)):
        low = struct.unpack_from("<6f", md3, at + 56 * frame)
        far = max(far, math.dist((0, 0, 0), [max(abs(low[i]), abs(low[i + 3])) for i in range(3)]))
    return far


def test_model(md3: bytes, path: str, made: bytes | None = None) -> list[str]:
    """Returns the commands that show a model of this file, large in the picture and between two frames; or `made` of it,
    which has one frame if nothing moves."""
    frames, = struct.unpack_from("<i", made or md3, 76)
    field = 2 * math.degrees(math.atan2(radius(md3), DISTANCE))
    return [f"set cg_fov {min(max(field * 1.3, 4), 100):.0f}",
            f"testmodel {path}" + (" 0.3" if frames > 1 else ""), "wait 2"]


def write_commands(shots: list[Shot], base: Path) -> None:
    """Writes scripts that call each other: the engine reads at most 128 KiB at a time."""
    base.mkdir(parents=True, exist_ok=True)
    step = 200
    for number, first in enumerate(range(0, len(shots), step)):
        lines = PLACE if first == 0 else []
        for shot in shots[first:first + step]:
            lines = lines + [f"echo :: {shot.name}", *shot.commands, f"screenshot {shot.name}", "wait 1"]
        last = "quit" if first + step >= len(shots) else f"exec engines{number + 1}.cfg"
        (base / f"engines{number}.cfg").write_text("\n".join([*lines, last, ""]))


def run(shots: list[Shot], renderer: str, home: Path) -> float:
    """Draws all shots in one session. `home`/baseoa holds the files of the test. Returns the seconds."""
    shutil.rmtree(home / "baseoa/screenshots", ignore_errors=True)
    (home / "baseoa/q3config.cfg").unlink(missing_ok=True)
    write_commands(shots, home / "baseoa")
    variables = {"com_basegame": "baseoa", "fs_basepath": GAME, "com_homepath": "x", "fs_homepath": home,
                 "com_legacyprotocol": 71, "com_protocol": 71, "cl_motd": 0, "com_standalone": 0,
                 "ttycon": 0, "r_fullscreen": 0, "r_mode": -1, "r_customwidth": 320,
                 "r_customheight": 240, "s_initsound": 0, "com_introplayed": 1, "cl_renderer": renderer,
                 "developer": 1, "r_ext_multisample": 0, "sv_pure": 0, "com_hunkmegs": 768,
                 # The map's own items would be in the picture.
                 "g_instantgib": 1, "com_maxfps": 125, "logfile": 2, "net_enabled": 0,
                 # The brightness of opengl2 depends on earlier pictures.
                 "r_postProcess": 0, "r_hdr": 0, "r_autoExposure": 0}
    words = [str(ENGINE)]
    for name, value in variables.items():
        words += ["+set", name, str(value)]
    seconds = start(words + ["+devmap", "pul1duel-oa", "+exec", "engines0.cfg"], home, home / "log.txt")
    base = home / "baseoa"
    console = base / "qconsole.log"
    text = console.read_text("latin-1") if console.exists() else ""
    collect(shots, base / "screenshots", split_console(text, "::", IGNORED))
    return seconds
