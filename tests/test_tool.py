#!/usr/bin/env python3
"""The command as a black box: what it prints and writes, its exit codes, and that nothing a user or a
file does makes it misbehave."""

import glob
import base64
import json
import os
import pty
import pwd
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracle"))
import skipping  # noqa: E402

TOOL = os.environ["LERPMESH_BINARY"]
SOURCE = os.environ["LERPMESH_SOURCE_DIR"]
MODEL_COMMANDS = ["info", "examine", "uv", "check", "convert"]
COMMANDS = MODEL_COMMANDS + ["optimize", "edit", "compare", "ls", "extract", "pack", "render"]


def models(extension):
    """Real models, from the corpus, from Debian's test models, or the samples."""
    folders = [os.environ.get("LERPMESH_CORPUS", ""), os.environ.get("ASSIMP_MODELS", ""),
               os.path.join(SOURCE, "samples")]
    patterns = [os.path.join(folders[0], extension, "*." + extension),
                os.path.join(folders[1], extension.upper(), "*." + extension),
                os.path.join(folders[2], "*." + extension)]
    for folder, pattern in zip(folders, patterns):
        found = sorted(glob.glob(pattern)) if folder else []
        found = [path for path in found if "alformed" not in path and "nvalid" not in path]
        if found:
            return found
    sys.exit("no %s models: not even samples/ has any" % extension)


MD2 = models("md2")
MDC = models("mdc")
PLAYER = next((path for path in MD2 if path.endswith("faerie.md2")), MD2[0])
SPIDER = next((path for path in MDC if path.endswith("spider.mdc")), MDC[0])

MD2_FIELDS = ["ident", "version", "skinwidth", "skinheight", "framesize", "num_skins", "num_xyz",
              "num_st", "num_tris", "num_glcmds", "num_frames", "ofs_skins", "ofs_st", "ofs_tris",
              "ofs_frames", "ofs_glcmds", "ofs_end"]


