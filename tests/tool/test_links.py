"""Links, pipes, sockets, devices and permissions where the command writes, for every command that writes. A link in the
output folder is never followed, nor is one with the name of a file that the user did not name. Private files stay
private: also the temporary file of a command that is killed, and a backup. Root also keeps the owner."""
import functools
import os
import re
import resource
import shutil
import signal
import socket
import stat
import subprocess

import skipping
from tool_case import NOBODY, SOURCE, TOOL, ToolTest, other_user

SAMPLE = os.path.join(SOURCE, "samples", "tick.md2")
TORCH = os.path.join(SOURCE, "samples", "tick_torch.mdl")
ATTACK = os.path.join(os.environ.get("LERPMESH_CORPUS", ""), "attack", "15-link-member.pk3")
MASKS = 0o022, 0o077, 0
KILLED_AT = 4096  # bytes
EDIT = "edit", "--in-place", "--backup", "-f", "--reverse", "run", "o/own.md2"

SMALL = "--size", "16x16"  # drawn fast

# Arguments of each command that writes. "o/" is an output folder, and "o/NAME" a file that the user names. `tree`
# contains sub/tick.md2, and a.pk3 is the same as an archive.
WRITERS = {
    "convert": [("tree", "-o", "o/"), ("tree", "-o", "o/", "--format", "gltf"), ("tree", "-o", "o/", "--format", "obj"),
                ("a.pk3", "-o", "o/", "--format", "md3"), ("robot.glb", "-o", "o/", "--format", "md3"),
                ("tick.md2", "-o", "o/", "--format", "md3", "--lods", "2"),
                ("tick.md2", "-o", "o/x.glb"), ("tick.md2", "-o", "o/x.gltf"), ("tick.md2", "-o", "o/x.obj"),
                (TORCH, "-o", "o/x.glb", "--skeleton=2"),
                ("robot.glb", "-o", "o/x.md2")],
    "edit": [("tree", "-o", "o/", "--reverse", "run"), ("tick.md2", "-o", "o/x.md2", "--reverse", "run"),
             ("o/own.md2", "--in-place", "--backup", "-f", "--reverse", "run")],
    "optimize": [("tree", "-o", "o/"), ("tick.md2", "-o", "o/x.md2"), ("o/padded.md2", "--in-place", "--backup", "-f")],
    "compare": [("tick.md2", TORCH, "--image", "o/x.png")],
    "render": [("tree", "-o", "o/", *SMALL), ("tick.md2", "-o", "o/x.png", *SMALL),
               ("tree", "--sheet", "-o", "o/x.png", *SMALL),
               ("tick.md2", "-o", "o/x{frame:02}.png", "--frames", "0-2", *SMALL),
               ("tick.md2", "-o", "o/x.webp", "--frames", "0-2", *SMALL)],
    "extract": [("a.pk3", "-o", "o/"), ("--images", "a.pk3", "-o", "o/"), ("a.pk3:sub/tick.md2", "-o", "o/x.md2")],
    "pack": [("tree", "-o", "o/x.pk3"), ("tree", "-o", "o/x.pak")],
    "uv": [("tree", "-o", "o/"), ("tick.md2", "-o", "o/x.svg"), ("tick.md2", "-o", "o/x.png")],
}


RUNS = {}  # by arguments: the contents of the output folder before and after an undisturbed run


