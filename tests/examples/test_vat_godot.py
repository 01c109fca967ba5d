#!/usr/bin/env python3
"""Runs examples/vat/godot3 in Godot 3 on a virtual display. A frame of the texture is drawn like a texture of this
frame alone, whose mesh is that pose."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import image_files
import skipping

TOOL = os.environ["LERPMESH_BINARY"]
SOURCE = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
EXAMPLE = SOURCE / "examples/vat/godot3"
PROGRAMS = ("godot3", "xvfb-run")
SECONDS = 120
# Godot stores halves, and both pictures have edges without smoothing.
MAX_DIFFERENT = 0.01


class Godot(unittest.TestCase):
    def setUp(self):
        missing = [program for program in PROGRAMS if not shutil.which(program)]
        if missing:
            skipping.skip(self, "%s is not installed" % missing[0])
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, project, *words):
        return subprocess.Popen(
            ["xvfb-run", "-a", "-s", "-screen 0 640x640x24", "godot3", "--path", str(project), *words],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            env={**os.environ, "HOME": str(self.folder), "LIBGL_ALWAYS_SOFTWARE": "1"})

    def stop(self, process):
        """Ends the program and its display."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        return process.communicate(timeout=30)[0].decode("utf-8", "replace")

    def import_files(self, project):
        """Opens the editor until it has imported the mesh and the texture."""
        process = self.start(project, "--editor", "--quit")
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and process.poll() is None:
            if len(list(project.glob(".import/*.md5"))) == 2:
                break
            time.sleep(0.2)
        time.sleep(1)
        log = self.stop(process)
        self.assertEqual(len(list(project.glob(".import/*.md5"))), 2, log)

    def project(self, name, *options):
        project = self.folder / name
        shutil.copytree(EXAMPLE, project)
        subprocess.run([TOOL, "convert", "-q", str(SOURCE / "samples/tick.md2"), "-o", str(project / "tick.glb"),
                        "--vat", "exr", *options], check=True)
        # The example plays `run`, which a single frame may lack.
        info = project / "tick-remap_info.json"
        if "--frames" in options:
            info.write_text(info.read_text().replace('"animations":{', '"animations":{"run":{"startFrame":1,'
                                                     '"endFrame":1,"framerate":10,"looping":true},'))
        self.import_files(project)
        return project

    def screenshot(self, project, frame):
        picture = project / ("%s.png" % frame)
        process = self.start(project, "--", str(frame), str(picture))
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            pass
        log = self.stop(process)
        self.assertTrue(picture.exists(), log)
        self.assertNotIn("SHADER ERROR", log)
        if "LERPMESH_IMAGES" in os.environ:
            shutil.copy(picture, pathlib.Path(os.environ["LERPMESH_IMAGES"]) / ("godot-%s-%s" % (project.name, picture.name)))
        width, height, pixels = image_files.png_read(picture.read_bytes())
        self.assertEqual((width, height), (512, 512))
        return [pixels[i:i + 3] for i in range(0, len(pixels), 4)]

    @staticmethod
    def differences(a, b):
        return sum(max(abs(x - y) for x, y in zip(p, q)) > 24 for p, q in zip(a, b))

    def test_a_frame_looks_like_its_own_mesh(self):
        whole, alone = self.project("whole"), self.project("alone", "--frames", "20-20")
        first, shown, wanted = self.screenshot(whole, 0), self.screenshot(whole, 20), self.screenshot(alone, 0)
        drawn = sum(pixel != wanted[0] for pixel in wanted)
        self.assertGreater(drawn, 20000)
        self.assertLess(self.differences(shown, wanted), drawn * MAX_DIFFERENT)
        self.assertGreater(self.differences(first, wanted), drawn / 10)


if __name__ == "__main__":
    unittest.main()
