"""Tests help, options, and wrong uses of them."""
import glob
import os
import re

from tool_case import COMMANDS, SOURCE, ToolTest


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

    def options(self, command, words="--help-all"):
        """Returns the options on a command's page: {"--frames": takes a value}."""
        page = self.run_tool(command, words)[0]
        listed = re.findall(r"(?m)^  (?:-\w,|   ) (--[a-z0-9-]+)( [A-Z]\S*)?", page)
        return page, {name: bool(value) for name, value in listed}

    def test_help_of_each_command(self):
        for command in COMMANDS:
            page, options = self.options(command)
            self.assertEqual(self.run_tool("help", command, "--help-all")[0], page)
            self.assertIn("Usage: lerpmesh %s " % command, page)
            self.assertGreaterEqual(len(options), 3, page)
            for line in page.splitlines():
                self.assertLessEqual(len(line), 80)
            examples = page.split("Examples:\n")[1]
            self.assertIn("lerpmesh %s " % command, examples)
            for option in re.findall(r"--[a-z0-9-]+", examples):
                self.assertIn(option, options)

    def test_short_help_has_the_first_twelve_options(self):
        for command in COMMANDS:
            page, options = self.options(command, "--help")
            self.assertEqual([self.run_tool(*words)[0] for words in (["help", command], [command, "-h"])], [page, page])
            every = self.options(command)[1]
            self.assertEqual(len(options), min(len(every) - 2, 12), page)
            self.assertLessEqual(options.items(), every.items())
            self.assertLessEqual(len(page.splitlines()), 40)
            more = "All %d options: lerpmesh %s --help-all\n" % (len(every), command)
            self.assertEqual(more in page, len(every) - 2 > len(options), page)
            self.assertTrue(page.endswith("\nManual: man lerpmesh-%s\n" % command), page)

    def test_all_options_are_in_groups(self):
        page, options = self.options("convert")
        titles = re.findall(r"(?m)^([A-Z][a-z ]+):\n  ", page)
        self.assertEqual(titles, ["Output", "Frames and clips", "Attached models", "Textures and materials", "Geometry",
                                  "Models to write", "Imported files", "Damage and limits", "Reports", "General",
                                  "Examples"])
        self.assertGreater(len(options), 45)
        self.assertIn("General:\n  -h, --help ", self.run_tool("ls", "--help-all")[0])

    def test_commands_accept_exactly_the_listed_options(self):
        every = {}
        for command in COMMANDS:
            every.update(self.options(command)[1])
        for command in COMMANDS:
            listed = self.options(command)[1]
            for option, takes_value in every.items():
                if option in ("--help", "--help-all"):
                    continue
                arguments = [option] + (["1"] if takes_value else [])
                errors = self.run_tool(command, *arguments, status=2)[1]
                self.assertEqual("there is no option" in errors, option not in listed,
                                 "%s %s: %s" % (command, option, errors))

    def test_blender_files_need_an_export(self):
        """Also without Assimp, the message begins with its reason."""
        with open(self.path("hero.blend"), "wb") as file:
            file.write(b"BLENDER-v304" + bytes(99))
        for arguments in (["info"], ["convert", "-o", "x.md3"]):
            errors = self.run_tool(*arguments, "hero.blend", status=1)[1]
            self.assertIn("; export glTF from Blender", errors)

    def test_numbers_are_read_strictly(self):
        self.write("a.md2")
        for option, values in {
            "--frames": ["", "x", "1x", " 1", "0x1", "nan", "inf", "-1", "1e400", "1,5", "--", "1-", "2-1", "0-1x", "1.0-2",
                         "0 - 1", "0-99999999999"],
            "--speed": ["0", "-1", "1e4", "x"],
            "--unit": ["0", "-1", "inf"],
            "--fps": ["0", "-5", "nan", "1e9", "1e-9"],
            "--scale": ["0", "-1", "inf", "1e39", "1e-50", "2m"],
            "--max-output": ["0", "-1", "1T", "1KK", "1.5G", "99999999999999999999", "G"],
            "--import-time": ["0", "-1", "1.5", "86401", "1m"],
            "--import-memory": ["0", "-1", "1KK", "1.5G", "99999999999999999999", "G"],
            "--axes": ["z", "GLTF "],
            "--format": ["fbx"],
        }.items():
            for value in values:
                _, errors = self.run_tool("convert", "a.md2", "-o", "a.glb", option, value, status=2)
                self.assertIn(option, errors.replace("format \"", "--format \""))
        self.assertEqual(self.files(), ["a.md2"])

    def test_options_may_follow_names_until_two_dashes(self):
        self.write("--json")
        plain = self.run_tool("info", "--", "--json")[0]
        self.assertIn("format", plain)
        self.assertEqual(self.run_tool("info", "-qv", "--", "--json")[0],
                         self.run_tool("info", "-v", "./--json", "-q")[0].replace("./--json", "--json"))
        self.assertEqual(self.run_tool("info", "-j1", "--", "--json")[0], plain)
        self.assertEqual(self.run_tool("info", "--jobs=1", "--", "--json")[0], plain)

    def test_help_of_help(self):
        overview = self.run_tool("help")[0]
        self.assertEqual(self.run_tool("help", "help")[0], overview)
        self.assertEqual(self.run_tool("help", "version")[0], overview)
        self.assertEqual(self.run_tool("-V")[0], self.run_tool("version")[0])
