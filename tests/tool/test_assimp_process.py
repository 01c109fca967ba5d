"""Assimp runs in a process of its own: whatever it does becomes a sentence about one file. A library in its place does
what the files say (support/assimp)."""
import glob
import os
import pathlib
import resource
import signal
import subprocess
import time

import corpus
import skipping
from tool_case import TOOL, ToolTest, other_user

STAND_IN = os.environ.get("LERPMESH_ASSIMP")
ALONE = os.environ.get("LERPMESH_ALONE")
MODELS = os.environ["ASSIMP_MODELS"]
# Formats whose test models do not crash Assimp.
FORMATS = ("3DS AC ASE B3D BVH COB Collada DXF FBX HMP IRR LWO LWS MD5 MS3D OBJ OFF PLY Q3D RAW SMD STL X "
           "X3D XGL").split()


class Case(ToolTest):
    def setUp(self):
        if not STAND_IN:
            skipping.skip(self, "built without Assimp")
        super().setUp()
        self.environment = {**os.environ, "LD_LIBRARY_PATH": STAND_IN}

    def import_text(self, text, *options, status=1, **more):
        """Imports a file with this text. Returns the messages."""
        self.write("a.obj", text.encode())
        pathlib.Path(self.path("a.md3")).unlink(missing_ok=True)
        output, messages = self.run_tool("convert", "a.obj", "-o", "a.md3", *options,
                                         status=status, env=self.environment, **more)
        self.assertEqual(output, "")
        self.assertEqual(os.path.exists(self.path("a.md3")), status == 0)
        self.assertEqual(messages.count("\n"), messages.count("lerpmesh: "))
        return messages

    def expect(self, text, sentence, *options):
        self.assertEqual(self.import_text(text, *options), "lerpmesh: a.obj: import: Assimp %s\n" % sentence)


class Endings(Case):
    def test_a_triangle(self):
        self.assertIn("wrote a.md3", self.import_text("triangle", status=0))

    def test_crashes(self):
        self.expect("crash", "crashed while reading it (signal %d): export to glTF instead" % signal.SIGSEGV)
        self.expect("exit", "ended its process while reading it (status 3): export to glTF instead")
        for text in "kill", "close":
            self.expect(text, "was killed while reading it: the system may have run out of memory")

    def test_abort_is_silent(self):
        self.expect("abort", "aborted while reading it: export to glTF instead")

    def test_time(self):
        sentence = "needs more than 1 s: raise --import-time, or export to glTF instead"
        self.expect("loop", sentence, "--import-time", "1")
        self.expect("busy 2", sentence, "--import-time", "1")
        self.import_text("busy 2", status=0)

    def test_waiting(self):
        self.expect("sleep", "needs more than 1 s: raise --import-time, or export to glTF instead",
                    "--import-time", "1")

    def test_memory(self):
        sentence = ("needs more than 67108864 bytes of memory: raise --import-memory, or export to glTF"
                    " instead")
        self.expect("hold 100", sentence, "--import-memory", "64M")
        self.expect("starve", sentence, "--import-memory", "64M")
        self.import_text("hold 100", "--import-memory", "200M", status=0)
        self.expect("allocate", "aborted while reading it: export to glTF instead", "--import-memory", "64M")

    def test_streams_of_the_library_lead_nowhere(self):
        self.assertNotIn("from the library", self.import_text("print", status=0))

    def test_no_core_is_dumped(self):
        limits = resource.getrlimit(resource.RLIMIT_CORE)
        if limits[1] == 0:
            skipping.skip(self, "cores are off")
        self.import_text("crash", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (limits[1], limits[1])))
        self.assertEqual(self.files(), ["a.obj"])

    def test_nested_nodes_need_no_stack(self):
        self.import_text("deep 60000", status=0, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_STACK, (1 << 20, 1 << 20)))

    def test_other_files_are_read(self):
        self.assertIn("not there", self.import_text("ask b.txt"))
        self.write("b.txt", b"text")
        self.import_text("ask b.txt 4", status=0)
        self.write("../outside-%d.txt" % os.getpid(), b"text")
        self.addCleanup(os.remove, self.path("../outside-%d.txt" % os.getpid()))
        self.assertIn("not there", self.import_text("ask ../outside-%d.txt" % os.getpid()))

    def test_large_files_reach_the_process(self):
        self.write("b.txt", b"#" * (40 << 20))
        self.import_text("ask b.txt %d" % (40 << 20), status=0)

    def test_numbered_files(self):
        for i in range(40):
            self.write("walk_%d.obj" % i, b"triangle")
        for memory in "1G", "64K":  # the latter is not enough for all of them
            self.run_tool("convert", "walk_{frame}.obj", "-o", "walk.md3", "--import-memory", memory,
                          env=self.environment)
        self.write("walk_20.obj", b"crash")
        _, messages = self.run_tool("convert", "walk_{frame}.obj", "-o", "b.md3", status=1, env=self.environment)
        self.assertIn("walk_20.obj: import: Assimp crashed", messages)


