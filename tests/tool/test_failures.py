"""Tests failures: files that cannot be read or written, their messages and their JSON."""
import os
import shutil
import subprocess
import zipfile

from small_files import make_md2, make_pcx
from tool_case import HEAD, TOOL, ToolTest, other_user


class Unprivileged(ToolTest):
    """Files that a user other than root can neither read nor write."""

    def setUp(self):
        super().setUp()
        self.user = other_user(self, self.folder)
        for name in "a.md2", "no.md2", "closed/a.md2", "m/a.md2", "m/closed/a.md2":
            self.write(name)
        self.write("a.pcx", make_pcx())
        for name in "no.pcx", "no.skin", "no.cfg":
            self.write(name, b"x")
        with zipfile.ZipFile(self.path("no.pk3"), "w") as archive:
            archive.writestr("a.md2", make_md2())
        os.symlink("nowhere.md2", self.path("broken.md2"))
        os.symlink("loop.md2", self.path("loop.md2"))
        os.mkdir(self.path("ro"))
        os.chmod(self.path("ro"), 0o555)
        for name in "no.md2", "no.pcx", "no.skin", "no.cfg", "no.pk3", "closed", "m/closed":
            os.chmod(self.path(name), 0)
            self.addCleanup(os.chmod, self.path(name), 0o700)

    def errors_of(self, status, *words):
        done = subprocess.run([TOOL, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60,
                              check=False, **self.user)
        lines = done.stderr.decode().splitlines()
        self.assertEqual(done.returncode, status, lines)
        return lines

    def test_inputs(self):
        denied, none = "cannot open: Permission denied", "cannot open: No such file or directory"
        closed = "cannot read this folder: Permission denied"
        for command in "info", "check":
            for path, expected in (("no.md2", denied), ("closed", closed), ("closed/a.md2", denied), ("none.md2", none),
                                   ("no.pk3", denied), ("broken.md2", none),
                                   ("loop.md2", "cannot open: Too many levels of symbolic links")):
                self.assertEqual(self.errors_of(1, command, path), ["lerpmesh: %s: %s" % (path, expected)])
            self.assertEqual(self.errors_of(1, command, "no.pk3:a.md2"), ["lerpmesh: no.pk3: " + denied])
            self.assertEqual(self.errors_of(1, command, "m")[0], "lerpmesh: m/closed: " + closed)
        self.assertEqual(self.errors_of(1, "convert", "closed", "-o", "out.glb"), ["lerpmesh: closed: " + closed])
        self.assertEqual(self.errors_of(1, "ls", "no.pk3"), ["lerpmesh: no.pk3: " + denied])
        self.assertIn("m: this is a folder", self.errors_of(1, "ls", "m")[0])
        self.assertEqual(self.errors_of(1, "info", "a.md2", "--max-input", "10"),
                         ["lerpmesh: a.md2: cannot read: it exceeds the limit of 10 bytes (--max-input)"])
        for command in "check", "examine", "uv", "convert":
            output = ("-o", "out.glb") if command == "convert" else ()
            self.assertIn("exceeds the limit of 10 bytes (--max-input)",
                          self.errors_of(1, command, "a.md2", "--max-input", "10", *output)[-1])
        self.assertEqual(self.errors_of(1, "convert", "a.md2", "-o", "out.glb", "--max-output", "10"),
                         ["lerpmesh: a.md2: the glTF would be larger than 10 bytes (--max-output)"])
        self.assertRegex(self.errors_of(1, "convert", "a.md2", "-o", "out.md3", "--max-output", "10")[-1],
                         r"md3: the file has \d+ bytes; the output is limited to 10 \(--max-output\)$")
        self.assertIn("a file name is empty", self.errors_of(2, "info", "")[0])

    def test_options(self):
        for option, value, expected in (
                ("clips-from", "no.cfg", "cannot open: Permission denied"),
                ("clips-from", "none.cfg", "cannot open: No such file or directory"),
                ("skin", "no.skin", "cannot open: Permission denied"),
                ("skin", "no.pcx", "Permission denied"),
                ("skin", "closed/x.pcx", "Permission denied"),
                ("skin", "none.pcx", "no such file"),
                ("skin", "no.pk3:a.pcx", "cannot open no.pk3: Permission denied"),
                ("game", "closed", "cannot read this folder: Permission denied"),
                ("game", "no.pk3", "Permission denied"),
                ("game", "none", "no such folder or archive"),
                ("game", "a.md2", "not a folder, PAK or PK3")):
            self.assertEqual(self.errors_of(2, "info", "a.md2", "--" + option, value)[0],
                             "lerpmesh info: --%s %s: %s" % (option, value, expected))

    def test_sidecar_files(self):
        self.write("t/x/y.md2", make_md2(skins=[b"x/y.pcx"]))
        self.write("t/x/y.pcx", make_pcx())
        self.write("t/x/animation.cfg", b"x")
        for name in "t/x/y.pcx", "t/x/animation.cfg":
            os.chmod(self.path(name), 0)
        lines = self.errors_of(1, "convert", "t/x/y.md2", "-o", "ro/y.glb")
        self.assertIn("t/x/animation.cfg: cannot use these clips: cannot open: "
                      "Permission denied", lines[0])
        self.assertIn("y.pcx in t/x/: Permission denied", lines[1])
        shutil.copy(HEAD, self.path("t/x/head.mdc"))
        self.write("t/x/head_default.skin", b"x,y")
        os.chmod(self.path("t/x/head_default.skin"), 0)
        lines = self.errors_of(1, "convert", "t/x/head.mdc", "-o", "ro/y.glb")
        self.assertIn("cannot use skin file head_default.skin: cannot open head_default.skin in "
                      "t/x/: Permission denied", "\n".join(lines))

    def test_outputs(self):
        os.makedirs(self.path("out/dir.glb"))
        for path, expected in (("ro/x.glb", "cannot write ro/x.glb: Permission denied"),
                               ("ro/new/x.glb", "cannot create folder ro/new/: Permission denied"),
                               ("a.md2/x.glb", "cannot create folder a.md2/: a file has this name"),
                               ("ro/new/", "cannot create folder ro/new/: Permission denied"),
                               ("a.md2/", "cannot create folder a.md2/: a file has this name")):
            self.assertEqual(self.errors_of(1, "convert", "a.md2", "-o", path), ["lerpmesh: a.md2: " + expected])
        self.assertIn("out/dir.glb is a folder: end its name with /",
                      self.errors_of(2, "convert", "a.md2", "-o", "out/dir.glb")[0])


class Failures(ToolTest):
    def fails(self, code, message, *arguments):
        """The last line of the output names the failed file and the reason."""
        failure = self.run_json(*arguments, "--json", status=1)[-1]
        self.assertEqual((set(failure), failure["error"]["code"]), ({"file", "error"}, code))
        self.assertIn(message, failure["error"]["message"])
        return failure["file"]

    def test_outputs(self):
        self.write("a.md2")
        self.write("out/a.md2")
        self.write("out/in.txt")
        self.write("in/a.md2", make_md2(skins=[]))
        self.run_tool("pack", "in", "-o", "a.pk3")
        there = "out/a.md2 exists"
        self.assertEqual(self.fails("io", there, "edit", "--path", "s/a/b/", "a.md2", "-o", "out/"), "a.md2")
        self.assertEqual(self.fails("io", there, "optimize", "a.md2", "-o", "out/"), "a.md2")
        self.assertEqual(self.fails("io", there, "extract", "a.pk3", "-o", "out/"), "a.pk3:a.md2")
        self.fails("io", "also the output of in/a.md2", "optimize", "in/a.md2", "./in/a.md2", "-o", "two/")
        self.fails("io", "out/in.txt", "edit", "--path", "s/a/b/", "a.md2", "-o", "out/in.txt/a.md2")
        self.fails("io", "out/in.txt", "pack", "in", "-o", "out/in.txt/a.pk3")
        self.fails("io", "out/in.txt", "compare", "a.md2", "in/a.md2", "--image", "out/in.txt/a.png")
        self.fails("bad-argument", "in place", "edit", "--in-place", "--path", "s/a/b/", "a.pk3:a.md2")
        self.write("b.md2", make_md2(skins=[b"x.pcx"]))
        self.write("b.md2.bak")
        self.fails("io", "b.md2.bak exists", "edit", "--in-place", "--backup", "--path", "s/x/y/", "b.md2")
