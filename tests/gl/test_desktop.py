"""Tests the files installed for desktops with the desktops' own tools."""
import configparser
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from test_render import HEAD, KNIGHT, Picture

HERE = os.path.dirname(os.path.abspath(__file__))
import skipping

SOURCE = os.environ["LERPMESH_SOURCE_DIR"]
DATA = os.path.join(SOURCE, "data")
MADE = os.path.join(os.environ["LERPMESH_BUILD_DIR"], "data")  # made from the list of formats
CORPUS = os.environ.get("LERPMESH_CORPUS", "")
APP = "org.lerpmesh.Viewer"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"
LANGUAGES = "de", "fr"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def run(*command, **options):
    result = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if result.returncode != 0:
        raise AssertionError("%s: %s%s" % (command, result.stdout, result.stderr))
    return result.stdout


def read_entry(path, group):
    entry = configparser.RawConfigParser()
    entry.optionxform = str
    with open(path, encoding="utf-8") as file:
        entry.read_file(file)
    return dict(entry[group])


def types_of(entry):
    return {name for name in entry["MimeType"].split(";") if name}


class Sources(unittest.TestCase):
    def test_validators_are_quiet(self):
        self.assertEqual(run("desktop-file-validate", os.path.join(MADE, APP + ".desktop")), "")
        run("appstreamcli", "validate", "--no-net", os.path.join(MADE, APP + ".metainfo.xml"))

    def test_translations(self):
        """Every text of a file has the viewer's languages."""
        if not shutil.which("msgfmt"):
            skipping.skip(self, "msgfmt is not installed")
        entry = read_entry(os.path.join(MADE, APP + ".desktop"), "Desktop Entry")
        for key in "Name", "GenericName", "Comment", "Keywords":
            for language in LANGUAGES:
                self.assertNotIn(entry["%s[%s]" % (key, language)], ("", entry[key]))
        for name, tags in (("lerpmesh.xml", ["comment"]), (APP + ".metainfo.xml", ["name", "summary", "p", "li"])):
            tree = xml.etree.ElementTree.parse(os.path.join(MADE, name))
            for tag in tags:
                found = [[element.text for element in tree.iter() if element.tag.endswith(tag)
                          and element.get(LANG) == language] for language in (None, *LANGUAGES)]
                self.assertGreater(len(found[0]), 0)
                for texts in found[1:]:
                    self.assertEqual(len(texts), len(found[0]), (name, tag))
                    self.assertFalse(set(texts) & {*found[0], None})

    def test_types_agree(self):
        ours = {t.get("type") for t in xml.etree.ElementTree.parse(os.path.join(MADE, "lerpmesh.xml")).getroot()}
        models = {name for name in ours if name.startswith("model/")}
        formats = run(os.environ["LERPMESH_BINARY"], "formats", "--json").splitlines()
        self.assertEqual(models, {json.loads(line)["mime"] for line in formats})
        self.assertGreaterEqual(len(models), 3)
        viewer = types_of(read_entry(os.path.join(MADE, APP + ".desktop"), "Desktop Entry"))
        thumbnails = read_entry(os.path.join(MADE, "lerpmesh.thumbnailer"), "Thumbnailer Entry")
        metainfo = xml.etree.ElementTree.parse(os.path.join(MADE, APP + ".metainfo.xml"))
        self.assertEqual(types_of(thumbnails), models)
        self.assertEqual(viewer, ours | {"application/x-pak"})
        self.assertEqual({m.text for m in metainfo.iter("mediatype")}, viewer)

    def test_icons(self):
        skipping.need(self, "rsvg-convert")
        for name, corner in (APP, 0), (APP + "-symbolic", 0):
            for size in 16, 48, 128:
                png = subprocess.run(["rsvg-convert", "-w", str(size), "-h", str(size),
                                      os.path.join(DATA, name + ".svg")],
                                     capture_output=True, check=True).stdout
                picture = Picture(png)
                self.assertEqual((picture.width, picture.height), (size, size))
                self.assertEqual(picture.rows[0][0][3], corner)
                left, top, right, bottom = picture.box()
                self.assertTrue(right - left > size * 0.8 and bottom - top > size * 0.8)
                if (name, size) == (APP, 48):
                    self.expect_similar(picture, os.path.join(DATA, "window-icon.png"))

    def expect_similar(self, picture, path):
        with open(path, "rb") as file:
            other = Picture(file.read())
        self.assertEqual((other.width, other.height), (picture.width, picture.height))
        most = max(abs(a - b) for mine, its in zip(picture.rows, other.rows)
                   for one, two in zip(mine, its) for a, b in zip(one, two))
        self.assertLess(most, 8)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.prefix = os.path.join(cls.folder, "prefix")
        run("cmake", "--install", os.environ["LERPMESH_BUILD_DIR"], "--prefix", cls.prefix)
        cls.share = os.path.join(cls.prefix, "share")
        cls.environment = dict(os.environ, XDG_DATA_HOME=cls.share, XDG_DATA_DIRS="/usr/share",
                               PATH=os.path.join(cls.prefix, "bin") + ":" + os.environ["PATH"])

    def path(self, name, content=None):
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content)
        return path

    def type_of(self, path):
        words = run("gio", "info", "-a", "standard::content-type", path, env=self.environment)
        return words.split("standard::content-type:")[1].split()[0]

    def test_types_by_content_and_by_name(self):
        models = [(KNIGHT, "model/x-md2", ".MD2"), (HEAD, "model/x-mdc", ".mdc")]
        if os.path.isdir(CORPUS):
            models.append((os.path.join(CORPUS, "md3", "bomb.md3"), "model/x-md3", ".Md3"))
        else:
            skipping.report_skipped("MD3", "there is no corpus")
        for model, expected, extension in models:
            with open(model, "rb") as file:
                content = file.read()
            self.assertEqual(self.type_of(model), expected)
            self.assertEqual(self.type_of(self.path("nameless", content)), expected)
            self.assertEqual(self.type_of(self.path("named" + extension, b"\0")), expected)
        self.assertEqual(self.type_of(self.path("prose", b"IDP2 is how an MD2 begins.\n")), "text/plain")
        self.assertEqual(self.type_of(self.path("pak0.pk3", b"PK\3\4")), "application/x-pk3")
        self.assertEqual(self.type_of(self.path("pak0.pak", b"PACK")), "application/x-pak")

    def test_thumbnailer(self):
        """Runs its command as thumbnailers do: the input may be a nameless copy, the output an
        existing file of any name."""
        entry = read_entry(os.path.join(self.share, "thumbnailers", "lerpmesh.thumbnailer"), "Thumbnailer Entry")
        self.assertTrue(shutil.which(entry["TryExec"], path=self.environment["PATH"]).startswith(self.prefix))
        with open(KNIGHT, "rb") as file:
            nameless = self.path("file to thumbnail", file.read())
        for model, out in ((KNIGHT, "thumbnail.png"), (HEAD, ".tumbler-X1Y2Z3"), (nameless, "thumbnail")):
            for size in "128", "256":
                out = self.path(out, b"")
                values = {"%s": size, "%i": model, "%o": out, "%u": "file://" + model}
                words = shlex.split(entry["Exec"])
                for name, value in values.items():
                    words = [word.replace(name, value) for word in words]
                run(*words, env=dict(self.environment, DISPLAY=""), cwd="/")
                with open(out, "rb") as file:
                    picture = Picture(file.read())
                self.assertEqual((picture.width, picture.height), (int(size), int(size)))
                self.assertEqual(picture.rows[0][0], (0, 0, 0, 0))
                left, top, right, bottom = picture.box()
                self.assertGreater(max(right - left, bottom - top), int(size) * 0.6)

    def test_damaged_model_leaves_no_thumbnail(self):
        bad, out = self.path("bad.md2", b"IDP2\x08\0\0\0"), self.path("no.png")
        result = subprocess.run(["lerpmesh", "render", "-q", "--format", "png", "-o", out, bad],
                                capture_output=True, env=self.environment, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertFalse(os.path.exists(out))

    def test_viewer_files_come_with_the_viewer(self):
        has_viewer = os.path.exists(os.path.join(os.environ["LERPMESH_BUILD_DIR"], "lerpmesh-viewer"))
        self.assertEqual(os.path.exists(os.path.join(self.prefix, "bin", "lerpmesh-viewer")), has_viewer)
        for name in ("applications/%s.desktop", "metainfo/%s.metainfo.xml",
                     "icons/hicolor/symbolic/apps/%s-symbolic.svg"):
            self.assertEqual(os.path.exists(os.path.join(self.share, name % APP)), has_viewer)
        self.assertTrue(os.path.exists(os.path.join(self.share, "icons/hicolor/scalable/apps", APP + ".svg")))