class Batches(Case):
    def batch(self, texts, *options, **more):
        os.makedirs(self.path("in"), exist_ok=True)
        for i, text in enumerate(texts):
            self.write("in/%02d.obj" % i, text.encode())
        names = ["in/%02d.obj" % i for i in range(len(texts))]
        return self.run_tool("convert", *names, "-o", "out/", "--format", "md3", "--force", *options,
                             env=self.environment, **more)

    def test_the_others_are_converted(self):
        texts = ["triangle"] * 24
        texts[3], texts[10], texts[11], texts[20] = "crash", "exit", "starve", "abort"
        results = []
        for jobs in "1", "4", "24":
            _, messages = self.batch(texts, "-j", jobs, "--import-memory", "64M", status=1)
            lines = [line for line in messages.splitlines() if "import:" in line]
            self.assertEqual([line.split(":")[1] for line in lines], [" in/%02d.obj" % i for i in (3, 10, 11, 20)])
            written = sorted(os.listdir(self.path("out")))
            self.assertEqual(len(written), 20)
            results.append((lines, written, [self.read("out/" + name) for name in written]))
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])

    def test_descriptors_are_closed(self):
        self.batch(["triangle", "crash"] * 40, "-j2", status=1, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_NOFILE, (24, 24)))
        self.assertEqual(len(os.listdir(self.path("out"))), 40)

    def test_no_process_can_start(self):
        _, messages = self.batch(["triangle"], status=1, preexec_fn=no_processes,
                                 **other_user(self, self.folder, writes=True))
        self.assertIn("cannot start a process for Assimp: ", messages)


def no_processes():
    """Forbids processes. The limit does not apply to root."""
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def children(process):
    """Returns the states of a process's children, by number."""
    found = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            fields = pathlib.Path(path).read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue  # it has ended
        if int(fields[1]) == process:
            found[int(path.split("/")[2])] = fields[0]
    return found


class Processes(Case):
    def start(self, *texts):
        """Starts a batch, and returns it when the last file is being imported."""
        names = ["%d.obj" % i for i in range(len(texts))]
        for name, text in zip(names, texts):
            self.write(name, text.encode())
        process = subprocess.Popen([TOOL, "convert", "-j1", *names, "-o", "out/", "--format", "md3"],
                                   cwd=self.folder, env=self.environment, stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # shells may ignore it
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while not any("/dev/null" in self.stream(child) for child in children(process.pid)):
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        return process

    @staticmethod
    def stream(process):
        try:
            return os.readlink("/proc/%d/fd/1" % process)
        except OSError:
            return ""

    def test_none_is_left(self):
        for number in signal.SIGKILL, signal.SIGINT, signal.SIGTERM:
            process = self.start("sleep")
            child, = children(process.pid)
            process.send_signal(number)
            process.wait()
            while os.path.exists("/proc/%d" % child):  # for ever, if it does not end
                time.sleep(0.01)

    def test_no_zombies(self):
        process = self.start("triangle", "crash", "exit", "crash", "sleep")
        while len(os.listdir(self.path("out"))) < 1:
            time.sleep(0.01)
        while not (states := list(children(process.pid).values())):
            time.sleep(0.01)
        self.assertNotIn("Z", states[1:])

    def test_models_are_read_in_this_process(self):
        """Neither glTF nor a game's model starts one."""
        self.run_tool("convert", os.path.join(os.environ["LERPMESH_SOURCE_DIR"], "samples", "tick.md2"), "-o", "a.glb")
        for name in "a.glb", os.path.join(os.environ["LERPMESH_SOURCE_DIR"], "samples", "tick.md2"):
            self.run_tool("convert", "-j1", name, "-o", "b.md3", "--force", preexec_fn=no_processes,
                          **other_user(self, self.folder, writes=True))


class Assimp(ToolTest):
    """The real library."""

    def setUp(self):
        if not STAND_IN:
            skipping.skip(self, "built without Assimp")
        super().setUp()
        if "cannot be loaded" in self.convert_with(TOOL, self.write("a.off", b"OFF\n")).stderr.decode():
            skipping.skip(self, "Assimp is not installed")

    def convert_with(self, tool, path):
        return subprocess.run([tool, "convert", path, "-o", "-", "--format", "md3"], stdin=subprocess.DEVNULL,
                              capture_output=True, check=False, cwd=self.folder)

    def test_files_that_crash_it(self):
        folder = corpus.corpus_dir() / "attack"
        for name in "16-assimp-camera.ogex", "16-assimp-anim.ASE":
            if not (folder / name).exists():
                skipping.skip(self, f"there is no attack/{name}")
            done = self.convert_with(TOOL, str(folder / name))
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"import: Assimp ", done.stderr)

    def test_results_are_the_same_in_one_process(self):
        count = 0
        for format_name in FORMATS:
            paths = sorted(path for path in glob.glob(os.path.join(MODELS, format_name, "*.*")))
            for path in paths[:2]:
                with self.subTest(path):
                    own, alone = self.convert_with(TOOL, path), self.convert_with(ALONE, path)
                    self.assertEqual((own.returncode, own.stdout, own.stderr),
                                     (alone.returncode, alone.stdout, alone.stderr))
                    count += own.returncode == 0
        if not glob.glob(MODELS):
            skipping.skip(self, "there are no models of Assimp")
        self.assertGreater(count, 20)
