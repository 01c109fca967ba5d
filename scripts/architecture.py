#!/usr/bin/env python3
"""The dependencies between the project's folders and libraries, from the #includes.

architecture.py [ROOT]         fails on includes that FOLDERS does not allow, and if the diagram is out of date
architecture.py --write [ROOT] draws docs/images/architecture.svg

FOLDERS lists the folders that each folder may use. A public header belongs to the lowest folder whose
types it declares. A .c file and the header of the same name in the same folder are one file."""
import os
import re
import sys
from dataclasses import dataclass, field

from components import circles

GIVEN = [word for word in sys.argv[1:] if word != "--write"]
ROOT = GIVEN[0] if GIVEN else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
IMAGE = "docs/images/architecture.svg"


@dataclass(frozen=True)
class Folder:
    """`path`: the beginning of its files' paths. `uses`: folders whose headers it may include. `headers`: its
    public headers in include/lerpmesh/. `libraries`: libraries whose public headers it may include."""

    name: str
    library: str
    path: str
    uses: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()


# Folders for several formats. Every other folder in src/formats/ belongs to the format of its name.
SHARED = ("vertex_mesh",)
FORMATS = tuple(sorted(entry.name for entry in os.scandir(os.path.join(ROOT, "src", "formats"))
                       if entry.is_dir() and entry.name not in SHARED))
# Folders that a format's reader may use, and those that its writer may use.
READS = ("core", "math", "model", "clips", "layout", "formats")
WRITES = (*READS, "sample", "mesh", "encode", "optimize", "edit", "write formats")


def write_folder(name: str) -> str:
    return f"write {name}"


ALL_LIBRARIES = ("lerpmesh", "lerpmesh-write", "lerpmesh-assets", "lerpmesh-gl", "lerpmesh-import")

