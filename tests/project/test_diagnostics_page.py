"""docs/reference/diagnostics.md is the output of scripts/make_diagnostics.py for the list of codes."""
import os
import subprocess
import sys

ROOT = os.environ["LERPMESH_SOURCE_DIR"]


def main():
    page = subprocess.run([sys.executable, ROOT + "/scripts/make_diagnostics.py", ROOT],
                          check=True, capture_output=True, text=True).stdout
    with open(ROOT + "/docs/reference/diagnostics.md", encoding="utf-8") as file:
        if file.read() != page:
            sys.exit("docs/reference/diagnostics.md is out of date: run scripts/make_diagnostics.py . > "
                     "docs/reference/diagnostics.md")


main()
