"""The short example at the start of every header that declares functions, and those of its sections, are complete
pieces of C: they compile alone and unchanged, as C++17 too. No function takes or returns a struct by value, which
many other languages cannot do. A compiler with short enums is rejected."""
import glob
import os
import re
import shutil
import subprocess
import sys

ROOT = os.environ["LERPMESH_SOURCE_DIR"]
INCLUDE = ["-I", os.path.join(ROOT, "include"), "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
C = ["-std=c11", "-x", "c", "-"]
# In C++, {0} is not a special way to initialise everything with zeros.
CPP = ["-std=c++17", "-Wno-missing-field-initializers", "-Wno-missing-braces", "-x", "c++", "-"]


def uses_of(path):
    """Returns the indented lines of each comment that includes a header; the first one is the first comment's."""
    with open(path, encoding="utf-8") as file:
        comments = re.findall(r"^/\*(.*?)\*/", file.read(), re.S | re.M)
    uses = ["\n".join(re.findall(r"^ \*(?:     (.*))?$", comment, re.M)).strip() for comment in comments]
    return [use for number, use in enumerate(uses) if number == 0 or "#include <lerpmesh/" in use]


def code_of(path):
    """Returns the header without comments and preprocessor lines."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read(), flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", " ", text, flags=re.M)


def by_value(texts):
    """Returns functions, and types of functions, with a struct by value, as HEADER: DECLARATION. Without innermost
    braces, a declaration lies between two of ';', '{' and '}'."""
    everything = "\n".join(texts.values())
    structs = set(re.findall(r"\b(?:struct|union)\s+(\w+)", everything))
    for old, new in re.findall(r"\btypedef\s+(\w+)\s+(\w+)\s*;", everything):
        if old in structs:
            structs.add(new)
    value = re.compile(r"\b(?:" + "|".join(structs) + r")\b(?!\s*(?:const\s*)?\*)")
    functions = [(path, part) for path, text in texts.items()
                 for part in re.split(r"[;{}]", text) if "(" in part]
    if len(structs) < 50 or len(functions) < 150:
        sys.exit(f"only {len(structs)} structs and {len(functions)} functions were found")
    return [f"{os.path.basename(path)}: {' '.join(part.split())}"
            for path, part in functions if value.search(part)]


def complaints(compiler, flags, text):
    """Returns a compiler's messages about a text; "" if it compiles."""
    done = subprocess.run([compiler, *INCLUDE, *flags], input=text, capture_output=True, text=True,
                          check=False)
    return done.stderr if done.returncode else ""


def in_one(uses):
    """Returns all examples as one piece of C++, each in its own namespace."""
    includes = {line for use in uses.values() for line in re.findall(r"#include .*", use)}
    namespaces = [f"namespace {name}_{number} {{ {re.sub('#include .*', '', use)} }}"
             for (name, number), use in uses.items()]
    return "\n".join(sorted(includes) + namespaces)


def main():
    compiler = os.environ.get("CC") or shutil.which("cc") or sys.exit("there is no C compiler")
    cpp = os.environ.get("CXX") or shutil.which("c++") or sys.exit("there is no C++ compiler")
    headers = sorted(glob.glob(os.path.join(ROOT, "include", "lerpmesh", "*.h")))
    texts = {path: code_of(path) for path in headers}
    uses = {(os.path.basename(path)[:-2], number): use for path in headers if "_API " in texts[path]
            for number, use in enumerate(uses_of(path))}
    if len(uses) < 30:
        sys.exit(f"only {len(uses)} headers and sections begin with a use")
    # Each possible way is detected.
    wrong = {"wrong.h": "typedef struct one { int (*call)(one x); } one; typedef one two; one f(void);"
                        "two g(const one *p); int h(two *p, const one q); int i(one *const *p);"}
    assert len(by_value({**texts, **wrong})) - len(by_value(texts)) == 4
    bad = [f"a struct by value: {line}" for line in by_value(texts)]
    for path, text in texts.items():
        for name in re.findall(r"\b(lm_\w+_(?:close|destroy|delete|release))\(", text):
            bad.append(f"{os.path.basename(path)}: what is freed is freed by lm_..._free, not {name}")
    for (name, number), use in uses.items():
        if f"#include <lerpmesh/{name}.h>" not in use or "{\n" not in use:
            bad.append(f"{name}.h, use {number}: it is none of this header")
        elif output := complaints(compiler, C, use):
            bad.append(f"{name}.h, use {number}:\n{output}")
    if output := complaints(cpp, CPP, in_one(uses)):
        bad.append(f"the uses as C++:\n{output}")
    enums = complaints(compiler, ["-fshort-enums", *C], "#include <lerpmesh/base.h>")
    if "-fshort-enums" not in enums:
        bad.append(f"enums of fewer than 32 bits are accepted: {enums}")
    for line in bad:
        print(line)
    sys.exit(f"{len(bad)} problems in {len(headers)} headers" if bad else 0)


main()
