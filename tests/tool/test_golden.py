"""Tests complete messages and outputs of the command. tests/golden/tool.txt has commands with their status
(`$ [0] lerpmesh …`), the output of each, and the sums of the files that it wrote; `> FILE` saves the output. They run
in a folder with the samples and a few damaged ones. Adding a command needs one line; LERPMESH_RENEW=1 in the
environment writes the file again: read the difference before it is committed. One page of help is enough: options and
examples of the others are in the manual, which test_manual.py makes anew."""
import difflib
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

import image_files
from small_files import make_pak

TOOL = os.environ["LERPMESH_BINARY"]
SOURCE = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
GOLDEN = SOURCE / "tests" / "golden" / "tool.txt"
TOOK = re.compile(r"; \d+\.\d s$", re.MULTILINE)


def make_tagged() -> bytes:
    """Makes an MD3 of one frame with one tag, whose axes are not orthogonal."""
    axes = 1, 0, 0, 0.5, 1, 0, 0, 0, 1
    end = 108 + 56 + 112
    return (struct.pack("<4si64s9i", b"IDP3", 15, b"tagged", 0, 1, 1, 0, 0, 108, 164, end, end) +
            struct.pack("<10f16s", *[0] * 10, b"only") + struct.pack("<64s12f", b"tag_x", 1, 2, 3, *axes))


def make_files(folder: pathlib.Path) -> None:
    for name in ("tick.md2", "tick.pcx", "tick_head.mdc", "tick_torch.mdl"):
        shutil.copy(SOURCE / "samples" / name, folder)
    tick = (folder / "tick.md2").read_bytes()
    (folder / "short.md2").write_bytes(tick[:60])
    (folder / "cut.md2").write_bytes(tick[:-2000])
    (folder / "bent.md2").write_bytes(tick[:8] + struct.pack("<ii", 0, -1) + tick[16:28] +
                                      struct.pack("<i", 3) + tick[32:])
    st, = struct.unpack_from("<i", tick, 48)  # a gap in place of the GL commands, which share the bytes of others
    (folder / "gap.md2").write_bytes(tick[:60] + struct.pack("<i", st) + tick[64:] + b"more")
    (folder / "empty.md2").write_bytes(b"")
    (folder / "other.md2").write_bytes(b"IDPX" + bytes(80))
    for name, alphas in ("opaque", (255, 255)), ("mask", (0, 255)), ("blend", (0, 128, 255)):
        (folder / f"{name}.png").write_bytes(image_files.png_write([b"".join(bytes((10, 20, 30, alpha)) for alpha in alphas)], 6))
    (folder / "both.framegroups").write_text("0 4 10 1 // TORSO_GESTURE\n4 4 10 1 // LEGS_WALKCR\n", encoding="utf-8")
    (folder / "own.cfg").write_text("// own\n0 4 0 9\n4 3 3 12 // run\nx 1 2\n", encoding="utf-8")
    (folder / "own.skin").write_text("tick,tick.pcx\nbad line\nnone,none.tga\n", encoding="utf-8")
    (folder / "tagged.md3").write_bytes(make_tagged())
    tree = folder / "tree"
    (tree / "a").mkdir(parents=True)
    (tree / "a" / "notes.txt").write_text("notes " * 20, encoding="utf-8")
    (tree / "tick.md2").write_bytes(tick)
    at = struct.unpack_from("<i", tick, 56)[0]  # the first frame, which begins with its scale
    wide = struct.pack("<3f", *(1.5 * x for x in struct.unpack_from("<3f", tick, at)))
    (tree / "wide.md2").write_bytes(tick[:at] + wide + tick[at + 12:])
    (folder / "a.pak").write_bytes(make_pak([(b"models/tick.md2", tick), (b"models/tick.pcx", b"none"),
                                             (b"../up.md2", tick), (b"b/torch.mdl", b"IDPO"), (b"root.md2", tick)]))


def run_line(folder: pathlib.Path, line: str) -> str:
    """Returns what the file says of a command."""
    words, into = shlex.split(line), None
    if ">" in words:
        words, into = words[:-2], folder / words[-1]
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    done = subprocess.run([TOOL, *words[1:]], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=60, check=False)
    if into:
        into.write_bytes(done.stdout)
    text = "" if into else done.stdout.decode("utf-8", "backslashreplace")
    text += "\n" if text and not text.endswith("\n") else ""
    errors = done.stderr.decode("utf-8", "backslashreplace")
    text += "".join(f"! {message}\n" for message in TOOK.sub("", errors).splitlines())
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if before.get(path) != path.stat().st_mtime_ns:
            data = path.read_bytes()
            text += f"> {path.relative_to(folder)}: {len(data)} bytes, {zlib.crc32(data):08x}\n"
    return f"$ [{done.returncode}] {line}\n{text}"


def main() -> None:
    expected = GOLDEN.read_text(encoding="utf-8")
    lines = re.findall(r"^\$ \[\d+\] (.*)", expected, re.MULTILINE)
    if not lines:
        sys.exit(f"{GOLDEN} has no commands")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_files(folder)
        found = "".join(run_line(folder, line) for line in lines)
    if "LERPMESH_RENEW" in os.environ:
        GOLDEN.write_text(found, encoding="utf-8")
        return
    differ = list(difflib.unified_diff(expected.splitlines(), found.splitlines(), "said before", "said now", lineterm=""))
    print("\n".join(differ[:60]) or f"{len(lines)} commands, all unchanged")
    sys.exit(1 if differ else 0)


main()
