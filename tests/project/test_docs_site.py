"""The site of the documentation: it builds, its pages are reachable and load nothing from elsewhere, and mistakes fail.
An argument is the folder of a built site, which alone is checked."""
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
USERS = ["docs/*.md", "docs/tutorials/*.md", "docs/guides/*.md"]  # the pages that a user needs
MAX_WORDS = 12000
PARTS = ["docs", "include", "python", "scripts", "bench/results", "Makefile", "CONTRIBUTING.md", "SECURITY.md"]
# Mistakes on a page, and parts of the messages that they cause.
MISTAKES = {
    "[a](missing.md)": "reference target not found: missing.md",
    "[a](#no-such-heading)": "reference target not found: #no-such-heading",
    "[a](../install.md#no-such-heading)": "no-such-heading",
    "[a](../../include/lerpmesh/missing.h)": "reference/api/missing.md",
    "![a](missing.png)": "image file not readable: guides/missing.png",
    "{c:func}`lm_missing`": "c:func reference target not found: lm_missing",
}
# Undocumented symbols, and parts of the messages that they cause. An enumerator is only found if all else is right.
SYMBOLS = {
    "LM_API void lm_new_function(void);": "Member lm_new_function(void) (function)",
    "typedef struct lm_new_struct {\n    int x; /* text */\n} lm_new_struct;": "Compound lm_new_struct",
    "/* A struct. */\ntypedef struct lm_new {\n    int x; /* text */\n    int new_member;\n} lm_new;":
        "Member new_member (variable) of struct lm_new",
    "typedef enum lm_new_enum {\n    LM_X /* text */\n} lm_new_enum;": "Member lm_new_enum (enumeration)",
    "#define LM_NEW_MACRO 1": "Member LM_NEW_MACRO (macro definition)",
    "typedef int lm_new_type;": "Member lm_new_type (typedef)",
}
ENUMERATOR = {"/* An enum. */\ntypedef enum lm_new {\n    LM_X, /* text */\n    LM_Y\n} lm_new;": "LM_Y is not documented"}


CODE = ("pre", "code", "script", "style", "title")


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.ids, self.classes = set(), set(), set(), set()
        self.code, self.prose, self.commands = [], "", ""  # the open elements of code; text outside and in blocks
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            if name == "class" and "pre" in self.code:
                self.classes |= set(value.split())
            if tag == "a" and name == "href":
                self.links.add(value)
            elif name in ("src", "href", "srcset", "data", "poster", "action"):
                self.loads.add(value)
        if tag in CODE or self.code and tag == "span":
            self.code.append("gp" if ("class", "gp") in attributes else tag)

    def handle_endtag(self, tag):
        if tag in CODE or self.code and tag == "span":
            self.code.pop()

    def handle_data(self, data):
        if not self.code:
            self.prose += data
        elif "pre" in self.code and "gp" not in self.code:
            self.commands += data


def luminance(colour):
    digits = "".join(digit * 2 for digit in colour) if len(colour) == 3 else colour
    values = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    return sum(weight * (value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4)
               for weight, value in zip((0.2126, 0.7152, 0.0722), values))


def check_contrast(style, classes):
    """Yields the classes of code whose contrast with their background is below 4.5 : 1 (WCAG 1.4.3)."""
    rules = {}
    for theme in "", r'body\[data-theme="dark"\] ':  # rules of the light theme apply to classes that the dark one lacks
        rules |= dict(re.findall(rf"^{theme}\.highlight(?: \.(\w+))? {{ (.*?) }}", style, re.M))
        if len(classes & set(rules)) < 10:
            yield f"found only {len(classes & set(rules))} classes of code"
        colour = {name: re.search(r"(?<!-)color: #(\w+)", rule) for name, rule in rules.items()}
        background = re.search(r"background: #(\w+)", rules[""])[1]
        for name in sorted(classes & set(rules) - {"w"}):  # w: white space
            if colour[name]:
                low, high = sorted(map(luminance, (colour[name][1], background)))
                if (high + 0.05) / (low + 0.05) < 4.5:
                    yield f"code of the class {name} has a contrast of {(high + 0.05) / (low + 0.05):.2f} in {theme or 'light'}"


