"""Every public struct can be initialised with zeros in C and in C++, as `= {0}` and, in C++, as `= {}`. No struct
begins with an enum, which C++ does not initialise with 0. The list of structs comes from the headers.

Every option struct ends with reserved zeros, for which some test of its calls tries other values.

C++ warns of members that {0} leaves out (-Wmissing-field-initializers of -Wextra), but not of {}."""
import glob
import os
import re
import shutil
import subprocess
import sys

ROOT = os.environ.get("LERPMESH_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
STRICT = ["-I", os.path.join(ROOT, "include"), "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
ZERO, EMPTY = "{0}", "{}"
WAYS = [("c", "-std=c11", [], [ZERO]),
        ("c++", "-std=c++17", ["-Wno-missing-field-initializers", "-Wno-missing-braces"], [ZERO]),
        ("c++", "-std=c++17", [], [EMPTY])]


def public_structs():
    """Returns names of the structs that programs may fill: those with a body."""
    names = []
    for path in sorted(glob.glob(os.path.join(ROOT, "include", "lerpmesh", "*.h"))):
        with open(path, encoding="utf-8") as file:
            names += re.findall(r"^typedef struct (\w+) \{", file.read(), re.M)
    return names


def program(names, initializers):
    """Returns a use of each struct with each initializer."""
    headers = sorted(os.path.basename(path) for path in
                     glob.glob(os.path.join(ROOT, "include", "lerpmesh", "*.h")))
    lines = [f"#include <lerpmesh/{name}>" for name in headers]
    lines += ["int use(const void *value);", "int all(void);", "int all(void) {", "    int sum = 0;"]
    for name in names:
        for number, initializer in enumerate(initializers):
            lines += [f"    {name} {name}_{number} = {initializer};", f"    sum += use(&{name}_{number});"]
    return "\n".join(lines + ["    return sum;", "}", ""])


def complaints(compiler, language, flags, text):
    done = subprocess.run([compiler, *STRICT, *flags, "-x", language, "-"], input=text,
                          capture_output=True, text=True, check=False)
    return done.stderr


def option_structs():
    """Returns names of the option structs, and whether each ends with reserved members."""
    for path in sorted(glob.glob(os.path.join(ROOT, "include", "lerpmesh", "*.h"))):
        with open(path, encoding="utf-8") as file:
            structs = re.findall(r"^typedef struct \w+ \{\n(.*?)^\} (lm_\w*options|lm_gl_style);", file.read(), re.M | re.S)
            for body, name in structs:
                yield name, "uint64_t reserved[4];" in body.splitlines()[-1]


def reserved_faults():
    """Returns option structs without reserved members, or whose members no test fills."""
    tests = ""
    for path in glob.glob(os.path.join(ROOT, "tests", "**", "test_*.c"), recursive=True):
        with open(path, encoding="utf-8") as file:
            tests += file.read()
    for name, reserved in option_structs():
        if not reserved:
            yield f"{name} does not end with `uint64_t reserved[4]`"
        elif f"LM_OPTION({name}, reserved, RESERVED" not in tests and f"{name} reserved" not in tests:
            yield f"no test fills the reserved members of {name}"


def main():
    faults = list(reserved_faults())
    if faults or len(list(option_structs())) < 10:
        sys.exit("\n".join(["option structs:", *faults]))
    names = public_structs()
    if len(names) < 50 or "lm_error" not in names:
        sys.exit(f"only {len(names)} structs were found")
    compilers = {"c": [os.environ.get("CC") or shutil.which("cc"), shutil.which("clang")],
                 "c++": [os.environ.get("CXX") or shutil.which("c++"), shutil.which("clang++")]}
    bad = ""
    for language, standard, flags, initializers in WAYS:
        for compiler in filter(None, compilers[language]):
            bad += complaints(compiler, language, [standard, *flags], program(names, initializers))
    if bad:
        sys.exit(bad)
    # A struct that begins with an enum is detected.
    text = "enum kind { ONE }; struct wrong { kind first; }; wrong use() { wrong w = {0}; return w; }"
    if not complaints(compilers["c++"][0], "c++", WAYS[1][2], text):
        sys.exit("a struct that begins with an enum is not found")
    print(f"{len(names)} structs start from zeros")


main()
