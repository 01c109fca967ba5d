"""The small use that a public header starts with is a complete piece of C: it compiles as it is, and
every header that declares functions starts with one, or with lines of one. No
function takes or returns a struct by value, which many other languages cannot."""
import glob
import os
import re
import shutil
import subprocess
import sys

ROOT = os.environ.get("LERPMESH_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c", "-"]


def use_of(path):
    """The indented lines of the header's first comment."""
    with open(path, encoding="utf-8") as file:
        comment = re.match(r"/\*(.*?)\*/", file.read(), re.S)
    lines = re.findall(r"^ \*(?:     (.*))?$", comment.group(1) if comment else "", re.M)
    use = "\n".join(lines).strip()
    return use or None


def code_of(path):
    """The header without comments and the preprocessor's lines."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read(), flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", " ", text, flags=re.M)


def by_value(texts):
    """Functions, and types of functions, with a struct by value, as HEADER: DECLARATION. With
    innermost braces gone, a declaration lies between two of ';', '{' and '}'."""
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


def main():
    compiler = os.environ.get("CC") or shutil.which("cc") or sys.exit("there is no C compiler")
    headers = sorted(glob.glob(os.path.join(ROOT, "include", "lerpmesh", "*.h")))
    uses = {path: use_of(path) for path in headers}
    found = [path for path in headers if uses[path] and "#include" in uses[path]]
    if len(found) < 5:
        sys.exit(f"only {len(found)} headers start with a use")
    texts = {path: code_of(path) for path in headers}
    # Each way that it could be done is found.
    wrong = {"wrong.h": "typedef struct one { int (*call)(one x); } one; typedef one two; one f(void);"
                        "two g(const one *p); int h(two *p, const one q); int i(one *const *p);"}
    assert len(by_value({**texts, **wrong})) - len(by_value(texts)) == 4
    bad = len(by_value(texts))
    for line in by_value(texts):
        print(f"a struct by value: {line}")
    for path in headers:
        if not uses[path] and "_API " in texts[path]:
            bad += 1
            print(f"{os.path.basename(path)} does not start with a use")
    for path in found:
        done = subprocess.run([compiler, "-I", os.path.join(ROOT, "include"), *FLAGS],
                              input=uses[path], capture_output=True, text=True, check=False)
        if done.returncode:
            bad += 1
            print(f"{os.path.basename(path)}:\n{done.stderr}")
    sys.exit(f"{bad} problems in {len(headers)} headers" if bad else 0)


main()