# A folder uses only folders before it in this list. A file belongs to the folder with the longest path that
# its own path begins with.
FOLDERS = (
    Folder("core", "lerpmesh", "src/core/", headers=("base",)),
    Folder("math", "lerpmesh", "src/math/", ("core",)),
    Folder("model", "lerpmesh", "src/model/", ("core", "math"), headers=("model", "load", "check")),
    Folder("clips", "lerpmesh", "src/clips/", ("core", "model"), headers=("clips",)),
    Folder("layout", "lerpmesh", "src/layout/", ("core", "model")),
    Folder("sample", "lerpmesh", "src/sample/", ("core", "math", "model"), headers=("sample",)),
    Folder("formats", "lerpmesh", "src/formats/", READS[:-1]),
    # May use src/sample, to sample models whose bounds are damaged.
    Folder("vertex_mesh", "lerpmesh", "src/formats/vertex_mesh/", (*READS, "sample")),
    *(Folder(name, "lerpmesh", f"src/formats/{name}/", (*READS, *SHARED), headers=(name,))
      for name in FORMATS),
    # Only src/formats.h uses the formats' own folders.
    Folder("load", "lerpmesh", "src/", ("core", "model", "layout", "formats", "sample")),
    Folder("scene", "lerpmesh", "src/scene/", ("core", "model", "clips", "sample"),
         headers=("scene",)),
    Folder("mesh", "lerpmesh-write", "write/mesh/", ("core", "math", "model", "clips", "sample"),
         headers=("mesh",)),
    Folder("encode", "lerpmesh-write", "write/encode/", ("core", "math", "model", "clips", "sample", "mesh"),
         headers=("encode",)),
    Folder("optimize", "lerpmesh-write", "write/optimize/",
         ("core", "math", "model", "clips", "sample", "mesh", "encode")),
    Folder("edit", "lerpmesh-write", "write/edit/", ("core", "math", "model", "clips"), headers=("edit",)),
    Folder("write formats", "lerpmesh-write", "write/formats/", WRITES[:-1]),
    *(Folder(write_folder(name), "lerpmesh-write", f"write/formats/{name}/", (*WRITES, *SHARED))
      for name in SHARED),
    *(Folder(write_folder(name), "lerpmesh-write", f"write/formats/{name}/",
           (*WRITES, *SHARED, *map(write_folder, SHARED), name)) for name in FORMATS),
    # Only write/writers.c uses the formats' writers.
    Folder("write", "lerpmesh-write", "write/", (*WRITES, "load")),
    Folder("skeleton", "lerpmesh-write", "write/skeleton/", ("core", "math", "model", "clips", "mesh"),
         headers=("skeleton",)),
    Folder("export", "lerpmesh-write", "write/export/",
         ("core", "math", "model", "clips", "sample", "scene", "mesh", "skeleton"), headers=("export",)),
    Folder("compose", "lerpmesh-write", "write/compose/",
         ("core", "math", "model", "clips", "sample", "scene", "mesh", "skeleton", "mdl"), headers=("compose",)),
    # A file next to a model completes it.
    Folder("assets", "lerpmesh-assets", "assets/", ("core", "math", "model"),
         headers=("assets", "files", "image"),
         libraries=("lerpmesh",)),
    Folder("import", "lerpmesh-import", "import/", ("core",), headers=("import",),
         libraries=("lerpmesh", "lerpmesh-write")),
    Folder("gl", "lerpmesh-gl", "gl/", headers=("gl",), libraries=("lerpmesh",)),
    # The only file of programs that includes internal headers.
    Folder("internals", "programs", "common/internals.h", ("core", "assets")),
    Folder("common", "programs", "common/", ("internals",), libraries=ALL_LIBRARIES),
    Folder("tool", "programs", "tool/", ("internals", "common"), libraries=ALL_LIBRARIES),
    Folder("viewer", "programs", "viewer/", ("internals", "common"), libraries=ALL_LIBRARIES[:-1]),
    # Provides a file system and OpenGL to the libraries in browsers, and system calls to the command in Node.
    Folder("web", "programs", "web/", ("assets", "gl", "internals", "common", "tool"), libraries=ALL_LIBRARIES),
    Folder("examples", "programs", "examples/", libraries=ALL_LIBRARIES[:4]),
)
TOP_FOLDERS = ("src", "write", "assets", "import", "gl", "common", "tool", "viewer", "web", "examples")
# Search path of quoted names, after the folder of the file itself.
PATHS = ("include", "src", "write", "assets", "common", "tool")
# The files that list the formats, X(NAME): those that are read, and those that are written.
LISTS = {"src/formats.h": lambda name: name, "write/writers.c": write_folder}
# The system headers that lerpmesh and lerpmesh-write may include: those of C11 and of processors.
C_HEADERS = re.compile(r"(assert|ctype|errno|float|inttypes|limits|locale|math|stdarg|stdbool|"
                       r"stddef|stdint|stdio|stdlib|string|immintrin|emmintrin|arm_neon|"
                       r"wasm_simd128)\.h")
# Includes all headers of its library, for programs.
ALL = "include/lerpmesh/lerpmesh.h"


@dataclass
class Project:
    arrows: dict[str, set[str]] = field(default_factory=dict)  # between files
    faults: dict[str, str] = field(default_factory=dict)  # each with an example

    def fault(self, text: str, example: str) -> None:
        self.faults.setdefault(text, example)


def by_name(name: str) -> Folder:
    return next(folder for folder in FOLDERS if folder.name == name)


def folder_of(path: str) -> Folder | None:
    if path.startswith("include/lerpmesh/"):
        stem = os.path.basename(path)[:-2]
        return next((folder for folder in FOLDERS if stem in folder.headers), None)
    matches = [folder for folder in FOLDERS if path.startswith(folder.path)]
    return max(matches, key=lambda folder: len(folder.path), default=None)


def is_public(path: str) -> bool:
    return path.startswith("include/")


