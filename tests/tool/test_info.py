#!/usr/bin/env python3
"""lerpmesh info: the sheet, its JSON, clip files next to the model."""
import os
import struct
import unittest

from small_files import make_md2
from tool_case import MD2, MD2_FIELDS, MDC, PLAYER, SPIDER, ToolTest, read_header


class Info(ToolTest):
    KEYS = ["file", "format", "version", "bytes", "header", "frames", "clips", "surfaces", "skins",
            "tags", "gl_commands", "game", "skin_file", "textures", "warnings", "counts"]

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

    def test_json_of_md2_matches_the_header(self):
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

    def test_json_of_mdc_matches_the_header(self):
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
        # A model in no folder has no textures next to it.
        self.assertEqual({**model, "file": PLAYER, "game": same["game"], "textures": same["textures"]}, same)
        self.assertIn("standard input", self.run_tool("info", "-", input=data)[0])

    def test_failures_are_reported_and_the_rest_is_processed(self):
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
        self.assertIn("lerpmesh: a.md2: ",
                      self.run_tool("info", "--clips", "a.framegroups", "a.md2", status=1)[1])
        self.write("long.framegroups", b"0 500 10 1 // long\n")
        output = self.run_tool("info", "--clips", "long.framegroups", "a.md2")[0]
        self.assertRegex(output, r"long +0-2")
        self.assertIn("Warnings", output)


if __name__ == "__main__":
    unittest.main()
