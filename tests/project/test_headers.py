"""The short example at the start of every header that declares functions, and those of its sections, are complete
pieces of C: they compile alone and unchanged, as C++17 too. A compiler with short enums is rejected.

Every function follows the conventions of docs/internals/abi.md.

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
         *(("c++", ["-pedantic", f"-std=c++{year}", "-x", "c++", "-"], "{}") for year in (11, 14, 17, 20))]


def read(path):
    return pathlib.Path(path).read_text(encoding="utf-8")


def uses_of(path):
    """Returns the indented lines of each comment that includes a header; the first one is the first comment's."""
    comments = re.findall(r"^/\*(.*?)\*/", read(path), re.S | re.M)
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
    text = "".join(map(read, headers))
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


def declarations(headers):
    """Yields the file, result, name and parameters of each public function."""
    for path in headers:
        text = re.sub(r"/\*.*?\*/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", " ", read(path), flags=re.S | re.M)
        for declaration in re.findall(r"\bLM_(?:\w+_)?API\b([^;]*);", text):
            found = re.match(r"\s*(.*?)\b(lm_\w+)\s*\((.*)\)(?:\s*LM_PRINTF.*)?\s*\Z", declaration, re.S)
            yield os.path.basename(path), found.group(1).strip(), found.group(2), [
                " ".join(one.split()) for one in re.split(r",(?![^(]*\))", found.group(3)) if one.strip() != "void"]


def unconventional(result, name, parameters, may_return_code, by_value):
    """Yields what a function does against the conventions."""
    errors = [i for i, one in enumerate(parameters) if "lm_error *" in one and "const lm_error" not in one]
    if errors and not name.startswith("lm_fail_"):
        if errors != [len(parameters) - 1] or parameters[-1] != "lm_error *error":
            yield "takes `lm_error *error` elsewhere than at the end"
        if result != "bool" and not result.endswith("*"):
            yield "fails, but returns neither a pointer nor a bool"
    if result == "lm_code" and not may_return_code:
        yield "returns a code"
    bytes_at = [i for i, one in enumerate(parameters) if one.startswith("const void *")]
    if bytes_at and not name.startswith("lm_buffer_") and (
            parameters[bytes_at[0]:bytes_at[0] + 2] != ["const void *data", "size_t size"]):
        yield "takes bytes as other parameters than `const void *data, size_t size`"
    for one in parameters:
        if "lm_allocator *" in one or re.match(r"(const )?lm_memory \*(?!memory$)", one):
            yield f"takes `{one}` instead of `const lm_memory *memory`"
        if re.match(r"size_t num_(?!files|paths)", one):
            yield f"takes `{one}`: counts of things in a model are uint32_t"
        if re.match(r"(lm_\w+) \w+$", one) and one.split()[0] in by_value or one.startswith("const char **"):
            yield f"takes `{one}`"
        if re.match(r"(double|float) \w*(fps|scale|seconds|frame)$", one) and (
                one.startswith("float") != bool(re.search("(fps|scale)$", one))):
            yield f"takes `{one}`: rates and scales are float, times and frames double"
    outputs = [i for i, one in enumerate(parameters)
               if re.match(r"(lm_buffer|lm_\w+_(report|result)) \*", one)]
    options = [i for i, one in enumerate(parameters) if one.endswith("*options")]
    if outputs and options and outputs[0] < options[0]:
        yield "takes its options after an output"
    if name.endswith("_free") and (result != "void" or len(parameters) != 1):
        yield "frees, but does not only take the object"


def prefix_of(body):
    """Returns the words that the values of an enum share: "LM_ALPHA_USE_"; LM_NUM_... is none of them."""
    values = [one for one in re.findall(r"^    (LM_\w+)", re.sub(r"/\*.*?\*/", "", body, flags=re.S), re.M)
              if not one.startswith("LM_NUM_")]
    shared = os.path.commonprefix(values) if len(values) > 1 else ""
    return shared[:shared.rfind("_") + 1]


def shared_prefixes(text):
    """Yields messages about two enums whose values have the same prefix."""
    owner = {}
    for body, name in re.findall(r"^typedef enum \w+ \{\n(.*?)^\} (\w+);", text, re.M | re.S):
        if prefix := prefix_of(body):
            if prefix in owner:
                yield f"{owner[prefix]} and {name} share the prefix {prefix}"
            owner[prefix] = name


def other_engines():
    """Yields messages about lists of engines in other languages that differ from that of load.h."""
    engines = set(re.findall(r'X\(\w+, "(.*?)"\)', read(f"{ROOT}/include/lerpmesh/load.h")))
    for path, pattern in (("web/lib/index.d.ts", "export type Engine = (.*?);"),
                          ("python/blender/lerpmesh_io/operators.py", r'for name, label in \((\("any".*?\))\)\)')):
        listed = set(re.findall(r'(?:^|[(|] ?)"(.*?)"', re.search(pattern, read(f"{ROOT}/{path}"), re.S)[1]))
        if listed != engines:
            yield f"{path} lists other engines: {listed ^ engines}"


def main():
    compiler = os.environ.get("CC") or shutil.which("cc") or sys.exit("there is no C compiler")
    cpp = os.environ.get("CXX") or shutil.which("c++") or sys.exit("there is no C++ compiler")
    headers = sorted(glob.glob(os.path.join(ROOT, "include", "lerpmesh", "*.h")))
    uses = {(os.path.basename(path)[:-2], number): use for path in headers
            if "_API " in pathlib.Path(path).read_text(encoding="utf-8") for number, use in enumerate(uses_of(path))}
    if len(uses) < 30:
        sys.exit(f"only {len(uses)} headers and sections begin with a use")
    bad = list(structs(headers))
    text = "".join(map(read, headers))
    bad += shared_prefixes(text)
    bad += other_engines()
    if not list(shared_prefixes("typedef enum a {\n    LM_A_X,\n    LM_A_Y\n} a;\n"
                                "typedef enum b {\n    LM_A_Z,\n    LM_A_V\n} b;\n")):
        bad.append("a shared prefix is not found")
    bad += [f"a rate is a double: {line.strip()}" for line in text.splitlines()
            if re.match(r"    double \w*(fps|speed|scale);", line)]
    functions = list(declarations(headers))
    if len(functions) < 100:
        bad.append(f"only {len(functions)} functions were found")
    names = set(re.findall(r"^typedef struct (\w+)", text, re.M))
    for header, result, name, parameters in functions:
        bad += [f"{header}: {name} {fault}" for fault in unconventional(
            result, name, parameters, header in ("sample.h", "base.h"), names)]
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
