"""Helpers of the command's tests: real models, and a test case that runs the command in a folder of its own."""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import skipping
from small_files import make_md2

TOOL = os.environ["LERPMESH_BINARY"]
SOURCE = os.environ["LERPMESH_SOURCE_DIR"]
NOBODY = 65534
MODEL_COMMANDS = ["info", "examine", "uv", "check", "convert"]
COMMANDS = MODEL_COMMANDS + ["optimize", "edit", "compare", "ls", "extract", "pack", "render"]


def models(extension):
    """Returns real models, from the corpus, from Debian's test models, or the samples."""
    folders = [os.environ.get("LERPMESH_CORPUS", ""), os.environ.get("ASSIMP_MODELS", ""),
               os.path.join(SOURCE, "samples")]
    patterns = [os.path.join(folders[0], extension, "*." + extension),
                os.path.join(folders[1], extension.upper(), "*." + extension),
                os.path.join(folders[2], "*." + extension)]
    for folder, pattern in zip(folders, patterns):
        found = sorted(glob.glob(pattern)) if folder else []
        found = [path for path in found if "alformed" not in path and "nvalid" not in path]
        if found:
            return found
    sys.exit("no %s models: not even samples/ has any" % extension)


MD2 = models("md2")
MDC = models("mdc")
PLAYER = next((path for path in MD2 if path.endswith("faerie.md2")), MD2[0])
SPIDER = next((path for path in MDC if path.endswith("spider.mdc")), MDC[0])
HEAD = os.path.join(SOURCE, "samples", "tick_head.mdc")


def other_user(test, folder, writes=False):
    """Returns subprocess's arguments for a user other than root, who may enter the folder. The test is skipped if this user
    cannot read the sources or run the command: they may be below root's home."""
    os.chmod(folder, 0o777 if writes else 0o755)
    if os.geteuid() != 0:
        return {}
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    if subprocess.run(["test", "-x", TOOL, "-a", "-r", os.path.join(SOURCE, "README.md")], check=False, **user).returncode:
        skipping.skip(test, "no user but root can read the folder of lerpmesh")
    return user


class ToolTest(unittest.TestCase):
    maxDiff = None
    user: dict[str, object] = {}  # arguments for subprocess

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data=None):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(make_md2() if data is None else data)
        return path

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self):
        return sorted(os.path.relpath(os.path.join(folder, name), self.folder)
                      for folder, _, names in os.walk(self.folder) for name in names)

    def run_tool(self, *arguments, status=0, **more):
        """Runs the command and expects the exit status `status`. Returns its two outputs as text."""
        more.setdefault("cwd", self.folder)
        if "input" not in more:
            more.setdefault("stdin", subprocess.DEVNULL)
        result = subprocess.run([TOOL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, **more)
        errors = result.stderr.decode("utf-8")
        self.assertEqual(result.returncode, status, "%s\n%s" % (arguments, errors))
        if status != 0 and arguments[:1] != ("check",):
            self.assertIn("lerpmesh", errors)
        self.binary = result.stdout
        return result.stdout.decode("utf-8", "replace"), errors

    def run_json(self, *arguments, status=0, **more):
        output, _ = self.run_tool(*arguments, status=status, **more)
        return [json.loads(line) for line in output.splitlines()]

    def convert(self, *arguments, status=0, **more):
        return self.run_tool("convert", *arguments, status=status, **more)
