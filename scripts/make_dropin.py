#!/usr/bin/env python3
"""Writes lerpmesh and lerpmesh-write as one source and one header, lerpmesh.c and lerpmesh.h, for projects
that prefer two files to libraries. LM_NO_WRITE leaves out lerpmesh-write.

Usage: make_dropin.py FOLDER

The source exports the functions of the public headers; all others become static. If two files have a
static function, table or type of the same name, each gets its file's name as a suffix. A file's macros
are undefined at its end."""
from __future__ import annotations

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = (ROOT / "src", ROOT / "write")
PUBLIC = ROOT / "include"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"[^\n]*\n', re.M)
GUARD = re.compile(r"^#ifndef (\w+_H)\n#define \1\n(.*)^#endif[^\n]*\s*\Z", re.M | re.S)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
TOKEN = re.compile(r"""/\*.*?\*/ | //[^\n]* | \\?\s+ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
    | [A-Za-z_]\w* | -> | [0-9][\w.]* | .""", re.X | re.S)
WORD = re.compile(r"[A-Za-z_]\w*\Z")
DIRECTIVE = re.compile(r"[ \t]*#(?:[^\n]*\\\n)*[^\n]*\n")
DECLARED = re.compile(r"^LM_(?:WRITE_)?API\b[^;(\[]*?(\w+)[(\[]", re.M)
STATIC = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(?:\\\n)?[^\n]*\bstatic\b", re.M)

NOTICE = """/* {name} {version}: {what}.
 *
 * Made by scripts/make_dropin.py from the sources of lerpmesh, which are better to read and to
 * change. {how}
 *
{license}
 */
"""
# A fused multiply-add rounds once instead of twice. Clang uses it, and so does GCC outside of ISO mode.
BEGIN = """#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#else
#pragma STDC FP_CONTRACT OFF
#endif
#ifndef LM_NO_CONTRACTION
#define LM_NO_CONTRACTION
#endif
#include "lerpmesh.h"

/* Functions that only the libraries on top of this one, or its tests, call. */
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
"""
END = """
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
"""


def read(path):
    return path.read_text(encoding="utf-8")


def find(name, includer):
    """Returns the file that #include "name" refers to."""
    for folder in (includer.parent, *SOURCES, PUBLIC):
        if (folder / name).is_file():
            return (folder / name).resolve()
    sys.exit(f'{includer}: there is no file for #include "{name}"')


def in_order(paths):
    """Returns the headers, each after those that it includes."""
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
    """Returns a header without its guard and without its #includes of our own headers."""
    text = read(path)
    found = GUARD.search(text)
    return INCLUDE.sub("", text[:found.start()] + found.group(2)).strip() + "\n"


def whole(path):
    """Returns a source with the files without guards that it includes: tables, and code shared by kernels."""
    def included(match):
        other = find(match.group(1), path)
        return "" if GUARD.search(read(other)) else whole(other)

    return INCLUDE.sub(included, read(path)).strip() + "\n"


def statements(text):
    """Yields the top-level statements: the offset of each, and its tokens without comments and directives. A pair of
    braces with its content is one token, which begins with "{"."""
    start, depth, statement, inside, at, round_ones = None, 0, [], "", 0, 0
    while at < len(text):
        found = DIRECTIVE.match(text, at) if at == 0 or text[at - 1] == "\n" else None
        if found:
            at = found.end()
            continue
        token = TOKEN.match(text, at).group()
        if not token.isspace() and not token.startswith(("/*", "//")):
            start = at if start is None else start
            depth += (token == "{") - (token == "}")
            round_ones += (token == "(") - (token == ")")
            inside += token + " " * (depth > 0)
            if depth == 0:
                statement.append(inside)
                inside = ""
                called = ")" in statement and "=" not in statement
                # A macro that expands to a definition: a line without a semicolon.
                macro = token == ")" and round_ones == 0 and statement[0].isupper() and statement[1] == "("
                macro = macro and text[at + 1:].lstrip()[:1] not in (";", "{")
                if token == ";" or (token == "}" and called) or macro:
                    yield start, statement
                    start, statement = None, []
        at += len(token)


