"""Tests the galleries of `lerpmesh render -o NAME.html` as a reader sees them: Python parses the page."""
import html.parser
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest
import urllib.parse
import zipfile

from small_files import make_md2, md3

TOOL = os.environ["LERPMESH_BINARY"]
SAMPLES = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"]) / "samples"
VOID = {"meta", "img"}
ALLOWED = {
    "html": {"lang"}, "head": set(), "meta": {"charset", "http-equiv", "content", "name"}, "title": set(),
    "style": set(), "body": set(), "h1": set(), "h2": {"id"}, "h3": set(), "nav": set(), "details": set(),
    "summary": set(), "ul": set(), "li": set(), "a": {"href"}, "section": set(), "div": {"class"}, "article": set(),
    "img": {"src", "width", "height", "loading", "alt"}, "p": {"class"}, "pre": set()}


class Page(html.parser.HTMLParser):
    """A page without any other element or attribute, in which every element is closed."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.folder = path.parent
        self.open, self.sections, self.ids, self.links, self.title, self.declared = [], [], [], [], "", ""
        self.feed(path.read_text("utf-8"))
        self.close()
        assert self.declared.lower() == "doctype html" and not self.open, self.open

    def handle_decl(self, decl):
        self.declared = decl

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert tag in ALLOWED and set(names) <= ALLOWED[tag] and len(set(names)) == len(names), (tag, attrs)
        given = dict(attrs)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if "href" in given else []
        if tag == "section":
            self.sections.append({"models": [], "h2": "", "pre": ""})
        elif tag == "article":
            self.sections[-1]["models"].append({"img": None, "h3": "", "p": "", "summary": "", "pre": ""})
        elif tag == "img":
            self.sections[-1]["models"][-1]["img"] = given
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, (tag, self.open)

    def handle_data(self, data):
        tag = self.open[-1] if self.open else ""
        if tag == "title":
            self.title += data
        elif "article" in self.open and tag in self.sections[-1]["models"][-1]:
            self.sections[-1]["models"][-1][tag] += data
        elif "section" in self.open and tag in self.sections[-1]:
            self.sections[-1][tag] += data

    def picture(self, model):
        """Returns the bytes of a model's picture."""
        url = urllib.parse.urlsplit(model["img"]["src"])
        assert url == ("", "", url.path, "", ""), url
        return (self.folder / urllib.parse.unquote(url.path)).read_bytes()

    def models(self):
        """Returns (folder, name) of all models."""
        return [(section["h2"], model["h3"]) for section in self.sections for model in section["models"]]


