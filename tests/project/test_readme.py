"""The program in README.md is examples/pose.c, which compiles as C++ too, and every linked page exists."""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.environ["LERPMESH_SOURCE_DIR"]


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def main():
    readme = read("README.md")
    programs = re.findall(r"```c\n(.*?)```", readme, re.S)
    links = re.findall(r"\]\(([^)#:]+)\)", readme)
    if len(programs) != 1 or len(links) < 5:
        sys.exit(f"README.md: found {len(programs)} programs and {len(links)} links")
    if programs[0] != read("examples/pose.c"):
        sys.exit("README.md: its program is not examples/pose.c")
    compiler = os.environ.get("CXX") or shutil.which("c++") or sys.exit("there is no C++ compiler")
    subprocess.run([compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers", "-fsyntax-only", "-I",
                    os.path.join(ROOT, "include"), "-x", "c++", os.path.join(ROOT, "examples", "pose.c")], check=True)
    missing = [link for link in links if not os.path.exists(os.path.join(ROOT, link))]
    if missing:
        sys.exit("README.md links to missing files: " + ", ".join(missing))


main()
