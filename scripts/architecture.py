#!/usr/bin/env python3
"""Checks the #includes between the project's folders, and the imports and lines of the web's scripts.

architecture.py [ROOT]  fails on an include that USES does not allow, and on a circle of includes or imports

A public header belongs to the lowest folder whose types it declares. A .c file and the header of the same name in the
same folder are one file."""
import graphlib
import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[1])
# Every other folder in src/formats/ belongs to the format of its name.
FORMATS = sorted(path.name for path in (ROOT / "src/formats").iterdir() if path.is_dir() and path.name != "vertex_mesh")
# Folders that a format's reader may use, and those that its writer may use.
READS = "src/core src/math src/model src/clips src/layout src/formats"
WRITES = f"{READS} src/sample write/mesh write/encode write/optimize write/edit write/formats"

# The folders whose headers a folder may use, all of them above it in this list: so folders form no circle. A library,
# such as lerpmesh-write, stands for its public headers. A file belongs to the folder with the longest name that its
# path begins with.
USES = {
    "src/core": "",
    "src/math": "src/core",
    "src/model": "src/core src/math",
    "src/clips": "src/core src/model",
    "src/layout": "src/core src/model",
    "src/sample": "src/core src/math src/model",
    "src/formats": "src/core src/math src/model src/clips src/layout",
    "src/formats/vertex_mesh": f"{READS} src/sample",  # samples models whose bounds are damaged
    **{f"src/formats/{name}": f"{READS} src/formats/vertex_mesh" for name in FORMATS},
    "src": "src/core src/model src/layout src/formats src/sample",
    "src/scene": "src/core src/model src/clips src/sample",
    "src/structs.c": " ".join(["src/core src/model src/clips src/sample src/scene",  # has every public struct
                               *(f"src/formats/{name}" for name in FORMATS)]),
    "write/mesh": "src/core src/math src/model src/clips src/sample",
    "write/encode": "src/core src/math src/model src/clips src/sample write/mesh",
    "write/optimize": "src/core src/math src/model src/clips src/sample write/mesh write/encode",
    "write/edit": "src/core src/math src/model src/clips",
    "write/formats": f"{READS} src/sample write/mesh write/encode write/optimize write/edit",
    "write/formats/vertex_mesh": f"{WRITES} src/formats/vertex_mesh",
    **{f"write/formats/{name}": f"{WRITES} src/formats/vertex_mesh write/formats/vertex_mesh src/formats/{name}"
       for name in FORMATS},
    "write": f"{WRITES} src",
    "write/skeleton": "src/core src/math src/model src/clips src/sample write/mesh",
    "write/export": "src/core src/math src/model src/clips src/sample src/scene write/mesh write/encode write/skeleton",
    "write/compose": "src/core src/math src/model src/clips src/sample src/scene write/mesh write/skeleton "
                     "src/formats/mdl",
    "assets": "src/core src/math src/model lerpmesh",
    "import": "src/core src/math lerpmesh lerpmesh-write",
    "gl": "lerpmesh",
    "common/internals.h": "src/core src/model src/sample src/scene assets",  # the only file of programs that includes internal headers
    "convert": "src/core src/math src/clips src/scene assets lerpmesh lerpmesh-write lerpmesh-assets lerpmesh-import",
    "common": "common/internals.h lerpmesh lerpmesh-write lerpmesh-assets lerpmesh-gl lerpmesh-import",
    "tool": "common/internals.h common convert lerpmesh-convert lerpmesh lerpmesh-write lerpmesh-assets lerpmesh-gl lerpmesh-import",
    "viewer": "common/internals.h common convert lerpmesh-convert lerpmesh lerpmesh-write lerpmesh-assets lerpmesh-gl",
    # Provides a file system and OpenGL to the libraries in browsers, and system calls to the command in Node.
    "web": "assets gl common/internals.h common convert tool lerpmesh lerpmesh-write lerpmesh-assets lerpmesh-gl "
           "lerpmesh-import lerpmesh-convert",
    "examples": "lerpmesh lerpmesh-write lerpmesh-assets lerpmesh-gl",
}
HEADERS = {"base": "src/core", "model": "src/model", "load": "src/model", "check": "src/model", "clips": "src/clips",
           "sample": "src/sample", "scene": "src/scene", "mesh": "write/mesh", "encode": "write/encode",
           "edit": "write/edit", "skeleton": "write/skeleton", "export": "write/export", "compose": "write/compose",
           "assets": "assets", "files": "assets", "image": "assets", "import": "import", "gl": "gl",
           "convert": "convert", **{name: f"src/formats/{name}" for name in FORMATS}}