def unit_of(path: str) -> str:
    return path[:-2]


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def source_files() -> list[str]:
    found = ["include/lerpmesh/" + name
             for name in os.listdir(os.path.join(ROOT, "include/lerpmesh"))]
    for top in TOP_FOLDERS:
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names]
    return sorted(path for path in found if path.endswith((".c", ".h")))


def resolve(path: str, name: str) -> str | None:
    for folder in (os.path.dirname(path), *PATHS):
        wanted = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(os.path.join(ROOT, wanted)):
            return wanted
    return None


def may_use(folder: Folder, path: str, other: Folder, target: str) -> bool:
    if folder is other or (is_public(target) and other.library in folder.libraries):
        return True
    return other.name in folder.uses or (path in LISTS and other.name in FORMATS)


def examine(project: Project, path: str) -> None:
    """Adds a file's arrows and faults."""
    folder = folder_of(path)
    if path == ALL:
        return
    if folder is None:
        project.fault(f"{path} is in no listed folder", "add it to FOLDERS in scripts/architecture.py")
        return
    text = read(path)
    for kind, name in re.findall(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', text, re.M):
        target = resolve(path, name)
        if kind == "<" and not name.startswith("lerpmesh/"):
            if folder.library in ("lerpmesh", "lerpmesh-write") and not C_HEADERS.fullmatch(name):
                project.fault(f"{folder.name} -> <{name}>", f"{path}: the library is plain C11")
        elif target is None:
            project.fault(f"{path} -> {name}", "there is no such file")
        elif target == ALL:
            project.arrows.setdefault(unit_of(path), set()).add(unit_of(ALL))
            if not folder.libraries:
                project.fault(f"{path} -> {ALL}", "it is for programs")
        else:
            project.arrows.setdefault(unit_of(path), set()).add(unit_of(target))
            other = folder_of(target)
            if other is not None and not may_use(folder, path, other, target):
                project.fault(f"{folder.name} -> {other.name}", f"{path} includes {name}")
    for name in re.findall(r"\bX\((\w+)\)", text if path in LISTS else ""):
        if name in FORMATS:
            project.arrows.setdefault(unit_of(path), set()).add(by_name(LISTS[path](name)).path)
    for name in re.findall(r"\blm_format_(\w+)", text):
        if name in FORMATS and folder.name not in (name, write_folder(name)):
            project.fault(f"{path} names lm_format_{name}", f"only {', '.join(LISTS)} list the formats")


def folder_arrows(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    result: dict[str, set[str]] = {}
    for unit, others in arrows.items():
        folder = folder_of(unit + ".h")
        result.setdefault(folder.name, set())
        for other in others:
            target = folder_of(other + ".h")
            if target is not None and target is not folder:
                result[folder.name].add(target.name)
    return result


def check_order(project: Project) -> None:
    """Reports folders that may use later ones."""
    seen: set[str] = set()
    for folder in FOLDERS:
        for name in folder.uses:
            if name not in seen:
                project.fault(f"{folder.name} may use {name}", "it comes later in FOLDERS")
        seen.add(folder.name)


def survey() -> Project:
    project = Project()
    check_order(project)
    paths = source_files()
    for path in paths:
        examine(project, path)
    if len(paths) < 100 or len(project.arrows) < 100:
        sys.exit(f"architecture: found only {len(paths)} files")
    for circle in circles(project.arrows):
        project.fault("circle of files: " + " ".join(circle), "each needs the others")
    for circle in circles(folder_arrows(project.arrows)):
        project.fault("circle of folders: " + ", ".join(circle), "each needs the others")
    return project


# The diagram -----------------------------------------------------------------------------------

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 122, 34, 16, 34, 20


def reduced(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    """Removes arrows that other arrows imply (transitive reduction)."""
    def collect(node: str, seen: set[str]) -> set[str]:
        for other in arrows.get(node, ()):
            if other not in seen:
                seen.add(other)
                collect(other, seen)
        return seen

    indirect = {node: set().union(*(collect(o, set()) for o in others), set())
                for node, others in arrows.items()}
    return {node: {o for o in others if o not in indirect[node]} for node, others in arrows.items()}


def levels_of(arrows: dict[str, set[str]]) -> dict[str, int]:
    """Returns the level of each node: one more than the highest level of the nodes that it uses."""
    level: dict[str, int] = {}

    def height(node: str, below: tuple[str, ...] = ()) -> int:
        if node not in level and node not in below:
            under = [height(o, (*below, node)) for o in sorted(arrows.get(node, ()))]
            level[node] = 1 + max(under, default=-1)
        return level.get(node, 0)

    for node in arrows:
        height(node)
    return level


def rows_of(arrows: dict[str, set[str]], order: list[str]) -> tuple[list[list[str]], list[tuple[str, str]]]:
    """Returns the nodes by level, highest first, and the arrows from row to row. An arrow that passes a row
    has an entry in it, whose name begins with '|'."""
    level = levels_of(arrows)
    rows: list[list[str]] = [[] for _ in range(1 + max(level.values(), default=-1))]
    for node in sorted(level, key=order.index):
        rows[level[node]].append(node)
    steps = []
    for node in sorted(arrows, key=order.index):
        for other in sorted(arrows[node], key=order.index):
            above = node
            for between in range(level[node] - 1, level[other], -1):
                rows[between].append(f"|{node} {other}")
                steps.append((above, rows[between][-1]))
                above = rows[between][-1]
            steps.append((above, other))
    rows.reverse()
    for step in range(12):  # moves each node to the middle of its neighbours, downward, then upward
        pairs = list(zip(rows, rows[1:])) if step % 2 else list(zip(rows[:0:-1], rows[-2::-1]))
        for fixed, free in pairs:
            free.sort(key={node: middle(node, fixed, free, steps) for node in free}.get)
    return rows, steps


def middle(node: str, fixed: list[str], free: list[str], steps: list[tuple[str, str]]) -> float:
    """Returns the middle of a node's neighbours in the row `fixed`, from 0 to 1; `free` is its own row."""
    at = [(fixed.index(other) + 0.5) / len(fixed) for pair in steps if node in pair
          for other in pair if other in fixed]
    return sum(at) / len(at) if at else (free.index(node) + 0.5) / len(free)


class Drawing:
    def __init__(self) -> None:
        self.under: list[str] = []  # frames
        self.lines: list[str] = []
        self.over: list[str] = []

    def box(self, x: float, y: float, name: str) -> None:
        self.over.append(f'<rect class="box" x="{x:g}" y="{y:g}" width="{WIDTH}" '
                         f'height="{HEIGHT}" rx="4"/>')
        self.over.append(f'<text x="{x + WIDTH / 2:g}" y="{y + HEIGHT / 2 + 4:g}">{name}</text>')

    def frame(self, x: float, y: float, width: float, height: float, name: str) -> None:
        self.under.append(f'<rect class="frame" x="{x:g}" y="{y:g}" width="{width:g}" '
                          f'height="{height:g}" rx="8"/>')
        self.over.append(f'<text class="title" x="{x + 10:g}" y="{y + 17:g}">{name}</text>')

    def arrow(self, path: str, end: bool = True) -> None:
        head = ' marker-end="url(#head)"' if end else ""
        self.lines.append(f'<path d="{path}"{head}/>')

    def svg(self, width: float, height: float) -> str:
        style = ("text{font:13px sans-serif;text-anchor:middle;fill:#222}"
                 ".title{font-size:12px;text-anchor:start;fill:#555}"
                 ".box{fill:#fff;stroke:#446}.frame{fill:#eef1f6;stroke:#b8c0d0}"
                 "path{fill:none;stroke:#446;stroke-width:1.3}")
        head = ('<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
                'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#446;'
                'stroke:none"/></marker></defs>')
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}">',
            "<!-- Drawn by scripts/architecture.py. -->",
            f"<style>{style}</style>", head,
            '<rect width="100%" height="100%" fill="#fff"/>',
            *self.under, *self.lines, *self.over, "</svg>", ""])


