"""Tests `lerpmesh render` and `compare --image` with a graphics driver that ends its process, and without
memory: the file fails with a sentence, the others are drawn, and nothing incomplete remains."""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

from small_files import make_md2

TOOL = os.environ["LERPMESH_BINARY"]
DRIVER = os.environ["LERPMESH_DRIVER"]
SAMPLES = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples"
NAMES = ["%d.md2" % i for i in range(4)]
SENTENCE = "the graphics driver ended its process (%s), perhaps for lack of memory\n"


class RenderProcess(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name in NAMES:
            shutil.copy(SAMPLES / "tick.md2", self.folder / name)
        shutil.copy(SAMPLES / "tick.pcx", self.folder)

    def run_tool(self, *arguments, limit=None, **environment):
        """Returns the status, both streams and the files of out/, which is removed."""
        (self.folder / "out").mkdir()

        def prepare():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if limit:
                resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        done = subprocess.run([TOOL, *arguments], cwd=self.folder, capture_output=True, check=False,
                              timeout=300, env={**os.environ, **environment}, preexec_fn=prepare)
        files = {path.name: path.read_bytes() for path in (self.folder / "out").iterdir()}
        shutil.rmtree(self.folder / "out")
        return done.returncode, done.stdout, done.stderr.decode(), files

    def run_failing(self, at, by, *arguments):
        return self.run_tool(*arguments, LD_PRELOAD=DRIVER, DRIVER_ENDS_AT=str(at), DRIVER_ENDS_BY=str(int(by)))

    BATCH = ["render", *NAMES, "--size", "32", "-o", "out/"]

    def test_one_file_fails(self):
        """Each draw call of a batch ends the process once, in each way: one file fails."""
        status, _, _, usual = self.run_tool(*self.BATCH)
        self.assertEqual((status, len(usual)), (0, len(NAMES)))
        failed = set()
        ways = (signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL, 0)
        for at in range(1, 100):
            by = ways[at % len(ways)]
            status, _, told, files = self.run_failing(at, by, *self.BATCH)
            if status == 0:
                break
            self.assertEqual(status, 1)
            lost, = [name for name in NAMES if name.replace("md2", "png") not in files]
            failed.add(lost)
            how = "signal %d" % by if by else "exit status 3"
            self.assertIn("lerpmesh: %s: %s" % (lost, SENTENCE % how), told)
            self.assertEqual(told.count("perhaps for lack of memory"), 1)
            self.assertIn("4 files: 3 drawn, 1 failed (graphics 1)", told)
            self.assertEqual(files, {name: data for name, data in usual.items() if name != lost.replace("md2", "png")})
        self.assertEqual(failed, set(NAMES))

    def test_sheets_contain_the_others(self):
        status, _, _, usual = self.run_tool("render", *NAMES[1:], "--size", "32", "--sheet", "-o", "out/s.png")
        self.assertEqual(status, 0)
        status, _, told, files = self.run_failing(1, signal.SIGSEGV, "render", *NAMES, "--size", "32",
                                                  "--sheet", "-o", "out/s.png")
        self.assertEqual(status, 1)
        self.assertIn("lerpmesh: 0.md2: " + SENTENCE % "signal 11", told)
        self.assertEqual(files, usual)

    def test_streams(self):
        """Images on standard output end where the driver ends; nothing is written twice."""
        command = ["render", "0.md2", "--size", "8", "--frames", "0-3", "--format", "raw", "-o", "-"]
        _, usual, _, _ = self.run_tool(*command)
        self.assertEqual(len(usual), 4 * 4 * 8 * 8)
        sizes = set()
        for at in range(1, 100):
            status, out, told, _ = self.run_failing(at, signal.SIGABRT, *command)
            if status == 0:
                break
            self.assertIn(SENTENCE % "signal 6", told)
            self.assertEqual((status, out), (1, usual[:len(out)]))
            sizes.add(len(out) // 256)
        self.assertEqual(sizes, {0, 1, 2, 3})

    def test_comparisons(self):
        command = ["compare", "0.md2", "1.md2", "--image", "out/c.png"]
        status, _, _, files = self.run_tool(*command)
        self.assertEqual((status, list(files)), (0, ["c.png"]))
        status, _, told, files = self.run_failing(2, signal.SIGSEGV, *command)
        self.assertEqual((status, files), (1, {}))
        self.assertIn("lerpmesh: 0.md2: " + SENTENCE % "signal 11", told)

    def test_pages_of_too_many_clips_are_not_drawn(self):
        """Otherwise the first draw call would end the process."""
        names = [b"clip%dx1" % i for i in range(2000)]
        (self.folder / "a.md2").write_bytes(make_md2(names, ()))
        status, _, told, files = self.run_failing(1, signal.SIGABRT, "render", "a.md2", "--sheet", "-o", "out/s.png")
        self.assertEqual((status, files), (1, {}))
        self.assertIn("a page of 6000 images is too large", told)
        self.assertNotIn("driver", told)

    def test_limits_of_addresses(self):
        """With any limit, each file is drawn or fails with a sentence, and images are complete."""
        _, _, _, usual = self.run_tool(*self.BATCH)
        drawn = set()
        for size in range(20, 420, 16):
            status, _, told, files = self.run_tool(*self.BATCH, limit=size << 20)
            if status == 127:
                continue  # the loader itself has no memory
            self.assertIn(status, (0, 1), told)
            self.assertEqual(files, {name: usual[name] for name in files}, size)
            drawn.add(len(files))
            if status == 1:
                self.assertIn("lerpmesh: ", told)
                self.assertTrue(told.endswith("\n"), told)
            else:
                self.assertEqual(files, usual)
        self.assertTrue({0, len(NAMES)} <= drawn, drawn)
