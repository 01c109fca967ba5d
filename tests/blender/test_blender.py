#!/usr/bin/env python3
"""The add-on in Blender without a window: each file cases_*.py runs in a Blender of its own, with factory settings.

LERPMESH_PYTHON_PACKAGE is the folder of the Python package; without it, that of `make python`. LERPMESH_BLENDER is the
command that starts Blender: several words, if it runs in a root folder; without it, blender."""
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "oracle"))
import skipping  # noqa: E402

PACKAGE = Path(os.environ.get("LERPMESH_PYTHON_PACKAGE") or ROOT / "build" / "python" / "lib")
BLENDER = shlex.split(os.environ.get("LERPMESH_BLENDER") or shutil.which("blender") or "")


def run_group(command: list[str], seconds: float, environment: dict[str, str] | None = None) -> str:
    """Runs a command and returns its output. If it takes longer, it ends with all programs that it started."""
    with subprocess.Popen(command, env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, start_new_session=True) as process:
        try:
            return process.communicate(timeout=seconds)[0]
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)  # Xvfb removes its files
            try:
                process.communicate(timeout=10)  # until the last program that has the output ends
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
            raise


def run_in_window(case: unittest.TestCase, script: str, folder: str) -> str:
    """Runs a script in Blender's window. Returns its output."""
    skipping.need(case, "xvfb-run", "xauth")
    if not BLENDER:
        skipping.skip(case, "there is no Blender")
    output = run_group(
        ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24 -noreset", *BLENDER, "--factory-startup", "--enable-event-simulate",
         "--window-geometry", "0", "0", "1600", "1000", "--python", str(HERE / script), "--", str(PACKAGE), folder],
        500, {"LIBGL_ALWAYS_SOFTWARE": "1"})
    case.assertNotIn("Traceback", output)
    return output


class Groups(unittest.TestCase):
    def test_a_command_that_hangs(self) -> None:
        """Its programs end with it."""
        mark = f"HANGING={os.getpid()}"
        with self.assertRaises(subprocess.TimeoutExpired):
            run_group(["bash", "-c", "sleep 600 & sleep 600"], 1, dict([mark.split("=")]))
        self.assertEqual([path for path in Path("/proc").glob("[0-9]*/environ") if mark.encode() in read(path)], [])


def read(path: Path) -> bytes:
    """Returns the contents of a file; of one that cannot be read, nothing."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


class Cases(unittest.TestCase):
    def run_cases(self, name: str) -> None:
        """Runs a file of cases; passes on the lines about skipped tests."""
        if not BLENDER:
            skipping.skip(self, "there is no Blender")
        if not (PACKAGE / "lerpmesh").is_dir():
            skipping.skip(self, "the Python package was not built: make python")
        done = subprocess.run(
            [*BLENDER, "-b", "--factory-startup", "--python-exit-code", "1", "--python", str(HERE / "run_inside.py"),
             "--", name, str(PACKAGE)], capture_output=True, text=True, check=False)
        for line in done.stdout.splitlines():
            if line.startswith("skipped: "):
                print(f"\n{line}", flush=True)
        self.assertEqual(done.returncode, 0, f"{done.stdout[-4000:]}\n{done.stderr[-6000:]}")
        self.assertIn("cases passed", done.stdout)


class InBlender(Cases):
    def blender(self, folder: str, *arguments: str) -> str:
        """Runs Blender with its settings in a folder, and returns its output. Only the archive has the Python package."""
        done = subprocess.run([*BLENDER, *arguments], env={**os.environ, "BLENDER_USER_RESOURCES": folder, "PYTHONPATH": ""},
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_archives(self) -> None:
        """Blender installs and enables the add-on; since 4.2, it finds no fault with the extension, and installs it."""
        wheels = sorted((*PACKAGE.parent.glob("*.whl"), *PACKAGE.parent.glob(f"wheels-{PACKAGE.name}/*.whl"),
                         *PACKAGE.parents[1].glob("wheels/*.whl")))  # make python, the tests, make blender-wheels
        if not BLENDER or not wheels:
            skipping.skip(self, "there is no Blender, or no wheel: make python")
        with tempfile.TemporaryDirectory() as folder:
            pack = [sys.executable, str(ROOT / "python/blender/pack.py"), folder, *map(str, wheels)]
            subprocess.run(pack, check=True, stdout=subprocess.DEVNULL)
            use = (f"bpy.ops.import_scene.lerpmesh(filepath={str(ROOT / 'samples/tick.md2')!r}); "
                   "import lerpmesh; print('from', lerpmesh.__file__)")
            run = "-b", "--factory-startup", "--python-exit-code", "1", "--python-expr"
            output = self.blender(
                folder, *run, f"import bpy; bpy.ops.preferences.addon_install(filepath={folder + '/lerpmesh_io-addon.zip'!r}); "
                f"bpy.ops.preferences.addon_enable(module='lerpmesh_io'); {use}; "
                "bpy.ops.preferences.addon_disable(module='lerpmesh_io'); print('version', *bpy.app.version)")
            self.assertIn(f"from {folder}", output)
            version = next(line.split()[1:] for line in output.splitlines() if line.startswith("version "))
            if tuple(map(int, version)) < (4, 2, 0):
                return
            extension, own = f"{folder}/lerpmesh_io-extension.zip", f"{folder}/own"
            self.blender(own, "--command", "extension", "validate", extension)
            self.blender(own, "--command", "extension", "install-file", "-r", "user_default", "-e", extension)
            self.assertIn(f"from {own}", self.blender(own, "-b", "--python-exit-code", "1", "--python-expr",
                                                      f"import bpy; {use}"))

    def test_panels(self) -> None:
        """Panels, menus and popups are drawn in a window, without errors."""
        with tempfile.TemporaryDirectory() as folder:
            output = run_in_window(self, "window.py", folder)
            names = {path.stem for path in Path(folder).glob("*.png")}
            self.assertLessEqual({"imported", "preset", "report0", "export1", "import1"}, names, output)
            again = Path(folder) / "tick.md2"
            self.assertTrue(again.exists())

    def test_scenes(self) -> None:
        self.run_cases("cases_scenes")

    def test_models(self) -> None:
        self.run_cases("cases_models")

    def test_round_trips(self) -> None:
        self.run_cases("cases_round_trips")

    def test_keys(self) -> None:
        self.run_cases("cases_keys")

    def test_jobs(self) -> None:
        self.run_cases("cases_jobs")

    def test_armatures(self) -> None:
        self.run_cases("cases_armatures")

    def test_operators(self) -> None:
        self.run_cases("cases_operators")


class Slow(Cases):
    """Only `make test-blender` runs it."""

    def test_real_armatures(self) -> None:
        self.run_cases("cases_armatures_real")

    def test_progress_and_undo(self) -> None:
        """Imports and exports show their progress, Esc cancels them, and undo takes back what operators did."""
        with tempfile.TemporaryDirectory() as folder:
            output = run_in_window(self, "window_jobs.py", folder)
            self.assertTrue((Path(folder) / "passed").exists(), output)


if __name__ == "__main__":
    unittest.main()