class Case(ToolTest):
    def setUp(self) -> None:
        super().setUp()
        os.makedirs(self.path("tree/sub"))
        for name in "tick.md2", "tick.pcx":
            shutil.copy(os.path.join(SOURCE, "samples", name), self.path(name))
            shutil.copy(os.path.join(SOURCE, "samples", name), self.path("tree/sub"))
        subprocess.run([TOOL, "pack", "-q", self.path("tree"), "-o", self.path("a.pk3")], check=True)
        subprocess.run([TOOL, "convert", "-q", SAMPLE, "-o", self.path("robot.glb")], check=True)

    def clean(self) -> None:
        """Makes the output folder, with the files that --in-place changes, and a folder outside of it."""
        for name in "o", "real", "outside":
            if os.path.islink(self.path(name)):
                os.remove(self.path(name))
            shutil.rmtree(self.path(name), ignore_errors=True)
        os.mkdir(self.path("o"))
        os.mkdir(self.path("outside"))
        shutil.copy(SAMPLE, self.path("o/own.md2"))
        shutil.copy(SAMPLE, self.path("o/padded.md2"))
        with open(self.path("o/padded.md2"), "ab") as file:
            file.write(bytes(100))

    def call(self, words: tuple[str, ...], force: bool = True, **how: object) -> subprocess.CompletedProcess[str]:
        forced = force and "-f" not in words and "-f, --force" in self.help_of(words[0])
        return subprocess.run([TOOL, *words, *(["-f"] if forced else [])], cwd=self.folder, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, timeout=60, check=False, **{**self.user, **how})

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def help_of(command: str) -> str:
        return subprocess.run([TOOL, command, "--help-all"], capture_output=True, text=True, check=True).stdout

    def contents(self) -> dict[str, bytes]:
        """Returns the files below the output folder, without following links."""
        found = {}
        for folder, _, names in os.walk(self.path("o/")):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self.path("o"))] = file.read()
        return found

    def cases(self):
        """Yields each case with the files that it writes, and the one that the user named, if any."""
        count = 0
        for command, several in WRITERS.items():
            for arguments in several:
                words = (command, *arguments)
                if words not in RUNS:
                    self.clean()
                    before = self.contents()
                    done = self.call(words)
                    if "without its renderer" in done.stderr or "without assimp" in done.stderr.lower():
                        continue
                    self.assertIn(done.returncode, (0, 1) if command == "compare" else (0,), (words, done.stderr))
                    RUNS[words] = before, self.contents()
                before, after = RUNS[words]
                written = sorted(name for name, data in after.items() if before.get(name) != data)
                self.assertTrue(written, words)
                named = next((word[2:] for word in words if word.startswith("o/") and word != "o/"), None)
                count += 1
                yield words, written, named
        self.assertGreater(count, 20)

    def mode(self, name: str) -> int:
        return stat.S_IMODE(os.lstat(self.path("o/" + name)).st_mode)

    def fails(self, words: tuple[str, ...], sentence: str, **how: object) -> None:
        done = self.call(words, **how)
        self.assertEqual(done.returncode, 1, (words, done.stderr))
        self.assertIn(sentence, done.stderr, words)


