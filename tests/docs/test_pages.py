"""Every code block of README.md and docs/ runs in a test, or a comment says why not; the pictures of the tutorials are small;
and run_page.py finds what it must find."""
import os
import pathlib
import re
import shutil
import tempfile
import unittest
from unittest import mock

import run_page
from run_page import Failure, ROOT

BUILD = pathlib.Path(os.environ["LERPMESH_BUILD_DIR"]).resolve()
# test_examples.py runs the examples on the commands' pages.
PAGES = [ROOT / "README.md", *sorted(page for page in (ROOT / "docs").rglob("*.md")
                                     if page.parent != ROOT / "docs/reference/commands")]
NOT_RUN = 30  # blocks in all pages: may fall, and must not rise


class Pages(unittest.TestCase):
    def test_every_block_runs_or_says_why_not(self):
        blocks = [(page, block) for page in PAGES for block in run_page.parse(page.read_text(encoding="utf-8"))[0]]
        problems = [f"{page.relative_to(ROOT)}:{block.line}: the block {block.problem}" for page, block in blocks if block.problem]
        self.assertEqual(problems, [])
        self.assertGreater(len(blocks), 20)
        exempt = [f"{page.relative_to(ROOT)}:{block.line}" for page, block in blocks if "not run" in block.comments]
        self.assertLessEqual(len(exempt), NOT_RUN, exempt)

    def test_tutorials_hide_no_commands(self):
        hidden = [f"{page.relative_to(ROOT)}:{block.line}" for page in PAGES if "tutorials" in page.parts
                  for block in run_page.parse(page.read_text(encoding="utf-8"))[0] if block.language == "run"]
        self.assertEqual(hidden, [])

    def test_programs_of_tutorials_are_the_examples(self):
        page = ROOT / "docs/tutorials/draw-an-md2.md"
        saved = {block.save[2]: block.text for block in run_page.parse(page.read_text(encoding="utf-8"))[0] if block.save}
        examples = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "examples/sdl").glob("*.c")}
        self.assertEqual(saved, examples)
        self.assertLessEqual(len([line for line in examples["draw.c"].splitlines() if line]), 60)

    def test_labels_of_the_addon(self):
        """The tutorial and the guide have the add-on's labels in italics."""
        source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "python/blender/lerpmesh_io").glob("*.py"))
        for name, least in ("tutorials/quake2-mod", 9), ("guides/blender", 3):
            text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
            labels = [" ".join(label.split()) for label in re.findall(r"(?<!\*)\*([^*|]+)\*(?!\*)", text)]
            self.assertEqual([label for label in labels if f'"{label}"' not in source], [], name)
            self.assertGreaterEqual(len(labels), least, name)

    def test_pictures_are_small(self):
        stems = [page.stem for page in PAGES if "tutorials" in page.parts]
        sizes = {path: path.stat().st_size for stem in stems for path in (ROOT / "docs/images" / stem).glob("*")}
        self.assertEqual({path: size for path, size in sizes.items() if size > run_page.LARGEST}, {})
        self.assertLessEqual(sum(sizes.values()), 655000)
        self.assertLessEqual(sum(path.stat().st_size for path in (ROOT / "docs/images/gallery").iterdir()), 400000)


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="lerpmesh-page-")
        self.addCleanup(folder.cleanup)
        self.page = pathlib.Path(folder.name) / "docs/tutorials/x.md"
        self.page.parent.mkdir(parents=True)

    def run_text(self, text):
        self.page.write_text(text, encoding="utf-8")
        with mock.patch.object(run_page.Reader, "install", staticmethod(lambda *_: "lib")):
            return run_page.run_page(self.page, BUILD)

    def fails(self, text, message):
        with self.assertRaisesRegex(Failure, message):
            self.run_text(text)

    def block(self, text, language="sh"):
        return f"```{language}\n{text}\n```\n"

    def test_output(self):
        self.assertEqual(self.run_text(self.block(
            "$ printf 'one\\ntwo\\n'\none\ntwo\n$ true\n$ seq 9\n1\n…\n9\n$ echo 12 kB\n… kB")), 1)
        self.fails(self.block("$ echo one\ntwo"), r"(?s)x\.md:1:.*prints:\none\nThe page has:\ntwo")
        self.fails(self.block("$ echo one"), "prints:\none")
        self.fails(self.block("$ seq 9\n1\n…\n8"), "prints")
        self.fails(self.block("$ true\none"), "prints")

    def test_status(self):
        self.run_text("<!-- fails: 3 -->\n" + self.block("$ true\n$ exit 3"))
        self.fails("<!-- fails: 3 -->\n" + self.block("$ exit 2"), "ends with status 2")
        self.fails(self.block("$ false"), "ends with status 1")
        self.fails(self.block("false\ntrue"), "ends with status 1")

    def test_state(self):
        self.run_text(self.block("mkdir a\ncd a\nexport B=c") + "\n" + self.block(
            "$ basename \"$PWD\" $B; ls ../samples/tick.md2\na\n../samples/tick.md2"))
        self.run_text(self.block("sleep 600 &") + self.block("$ echo still here\nstill here"))

    def test_files(self):
        self.run_text("Save this as `a/b.c`:\n\n" + self.block("x", "c") + "\nAdd this to `a/b.c`:\n\n" + self.block("y", "c") +
                      self.block("$ cat a/b.c\nx\ny"))
        self.fails(self.block("int x;", "c") + self.block("true"), "no comment says why")
        self.fails("Save this as `a.c`.\n\nAnother paragraph:\n\n" + self.block("x", "c"), "no comment says why")

    def test_blocks_without_a_test(self):
        self.fails("text\n\n    code\n", r"x\.md:3:.*no comment says why")
        self.fails("- item\n\n    paragraph\n", "no block runs")
        self.fails("<!-- not run: it draws a diagram -->\n" + self.block("x", ""), "no block runs")
        self.fails("<!-- not run: ? -->\n" + self.block("x", ""), "gives no reason")
        self.fails("```{code-block} c\nx\n```\n", "no comment says why")
        self.fails("```{note}\nx\n```\n", "no block runs")
        self.fails("words\n", "no block runs")
        self.fails(self.block("true; sudo true"), "would change the system")

    def test_needs(self):
        self.assertRegex(self.run_text("<!-- needs: sh no-such-program -->\n" + self.block("false")), "lacks no-such-program")
        self.run_text("<!-- needs: sh -->\n" + self.block("true"))

    @unittest.skipIf(run_page.missing("node web", BUILD), "needs Chromium, three.js and `make web`")
    def test_browser(self):
        def shown(body, *moves):
            return ("Save this as `a.html`:\n\n" + self.block(body, "html") + self.block("export BROWSE_SECONDS=1") +
                    f"<!-- browser: a.png 64x64 file://$PWD/a.html {' '.join(moves)} -->\n")
        square = "<div style='width: 32px; height: 32px; background: red'></div>"
        turning = square + "<script>setInterval(() => document.body.firstChild.style.width = Math.random() * 32 + 16 + 'px')</script>"
        self.run_text(shown(square))
        self.run_text(shown(turning, "moves"))
        self.fails(shown(square, "moves"), "does not move")
        self.fails(shown("<p></p>"), "stays blank")
        self.fails(shown(square + "<script>undefined.x</script>"), "reports errors")
        self.fails(shown(square + "<script type='module' src='b.js'></script>"), "(?s)reports errors.*CORS")

    @unittest.skipUnless(shutil.which("xvfb-run"), "needs xvfb-run")
    def test_clicks(self):
        """With a stand-in for Blender, which writes a picture of the size of its window."""
        def clicked(commands):
            return (self.block(f"mkdir -p ../prefix/bin\nprintf '#!/bin/sh\\n{commands}\\n' >../prefix/bin/blender\n"
                               "chmod +x ../prefix/bin/blender") + "<!-- clicks: x.py hero.blend 640x480 a.png -->\n")
        self.run_text(clicked("echo $@ >a.png") + self.block(
            "$ cat a.png\n--enable-event-simulate --window-geometry 0 0 640 480 hero.blend --python …/tests/docs/x.py"))
        self.fails(clicked("echo no such button; exit 1"), r"(?s)x\.py fails:.*no such button")
        self.fails(clicked("true"), r"x\.py fails")

    def test_pictures(self):
        folder = self.page.parent.parent / "images/x"
        folder.mkdir(parents=True)
        text = self.block("cp ../../a.png a.png 2>/dev/null || lerpmesh uv --exact samples/tick.md2 -o a.png")
        link = "\n![a](../images/x/a.png)\n"
        with mock.patch.dict(os.environ, {"PATH": f"{BUILD}:{os.environ['PATH']}"}):
            self.fails(text + link, "does not exist")
            self.fails(self.block("true") + link, r"no command of the page writes a\.png")
            run_page.write_png(folder / "a.png", 256, 256, bytes(3 * 256 * 256))
            self.fails(text + link, "of its pixels differ")
            self.fails(self.block(f"cp '{folder}/a.png' .") + link, "is blank")
            run_page.write_png(folder / "a.png", 256, 128, bytes(3 * 256 * 128))
            self.fails(text + link, "256x128 pixels, not 256x256")
            self.run_text(self.block(f"lerpmesh uv --exact samples/tick.md2 -o '{folder}/a.png'") + text)
            self.run_text(text + link)

    def test_animated_pictures(self):
        folder = self.page.parent.parent / "images/x"
        folder.mkdir(parents=True)
        (folder / "a.webp").write_bytes(bytes(20) + b"0123456789" + b"ANMF" * 3)
        text = self.block("printf '%020d%s' 0 {} >a.webp") + "\n![a](../images/x/a.webp)\n"
        self.run_text(text.replace("{}", "0123456789ANMFANMFANMF"))
        self.fails(text.replace("{}", "0123456789ANMFANMF"), "number of images differs")
        self.fails(text.replace("{}", "0123456780ANMFANMFANMF"), "canvas or number")


if __name__ == "__main__":
    unittest.main()
