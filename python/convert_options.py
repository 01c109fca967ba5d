"""Writes lerpmesh/_convert.py, whose convert() takes the options of `lerpmesh convert` as typed arguments.

    lerpmesh help convert --json | convert_options.py _convert.py"""
import json
import keyword
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

HEAD = '''"""convert() with the options of `lerpmesh convert`. Written by convert_options.py."""
from __future__ import annotations

from typing import Literal, Optional, Sequence, Union

from .conversion import Converted, Progress, Source, Textures, run
from .library import PathLike
from .skeleton import Skeleton


def convert(source: Source, format: str, path: Optional[PathLike] = None, *, write: bool = False, replace: bool = False,
            skeletons: Sequence[Optional[Skeleton]] = (), textures: Textures = (), from_game: bool = False,
            progress: Optional[Progress] = None, options: str = "", @ARGUMENTS@) -> Converted:
    """Converts a model to a format: "md2", "md3", "mdc", "mdl", "glb", "gltf", "obj" or "iqm".

    - `source`: the path of a model, of a folder or archive with one, or of another program's file; a Scene, a Model or a
      Mesh.
    - `path`: of the new file, which gives its images their names. `write`: writes the files there. If a file that
      `path` does not name exists with other contents, it fails and writes nothing, unless `replace`.
    - `skeletons`: of each part of a Scene, or of a Model, from Model.skeleton(): a glTF gets a skin instead of morph
      targets; None: morph targets.
    - `textures`: of a Mesh, the image of each surface, as a SurfaceImage or as pixels [height, width, 4]; None: no image,
      the surface keeps its materials. `from_game`: its materials are named by paths of a game, and keep their names.
    - `progress`: called before each step, with the finished share of the work and what follows. If it returns False, the
      conversion fails with the code "stopped".

    - `options`: more options, as the command takes them: `--decimate 50% --clip run`. They replace arguments. If there may
      be several values, they are added.

    The other arguments are the options of `lerpmesh convert`:

    @HELP@

    >>> convert("samples/tick.md2", "md3", max_error=0.1).data[:4]
    b'IDP3'
    """
    return run(source, format, path, write, replace, skeletons, textures, from_game, progress, options, {
        @VALUES@})
'''


def name_of(option: dict[str, Any]) -> str:
    name = option["name"].replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def type_of(option: dict[str, Any]) -> str:
    """Returns the type of an option's value in Python."""
    kind, words = option["type"], option["words"]
    if kind == "flag":
        return "bool"
    one = {"number": "float", "whole": "int", "size": "Union[int, str]"}.get(kind, "str")
    if words:
        one = f"Literal[{', '.join(word if word.isdigit() else repr(word) for word in words)}]"
    if kind == "texts":
        return "Union[str, Sequence[str]]"
    return f"Union[bool, {one}]" if option["value"].startswith("[") else one


def write(path: Path, listed: str) -> None:
    """`listed`: the JSON."""
    options = [option for option in json.loads(listed) if option["type"] != "own"]
    arguments = [f"{name_of(o)}: bool = False" if type_of(o) == "bool" else f"{name_of(o)}: Optional[{type_of(o)}] = None"
                 for o in options]
    lines = [textwrap.fill(f"- `{name_of(o)}`: {re.sub(r'--([a-z][a-z-]*)', lambda m: m[1].replace('-', '_'), o['help'])}",
                           110, initial_indent="    ", subsequent_indent="      ", break_on_hyphens=False)
             for o in options]
    values = [f"{o['name']!r}: {name_of(o)}" for o in options]
    indent = ",\n            "
    text = HEAD.replace("@ARGUMENTS@", indent.join(arguments)).replace("    @HELP@", "\n".join(lines))
    path.write_text(text.replace("@VALUES@", ",\n        ".join(values)), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.stdin.read())
