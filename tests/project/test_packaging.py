#!/usr/bin/env python3
"""The files in packaging/ agree with the headers, with scripts/deps.sh and with the licence."""
import os
import pathlib
import re
import subprocess
import unittest

from test_exports import declared

ROOT = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
PACKAGING = ROOT / "packaging"
DEBIAN = PACKAGING / "debian"


def read(path):
    return path.read_text(encoding="utf-8")


def version():
    return re.findall(r"^#define LM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", read(ROOT / "include/lerpmesh/base.h"), re.M)


def debian_needs():
    """Returns the Debian packages that `make` needs, as scripts/deps.sh lists them."""
    group = re.search(r"^    build\)\n(.*?);;", read(ROOT / "scripts/deps.sh"), re.M | re.S).group(1)
    names = set(re.findall(r"^\s*need_(?:command|header|path) \S+ ([a-z][\w+.-]*)$", group, re.M))
    return names - {"libc6-dev"} # part of build-essential


class Debian(unittest.TestCase):
    def test_symbols(self):
        soname = ".".join(version()[:2])
        for package, keywords in ((f"liblerpmesh{soname}", ("", "WRITE_", "ASSETS_", "IMPORT_")),
                                  (f"liblerpmesh-gl{soname}", ("GL_",))):
            listed = set(re.findall(r"^ (lm_\w+)@", read(DEBIAN / f"{package}.symbols"), re.M))
            public = set().union(*(declared(f"LM_{keyword}API") for keyword in keywords))
            self.assertGreater(len(listed), 30)
            self.assertEqual(listed, public, f"packaging/debian/{package}.symbols")

    def test_packages_have_the_name_of_the_soname(self):
        soname = ".".join(version()[:2])
        packages = re.findall(r"^Package: (\S+)$", read(DEBIAN / "control"), re.M)
        self.assertEqual(set(packages), {f"liblerpmesh{soname}", f"liblerpmesh-gl{soname}", "liblerpmesh-dev",
                                         "lerpmesh", "lerpmesh-viewer"})
        for package in packages:
            self.assertTrue((DEBIAN / f"{package}.install").exists(), package)

    def test_build_dependencies(self):
        field = re.search(r"^Build-Depends:(.*?)^\S", read(DEBIAN / "control"), re.M | re.S).group(1)
        names = {re.match(r"[\w.+-]+", entry.strip()).group() for entry in field.split(",") if entry.strip()}
        self.assertEqual(names - {"debhelper-compat"}, debian_needs())
        self.assertGreater(len(names), 8)

    def test_paths(self):
        found = 0
        for listing in DEBIAN.glob("*.examples"):
            for pattern in read(listing).split():
                self.assertTrue([*ROOT.glob(pattern)], f"{listing.name}: {pattern}")
                found += 1
        for path in re.findall(r"^Files: (\S+)$", read(DEBIAN / "copyright"), re.M):
            self.assertTrue([*ROOT.glob(path)], f"copyright: {path}")
            found += 1
        for test in re.findall(r"^Tests: (.*)$", read(DEBIAN / "tests/control"), re.M):
            subprocess.run(["sh", "-n", DEBIAN / "tests" / test], check=True)
            self.assertTrue(os.access(DEBIAN / "tests" / test, os.X_OK), test)
            found += 1
        self.assertGreater(found, 8)

    def test_licences(self):
        text = re.sub(r"\s+", " ", re.sub(r"^ \.$", "", read(DEBIAN / "copyright"), flags=re.M))
        for licence, first in (("LICENSE", "Permission"), ("docs/LICENSE-DejaVu.txt", "Permission")):
            words = re.sub(r"\s+", " ", read(ROOT / licence).partition(first)[2]).strip()
            self.assertGreater(len(words), 500)
            self.assertIn(words, text, licence)


if __name__ == "__main__":
    unittest.main()
