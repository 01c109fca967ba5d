#!/usr/bin/env python3
"""The rooms of the house and the arrows between them, from the real #includes.

architecture.py [ROOT]         fails on what the house forbids, and where the picture is out of date
architecture.py --write [ROOT] draws docs/pictures/architecture.svg

What each room may know stands here, once. A public header belongs to the lowest room that speaks its
words. A .c file and the header of the same name beside it are one file."""
import os
import re
import sys
from dataclasses import dataclass, field

from components import circles

FOLDER = [word for word in sys.argv[1:] if word != "--write"]
ROOT = FOLDER[0] if FOLDER else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PICTURE = "docs/pictures/architecture.svg"


@dataclass(frozen=True)
class Room:
    """`home`: what its files' paths begin with. `knows`: rooms. `headers`: of include/lerpmesh/.
    `sees`: buildings all of whose public headers it may include."""

    name: str
    building: str
    home: str
    knows: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    sees: tuple[str, ...] = ()


# Folders of several formats; any other folder in src/formats/ is a format's, and is found.
SHARED = ("vertex_mesh",)
FORMATS = tuple(sorted(entry.name for entry in os.scandir(os.path.join(ROOT, "src", "formats"))
                       if entry.is_dir() and entry.name not in SHARED))
# Rooms that a format's reader may know, and its writer besides.
READS = ("core", "math", "model", "clips", "layout", "formats")
WRITES = (*READS, "sample", "mesh", "encode", "optimize", "edit", "write formats")


def write_room(name: str) -> str:
    return f"write {name}"


