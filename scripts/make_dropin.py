#!/usr/bin/env python3
"""Writes lerpmesh and lerpmesh-write as one source and one header, lerpmesh.c and lerpmesh.h, for projects
that prefer two files to libraries. Both compile as C and as C++. g++ tells where C++ needs a cast.

Usage: make_dropin.py FOLDER

The source exports the functions of the public headers; all others become static. If two files have a
static function, table or type of the same name, each gets its file's name as a suffix. A file's macros
are undefined at its end."""
from __future__ import annotations

import collections
import json
import os
import pathlib
import re
import subprocess
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
LITERAL = re.compile(r"&\((\w+)\)(?={)|\((const \w+|\w+)\[\]\)(?={)")
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
/* Smaller code that gives the same bits: one kernel for all layouts, and no tables for a search. */
#if defined(__OPTIMIZE_SIZE__) && !defined(LM_SMALL)
#define LM_SMALL
#endif
#include "lerpmesh.h"

/* Functions that only the libraries on top of this one, or its tests, call. */
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#endif

/* For C++: LM_DECLARES and LM_DEFINES begin a table that is declared before it is defined. LM_AT is a struct and
 * LM_ARRAY an array that lives in one expression. */
#ifdef __cplusplus
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wpedantic"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wc99-designator"
#pragma GCC diagnostic ignored "-Wmissing-braces"
#elif __GNUC__ > 11
#pragma GCC diagnostic ignored "-Wc++20-extensions"
#endif
#endif
#define _Alignas alignas
#define _Static_assert static_assert
#define restrict __restrict
#define LM_DECLARES namespace { extern
#define LM_DEFINES namespace {
#define LM_END }
#define LM_AT(type, ...) lm_at(type __VA_ARGS__)
#define LM_ARRAY(type, ...) lm_array<type>(__VA_ARGS__)
#include <initializer_list>
template <class T> static inline T *lm_at(T &&value) { return &value; }
template <class T> static inline T *lm_array(std::initializer_list<T> list) { return const_cast<T *>(list.begin()); }
#else
#define LM_DECLARES static
#define LM_DEFINES static
#define LM_END
#define LM_AT(type, ...) &(type) __VA_ARGS__
#define LM_ARRAY(type, ...) (type[]) __VA_ARGS__
#endif
"""
LOAD_FILE_HEADER = """
#ifdef LM_STDIO
#ifdef __cplusplus
extern "C" {
#endif

/* Reads a file with the functions of <stdio.h>, and loads it as lm_load_memory does. `bytes` of the
 * options has no effect: the model has its own copy. */
LM_API lm_model *lm_load_file(const char *path, const lm_load_options *options, lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
"""
LOAD_FILE = """
#ifdef LM_STDIO
#include <stdio.h>

lm_model *lm_load_file(const char *path, const lm_load_options *options, lm_error *error) {
    lm_load_options copying = {0};
    if (options)
        copying = *options;
    copying.bytes = LM_BYTES_COPIED;
    lm_buffer bytes = {0};
    bytes.allocator = copying.memory.allocator;
    bytes.max_size = copying.memory.max_bytes;
    FILE *file = fopen(path, "rb");
    uint8_t chunk[4096];
    size_t size = file ? sizeof chunk : 0;
    while (size == sizeof chunk && !bytes.failed) {
        size = fread(chunk, 1, sizeof chunk, file);
        lm_buffer_append(&bytes, chunk, size);
    }
    const bool is_read = file && !ferror(file) && !bytes.failed;
    if (file)
        fclose(file);
    lm_model *model = is_read ? lm_load_memory(bytes.data, bytes.size, &copying, error) : NULL;
    if (!is_read)
        lm_fail_plain(error, !bytes.failed ? LM_CODE_IO : bytes.full ? LM_CODE_LIMIT : LM_CODE_OUT_OF_MEMORY,
                      bytes.failed ? "the file is too large" : "the file cannot be read");
    lm_buffer_free(&bytes);
    return model;
}
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

    # A list of declarations is needless where the definitions come first, and C++ takes them for others.
    text = re.sub(r'^#define X\(name\) extern .*\n#include .*\n', "", read(path), flags=re.M)
    return INCLUDE.sub(included, text).strip() + "\n"


def statements(text):
    """Yields the top-level statements: the begin and end of each, and its tokens without comments and directives. A
    pair of braces with its content is one token, which begins with "{"."""
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
                    yield start, at + len(token), statement
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
    for _, _, statement in statements(text):
        names |= names_in(statement)
    return {name for name in names - macros if not name.lower().startswith(("lm_", "lmi_", "__"))}


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
    for start, end, statement in statements(text):
        if is_hidden(statement, known):
            result += text[done:start]
            if "=" not in statement and "(" in statement:
                result += "static " + text[start:end].removeprefix("extern ")
            elif statement[0] == "extern":
                result += "LM_DECLARES " + text[start + len("extern "):end] + " LM_END"
            else:
                result += "LM_DEFINES " + text[start:end] + " LM_END"
            done = end
    return result + text[done:]


def of_format(path, text):
    """Returns the text of a file without what belongs to formats that are left out."""
    name = path.parent.name
    if name == "vertex_mesh":
        return f"#if !defined(LM_NO_MD3) || !defined(LM_NO_MDC)\n{text}#endif\n"
    return f"#ifndef LM_NO_{name.upper()}\n{text}#endif\n" if path.parent.parent.name == "formats" else text


def closing(text, start):
    """Returns the end of the braces that begin at `start`."""
    depth = 0
    for token in TOKEN.finditer(text, start):
        depth += (token.group() == "{") - (token.group() == "}")
        if depth == 0:
            return token.end()
    return None


def with_literals(text):
    """Returns the text with macros for &(TYPE){…} and (TYPE[]){…}."""
    result, done = "", 0
    for found in LITERAL.finditer(text):
        end = closing(text, found.end())
        name, kind = ("LM_AT", found.group(1)) if found.group(1) else ("LM_ARRAY", found.group(2))
        result += f"{text[done:found.start()]}{name}({kind}, {text[found.end():end]})"
        done = end
    # C++ wants values for constants, too.
    return re.sub(r"^( *static const [\w ]+\w(?:\[\w+\])?);$", r"\1 = {0};", result + text[done:], flags=re.M)


def with_casts(text, headers):
    """Returns the text with a cast where C converts a pointer or a number and C++ does not."""
    done = subprocess.run(["g++", "-std=c++20", "-O1", "-fpermissive", "-fsyntax-only", "-fdiagnostics-format=json",
                           "-x", "c++", "-I", headers, "-"], input=text, capture_output=True, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8"})
    lines = [0, *(match.end() for match in re.finditer("\n", text))]
    inserts = []
    for problem in json.loads(done.stderr.splitlines()[0]):
        if problem["kind"] == "note":
            continue
        wanted = re.match("invalid conversion from ‘.*?’(?: {aka .*?})? to ‘(.*?)’", problem["message"])
        if not wanted:
            sys.exit(f"lerpmesh.c:{problem['locations'][0]['caret']['line']}: {problem['message']}")
        place = problem["locations"][0]
        first, last = (place.get(name, place["caret"]) for name in ("start", "finish"))
        begin = lines[first["line"] - 1] + first["column"] - 1
        end = TOKEN.match(text, lines[last["line"] - 1] + last["column"] - 1)
        inserts += [(begin, f"({wanted.group(1)})("), (end.end(), ")")]
    for at, inserted in sorted(inserts, reverse=True):
        text = text[:at] + inserted + text[at:]
    return text


def section(folder, known, times, names):
    """Returns the files of a folder: its headers, each after those that it includes, then its sources."""
    for path in in_order(sorted(path for path in folder.rglob("*.h") if GUARD.search(read(path)))):
        if folder in path.parents:
            text = of_format(path, hidden(unguarded(path), known))
            yield f"/* ---- {path.relative_to(ROOT)} ---- */\n\n{text}"
    for path in sorted(folder.rglob("*.c")):
        text = whole(path)
        clashes = {name for name in names[path] if times[name] > 1}
        text = hidden(renamed(text, clashes, "_" + path.stem), known)
        ends = "".join(f"#undef {name}\n" for name in dict.fromkeys(DEFINE.findall(text)))
        yield f"/* ---- {path.relative_to(ROOT)} ---- */\n\n{of_format(path, text + ends)}"


def source():
    files = [path for folder in SOURCES for path in folder.rglob("*.[ch]")]
    names = {path: own_names(whole(path)) for path in files if path.suffix == ".c"}
    times = collections.Counter(name for own in names.values() for name in own)
    statics = (name for path in files for name in STATIC.findall(read(path)))
    known = {"typedef", "_Static_assert", "static", *statics, *DECLARED.findall(header())}
    reads, writes = (section(folder, known, times, names) for folder in SOURCES)
    return "\n".join([BEGIN, *reads, "#ifndef LM_NO_WRITE\n", *writes, "#endif\n"]) + LOAD_FILE + END


def library_of(path):
    """Returns the library of a public header, from the keyword of its first function."""
    found = re.search(r"^LM_(?:([A-Z]+)_)?API\b", read(path), re.M)
    return found.group(1) or "" if found else ""


def header():
    """Returns all headers in the order of lerpmesh.h, in which programs call them."""
    parts = {"": [], "WRITE": []}
    for path in in_order([PUBLIC / "lerpmesh/lerpmesh.h"])[:-1]:
        parts[library_of(path)].append(unguarded(path))
    return ("#ifndef LERPMESH_H\n#define LERPMESH_H\n\n" + "\n".join(parts[""]) + LOAD_FILE_HEADER +
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
    how = """Compile lerpmesh.c with optimization (cc -O2 -c lerpmesh.c) as C11 or C++17 or later, and link libm. It
 * gives the same bits on every machine; a compiler that would not is rejected with the flags that it
 * needs. Define these names for both files:
 *
 *     LM_STDIO      adds lm_load_file, which loads a model by its path
 *     LM_NO_WRITE   leaves out all that makes or changes files
 *     LM_NO_MD2, LM_NO_MDC, LM_NO_MD3, LM_NO_MDL, LM_NO_MDS
 *                   leave out a format; its functions are declared, but do not exist
 *     LM_NO_SIMD    leaves out vector instructions
 *
 * For the smallest program, compile with -Os -ffunction-sections -fdata-sections, and link with
 * -Wl,--gc-sections."""
    (folder / "lerpmesh.h").write_text(
        notice("lerpmesh.h", "the manual of lerpmesh.c", how) + header(), encoding="utf-8")
    text = notice("lerpmesh.c", "keyframe meshes, MD2, MDC, MD3 and MDL", how) + with_literals(source())
    (folder / "lerpmesh.c").write_text(with_casts(text, folder), encoding="utf-8")


if __name__ == "__main__":
    main()
