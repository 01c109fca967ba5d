"""Tests the scripts of `lerpmesh completions` in a real bash (and in zsh and fish, if installed): every
command, every option in --help, the choices of values, and files."""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import skipping
from command import commands, options, run

class Bash(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.script = os.path.join(self.folder, "lerpmesh.bash")
        with open(self.script, "w", encoding="utf-8") as file:
            file.write(run("completions", "bash"))

    def complete(self, *words: str) -> set[str]:
        """Returns bash's completions of the last word, which it splits at '='."""
        shell = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lerpmesh; '
                 'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", shell, self.script, "lerpmesh", *words], timeout=60,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_commands(self) -> None:
        every = {*commands(), "help", "version"}
        self.assertGreater(len(every), 12)
        self.assertEqual(self.complete(""), every)
        self.assertEqual(self.complete("help", ""), every)
        self.assertEqual(self.complete("ex"), {"examine", "extract"})

    def test_options_are_those_of_the_help(self) -> None:
        for command in commands():
            self.assertEqual(self.complete(command, "-"), options(command), command)
            self.assertEqual(self.complete(command, "a.md2", "--he"), {"--help", "--help-all"}, command)

    def test_values(self) -> None:
        helped = " ".join(run("check", "--help").split())
        engines = set(re.search(r"limits: (.*?) --", helped)[1].split())  # type: ignore
        self.assertEqual(self.complete("check", "--engine", ""), engines)
        self.assertEqual(self.complete("check", "--engine", "=", "quake"),
                         {name for name in engines if name.startswith("quake")})
        self.assertEqual(self.complete("check", "--engine", "="), engines)
        self.assertEqual(self.complete("convert", "--format", "md"), {"md2", "md3", "mdc", "mdl"})
        self.assertEqual(self.complete("uv", "--format", ""), {"svg", "png"})
        self.assertEqual(self.complete("pack", "--format", ""), {"pak", "pk3"})
        self.assertEqual(self.complete("completions", ""), {"bash", "zsh", "fish"})
        self.assertEqual(self.complete("convert", "--fps", ""), set())
        self.assertEqual(self.complete("info", "--engine", ""), set())

    def test_bash_completion_key(self) -> None:
        """An interactive bash, with the completion key."""
        model = "odd name.md2"
        open(os.path.join(self.folder, model), "wb").close()
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.environ.update(PS1="$ ", TERM="dumb", INPUTRC="/dev/null")
            os.execlp("bash", "bash", "--norc", "--noprofile", "-i")
        self.addCleanup(os.close, terminal)
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.kill, pid, signal.SIGKILL)
        os.write(terminal, b"source lerpmesh.bash; echo rea''dy\n")
        self.read_until(terminal, "ready")
        for typed, wanted in (("lerpmesh exam\t", "lerpmesh examine "),
                              ("lerpmesh convert --stab\t", "lerpmesh convert --stability "),
                              ("lerpmesh check --engine=glq\t", "lerpmesh check --engine=glquake "),
                              ("lerpmesh info odd\t", "lerpmesh info odd\\ name.md2 "),
                              ("lerpmesh convert x -o od\t", "lerpmesh convert x -o odd\\ name.md2 ")):
            os.write(terminal, typed.encode())
            self.read_until(terminal, wanted)
            os.write(terminal, b"\x15")

    def read_until(self, terminal: int, wanted: str) -> None:
        seen, end = "", time.monotonic() + 30
        while wanted not in seen and time.monotonic() < end:
            if select.select([terminal], [], [], 1)[0]:
                seen += os.read(terminal, 4096).decode(errors="replace")
        self.assertIn(wanted, seen)


class Others(unittest.TestCase):
    def check(self, shell: str, *words: str) -> None:
        script = run("completions", shell)
        for command in (*commands(), "help", "version"):
            self.assertIn(command, script)
        for option in options("convert"):
            self.assertIn(option.lstrip("-"), script)
        if not shutil.which(shell):
            skipping.skip(self, f"there is no {shell}")
        subprocess.run([shell, *words], input=script, text=True, check=True, timeout=60)

    def test_zsh(self) -> None:
        self.check("zsh", "-n")

    def test_fish(self) -> None:
        self.check("fish", "--no-execute")
