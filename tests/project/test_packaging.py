"""The files in packaging/ are valid and agree with the headers, with CMake, with scripts/deps.sh and with the licence."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
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


PYTHON = {"dh-python", "python3-cffi", "python3-dev", "python3-setuptools", "python3-wheel"} # of python3-lerpmesh


class Needs(unittest.TestCase):
    def test_make_web_names_its_needs(self):
        """Before it starts, and in README and the install page: Node is not enough to build the package."""
        with tempfile.TemporaryDirectory() as folder:
            for name in "bash", "sort", "tr", "id":
                os.symlink(shutil.which(name), os.path.join(folder, name))
            done = subprocess.run(["bash", ROOT / "scripts/deps.sh", "web"], env={"PATH": folder}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        packages = re.fullmatch(r"make web needs Debian's packages (.*), or your system's equivalents\n", done.stdout)
        self.assertLessEqual({"binaryen", "clang", "esbuild", "lld", "nodejs", "zopfli"}, set(packages.group(1).split()))
        for page in "README.md", "docs/install.md":
            for name in "Clang", "LLD", "wasi-libc", "Binaryen", "Zopfli", "esbuild":
                self.assertRegex(read(ROOT / page), rf"`make web` needs[^.]*\b{name}\b")


class Debian(unittest.TestCase):
    def test_symbols(self):
        soname = ".".join(version()[:2])
        for package, keywords in ((f"liblerpmesh{soname}", ("", "WRITE_", "ASSETS_", "IMPORT_", "CONVERT_")),
                                  (f"liblerpmesh-gl{soname}", ("GL_",))):
            listed = set(re.findall(r"^ (lm_\w+)@", read(DEBIAN / f"{package}.symbols"), re.M))
            public = set().union(*(declared(f"LM_{keyword}API") for keyword in keywords))
            self.assertGreater(len(listed), 20)
            self.assertEqual(listed, public, f"packaging/debian/{package}.symbols")

    def test_packages_have_the_name_of_the_soname(self):
        soname = ".".join(version()[:2])
        packages = re.findall(r"^Package: (\S+)$", read(DEBIAN / "control"), re.M)
        self.assertEqual(set(packages), {f"liblerpmesh{soname}", f"liblerpmesh-gl{soname}", "liblerpmesh-dev",
                                         "lerpmesh", "lerpmesh-viewer", "python3-lerpmesh", "blender-lerpmesh"})
        for package in packages:
            self.assertTrue((DEBIAN / f"{package}.install").exists(), package)

    def test_build_dependencies(self):
        field = re.search(r"^Build-Depends:(.*?)^\S", read(DEBIAN / "control"), re.M | re.S).group(1)
        names = {re.match(r"[\w.+-]+", entry.strip()).group() for entry in field.split(",") if entry.strip()}
        self.assertEqual(names - {"debhelper-compat"} - PYTHON, debian_needs())
        self.assertLessEqual(PYTHON, names)
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


# A Debian package of `make`, the CMake option that it serves, and its names elsewhere.
NEEDS = {"libstb-dev": ("STB", "stb"), "libjsmn-dev": ("IMPORT", "jsmn"), "libassimp-dev": ("ASSIMP", "assimp"),
         "libmeshoptimizer-dev": ("MESHOPT", "meshoptimizer"), "libegl-dev": ("GL|GL_EPOXY", "libepoxy|org.gnome.Platform"),
         "libepoxy-dev": ("GL|GL_EPOXY", "libepoxy|org.gnome.Platform"), "libwebp-dev": ("WEBP|GL_EPOXY", "libwebp|org.gnome.Platform"),
         "libgtk-4-dev": ("VIEWER", "gtk4|org.gnome.Platform"),
         "libadwaita-1-dev": ("VIEWER", "libadwaita|org.gnome.Platform")}
RECIPES = ("vcpkg/lerpmesh/portfile.cmake", "conan/conanfile.py", "homebrew/lerpmesh.rb.in", "arch/PKGBUILD.in",
           "flatpak/org.lerpmesh.Viewer.json")


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options)


class Recipes(unittest.TestCase):
    def test_version(self):
        self.assertEqual(run("sh", ROOT / "scripts/version.sh").stdout.split(), [".".join(version())])

    def test_options_exist(self):
        defined = set(re.findall(r"\b(?:option|set)\((LERPMESH_\w+)", "".join(map(read, (ROOT / "cmake").glob("*.cmake")))))
        for recipe in (*RECIPES, "debian/rules", "appimage/appdir.sh"):
            used = set(re.findall(r"LERPMESH_(?!PYTHON)\w+", read(PACKAGING / recipe).replace("LERPMESH_$(part)", "")))
            used |= {f"LERPMESH_{part}" for part in re.findall(r"^PARTS = (.*)", read(DEBIAN / "rules"), re.M)[0].split()}
            self.assertGreater(len(used), 8, recipe)
            self.assertEqual(used - defined, set(), recipe)

    def test_dependencies(self):
        self.assertEqual(NEEDS.keys(), debian_needs() - {"cmake", "gettext", "make", "pkgconf", "python3"})
        for recipe in RECIPES:
            text = read(PACKAGING / recipe)
            if recipe.startswith("vcpkg"):
                text += read(PACKAGING / "vcpkg/lerpmesh/vcpkg.json")
            for package, (options, names) in NEEDS.items():
                off = re.search(rf"LERPMESH_(?:{options})\b\W*OFF", text)
                self.assertTrue(off or re.search(names, text), f"{recipe} has nothing for {package}")

    def test_versions_and_licences(self):
        vcpkg = json.loads(read(PACKAGING / "vcpkg/lerpmesh/vcpkg.json"))
        self.assertEqual(vcpkg["version"], ".".join(version()))
        self.assertTrue(read(ROOT / "LICENSE").startswith("MIT License"))
        self.assertEqual(vcpkg["license"], "MIT")
        for recipe, line in (("conan/conanfile.py", 'license = "MIT"'), ("homebrew/lerpmesh.rb.in", 'license "MIT"'),
                             ("arch/PKGBUILD.in", "license=(MIT)")):
            self.assertIn(line, read(PACKAGING / recipe))

    def test_sources_of_conan(self):
        source = read(PACKAGING / "conan/conanfile.py")
        patterns = re.findall(r'"([^"]+)"', re.search(r"for pattern in \((.*?)\):", source, re.S).group(1))
        self.assertGreater(len(patterns), 8)
        for pattern in patterns:
            self.assertTrue((ROOT / pattern.removesuffix("/*")).exists(), pattern)
