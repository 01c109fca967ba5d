"""Runs examples/vat/godot3 in Godot 3 on a virtual display. A frame of the texture is drawn like a texture of this
frame alone, whose mesh is that pose."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import godot
import image_files

TOOL = os.environ["LERPMESH_BINARY"]
SOURCE = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
EXAMPLE = SOURCE / "examples/vat/godot3"
# Godot stores halves, and both pictures have edges without smoothing.
MAX_DIFFERENT = 0.01


class Godot(unittest.TestCase):
    def setUp(self):
        godot.need(self)
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

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
        godot.import_files(project, 2)
        return project

    def screenshot(self, project, frame):
        picture = project / ("%s.png" % frame)
        log = godot.run(project, "--", str(frame), str(picture))
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