class Links(Case):
    def test_every_writing_command_has_a_case(self) -> None:
        listed = subprocess.run([TOOL, "help"], capture_output=True, text=True, check=True).stdout
        commands = re.findall(r"(?m)^  ([a-z]+) ", listed.split("Commands:\n")[1].split("\n\n")[0])
        writing = {command for command in commands if command not in ("help", "version")
                   and re.search(r"(?m)^ .*--(output|image|in-place)\b", self.help_of(command))}
        self.assertEqual(writing, set(WRITERS))
        for command, cases in WRITERS.items():
            for option in "output", "image", "in-place":
                if re.search(r"(?m)^ .*--%s\b" % option, self.help_of(command)):
                    given = "-o" if option == "output" else "--" + option
                    self.assertTrue(any(given in case for case in cases), (command, option))

    def test_a_folder_that_is_a_link(self) -> None:
        tried = 0
        for words, written, _ in self.cases():
            for target in "../outside", "../nowhere":
                if not any("/" in name for name in written):
                    continue
                tried += 1
                self.clean()
                os.symlink(target, self.path("o/sub"))
                self.fails(words, "a folder in its path is a link")
                self.assertEqual(os.listdir(self.path("outside")), [])
                self.assertFalse(os.path.lexists(self.path("nowhere")))
                self.assertEqual(os.readlink(self.path("o/sub")), target)
        self.assertGreater(tried, 12)

    def test_the_attack_file(self) -> None:
        if not os.path.exists(ATTACK):
            skipping.skip(self, "there is no %s" % ATTACK)
        self.clean()
        os.symlink("../outside", self.path("o/link"))
        self.fails(("extract", ATTACK, "-o", "o/"), "cannot write o/link/inner.txt: a folder in its path is a link")
        self.assertEqual(os.listdir(self.path("outside")), [])

    def test_a_file_that_is_a_link(self) -> None:
        """With --force, a new file replaces the link, whether it leads to a file or nowhere."""
        for words, written, named in self.cases():
            whole = RUNS[words][1]
            for name in written:
                if name == named and "--in-place" in words:
                    continue  # changes the file that the link leads to
                for exists in True, False:
                    self.clean()
                    victim = self.write("outside/victim", b"before") if exists else self.path("outside/victim")
                    os.makedirs(os.path.dirname(self.path("o/" + name)), exist_ok=True)
                    os.symlink(victim, self.path("o/" + name))
                    if not named and "-f, --force" in self.help_of(words[0]):
                        self.fails(words, "exists; --force replaces it", force=False)
                        self.assertTrue(os.path.islink(self.path("o/" + name)))
                    done = self.call(words)
                    self.assertIn(done.returncode, (0, 1) if words[0] == "compare" else (0,), done.stderr)
                    self.assertEqual(os.listdir(self.path("outside")), ["victim"] if exists else [])
                    if exists:
                        self.assertEqual(self.read("outside/victim"), b"before")
                    self.assertFalse(os.path.islink(self.path("o/" + name)))
                    self.assertEqual(self.contents(), whole)

    def test_an_output_folder_that_is_a_link(self) -> None:
        for words, _, _ in self.cases():
            whole = RUNS[words][1]
            self.clean()
            os.rename(self.path("o"), self.path("real"))
            os.symlink("real", self.path("o"))
            done = self.call(words)
            self.assertIn(done.returncode, (0, 1) if words[0] == "compare" else (0,), done.stderr)
            self.assertEqual(self.contents(), whole)
            self.assertTrue(os.path.islink(self.path("o")))

    def make_special(self, kind: str, path: str) -> bool:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "socket":
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(path)
        else:
            try:
                os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
            except PermissionError:
                return False
        return True

    def test_special_files(self) -> None:
        """An error, and the file stays. Nothing waits for the reader of a pipe. A file that the user names may be a pipe."""
        tried = 0
        for words, written, named in self.cases():
            for name in written:
                for kind in ("fifo", "socket", "device") if name != named else ():
                    self.clean()
                    path = self.path("o/" + name)
                    if not self.make_special(kind, path):
                        continue
                    mode = os.lstat(path).st_mode
                    self.fails(words, "is a pipe, socket or device")
                    self.assertEqual(os.lstat(path).st_mode, mode)
                    tried += 1
        self.assertGreater(tried, 30)

    def test_modes(self) -> None:
        """New files get the mode that the mask allows, replaced ones keep theirs."""
        for words, written, named in self.cases():
            for mask in MASKS:
                self.clean()
                self.call(words, umask=mask)
                for name in written:
                    if "--in-place" not in words:
                        self.assertEqual(self.mode(name), 0o666 & ~mask, name)
            for name in written:
                if "--in-place" in words and name != named:
                    continue  # a backup has the mode of the original
                self.clean()
                if "--in-place" not in words:
                    self.write("o/" + name, b"before")
                os.chmod(self.path("o/" + name), 0o600)
                self.call(words, umask=0)
                self.assertNotEqual(self.read("o/" + name), b"before")
                self.assertEqual({other: self.mode(other) for other in written},
                                 {other: 0o600 if other == name or "--in-place" in words else 0o666 for other in written})