LIBRARIES = {"src": "lerpmesh", "write": "lerpmesh-write", "assets": "lerpmesh-assets", "import": "lerpmesh-import",
             "convert": "lerpmesh-convert", "gl": "lerpmesh-gl"}
LIST = "src/formats.inc"  # lists the formats
# The system headers that lerpmesh and lerpmesh-write may include: those of C11 and of processors.
C_HEADERS = re.compile(r"(assert|ctype|errno|float|inttypes|limits|locale|math|stdarg|stdbool|stddef|stdint|stdio|"
                       r"stdlib|string|immintrin|emmintrin|arm_neon|wasm_simd128)\.h")
ALL = "include/lerpmesh/lerpmesh.h"  # includes all headers of its library, for programs


def folder_of(path):
    if path.startswith("include/"):
        return HEADERS.get(Path(path).stem)
    return max((folder for folder in USES if path == folder or path.startswith(folder + "/")), key=len, default=None)


def resolve(path, name):
    """Returns the file that a quoted name means, searched as the compiler does."""
    for folder in (Path(path).parent, *map(Path, ("include", "src", "write", "assets", "convert", "common", "tool"))):
        if (ROOT / folder / name).is_file():
            return (ROOT / folder / name).resolve().relative_to(ROOT.resolve()).as_posix()
    return None


def faults_of(path, text, arrows):
    """Yields the faults of a file, and adds its includes to the arrows between files."""
    folder = folder_of(path)
    if folder is None:
        yield f"{path} is in no folder of USES or HEADERS"
        return
    allowed = {folder, *USES[folder].split()}
    for kind, name in re.findall(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', text, re.M):
        target = resolve(path, name)
        if kind == "<" and not name.startswith("lerpmesh/"):
            if folder.startswith(("src", "write")) and not C_HEADERS.fullmatch(name):
                yield f"{folder} -> <{name}> ({path}: the library is plain C11)"
        elif target is None:
            yield f"{path} -> {name} (there is no such file)"
        elif target == ALL:
            if not any(library in allowed for library in LIBRARIES.values()):
                yield f"{path} -> {ALL} (it is for programs)"
        else:
            arrows.setdefault(path[:-2], set()).update({target[:-2]} - {path[:-2]})
            other = folder_of(target)
            public = target.startswith("include/") and other and LIBRARIES[other.split("/")[0]] in allowed
            if other and not public and other not in allowed:
                yield f"{folder} -> {other} ({path} includes {name})"
    for name in set(re.findall(r"\blmi_format_(\w+)", text)) & set(FORMATS):
        if not folder.endswith("formats/" + name):
            yield f"{path} names lmi_format_{name} (only {LIST} lists the formats)"


def imports():
    """Returns the imports of each script of the web, also those on first use. The page has the library as its lib/."""
    return {path.relative_to(ROOT).as_posix(): {
        f"web/{name}" if name.startswith("lib/") else f"web/{path.parent.name}/{name}"
        for name in re.findall(r'(?:from |import |import\()"\./([^"]+)"', path.read_text(encoding="utf-8"))
    } for path in (ROOT / "web").glob("*/*.js")}


def wide():
    """Yields the lines of the web's scripts that have more than 120 columns."""
    for path in sorted((ROOT / "web").glob("*/*.[jt]s")):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if len(line) > 120:
                yield f"{path.relative_to(ROOT)}:{number} has {len(line)} columns, more than 120"


def main():
    arrows, above = {}, set(LIBRARIES.values())
    faults = [*wide()]
    for folder, names in USES.items():
        faults += [f"{folder} may use {name}, which is below it in USES" for name in names.split() if name not in above]
        above.add(folder)
    tops = {folder.split("/")[0] for folder in USES} | {"include"}
    for path in sorted(path for top in tops for path in (ROOT / top).rglob("*.[ch]")):
        name = path.relative_to(ROOT).as_posix()
        if name != ALL:
            faults += faults_of(name, path.read_text(encoding="utf-8"), arrows)
    for graph in (arrows, imports()):
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            faults.append("circle of files: " + " ".join(sorted(set(error.args[1]))))
    if len(arrows) < 100:
        faults.append(f"found only {len(arrows)} files")
    if faults:
        sys.exit("\n".join("architecture: " + line for line in faults))
    print(f"architecture: {len(arrows)} files, no circle and no forbidden include")


main()