def names_in(statement):
    """Returns the names that a statement declares."""
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
    """Returns a file's private names, and the suffixes of names that its macros concatenate."""
    macros = set(DEFINE.findall(text))
    names = set(re.findall(r"##(_[a-z]\w*)", text))
    for _, statement in statements(text):
        names |= names_in(statement)
    return {name for name in names - macros if not name.lower().startswith(("lm_", "__"))}


def renamed(text, names, suffix):
    """Returns the text with `suffix` appended to the names, except to members of structs."""
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


def is_hidden(statement, known):
    """Returns true if a statement declares or defines a non-public function or table with external linkage.
    `known` contains the public names, and the keywords that exclude a statement."""
    if not known.isdisjoint(statement):
        return False
    if statement[0] == "extern" or "=" in statement:
        return True
    bracket = statement.index("(") if "(" in statement else 0
    return bracket > 1 and bool(WORD.match(statement[bracket - 1]))


def hidden(text, known):
    """Returns the text with everything that is not public declared static."""
    result, done = "", 0
    for start, statement in statements(text):
        if is_hidden(statement, known):
            result += text[done:start] + "static "
            done = start + (len("extern ") if statement[0] == "extern" else 0)
    return result + text[done:]


def section(folder, known, times, names):
    """Returns the files of a folder: its headers, each after those that it includes, then its sources."""
    for path in in_order(sorted(path for path in folder.rglob("*.h") if GUARD.search(read(path)))):
        if folder in path.parents:
            yield f"/* ---- {path.relative_to(ROOT)} ---- */\n\n{hidden(unguarded(path), known)}"
    for path in sorted(folder.rglob("*.c")):
        text = whole(path)
        clashes = {name for name in names[path] if times[name] > 1}
        text = hidden(renamed(text, clashes, "_" + path.stem), known)
        ends = "".join(f"#undef {name}\n" for name in dict.fromkeys(DEFINE.findall(text)))
        yield f"/* ---- {path.relative_to(ROOT)} ---- */\n\n{text}{ends}"


def source():
    files = [path for folder in SOURCES for path in folder.rglob("*.[ch]")]
    names = {path: own_names(whole(path)) for path in files if path.suffix == ".c"}
    times = collections.Counter(name for own in names.values() for name in own)
    statics = (name for path in files for name in STATIC.findall(read(path)))
    known = {"typedef", "_Static_assert", "static", *statics, *DECLARED.findall(header())}
    reads, writes = (section(folder, known, times, names) for folder in SOURCES)
    return "\n".join([BEGIN, *reads, "#ifndef LM_NO_WRITE\n", *writes, "#endif\n"]) + END


def library_of(path):
    """Returns the library of a public header, from the keyword of its first function."""
    found = re.search(r"^LM_(?:([A-Z]+)_)?API\b", read(path), re.M)
    return found.group(1) or "" if found else ""


def header():
    paths = [path for path in sorted((PUBLIC / "lerpmesh").glob("*.h"))
             if path.stem != "lerpmesh" and library_of(path) in ("", "WRITE")]
    parts = {"": [], "WRITE": []}
    for path in in_order(paths):
        parts[library_of(path)].append(unguarded(path))
    return ("#ifndef LERPMESH_H\n#define LERPMESH_H\n\n" + "\n".join(parts[""]) +
            "\n#ifndef LM_NO_WRITE\n\n" + "\n".join(parts["WRITE"]) + "\n#endif\n#endif\n")


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
    how = """Compile lerpmesh.c with optimization (cc -O2 -c lerpmesh.c) as C11 or later, and link libm. It
 * gives the same bits on every machine; a compiler that would not is rejected with the flags that it
 * needs. LM_NO_SIMD leaves out vector instructions, LM_NO_WRITE all that makes or changes files;
 * define it for both files."""
    (folder / "lerpmesh.c").write_text(
        notice("lerpmesh.c", "keyframe meshes, MD2, MDC, MD3 and MDL", how) + source(), encoding="utf-8")
    (folder / "lerpmesh.h").write_text(
        notice("lerpmesh.h", "the manual of lerpmesh.c", how) + header(), encoding="utf-8")


if __name__ == "__main__":
    main()