def make_md2(names=(b"run1", b"run2", b"run3"), skins=(b"a/b.pcx",), vertex=2, normal=5):
    """A triangle of three vertices, each frame one unit higher than the one before."""
    skin = b"".join(name.ljust(64, b"\0") for name in skins)
    st = struct.pack("<6h", 0, 0, 31, 0, 0, 31)
    tris = struct.pack("<6H", 0, 1, vertex, 0, 1, 2)
    frames = b""
    for i, name in enumerate(names):
        frames += struct.pack("<6f", 1, 1, 1, 0, 0, i) + name.ljust(16, b"\0")
        for x, y in (0, 0), (10, 0), (0, 10):
            frames += struct.pack("<4B", x, y, 0, normal)
    glcmds = struct.pack("<i", 3)
    for s, t, index in (0, 0, 0), (1, 0, 1), (0, 1, 2):
        glcmds += struct.pack("<ffi", s, t, index)
    glcmds += struct.pack("<i", 0)
    lumps = [skin, st, tris, frames, glcmds]
    offsets, at = [], 68
    for lump in lumps:
        offsets.append(at)
        at += len(lump)
    header = struct.pack("<4s16i", b"IDP2", 8, 32, 32, 40 + 12, len(skins), 3, 3, 1,
                         len(glcmds) // 4, len(names), *offsets, at)
    return header + b"".join(lumps)


def make_inward_md2():
    """A tetrahedron of which every normal points at its middle."""
    corners = ((0, 0, 0, 45), (200, 0, 0, 142), (0, 200, 0, 109), (0, 0, 200, 86))
    sides = ((0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2))
    points = b"".join(struct.pack("<4B", *corner) for corner in corners)
    lumps = [b"", struct.pack("<2h", 0, 0),
             b"".join(struct.pack("<6H", *side, 0, 0, 0) for side in sides),
             struct.pack("<6f16s", 1, 1, 1, 0, 0, 0, b"still") + points]
    at = [68 + sum(map(len, lumps[:i])) for i in range(5)]
    return struct.pack("<4s16i", b"IDP2", 8, 32, 32, 40 + 16, 0, 4, 1, 4, 0, 1, *at, at[4]) + \
        b"".join(lumps)


def read_header(path):
    with open(path, "rb") as file:
        values = struct.unpack("<4s16i", file.read(68))
    return dict(zip(MD2_FIELDS, (values[0].decode(),) + values[1:]))


class ToolTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data=None):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(make_md2() if data is None else data)
        return path

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self):
        return sorted(os.path.relpath(os.path.join(folder, name), self.folder)
                      for folder, _, names in os.walk(self.folder) for name in names)

    def run_tool(self, *arguments, status=0, **more):
        """Runs the command, which must end with `status`. Returns its two outputs, as text."""
        more.setdefault("cwd", self.folder)
        if "input" not in more:
            more.setdefault("stdin", subprocess.DEVNULL)
        result = subprocess.run([TOOL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                timeout=120, **more)
        errors = result.stderr.decode("utf-8")
        self.assertEqual(result.returncode, status, "%s\n%s" % (arguments, errors))
        if status != 0 and arguments[:1] != ("check",):
            self.assertIn("lerpmesh", errors)
        self.binary = result.stdout
        return result.stdout.decode("utf-8", "replace"), errors

    def run_json(self, *arguments, status=0, **more):
        output, _ = self.run_tool(*arguments, status=status, **more)
        return [json.loads(line) for line in output.splitlines()]


class Causes(ToolTest):
    """What cannot be read or written, and why, as somebody says who is not root."""

    def setUp(self):
        super().setUp()
        self.user = {}
        if os.geteuid() == 0:
            try:
                nobody = pwd.getpwnam("nobody")
            except KeyError:
                skipping.skip(self, "there is no user nobody")
            self.user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        shutil.copy(TOOL, self.path("command"))
        os.chmod(self.folder, 0o755)
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
        try:
            done = subprocess.run(["./command", "version"], cwd=self.folder, check=False,
                                  stdout=subprocess.DEVNULL, **self.user)
        except OSError as error:
            skipping.skip(self, "no command runs here for nobody: %s" % error)
        self.assertEqual(done.returncode, 0)

    def says(self, status, *words):
        done = subprocess.run(["./command", *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60,
                              check=False, **self.user)
        lines = done.stderr.decode().splitlines()
        self.assertEqual(done.returncode, status, lines)
        return lines

    def test_inputs(self):
        denied, none = "cannot open: Permission denied", "cannot open: No such file or directory"
        closed = "cannot read this folder: Permission denied"
        for command in "info", "check":
            for path, said in (
                    ("no.md2", denied), ("closed", closed), ("closed/a.md2", denied),
                    ("none.md2", none), ("no.pk3", denied), ("broken.md2", none),
                    ("loop.md2", "cannot open: Too many levels of symbolic links")):
                self.assertEqual(self.says(1, command, path), ["lerpmesh: %s: %s" % (path, said)])
            self.assertEqual(self.says(1, command, "no.pk3:a.md2"), ["lerpmesh: no.pk3: " + denied])
            self.assertEqual(self.says(1, command, "m")[0], "lerpmesh: m/closed: " + closed)
        self.assertEqual(self.says(1, "convert", "closed", "-o", "out.glb"),
                         ["lerpmesh: closed: " + closed])
        self.assertEqual(self.says(1, "ls", "no.pk3"), ["lerpmesh: no.pk3: " + denied])
        self.assertIn("m: this is a folder", self.says(1, "ls", "m")[0])
        self.assertEqual(self.says(1, "info", "a.md2", "--max-input", "10"),
                         ["lerpmesh: a.md2: cannot read: it has more than the limit of 10 bytes (max-input)"])
        for command in "check", "examine", "uv", "convert":
            output = ("-o", "out.glb") if command == "convert" else ()
            self.assertIn("more than the limit of 10 bytes (max-input)",
                          self.says(1, command, "a.md2", "--max-input", "10", *output)[-1])
        self.assertEqual(self.says(1, "convert", "a.md2", "-o", "out.glb", "--max-output", "10"),
                         ["lerpmesh: a.md2: the glTF would be larger than 10 bytes (max-output)"])
        self.assertRegex(self.says(1, "convert", "a.md2", "-o", "out.md3", "--max-output", "10")[-1],
                         r"md3: \d+ bytes are more than the output may have \(10\) \(max-output\)$")
        self.assertIn("a file's name is empty", self.says(2, "info", "")[0])

    def test_options(self):
        for option, value, said in (
                ("clips", "no.cfg", "cannot open: Permission denied"),
                ("clips", "none.cfg", "cannot open: No such file or directory"),
                ("skin", "no.skin", "cannot open: Permission denied"),
                ("skin", "no.pcx", "Permission denied"),
                ("skin", "closed/x.pcx", "Permission denied"),
                ("skin", "none.pcx", "there is no such file"),
                ("skin", "no.pk3:a.pcx", "cannot open no.pk3: Permission denied"),
                ("game", "closed", "cannot read this folder: Permission denied"),
                ("game", "no.pk3", "Permission denied"),
                ("game", "none", "there is no such folder or archive"),
                ("game", "a.md2", "this is neither a folder nor a PAK nor a PK3")):
            self.assertEqual(self.says(2, "info", "a.md2", "--" + option, value)[0],
                             "lerpmesh info: --%s %s: %s" % (option, value, said))

    def test_what_lies_beside(self):
        self.write("t/x/y.md2", make_md2(skins=[b"x/y.pcx"]))
        self.write("t/x/y.pcx", make_pcx())
        self.write("t/x/animation.cfg", b"x")
        for name in "t/x/y.pcx", "t/x/animation.cfg":
            os.chmod(self.path(name), 0)
        lines = self.says(1, "convert", "t/x/y.md2", "-o", "ro/y.glb")
        self.assertIn("the clips in t/x/animation.cfg are not used: cannot open t/x/animation.cfg: "
                      "Permission denied", lines[0])
        self.assertIn("y.pcx in t/x/: Permission denied", lines[1])
        shutil.copy(HEAD, self.path("t/x/head.mdc"))
        self.write("t/x/head_default.skin", b"x,y")
        os.chmod(self.path("t/x/head_default.skin"), 0)
        lines = self.says(1, "convert", "t/x/head.mdc", "-o", "ro/y.glb")
        self.assertIn("the skin file head_default.skin is not used: cannot open head_default.skin in "
                      "t/x/: Permission denied", "\n".join(lines))

    def test_outputs(self):
        os.makedirs(self.path("out/dir.glb"))
        for path, said in (
                ("ro/x.glb", "cannot write ro/x.glb: Permission denied"),
                ("none/x.glb", "cannot write none/x.glb: there is no such folder"),
                ("a.md2/x.glb", "cannot write a.md2/x.glb: Not a directory")):
            self.assertEqual(self.says(1, "convert", "a.md2", "-o", path), ["lerpmesh: a.md2: " + said])
        for path, said in (("ro/new/", "Permission denied"), ("a.md2/", "a file is in its way")):
            self.assertEqual(self.says(1, "convert", "a.md2", "-o", path),
                             ["lerpmesh: cannot make the folder %s: %s" % (path, said)])
        self.assertIn("out/dir.glb is a folder: end its name with /",
                      self.says(2, "convert", "a.md2", "-o", "out/dir.glb")[0])


class Words(ToolTest):
    def on_terminal(self, *arguments):
        """The exit code and what a terminal shows."""
        import pty  # not on every system
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
        self.assertIn(b"binary output does not go to a terminal", shown)
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
            self.assertEqual((status, shown), (1, b"lerpmesh: a.pk3:" + name + b": binary output does not go to a "
                                               b"terminal: name a file with -o, or redirect it\r\n"))

    def test_numbers(self):
        for option, sentence in ((["--scale", "0"], "--scale must be greater than 0\n"),
                                 (["--scale", "-1"], "--scale must be greater than 0\n"),
                                 (["--fps", "2000"], "--fps must be at most 1000\n"),
                                 (["--fps", "1e-9"], "--fps must be at least 0.001\n"),
                                 (["--frame", "-1"], "--frame must be at least 0\n")):
            self.assertIn(sentence, self.run_tool("convert", "a.md2", "-o", "a.glb", *option, status=2)[1])

    def test_help_of_help(self):
        overview = self.run_tool("help")[0]
        self.assertEqual(self.run_tool("help", "help")[0], overview)
        self.assertEqual(self.run_tool("help", "version")[0], overview)
        self.assertEqual(self.run_tool("-V")[0], self.run_tool("version")[0])

    def test_once_is_not_counted(self):
        self.write("a.md2", make_md2(skins=[]))
        _, errors = self.run_tool("convert", "-v", "a.md2", "-o", "a.glb")
        self.assertIn("warning [no-skins]", errors)
        self.assertNotIn("times)", errors)

    def test_a_summary_counts_what_is_listed(self):
        self.write("a.md2", make_md2(names=[b"run%03d" % i for i in (101, 102, 201, 202)]))
        lines = self.run_tool("check", "-v", "a.md2")[0].splitlines()
        kinds = [sum(": %s [" % kind in line for line in lines) for kind in ("error", "warning", "note")]
        self.assertEqual([int(n) for n in re.findall(r"(\d+) (?:error|warning|note)", lines[-1])], kinds)

    def test_the_cause_is_the_first(self):
        """A folder that cannot be made is the reason, not the file that is missing in it."""
        self.write("in/deep/a.md2")
        self.write("out/deep", b"a file in the way")
        _, errors = self.run_tool("convert", "in", "-o", "out/", status=1)
        self.assertIn("cannot make the folder out/deep", errors)
        self.assertNotIn("No such file", errors)


class Formats(ToolTest):
    def test_each_is_listed_with_what_it_has(self):
        listed = {f["name"]: f for f in self.run_json("formats", "--json")}
        self.assertEqual(listed["mdc"], {
            "name": "mdc", "game": "Return to Castle Wolfenstein", "extension": "mdc",
            "mime": "model/x-mdc", "ident": "IDPC", "version": 2,
            "has": ["surfaces", "tags", "base_frames"]})
        self.assertEqual(listed["md2"]["has"], ["skins", "gl_commands"])
        table = self.run_tool("formats")[0]
        overview = " ".join(self.run_tool("help")[0].split())
        for name, info in listed.items():
            self.assertRegex(table, r"(?m)^%s +%s +\.%s +%s +%d " % (
                name, info["game"], info["extension"], info["ident"], info["version"]))
            self.assertIn("%s of %s" % (name.upper(), info["game"]), overview)
        self.assertIn("GL commands", table)

    def test_its_page(self):
        page = self.run_tool("formats", "--help")[0]
        self.assertEqual(self.run_tool("help", "formats")[0], page)
        self.assertIn("lerpmesh formats --json", page)
        self.assertIn("takes no files", self.run_tool("formats", "x.md2", status=2)[1])
        with open(os.path.join(SOURCE, "docs/lerpmesh.1"), encoding="utf-8") as file:
            self.assertIn("\n.It Cm formats ", file.read())


class Usage(ToolTest):
    def test_overview_names_every_command(self):
        for arguments in ["--help"], ["-h"], ["help"]:
            output, errors = self.run_tool(*arguments)
            self.assertEqual(errors, "")
            for command in COMMANDS + ["formats", "help", "version"]:
                self.assertRegex(output, r"(?m)^  %s\s" % command)

    def test_version_is_that_of_the_headers(self):
        header = ""
        for path in glob.glob(os.path.join(SOURCE, "include/lerpmesh/*.h")):
            with open(path, encoding="utf-8") as file:
                header += file.read()
        version = ".".join(re.search(r"LM_VERSION_%s (\d+)" % part, header).group(1)
                           for part in ("MAJOR", "MINOR", "PATCH"))
        for argument in "version", "--version":
            self.assertEqual(self.run_tool(argument)[0], "lerpmesh %s\n" % version)

    def options(self, command):
        """What the page of a command lists: {"--frames": takes a value}."""
        page = self.run_tool(command, "--help")[0]
        listed = re.findall(r"(?m)^  (?:-\w,|   ) (--[a-z0-9-]+)( [A-Z]\S*)?", page)
        return page, {name: bool(value) for name, value in listed}

    def test_help_of_each_command(self):
        for command in COMMANDS:
            page, options = self.options(command)
            self.assertEqual(self.run_tool("help", command)[0], page)
            self.assertIn("Usage: lerpmesh %s " % command, page)
            self.assertGreaterEqual(len(options), 3, page)
            self.assertLessEqual(len(page.splitlines()), 64)
            for line in page.splitlines():
                self.assertLessEqual(len(line), 88)
            examples = page.split("Examples:\n")[1]
            self.assertIn("lerpmesh %s " % command, examples)
            for option in re.findall(r"--[a-z0-9-]+", examples):
                self.assertIn(option, options)

    def test_what_help_lists_is_understood_and_nothing_else(self):
        every = {}
        for command in COMMANDS:
            every.update(self.options(command)[1])
        for command in COMMANDS:
            listed = self.options(command)[1]
            for option, takes_value in every.items():
                if option == "--help":
                    continue
                arguments = [option] + (["1"] if takes_value else [])
                errors = self.run_tool(command, *arguments, status=2)[1]
                self.assertEqual("there is no option" in errors, option not in listed,
                                 "%s %s: %s" % (command, option, errors))

    def test_man_page_has_the_same_options_and_commands(self):
        with open(os.path.join(SOURCE, "docs/lerpmesh.1"), encoding="utf-8") as file:
            page = file.read()
        documented = {"--" + name for name in re.findall(r"(?m)^\.It Fl .*?Fl -([a-z0-9-]+)", page)}
        documented |= {"--" + name for name in re.findall(r"(?m)^\.It Fl -([a-z0-9-]+)", page)}
        every = set()
        for command in COMMANDS:
            every |= set(self.options(command)[1])
            self.assertRegex(page, r"(?m)^\.It Cm %s\b" % command)
        self.assertEqual(documented, every)

    def test_mistakes_are_named_and_the_nearest_word_suggested(self):
        for arguments, words in [
            ([], ["say what to do"]),
            (["inof"], ["inof", "did you mean info?"]),
            (["conv"], ["did you mean convert?"]),
            (["xyzzy"], ["no command xyzzy"]),
            (["help", "chekc"], ["did you mean check?"]),
            (["info"], ["say which file"]),
            (["convert", "--max-error", "1"], ["say which file"]),
            (["convert", "--player", "--lods", "1", "--grid-with", "x"], ["say which file"]),
            (["convert", "x", "--unlit", "-o", "x.obj"], ["--unlit has no meaning for obj files"]),
            (["info", "--jsn", "x"], ["--jsn", "did you mean --json?"]),
            (["info", "--xyzzy"], ["no option --xyzzy"]),
            (["info", "-Z"], ["no option -Z"]),
            (["info", "--" + 99 * "x" + "y"], ["no option --" + 99 * "x" + "y"]),
            (["info", "--json=1"], ["takes no value"]),
            (["convert", "x", "--fps"], ["--fps needs a value"]),
            (["convert", "x", "-o"], ["-o needs a value"]),
            (["info", "-j", "0", "x"], ["-j", "\"0\""]),
            (["info", "-jx", "x"], ["-j", "\"x\""]),
            (["info", "-", "-"], ["standard input"]),
            (["check", "x", "--engine", "quake22"], ["did you mean quake2?"]),
            (["check", "x", "--engine", "xyzzy"], ["rtcw"]),
            (["examine", "x", "--lump", "frames", "--json"], ["--lump", "--json"]),
            (["info", "x", "--quirk", "none"], ["mdc-prinz"]),
            (["uv", "x", "--topology", "lines"], ["glcommands"]),
            (["info", "x", "--clips", "missing.cfg"], ["missing.cfg"]),
            (["info", "x", "--\x1b[31m"], ["\\x1b"]),
        ]:
            output, errors = self.run_tool(*arguments, status=2)
            self.assertEqual(output, "")
            self.assertNotIn("\x1b", errors)
            for word in words:
                self.assertIn(word, errors)

    def test_numbers_are_read_strictly(self):
        self.write("a.md2")
        for option, values in {
            "--frame": ["", "x", "1x", " 1", "0x1", "nan", "inf", "-1", "1e400", "1,5", "--"],
            "--frames": ["", "3", "1-", "-1", "2-1", "0-1x", "1.0-2", "0 - 1", "0-99999999999"],
            "--fps": ["0", "-5", "nan", "1e9", "1e-9"],
            "--scale": ["0", "-1", "inf", "1e39", "1e-50", "2m"],
            "--max-output": ["0", "-1", "1T", "1KK", "1.5G", "99999999999999999999", "G"],
            "--axes": ["z", "GLTF "],
            "--format": ["fbx"],
        }.items():
            for value in values:
                _, errors = self.run_tool("convert", "a.md2", "-o", "a.glb", option, value, status=2)
                self.assertIn(option, errors.replace("format \"", "--format \""))
        self.assertEqual(self.files(), ["a.md2"])

    def test_options_stand_anywhere_and_end_with_two_dashes(self):
        self.write("--json")
        plain = self.run_tool("info", "--", "--json")[0]
        self.assertIn("format", plain)
        self.assertEqual(self.run_tool("info", "-qv", "--", "--json")[0],
                         self.run_tool("info", "-v", "./--json", "-q")[0].replace("./--json", "--json"))
        self.assertEqual(self.run_tool("info", "-j1", "--", "--json")[0], plain)
        self.assertEqual(self.run_tool("info", "--jobs=1", "--", "--json")[0], plain)


class Info(ToolTest):
    KEYS = ["file", "format", "version", "bytes", "header", "frames", "clips", "surfaces", "skins",
            "tags", "gl_commands", "game", "skin_file", "textures", "warnings"]

    def test_json_has_exactly_the_keys(self):
        for path in MD2 + MDC:
            (model,) = self.run_json("info", "--json", path)
            self.assertEqual(list(model), self.KEYS)
            self.assertEqual(model["file"], path)
            self.assertEqual(model["format"], path[-3:])
            self.assertEqual(model["version"], {"md2": 8, "mdc": 2}[path[-3:]])
            self.assertEqual(model["bytes"], os.path.getsize(path))
            self.assertGreater(len(model["frames"]), 0)
            for i, frame in enumerate(model["frames"]):
                self.assertEqual(list(frame), ["index", "name", "min", "max"])
                self.assertEqual(frame["index"], i)
                self.assertEqual(len(frame["min"] + frame["max"]), 6)
                for low, high in zip(frame["min"], frame["max"]):
                    self.assertLessEqual(low, high)
            covered = set()
            for clip in model["clips"]:
                self.assertEqual(list(clip), ["name", "first", "count", "fps", "loop", "loop_frames",
                                          "backwards", "source"])
                covered |= set(range(clip["first"], clip["first"] + clip["count"]))
            self.assertEqual(covered, set(range(len(model["frames"]))))
            keys = ["name", "vertices", "drawn_vertices", "triangles", "materials"]
            if path in MDC:
                keys += ["base_frames", "compressed_frames"]
            for surface in model["surfaces"]:
                self.assertEqual(list(surface), keys)
                self.assertIsInstance(surface["materials"], list)
            self.assertEqual(list(model["gl_commands"]),
                             ["integers", "strips", "fans", "triangles"])
            for warning in model["warnings"]:
                self.assertEqual(list(warning), ["code", "count", "message"])

    def test_json_of_md2_says_what_the_header_says(self):
        for path in MD2:
            (model,) = self.run_json("info", "--json", path)
            header = read_header(path)
            self.assertEqual(model["header"], header)
            self.assertEqual(list(model["header"]), MD2_FIELDS)
            self.assertEqual(len(model["frames"]), header["num_frames"])
            self.assertEqual(len(model["skins"]), header["num_skins"])
            self.assertEqual(model["gl_commands"]["integers"], header["num_glcmds"])
            self.assertEqual(model["surfaces"][0]["triangles"], header["num_tris"])
            self.assertEqual(model["surfaces"][0]["vertices"], header["num_xyz"])
            self.assertEqual(len(model["clips"]), 20)

    def test_json_of_mdc_counts_what_the_header_counts(self):
        for path in MDC:
            (model,) = self.run_json("info", "--json", path)
            with open(path, "rb") as file:
                counts = struct.unpack("<4i", file.read(92)[76:])
            self.assertEqual((len(model["frames"]), len(model["tags"]), len(model["surfaces"])),
                             counts[:3])
            for count in counts[:3]:
                self.assertIn(count, model["header"].values())

    def test_sheet(self):
        header = read_header(PLAYER)
        sheet = self.run_tool("info", PLAYER)[0]
        self.assertIn("md2, version 8", sheet)
        self.assertIn("%d bytes" % os.path.getsize(PLAYER), sheet)
        self.assertRegex(sheet, r"frames +%d\n" % header["num_frames"])
        self.assertRegex(sheet, r"bounds +\(\S+ \S+ \S+\) to \(\S+ \S+ \S+\)")
        self.assertRegex(sheet, r"stand +0-39 +40 +10 +4\.\d\d\n")
        self.assertIn("%d integers: " % header["num_glcmds"], sheet)
        self.assertRegex(sheet, r" +%d +\d+ +%d" % (header["num_xyz"], header["num_tris"]))
        self.assertNotRegex(sheet, r"(?m) $")
        every = self.run_tool("info", "-v", PLAYER)[0]
        self.assertIn("stand01", every)
        self.assertGreater(len(every.splitlines()), len(sheet.splitlines()) + header["num_frames"])
        self.assertIn("compressed frames", self.run_tool("info", SPIDER)[0])

    def test_names_cannot_talk_to_the_terminal(self):
        names = [b"a\x1b]0;x\x07", b"\xc2\x9bx", b"\xff\xfe", b"\xe2\x80\xae\n", b"gr\xc3\xbcn1",
                 b"\xc1\x81\xed\xa0\x80"]
        self.write("a.md2", make_md2(names=names, skins=[b"x\r\x08.pcx"]))
        sheet = self.run_tool("info", "-v", "a.md2")[0]
        self.assertEqual(sheet, self.binary.decode("utf-8"))
        for character in sheet:
            self.assertTrue(character == "\n" or character.isprintable(), repr(character))
        for text in ["a\\x1b]0;x\\x07", "\\xc2\\x9bx", "\\xff\\xfe", "\\xe2\\x80\\xae\\x0a", "grün1",
                     "x\\x0d\\x08.pcx", "\\xc1\\x81\\xed\\xa0\\x80"]:
            self.assertIn(text, sheet)
        (model,) = self.run_json("info", "--json", "a.md2")
        self.assertEqual([frame["name"] for frame in model["frames"]][2:5:2], ["ÿþ", "grün1"])
        self.assertEqual(model["frames"][0]["name"], "a\x1b]0;x\x07")

    def test_file_names_of_any_kind(self):
        names = ["with space.md2", "quote\"'.md2", "new\nline.md2", "-dash.md2", "grün.md2"]
        for name in names:
            self.write(name)
        models_ = self.run_json("info", "--json", "--", *names)
        self.assertEqual([model["file"] for model in models_], names)
        output, errors = self.run_tool("info", "new\nline.md2", "no\nfile", status=1)
        self.assertIn("new\\x0aline.md2\n", output)
        self.assertEqual(len(errors.splitlines()), 1)
        raw = os.path.join(os.fsencode(self.folder), b"\xff.md2")
        with open(raw, "wb") as file:
            file.write(make_md2())
        self.assertIn("\\xff.md2", self.run_tool("info", b"\xff.md2")[0])
        self.assertEqual(self.run_json("info", "--json", b"\xff.md2")[0]["file"], "ÿ.md2")

    def test_several_files_in_their_order_with_any_number_of_threads(self):
        paths = (MD2 + MDC) * 3 + ["missing.md2"] + MDC
        for option in [], ["--json"]:
            one = self.run_tool("info", "-j1", *option, *paths, status=1)
            for jobs in "2", "7":
                self.assertEqual(self.run_tool("info", "-j", jobs, *option, *paths, status=1), one)
            self.assertEqual(self.run_tool("info", *option, *paths, status=1), one)
        lines = self.run_json("info", "--json", *paths, status=1)
        self.assertEqual([line["file"] for line in lines], paths)

    def test_standard_input(self):
        with open(PLAYER, "rb") as file:
            data = file.read()
        (model,) = self.run_json("info", "--json", "-", input=data)
        (same,) = self.run_json("info", "--json", "--clips", "none", PLAYER)
        self.assertEqual(model["file"], "-")
        # What has no folder has no textures beside it.
        self.assertEqual({**model, "file": PLAYER, "game": same["game"], "textures": same["textures"]}, same)
        self.assertIn("standard input", self.run_tool("info", "-", input=data)[0])

    def test_what_fails_is_said_and_the_rest_done(self):
        good = self.write("good.md2")
        whole = make_md2()
        bad = {
            "missing.md2": None,
            "folder.md2": "folder",
            "empty.md2": b"",
            "text.md2": b"hello, this is text" * 10,
            "short.md2": whole[:-1],
            "header.md2": whole[:40],
            "mdl.md2": b"IDST" + whole[4:],
            "index.md2": make_md2(vertex=900),
        }
        for name, data in bad.items():
            if data == "folder":
                os.mkdir(self.path(name))
            elif data is not None:
                self.write(name, data)
            lines = self.run_json("info", "--json", name, good, status=1)
            self.assertEqual(len(lines), 2)
            self.assertEqual(list(lines[0]), ["file", "error"])
            self.assertEqual(lines[0]["file"], name)
            self.assertEqual(list(lines[0]["error"]), ["code", "offset", "section", "message"])
            self.assertEqual(lines[1]["format"], "md2")
            output, errors = self.run_tool("info", name, good, status=1)
            self.assertTrue(output.startswith(good))
            message = lines[0]["error"]["message"].replace(" " + name, "")
            self.assertEqual(errors, "lerpmesh: %s: %s\n" % (name, message))
        self.assertIn("900", errors)
        self.assertIn("Half-Life", self.run_tool("info", "mdl.md2", status=1)[1])

    def test_repair(self):
        self.write("index.md2", make_md2(vertex=900))
        self.run_tool("info", "index.md2", status=1)
        (model,) = self.run_json("info", "--json", "--repair", "index.md2")
        self.assertEqual(model["surfaces"][0]["triangles"], 0)
        self.assertIn(("vertex-index", 1),
                      [(warning["code"], warning["count"]) for warning in model["warnings"]])
        self.assertIn("vertex-index", self.run_tool("info", "--repair", "index.md2")[0])

    def clip_names(self, *arguments, **more):
        (model,) = self.run_json("info", "--json", *arguments, **more)
        return [clip["name"] for clip in model["clips"]]

    def test_clip_files(self):
        self.write("a.md2")
        self.assertEqual(self.clip_names("a.md2"), ["run"])
        self.write("animation.cfg", b"0 2 0 20 // CFG\n2 1 0 5 // LAST\n")
        self.assertEqual(self.clip_names("a.md2"), ["CFG", "LAST"])
        self.write("a.framegroups", b"0 3 10 1 // stem\n")
        self.assertEqual(self.clip_names("a.md2"), ["stem"])
        self.write("a.md2.framegroups", b"0 3 10 1 // whole\n")
        self.assertEqual(self.clip_names("a.md2"), ["whole"])
        self.assertIn("Clips from a.md2.framegroups", self.run_tool("info", "a.md2")[0])
        self.assertEqual(self.clip_names("--clips", "none", "a.md2"), ["run"])
        self.assertEqual(self.clip_names("--clips=animation.cfg", "a.md2"), ["CFG", "LAST"])
        self.assertEqual(self.clip_names("-", "--clips", "a.framegroups", input=make_md2()),
                         ["stem"])

    def test_clip_files_behind_links(self):
        """Within the model's folder, as with textures, but not out of it."""
        self.write("in/a.md2")
        self.write("in/clips/real", b"0 3 10 1 // inside\n")
        self.write("out", b"0 3 10 1 // outside\n")
        os.symlink("../out", self.path("in/a.framegroups"))
        self.assertEqual(self.clip_names("in/a.md2"), ["run"])
        os.remove(self.path("in/a.framegroups"))
        os.symlink("clips/real", self.path("in/a.framegroups"))
        self.assertEqual(self.clip_names("in/a.md2"), ["inside"])

    def test_clip_files_that_cannot_be_used(self):
        self.write("a.md2")
        self.write("a.framegroups", b"this is no list of clips\n")
        output, errors = self.run_tool("info", "a.md2")
        self.assertRegex(output, r"run +0-2")
        self.assertIn("a.framegroups", errors)
        self.assertEqual(self.run_tool("info", "-q", "a.md2")[1], "")
        self.assertIn("lerpmesh: a.md2: ",
                      self.run_tool("info", "--clips", "a.framegroups", "a.md2", status=1)[1])
        self.write("long.framegroups", b"0 500 10 1 // long\n")
        output = self.run_tool("info", "--clips", "long.framegroups", "a.md2")[0]
        self.assertRegex(output, r"long +0-2")
        self.assertIn("Warnings", output)


class Check(ToolTest):
    KEYS = ["code", "severity", "offset", "section", "surface", "index", "message"]

    def test_real_models_have_no_errors(self):
        reports = self.run_json("check", "--json", *MD2, *MDC)
        self.assertEqual(len(reports), len(MD2 + MDC))
        seen = 0
        for report in reports:
            self.assertEqual(list(report), ["file", "format", "problems", "counts"])
            self.assertEqual(list(report["counts"]), ["errors", "warnings", "notes"])
            self.assertEqual(report["counts"]["errors"], 0)
            for problem in report["problems"]:
                self.assertEqual(list(problem), self.KEYS)
                seen += 1
        self.assertGreater(seen, 0)

    def test_every_problem_a_line_and_a_summary(self):
        names = [b"run1", b"run2"]
        self.write("bad.md2", make_md2(names=names, vertex=900, normal=200))
        output, _ = self.run_tool("check", "bad.md2", status=1)
        lines = output.splitlines()
        for line in lines[:-1]:
            self.assertRegex(line, r"^bad\.md2: (error|warning) \[[a-z-]+\] .")
        self.assertTrue(any("[vertex-index]" in line and "900" in line for line in lines))
        self.assertTrue(any("[normal-index]" in line for line in lines))
        counts = self.run_json("check", "--json", "bad.md2", status=1)[0]["counts"]
        self.assertEqual(counts["errors"], sum(": error [" in line for line in lines))
        self.assertEqual(lines[-1], "bad.md2: %(errors)d errors, %(warnings)d warnings" % counts)
        severities = [re.search(r": (error|warning) \[", line).group(1) for line in lines[:-1]]
        self.assertEqual(severities, sorted(severities))
        self.assertIn("byte 0x", self.run_tool("check", "-v", "bad.md2", status=1)[0])

    def test_long_lists_are_cut_and_counted(self):
        names = [b"run%d" % i for i in range(1, 31)]
        self.write("bad.md2", make_md2(names=names, normal=200))
        short, _ = self.run_tool("check", "bad.md2", status=1)
        every, _ = self.run_tool("check", "-v", "bad.md2", status=1)
        self.assertEqual(short.count("[normal-index]"), 16)
        self.assertEqual(every.count("[normal-index]"), 90)
        (report,) = self.run_json("check", "--json", "bad.md2", status=1)
        self.assertEqual(sum(p["code"] == "normal-index" for p in report["problems"]), 90)
        self.assertIn("90 errors", short)
        self.assertIn("-v lists all", short)
        self.assertNotIn("-v lists all", every)

    def test_offset_is_where_the_problem_is(self):
        data = make_md2(vertex=900)
        self.write("bad.md2", data)
        (report,) = self.run_json("check", "--json", "bad.md2", status=1)
        (problem,) = [p for p in report["problems"] if p["code"] == "vertex-index"]
        self.assertIn(struct.pack("<H", 900), data[problem["offset"]:problem["offset"] + 12])
        self.assertEqual((problem["severity"], problem["section"], problem["index"]),
                         ("error", "triangles", 0))

    def test_engines(self):
        names = [b"f%d" % i for i in range(1, 601)]
        self.write("long.md2", make_md2(names=names))
        self.assertIn("[engine-limit]", self.run_tool("check", "long.md2")[0])
        output, _ = self.run_tool("check", "--engine", "quake2", "long.md2", status=1)
        self.assertRegex(output, r"error \[engine-limit\] .*512")
        self.run_tool("check", "--engine=q2pro", "long.md2")
        _, errors = self.run_tool("check", "--engine=quake3", "long.md2", status=1)
        self.assertIn("--engine quake3 has limits for md3, but this is md2", errors)
        self.write("both/a.md2", make_md2())
        self.run_tool("check", "--engine", "rtcw", "both", status=1)
        shutil.copy(HEAD, self.path("both/b.mdc"))
        self.run_tool("check", "--engine", "rtcw", "both")

    def test_what_cannot_be_read(self):
        self.write("text.md2", b"hello")
        lines = self.run_json("check", "--json", "missing", "text.md2", MD2[0], status=1)
        self.assertEqual(list(lines[0]), ["file", "error"])
        self.assertEqual(lines[0]["error"]["code"], "io")
        self.assertEqual(lines[1]["format"], None)
        self.assertEqual([p["code"] for p in lines[1]["problems"]], ["unknown-format"])
        self.assertEqual(lines[2]["counts"]["errors"], 0)

    def test_broken_corpus(self):
        folder = os.environ.get("LERPMESH_CORPUS")
        if not folder:
            skipping.skip(self, "LERPMESH_CORPUS is not set")
        broken = sorted(glob.glob(os.path.join(folder, "broken", "*")))
        self.assertGreater(len(broken), 0)
        for path in broken:
            (report,) = self.run_json("check", "--json", path, status=1)
            self.assertGreater(report["counts"]["errors"], 0)
            self.run_tool("info", path, status=1)


class Examine(ToolTest):
    def test_header_and_lumps(self):
        header = read_header(PLAYER)
        (layout,) = self.run_json("examine", "--json", PLAYER)
        self.assertEqual(list(layout), ["file", "format", "bytes", "fields", "lumps", "spans"])
        self.assertEqual([field["name"] for field in layout["fields"]], MD2_FIELDS)
        for i, field in enumerate(layout["fields"]):
            self.assertEqual(list(field), ["offset", "name", "value", "meaning"])
            self.assertEqual(field["offset"], 4 * i)
            self.assertEqual(field["value"], header[field["name"]])
            self.assertGreater(len(field["meaning"]), 3)
        starts = {lump["name"]: lump["offset"] for lump in layout["lumps"]}
        for name in "skins", "st", "tris", "frames", "glcmds":
            self.assertIn(header["ofs_" + name], starts.values())
        for lump in layout["lumps"]:
            self.assertEqual(lump["end"], lump["offset"] + lump["size"])
            self.assertEqual(lump["size"], lump["count"] * lump["element_size"])
            self.assertFalse(lump["outside"])
        self.assertEqual(sum(lump["size"] for lump in layout["lumps"]), os.path.getsize(PLAYER))
        self.assertEqual(layout["spans"], [])
        text = self.run_tool("examine", PLAYER)[0]
        for field in MD2_FIELDS:
            self.assertRegex(text, r"(?m)^ +\d+  %s +%s  \S" % (field, header[field]))
        self.assertIn("no gaps, no overlaps, no trailing bytes", text)
        for lump in layout["lumps"]:
            self.assertRegex(text, r"(?m)^ +%s +%d " % (lump["name"], lump["offset"]))

    def test_surfaces_have_headers_of_their_own(self):
        (layout,) = self.run_json("examine", "--json", SPIDER)
        headers = [lump for lump in layout["lumps"] if "fields" in lump]
        (model,) = self.run_json("info", "--json", SPIDER)
        self.assertEqual(len(headers), len(model["surfaces"]))
        self.assertNotIn(headers[0]["fields"][0]["offset"],
                         [field["offset"] for field in layout["fields"]])
        self.assertEqual({field["name"]: field["value"] for field in layout["fields"]},
                         model["header"])
        text = self.run_tool("examine", SPIDER)[0]
        for surface in headers:
            self.assertIn("\n%s\n" % surface["name"], text)

    def test_gaps_and_trailing_bytes_are_called_out(self):
        data = bytearray(make_md2())
        offset = struct.unpack_from("<i", data, 60)[0]
        data[offset:offset] = b"GAPS"
        struct.pack_into("<i", data, 60, offset + 4)
        struct.pack_into("<i", data, 64, struct.unpack_from("<i", data, 64)[0] + 4)
        self.write("gap.md2", bytes(data) + b"more bytes")
        (layout,) = self.run_json("examine", "--json", "gap.md2")
        self.assertEqual([(span["kind"], span["offset"], span["size"]) for span in layout["spans"]],
                         [("gap", offset, 4), ("trailing", len(data), 10)])
        text = self.run_tool("examine", "gap.md2")[0]
        self.assertIn("\ngaps\n  %d to %d: 4 bytes" % (offset, offset + 4), text)
        self.assertIn("\ntrailing bytes\n  %d to %d: 10 bytes" % (len(data), len(data) + 10), text)

    def test_overlap_and_lumps_outside(self):
        data = bytearray(make_md2())
        struct.pack_into("<i", data, 52, struct.unpack_from("<i", data, 48)[0])
        struct.pack_into("<i", data, 60, 1 << 30)
        self.write("bad.md2", bytes(data))
        text = self.run_tool("examine", "bad.md2")[0]
        self.assertIn("\noverlaps\n", text)
        self.assertIn("outside the file", text)

    def test_tables_of_lumps(self):
        (layout,) = self.run_json("examine", "--json", PLAYER)
        (skins,) = [lump for lump in layout["lumps"] if lump["name"] == "triangles"]
        table = self.run_tool("examine", PLAYER, "--lump", "triangles")[0]
        self.assertEqual(len(table.splitlines()), skins["count"] + 1)
        for lump in layout["lumps"]:
            if lump["count"]:
                self.assertGreater(len(self.run_tool("examine", PLAYER, "--lump",
                                                     lump["name"])[0]), 10, lump["name"])
        self.assertIn("did you mean \"triangles\"?",
                      self.run_tool("examine", PLAYER, "--lump", "triangels", status=1)[1])
        self.run_tool("examine", PLAYER, "--lump", "xyzzy", status=1)
        header = read_header(PLAYER)
        for name, frames in ("vertices", header["num_frames"]), ("frame 0 vertices", 1):
            table = self.run_tool("examine", PLAYER, "--lump", name)[0]
            self.assertEqual(len(table.splitlines()), frames * header["num_xyz"] + 1)
        beyond = "frame %d vertices" % header["num_frames"]
        self.assertIn("there is no lump \"%s\"" % beyond,
                      self.run_tool("examine", PLAYER, "--lump", beyond, status=1)[1])
        torch = os.path.join(SOURCE, "samples", "tick_torch.mdl")
        self.assertIn("\"skin 0 pictures\" is bytes without columns",
                      self.run_tool("examine", torch, "--lump", "skin 0 pictures", status=1)[1])
        self.write("a.md2", make_md2(names=[b"\x1b[31m1", b"\x1b[31m2"]))
        self.assertNotIn("\x1b", self.run_tool("examine", "a.md2", "--lump", "frames")[0])

    def test_failures(self):
        self.write("text.md2", b"hello" * 50)
        lines = self.run_json("examine", "--json", "missing", "text.md2", PLAYER, status=1)
        self.assertEqual([list(line)[1] for line in lines], ["error", "error", "format"])


class Uv(ToolTest):
    def test_picture(self):
        for path in MD2 + [SPIDER]:
            self.run_tool("uv", path, "-o", "uv.svg")
            root = ElementTree.fromstring(self.read("uv.svg"))
            self.assertTrue(root.tag.endswith("svg"))
            self.assertGreater(len(list(root.iter())), 3)
            self.run_tool("uv", path)
            self.assertEqual(self.binary, self.read("uv.svg"))
            self.run_tool("uv", path, "-o", "-")
            self.assertEqual(self.binary, self.read("uv.svg"))

    def test_topology(self):
        self.run_tool("uv", PLAYER)
        triangles = self.binary
        self.run_tool("uv", "--topology", "glcommands", PLAYER)
        self.assertNotEqual(self.binary, triangles)

    def test_folder(self):
        models = MDC + MD2[:1]
        self.run_tool("uv", *models, "-o", "made/for us")
        expected = sorted("made/for us/" + os.path.basename(path)[:-4] + ".svg" for path in models)
        self.assertEqual(self.files(), expected)

    def test_what_lacks_the_surface_is_not_drawn(self):
        self.write("in/a.md2")
        self.run_tool("convert", "-q", "in/a.md2", "-o", "in/b.md3")
        with open(self.path("in/b.md3"), "r+b") as file:
            file.seek(struct.unpack_from("<i", file.read(), 100)[0] + 4)
            file.write(b"arm\0")
        self.assertRegex(self.run_tool("uv", "in", "--surface", "arm", "-o", "out/")[1],
                         r"^lerpmesh: 2 files: 1 drawn[;,].*\nlerpmesh: what --surface asks for is not for 1 of them\n$")
        self.assertRegex(self.run_tool("uv", "in", "--surface", "leg", "-o", "none/", status=1)[1],
                         r"lerpmesh: 2 files: 0 drawn[;,].*\nlerpmesh: what --surface asks for is not for 2 of them\n$")

    def test_never_writes_over_a_model(self):
        data = make_md2()
        self.write("a.md2", data)
        self.run_tool("uv", "-o", "a.md2", "a.md2", status=2)
        os.link(self.path("a.md2"), self.path("same.svg"))
        self.assertIn("is also an input", self.run_tool("uv", "a.md2", "-o", "same.svg", status=1)[1])
        self.assertEqual(self.read("a.md2"), data)


def parse_glb(data):
    magic, version, length = struct.unpack_from("<4sII", data)
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON")
    return json.loads(data[20:20 + size])


def obj_vertices(data):
    return [tuple(map(float, line.split()[1:4])) for line in data.decode().splitlines()
            if line.startswith("v ")]


class Convert(ToolTest):
    def convert(self, *arguments, status=0, **more):
        return self.run_tool("convert", *arguments, status=status, **more)

    def test_glb(self):
        output, errors = self.convert(PLAYER, "-o", "out.glb")
        self.assertEqual(output, "")
        data = self.read("out.glb")
        gltf = parse_glb(data)
        self.assertEqual(len(gltf["animations"]), 20)
        self.assertRegex(errors, r"^lerpmesh: .*: wrote out\.glb: %d bytes, 1 mesh, \d+ morph "
                                 r"targets, 20 animations\n" % len(data))
        self.assertRegex(errors, r"\n.* no texture was found for \w+ \(\d+ paths tried\)\n$")
        self.assertEqual(self.convert(PLAYER, "-q", "-o", "out.glb"), ("", ""))
        self.assertIn("wrote standard output: ",
                      self.convert(PLAYER, "-o", "-", "--format", "glb")[1])
        self.assertEqual(self.binary, data)
        with open(PLAYER, "rb") as file:
            self.convert("-", "--format=glb", "-o-", stdin=file)
        self.assertEqual(parse_glb(self.binary)["animations"], gltf["animations"])
        self.convert(PLAYER, "-o", "OUT.GLB")
        self.assertEqual(self.read("OUT.GLB"), data)
        self.assertEqual(self.files(), ["OUT.GLB", "out.glb"])

    def keys(self, path, clip):
        """When the animation of a .glb has keys, and how many."""
        gltf = parse_glb(self.read(path))
        animation = next(a for a in gltf["animations"] if a["name"] == clip)
        return [(gltf["accessors"][s["input"]]["max"][0], gltf["accessors"][s["input"]]["count"])
                for s in animation["samplers"]]

    def test_what_plays_once_ends_on_its_last_frame(self):
        names = [b"stand%d" % i for i in range(4)] + [b"death%d" % i for i in range(4)]
        self.write("a.md2", make_md2(names))
        self.convert("a.md2", "-o", "a.glb")
        self.assertEqual([(round(end, 4), count) for end, count in self.keys("a.glb", "stand")],
                         [(0.4, 5)])
        self.assertEqual([(round(end, 4), count) for end, count in self.keys("a.glb", "death")],
                         [(0.3, 4)])

    def test_joined_clips(self):
        self.write("a.md2", make_md2([b"stand1", b"stand2", b"run1"]))
        for joined, unknown, near in (("stand+rum", "rum", "run"), ("stant+run", "stant", "stand")):
            for command in ("convert", "-o", "a.glb"), ("render", "-o", "a.png"):
                _, errors = self.run_tool(command[0], "a.md2", "--clip", joined, *command[1:],
                                          status=1)
                self.assertIn(f'there is no clip "{unknown}"; did you mean "{near}"?', errors)
        long = "a" * 300 + " clip"
        self.assertIn(f'there is no clip "{long}"',
                      self.convert("a.md2", "--clip", long, "-o", "a.glb", status=1)[1])
        self.assertIn('there is no clip ""', self.convert("a.md2", "--clip", "run+", "-o", "a.glb",
                                                         status=1)[1])
        self.convert("a.md2", "--clip", "run+stand,stand", "-o", "a.glb")
        self.assertEqual([a["name"] for a in parse_glb(self.read("a.glb"))["animations"]],
                         ["stand", "run+stand"])

    def test_clips_of_the_table(self):
        self.write("a.md2", make_md2([b"x%d" % i for i in range(45)]))
        (info,) = self.run_json("info", "--json", "a.md2")
        self.assertEqual([(c["name"], c["loop"], c["loop_frames"], c["source"])
                          for c in info["clips"]], [("x", True, 45, "frame names")])
        (info,) = self.run_json("info", "--json", "--clips", "quake2", "a.md2")
        self.assertEqual([(c["name"], c["count"], c["source"]) for c in info["clips"]],
                         [("stand", 40, "table"), ("run", 5, "table")])
        self.write("a.cfg", b"0 -4 0 10 // back\n")
        (info,) = self.run_json("info", "--json", "--clips", "a.cfg", "a.md2")
        self.assertEqual([(c["loop"], c["backwards"], c["source"], c["clips_file"])
                          for c in info["clips"]], [(False, True, "clips file", "a.cfg")])

    def test_normals(self):
        self.write("a.md2", make_inward_md2())
        obj = {}
        for which in "auto", "stored", "computed":
            _, errors = self.convert("a.md2", "--normals", which, "-o", "a.obj")
            self.assertEqual("[normals-inward] surface 0: in 100 of 100 triangles" in errors,
                             which == "auto")
            obj[which] = self.read("a.obj").decode().splitlines()
        self.assertEqual(obj["auto"], obj["computed"])
        errors = self.convert("a.md2", "-v", "-o", "a.obj")[1]
        self.assertEqual(self.read("a.obj").decode().splitlines(), obj["auto"])
        self.assertEqual(errors.count("[normals-inward]"), 1)
        # Only the normals differ, and those of the file and the computed ones are opposite.
        for one, other in zip(obj["stored"], obj["auto"]):
            self.assertEqual(one == other, not one.startswith("vn "))
            if one != other:
                a, b = ([float(c) for c in line.split()[1:]] for line in (one, other))
                self.assertLess(sum(x * y for x, y in zip(a, b)), -0.8)
        self.assertIn("--normals is stored, computed or auto, not \"bad\"",
                      self.convert("a.md2", "--normals", "bad", "-o", "a.obj", status=2)[1])

    def test_every_model_to_every_format(self):
        for path in MD2 + MDC:
            self.convert(path, "-o", "a.glb")
            self.convert(path, "-o", "a.gltf")
            self.convert(path, "-o", "a.obj")
            glb, gltf = parse_glb(self.read("a.glb")), json.loads(self.read("a.gltf"))
            for parsed in glb, gltf:
                for buffer in parsed.get("buffers", []):
                    buffer.pop("uri", None)
                    buffer.pop("byteLength")
            self.assertEqual(glb, gltf)

    def test_gltf_names_its_buffer(self):
        self.write("my model #1%.md2")
        self.convert("my model #1%.md2", "-o", "my model #1%.gltf")
        self.assertEqual(self.files(), ["my model #1%.bin", "my model #1%.gltf", "my model #1%.md2"])
        (buffer,) = json.loads(self.read("my model #1%.gltf"))["buffers"]
        self.assertEqual(buffer["uri"], "my%20model%20%231%25.bin")
        self.assertEqual(buffer["byteLength"], len(self.read("my model #1%.bin")))

    def test_obj_poses(self):
        self.write("a.md2")
        for arguments, z in [([], 0), (["--frame", "2"], 2), (["--frame=0.5"], 0.5)]:
            self.convert("a.md2", "-o", "a.obj", "--axes", "model", *arguments)
            self.assertEqual(obj_vertices(self.read("a.obj")), [(0, 0, z), (10, 0, z), (0, 10, z)])
        self.convert("a.md2", "-o", "a.obj", "--frame", "1", "--scale", "2")
        self.assertEqual(obj_vertices(self.read("a.obj")), [(0, 2, 0), (0, 2, 20), (20, 2, 0)])

    def clips_of(self, *arguments):
        self.convert(*arguments, "-o", "out.glb")
        gltf = parse_glb(self.read("out.glb"))
        times = {}
        for animation in gltf.get("animations", []):
            times[animation["name"]] = max(
                gltf["accessors"][sampler["input"]]["max"][0] for sampler in animation["samplers"])
        targets = [len(primitive.get("targets", [])) for mesh in gltf["meshes"]
                   for primitive in mesh["primitives"]]
        return times, max(targets)

    def test_frames_and_clips(self):
        names = [b"run%d" % i for i in range(1, 5)] + [b"hit%d" % i for i in range(1, 4)]
        names += [b"fly%d" % i for i in range(1, 4)]
        self.write("a.md2", make_md2(names=names))
        times, targets = self.clips_of("a.md2")
        self.assertEqual((sorted(times), targets), (["fly", "hit", "run"], 9))
        times, targets = self.clips_of("a.md2", "--clip", "hit")
        self.assertEqual((sorted(times), targets), (["hit"], 2))
        self.assertEqual(sorted(self.clips_of("a.md2", "--clip", "hit,fly")[0]), ["fly", "hit"])
        self.assertEqual(sorted(self.clips_of("a.md2", "--clip=hit", "--clip=fly")[0]),
                         ["fly", "hit"])
        times, targets = self.clips_of("a.md2", "--frames", "1-5")
        self.assertEqual((sorted(times), targets), (["hit", "run"], 4))
        slow = self.clips_of("a.md2", "--clip", "run")[0]["run"]
        self.assertAlmostEqual(self.clips_of("a.md2", "--clip", "run", "--fps", "5")[0]["run"],
                               2 * slow, places=5)
        times, targets = self.clips_of("a.md2", "--frame", "3.5")
        self.assertEqual((times, targets), ({}, 0))
        self.write("c.framegroups", b"0 2 10 1 // a,b\n2 2 10 1 // b\n")
        for clips, expected in ("a,b", ["a,b"]), ("b", ["b"]):
            self.assertEqual(
                list(self.clips_of("a.md2", "--clips", "c.framegroups", "--clip", clips)[0]),
                expected)

    def test_what_a_model_does_not_have(self):
        for arguments, words in [
            (["--frames", "500-600"], ["500-600", "198 frames, 0 to 197"]),
            (["--frames", "100-198"], ["198 frames, 0 to 197"]),
            (["--frame", "197.5"], ["197.5", "198 frames"]),
            (["--clip", "stadn"], ["stadn", "did you mean \"stand\"?"]),
            (["--clip", "stand,xyzzy"], ["xyzzy"]),
            (["--clip", ""], ["no clip"]),
            (["--clip", "stand", "--frames", "100-120"], ["stand", "0-39", "100-120"]),
        ]:
            _, errors = self.convert(PLAYER, "-o", "out.glb", *arguments, status=1)
            for word in words:
                self.assertIn(word, errors)
        self.assertEqual(self.files(), [])

    def test_what_makes_no_sense(self):
        for arguments, words in [
            (["x.md2"], ["-o"]),
            (["x.md2", "-o", "x"], ["end the name with .glb, .gltf, .obj, .md2", " or .mdl"]),
            (["x.md2", "-o", "x.fbx"], [".fbx"]),
            (["x.md2", "-o", "-"], ["--format"]),
            (["x.md2", "-o", "-", "--format", "gltf"], ["two files"]),
            (["x.md2", "-o", "x.glb", "--format", "obj"], ["--format obj"]),
            (["x.md2", "y.md2", "-o", "x.glb"], ["-o DIR/"]),
            (["x.md2", "y.md2", "-o", "-", "--format", "glb"], ["-o DIR/"]),
            (["x.md2", "-o", ""], ["-o"]),
            (["x.md2", "-o", "x.obj", "--frames", "0-1"], ["--frames", "OBJ"]),
            (["x.md2", "-o", "x.obj", "--quantize"], ["--quantize", "OBJ"]),
            (["x.md2", "-o", "x.glb", "--frame", "1", "--fps", "5"], ["--fps", "--frame"]),
            (["-", "-o", "x.glb", "--clips", "-"], ["standard input"]),
            (["x.md2", "-o", "x.glb", "--max-error", "1"], ["--max-error", "glb files"]),
            (["x.md2", "-o", "x.obj", "--engine", "quake3"], ["--engine", "obj files"]),
            (["x.md2", "-o", "x.md3", "--quantize"], ["--quantize", "md3 files"]),
            (["x.md2", "-o", "x.md3", "--skin", "a.pcx"], ["--skin", "md3 files"]),
            (["x.md2", "-o", "x.md3", "--max-error", "0"], ["--max-error"]),
            (["x.md2", "-o", "x.md3", "--strips", "worst"], ["--strips is best, fast or none"]),
            (["x.md2", "-o", "x.md3", "--engine", "quack"], ["did you mean quake?"]),
        ]:
            _, errors = self.convert(*arguments, status=2)
            for word in words:
                self.assertIn(word, errors)
        self.assertEqual(self.files(), [])

    def test_folder_keeps_what_is_there(self):
        self.write("a.md2")
        self.write("b.md2")
        out = self.path("out")
        self.convert("a.md2", "-o", "out/", "--format", "glb")
        first = self.read("out/a.glb")
        with open(self.path("out/a.glb"), "wb") as file:
            file.write(b"mine")
        _, errors = self.convert("a.md2", "b.md2", "-o", out, "--format", "glb", status=1)
        self.assertIn("--force", errors)
        self.assertEqual(self.read("out/a.glb"), b"mine")
        self.assertEqual(self.files(), ["a.md2", "b.md2", "out/a.glb", "out/b.glb"])
        self.convert("a.md2", "b.md2", "-o", out, "--format", "glb", "--force")
        self.assertEqual(self.read("out/a.glb"), first)
        self.write("out/a.bin", b"mine")
        self.assertIn("a.bin", self.convert("a.md2", "-o", out, "--format", "gltf", status=1)[1])
        self.assertFalse(os.path.exists(self.path("out/a.gltf")))
        self.write("one.glb", b"mine")
        self.convert("a.md2", "-o", "one.glb")
        self.assertEqual(self.read("one.glb")[:4], b"glTF")

    def test_two_inputs_of_one_name(self):
        self.write("x/tris.md2", make_md2(names=[b"x1", b"x2"]))
        self.write("y/tris.md2", make_md2(names=[b"y1", b"y2"]))
        for jobs in "-j1", "-j2":
            _, errors = self.convert("x/tris.md2", "y/tris.md2", jobs, "-f", "-o", "out", "--format",
                                     "glb", status=1)
            self.assertIn("y/tris.md2: not written", errors)
            self.assertIn("x/tris.md2", errors)
            self.assertEqual(parse_glb(self.read("out/tris.glb"))["animations"][0]["name"], "x")

    def test_any_number_of_threads_gives_the_same(self):
        paths = MD2 + MDC + ["missing.md2"]
        results = {}
        for jobs in "1", "2":
            _, errors = self.convert(*paths, "-j", jobs, "-o", "out" + jobs, "--format", "gltf",
                                     status=1)
            names = [name for name in self.files() if name.startswith("out" + jobs)]
            errors = re.sub(r"; \d+\.\d s\n$", "", errors)
            results[jobs] = (errors.replace("out" + jobs, "out"),
                             {os.path.basename(name): self.read(name) for name in names})
        self.assertEqual(len(results["1"][1]), 2 * len(MD2 + MDC))
        self.assertEqual(results["1"], results["2"])

    def test_what_cannot_be_written(self):
        self.write("a.md2")
        self.write("file")
        os.mkdir(self.path("folder.glb"))
        for out in "missing/out.glb", "file/out.glb":
            self.assertIn("out.glb", self.convert("a.md2", "-o", out, status=1)[1])
        self.convert("a.md2", "-o", "file/", "--format", "glb", status=1)
        self.convert("a.md2", "-o", "folder.glb", status=2)
        self.assertEqual(self.files(), ["a.md2", "file"])
        self.assertEqual(self.convert("a.md2", "-o", "new/" * 3, "--format", "obj")[0], "")
        self.assertTrue(os.path.exists(self.path("new/new/new/a.obj")))

    def test_an_existing_file_survives_a_failure(self):
        self.write("bad.md2", make_md2()[:-1])
        self.write("out.glb", b"precious")
        self.convert("bad.md2", "-o", "out.glb", status=1)
        self.convert(PLAYER, "-o", "out.glb", "--frames", "900-901", status=1)
        self.convert(PLAYER, "-o", "out.glb", "--max-output", "1K", status=1)
        self.assertEqual(self.read("out.glb"), b"precious")
        self.assertEqual(self.files(), ["bad.md2", "out.glb"])

    def test_a_limit_is_of_all_files_of_a_model(self):
        self.write("skin.pcx", make_pcx())
        self.write("m.md2", make_md2(skins=(b"skin.pcx",)))
        for words in ("-o", "out/m.gltf"), ("-o", "out/m.obj"), ("--lods", "2", "-o", "out/m.md3"):
            os.makedirs(self.path("out"))
            self.convert("m.md2", *words)
            written = [name for name in self.files() if name.startswith("out/")]
            self.assertEqual(len(written), 3)
            size = sum(len(self.read(name)) for name in written)
            shutil.rmtree(self.path("out"))
            os.makedirs(self.path("out"))
            _, errors = self.convert("m.md2", *words, "--max-output", str(size - 1), status=1)
            self.assertIn(f"with what goes beside it that would be {size} bytes, more than {size - 1} "
                          "(max-output)", errors)
            self.assertEqual([name for name in self.files() if name.startswith("out/")], [])
            self.convert("m.md2", *words, "--max-output", str(size))
            shutil.rmtree(self.path("out"))

    def test_devices_are_written_to_and_not_replaced(self):
        self.write("a.md2")
        os.symlink("/dev/null", self.path("null.glb"))
        self.convert("a.md2", "-o", "null.glb")
        os.symlink("/dev/full", self.path("full.glb"))
        self.convert("a.md2", "-o", "full.glb", status=1)
        for name in "/dev/null", "/dev/full":
            self.assertFalse(os.path.isfile(name))

    def test_outputs_have_the_mode_of_any_new_file(self):
        self.write("a.md2")
        for mask in 0o022, 0o027:
            self.convert("a.md2", "-o", "a.glb", preexec_fn=lambda mask=mask: os.umask(mask) and None)
            self.assertEqual(os.stat(self.path("a.glb")).st_mode & 0o777, 0o666 & ~mask)

    def test_inputs_are_never_outputs(self):
        self.write("a.glb")
        self.assertIn("is also an input", self.convert("a.glb", "-o", "a.glb", status=1)[1])
        self.assertEqual(self.read("a.glb"), make_md2())

    def test_repairs_are_told(self):
        self.write("bad.md2", make_md2(vertex=900))
        self.convert("bad.md2", "-o", "a.obj", status=1)
        _, errors = self.convert("--repair", "bad.md2", "-o", "a.obj")
        self.assertIn("vertex-index", errors)
        self.assertIn("900", errors)

    def test_splitting_is_told(self):
        data = bytearray(make_md2(names=[b"c%dx%d" % (c, i) for c in range(3) for i in range(1, 151)]))
        self.write("long.md2", bytes(data))
        _, errors = self.convert("long.md2", "-o", "long.glb")
        self.assertRegex(errors, r"split into \d+ parts")
        self.assertTrue(max(len(primitive.get("targets", []))
                            for mesh in parse_glb(self.read("long.glb"))["meshes"]
                            for primitive in mesh["primitives"]) <= 255)

    def test_quantize_and_topology_change_the_result(self):
        self.convert(PLAYER, "-o", "plain.glb")
        self.convert(PLAYER, "-o", "small.glb", "--quantize")
        self.assertLess(len(self.read("small.glb")), len(self.read("plain.glb")))
        self.assertIn("KHR_mesh_quantization", parse_glb(self.read("small.glb"))["extensionsUsed"])
        self.convert(PLAYER, "-o", "plain.obj")
        self.convert(PLAYER, "-o", "gl.obj", "--topology", "glcommands")
        self.assertNotEqual(self.read("plain.obj"), self.read("gl.obj"))


HEAD = os.path.join(SOURCE, "samples", "tick_head.mdc")


def make_pcx(colour=3, size=2):
    """A picture of size x size pixels (at most 63), all of one index."""
    header = struct.pack("<4B6H48xBBHH58x", 10, 5, 1, 8, 0, 0, size - 1, size - 1, 72, 72, 0, 1,
                         size, 1)
    return header + bytes([0xC0 + size, colour] * size) + b"\x0C" + bytes(range(256)) * 3


class Models(ToolTest):
    """Models of one format written in another."""

    def made(self, *arguments, status=0):
        _, errors = self.run_tool("convert", *arguments, status=status)
        return errors

    def info(self, name):
        return self.run_json("info", "--json", name)[0]

    def clips(self, name):
        return [(c["name"], c["first"], c["count"]) for c in self.info(name)["clips"]]

    def test_a_player_becomes_another_format(self):
        errors = self.made(PLAYER, "-o", "a.md3")
        self.assertRegex(errors, r"^lerpmesh: .*: wrote a\.md3: \d+ bytes, 1 surface, \d+ vertices, "
                                 r"\d+ triangles; off by 0\.\d+ units at most, 0\.\d+ in the mean\n$")
        old, new = self.run_json("info", "--json", PLAYER)[0], self.info("a.md3")
        self.assertEqual(new["format"], "md3")
        self.assertEqual(new["clips"], old["clips"])
        self.run_tool("check", "a.md3")
        self.assertEqual(self.made("-q", PLAYER, "-o", "b.md3"), "")
        self.assertEqual(self.read("a.md3"), self.read("b.md3"))

    def test_frames_and_clips_are_picked(self):
        self.made(PLAYER, "-o", "a.md3", "--clip", "run")
        self.assertEqual(self.clips("a.md3"), [("run", 0, 6)])
        self.made(PLAYER, "-o", "a.md3", "--frames", "38-41")
        self.assertEqual(self.clips("a.md3"), [("stand", 0, 2), ("run", 2, 2)])
        self.made(PLAYER, "-o", "a.md3", "--frame", "2.5")
        self.assertEqual(len(self.info("a.md3")["frames"]), 1)

    def test_fps_takes_frames_at_another_rate(self):
        self.made(PLAYER, "-o", "a.md3", "--clip", "run,jump", "--fps", "20")
        # A loop of 6 frames has twice as many; of 6 that play once the last is not doubled.
        self.assertEqual(self.clips("a.md3"), [("run", 0, 12), ("jump", 12, 11)])
        self.made(PLAYER, "-o", "b.md3", "--clip", "run,jump")
        for file, step in ("a.md3", 2), ("b.md3", 1):
            self.made(file, "-o", file + ".obj", "--frame", str(2 * step))
        vertices = [{line for line in self.read(name).splitlines() if line.startswith(b"v ")}
                    for name in ("a.md3.obj", "b.md3.obj")]
        self.assertEqual(*vertices)
        self.assertGreater(len(vertices[0]), 100)
        errors = self.made(PLAYER, "-o", "c.md3", "--fps", "1000", "--clip", "stand")
        self.assertIn("wrote c.md3", errors)

    def test_clips_of_a_file_name_the_frames(self):
        self.write("a.md2")
        self.write("a.cfg", b"0 1 0 10 // sitting\n1 1 0 10 // standing\n")
        self.made("a.md2", "--clips", "a.cfg", "-o", "a.md3")
        self.assertEqual([name for name, _, _ in self.clips("a.md3")][:2], ["sitting", "standing"])

    def test_scale(self):
        self.made(PLAYER, "-o", "a.md3", "--frame", "0")
        self.made(PLAYER, "-o", "b.md3", "--frame", "0", "--scale", "2")
        one, two = self.info("a.md3")["frames"][0], self.info("b.md3")["frames"][0]
        for a, b in zip(one["min"] + one["max"], two["min"] + two["max"]):
            self.assertAlmostEqual(2 * a, b, delta=0.04)
        errors = self.made(PLAYER, "-o", "c.md3", "--scale", "100", status=1)
        self.assertIn("the format reaches from -511.98 to 511.98 units", errors)
        self.assertFalse(os.path.exists(self.path("c.md3")))

    def test_max_error(self):
        errors = self.made(PLAYER, "-o", "a.md3", "--max-error", "0.001", status=1)
        self.assertRegex(errors, r"md3: surface 0: vertex \d+ in frame \d+ would be off by 0\.01\d* "
                                 r"units, more than the 0\.001 that are allowed")
        self.assertEqual(self.files(), [])
        self.made(PLAYER, "-o", "a.md3", "--max-error", "0.02")

    def test_several_models_become_one(self):
        for name in "tris", "weapon":
            self.write("p/%s.md2" % name)
        self.made("p", "-o", "a.md3")
        info = json.loads(self.run_tool("info", "--json", "a.md3")[0])
        self.assertEqual([s["name"] for s in info["surfaces"]], ["tris", "weapon"])


class Compare(ToolTest):
    def test_a_model_and_what_was_made_of_it(self):
        self.run_tool("convert", "-q", PLAYER, "-o", "a.md3")
        output, _ = self.run_tool("compare", PLAYER, "a.md3")
        self.assertRegex(output, r"^positions: 0\.01\d+ units at most, 0\.00\d+ root mean square\n"
                                 r"  largest at vertex \d+ of surface 0 \"\" of \S+, in frames \d+ and \d+\n"
                                 r"normals: 0\.\d+ degrees at most, 0\.\d+ in the mean\n"
                                 r"texture coordinates: 0 of the skin at most\n")
        self.assertRegex(output, r"\n  stand +40 +0\.01")
        self.assertEqual(len(output.splitlines()), 4 + 1 + 1 + 20 + output.count("only the"))
        self.run_tool("compare", "--tolerance", "0.02", PLAYER, "a.md3")
        self.assertIn("more than --tolerance 0.002",
                      self.run_tool("compare", "--tolerance", "0.002", PLAYER, "a.md3", status=1)[1])
        found = self.run_json("compare", "--json", "--tolerance", "0", "a.md3", "a.md3")[0]
        self.assertEqual((found["max_distance"], found["max_turn"], found["max_st"]), (0, 0, 0))
        self.assertEqual([clip["count"] for clip in found["clips"]][:2], [40, 6])

    def test_two_models_are_needed(self):
        self.assertIn("name two models", self.run_tool("compare", PLAYER, status=2)[1])
        self.assertIn("name two models", self.run_tool("compare", PLAYER, "a", "b", status=2)[1])
        self.assertIn("no.md2", self.run_tool("compare", PLAYER, "no.md2", status=1)[1])
        self.assertIn("no.md2", self.run_tool("compare", "no.md2", PLAYER, status=1)[1])


    def test_names_cannot_talk_to_the_terminal(self):
        self.write("a\x1b]0;x.md2", make_md2(names=[b"r\x1b]0;x\x071", b"r\x1b]0;x\x072"]))
        self.run_tool("convert", "-q", "a\x1b]0;x.md2", "-o", "a.md3")
        with open(self.path("a.md3"), "r+b") as file:
            data = file.read()
            file.seek(struct.unpack_from("<i", data, 100)[0] + 4)  # the first surface's name
            file.write(b"s\x1b[2J\0")
        self.write("b\x1b]0;x.md3", self.read("a.md3"))
        self.write("c.md2", make_md2(normal=100))
        self.run_tool("edit", "-q", "--in-place", "--scale", "2", "c.md2")
        shown = self.run_tool("compare", "c.md2", "b\x1b]0;x.md3")[0]
        self.assertIn('surfaces: only the second has the surface "s\\x1b[2J"\n', shown)
        shown += self.run_tool("compare", "b\x1b]0;x.md3", "c.md2")[0]
        self.assertIn('surface 0 "s\\x1b[2J" of b\\x1b]0;x.md3, in frames', shown)
        self.assertNotIn("\x1b", shown)

    def test_standard_input_is_read_once(self):
        self.assertIn("standard input (-) is given 2 times, but it can be read only once",
                      self.run_tool("compare", "-", "-", status=2)[1])


class Failures(ToolTest):
    def fails(self, code, message, *arguments):
        """A line that says which file failed, and why, as the last one."""
        told = self.run_json(*arguments, "--json", status=1)[-1]
        self.assertEqual((set(told), told["error"]["code"]), ({"file", "error"}, code))
        self.assertIn(message, told["error"]["message"])
        return told["file"]

    def test_outputs(self):
        self.write("a.md2")
        self.write("out/a.md2")
        self.write("out/in.txt")
        self.write("in/a.md2", make_md2(skins=[]))
        self.run_tool("pack", "in", "-o", "a.pk3")
        there = "out/a.md2 is there already"
        self.assertEqual(self.fails("io", there, "edit", "--path", "s/a/b/", "a.md2", "-o", "out/"), "a.md2")
        self.assertEqual(self.fails("io", there, "optimize", "a.md2", "-o", "out/"), "a.md2")
        self.assertEqual(self.fails("io", there, "extract", "a.pk3", "-o", "out/"), "a.pk3:a.md2")
        self.fails("io", "also the output of in/a.md2", "optimize", "in/a.md2", "a.md2", "-o", "two/")
        self.fails("io", "out/in.txt", "edit", "--path", "s/a/b/", "a.md2", "-o", "out/in.txt/a.md2")
        self.fails("io", "out/in.txt", "pack", "in", "-o", "out/in.txt/a.pk3")
        self.fails("io", "out/in.txt", "compare", "a.md2", "in/a.md2", "--picture", "out/in.txt/a.png")
        self.fails("bad-argument", "in place", "edit", "--in-place", "--path", "s/a/b/", "a.pk3:a.md2")
        self.write("b.md2", make_md2(skins=[b"x.pcx"]))
        self.write("b.md2.bak")
        self.fails("io", "b.md2.bak is there already", "edit", "--in-place", "--backup", "--path", "s/x/y/", "b.md2")

    def test_what_is_not_there(self):
        self.write("in/a.md2", make_md2(skins=[]))
        self.run_tool("pack", "in", "-o", "a.pk3")
        self.assertEqual(self.fails("io", "cannot open", "ls", "no.pk3"), "no.pk3")
        self.fails("io", "this is a folder", "ls", "in")
        self.fails("bad-argument", "nothing in the archive", "ls", "a.pk3", "*.md9")
        self.fails("bad-argument", "nothing in this folder", "pack", "in", "*.md9", "-o", "b.pk3")
        self.fails("bad-argument", "no picture", "extract", "in/a.md2", "-o", "out")


class Scenes(ToolTest):
    def convert(self, *arguments, status=0, **more):
        return self.run_tool("convert", *arguments, status=status, **more)

    def gltf(self, *arguments):
        self.convert(*arguments, "-q", "-o", "out.glb")
        return parse_glb(self.read("out.glb"))

    def nodes(self, gltf):
        return {node["name"]: node for node in gltf["nodes"]}

    def test_attached_models_are_children_of_their_tags(self):
        self.write("hat.md2")
        self.write("fly.md2", make_md2(names=[b"buzz1", b"buzz2"]))
        gltf = self.gltf(HEAD, "--attach", "TAG_hat=hat.md2@run,tag_mouth=fly.md2")
        nodes = self.nodes(gltf)
        for tag, name in ("tag_hat", "hat"), ("tag_mouth", "fly"):
            children = [gltf["nodes"][i]["name"] for i in nodes[tag]["children"]]
            self.assertEqual(children, [name])
        self.assertEqual([animation["name"] for animation in gltf["animations"]],
                         ["idle", "talk", "look", "laugh", "run", "buzz"])
        nodes_of = [{channel["target"]["node"] for channel in animation["channels"]}
                    for animation in gltf["animations"]]
        hat, fly = (gltf["nodes"].index(nodes[name]) for name in ("hat", "fly"))
        self.assertEqual([hat in targets for targets in nodes_of], [True] * 6)
        self.assertEqual([fly in targets for targets in nodes_of], [False] * 5 + [True])

    def test_a_later_tag_is_that_of_the_model_attached_last(self):
        gltf = self.gltf(HEAD, "--attach", "tag_hat=%s" % HEAD, "--attach", "tag_hat=" + PLAYER)
        tags = [i for i, node in enumerate(gltf["nodes"])
                if node.get("extras", {}).get("tag") == "tag_hat"]
        outer, inner = (gltf["nodes"][i] for i in tags)
        self.assertIn(tags[1], outer["children"])
        self.assertEqual(len(inner["children"]), 1)

    def test_models_to_attach_are_found_beside_the_carrier(self):
        self.write("deep/hat.md2")
        shutil.copy(HEAD, self.path("deep/head.mdc"))
        self.assertIn("hat", self.nodes(self.gltf("deep/head.mdc", "--attach", "tag_hat=hat.md2")))
        self.write("deep/a,b@c.md2")
        self.gltf("deep/head.mdc", "--attach", "tag_hat=deep/a,b@c.md2,tag_mouth=hat.md2")

    def test_mistakes_in_attach(self):
        self.write("hat.md2")
        for value in "hat.md2", "=hat.md2", "tag_hat=", "tag_hat=@run", "tag_hat=hat@":
            self.assertIn("TAG=MODEL", self.convert(HEAD, "-o", "a.glb", "--attach", value,
                                                    status=2)[1])
        for value, wanted in (("tag_hut=hat.md2", 'did you mean "tag_hat"'),
                              ("tag_hat=none.md2", "none.md2"),
                              ("tag_hat=hat.md2@ran", 'did you mean "run"')):
            _, errors = self.convert(HEAD, "-o", "a.glb", "--attach", value, status=1)
            self.assertIn(wanted, errors)
        _, errors = self.convert("hat.md2", "-o", "a.glb", "--attach", "tag_a=hat.md2", status=1)
        self.assertIn("has no tags", errors)
        self.assertEqual(self.files(), ["hat.md2"])

    def test_an_obj_has_the_parts_where_their_tags_are(self):
        self.write("hat.md2")
        self.convert(HEAD, "-o", "alone.obj", "--frame", "9")
        self.convert(HEAD, "-o", "both.obj", "--frame", "9", "--attach", "tag_hat=hat.md2")
        alone, both = (obj_vertices(self.read(name)) for name in ("alone.obj", "both.obj"))
        self.assertEqual(both[:len(alone)], alone)
        hat = both[len(alone):]
        self.assertEqual(len(hat), 3)
        lengths = [sum((a - b) ** 2 for a, b in zip(hat[0], corner)) for corner in hat[1:]]
        self.assertAlmostEqual(lengths[0], 100, 2)  # it was turned and moved, not bent
        self.assertNotEqual(hat[0], (0, 0, 0))

    def test_a_follower_shows_the_same_frames(self):
        self.write("body.md2")
        self.write("gun.md2", make_md2(names=[b"other1", b"other2"]))
        gltf = self.gltf("body.md2", "--with", "gun.md2")
        (animation,) = gltf["animations"]
        self.assertEqual(animation["name"], "run")
        self.assertEqual(len({channel["target"]["node"] for channel in animation["channels"]}), 2)

    def test_a_folder_is_a_player(self):
        self.write("man/TRIS.MD2")
        self.write("man/weapon.md2")
        self.convert("man/", "-o", "man.glb")
        gltf = parse_glb(self.read("man.glb"))
        self.assertEqual([node["name"] for node in gltf["nodes"]], ["man", "weapon"])
        self.assertEqual(gltf["scenes"][0]["name"], "man scene")
        os.mkdir(self.path("empty"))
        _, errors = self.convert("empty", "-o", "a.glb", status=1)
        self.assertRegex(errors, "no player.*lower.md3.*tris.md2")

    def test_a_folder_of_outputs_gets_glb(self):
        self.write("a.md2")
        self.convert("a.md2", "-o", "out/")
        self.assertEqual(parse_glb(self.read("out/a.glb"))["asset"]["version"], "2.0")


class Textures(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("m/a.md2", make_md2(skins=[b"models\\x\\B.pcx", b"models/y/far.pcx"]))
        self.write("m/b.PCX", make_pcx())
        self.write("game/Models/Y/FAR.pcx", make_pcx(4))

    def textures(self, *arguments):
        (model,) = self.run_json("info", "--json", *arguments)
        return model["textures"]

    def test_info_says_what_was_found_where_or_what_was_tried(self):
        near, far = self.textures("m/a.md2")
        self.assertEqual((near["name"], near["found"]), ("models\\x\\B.pcx", "m/b.PCX"))
        self.assertEqual((far["name"], far["found"]), ("models/y/far.pcx", None))
        for tried in "m/models/y/far.pcx", "m/far.pcx", "m/far.tga":
            self.assertIn(tried, far["tried"])
        _, far = self.textures("m/a.md2", "--game", "game")
        self.assertEqual(far["found"], "game/Models/Y/FAR.pcx")
        sheet = self.run_tool("info", "m/a.md2")[0]
        self.assertIn("found: m/b.PCX\n", sheet)
        self.assertRegex(sheet, r"not found; \d+ paths tried\n")
        self.assertNotIn(" m/far.webp\n", sheet)
        sheet = self.run_tool("info", "-v", "m/a.md2")[0]
        self.assertRegex(sheet, r"not found; \d+ paths tried:\n")
        self.assertIn(" m/far.webp\n", sheet)

    def test_names_that_lead_out_are_told_and_not_followed(self):
        self.write("secret.pcx", make_pcx())
        self.write("m/c.md2", make_md2(skins=[b"../secret.pcx"]))
        (texture,) = self.textures("m/c.md2")
        self.assertEqual((texture["found"], texture["unsafe"]), (None, True))
        _, errors = self.run_tool("convert", "m/c.md2", "-o", "c.glb")
        self.assertIn("[unsafe-path]", errors)
        self.assertNotIn("images", parse_glb(self.read("c.glb")))

    def test_what_is_not_found_is_told_and_stays_plain(self):
        _, errors = self.run_tool("convert", "m/a.md2", "-o", "a.glb")
        self.assertIn("1 texture, 2 variants", errors)
        self.assertIn("no texture was found for models/y/far.pcx", errors)
        gltf = parse_glb(self.read("a.glb"))
        self.assertEqual(len(gltf["materials"]), 2)
        self.assertNotIn("baseColorTexture", gltf["materials"][1]["pbrMetallicRoughness"])

    def test_a_picture_that_is_none_is_told_and_stays_plain(self):
        self.write("m/b.PCX", b"no picture")
        _, errors = self.run_tool("convert", "m/a.md2", "-o", "a.glb")
        self.assertIn("m/b.PCX is not used", errors)
        self.assertEqual(self.run_tool("convert", "-q", "m/a.md2", "-o", "a.glb"), ("", ""))
        self.assertNotIn("images", parse_glb(self.read("a.glb")))

    def test_pictures_beside_a_gltf_are_kept_as_outputs_are(self):
        self.run_tool("convert", "m/a.md2", "-o", "out/", "--format", "gltf", "--game", "game")
        self.assertEqual([name for name in self.files() if name.startswith("out")],
                         ["out/a.bin", "out/a.gltf", "out/a_FAR.png", "out/a_b.png"])
        gltf = json.loads(self.read("out/a.gltf"))
        self.assertEqual([image["uri"] for image in gltf["images"]], ["a_b.png", "a_FAR.png"])
        for name in "a.bin", "a.gltf":
            os.remove(self.path("out/" + name))
        _, errors = self.run_tool("convert", "m/a.md2", "-o", "out/", "--format", "gltf", status=1)
        self.assertIn("a_b.png is there already", errors)

    def test_skins_of_the_user_win(self):
        self.write("red.pcx", make_pcx(9))
        first = self.path("n/h.mdc")
        self.write("n/h_default.skin", b"h_jaw,models/jaw.tga\ntag_hat,\n")
        self.write("n/jaw.pcx", make_pcx())
        shutil.copy(HEAD, first)
        self.write("mine.skin", b"H_SKULL,jaw\n")
        names = {texture["name"]: texture["found"] for texture in self.textures(
            first, "--skin", "h_EYES=red.pcx", "--skin", "mine.skin")}
        self.assertEqual(names.pop("red.pcx"), "red.pcx")
        self.assertTrue(names.pop("jaw").endswith("n/jaw.pcx"))
        self.assertTrue(names.pop("models/jaw.tga").endswith("n/jaw.pcx"))
        self.assertEqual(names, {"models/players/tick/tick.pcx": None})
        self.write("n/H_red.skin", b"h_jaw,red_jaw\n")
        red = [texture["name"] for texture in self.textures(first, "--skin", "red")]
        self.assertIn("red_jaw", red)
        self.assertNotIn("models/jaw.tga", red)
        _, errors = self.run_tool("convert", first, "--skin", "green", "-o", "a.glb", status=1)
        self.assertIn("there is no such file, and no ..._green.skin", errors)
        self.assertFalse(os.path.exists(self.path("a.glb")))
        (texture,) = self.textures("m/a.md2", "--skin", "red.pcx")
        self.assertEqual(texture["found"], "red.pcx")

    def test_mistakes_in_options(self):
        for options, wanted in ((["--skin", ""], "--skin"), (["--skin", "=x"], "--skin"),
                                (["--skin", "none.skin"], "none.skin"),
                                (["--skin", "none.pcx"], "none.pcx: there is no such file"),
                                (["--skin", "skin=none.pcx"], "skin=none.pcx: there is no such"),
                                (["--game", "none"], "none"),
                                (["--palette", "none.lmp"], "none.lmp"),
                                (["--palette", "m/a.md2"], "m/a.md2"),
                                (["--alpha", "half"], "half")):
            self.assertIn(wanted, self.run_tool("convert", "m/a.md2", "-o", "a.glb", *options,
                                                status=2)[1])
        for options in ["--skin", "a.pcx"], ["--transparent-255"], ["--game", "game"]:
            self.assertIn("OBJ", self.run_tool("convert", "m/a.md2", "-o", "-", "--format", "obj",
                                               *options, status=2)[1])

    def test_skins_that_dress_nothing_fail(self):
        self.write("red.pcx", make_pcx(9))
        for command in ["convert", "-o", "a.glb"], ["info"]:
            _, errors = self.run_tool(*command, "m/a.md2", "--skin", "arm=red.pcx", status=1)
            self.assertIn("m/a.md2: --skin arm=red.pcx: there is no surface of that name", errors)
        (line,) = self.run_json("info", "--json", "m/a.md2", "--skin", "gold", status=1)
        self.assertEqual(line["error"]["code"], "bad-argument")
        self.assertIn("..._gold.skin", line["error"]["message"])
        # A skin need not be for all that a folder holds, but for one.
        self.write("m/n/b.md2", make_md2())
        self.write("m/n/gold.pcx", make_pcx())
        output, errors = self.run_tool("info", "m", "--skin", "gold")
        self.assertIn("m/n/gold.pcx", output)
        self.assertIn("what --skin asks for is not for 1 of them", errors)
        _, errors = self.run_tool("info", "m", "--skin", "silver", status=1)
        self.assertIn("is not for 2 of them", errors)

    def test_batches_count_missing_textures(self):
        self.write("m/n/b.md2", make_md2(skins=[b"x/y.pcx"]))
        for command in ["info"], ["convert", "-o", "out/"]:
            self.assertIn(", 2 textures missing; ", self.run_tool(*command, "m")[1])
        summary = self.run_json("info", "--json", "--summary", "m")[-1]["summary"]
        self.assertEqual(summary["textures_missing"], 2)
        self.write("m/n/red.pcx", make_pcx(size=32))
        self.assertIn(", 1 texture missing; ", self.run_tool("info", "m")[1])

    def test_coordinates_lie_on_the_skin(self):
        self.run_tool("uv", "m/a.md2", "-o", "on.svg")
        root = ElementTree.fromstring(self.read("on.svg"))
        (image,) = [element for element in root.iter() if element.tag.endswith("image")]
        kind, data = image.get("href").split(",")
        self.assertEqual(kind, "data:image/png;base64")
        self.assertEqual(base64.b64decode(data, validate=True)[1:4], b"PNG")
        self.assertIsNone(root.get("width"))
        self.run_tool("uv", "m/a.md2", "-o", "exact.svg", "--exact")
        root = ElementTree.fromstring(self.read("exact.svg"))
        self.assertEqual(root.get("viewBox").split(), ["0", "0", root.get("width"), root.get("height")])
        self.assertEqual((root.get("width"), root.get("height")), (image.get("width"), image.get("height")))
        self.write("m/n/b.md2")
        self.run_tool("uv", "m", "-o", "out/", "--skin", "none")
        self.assertEqual([name for name in self.files() if name.startswith("out/")],
                         ["out/a.svg", "out/n/b.svg"])
        self.assertNotIn(b"<image", self.read("out/a.svg"))

    def test_coordinates_are_of_one_texture(self):
        """Surfaces that wear another lie elsewhere."""
        for name in "big", "small":
            self.write(name + ".pcx", make_pcx())
        worn = "h_skull=big.pcx", "h_jaw=small.pcx", "h_eyes=small.pcx"
        skins = [word for skin in worn for word in ("--skin", skin)]

        def drawn(*arguments):
            svg, errors = self.run_tool("uv", HEAD, *arguments)
            return re.findall("<title>([^<]*)</title>", svg), "<image" in svg, errors
        names, skin, errors = drawn("--skin", "none")
        self.assertEqual((names, skin, errors), (["h_skull", "h_jaw", "h_eyes", "h_crest"], False, ""))
        names, skin, errors = drawn(*skins)
        self.assertEqual((names, skin), (["h_skull"], True))
        self.assertIn("left out 3 of 4 surfaces, which wear other textures: --surface h_jaw", errors)
        self.assertEqual(drawn(*skins, "-q"), (names, skin, ""))
        self.assertEqual(drawn(*skins, "--surface", "h_eyes"), (["h_jaw", "h_eyes"], True, ""))
        self.assertEqual(drawn("--skin", "none", "--surface", "h_eyes"), (["h_eyes"], False, ""))
        self.assertIn('there is no surface "h_eye"; did you mean "h_eyes"?',
                      self.run_tool("uv", HEAD, "--surface", "h_eye", status=1)[1])

    def test_coordinates_as_png(self):
        def size(path):
            self.assertEqual(self.read(path)[:8], b"\x89PNG\r\n\x1a\n")
            return struct.unpack_from(">2I", self.read(path), 16)
        self.run_tool("uv", "m/a.md2", "-o", "exact.png", "--exact")
        self.run_tool("convert", "m/a.md2", "-o", "a.gltf")
        (skin,) = [name for name in self.files() if name.endswith(".png") and name != "exact.png"]
        self.assertEqual(size("exact.png"), size(skin))
        self.assertNotEqual(self.read("exact.png"), self.read(skin))
        self.run_tool("uv", "m/a.md2", "-o", "on.png")
        self.assertGreater(min(size("on.png")), 1023)
        self.run_tool("uv", "m/a.md2", "--format", "png", "--exact")
        self.assertEqual(self.binary, self.read("exact.png"))
        self.write("m/n/b.md2")
        self.run_tool("uv", "m", "-o", "out/", "--format", "png")
        self.assertEqual([name for name in self.files() if name.startswith("out/")],
                         ["out/a.png", "out/n/b.png"])
        for arguments, words in (
                (["-o", "x.jpg"], ["x.jpg: end the name with .svg or .png"]),
                (["-o", "x.svg", "--format", "png"], ["x.svg does not fit --format png"]),
                (["--format", "gif"], ["--format is svg or png", "gif"])):
            errors = self.run_tool("uv", "m/a.md2", *arguments, status=2)[1]
            for word in words:
                self.assertIn(word, errors)

    def test_several_pictures_are_variants(self):
        for name, size in ("red", 9), ("blue", 7):
            self.write("skins/%s.pcx" % name, make_pcx(size))
        self.run_tool("convert", "m/a.md2", "-o", "a.glb", "--skin", "skins/red.pcx", "--skin",
                      "skins/blue.pcx", "-q")
        gltf = parse_glb(self.read("a.glb"))
        variants = gltf["extensions"]["KHR_materials_variants"]["variants"]
        self.assertEqual([variant["name"] for variant in variants], ["red.pcx", "blue.pcx"])
        self.assertEqual([image["name"] for image in gltf["images"]], ["red.pcx", "blue.pcx"])
        (primitive,) = gltf["meshes"][0]["primitives"]
        mappings = primitive["extensions"]["KHR_materials_variants"]["mappings"]
        self.assertEqual(primitive["material"], mappings[0]["material"])
        self.assertNotEqual(mappings[0]["material"], mappings[1]["material"])
        self.run_tool("convert", "m/a.md2", "-o", "a.glb", "--skin", "skins/blue.pcx", "-q")
        gltf = parse_glb(self.read("a.glb"))
        self.assertEqual([image["name"] for image in gltf["images"]], ["blue.pcx"])
        self.assertNotIn("extensions", gltf)

    def test_an_obj_names_its_materials(self):
        os.mkdir(self.path("out"))
        self.run_tool("convert", "m/a.md2", "-o", "out/a b.obj")
        text, mtl = self.read("out/a b.obj").decode(), self.read("out/a b.mtl").decode()
        self.assertTrue(text.startswith("mtllib a b.mtl\n"))
        (name,) = re.findall(r"(?m)^usemtl (.*)$", text)
        self.assertEqual(re.findall(r"(?m)^newmtl (.*)$", mtl), [name])
        (picture,) = re.findall(r"(?m)^map_Kd (.*)$", mtl)
        self.assertEqual(self.read("out/" + picture)[1:4], b"PNG")
        self.assertNotIn("map_d", mtl)
        self.run_tool("convert", "m/a.md2", "-o", "-", "--format", "obj", "-q")
        self.assertNotIn(b"mtl", self.binary)

    def test_the_same_with_any_number_of_threads(self):
        for jobs in "1", "4":
            self.run_tool("convert", "m/a.md2", HEAD, PLAYER, "-j", jobs, "-o", "out" + jobs,
                          "--game", "game")
        for name in "a.glb", "tick_head.glb":
            self.assertEqual(self.read("out1/" + name), self.read("out4/" + name))


class Outputs(ToolTest):
    def test_the_longest_name(self):
        name = "n" * 251 + ".glb"
        self.write("a.md2")
        self.run_tool("convert", "a.md2", "-o", name)
        self.assertEqual(self.files(), ["a.md2", name])

    def test_sync(self):
        self.write("a.md2")
        self.run_tool("convert", "--sync", "a.md2", "-o", "a.gltf")
        self.assertEqual(self.files(), ["a.bin", "a.gltf", "a.md2"])
        os.symlink("/dev/null", self.path("null.glb"))
        self.run_tool("convert", "--sync", "a.md2", "-o", "null.glb")


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

    def test_what_is_said_never_ends_up_in_an_output(self):
        # With standard error closed, the next file that is opened would take its place: here the
        # output of the second model, held open while the command talks about the first.
        os.mkdir(self.path("out"))
        os.mkfifo(self.path("pipe"))
        name = os.path.basename(PLAYER)[:-4] + ".glb"
        os.symlink(self.path("pipe"), self.path("out/" + name))
        process = subprocess.Popen(
            ["bash", "-c", 'exec "$@" 2>&-', "bash", TOOL, "convert", "-j2", "-f", "-", PLAYER, "-o",
             "out", "--format", "glb"], cwd=self.folder, stdin=subprocess.PIPE)
        with open(self.path("pipe"), "rb") as pipe:
            process.stdin.write(make_md2())
            process.stdin.close()
            while not os.path.exists(self.path("out/stdin.glb")):
                time.sleep(0.01)
            time.sleep(0.2)
            written = pipe.read()
        self.assertEqual(process.wait(), 0)
        self.run_tool("convert", PLAYER, "-o", "direct.glb")
        self.assertEqual(written, self.read("direct.glb"))

    def test_reader_that_goes_away(self):
        # The output must not fit into the pipe, or nobody would notice.
        status, _, errors = self.shell('set -o pipefail; "$1" info --json "$2" "$2" "$2" "$2" "$2" '
                                       '"$2" "$2" "$2" "$2" "$2" | head -c 1; exit ${PIPESTATUS[0]}')
        self.assertEqual((status, errors), (1, ""))

    def test_pipes(self):
        status, output, errors = self.shell('cat "$2" | "$1" convert - -o - --format obj -q |'
                                            ' grep -c "^v "')
        self.assertEqual((status, errors), (0, ""))
        self.assertGreater(int(output), 100)
        self.assertEqual(self.shell('"$1" info <(cat "$2") >out')[0], 0)

    def bar(self, *options):
        """What appears on a terminal while the first of two files keeps the command waiting."""
        os.mkfifo(self.path("slow.md2"))
        self.addCleanup(os.unlink, self.path("slow.md2"))
        terminal, other_end = pty.openpty()
        process = subprocess.Popen([TOOL, "info", *options, "slow.md2", PLAYER], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=other_end)
        os.close(other_end)
        with open(self.path("slow.md2"), "wb") as fifo:
            # Longer than the command's patience; it has waited since we could open the pipe.
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


if __name__ == "__main__":
    unittest.main()
