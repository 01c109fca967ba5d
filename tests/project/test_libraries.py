"""Rules for the libraries' sources: messages do not name the command's options (the command adds them),
and assets uses an allocator for all memory."""
import os
import re
import sys

ROOT = os.environ.get("LERPMESH_SOURCE_DIR",
                      os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
LIBRARIES = ("src", "write", "assets", "import", "gl")

# Writing files takes no allocator; the system's paths come from malloc.
MALLOC = {"assets/files/file.c", "assets/files/path.c", "assets/files/folder.c", "assets/search_path.c",
          "assets/files/os_windows.c", "assets/files/os_posix.c"}

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def sources():
    for library in LIBRARIES:
        for folder, _, names in os.walk(os.path.join(ROOT, library)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        yield os.path.relpath(path, ROOT), file.read()


def main():
    named, taking, count = {}, set(), 0
    for path, text in sources():
        count += 1
        for token in TOKEN.findall(text):
            if token[0] == '"':
                for option in re.findall(r"--[a-z][a-z-]*", token):
                    named.setdefault((path.split("/")[0], option), path)
        code = TOKEN.sub(" ", text)
        if path.startswith("assets/") and re.search(r"(?<![.>\w])(malloc|calloc|realloc|free)\(", code):
            taking.add(path)
    wrong = [f"{named[key]} names the option {key[1]}" for key in sorted(named)]
    wrong += [f"{path} uses malloc" for path in sorted(taking - MALLOC)]
    if count < 200:
        wrong.append(f"found {count} files only")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
