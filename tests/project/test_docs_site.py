"""The site of the documentation: it builds, and its pages are reachable and load nothing from elsewhere.
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


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.ids = set(), set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            if tag == "a" and name == "href":
                self.links.add(value)
            elif name in ("src", "href", "srcset", "data", "poster", "action"):
                self.loads.add(value)


def build(source, folder):
    done = subprocess.run(["make", "-C", source, "docs", f"BUILD={folder}", "DEPS=no"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


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
    for path in site.rglob("*.css"):
        for load in re.findall(r"(?:@import|url\()[\s\"']*(?:url\()?[\"']?((?:https?:|/)[^\"')]*)", path.read_text(encoding="utf-8")):
            yield f"{path.name} loads {load}"
    names = " ".join(path.read_text(encoding="utf-8") for path in (site / "reference/api").glob("*.html"))
    functions = re.findall(r"_API [\w *]*?\b(lm_\w+)\(", "".join(path.read_text() for path in ROOT.glob("include/lerpmesh/*.h")))
    if len(functions) < 150:
        yield f"found only {len(functions)} functions"
    yield from (f"{name} is missing in the reference" for name in functions if f'id="c.{name}"' not in names)


def main():
    if len(sys.argv) > 1:
        sys.exit("\n".join(check_site(pathlib.Path(sys.argv[1]))) or 0)
    missing = [program for program in ("sphinx-build", "doxygen", "esbuild") if not shutil.which(program)]
    missing += [name for name in ("myst_parser", "breathe", "furo") if not os.path.isdir(f"/usr/lib/python3/dist-packages/{name}")]
    if missing:
        print(f"skipped: site: not installed: {' '.join(missing)}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as temporary:
        temporary = pathlib.Path(temporary)
        status, output = build(ROOT, temporary / "build")
        problems = [output] if status else [*check_site(temporary / "build/docs")]
    sys.exit("\n".join(problems) or 0)


main()
