"""Tests standard streams: pipes, closed streams, full devices, terminals and the progress bar."""
import os
import pty
import subprocess
import time

import skipping
from small_files import make_md2
from tool_case import PLAYER, TOOL, ToolTest


class Streams(ToolTest):
    def shell(self, script):
        result = subprocess.run(["bash", "-c", script, "bash", TOOL, PLAYER], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        return result.returncode, result.stdout.decode(), result.stderr.decode()

    def test_full_device(self):
        for command in "info -v", "info --json", "examine", "check", "uv", "help", "convert --help":
            status, _, errors = self.shell('"$1" %s "$2" >/dev/full' % command)
            if command == "help":
                self.assertEqual(status, 2)
                continue
            self.assertEqual((status, errors.count("\n")), (1, 1), command)
            self.assertIn("No space left", errors)

    def test_closed_streams(self):
        status, _, errors = self.shell('"$1" info "$2" >&-')
        self.assertEqual(status, 1)
        self.assertIn("standard output", errors)
        self.assertEqual(self.shell('"$1" info "$2" 2>&- <&- >out')[0], 0)
        self.assertIn(b"md2, version 8", self.read("out"))
        status, _, _ = self.shell('"$1" convert "$2" -o a.glb >&- 2>&- <&-')
        self.assertEqual(status, 0)
        self.assertEqual(self.read("a.glb")[:4], b"glTF")
        self.assertEqual(self.shell('"$1" info - <&-')[0], 1)

    def test_messages_never_end_up_in_an_output(self):
        # With standard error closed, the next opened file would take its number: here the output, which is larger
        # than a pipe and therefore open while the test looks.
        if not os.path.isdir("/proc/self/fd"):
            skipping.skip(self, "there is no /proc/self/fd")
        os.mkfifo(self.path("pipe.glb"))
        process = subprocess.Popen(["bash", "-c", 'exec "$@" 2>&-', "bash", TOOL, "convert", PLAYER, "-o", "pipe.glb"],
                                   cwd=self.folder, stdin=subprocess.DEVNULL)
        with open(self.path("pipe.glb"), "rb") as pipe:
            written = pipe.read(1)
            self.assertEqual(os.readlink("/proc/%d/fd/2" % process.pid), "/dev/null")
            written += pipe.read()
        self.assertEqual(process.wait(), 0)
        self.run_tool("convert", PLAYER, "-o", "direct.glb")
        self.assertEqual(written, self.read("direct.glb"))

    def test_reader_that_exits_early(self):
        # The output must exceed the pipe's capacity, or the closed pipe would go unnoticed.
        status, _, errors = self.shell('set -o pipefail; "$1" info --json "$2" "$2" "$2" "$2" "$2" '
                                       '"$2" "$2" "$2" "$2" "$2" | head -c 1; exit ${PIPESTATUS[0]}')
        self.assertEqual((status, errors), (1, ""))

    def test_pipes(self):
        status, output, errors = self.shell('cat "$2" | "$1" convert - -o - --format obj -q |'
                                            ' grep -c "^v "')
        self.assertEqual((status, errors), (0, ""))
        self.assertGreater(int(output), 100)
        self.assertEqual(self.shell('"$1" info <(cat "$2") >out')[0], 0)

    def test_numbered_files_read_their_source_once(self):
        self.assertEqual(self.shell('cat "$2" | "$1" convert - -o "{frame}.obj" --frames 2-4')[0], 0)
        self.assertEqual(self.shell('"$1" convert - -o same.obj --frames 4 <"$2"')[0], 0)
        self.assertEqual(self.read("2.obj"), self.read("same.obj").replace(b"same.mtl", b"2.mtl"))
        self.assertEqual(self.files(), ["0.mtl", "0.obj", "1.mtl", "1.obj", "2.mtl", "2.obj", "same.mtl", "same.obj"])

    def bar(self, *options):
        """Returns a terminal's contents while the command waits for the first of two files."""
        os.mkfifo(self.path("slow.md2"))
        self.addCleanup(os.unlink, self.path("slow.md2"))
        terminal, other_end = pty.openpty()
        process = subprocess.Popen([TOOL, "info", *options, "slow.md2", PLAYER], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=other_end)
        os.close(other_end)
        with open(self.path("slow.md2"), "wb") as fifo:
            # Longer than the command's delay, which began before we could open the pipe.
            time.sleep(0.8)
            fifo.write(make_md2())
        shown = b""
        try:
            while chunk := os.read(terminal, 4096):
                shown += chunk
        except OSError:  # the other end is closed
            pass
        os.close(terminal)
        self.assertEqual(process.wait(), 0)
        return shown.decode()

    def test_progress_bar_on_a_terminal_when_it_takes_long(self):
        shown = self.bar("-j1")
        self.assertRegex(shown, r"\r\[#+\.+\] 1 of 2")
        self.assertTrue(shown.endswith("\r"), shown)

    def test_no_progress_bar_when_quiet(self):
        self.assertEqual(self.bar("-q", "-j1"), "")

    def test_no_progress_bar_in_a_file(self):
        status, _, errors = self.shell('"$1" info --json ' + '"$2" ' * 200 + ">/dev/null")
        self.assertEqual((status, errors), (0, ""))


class Terminal(ToolTest):
    def on_terminal(self, *arguments):
        """Returns the exit code and a terminal's contents."""
        main, side = pty.openpty()
        done = subprocess.run([TOOL, *arguments], stdin=subprocess.DEVNULL, stdout=side, stderr=side,
                              cwd=self.folder, timeout=60, check=False)
        os.close(side)
        shown = b""
        while True:
            try:
                piece = os.read(main, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        os.close(main)
        return done.returncode, shown

    def test_no_bytes_for_a_terminal(self):
        self.write("a.md2")
        status, shown = self.on_terminal("convert", "a.md2", "-o", "-", "--format", "glb")
        self.assertEqual(status, 2)
        self.assertIn(b"lerpmesh writes no binary output to a terminal", shown)
        self.assertNotIn(b"glTF", shown)
        status, shown = self.on_terminal("convert", "a.md2", "-o", "-", "--format", "obj", "-q")
        self.assertEqual((status, shown[:2]), (0, b"o "))

    def test_members_on_a_terminal(self):
        self.write("in/a.md2")
        self.write("in/a.shader", b"textures/a\r\n{\n\tcull none\n}\n")
        self.write("in/b.shader", b"\x1b[2J\n")
        self.run_tool("pack", "in", "-o", "a.pk3")
        status, shown = self.on_terminal("extract", "a.pk3:a.shader")
        self.assertEqual((status, shown.split()), (0, [b"textures/a", b"{", b"cull", b"none", b"}"]))
        for name in b"a.md2", b"b.shader":
            status, shown = self.on_terminal("extract", b"a.pk3:" + name)
            self.assertEqual((status, shown), (1, b"lerpmesh: a.pk3:" + name + b": lerpmesh writes no binary output "
                                               b"to a terminal: name a file with -o, or redirect it\r\n"))