class Gallery(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def render(self, *arguments, out="out/index.html", status=0):
        done = subprocess.run([TOOL, "render", *arguments, "-o", out], cwd=self.folder, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (status, b""), done.stderr)
        self.told = done.stderr.decode()
        return Page(self.folder / out) if (self.folder / out).is_file() and out not in arguments else None

    def put(self, path, data):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_bytes(data)

    def make_tree(self):
        for path in "tree/b/tick.md2", "tree/a.md2", "tree/b/c/other.md2":
            self.put(path, (SAMPLES / "tick.md2").read_bytes())
        self.put("tree/z.md2", (SAMPLES / "tick_head.mdc").read_bytes())

    def test_models_by_folder(self):
        """Each folder is one section, also if its models are not next to each other in the list of files."""
        self.make_tree()
        page = self.render("tree")
        self.assertIn("wrote a page of 4 models, with pictures in index_files/", self.told)
        self.assertEqual(page.title, "4 models")
        self.assertEqual(page.models(), [("Models", "a.md2"), ("Models", "z.md2"), ("b", "tick.md2"), ("b/c", "other.md2")])
        self.assertEqual([link[1:] for link in page.links], page.ids)
        self.assertEqual(len(set(page.ids)), 3)

    def test_pictures(self):
        """The pictures are those that render draws, load when they come into view, and have their size reserved."""
        self.make_tree()
        page = self.render("tree", "--view", "left", "--background", "none")
        models = [model for section in page.sections for model in section["models"]]
        self.assertEqual(sorted(os.listdir(self.folder / "out/index_files")), ["%04d.png" % i for i in range(1, 5)])
        for (_, name), model, path in zip(page.models(), models, ("a.md2", "z.md2", "b/tick.md2", "b/c/other.md2")):
            self.assertEqual([model["img"][key] for key in ("loading", "width", "height", "alt")],
                             ["lazy", "256", "256", name])
            subprocess.run([TOOL, "render", "tree/" + path, "--view", "left", "--background", "none", "--size", "256",
                            "-q", "-o", "one.png"], cwd=self.folder, check=True)
            self.assertEqual(page.picture(model), (self.folder / "one.png").read_bytes(), path)

    def test_facts(self):
        self.make_tree()
        page = self.render("tree/b/tick.md2", "--size", "20x10")
        model, = page.sections[0]["models"]
        info = [subprocess.run([TOOL, "info", *words, "tree/b/tick.md2"], cwd=self.folder, capture_output=True, check=True,
                               text=True).stdout for words in ([], ["--json"])]
        facts = json.loads(info[1])
        triangles = sum(surface["triangles"] for surface in facts["surfaces"])
        self.assertEqual(model["p"], "md2 · %d frames · %d triangles · %d clips" % (
            len(facts["frames"]), triangles, len(facts["clips"])))
        self.assertTrue(info[0].startswith(model["pre"]), model["pre"])
        self.assertGreater(len(model["pre"]), 500)
        self.assertEqual(model["summary"], "Details · 1 texture missing")
        self.assertEqual(struct.unpack(">II", page.picture(model)[16:24]), (20, 10))
        self.assertEqual((model["img"]["width"], model["img"]["height"]), ("20", "10"))
        self.assertEqual((page.title, page.links, page.models()), ("1 model", [], [("tree/b", "tick.md2")]))

    def test_warnings(self):
        self.put("tree/a.md2", make_md2([b"run1"], [b"/etc/b.pcx"], normal=200))
        page = self.render("tree")
        model, = page.sections[0]["models"]
        self.assertRegex(model["summary"], r"^Details · 1 texture missing · \d warnings?$")
        self.assertIn("[normal-index]", model["pre"])

    HOSTILE = ["<script>alert(1)<", "\"onerror=alert(1) x=\".md2", "'quoted'.md2", "a&lt;b&amp;.md2", "new\nline.md2",
               "größe 模型.md2", "...md2", "%41#?.md2", "\u202edm.md2", "]]>-->.md2"]

    def test_hostile_names(self):
        """Names appear as info shows them, and become neither elements nor paths."""
        names = [name if name.endswith(".md2") else name + ".md2" for name in self.HOSTILE]
        with zipfile.ZipFile(self.folder / "g.pk3", "w") as archive:
            for i, name in enumerate(names):
                archive.writestr("m%02d/%s" % (i, name), make_md2([b"</pre>x1", b"\"&'1"], [name.encode()[:60]]))
            archive.writestr("m/../../up.md2", make_md2())
        page = self.render("g.pk3", "--size", "16", status=1)
        listed = subprocess.run([TOOL, "info", "--json", "g.pk3"], cwd=self.folder, capture_output=True, check=False).stdout
        expected = []
        for path in (found["file"] for found in map(json.loads, listed.splitlines()) if "error" not in found):
            shown = path.split(":", 1)[1].replace("\n", "\\x0a").replace("\u202e", "\\xe2\\x80\\xae")
            expected.append(tuple(shown.rsplit("/", 1)))
        self.assertEqual(len(expected), len(names))
        self.assertEqual(sorted(page.models()), sorted(expected))
        text = "".join(model["pre"] for section in page.sections for model in section["models"])
        self.assertIn("</pre>x", text)
        self.assertIn("m/../../up.md2: ", page.sections[-1]["pre"])
        self.assertIn("<script>alert(1)<.md2", text)
        self.assertEqual(sorted(os.listdir(self.folder)), ["g.pk3", "out"])
        self.assertEqual(sorted(os.listdir(self.folder / "out")), ["index.html", "index_files"])

    def test_hostile_page_name(self):
        """The links to the pictures are relative, whatever the page's name."""
        self.put("a.md2", make_md2())
        for name in "x:y #1?%41&\"<'.html", "größe.HTML":
            page = self.render("a.md2", "--size", "16", out=name)
            self.assertTrue(page.picture(page.sections[0]["models"][0]).startswith(b"\x89PNG"))

    def test_failed_models_are_listed(self):
        self.put("tree/<bad>.md2", b"IDP2")
        page = self.render("tree", status=1)
        self.assertIsNone(page)
        self.put("tree/good.md2", make_md2())
        page = self.render("tree", status=1)
        self.assertEqual(page.models(), [("Models", "good.md2")])
        self.assertEqual(page.sections[-1]["h2"], "Not shown")
        self.assertIn(page.sections[-1]["pre"].strip(), self.told)
        self.assertIn("tree/<bad>.md2: ", page.sections[-1]["pre"])

    def test_models_without_surfaces(self):
        """A picture shows the tags, here nothing."""
        self.put("tree/empty.md3", md3([]))
        model, = self.render("tree").sections[0]["models"]
        self.assertIsNotNone(model["img"])

    def test_players(self):
        """A player is one model, in a folder, in a tree and in an archive."""
        for path in "players/ann/tris.md2", "players/ann/weapon.md2", "players/other.md2":
            self.put(path, make_md2())
        self.assertEqual(self.render("players").models(), [("Models", "ann"), ("Models", "other.md2")])
        self.assertIn("wrote a page of 1 player and 1 model, with", self.told)
        page = self.render("players/ann")
        self.assertEqual((page.title, page.models()), ("1 player", [("players", "ann")]))
        self.assertEqual(self.render("players/ann/weapon.md2").models(), [("players/ann", "weapon.md2")])

    def test_players_and_weapons(self):
        shutil.copytree(SAMPLES / "models", self.folder / "models")
        for paths, title in ((("models",), "1 player and 1 weapon"),
                             (("models/players/tick", "models/weapons2/winder/v_winder", "models/players/tick/head.md3"),
                              "1 player, 1 weapon and 1 model")):
            page = self.render(*paths)
            self.assertEqual(page.title, title)
            self.assertEqual({name for _, name in page.models()} - {"head.md3"}, {"tick", "v_winder"})

    def test_written_again(self):
        """An earlier gallery is replaced, also by one of more models. Files of a folder that is none stay without
        --force. A link in the place of the pictures is not followed."""
        pictures = self.folder / "out/index_files"
        self.put("a.md2", make_md2())
        self.put("b.md2", make_md2())
        pictures.mkdir(parents=True)
        for size, inputs in (16, ["a.md2"]), (32, ["a.md2", "b.md2"]), (8, ["b.md2"]):
            page = self.render(*inputs, "--size", str(size))
            self.assertEqual([name for _, name in page.models()], inputs)
            for name in ["0001.png", "0002.png"][:len(inputs)]:
                self.assertEqual((pictures / name).read_bytes()[16:20], struct.pack(">I", size))
        self.put("out/index.html", b"<!DOCTYPE html><p>lerpmesh</p>")
        before = {path: path.read_bytes() for path in (self.folder / "out").rglob("*.*")}
        self.render("a.md2", status=1)
        self.assertIn("index_files/ has files of its own", self.told)
        self.assertEqual({path: path.read_bytes() for path in (self.folder / "out").rglob("*.*")}, before)
        self.render("a.md2", "--size", "32", "--force")
        self.assertEqual((pictures / "0001.png").read_bytes()[16:20], struct.pack(">I", 32))
        (self.folder / "elsewhere").mkdir()
        shutil.rmtree(self.folder / "out/index_files")
        (self.folder / "out/index_files").symlink_to(self.folder / "elsewhere")
        before = (self.folder / "out/index.html").read_bytes()
        self.render("a.md2", status=1)
        self.assertEqual(os.listdir(self.folder / "elsewhere"), [])
        self.assertEqual((self.folder / "out/index.html").read_bytes(), before)

    def test_input_is_kept(self):
        self.put("a.html", make_md2())
        self.render("a.html", out="a.html", status=1)
        self.assertIn("is also an input", self.told)
        self.assertEqual((self.folder / "a.html").read_bytes(), make_md2())

    def test_wrong_usage(self):
        self.put("a.md2", make_md2())
        for words in (["--sheet"], ["--clip", "run"], ["--frames", "1"], ["--frames", "0-1"], ["--turntable", "4"],
                      ["--format", "webp"]):
            self.render("a.md2", *words, out="x.html", status=2)
            self.assertIn("a gallery (.html) shows one PNG of each model", self.told)
        (self.folder / "x.html").mkdir()
        self.render("a.md2", out="x.html", status=2)
        self.assertIn("x.html is a folder; name the page in it: x.html/index.html", self.told)