def build(source, folder):
    done = subprocess.run(["make", "-C", source, "docs", f"BUILD={folder}", "DEPS=no"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def copy_of_source(folder):
    """Copies the source of a small site: few pages and one header."""
    for part in PARTS:
        target = folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, target)
    for path in [*(folder / "docs").rglob("*.md"), *(folder / "include").rglob("*.h")]:
        if path.name not in ("index.md", "install.md", "base.h"):
            path.unlink()
    return folder


def check_site(site):
    """Yields the problems of a built site."""
    pages = {path.relative_to(site).as_posix(): Page(path) for path in site.rglob("*.html")}
    sources = {path.relative_to(ROOT / "docs").with_suffix(".html").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    if len(sources) < 40:
        yield f"found only {len(sources)} pages"
    reached, new = set(), {"index.html"}
    while new:
        reached |= new
        new = {os.path.normpath(os.path.join(os.path.dirname(name), urllib.parse.unquote(link.split("#")[0])))
               for name in new for link in pages[name].links if not re.match(r"#|[a-z]+:", link)}
        new = {name for name in new - reached if name in pages}
    yield from (f"{name} cannot be reached from the index" for name in sorted(sources - reached))
    for name, page in sorted(pages.items()):
        yield from (f"{name} loads {load}" for load in page.loads if re.match(r"[a-z]+:|/", load) and not load.startswith("data:"))
        yield from (f"{name} links to {link}" for link in page.links if re.match("#.", link) and link[1:] not in page.ids)
        yield from (f"{name} has a backtick: {line}" for line in page.prose.splitlines() if "`" in line)
        yield from (f"{name} has a command with a prompt: {line}" for line in re.findall(r"^\$ .*", page.commands, re.M))
    classes = set().union(*(page.classes for page in pages.values()))
    yield from check_contrast((site / "_static/pygments.css").read_text(encoding="utf-8"), classes)
    for path in site.rglob("*.css"):
        for load in re.findall(r"(?:@import|url\()[\s\"']*(?:url\()?[\"']?((?:https?:|/)[^\"')]*)", path.read_text(encoding="utf-8")):
            yield f"{path.name} loads {load}"
        if "data-theme" in path.read_text(encoding="utf-8") and "prefers-color-scheme: dark" not in path.read_text(encoding="utf-8"):
            yield f"{path.name} has no dark colours for systems that prefer them"
    for path in site.rglob("*.js"):
        if re.search("^import ", path.read_text(encoding="utf-8"), re.M):
            yield f"{path.name} is a module, but pages load it as a script"
    names = " ".join(path.read_text(encoding="utf-8") for path in (site / "reference/api").glob("*.html"))
    functions = re.findall(r"_API [\w *]*?\b(lm_\w+)\(", "".join(path.read_text() for path in ROOT.glob("include/lerpmesh/*.h")))
    if len(functions) < 200:
        yield f"found only {len(functions)} functions"
    yield from (f"{name} is missing in the reference" for name in functions if f'id="c.{name}"' not in names)


def use_site(site):
    """Uses the site in a browser. Returns the problems."""
    if not (shutil.which("chromium") and (ROOT / "tests/web/node_modules/puppeteer-core").exists()):
        print("skipped: site: Chromium or puppeteer-core is not installed")
        return []
    done = subprocess.run(["node", ROOT / "tests/docs/use_site.mjs", site], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return [done.stdout] if done.returncode else []


def check_mistakes(source, folder):
    """Yields the mistakes that do not fail."""
    page, header = source / "docs/guides/mistakes.md", source / "include/lerpmesh/mistakes.h"
    page.write_text("# Mistakes\n\n" + "\n\n".join(MISTAKES) + "\n", encoding="utf-8")
    for symbols, mistakes in (SYMBOLS, SYMBOLS), (ENUMERATOR, {**ENUMERATOR, **MISTAKES}):
        header.write_text("/* Mistakes. */\n\n" + "\n\n".join(symbols) + "\n", encoding="utf-8")
        status, output = build(source, folder)
        yield from (f"accepted: {mistake}" for mistake, message in mistakes.items()
                    if not status or message not in output)


def main():
    if len(sys.argv) > 1:
        sys.exit("\n".join(check_site(pathlib.Path(sys.argv[1]))) or 0)
    if not shutil.which("sphinx-build"):
        print("skipped: site: sphinx-build is not installed")
        sys.exit(77)
    words = sum(len(path.read_text(encoding="utf-8").split()) for pattern in USERS for path in ROOT.glob(pattern))
    problems = [f"the pages that a user needs have {words} words"] if words > MAX_WORDS else []
    with tempfile.TemporaryDirectory() as temporary:
        temporary = pathlib.Path(temporary)
        status, output = build(ROOT, temporary / "build")
        problems += [output] if status else [*check_site(temporary / "build/docs"), *use_site(temporary / "build/docs")]
        problems += check_mistakes(copy_of_source(temporary / "source"), temporary / "mistakes")
    sys.exit("\n".join(problems) or 0)


main()
