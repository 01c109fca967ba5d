#!/usr/bin/env python3
"""Writes docs/reference/diagnostics.md from the list of codes in include/lerpmesh/base.h.

Usage: make_diagnostics.py ROOT      prints the page
"""
import re
import sys

HEAD = """# Codes of errors, warnings and notes

Generated from `LM_CODE_LIST` in `include/lerpmesh/base.h` by `scripts/make_diagnostics.py`. Names are
stable: programs may rely on them. The severity is the usual one. `check --engine` turns the warnings for
which that engine does not show the model into errors, `--strict` those about damage, and `--repair` turns
the errors that it repairs into warnings ([tolerance.md](tolerance.md)).

| code | severity | meaning |
|---|---|---|"""


def main():
    with open(sys.argv[1] + "/include/lerpmesh/base.h", encoding="utf-8") as file:
        text = re.sub(r"\\\n\s*", "", file.read())
    text = re.sub(r'"\s+"', "", text)
    rows = re.findall(r'X\((\w+), "([^"]+)", (\w+),\s*"([^"]+)"\)', text)
    if len(rows) < 20:
        sys.exit("make_diagnostics: base.h has no list of codes")
    print(HEAD)
    for _, name, severity, meaning in rows:
        print(f"| `{name}` | {severity.lower()} | {meaning} |")


if __name__ == "__main__":
    main()
