"""The commands that only read: info with clip files next to the model, examine, check, compare and formats."""
import glob
import os
import re
import shutil
import struct

import skipping
from small_files import make_md2
from tool_case import HEAD, MD2, MD2_FIELDS, MDC, PLAYER, SOURCE, SPIDER, ToolTest, read_header


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
            self.assertEqual(list(model["gl_commands"]), ["integers", "strips", "fans", "triangles"])
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
            self.assertEqual((len(model["frames"]), len(model["tags"]), len(model["surfaces"])), counts[:3])
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
        self.assertIn(("vertex-index", 1), [(warning["code"], warning["count"]) for warning in model["warnings"]])
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
        self.assertEqual(self.clip_names("-", "--clips", "a.framegroups", input=make_md2()), ["stem"])

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
        self.assertIn("lerpmesh: a.md2: ", self.run_tool("info", "--clips", "a.framegroups", "a.md2", status=1)[1])
        self.write("long.framegroups", b"0 500 10 1 // long\n")
        output = self.run_tool("info", "--clips", "long.framegroups", "a.md2")[0]
        self.assertRegex(output, r"long +0-2")
        self.assertIn("Warnings", output)


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
        self.assertNotIn(headers[0]["fields"][0]["offset"], [field["offset"] for field in layout["fields"]])
        self.assertEqual({field["name"]: field["value"] for field in layout["fields"]}, model["header"])
        text = self.run_tool("examine", SPIDER)[0]
        for surface in headers:
            self.assertIn("\n%s\n" % surface["name"], text)

    def test_padding_and_trailing_bytes_are_reported(self):
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
                self.assertGreater(len(self.run_tool("examine", PLAYER, "--lump", lump["name"])[0]), 10, lump["name"])
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
        self.assertIn("\"skin 0 images\" consists of plain bytes",
                      self.run_tool("examine", torch, "--lump", "skin 0 images", status=1)[1])
        self.write("a.md2", make_md2(names=[b"\x1b[31m1", b"\x1b[31m2"]))
        self.assertNotIn("\x1b", self.run_tool("examine", "a.md2", "--lump", "frames")[0])

    def test_failures(self):
        self.write("text.md2", b"hello" * 50)
        lines = self.run_json("examine", "--json", "missing", "text.md2", PLAYER, status=1)
        self.assertEqual([list(line)[1] for line in lines], ["error", "error", "format"])


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
        self.assertEqual(counts["errors"], 1)
        self.assertEqual(lines[-1], "bad.md2: 1 error, %(warnings)d warnings" % counts)
        severities = [re.search(r": (error|warning) \[", line).group(1) for line in lines[:-1]]
        self.assertEqual(severities, sorted(severities))
        self.assertIn("byte 0x", self.run_tool("check", "-v", "bad.md2", status=1)[0])

    def test_long_lists_are_cut_and_counted(self):
        names = [b"run%d" % i for i in range(1, 31)]
        self.write("bad.md2", make_md2(names=names, normal=200))
        short, _ = self.run_tool("check", "--strict", "bad.md2", status=1)
        every, _ = self.run_tool("check", "-v", "--strict", "bad.md2", status=1)
        self.assertEqual(short.count("[normal-index]"), 16)
        self.assertEqual(every.count("[normal-index]"), 90)
        (report,) = self.run_json("check", "--json", "bad.md2")
        self.assertEqual(sum(p["code"] == "normal-index" for p in report["problems"]), 90)
        self.assertEqual(report["counts"]["errors"], 0)
        self.assertIn("90 errors", short)
        self.assertIn("-v lists all", short)
        self.assertNotIn("-v lists all", every)

    def test_offset_is_where_the_problem_is(self):
        data = make_md2(vertex=900)
        self.write("bad.md2", data)
        (report,) = self.run_json("check", "--json", "bad.md2", status=1)
        (problem,) = [p for p in report["problems"] if p["code"] == "vertex-index"]
        self.assertIn(struct.pack("<H", 900), data[problem["offset"]:problem["offset"] + 12])
        self.assertEqual((problem["severity"], problem["section"], problem["index"]), ("error", "triangles", 0))

    def test_engines(self):
        names = [b"f%d" % i for i in range(1, 601)]
        self.write("long.md2", make_md2(names=names))
        self.assertIn("[engine-limit]", self.run_tool("check", "long.md2")[0])
        output, _ = self.run_tool("check", "--engine", "quake2", "long.md2", status=1)
        self.assertRegex(output, r"error \[engine-limit\] .*512")
        self.run_tool("check", "--engine=q2pro", "long.md2")
        _, errors = self.run_tool("check", "--engine=quake3", "long.md2", status=1)
        self.assertIn("--engine quake3 has limits for md3, not for md2", errors)
        self.write("both/a.md2", make_md2())
        self.run_tool("check", "--engine", "rtcw", "both", status=1)
        shutil.copy(HEAD, self.path("both/b.mdc"))
        self.run_tool("check", "--engine", "rtcw", "both")

    def test_unreadable_files(self):
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

    def test_a_summary_counts_listed_problems(self):
        self.write("a.md2", make_md2(names=[b"run%03d" % i for i in (101, 102, 201, 202)]))
        lines = self.run_tool("check", "-v", "a.md2")[0].splitlines()
        kinds = [sum(": %s [" % kind in line for line in lines) for kind in ("error", "warning", "note")]
        self.assertEqual([int(n) for n in re.findall(r"(\d+) (?:error|warning|note)", lines[-1])], kinds)


