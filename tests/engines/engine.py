"""Starts an engine on a virtual screen and returns its pictures and what its console said."""
import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from pictures import Picture, read_tga

# An engine that hangs must not hang the test.
PATIENCE = 900


@dataclass
class Shot:
    """One picture: the console commands that show something, and what came of them."""
    name: str
    commands: list[str]
    picture: Picture | None = None
    messages: list[str] = field(default_factory=list)


def run_tool(tool: Path | str, *words: object) -> None:
    """Runs a command. The test ends if it fails."""
    done = subprocess.run([tool, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{tool} {' '.join(map(str, words))}: {done.stderr.strip() or done.stdout.strip()}")


def start(words: list[str], home: Path, log: Path, patience: int = PATIENCE) -> float:
    """Runs an engine under Xvfb. Returns the seconds it took."""
    environment = dict(os.environ, HOME=str(home), LIBGL_ALWAYS_SOFTWARE="1", LP_NUM_THREADS="1",
                       SDL_AUDIODRIVER="dummy")
    began = time.monotonic()
    with open(log, "wb") as out:
        child = subprocess.Popen(["xvfb-run", "-a", "-s", "-screen 0 1024x768x24 -noreset", *words], stdout=out,
                                 stderr=subprocess.STDOUT, env=environment, cwd=home, start_new_session=True)
        try:
            child.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            raise SystemExit(f"{words[0]} did not end within {patience} s; see {log}") from None
    return time.monotonic() - began


def split_console(text: str, mark: str, ignored: str) -> dict[str, list[str]]:
    """Returns the lines of a console after each line `mark NAME`, by name, without the ignored ones."""
    parts: dict[str, list[str]] = {"": []}
    name = ""
    for line in text.splitlines():
        line = re.sub(r"\^[0-9]", "", line).strip()
        if line.startswith(mark + " "):
            name = line[len(mark) + 1:]
            parts.setdefault(name, [])
        elif line and not re.search(ignored, line):
            parts[name].append(line)
    return parts


def collect(shots: list[Shot], folder: Path, console: dict[str, list[str]]) -> None:
    """Reads the pictures of shots from a folder."""
    for shot in shots:
        path = folder / (shot.name + ".tga")
        shot.picture = read_tga(path) if path.exists() else None
        shot.messages = console.get(shot.name, [])


def fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