class Permissions(Case):
    def test_killed(self) -> None:
        def kill_at_limit() -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (KILLED_AT, KILLED_AT))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        killed = 0
        for words, written, named in self.cases():
            self.clean()
            for name in written:
                if name != named or "--in-place" not in words:
                    self.write("o/" + name, b"before")
                os.chmod(self.path("o/" + name), 0o600)
            done = self.call(words, preexec_fn=kill_at_limit)
            # The process that draws is killed alone.
            if done.returncode != -signal.SIGXFSZ and f"(signal {signal.SIGXFSZ})" not in done.stderr:
                continue
            left = [name for name in self.contents() if os.path.basename(name).startswith(".lerpmesh-")]
            if "graphics driver" in done.stderr and not left:
                continue  # Mesa 25 allocates a file before the command does
            killed += 1
            self.assertGreaterEqual(len(left), 1, done.stderr)
            self.assertEqual({oct(self.mode(name)) for name in (*left, *written)}, {"0o600"}, words)
        self.assertGreater(killed, 5)

    def test_backup(self) -> None:
        for mode in 0o600, 0o640, 0o444, 0o666:
            self.clean()
            os.chmod(self.path("o/own.md2"), mode)
            self.assertEqual(self.call(EDIT).returncode, 0)
            self.assertEqual([self.mode(name) for name in ("own.md2", "own.md2.bak")], [mode, mode])

    def test_owner(self) -> None:
        if os.geteuid() != 0:
            skipping.skip(self, "only root may give files to others")
        self.clean()
        os.chmod(self.path("o/own.md2"), 0o640)
        os.chown(self.path("o/own.md2"), NOBODY, NOBODY)
        self.assertEqual(self.call(EDIT).returncode, 0)
        for name in "own.md2", "own.md2.bak":
            info = os.stat(self.path("o/" + name))
            self.assertEqual((info.st_uid, info.st_gid, self.mode(name)), (NOBODY, NOBODY, 0o640))

    def test_foreign_group(self) -> None:
        """A user who cannot give a file its former group gives no group more than everyone."""
        if os.geteuid() != 0:
            skipping.skip(self, "only root may become another user")
        user = other_user(self, self.folder, writes=True)
        for mode, expected in (0o640, 0o600), (0o644, 0o644), (0o664, 0o644):
            self.clean()
            os.chmod(self.path("o"), 0o777)
            os.chmod(self.path("o/own.md2"), mode)
            os.chown(self.path("o/own.md2"), NOBODY, 12345)
            self.assertEqual(self.call(EDIT, **user).returncode, 0)
            info = os.stat(self.path("o/own.md2"))
            self.assertEqual((info.st_gid, oct(self.mode("own.md2"))), (NOBODY, oct(expected)))


class ReadOnly(Case):
    def setUp(self) -> None:
        super().setUp()
        self.user = other_user(self, self.folder)

    def clean(self) -> None:
        if os.path.exists(self.path("o")):
            os.chmod(self.path("o"), 0o755)
        super().clean()
        os.chmod(self.path("o"), 0o777)

    def test_a_read_only_folder(self) -> None:
        for words, _, _ in self.cases():
            self.clean()
            before = self.contents()
            os.chmod(self.path("o"), 0o555)
            self.fails(words, "Permission denied")
            self.assertEqual(self.contents(), before)
            self.assertEqual(sorted(os.listdir(self.path("o"))), sorted(before))
        os.chmod(self.path("o"), 0o755)

    def test_a_folder_that_cannot_be_listed(self) -> None:
        """Writing needs no permission to read the folder."""
        for words, written, _ in self.cases():
            if "--in-place" in words:
                continue
            self.clean()
            os.chmod(self.path("o"), 0o333)
            done = self.call(words)
            os.chmod(self.path("o"), 0o777)
            self.assertIn(done.returncode, (0, 1) if words[0] == "compare" else (0,), done.stderr)
            self.assertLessEqual(set(written), set(self.contents()))
