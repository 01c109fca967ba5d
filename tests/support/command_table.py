"""Commands and options, as the command's help lists them."""
import os
import re
import subprocess

TOOL = os.environ["LERPMESH_BINARY"]


def run(*words: str) -> str:
    return subprocess.run([TOOL, *words], capture_output=True, text=True, check=True, timeout=60,
                          stdin=subprocess.DEVNULL).stdout


def commands() -> list[str]:
    """Returns the commands, without help and version."""
    listed = run("help").split("Commands:\n")[1].split("\n\n")[0]
    return [name for name in re.findall(r"(?m)^  ([a-z]+) ", listed) if name not in ("help", "version")]


def pairs(command: str) -> list[tuple[str, str]]:
    """Returns the options on a command's page, long and short; the short one may be empty."""
    found = re.findall(r"(?m)^  (?:(-\w), |    |)(--[a-z0-9-]+)", run(command, "--help-all"))
    return [(long, short) for short, long in found]


def options(command: str) -> set[str]:
    return {name for pair in pairs(command) for name in pair if name}