def layout_rows(rows: list[list[str]], width: float, top: float) -> dict[str, tuple[float, float]]:
    """Returns the upper left corner of each node, and of each entry that an arrow passes."""
    at = {}
    for y, row in enumerate(rows):
        sizes = [GAP_X if node[0] == "|" else WIDTH for node in row]
        x = (width - sum(sizes) - GAP_X * (len(row) - 1)) / 2
        for node, size in zip(row, sizes):
            at[node] = (x, top + y * (HEIGHT + GAP_Y))
            x += size + GAP_X
    return at


def draw_graph(drawing: Drawing, title: str, arrows: dict[str, set[str]], order: list[str], width: float,
               top: float) -> float:
    """Draws a frame with a graph in rows. Returns its lower edge."""
    rows, steps = rows_of(arrows, order)
    at = layout_rows(rows, width, top + 28)
    for above, below in steps:
        half = [(GAP_X if node[0] == "|" else WIDTH) / 2 for node in (above, below)]
        x1, y1 = at[above][0] + half[0], at[above][1] + HEIGHT
        x2, y2 = at[below][0] + half[1], at[below][1]
        bend = (y2 - y1) / 2
        drawing.arrow(f"M{x1:g} {y1:g}C{x1:g} {y1 + bend:g} {x2:g} {y2 - bend:g} {x2:g} {y2:g}"
                      + (f"V{y2 + HEIGHT:g}" if below[0] == "|" else ""), below[0] != "|")
    for node, (x, y) in at.items():
        if node[0] != "|":
            drawing.box(x, y, node.removeprefix("write "))
    end = top + 28 + len(rows) * (HEIGHT + GAP_Y) - GAP_Y + 12
    drawing.frame(MARGIN, top, width - 2 * MARGIN, end - top, title)
    return end


