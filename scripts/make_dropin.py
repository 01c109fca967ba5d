#!/usr/bin/env python3
"""Writes the core as one source and one header, lerpmesh.c and lerpmesh.h, for projects that would
rather add two files than a library.

Usage: make_dropin.py FOLDER

What files keep to themselves stays so: where two have a function, table or type of the same name,
each gets its file's name behind it, and a file's macros end with it."""
from __future__ import annotations

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"
PUBLIC = ROOT / "include"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"[^\n]*\n', re.M)
GUARD = re.compile(r"^#ifndef (\w+_H)\n#define \1\n(.*)^#endif[^\n]*\s*\Z", re.M | re.S)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
TOKEN = re.compile(r"""/\*.*?\*/ | //[^\n]* | \\?\s+ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
    | [A-Za-z_]\w* | -> | [0-9][\w.]* | .""", re.X | re.S)
# Texts first: what looks like a comment in them is none.
NOISE = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
                   r"|/\*.*?\*/|//[^\n]*|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*\n", re.M | re.S)
WORD = re.compile(r"[A-Za-z_]\w*\Z")

NOTICE = """/* {name} {version}: {what}.
 *
 * Made by scripts/make_dropin.py from the sources of lerpmesh, which are better to read and to
 * change. {how}
 *
{license}
 */
"""
BEGIN = """#include "lerpmesh.h"

/* Inline functions that one of the files would have used. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunused-function"
#pragma STDC FP_CONTRACT OFF
#define LM_NO_CONTRACTION
#endif
"""


def read(path):
    return path.read_text(encoding="utf-8")


def find(name, includer):
    """The file that #include "name" means."""
    for folder in (includer.parent, SOURCES, PUBLIC):
        if (folder / name).is_file():
            return (folder / name).resolve()
    sys.exit(f'{includer}: there is no file for #include "{name}"')


def in_order(paths):
    """Headers, each behind those that it includes."""
    order = []

    def visit(path):
        if path not in order:
            for name in INCLUDE.findall(read(path)):
                visit(find(name, path))
            order.append(path)

    for path in paths:
        visit(path)
    return order


def unguarded(path):
    """A header without its guard and without what it includes of ours."""
    text = read(path)
    found = GUARD.search(text)
    return INCLUDE.sub("", text[:found.start()] + found.group(2)).strip() + "\n"


def whole(path):
    """A source with those of its includes that have no guard: tables, and text for a kernel each."""
    def included(match):
        other = find(match.group(1), path)
        return "" if GUARD.search(read(other)) else whole(other)

    return INCLUDE.sub(included, read(path)).strip() + "\n"


def statements(text):
    """What stands outside of braces, as lists of tokens; a pair of braces with what is in it is one
    token, which begins with "{"."""
    statement, depth, inside = [], 0, ""
    for token in TOKEN.findall(NOISE.sub(r" \1", text)):
        depth += (token == "{") - (token == "}")
        inside += token
        if depth > 0 or token.isspace():
            continue
        statement.append(inside.strip() if token == "}" else token)
        inside = ""
        ended = token == ";" or (token == "}" and ")" in statement and "=" not in statement)
        if ended:
            yield statement
            statement = []


def names_in(statement):
    """The names that a statement of a file gives to something."""
    depth, names, called = 0, set(), None
    for i, token in enumerate(statement):
        before = statement[i - 1] if i > 0 else ""
        if token == "(" and depth == 0 and WORD.match(before):
            called = before
        depth += (token == "(") - (token == ")")
        if depth == 0 and token in ("=", ";", "[", ",") and WORD.match(before):
            names.add(before)
        if token.startswith("{") and i > 0:
            kind = statement[i - 2] if i > 1 and WORD.match(before) else before
            if kind in ("struct", "union", "enum") and before != kind:
                names.add(before)
            if kind == "enum":
                names.update(re.findall(r"[{,]\s*(\w+)", token))
    if "=" in statement and called:
        return names
    return names | ({called} if called else set())


def own_names(text):
    """What a file alone knows; of names that its macros put together, the second halves."""
    macros = set(DEFINE.findall(text))
    names = set(re.findall(r"##(_[a-z]\w*)", text))
    for statement in statements(text):
        names |= names_in(statement)
    return {name for name in names - macros if not name.lower().startswith(("lm_", "__"))}


def renamed(text, names, suffix):
    """The text with `suffix` behind the names, but for members of structs."""
    result, before, structs, depth = [], "", [], 0
    tokens = TOKEN.findall(text)
    for i, token in enumerate(tokens):
        if token in names and before not in (".", "->"):
            after = next((t for t in tokens[i + 1:] if not t.isspace()), "")
            if not (structs and after in (";", ",", "[", ":")):
                token += suffix
        result.append(token)
        if token == "{":
            depth += 1
            if re.search(r"\b(struct|union)(\s+\w+)?\s*\{\Z", "".join(result[-5:])):
                structs.append(depth)
        elif token == "}":
            if structs and structs[-1] == depth:
                structs.pop()
            depth -= 1
        if not token.isspace():
            before = token
    return "".join(result)


def source():
    headers = in_order(sorted(path for path in SOURCES.rglob("*.h") if GUARD.search(read(path))))
    files = {path: whole(path) for path in sorted(SOURCES.rglob("*.c"))}
    names = {path: own_names(text) for path, text in files.items()}
    times = collections.Counter(name for own in names.values() for name in own)
    parts = [BEGIN]
    for path in headers:
        if SOURCES in path.parents:
            parts.append(f"/* ---- {path.relative_to(ROOT)} ---- */\n\n{unguarded(path)}")
    for path, text in files.items():
        clashes = {name for name in names[path] if times[name] > 1}
        text = renamed(text, clashes, "_" + path.stem)
        ends = "".join(f"#undef {name}\n" for name in dict.fromkeys(DEFINE.findall(text)))
        parts.append(f"/* ---- {path.relative_to(ROOT)} ---- */\n\n{text}{ends}")
    return "\n".join(parts)


def header():
    paths = [path for path in sorted((PUBLIC / "lerpmesh").glob("*.h")) if path.stem != "lerpmesh"
             and not re.search(r"^LM_(ASSETS|GL|IMPORT)_API\b", read(path), re.M)]
    parts = [unguarded(path) for path in in_order(paths)]
    return "#ifndef LERPMESH_H\n#define LERPMESH_H\n\n" + "\n".join(parts) + "\n#endif\n"


def notice(name, what, how):
    version = ".".join(re.findall(r"#define LM_VERSION_\w+ (\d+)", read(PUBLIC / "lerpmesh/base.h")))
    lines = read(ROOT / "LICENSE").strip().splitlines()
    licence = "\n".join(f" * {line}".rstrip() for line in lines)
    return NOTICE.format(name=name, version=version, what=what, how=how, license=licence)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    how = """Compile lerpmesh.c as C11 (-std=c11 -O2) and link libm. It gives the same bits on
 * every machine: where a compiler would not, it refuses and says which flags are missing. LM_NO_SIMD
 * leaves out what uses vector instructions."""
    (folder / "lerpmesh.c").write_text(
        notice("lerpmesh.c", "keyframe meshes, MD2, MDC, MD3 and MDL", how) + source(), encoding="utf-8")
    (folder / "lerpmesh.h").write_text(
        notice("lerpmesh.h", "the manual of lerpmesh.c", how) + header(), encoding="utf-8")


if __name__ == "__main__":
    main()
