#!/usr/bin/env python3
"""lerpmesh examine: headers, tables of lumps, gaps and overlaps."""
import os
import struct
import unittest

from small_files import make_md2
from tool_case import MD2_FIELDS, PLAYER, SOURCE, SPIDER, ToolTest, read_header


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
        self.assertIn("\"skin 0 images\" consists of plain bytes",
                      self.run_tool("examine", torch, "--lump", "skin 0 images", status=1)[1])
        self.write("a.md2", make_md2(names=[b"\x1b[31m1", b"\x1b[31m2"]))
        self.assertNotIn("\x1b", self.run_tool("examine", "a.md2", "--lump", "frames")[0])

    def test_failures(self):
        self.write("text.md2", b"hello" * 50)
        lines = self.run_json("examine", "--json", "missing", "text.md2", PLAYER, status=1)
        self.assertEqual([list(line)[1] for line in lines], ["error", "error", "format"])


if __name__ == "__main__":
    unittest.main()