def node_of(folder: Folder) -> str:
    """Returns a folder's node in the graph of libraries and programs."""
    return folder.name if folder.library == "programs" else folder.library


def library_arrows(project: Project) -> dict[str, set[str]]:
    """Returns all arrows between libraries, and those of programs that other arrows do not imply."""
    arrows: dict[str, set[str]] = {}
    for unit, others in project.arrows.items():
        own = node_of(folder_of(unit + ".h"))
        used = {node_of(folder_of(other + ".h") or by_name("load")) for other in others}
        arrows.setdefault(own, set()).update(used - {own})
    fewer = reduced(arrows)
    return {node: arrows[node] if node in ALL_LIBRARIES else fewer[node] for node in arrows}


def draw(project: Project) -> str:
    drawing, width = Drawing(), 640.0
    order = [*(folder.name for folder in FOLDERS), *ALL_LIBRARIES]
    end = draw_graph(drawing, "libraries and programs", library_arrows(project), order, width, MARGIN)
    arrows = folder_arrows(project.arrows)
    for library in ("lerpmesh-write", "lerpmesh"):
        inside = {name for name in arrows if by_name(name).library == library}
        graph = reduced({name: arrows[name] & inside for name in inside})
        end = draw_graph(drawing, f"folders of {library}", graph, order, width, end + MARGIN)
    return drawing.svg(width, end + MARGIN)


def main() -> None:
    project = survey()
    diagram = draw(project)
    if "--write" in sys.argv:
        with open(os.path.join(ROOT, IMAGE), "w", encoding="utf-8") as file:
            file.write(diagram)
    faults = [f"{fault} ({example})" for fault, example in sorted(project.faults.items())]
    if not os.path.isfile(os.path.join(ROOT, IMAGE)) or read(IMAGE) != diagram:
        faults.append(f"{IMAGE} is out of date: run scripts/architecture.py --write")
    if faults:
        sys.exit("\n".join("architecture: " + line for line in faults))
    print(f"architecture: {len(project.arrows)} files, no circles and no forbidden includes")


if __name__ == "__main__":
    main()
