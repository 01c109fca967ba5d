"""The small use that a public header starts with is a complete piece of C: it compiles as it is."""
import glob
import os
import re
import shutil
import subprocess
import sys

ROOT = os.environ.get("LERPMESH_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c", "-"]


def use_of(path):
    """The indented lines of the header's first comment, if they are a whole piece of C."""
    with open(path, encoding="utf-8") as file:
        comment = re.match(r"/\*(.*?)\*/", file.read(), re.S)
    lines = re.findall(r"^ \*(?:     (.*))?$", comment.group(1) if comment else "", re.M)
    use = "\n".join(lines).strip()
    return use if "#include" in use else None


def main():
    compiler = os.environ.get("CC") or shutil.which("cc") or sys.exit("there is no C compiler")
    headers = sorted(glob.glob(os.path.join(ROOT, "include", "lerpmesh", "*.h")))
    uses = {path: use_of(path) for path in headers}
    found = [path for path in headers if uses[path]]
    if len(found) < 5:
        sys.exit(f"only {len(found)} headers start with a use")
    bad = 0
    for path in found:
        done = subprocess.run([compiler, "-I", os.path.join(ROOT, "include"), *FLAGS],
                              input=uses[path], capture_output=True, text=True, check=False)
        if done.returncode:
            bad += 1
            print(f"{os.path.basename(path)}:\n{done.stderr}")
    sys.exit(f"{bad} of {len(found)} uses do not compile" if bad else 0)


main()
