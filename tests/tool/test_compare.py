#!/usr/bin/env python3
"""lerpmesh compare: two models."""
import struct
import unittest

from small_files import make_md2
from tool_case import PLAYER, ToolTest


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


if __name__ == "__main__":
    unittest.main()
