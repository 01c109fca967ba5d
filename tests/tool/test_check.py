#!/usr/bin/env python3
"""lerpmesh check: problems, their offsets and summaries, engines."""
import glob
import os
import re
import shutil
import struct
import unittest

import skipping
from small_files import make_md2
from tool_case import HEAD, MD2, MDC, ToolTest


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


if __name__ == "__main__":
    unittest.main()