class Compare(ToolTest):
    def test_a_model_and_its_conversion(self):
        self.run_tool("convert", "-q", PLAYER, "-o", "a.md3")
        output, _ = self.run_tool("compare", PLAYER, "a.md3")
        self.assertRegex(output, r"^positions: maximum error 0\.01\d+ units, RMS 0\.00\d+\n"
                                 r"  largest at vertex \d+ of surface 0 \"\" of \S+, in frames \d+ and \d+\n"
                                 r"normals: maximum error 0\.\d+ degrees, average 0\.\d+\n"
                                 r"texture coordinates: maximum error 0 of the skin\n")
        self.assertRegex(output, r"\n  stand +40 +0\.01")
        self.assertEqual(len(output.splitlines()), 4 + 1 + 1 + 20 + output.count("only the"))
        self.run_tool("compare", "--tolerance", "0.02", PLAYER, "a.md3")
        self.assertIn("more than --tolerance 0.002",
                      self.run_tool("compare", "--tolerance", "0.002", PLAYER, "a.md3", status=1)[1])
        found = self.run_json("compare", "--json", "--tolerance", "0", "a.md3", "a.md3")[0]
        self.assertEqual((found["max_distance"], found["max_angle_error"], found["max_st"]), (0, 0, 0))
        self.assertEqual([clip["count"] for clip in found["clips"]][:2], [40, 6])

    def test_two_models_are_needed(self):
        self.assertIn("compare needs two models", self.run_tool("compare", PLAYER, status=2)[1])
        self.assertIn("compare needs two models", self.run_tool("compare", PLAYER, "a", "b", status=2)[1])
        self.assertIn("no.md2", self.run_tool("compare", PLAYER, "no.md2", status=1)[1])
        self.assertIn("no.md2", self.run_tool("compare", "no.md2", PLAYER, status=1)[1])

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

    def test_standard_input_is_read_once(self):
        self.assertIn("standard input (-) is given 2 times, but it can be read only once",
                      self.run_tool("compare", "-", "-", status=2)[1])


class Formats(ToolTest):
    def test_each_is_listed_with_its_features(self):
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
            self.assertIn("%s (%s)" % (name.upper(), info["game"]), overview)
        self.assertIn("GL commands", table)

    def test_help_page(self):
        page = self.run_tool("formats", "--help")[0]
        self.assertEqual(self.run_tool("help", "formats")[0], page)
        self.assertIn("lerpmesh formats --json", page)
        self.assertIn("takes no files", self.run_tool("formats", "x.md2", status=2)[1])
