"""Every name in the documentation exists: C identifiers, options, make targets, files, links, and words in code spans. The
programs of README.md and of a tutorial are those in examples/, and docs/reference/diagnostics.md is generated."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "SECURITY.md", ROOT / "samples/README.md",
         ROOT / "web/README.md",
         *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = ("include", "src", "write", "assets", "import", "gl", "common", "convert", "tool", "viewer", "web", "python", "tests", "fuzz", "bench",
           "samples", "examples", "scripts", "cmake")
FILES = ("CMakeLists.txt", "CMakePresets.json", "Makefile")
SOURCES = {".c", ".h", ".inc", ".py", ".sh", ".js", ".mjs", ".ts", ".json", ".html", ".cmake", ".in", ".mk", ".txt"}
CODE = {".c", ".h", ".inc", ".js", ".mjs"}  # languages whose comments do not count as a place where a name exists
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.S)

# Options of other programs: cmake, ctest, esbuild, npm, pkg-config, systemd-run, xgettext.
FOREIGN_OPTIONS = {"--add-comments", "--cflags", "--files-from", "--from-code", "--install-links", "--keyword", "--libs", "--loader", "--prefix",
                   "--preset", "--pty", "--test-dir", "--user"}
# Examples of names in models, games and descriptions of formats, a program, and parts of names that a page abbreviates.
EXAMPLES = re.compile(r"(a|pain|stand|walk)\d+|Stand_01|stand-02|looping|body_\d|NAME_2|_3|_bytes|run\d|X_\w+|found-|bfgShot2|poopypants|rocketFlare_001"
                      r"|Animate|flatpak-builder|(R_)?LerpTag|_MINOR|_PATCH|_(bump|gloss|glow|local|luma|normal|pants|shirt|spec)")
# Files that a build, an installation or a game has.
BUILT = re.compile(r"/?(build|demo|gallery|models|players|share|usr/share|x)/|lerpmesh\.[ch]$|lerpmesh/(babylon|core|environment|instances(/webgpu)?|node|r3f|run|stage|three|view|lerpmesh\.wasm)$")
PLACEHOLDERS = re.compile(r"NAME|KIND|\bRE\b")


def read_sources():
    texts = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SOURCES and path.is_file() and "node_modules" not in path.parts:
                texts[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8", errors="replace")
    return {**texts, **{name: (ROOT / name).read_text(encoding="utf-8") for name in FILES}}


class Names:
    def __init__(self, texts):
        self.paths = set(texts)
        self.folders = {str(parent) for path in texts for parent in pathlib.PurePath(path).parents}
        texts = {path: COMMENT.sub(" ", text) if pathlib.PurePath(path).suffix in CODE else text for path, text in texts.items()
                 if path != "tests/project/test_docs_names.py"}
        whole = "\n".join(texts.values())
        self.words = set(re.findall(r"[A-Za-z_]\w*", whole)) | set(re.findall(r"[A-Za-z]\w*(?:-\w+)+", whole))
        self.options = {"--" + name for name in re.findall(r'"([a-z][a-z0-9-]*)"', texts["convert/options.inc"])}
        self.options |= set(re.findall(r"--[a-z][a-z0-9-]*", "\n".join(
            text for path, text in texts.items() if not path.startswith("tests/")))) | FOREIGN_OPTIONS
        self.targets = set(re.findall(r"^([a-z][a-z-]*):", texts["Makefile"], re.M))

    def has_word(self, word):
        """Returns whether a source has the word, or, if it contains a placeholder or ends with _, such a word."""
        if word in self.words or EXAMPLES.fullmatch(word):
            return True
        if word.endswith("_"):
            return any(other.startswith(word) for other in self.words)
        pattern = PLACEHOLDERS.sub(r"\\w+", word)
        return pattern != word and any(re.fullmatch(pattern, other) for other in self.words)

    def has_path(self, page, path):
        if PLACEHOLDERS.search(path) or BUILT.match(path):
            return True
        if (page.parent / path).exists() or (ROOT / path).exists():
            return True
        return any(other.endswith("/" + path.rstrip("/")) for other in self.paths | self.folders)

    def missing(self, page):
        text = page.read_text(encoding="utf-8")
        # The section of CHANGELOG.md with the names that are gone.
        text = re.sub(r"^### Interface$.*?(?=^\[|^#|\Z)", "", text, flags=re.S | re.M)
        spans = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)
        commands = "\n".join(re.findall(r"```.*?```", text, re.S) + spans)
        prose = re.sub(r"\]\([^)]*\)", "]", text)
        words = re.findall(r"\b(?:lm|LM|LERPMESH)_\w*(?![.\w])", prose)
        words += [span for span in spans if re.fullmatch(r"[A-Za-z_][\w-]*", span)]
        yield from (f"the name {word}" for word in words if not self.has_word(word))
        yield from (f"the option {name}" for name in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", text) if name not in self.options)
        yield from (f"the target {name}" for name in re.findall(r"\bmake ([a-z][a-z-]+)", commands) if name not in self.targets)
        paths = [span for span in spans if re.fullmatch(r"[\w./-]+/[\w./-]*|[\w.-]+\.(?:c|h|py|sh|mjs|md|mk|cmake)", span)]
        saved = re.findall(r"\bSave this as `([^`]+)`", text)
        yield from (f"the file {path}" for path in paths if path not in saved and not self.has_path(page, path))
        for link in re.findall(r"\]\((?!https?:)([^)#]*)", text):
            if link and not (page.parent / link).exists():
                yield f"the page {link}"


def copies():
    """Yields what is wrong with parts of pages that are copies."""
    program = (ROOT / "examples/pose.c").read_text(encoding="utf-8")
    if re.findall(r"```c\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S) != [program]:
        yield "README.md: its program is not examples/pose.c"
    tutorial = (ROOT / "docs/tutorials/draw-an-md2.md").read_text(encoding="utf-8")
    for path in (ROOT / "examples/sdl").glob("*.c"):
        if path.read_text(encoding="utf-8") not in tutorial:
            yield f"docs/tutorials/draw-an-md2.md: its {path.name} is not examples/sdl/{path.name}"
    compiler = os.environ.get("CXX") or shutil.which("c++") or sys.exit("there is no C++ compiler")
    subprocess.run([compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers",
                    "-fsyntax-only", "-I", ROOT / "include", "-x", "c++", ROOT / "examples/pose.c"], check=True)
    made = subprocess.run([sys.executable, ROOT / "scripts/make_diagnostics.py", ROOT], check=True, capture_output=True,
                          encoding="utf-8").stdout
    if made != (ROOT / "docs/reference/diagnostics.md").read_text(encoding="utf-8"):
        yield "docs/reference/diagnostics.md: run scripts/make_diagnostics.py . >docs/reference/diagnostics.md"


def main():
    names = Names(read_sources())
    found = [f"{page.relative_to(ROOT)}: {missing} does not exist"
             for page in PAGES for missing in sorted(set(names.missing(page)))]
    found += copies()
    if len(names.options) < 50 or len(names.targets) < 20 or len(names.words) < 10000:
        sys.exit(f"found only {len(names.options)} options, {len(names.targets)} targets and {len(names.words)} words")
    sys.exit("\n".join(found) or 0)


main()
