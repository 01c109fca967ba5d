"""The short example at the start of every header that declares functions, and those of its sections, are complete
pieces of C: they compile alone and unchanged, as C++17 too. A compiler with short enums is rejected.

Every public struct can be initialised with zeros in C and in C++, as `= {0}` and, in C++, as `= {}`. No struct begins
with an enum, which C++ does not initialise with 0. Every option struct ends with reserved zeros, for which some test of
its calls tries other values."""
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = os.environ["LERPMESH_SOURCE_DIR"]
INCLUDE = ["-I", os.path.join(ROOT, "include"), "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
C = ["-std=c11", "-x", "c", "-"]
# In C++, {0} is not a special way to initialise everything with zeros.
CPP = ["-std=c++17", "-Wno-missing-field-initializers", "-Wno-missing-braces", "-x", "c++", "-"]
# C++ warns of members that {0} leaves out, but not of {}.
ZEROS = [("c", ["-pedantic", *C], "{0}"), ("c++", ["-pedantic", *CPP], "{0}"),
         ("c++", ["-pedantic", "-std=c++17", "-x", "c++", "-"], "{}")]


def uses_of(path):
    """Returns the indented lines of each comment that includes a header; the first one is the first comment's."""
    with open(path, encoding="utf-8") as file:
        comments = re.findall(r"^/\*(.*?)\*/", file.read(), re.S | re.M)
    uses = ["\n".join(re.findall(r"^ \*(?:     (.*))?$", comment, re.M)).strip() for comment in comments]
    return [use for number, use in enumerate(uses) if number == 0 or "#include <lerpmesh/" in use]


def complaints(compiler, flags, text):
    """Returns a compiler's messages about a text; "" if it compiles."""
    done = subprocess.run([compiler, *INCLUDE, *flags], input=text, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def in_one(uses):
    """Returns all examples as one piece of C++, each in its own namespace."""
    includes = {line for use in uses.values() for line in re.findall(r"#include .*", use)}
    namespaces = [f"namespace {name}_{number} {{ {re.sub('#include .*', '', use)} }}"
             for (name, number), use in uses.items()]
    return "\n".join(sorted(includes) + namespaces)


def from_zeros(headers, names):
    """Returns messages of compilers about initialising structs with zeros."""
    compilers = {"c": [os.environ.get("CC") or shutil.which("cc"), shutil.which("clang")],
                 "c++": [os.environ.get("CXX") or shutil.which("c++"), shutil.which("clang++")]}
    includes = "".join(f"#include <lerpmesh/{os.path.basename(path)}>\n" for path in headers)
    bad = ""
    for language, flags, zeros in ZEROS:
        uses = "".join(f"{name} {name}_0 = {zeros};\nsum += use(&{name}_0);\n" for name in names)
        program = (f"{includes}int use(const void *value);\nint all(void);\n"
                   f"int all(void) {{ int sum = 0;\n{uses}return sum; }}\n")
        bad += "".join(complaints(compiler, flags, program) for compiler in compilers[language] if compiler)
    return bad


def structs(headers):
    """Yields messages about structs that zeros do not initialise, and option structs without reserved members, or whose
    reserved members no test fills."""
    text = "".join(path.read_text(encoding="utf-8") for path in map(pathlib.Path, headers))
    names = re.findall(r"^typedef struct (\w+) \{", text, re.M)
    options = re.findall(r"^typedef struct \w+ \{\n(.*?)^\} (lm_\w*options|lm_gl_style);", text, re.M | re.S)
    if len(names) < 50 or "lm_error" not in names or len(options) < 10:
        yield f"only {len(names)} structs and {len(options)} option structs were found"
    yield from filter(None, [from_zeros(headers, names)])
    yield from (f"a public struct shows the library's own memory: {line.strip()}" for line in text.splitlines()
                if re.match(r"    (struct )?lm_(arena|heap|object)\b", line))
    # A struct that begins with an enum is detected.
    if not complaints(os.environ.get("CXX") or "c++", ZEROS[1][1], "enum kind { ONE }; struct wrong { kind first; };"
                      "wrong use() { wrong w = {0}; return w; }"):
        yield "a struct that begins with an enum is not found"
    tests = "".join(path.read_text(encoding="utf-8") for path in pathlib.Path(ROOT, "tests").rglob("test_*.c"))
    for body, name in options:
        if "uint64_t reserved[4];" not in body.splitlines()[-1]:
            yield f"{name} does not end with `uint64_t reserved[4]`"
        elif f"LM_MEMBER({name}, reserved, RESERVED" not in tests and f"{name} reserved" not in tests:
            yield f"no test fills the reserved members of {name}"


def main():
    compiler = os.environ.get("CC") or shutil.which("cc") or sys.exit("there is no C compiler")
    cpp = os.environ.get("CXX") or shutil.which("c++") or sys.exit("there is no C++ compiler")
    headers = sorted(glob.glob(os.path.join(ROOT, "include", "lerpmesh", "*.h")))
    uses = {(os.path.basename(path)[:-2], number): use for path in headers
            if "_API " in pathlib.Path(path).read_text(encoding="utf-8") for number, use in enumerate(uses_of(path))}
    if len(uses) < 30:
        sys.exit(f"only {len(uses)} headers and sections begin with a use")
    bad = list(structs(headers))
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
