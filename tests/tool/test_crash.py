#!/usr/bin/env python3
"""Tests the output files if the disk is full, and if two commands write the same files. No file is incomplete under its
own name, and no .gltf is next to another one's .bin. tests/heap/test_kills.py kills the command.

test_crash.py --all runs the two 40 times, otherwise fewer times."""
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from small_files import make_md2, make_pcx
from tool_case import TOOL

ALL = "--all" in sys.argv
RUNS = 40 if ALL else 6
MODELS = 40
# The outputs of the two differ in every file except the images.
SCALES = "1", "2"


class Crash(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        models = self.folder / "models"
        models.mkdir()
        frames = [b"run%d" % i for i in range(50)]
        for i in range(MODELS):
            name = b"skin%d.pcx" % i
            (models / ("m%d.md2" % i)).write_bytes(make_md2(frames, (name,)))
            (models / name.decode()).write_bytes(make_pcx(size=32))
        self.expected = []
        for scale in SCALES:
            out = self.folder / ("expected" + scale)
            self.assertEqual(self.end_of(self.convert(out, scale)), (0, ""))
            self.expected.append(self.read(out))
        self.assertEqual(len(self.expected[0]), 3 * MODELS)

    def convert(self, out, scale, kind="gltf", **how):
        return subprocess.Popen([TOOL, "convert", "-q", "-f", "--format", kind, "--scale", scale,
                                 str(self.folder / "models"), "-o", str(out) + "/"],
                                stderr=subprocess.PIPE, **how)

    @staticmethod
    def end_of(process):
        message = process.communicate()[1].decode()
        return process.returncode, message

    @staticmethod
    def read(folder):
        """Returns the files without temporary ones; the folder may be missing, as its first file is."""
        return {path.name: path.read_bytes() for path in folder.glob("*") if not path.name.startswith(".lerpmesh-")}

    def check_complete(self, files):
        """Each file is one of the expected ones, and each .gltf has the .bin of the same run."""
        for name, data in files.items():
            which = [data == expected[name] for expected in self.expected]
            self.assertTrue(any(which), name + " is none of those that were to be written")
            if name.endswith(".gltf"):
                other = name.replace(".gltf", ".bin")
                self.assertIn(other, files)
                self.assertEqual(files[other], self.expected[which.index(True)][other],
                                 name + " stands beside another's " + other)

    def test_two_writers(self):
        out = self.folder / "out"
        for i in range(RUNS):
            both = [self.convert(out, scale) for scale in SCALES]
            for process in both:
                self.assertEqual(self.end_of(process), (0, ""))
            files = self.read(out)
            self.assertEqual(len(files), 3 * MODELS)
            self.check_complete(files)

    def test_two_writers_of_single_files(self):
        """No file refers to another one: each is from one of the two."""
        out = self.folder / "out"
        self.expected = []
        for scale in SCALES:
            self.assertEqual(self.end_of(self.convert(out, scale, "glb")), (0, ""))
            self.expected.append(self.read(out))
        for i in range(RUNS):
            both = [self.convert(out, scale, "glb") for scale in SCALES]
            for process in both:
                self.assertEqual(self.end_of(process), (0, ""))
            files = self.read(out)
            self.assertEqual(len(files), MODELS)
            self.check_complete(files)

    def test_full_disk(self):
        """A limit on the file size simulates a full disk."""
        sizes = sorted({len(data) for data in self.expected[0].values()})
        for limit in [0, 1] + [size - 1 for size in sizes] + [sizes[-1]]:
            out = self.folder / ("out%d" % limit)

            def restrict(limit=limit):
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

            status, message = self.end_of(self.convert(out, SCALES[0], preexec_fn=restrict))
            self.assertEqual(status, 0 if limit == sizes[-1] else 1)
            self.check_complete(self.read(out))
            self.assertFalse([path for path in out.glob(".*")])
            if status:
                self.assertIn("File too large", message)


if __name__ == "__main__":
    unittest.main(argv=[argument for argument in sys.argv if argument != "--all"], verbosity=1)