# From the ground up: a room knows only rooms that stand above it in this list. The longest home that
# fits is a file's; a room without files is one that is to come.
ROOMS = (
    Room("core", "lerpmesh", "src/core/", headers=("base",)),
    Room("math", "lerpmesh", "src/math/", ("core",)),
    Room("model", "lerpmesh", "src/model/", ("core", "math"), headers=("model", "load", "check")),
    Room("clips", "lerpmesh", "src/clips/", ("core", "model"), headers=("clips",)),
    Room("layout", "lerpmesh", "src/layout/", ("core", "model")),
    Room("sample", "lerpmesh", "src/sample/", ("core", "math", "model"), headers=("sample",)),
    Room("formats", "lerpmesh", "src/formats/", READS[:-1]),
    # Where a file's bounds are damaged, they are sampled.
    Room("vertex_mesh", "lerpmesh", "src/formats/vertex_mesh/", (*READS, "sample")),
    *(Room(name, "lerpmesh", f"src/formats/{name}/", (*READS, *SHARED), headers=(name,))
      for name in FORMATS),
    # The formats' own rooms are known to one file of it, its LIST, only.
    Room("load", "lerpmesh", "src/", ("core", "model", "layout", "formats", "sample")),
    Room("scene", "lerpmesh", "src/scene/", ("core", "model", "clips", "sample"),
         headers=("scene",)),
    Room("mesh", "lerpmesh-write", "write/mesh/", ("core", "math", "model", "clips", "sample"),
         headers=("mesh",)),
    Room("encode", "lerpmesh-write", "write/encode/", ("core", "math", "model", "clips", "sample", "mesh"),
         headers=("encode",)),
    Room("optimize", "lerpmesh-write", "write/optimize/",
         ("core", "math", "model", "clips", "sample", "mesh", "encode")),
    Room("edit", "lerpmesh-write", "write/edit/", ("core", "math", "model", "clips"), headers=("edit",)),
    Room("write formats", "lerpmesh-write", "write/formats/", WRITES[:-1]),
    *(Room(write_room(name), "lerpmesh-write", f"write/formats/{name}/", (*WRITES, *SHARED))
      for name in SHARED),
    *(Room(write_room(name), "lerpmesh-write", f"write/formats/{name}/",
           (*WRITES, *SHARED, *map(write_room, SHARED), name)) for name in FORMATS),
    # The formats' writers are known to one file of it, its LIST, only.
    Room("write", "lerpmesh-write", "write/", (*WRITES, "load")),
    Room("export", "lerpmesh-write", "write/export/", ("core", "math", "model", "clips", "sample", "scene"),
         headers=("export",)),
    Room("compose", "lerpmesh-write", "write/compose/",
         ("core", "math", "model", "clips", "sample", "scene", "mesh", "mdl"), headers=("compose",)),
    Room("assets", "lerpmesh-assets", "assets/", ("core",),
         headers=("assets", "files", "image"),
         sees=("lerpmesh",)),
    Room("import", "lerpmesh-import", "import/", headers=("import",), sees=("lerpmesh", "lerpmesh-write")),
    Room("gl", "lerpmesh-gl", "gl/", headers=("gl",), sees=("lerpmesh",)),
    Room("common", "programs", "common/", ("core", "assets"), sees=("lerpmesh", "lerpmesh-write", "lerpmesh-assets", "lerpmesh-gl")),
    Room("tool", "programs", "tool/", ("common",), sees=("lerpmesh", "lerpmesh-write", "lerpmesh-assets", "lerpmesh-gl",
                                            "lerpmesh-import")),
    Room("viewer", "programs", "viewer/", ("common",), sees=("lerpmesh", "lerpmesh-write", "lerpmesh-assets", "lerpmesh-gl")),
    # What a browser is to the libraries and node to the command: their system of files, their OpenGL.
    Room("web", "programs", "web/", ("assets", "gl", "common", "tool"), sees=("lerpmesh", "lerpmesh-write", "lerpmesh-assets", "lerpmesh-gl",
                                                            "lerpmesh-import")),
    Room("examples", "programs", "examples/", sees=("lerpmesh", "lerpmesh-write", "lerpmesh-assets")),
)
FOLDERS = ("src", "write", "assets", "import", "gl", "common", "tool", "viewer", "web", "examples")
# Where a quoted name is looked for, after the folder of the file itself.
PATHS = ("include", "src", "write", "assets", "common", "tool")
# The files that list the formats, X(NAME): those that are read, and those that are written.
LISTS = {"src/formats.h": lambda name: name, "write/writers.c": write_room}
# What the core may have from outside: C, and the processors' own.
C_HEADERS = re.compile(r"(assert|ctype|errno|float|inttypes|limits|locale|math|stdarg|stdbool|"
                       r"stddef|stdint|stdio|stdlib|string|immintrin|emmintrin|arm_neon|"
                       r"wasm_simd128)\.h")
# lerpmesh.h is all headers of its library, for programs.
ALL = "include/lerpmesh/lerpmesh.h"

# Faults that are known and wait to be mended: this list only ever gets shorter.
KNOWN: set[str] = set()


@dataclass
class House:
    arrows: dict[str, set[str]] = field(default_factory=dict)  # between files
    faults: dict[str, str] = field(default_factory=dict)  # and an example of each

    def fault(self, what: str, example: str) -> None:
        self.faults.setdefault(what, example)


def by_name(name: str) -> Room:
    return next(room for room in ROOMS if room.name == name)


def room_of(path: str) -> Room | None:
    if path.startswith("include/lerpmesh/"):
        stem = os.path.basename(path)[:-2]
        return next((room for room in ROOMS if stem in room.headers), None)
    homes = [room for room in ROOMS if path.startswith(room.home)]
    return max(homes, key=lambda room: len(room.home), default=None)


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
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names]
    return sorted(path for path in found if path.endswith((".c", ".h")))


def resolve(path: str, name: str) -> str | None:
    for folder in (os.path.dirname(path), *PATHS):
        wanted = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(os.path.join(ROOT, wanted)):
            return wanted
    return None


def may_know(room: Room, path: str, other: Room, target: str) -> bool:
    if room is other or (is_public(target) and other.building in room.sees):
        return True
    return other.name in room.knows or (path in LISTS and other.name in FORMATS)


