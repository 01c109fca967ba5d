#!/usr/bin/env python3
"""lerpmesh formats: the formats and their page."""
import unittest

from tool_case import ToolTest


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


if __name__ == "__main__":
    unittest.main()
