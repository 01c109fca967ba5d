"""Settings of Sphinx, which builds these pages as a site: `make docs`."""
import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

import docutils.nodes
import sphinx.util.logging

HERE = pathlib.Path(__file__).resolve().parent
BASE_H = (HERE.parent / "include/lerpmesh/base.h").read_text(encoding="utf-8")

project = "lerpmesh"
release = ".".join(re.findall(r"#define LM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", BASE_H))
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["man"]
nitpicky = True

html_theme = "furo"
html_title = f"lerpmesh {release}"
html_show_sphinx = html_show_copyright = html_copy_source = False
html_static_path, html_css_files, html_js_files = ["_static"], ["site.css"], ["site.js"]
html_search_scorer = str(HERE / "scorer.js")
templates_path = ["_templates"]
pygments_style, pygments_dark_style = "default", "github-dark"

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
highlight_language = "none"

# The Python package is read without its compiled module.
sys.path.insert(0, os.environ["DOCS_XML"])
autodoc_mock_imports = ["lerpmesh._native", "numpy"]
autodoc_typehints = "none"
nitpick_ignore_regex = [("py:.*", ".*")]

breathe_projects = {"lerpmesh": os.environ["DOCS_XML"] + "/xml"}
breathe_default_project = "lerpmesh"
breathe_domain_by_extension = {"h": "c"}
# Private structs, and types of the C library
nitpick_ignore = [("c:identifier", name) for name in
                  ("lm_arena", "lm_composing", "lm_convert_given", "lm_converting", "lm_own_bones", "size_t", "va_list",
                   "int8_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t")]


# Pages of the site for files outside docs/. Sphinx offers other files that pages link to as downloads.
PAGES = {r"include/lerpmesh/(\w+)\.h": r"reference/api/\1.md", r"CONTRIBUTING\.md": "internals/contributing.md"}


def link_pages(app, page, source):
    """Changes links to these files into links to their pages."""
    for file, target in PAGES.items():
        source[0] = re.sub(rf"\]\((?:\.\./)+{file}(?=[)#])", f"](/{target}", source[0])
    up = "../" * (page.count("/") + 1)
    source[0] = re.sub(rf"\[`?([^]`]+)`?\]\(({re.escape(up)}[^)#]+\.md)\)", r"{download}`\1 <\2>`", source[0])


def mark_sessions(app, doctree):
    """Highlights blocks of `sh` with prompts as sessions, so that a selection does not include the prompts."""
    for block in doctree.findall(docutils.nodes.literal_block):
        if block.get("language") == "sh" and re.search(r"^\$ ", block.astext(), re.M):
            block["language"] = "console"


def add_keywords(app, doctree):
    """Lets a search find a page by the words of its file's name: quake3-player, but not "Quake III"."""
    words = re.split(r"\W", app.env.docname.rpartition("/")[2])
    doctree.append(docutils.nodes.meta(name="keywords", content=", ".join(words)))


def describe(node, defs, path=""):
    """Yields the rows of the table of an object in a JSON Schema."""
    node = {**defs.get(node.get("$ref", "").rpartition("/")[2], {}), **node}
    for name, value in node.get("properties", {}).items():
        value = {**defs.get(value.get("$ref", "").rpartition("/")[2], {}), **value}
        types = value.get("type", "string or null")
        types = " or ".join(types) if isinstance(types, list) else types
        words = ", ".join(f"`{word}`" for word in value.get("enum", []) if word)
        yield (f"| `{path}{name}` | {types}{'' if name in node['required'] else ', optional'} | {value['description']}"
               f"{': ' + words if words else ''} |")
        yield from describe(value, defs, f"{path}{name}.")
        yield from describe(value.get("items", {}), defs, f"{path}{name}[].")


def add_tables(app, page, source):
    """Adds the tables of the schema to the page of the JSON output: one for each line that is printed."""
    if page != "reference/json":
        return
    schema = HERE / "reference/lerpmesh.schema.json"
    app.env.note_dependency(str(schema))
    defs = json.loads(schema.read_text(encoding="utf-8"))["$defs"]
    for name in re.findall(r"`(\w+)`", source[0].split("% tables:")[1]):
        source[0] += "\n".join([f"\n## {name}\n", defs[name]["description"] + ".\n", "| key | type | meaning |", "|---|---|---|",
                                *describe(defs[name], defs), ""])


def check_enumerators(app):
    """Warns of enumerators without a comment; Doxygen only warns of other symbols."""
    for path in pathlib.Path(os.environ["DOCS_XML"], "xml").glob("*_8h.xml"):
        for value in xml.etree.ElementTree.parse(path).iter("enumvalue"):
            texts = (value.find(kind).itertext() for kind in ("briefdescription", "detaileddescription"))
            if not "".join(map("".join, texts)).strip():
                sphinx.util.logging.getLogger(__name__).warning("%s is not documented", value.findtext("name"))


def repair_theme(app, error):
    """Debian's Furo imports a style from the web server's root, loads a module as a script, and ignores that a system
    prefers dark pages."""
    if error:
        return
    static = pathlib.Path(app.outdir, "_static")
    style, script = static / "styles/furo.css", static / "scripts/furo.js"
    text = re.sub(r"@import url\((/javascript/.*?)\);", lambda found: pathlib.Path("/usr/share" + found[1]).read_text("utf-8"),
                  style.read_text("utf-8"))
    if "prefers-color-scheme" not in text:
        colours = re.search(r'body\[data-theme="dark"\] (\{.*?\})', text, re.S)[1]
        text += f'@media (prefers-color-scheme: dark) {{ body[data-theme="auto"] {colours} }}\n'
    style.write_text(text, encoding="utf-8")
    if re.search("^import ", script.read_text("utf-8"), re.M):
        subprocess.run(["esbuild", script, "--bundle", "--minify", "--log-level=error", "--allow-overwrite", f"--outfile={script}"],
                       check=True)


def skip_fields(app, what, name, item, skip, options):
    """Leaves out the fields of named tuples that say nothing beyond their names."""
    return skip or (item.__doc__ or "").startswith("Alias for field number")


def setup(app):
    app.connect("autodoc-skip-member", skip_fields)
    app.connect("build-finished", repair_theme)
    app.connect("builder-inited", check_enumerators)
    app.connect("source-read", add_tables)
    app.connect("source-read", link_pages)
    app.connect("doctree-read", mark_sessions)
    app.connect("doctree-read", add_keywords)
