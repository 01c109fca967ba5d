"""Every code block of README.md and docs/ runs in a test, or a comment says why not."""
import unittest

import run_page
from run_page import ROOT

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
