#!/usr/bin/env python3
"""Finds circles of calls between .c files: each file of a circle calls functions of all the others, directly
or through another file of the circle. No part of a circle can be understood, tested or replaced alone.

circles.py [ROOT]  fails if a circle has more than two files

A file calls a function if its code names one that another file defines and that is not static. Calls
made by inline functions of headers do not count."""
import os
import re
import sys

from components import circles

FOLDERS = ("src", "write", "assets", "import", "gl", "common", "tool", "viewer")
LARGEST = 2  # files

NOT_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
                      r"""|^[ \t]*#(?:\\\n|[^\n])*""", re.S | re.M)
# A function definition as clang-format writes it: type, name, parameters, brace.
DEFINITION = re.compile(r"^((?:[A-Za-z_]\w*[ \n*]+)+)(\w+)\([^;{}]*\)\s*\{", re.M)


def sources(root: str) -> list[str]:
    found = []
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(path for path in found if path.endswith(".c"))


def calls_between(root: str) -> dict[str, set[str]]:
    """Returns for each file the other files whose functions it calls."""
    words: dict[str, set[str]] = {}
    definitions: dict[str, set[str]] = {}
    for path in sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            code = NOT_CODE.sub(" ", file.read())
        words[path] = set(re.findall(r"\w+", code))
        for before, name in DEFINITION.findall(code):
            words[path].discard(name)
            if "static" not in before.split():
                definitions.setdefault(name, set()).add(path)
    return {path: {other for name in names for other in definitions.get(name, ())}
            for path, names in words.items()}


def main() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    arrows = calls_between(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, ".."))
    found = [circle for circle in circles(arrows) if len(circle) > LARGEST]
    if found:
        sys.exit("\n".join(f"circles: {len(circle)} files call each other: {' '.join(circle)}"
                           for circle in found))
    print(f"circles: {len(arrows)} files, no circle of more than {LARGEST}")


if __name__ == "__main__":
    main()
