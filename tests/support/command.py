"""Runs the command, lists its commands and options, and a test case with a folder of its own."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import skipping

TOOL = os.environ["LERPMESH_BINARY"]


def call(*words: object, status: int | None = 0, **more: Any) -> subprocess.CompletedProcess[str]:
    """Runs the command and expects this exit status; None: any."""
    if "input" not in more:
        more.setdefault("stdin", subprocess.DEVNULL)
    more = {"timeout": 120, "text": True, "errors": "replace", **more}
    done = subprocess.run([TOOL, *map(str, words)], capture_output=True, check=False, **more)
    if status is not None and done.returncode != status:
        raise AssertionError(f"{words}: exit status {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


def run(*words: str) -> str:
    """Returns the command's output."""
    return call(*words).stdout


def commands() -> list[str]:
    """Returns the commands that the help lists, without help and version."""
    listed = run("help").split("Commands:\n")[1].split("\n\n")[0]
    return [name for name in re.findall(r"(?m)^  ([a-z]+) ", listed) if name not in ("help", "version")]


def pairs(command: str) -> list[tuple[str, str]]:
    """Returns the options of a command, long and short; the short one may be empty."""
    return [("--" + option["name"], "-" + option["letter"] if option["letter"] else "")
            for option in json.loads(run("help", command, "--json"))]


def options(command: str) -> set[str]:
    return {name for pair in pairs(command) for name in pair if name}


class FolderCase(unittest.TestCase):
    """`folder` is empty at first. The command runs in it."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, *words: object, status: int | None = 0, **more: Any) -> subprocess.CompletedProcess[str]:
        return call(*words, status=status, cwd=self.folder, **more)

    def convert(self, *words: object, status: int = 0) -> str:
        """Returns the messages of `convert`."""
        return self.call("convert", *words, status=status).stderr


class ImportCase(FolderCase):
    """Needs lerpmesh-import."""

    def setUp(self) -> None:
        if not os.environ.get("LERPMESH_IMPORT_SHARED_LIBRARY"):
            skipping.skip(self, "built without lerpmesh-import")
        super().setUp()
