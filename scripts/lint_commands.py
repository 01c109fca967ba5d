#!/usr/bin/env python3
"""lint_commands.py FROM TO: copies a compile_commands.json for clang-tidy, which checks a file once per command.

Some files are compiled for several programs. Of each file this keeps the first command, and those that differ by a
definition whose name occurs in the file."""
import collections
import json
import pathlib
import re
import shlex
import sys


def definitions(entry):
    return {word[2:].partition("=")[0]: word for word in shlex.split(entry["command"]) if word.startswith("-D")}


def differ(one, other, words):
    a, b = definitions(one), definitions(other)
    return any(name in words for name in a.keys() | b.keys() if a.get(name) != b.get(name))


def kept(entries):
    """Returns the commands of a file that clang-tidy needs."""
    words = set(re.findall(r"\w+", pathlib.Path(entries[0]["file"]).read_text(encoding="utf-8")))
    found = []
    for entry in entries:
        if all(differ(entry, other, words) for other in found):
            found.append(entry)
    return found


def main():
    files = collections.defaultdict(list)
    for entry in json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")):
        files[entry["file"]].append(entry)
    chosen = [entry for entries in files.values() for entry in kept(entries)]
    pathlib.Path(sys.argv[2]).write_text(json.dumps(chosen), encoding="utf-8")


main()
