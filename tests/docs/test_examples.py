"""The examples on the pages of the commands run, each page in a folder with the files that its examples name."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import player_scene
from run_page import ROOT

TOOL = pathlib.Path(os.environ["LERPMESH_BINARY"]).resolve()
PAGES = sorted((ROOT / "docs/reference/commands").glob("*.md"))
PREPARE = """
cp {samples}/tick.md2 tris.md2; cp {samples}/tick.pcx {samples}/tick_head.mdc .
cp tris.md2 a.md2; cp tris.md2 b.md2; mkdir -p models models/x models/players
cp tris.md2 tick.pcx models; cp tick_head.mdc head.mdc; cp head.mdc spider.mdc; cp head.mdc leg.mdc
cp head.mdc old.mdc; cp head.mdc new.mdc; cp leg.mdc models; cp {samples}/tick_torch.mdl soldier.mdl
lerpmesh convert -q tris.md2 -o tris.md3; lerpmesh convert -q head.mdc -o head.md3; lerpmesh optimize -q tris.md2 -o small.md2
lerpmesh edit -q head.md3 --rename surfaces:h_skull=h_head -o body.md3
lerpmesh convert -q hero.glb -o models/players/sarge/ --player; lerpmesh convert -q models/players/sarge/upper.md3 -o body.mdc
mkdir -p baseq2/players/male players/male baseq3 mymod/models mymod/scripts ~/.zfunc
cp {samples}/tick.pcx players/male/male.pcx; cp {samples}/tick.pcx players/male/male_i.pcx; cp tris.md2 players/male
cp players/male/* baseq2/players/male; cp tris.md2 mymod/models
printf 'models/x/head\\n{{\\n{{\\nmap models/x/head.tga\\n}}\\n}}\\n' >mymod/scripts/items.shader
mkdir all; cp -r models mymod/scripts all; lerpmesh pack -q all -o pak0.pk3; mkdir q2; cp -r models q2
lerpmesh pack -q q2 -o pak0.pak
"""
# ffmpeg reads the images of 8 frames at 10 fps, drawn at 30 fps.
FFMPEG = "#!/bin/sh\n[ \"$(wc -c)\" -ge $((20 * 4 * 512 * 512)) ]\n"


def examples(page):
    """Returns the commands below "Examples"; those that continue in the next line are one."""
    text = page.read_text(encoding="utf-8").split("## Examples\n")[1].split("\n## ")[0]
    lines = "".join(re.findall(r"```sh\n(.*?)```", text, re.S)).replace("|\n", "| ")
    return lines.splitlines()


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="lerpmesh-examples-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        programs = cls.folder / "bin"
        programs.mkdir()
        (programs / "lerpmesh").symlink_to(TOOL)
        (programs / "ffmpeg").write_text(FFMPEG, encoding="utf-8")
        (programs / "ffmpeg").chmod(0o755)
        cls.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(cls.folder / "home"),
                           "LIBGL_ALWAYS_SOFTWARE": "1"}
        prepared = cls.folder / "prepared"
        prepared.mkdir()
        (prepared / "hero.glb").write_bytes(player_scene.robot())
        (prepared / "robot.glb").write_bytes(player_scene.robot().replace(b'"name": "u_arm_r"', b'"name":  "Hand.R"'))
        cls.run_command(prepared, PREPARE.format(samples=ROOT / "samples"))

    @classmethod
    def run_command(cls, folder, command):
        done = subprocess.run(["bash", "-eo", "pipefail", "-c", command], cwd=folder, env=cls.environment, text=True,
                              errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=300, check=False)
        if done.returncode != 0:
            raise AssertionError(f"$ {command}\nends with status {done.returncode}:\n{done.stdout}")

    def test_every_example(self):
        self.assertGreater(len(PAGES), 10)
        for page in PAGES:
            commands = examples(page)
            self.assertGreater(len(commands), 0, page)
            for number, command in enumerate(commands):
                with self.subTest(page=page.stem, command=command):
                    folder = self.folder / f"{page.stem}-{number}"
                    shutil.copytree(self.folder / "prepared", folder)
                    self.run_command(folder, command)
