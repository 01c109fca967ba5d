"""The fuzzers' lists are complete: each format of models and images has a surface, each surface has seeds and a
dictionary, and the dictionary of the command has every option and the extension of every format."""
import os
import pathlib
import re
import unittest
import zipfile

ROOT = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
# Files whose content has a format of its own: words that only such a seed has.
KINDS = {"weapon.cfg": ("clips", b"newfmt"), "a weapon": ("assets", b"weapon.cfg"), "MODELDEF": ("assets", b"SurfaceSkin"),
         "a player of MDS": ("assets", b"MDSW"), "RAPO": ("mdl", b"RAPO"), "BMP": ("bmp", b"BM"),
         "a weapon of ours": ("gltf", b'"hand":')}


def surfaces():
    """Yields the words of each line of the table in fuzz/fuzz.c: name, function, dictionary and kinds of seeds."""
    for line in re.findall(r'^    \{("[^}]*)\}', (ROOT / "fuzz/fuzz.c").read_text(encoding="utf-8"), re.M):
        name, _, function, _, dictionary, seeds = (word.strip().strip('"') for word in line.split(","))
        yield name, function, dictionary, seeds.split()


def formats():
    return re.findall(r"^X\((\w+)\)", (ROOT / "src/formats.inc").read_text(encoding="utf-8"), re.M)


def seeds_of(kind):
    with zipfile.ZipFile(ROOT / f"fuzz/seeds/{kind}.zip") as archive:
        return [archive.read(name) for name in archive.namelist()]


class FuzzLists(unittest.TestCase):
    def test_every_format_has_a_surface(self):
        names = {name for name, *_ in surfaces()}
        self.assertGreater(len(formats()), 4)
        self.assertEqual({f"load_{name}" for name in formats()} - names, set())
        images = re.findall(r'return (?:.*\? )?"(\w+)"', (ROOT / "assets/image/image.c").read_text(encoding="utf-8"))
        self.assertGreater(len(images), 4)
        self.assertEqual({f"image_{name}" for name in images} - names, set())

    def test_every_surface_has_seeds_and_a_dictionary(self):
        for name, _, dictionary, kinds in surfaces():
            self.assertTrue((ROOT / f"fuzz/{dictionary}.dict").is_file(), name)
            for kind in kinds:
                self.assertGreater(len(seeds_of(kind)), 0, (name, kind))

    def test_every_kind_of_file_has_a_seed(self):
        for what, (kind, word) in KINDS.items():
            self.assertTrue(any(word in seed for seed in seeds_of(kind)), what)

    def test_the_dictionary_has_every_option(self):
        words = (ROOT / "fuzz/tool.dict").read_text(encoding="utf-8")
        rows = re.findall(r'^ROW\(\w+, [^,]*, "([\w-]+)"', (ROOT / "convert/options.inc").read_text(encoding="utf-8"), re.M)
        self.assertGreater(len(rows), 80)
        self.assertEqual([row for row in rows if f'"--{row}"' not in words], [])
        self.assertEqual([name for name in (*formats(), "iqm") if f'".{name}"' not in words], [])


if __name__ == "__main__":
    unittest.main()
