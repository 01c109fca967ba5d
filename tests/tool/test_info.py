"""The commands that only read: names of any kind, several files, clip files, engines. test_golden.py has their text."""
import csv
import io
import os
import random
import shutil
import struct
import subprocess
import unicodedata
import urllib.parse
import zipfile
import zlib

import make_models
from small_files import make_md2
from tool_case import HEAD, MD2, MDC, PLAYER, ToolTest


class Info(ToolTest):
    def test_names_are_escaped_for_the_terminal(self):
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

    def test_characters_that_nobody_sees_are_escaped(self):
        """Exactly those that are controls, format characters, separators of lines, or ignorable, by Unicode's data."""
        wanted = {c for c in map(chr, range(1, 0x110000)) if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")}
        perl = subprocess.run(["perl", "-e", r"for (1 .. 0x10ffff) { print qq($_\n) if chr =~ /\p{Default_Ignorable_Code_Point}/ }"],
                              capture_output=True, check=True)
        wanted |= {chr(int(line)) for line in perl.stdout.split()}
        self.assertTrue({"\u00ad", "\u034f", "\u200e", "\u202e", "\u2066", "\u3164", "\ufe0f", "\U000e0041"} <= wanted)
        names, known = [], [chr(i) for i in range(1, 0x110000) if not 0xd800 <= i < 0xe000 and chr(i) not in "/\\"]
        with zipfile.ZipFile(self.path("a.pk3"), "w") as archive:
            for at in range(0, len(known), 100):
                names.append("%08x" % at + "".join(known[at:at + 100]))
                archive.writestr(zipfile.ZipInfo(names[-1]), b"")
        listed = dict((line[:8], line[8:]) for line in self.run_tool("ls", "a.pk3")[0].split("\n"))
        for name in names:
            shown = listed[name[:8]]
            for character in name[8:]:
                escaped = "".join("\\x%02x" % byte for byte in character.encode())
                is_escaped = not shown.startswith(character)
                # An older system does not know the newest characters.
                if unicodedata.category(character) != "Cn" or character in wanted:
                    self.assertEqual(is_escaped, character in wanted, hex(ord(character)))
                shown = shown.removeprefix(escaped if is_escaped else character)
            self.assertEqual(shown, "")

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
        self.write("ÿ.md2")
        model, other = self.run_json("info", "--json", b"\xff.md2", "ÿ.md2")  # two files, one text
        self.assertEqual([model["file"], model["file_bytes"], other["file"]], ["ÿ.md2", "%ff.md2", "ÿ.md2"])
        self.assertNotIn("file_bytes", other)
        failure = self.run_json("info", "--json", b"%\xe9 \"\\", status=1)[0]
        self.assertEqual(urllib.parse.unquote_to_bytes(failure["file_bytes"]), b"%\xe9 \"\\")
        made = self.run_json("edit", "--json", "--scale", "2", "ÿ.md2", "-o", b"\xe9.md2")[0]
        self.assertEqual([made["written"], made["written_bytes"]], ["é.md2", "%e9.md2"])
        made = self.run_json("convert", "--json", "ÿ.md2", "-o", b"\xe9.md3")[0]["files"][-1]
        self.assertEqual([made["name"], made["name_bytes"]], ["é.md3", "%e9.md3"])
        pair = self.run_json("compare", "--json", "ÿ.md2", b"\xff.md2")[0]
        self.assertEqual([pair["files"], pair["files_bytes"]], [["ÿ.md2"] * 2, ["%c3%bf.md2", "%ff.md2"]])
        self.assertNotIn("files_bytes", self.run_json("compare", "--json", "ÿ.md2", "ÿ.md2")[0])

    def test_several_files_in_their_order_with_any_number_of_threads(self):
        paths = (MD2 + MDC) * 3 + ["missing.md2"] + MDC
        for option in [], ["--json"]:
            one = self.run_tool("info", "-j1", *option, *paths, status=1)
            for jobs in "2", "7":
                self.assertEqual(self.run_tool("info", "-j", jobs, *option, *paths, status=1), one)
            self.assertEqual(self.run_tool("info", *option, *paths, status=1), one)
        lines = self.run_json("info", "--json", *paths, status=1)
        self.assertEqual([line["file"] for line in lines], paths)

    def test_csv(self):
        """A row per model: counts, checksum, missing textures and problems; equal geometry is marked, whatever the names."""
        self.write("in/a.md2", make_md2(names=[b"run1", b"run2"], skins=[b"x.pcx"]))
        self.write("in/b,\".md2", make_md2(names=[b"die1", b"die2"], skins=[b"y.pcx"]))
        self.write("in/c.md2", make_md2(names=[b"run1", b"run2", b"run3"], skins=[b"x.pcx"]))
        self.write("in/d.md2", b"IDP2")
        shutil.copy(HEAD, self.path("in/head.mdc"))
        output, _ = self.run_tool("info", "--csv", "in", status=1)
        self.assertIn('"in/b,"".md2",md2,', output)
        rows = list(csv.DictReader(io.StringIO(output)))
        self.assertEqual(list(rows[0]), "path format size crc32 frames surfaces triangles clips missing_textures problems "
                                        "duplicate_of".split())
        for row in rows:
            data = self.read(row["path"])
            self.assertEqual((row["size"], row["crc32"]), (str(len(data)), "%08x" % zlib.crc32(data)))
        self.assertEqual([row["path"] for row in rows], ["in/a.md2", 'in/b,".md2', "in/c.md2", "in/d.md2", "in/head.mdc"])
        self.assertEqual([row["duplicate_of"] for row in rows], ["", "in/a.md2", "", "", ""])
        self.assertEqual([row["missing_textures"] for row in rows], ["x.pcx", "y.pcx", "x.pcx", "", "models/players/tick/tick.pcx"])
        self.assertEqual([rows[4][key] for key in ("format", "frames", "surfaces", "triangles", "clips", "problems")],
                         ["mdc", "42", "4", "472", "4", ""])
        self.assertEqual([rows[3][key] for key in ("format", "frames", "problems")], ["md2", "", "truncated"])
        self.assertEqual([row["problems"] for row in rows[:3]], ["skin-path"] * 3)
        self.assertEqual(self.run_tool("info", "--csv", "-j1", "in", status=1)[0], output)
        self.assertIn("--csv and --json cannot be combined", self.run_tool("info", "--csv", "--json", "in", status=2)[1])

    def rows(self, *paths, status=0):
        output, errors = self.run_tool("info", "--csv", *paths, status=status)
        return list(csv.DictReader(io.StringIO(output))), errors

    def test_equal_geometry(self):
        """Copies that are optimized, encoded again, in another order, or have other normals are duplicates. A model with
        a moved vertex, turned triangles or another order of frames is none."""
        for name in "tick.md2", "tick_torch.mdl", "tick_head.mdc":
            model = os.path.join(os.path.dirname(HEAD), name)
            end = os.path.splitext(name)[1]
            shutil.copy(model, self.path("a" + end))
            self.run_tool("optimize", model, "-o", self.path("optimized" + end))
            if end != ".mdc":  # its compressed frames change
                self.run_tool("convert", model, "-o", self.path("encoded" + end))
        rows, _ = self.rows("a.md2", "optimized.md2", "encoded.md2", "a.mdl", "optimized.mdl", "encoded.mdl", "a.mdc",
                            "optimized.mdc")
        self.assertEqual([row["duplicate_of"] for row in rows],
                         ["", "a.md2", "a.md2", "", "a.mdl", "a.mdl", "", "a.mdc"])
        data = bytearray(self.read("a.md2"))
        num_tris, = struct.unpack_from("<i", data, 32)
        at_tris, at_frames = struct.unpack_from("<ii", data, 52)
        size, = struct.unpack_from("<i", data, 16)
        moved, turned, swapped, normals = (bytearray(data) for _ in range(4))
        moved[at_frames + 20 * size + 40] ^= 1
        turned[at_tris:at_tris + 4] = data[at_tris + 2:at_tris + 4] + data[at_tris:at_tris + 2]
        swapped[at_frames:at_frames + 2 * size] = data[at_frames + size:at_frames + 2 * size] + data[at_frames:at_frames + size]
        for vertex in range(10):
            normals[at_frames + 40 + 4 * vertex + 3] ^= 1
        tris = [bytes(data[at_tris + 12 * i:at_tris + 12 * i + 12]) for i in range(num_tris)]
        order = data[:at_tris] + b"".join(reversed(tris)) + data[at_tris + 12 * num_tris:]
        for name, contents in ("moved", moved), ("turned", turned), ("swapped", swapped), ("normals", normals), ("order", order):
            self.write(name + ".md2", bytes(contents))
        rows, _ = self.rows("a.md2", "moved.md2", "turned.md2", "swapped.md2", "normals.md2", "order.md2")
        self.assertEqual([row["duplicate_of"] for row in rows], ["", "", "", "", "a.md2", "a.md2"])

    def test_rounded_geometry(self):
        """A copy whose scale was rounded otherwise is a duplicate, and one of another scale is none."""
        data = make_md2([b"a1"], ())
        at, = struct.unpack_from("<i", data, 56)
        paths = []
        for i in range(100):
            for name, factor in ("%02d.md2", 1), ("%02d_copy.md2", 1 + 8e-7), ("%02d_other.md2", 1 + 8e-6):
                scale = [factor * (1 + i / 100)] * 3
                self.write(name % i, data[:at] + struct.pack("<3f", *scale) + data[at + 12:])
                paths.append(name % i)
        rows, _ = self.rows(*paths)
        self.assertEqual([row["duplicate_of"] for row in rows],
                         [path for i in range(100) for path in ("", "%02d.md2" % i, "")])

    def test_csv_of_odd_files(self):
        """No cell is a formula; other formats have names; links that lead nowhere are reported."""
        self.write("=1.md2", make_md2(names=[b"a1"], skins=[b'=HYPERLINK("x")']))
        self.write("+1.md2", make_md2(names=[b"a1"], skins=[b"@x\ny.pcx"]))
        self.write("hl.mdl", b"IDST" + bytes(100))
        rows, _ = self.rows("=1.md2", "+1.md2", "hl.mdl", status=1)
        self.assertEqual([(row["path"], row["missing_textures"]) for row in rows],
                         [("'=1.md2", "'=HYPERLINK(\"x\")"), ("'+1.md2", "'@x\\x0ay.pcx"), ("hl.mdl", "")])
        self.assertEqual(rows[1]["duplicate_of"], "'=1.md2")
        self.assertEqual((rows[2]["format"], rows[2]["problems"]), ("MDL model of Half-Life (skeletal)", "unknown-format"))
        self.write("in/a.md2")
        os.symlink("nowhere.md2", self.path("in/b.md2"))
        os.symlink("nowhere.txt", self.path("in/c.txt"))
        os.symlink(".", self.path("in/d"))
        rows, errors = self.rows("in", status=1)
        self.assertEqual([row["path"] for row in rows], ["in/a.md2"])
        self.assertIn("in/b.md2: this link leads nowhere\n", errors)
        self.assertIn("in/d: skipped [io]: this link leads to a folder", errors)
        self.assertNotIn("c.txt", errors)

    def test_rapo_is_named(self):
        with open(os.path.join(os.path.dirname(HEAD), "tick_torch.mdl"), "rb") as file:
            self.write("a.mdl", make_models.rapo_of(file.read(), random.Random(1)))
        self.assertIn("format       mdl, RAPO, version 50\n", self.run_tool("info", "a.mdl")[0])
        self.assertRegex(self.run_tool("formats")[0], r"Hexen II: Portal of Praevus +RAPO +50  read only\n")
        (mdl,) = [line for line in self.run_json("formats", "--json") if line["name"] == "mdl"]
        self.assertEqual(mdl["variant"], {"game": "Hexen II: Portal of Praevus", "ident": "RAPO", "version": 50})
        _, errors = self.run_tool("convert", "a.mdl", "-o", self.path("b.mdl"))
        counts = [self.run_json("info", "--json", name)[0]["surfaces"][0]["vertices"] for name in ("a.mdl", "b.mdl")]
        self.assertIn("RAPO becomes IDPO, in which each vertex has one texture coordinate: %d vertices become %d\n"
                      % tuple(counts), errors)
        self.assertNotIn("RAPO", self.run_tool("convert", "b.mdl", "-o", self.path("c.mdl"))[1])

    def test_groups_of_one_image(self):
        """A group of one image is a group, and stays one. Times that do not increase are replaced with a warning."""
        with open(os.path.join(os.path.dirname(HEAD), "tick_torch.mdl"), "rb") as file:
            torch = file.read()
        for ends, shown in ((0.3,), (0.3,)), ((0.5, 0.2, 0.1), (0.5, 1, 1.5)):
            images = (torch[100:4196] * 3)[:len(ends) * 4096]
            self.write("a.mdl", torch[:84] + struct.pack("<ii%df" % len(ends), 1, len(ends), *ends) + images + torch[8292:])
            output, _ = self.run_tool("info", "a.mdl")
            self.assertIn("group of %d image%s, ends of images in seconds: %s\n"
                          % (len(ends), "" if len(ends) == 1 else "s", " ".join("%g" % end for end in shown)), output)
            self.assertEqual("each of its elements lasts as long as the first" in output, ends != shown)
            self.run_tool("convert", "-f", "a.mdl", "-o", self.path("b.mdl"))
            data = self.read("b.mdl")
            self.assertEqual(struct.unpack_from("<ii%df" % len(ends), data, 84),
                             struct.unpack("<ii%df" % len(ends), struct.pack("<ii%df" % len(ends), 1, len(ends), *shown)))
            self.assertEqual(data[92 + 4 * len(ends):][:len(images)], images)

    def test_games_above_the_working_directory(self):
        """A model's path in a game counts, however both are spelled: MODELDEF names models by it."""
        self.write("game/modeldef.txt", b"Model A { Path \"foo\" Model 0 \"a.md2\" Skin 0 \"own.pcx\" }")
        self.write("game/foo/a.md2", make_md2(skins=[b"x.pcx"]))
        for folder, path, game in ((".", "game/foo/a.md2", "game"), ("game", "foo/a.md2", "."), ("game/foo", "a.md2", ".."),
                                   ("game/foo", "a.md2", self.path("game")), ("game/foo", "../foo/a.md2", "../../game")):
            output, _ = self.run_tool("info", "--game", game, path, cwd=self.path(folder))
            self.assertIn("modeldef.txt", output, (folder, path, game))

    def test_standard_input(self):
        with open(PLAYER, "rb") as file:
            data = file.read()
        (model,) = self.run_json("info", "--json", "-", input=data)
        (same,) = self.run_json("info", "--json", "--clips-from", "none", PLAYER)
        self.assertEqual(model["file"], "-")
        # A model in no folder has no textures next to it.
        self.assertEqual({**model, "file": PLAYER, "game": same["game"], "textures": same["textures"]}, same)
        self.assertIn("standard input", self.run_tool("info", "-", input=data)[0])

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
        self.assertEqual(self.clip_names("--clips-from", "none", "a.md2"), ["run"])
        self.assertEqual(self.clip_names("--clips-from=animation.cfg", "a.md2"), ["CFG", "LAST"])
        self.assertEqual(self.clip_names("-", "--clips-from", "a.framegroups", input=make_md2()), ["stem"])

    def test_linked_clip_files(self):
        """Links within the model's folder are followed, as for textures, but not out of it."""
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
        self.assertIn("lerpmesh: a.md2: ", self.run_tool("info", "--clips-from", "a.framegroups", "a.md2", status=1)[1])
        self.write("long.framegroups", b"0 500 10 1 // long\n")
        output = self.run_tool("info", "--clips-from", "long.framegroups", "a.md2")[0]
        self.assertRegex(output, r"long +0-2")
        self.assertIn("Warnings", output)


class Check(ToolTest):
    def test_engines(self):
        names = [b"f%d" % i for i in range(1, 601)]
        self.write("long.md2", make_md2(names=names))
        self.assertIn("[engine-limit]", self.run_tool("check", "long.md2")[0])
        output, _ = self.run_tool("check", "--engine", "quake2", "long.md2", status=1)
        self.assertRegex(output, r"error \[engine-limit\] .*512")
        self.run_tool("check", "--engine=q2pro", "long.md2")
        _, errors = self.run_tool("check", "--engine=quake3", "long.md2", status=1)
        self.assertIn("--engine quake3 has limits for md3, not for md2", errors)
        self.run_tool("convert", "long.md2", "-o", "long.md3", "--scale", "0.5")
        for engine in ("q2pro", "rtcw", "rtcw-sp", "et", "quake3"):
            self.run_tool("check", "--engine", engine, "long.md3")
        errors = self.run_tool("check", "--engine", "quake2", "long.md3", status=1)[1]
        self.assertIn("--engine quake2 has limits for md2, not for md3", errors)
        self.write("both/a.md2", make_md2())
        self.run_tool("check", "--engine", "rtcw", "both", status=1)
        shutil.copy(HEAD, self.path("both/b.mdc"))
        self.run_tool("check", "--engine", "rtcw", "both")


class Compare(ToolTest):

    def test_names_are_escaped_for_the_terminal(self):
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
        models = os.path.join(os.environ["LERPMESH_SOURCE_DIR"], "samples", "models")
        for folder, first in ("players/tick", "lower.md3"), ("weapons2/winder", "v_winder_hand.mdc"):  # of several models
            path = os.path.join(models, folder)
            errors = self.run_tool("compare", path, os.path.join(path, first))[1]
            self.assertEqual(errors, f"lerpmesh: {path}: only {path}/{first} is compared: name the other models to compare them\n")
