#!/usr/bin/env python3
"""Private files stay private: every command that replaces a file keeps its permissions, also in its temporary file
when it is killed, and a backup has the permissions of the original. Root also keeps the owner."""
import os
import resource
import shutil
import signal
import stat
import subprocess
import unittest

import skipping
from tool_case import NOBODY, SOURCE, TOOL, ToolTest, other_user

SAMPLE = os.path.join(SOURCE, "samples", "tick.md2")
MODES = 0o600, 0o640, 0o444, 0o666
KILLED_AT = 4096  # bytes


class Permissions(ToolTest):
    def setUp(self):
        super().setUp()
        self.model = self.path("tick.md2")
        shutil.copy(SAMPLE, self.model)
        shutil.copy(os.path.join(SOURCE, "samples", "tick.pcx"), self.path("tick.pcx"))
        os.mkdir(self.path("tree"))
        shutil.copy(SAMPLE, self.path("tree/tick.md2"))
        subprocess.run([TOOL, "pack", "-q", self.path("tree"), "-o", self.path("a.pk3")], check=True)

    def writers(self):
        """Yields each writing command with the file that it replaces."""
        out = self.path("out")
        edit = "--reverse", "run"
        yield ("edit", "--in-place", *edit, self.model), self.model
        yield ("optimize", "--in-place", self.path("padded.md2")), self.path("padded.md2")
        yield ("edit", *edit, "-f", self.model, "-o", out + ".md2"), out + ".md2"
        yield ("optimize", "-f", self.model, "-o", out + ".md2"), out + ".md2"
        yield ("convert", "-f", SAMPLE, "-o", out + ".glb"), out + ".glb"
        yield ("convert", "-f", SAMPLE, "-o", out + ".gltf"), out + ".bin"
        yield ("pack", self.path("tree"), "-o", out + ".pk3"), out + ".pk3"
        yield ("extract", "-f", self.path("a.pk3"), "-o", out), os.path.join(out, "tick.md2")
        yield ("render", "-f", SAMPLE, "-o", out + ".png"), out + ".png"
        yield ("compare", SAMPLE, os.path.join(SOURCE, "samples", "tick_torch.mdl"), "--image", out + ".png"), out + ".png"
        yield ("uv", "-f", SAMPLE, "-o", out + ".svg"), out + ".svg"

    def prepare(self, path, mode):
        """Makes the file to replace, and a model with trailing bytes, which `optimize` removes."""
        padded = self.path("padded.md2")
        if os.path.exists(padded):
            os.remove(padded)
        shutil.copy(SAMPLE, padded)
        with open(padded, "ab") as file:
            file.write(bytes(100))
        shutil.copy(SAMPLE, self.model)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if path not in (padded, self.model):
            if os.path.exists(path):
                os.remove(path)
            with open(path, "wb") as file:
                file.write(b"before")
        os.chmod(path, mode)

    def run_it(self, arguments, **how):
        return subprocess.run([TOOL, *arguments], capture_output=True, text=True, check=False, **how)

    def mode(self, path):
        return stat.S_IMODE(os.lstat(path).st_mode)

    def test_replaced_files(self):
        for arguments, path in self.writers():
            for mode in MODES:
                with self.subTest(arguments=arguments, mode=oct(mode)):
                    self.prepare(path, mode)
                    with open(path, "rb") as file:
                        before = file.read()
                    done = self.run_it(arguments)
                    if "without its renderer" in done.stderr:
                        continue
                    self.assertIn(done.returncode, (0, 1) if arguments[0] == "compare" else (0,), done.stderr)
                    with open(path, "rb") as file:
                        self.assertFalse(file.read() == before)
                    self.assertEqual(self.mode(path), mode)

    def test_killed(self):
        def kill_at_limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (KILLED_AT, KILLED_AT))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        killed = 0
        for arguments, path in self.writers():
            with self.subTest(arguments=arguments):
                self.prepare(path, 0o600)
                done = self.run_it(arguments, preexec_fn=kill_at_limit)
                # The process that draws is killed alone.
                if done.returncode != -signal.SIGXFSZ and f"(signal {signal.SIGXFSZ})" not in done.stderr:
                    continue
                killed += 1
                left = [name for name in os.listdir(os.path.dirname(path)) if name.startswith(".lerpmesh-")]
                if done.returncode != -signal.SIGXFSZ and not left:
                    continue  # Mesa 25 allocates a file before the command does
                self.assertEqual(len(left), 1, done.stderr)
                temporary = os.path.join(os.path.dirname(path), left[0])
                self.assertEqual(oct(self.mode(temporary)), "0o600")
                self.assertEqual(self.mode(path), 0o600)
                os.remove(temporary)
        self.assertGreater(killed, 5)

    def test_backup(self):
        backup = self.model + ".bak"
        for mode in MODES:
            with self.subTest(mode=oct(mode)):
                self.prepare(self.model, mode)
                done = self.run_it(["edit", "--in-place", "--backup", "-f", "--reverse", "run", self.model])
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual((self.mode(self.model), self.mode(backup)), (mode, mode))

    def test_owner(self):
        if os.geteuid() != 0:
            skipping.skip(self, "only root may give files to others")
        backup = self.model + ".bak"
        self.prepare(self.model, 0o640)
        os.chown(self.model, NOBODY, NOBODY)
        done = self.run_it(["edit", "--in-place", "--backup", "-f", "--reverse", "run", self.model])
        self.assertEqual(done.returncode, 0, done.stderr)
        for path in self.model, backup:
            info = os.stat(path)
            self.assertEqual((info.st_uid, info.st_gid, stat.S_IMODE(info.st_mode)), (NOBODY, NOBODY, 0o640))

    def test_foreign_group(self):
        """A user who cannot give a file its former group gives no group more than everyone."""
        if os.geteuid() != 0:
            skipping.skip(self, "only root may become another user")
        user = other_user(self, self.folder, writes=True)
        for mode, expected in (0o640, 0o600), (0o644, 0o644), (0o664, 0o644):
            with self.subTest(mode=oct(mode)):
                self.prepare(self.model, mode)
                os.chown(self.model, NOBODY, 12345)
                done = subprocess.run([TOOL, "edit", "--in-place", "--reverse", "run", self.model], capture_output=True,
                                      text=True, check=False, **user)
                self.assertEqual(done.returncode, 0, done.stderr)
                info = os.stat(self.model)
                self.assertEqual((info.st_gid, oct(stat.S_IMODE(info.st_mode))), (NOBODY, oct(expected)))


if __name__ == "__main__":
    unittest.main()
