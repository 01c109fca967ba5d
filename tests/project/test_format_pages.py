"""The tables of docs/reference/formats/ are right: a reader that knows nothing but them reads files as the command does."""
import itertools
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest

import make_models

ROOT = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
TOOL = os.environ["LERPMESH_BINARY"]
TYPES = {"s32": "i", "f32": "f", "s16": "h", "u16": "H", "u8": "B"}


def examine(path, *options):
    return subprocess.run([TOOL, "examine", *options, path], check=True, capture_output=True, encoding="utf-8", errors="replace").stdout


def tables(page):
    """Yields the title of the section, the columns and the rows of each table of a page."""
    text = (ROOT / "docs/reference/formats" / page).read_text(encoding="utf-8")
    for title, section in re.findall(r"^## (.*)\n((?:(?!## ).*\n)*)", text, re.M):
        for table in re.findall(r"(?:^\|.*\n)+", section, re.M):
            rows = [[cell.strip() for cell in line.strip("|\n").split(" | ")] for line in table.splitlines()]
            yield title, rows[0], rows[2:]


def layout_of(rows):
    """Returns (byte, format of struct, name) for each value in the rows of a table."""
    values = []
    for cells in rows:
        chars, (word, _, times) = re.fullmatch(r"(\d+) chars", cells[1]), cells[1].partition(" × ")
        code = chars[1] + "s" if chars else "<" + TYPES[word] * int(times or 1)
        first, *rest = map(int, re.findall(r"\d+", cells[0]))
        if " to " in cells[0]:
            rest = range(first + struct.calcsize(code), rest[0] + 1, struct.calcsize(code))
        names = re.findall(r"`([^`]*)`", cells[2])
        assert len(names) == 1 + len(rest), cells
        values += zip((first, *rest), itertools.repeat(code), names)
    return values


def layouts(page):
    """Returns the layout and the size of each structure of a page."""
    found = {}
    for title, columns, rows in tables(page):
        if columns[:3] == ["byte", "type", "name"]:
            name, size = re.fullmatch(r"(.*), (\d+) bytes", title).groups()
            found[name.lower()] = (layout_of(rows), int(size))
    return found


def read(layout, data, start):
    """Yields the offset and the value of each number or text of a structure."""
    for at, code, _ in layout[0]:
        for i, value in enumerate(struct.unpack_from(code, data, start + at)):
            text = isinstance(value, bytes)
            yield start + at + 4 * i, value.split(b"\0")[0].decode("utf-8", "replace") if text else value


def same(a, b):
    return a == b or (isinstance(a, (int, float)) and isinstance(b, (int, float)) and math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-12))


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        make_models.main([folder.name, "--count", "48", "--formats", "md2,mdc,md3,mdl"])
        cls.files = [*(ROOT / "samples").glob("tick*.m*"), *pathlib.Path(folder.name).glob("*.m??")]

    def of_format(self, name):
        files = [path for path in self.files if path.suffix == "." + name]
        self.assertGreater(len(files), 3)
        return files


class Tables(Files):
    def test_structures_have_no_gaps(self):
        for page in ("md2.md", "md3.md", "mdc.md", "mdl.md"):
            found = layouts(page)
            self.assertIn("header", found)
            for name, (values, size) in found.items():
                end = 0
                for at, code, field in sorted(values):
                    self.assertEqual(at, end, f"{page}: {name}: {field}")
                    end += struct.calcsize(code)
                self.assertEqual(end, size, f"{page}: {name}")

    def check_values(self, path, layout, start, fields):
        data = path.read_bytes()
        expected = [(field["offset"], field["value"]) for field in fields]
        found = sorted(read(layout, data, start))
        self.assertTrue(len(found) == len(expected) and all(a[0] == b[0] and same(a[1], b[1]) for a, b in zip(found, expected)),
                        f"{path.name}: {found} is not {expected}")

    def test_headers(self):
        for name in ("md2", "md3", "mdc", "mdl"):
            found, surfaces = layouts(name + ".md"), 0
            for path in self.of_format(name):
                seen = json.loads(examine(path, "--json"))
                self.check_values(path, found["header"], 0, seen["fields"])
                for lump in seen["lumps"]:
                    if re.fullmatch(r"surface \d+", lump["name"]):
                        self.check_values(path, found["surface header"], lump["offset"], lump["fields"])
                        surfaces += 1
            self.assertEqual(surfaces > 3, name in ("md3", "mdc"))

    def test_sizes_of_elements(self):
        for name, least in (("md2", 4), ("mdc", 9)):
            sizes = {cells[0]: int(cells[1].split()[0]) for _, columns, rows in tables(name + ".md")
                     if columns[:2] == ["lump", "element"] for cells in rows if re.match(r"\d+ bytes", cells[1])}
            seen = set()
            for path in self.of_format(name):
                for lump in json.loads(examine(path, "--json"))["lumps"]:
                    lump_name = re.sub(r"^surface \d+ ", "", lump["name"]).replace("glcmds", "GL commands")
                    if lump_name in sizes:
                        self.assertEqual(lump["element_size"], sizes[lump_name], f"{path.name}: {lump_name}")
                        seen.add(lump_name)
            self.assertGreaterEqual(len(seen), least)
            self.assertEqual(set(sizes) - seen - {"– vertex"}, set())


class Md3(Files):
    """Reads every element of MD3s."""
    def names(self, layout, data, start):
        return {name: struct.unpack_from(code, data, start + at)[0] for at, code, name in layout[0]}

    def lumps(self, data):
        """Yields the name, the structure, the start and the count of each lump, as the page says."""
        found = layouts("md3.md")
        of_file, of_surface = [rows for _, columns, rows in tables("md3.md") if columns[0] == "lump"]
        header = self.names(found["header"], data, 0)
        parts, start = [("", 0, header, of_file)], header["ofs_surfaces"]
        for i in range(header["num_surfaces"]):
            surface = self.names(found["surface header"], data, start)
            parts.append((f"surface {i} ", start, {**surface, "num_frames": header["num_frames"]}, of_surface))
            start += surface["ofs_end"]
        for prefix, start, numbers, rows in parts:
            for lump, offset, count, size in rows:
                name = lump.removeprefix("surface ")
                layout = found[name.removesuffix("s") if name != "st" else name]
                self.assertEqual(layout[1], int(size), name)
                yield (prefix + name, layout, start + numbers[offset.strip("`")],
                       math.prod(numbers[factor] for factor in re.findall(r"`(\w+)`", count)))

    def test_elements(self):
        seen = dict.fromkeys(("frames", "tags", "triangles", "shaders", "st", "xyz normals"), 0)
        for path in self.of_format("md3"):
            data = path.read_bytes()
            for name, layout, start, count in self.lumps(data):
                rows = examine(path, "--lump", name).splitlines()[1:] if count else []
                self.assertEqual(len(rows), count, f"{path.name}: {name}")
                for i, row in enumerate(rows):
                    values = [value for _, value in read(layout, data, start + i * layout[1])]
                    cells = re.split(r"\s{2,}", row.strip())
                    cells = cells[next(k for k, cell in enumerate(cells) if cell.startswith("0x")):]
                    self.assertEqual(int(cells[0], 16), start + i * layout[1])
                    values = [value for value in values if value != ""]
                    cells = [type(value)(cell) for value, cell in zip(values, cells[1:], strict=True)]
                    self.assertTrue(all(map(same, values, cells)), f"{path.name}: {name}: {values} is not {cells}")
                seen[re.sub(r"^surface \d+ ", "", name)] += count
        self.assertGreater(min(seen.values()), 10, seen)


if __name__ == "__main__":
    unittest.main()