def look_at(house: House, path: str) -> None:
    """Its arrows, and what is wrong with them."""
    room = room_of(path)
    if path == ALL:
        return
    if room is None:
        house.fault(f"{path} is in no room", "say in scripts/architecture.py what it may know")
        return
    text = read(path)
    for kind, name in re.findall(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', text, re.M):
        target = resolve(path, name)
        if kind == "<" and not name.startswith("lerpmesh/"):
            if room.building in ("lerpmesh", "lerpmesh-write") and not C_HEADERS.fullmatch(name):
                house.fault(f"{room.name} -> <{name}>", f"{path}: the core is plain C11")
        elif target is None:
            house.fault(f"{path} -> {name}", "there is no such file")
        elif target == ALL:
            house.arrows.setdefault(unit_of(path), set()).add(unit_of(ALL))
            if not room.sees:
                house.fault(f"{path} -> {ALL}", "it is for programs")
        else:
            house.arrows.setdefault(unit_of(path), set()).add(unit_of(target))
            other = room_of(target)
            if other is not None and not may_know(room, path, other, target):
                house.fault(f"{room.name} -> {other.name}", f"{path} includes {name}")
    for name in re.findall(r"\bX\((\w+)\)", text if path in LISTS else ""):
        if name in FORMATS:
            house.arrows.setdefault(unit_of(path), set()).add(by_name(LISTS[path](name)).home)
    for name in re.findall(r"\blm_format_(\w+)", text):
        if name in FORMATS and room.name not in (name, write_room(name)):
            house.fault(f"{path} names lm_format_{name}", f"only {', '.join(LISTS)} list the formats")


def room_arrows(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    result: dict[str, set[str]] = {}
    for unit, others in arrows.items():
        room = room_of(unit + ".h")
        result.setdefault(room.name, set())
        for other in others:
            target = room_of(other + ".h")
            if target is not None and target is not room:
                result[room.name].add(target.name)
    return result


def check_order(house: House) -> None:
    """The list above is itself an order: nobody knows what stands below in it."""
    seen: set[str] = set()
    for room in ROOMS:
        for name in room.knows:
            if name not in seen:
                house.fault(f"{room.name} may know {name}", "which stands above it")
        seen.add(room.name)


def survey() -> House:
    house = House()
    check_order(house)
    paths = source_files()
    for path in paths:
        look_at(house, path)
    if len(paths) < 100 or len(house.arrows) < 100:
        sys.exit(f"architecture: found {len(paths)} files only")
    for circle in circles(house.arrows):
        house.fault("circle of files: " + " ".join(circle), "each needs the others")
    for circle in circles(room_arrows(house.arrows)):
        house.fault("circle of rooms: " + ", ".join(circle), "each needs the others")
    return house


def complaints(house: House) -> list[str]:
    found = [f"{what} ({example})" for what, example in sorted(house.faults.items())
             if what not in KNOWN]
    return found + [f"'{what}' is mended: take it out of KNOWN"
                    for what in sorted(KNOWN - set(house.faults))]


# The picture -----------------------------------------------------------------------------------

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 100, 34, 16, 34, 20


def reduced(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    """Without those where a way over others leads to the same room."""
    def reach(node: str, seen: set[str]) -> set[str]:
        for other in arrows.get(node, ()):
            if other not in seen:
                seen.add(other)
                reach(other, seen)
        return seen

    far = {node: set().union(*(reach(o, set()) for o in others), set())
           for node, others in arrows.items()}
    return {node: {o for o in others if o not in far[node]} for node, others in arrows.items()}


def levels_of(arrows: dict[str, set[str]]) -> dict[str, int]:
    """How high each room stands: one above the highest that it knows."""
    level: dict[str, int] = {}

    def height(node: str, below: tuple[str, ...] = ()) -> int:
        if node not in level and node not in below:
            under = [height(o, (*below, node)) for o in sorted(arrows.get(node, ()))]
            level[node] = 1 + max(under, default=-1)
        return level.get(node, 0)

    for node in arrows:
        height(node)
    return level


def rows_of(arrows: dict[str, set[str]]) -> tuple[list[list[str]], list[tuple[str, str]]]:
    """Rooms by height, the highest first, and the arrows from row to row. An arrow that passes a row
    has a place in it, whose name begins with '|'."""
    level = levels_of(arrows)
    rows: list[list[str]] = [[] for _ in range(1 + max(level.values(), default=-1))]
    order = [room.name for room in ROOMS]
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
    for turn in range(12):  # each below, then above, the middle of its neighbours
        pairs = list(zip(rows, rows[1:])) if turn % 2 else list(zip(rows[:0:-1], rows[-2::-1]))
        for fixed, free in pairs:
            free.sort(key={node: middle(node, fixed, free, steps) for node in free}.get)
    return rows, steps


def middle(node: str, fixed: list[str], free: list[str], steps: list[tuple[str, str]]) -> float:
    """Where a room of `free` has its neighbours in the row `fixed`, from 0 to 1."""
    at = [(fixed.index(other) + 0.5) / len(fixed) for pair in steps if node in pair
          for other in pair if other in fixed]
    return sum(at) / len(at) if at else (free.index(node) + 0.5) / len(free)


class Drawing:
    def __init__(self) -> None:
        self.under: list[str] = []  # frames
        self.lines: list[str] = []
        self.over: list[str] = []

    def box(self, x: float, y: float, name: str, note: str = "") -> None:
        self.over.append(f'<rect class="room" x="{x:g}" y="{y:g}" width="{WIDTH}" '
                         f'height="{HEIGHT}" rx="4"/>')
        text = (x + WIDTH / 2, y + HEIGHT / 2 + (-2 if note else 4))
        self.over.append(f'<text x="{text[0]:g}" y="{text[1]:g}">{name}</text>')
        if note:
            self.over.append(f'<text class="note" x="{text[0]:g}" y="{text[1] + 13:g}">{note}</text>')

    def frame(self, x: float, y: float, width: float, height: float, name: str) -> None:
        self.under.append(f'<rect class="frame" x="{x:g}" y="{y:g}" width="{width:g}" '
                          f'height="{height:g}" rx="8"/>')
        self.over.append(f'<text class="building" x="{x + 10:g}" y="{y + 17:g}">{name}</text>')

    def arrow(self, path: str, end: bool = True) -> None:
        head = ' marker-end="url(#head)"' if end else ""
        self.lines.append(f'<path d="{path}"{head}/>')

    def svg(self, width: float, height: float) -> str:
        style = ("text{font:13px sans-serif;text-anchor:middle;fill:#222}"
                 ".note{font-size:10px;fill:#555}"
                 ".building{font-size:12px;text-anchor:start;fill:#555}"
                 ".room{fill:#fff;stroke:#446}.frame{fill:#eef1f6;stroke:#b8c0d0}"
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


def place_rows(rows: list[list[str]], width: float, top: float) -> dict[str, tuple[float, float]]:
    """The left upper corner of each room, and of each place that an arrow passes."""
    at = {}
    for y, row in enumerate(rows):
        sizes = [GAP_X if node[0] == "|" else WIDTH for node in row]
        x = (width - sum(sizes) - GAP_X * (len(row) - 1)) / 2
        for node, size in zip(row, sizes):
            at[node] = (x, top + y * (HEIGHT + GAP_Y))
            x += size + GAP_X
    return at


def draw_rooms(drawing: Drawing, building: str, arrows: dict[str, set[str]], width: float,
               top: float) -> float:
    """A building with its rooms in rows. Returns where it ends."""
    inside = {name for name in arrows if by_name(name).building == building}
    rows, steps = rows_of(reduced({name: arrows[name] & inside for name in inside}))
    at = place_rows(rows, width, top + 28)
    for above, below in steps:
        half = [(GAP_X if node[0] == "|" else WIDTH) / 2 for node in (above, below)]
        x1, y1 = at[above][0] + half[0], at[above][1] + HEIGHT
        x2, y2 = at[below][0] + half[1], at[below][1]
        bend = (y2 - y1) / 2
        drawing.arrow(f"M{x1:g} {y1:g}C{x1:g} {y1 + bend:g} {x2:g} {y2 - bend:g} {x2:g} {y2:g}"
                      + (f"V{y2 + HEIGHT:g}" if below[0] == "|" else ""), below[0] != "|")
    for node, (x, y) in at.items():
        if node[0] != "|":
            drawing.box(x, y, node)
    end = top + 28 + len(rows) * (HEIGHT + GAP_Y) - GAP_Y + 12
    drawing.frame(MARGIN, top, width - 2 * MARGIN, end - top, building)
    return end


def buildings_of(house: House, name: str) -> set[str]:
    """The buildings whose rooms a room's files include."""
    used = {other + ".h" for unit, others in house.arrows.items()
            if room_of(unit + ".h").name == name for other in others}
    rooms = {room_of(path) or by_name("load") for path in used}
    return {room.building for room in rooms} - {by_name(name).building}


def draw(house: House) -> str:
    arrows = room_arrows(house.arrows)
    drawing, width = Drawing(), 640.0
    programs = [room.name for room in ROOMS if room.building == "programs" and room.name in arrows]
    above = [room.name for room in ROOMS if room.name in arrows and room.sees
             and room.building != "programs"]
    x_of, y = {}, MARGIN + 28.0
    for names, top in ((programs, y), (above, y + HEIGHT + 12 + 2 * GAP_Y)):
        spread = (width - 2 * MARGIN) / len(names)
        for i, name in enumerate(names):
            x = MARGIN + spread * (i + 0.5) - WIDTH / 2
            x_of[name] = x + WIDTH / 2
            knows = ", ".join(sorted(arrows[name] & set(by_name(name).knows)))
            drawing.box(x, top, name, f"and src/{knows}" if knows else "")
            if names is above:
                drawing.frame(x - 40, top - 28, WIDTH + 80, HEIGHT + 40, by_name(name).building)
    drawing.frame(MARGIN, MARGIN, width - 2 * MARGIN, HEIGHT + 40, "programs")
    middle, low = y + HEIGHT + 12 + 2 * GAP_Y, y + 2 * HEIGHT + 24 + 4 * GAP_Y - 28
    for name in programs:
        used = buildings_of(house, name)
        for other in above:
            if by_name(other).building in used:
                drawing.arrow(f"M{x_of[name]:g} {y + HEIGHT:g}C{x_of[name]:g} {y + HEIGHT + 50:g} "
                              f"{x_of[other]:g} {middle - 70:g} {x_of[other]:g} {middle - 29:g}")
        if used == {"lerpmesh"}:  # past the others
            side = width - MARGIN - 20
            drawing.arrow(f"M{x_of[name]:g} {y + HEIGHT:g}C{x_of[name]:g} {y + HEIGHT + 50:g} "
                          f"{side:g} {middle - 90:g} {side:g} {middle - 29:g}V{low - 1:g}")
    for name in above:
        drawing.arrow(f"M{x_of[name]:g} {middle + HEIGHT + 12:g}V{low - 1:g}")
    end = draw_rooms(drawing, "lerpmesh", arrows, width, low)
    return drawing.svg(width, end + MARGIN)


def main() -> None:
    house = survey()
    picture = draw(house)
    if "--write" in sys.argv:
        with open(os.path.join(ROOT, PICTURE), "w", encoding="utf-8") as file:
            file.write(picture)
    wrong = complaints(house)
    if not os.path.isfile(os.path.join(ROOT, PICTURE)) or read(PICTURE) != picture:
        wrong.append(f"{PICTURE} is out of date: run scripts/architecture.py --write")
    if wrong:
        sys.exit("\n".join("architecture: " + line for line in wrong))
    print(f"architecture: {len(house.arrows)} files, no circle and no arrow up"
          + (f" but {len(KNOWN)} that are known" if KNOWN else ""))


if __name__ == "__main__":
    main()
