"""The shared library exports exactly the functions that the public headers declare with LM_API, and no data.
Every other global symbol of the static libraries begins with lmi_. The core uses only listed functions of libc and
libm: no files, no threads, no environment.

With arguments, OBJDUMP and pairs of a DLL and a keyword: each DLL exports exactly the functions declared with the
keyword."""
import os
import pathlib
import re
import subprocess
import sys

HEADERS = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"]) / "include" / "lerpmesh"

# Maximum number of public functions in all libraries.
MAX_PUBLIC = 192

# C11's functions for memory and numbers; from sincos on, functions that compilers insert.
ALLOWED = set("""
    malloc realloc free qsort memchr memcmp memcpy memmove memset strchr strcmp strcspn strlen strncmp
    strspn strstr strtod strtof snprintf vsnprintf sscanf acos acosf asin atan2 atan2f ceil ceilf cos
    cosf fabs floor floorf fmax fmaxf fmin fminf fmod frexp hypot ldexp lrint lrintf pow rint rintf round
    roundf sin sinf sqrt sqrtf strrchr tan
    sincos sincosf __isoc99_sscanf __isoc23_sscanf __cpu_model __cpu_indicator_init
    _GLOBAL_OFFSET_TABLE_ __stack_chk_fail __memcpy_chk __memset_chk __snprintf_chk __vsnprintf_chk
""".split())


def symbols(*command):
    """Returns names and types of the defined symbols in nm's output 'ADDRESS TYPE NAME', without names of versions."""
    text = subprocess.run(["nm", *command], check=True, capture_output=True, text=True).stdout
    rows = (line.split() for line in text.splitlines())
    return {row[2]: row[1] for row in rows if len(row) == 3 and row[1] != "A"}


def needed(library):
    """Returns the names that the objects of a static library need from other libraries."""
    text = subprocess.run(["nm", "-g", "--undefined-only", library], check=True, capture_output=True, text=True).stdout
    names = {row[1] for row in map(str.split, text.splitlines()) if len(row) == 2}
    return names - symbols("-g", "--defined-only", library).keys()


def declared(keyword):
    """Returns the names declared with the keyword (LM_API). A function's name precedes the first '('."""
    names = set()
    for header in sorted(HEADERS.glob("*.h")):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header.read_text(encoding="utf-8"), flags=re.S)
        text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", " ", text, flags=re.M)
        for declaration in re.findall(rf"\b{keyword}\b([^;]*);", text):
            name = re.search(r"\b(\w+)\s*\(", declaration)
            if not name:
                sys.exit(f"{header.name}: no function in the declaration '{keyword}{declaration};'")
            names.add(name.group(1))
    return names


def compare(exported, keyword):
    """Returns the names that are either exported or declared, but not both."""
    public = declared(keyword)
    if not public or not exported:
        sys.exit(f"nothing to compare: {len(public)} declared, {len(exported)} exported")
    return ([f"declared but not exported: {name}" for name in sorted(public - exported)] +
            [f"exported but not declared: {name}" for name in sorted(exported - public)])


def exported_by_dll(objdump, dll):
    text = subprocess.run([objdump, "-p", dll], check=True, capture_output=True, text=True).stdout
    table = text.partition("[Ordinal/Name Pointer] Table")[2].partition("\n\n")[0]
    return {line.split()[-1] for line in table.splitlines()[1:] if line.strip()}


def check(shared, static, keyword):
    """Returns one library's problems, and the number of its exported symbols."""
    exported = symbols("-D", "--defined-only", shared)
    inside = symbols("-g", "--defined-only", static).keys()
    if not inside:
        sys.exit(f"{static} has no symbols")
    problems = [f"is no function: {name}" for name, kind in exported.items() if kind != "T"]
    problems += [f"has no version: {name}" for name in exported if "@@LERPMESH_" not in name]
    exported = {name.partition("@")[0] for name in exported}
    problems += compare(exported, keyword)
    problems += [f"is neither public nor begins with lmi_: {name}" for name in sorted(inside - exported)
                 if not name.startswith("lmi_")]
    return problems, len(exported)


def check_dlls(objdump, *pairs):
    for dll, keyword in zip(pairs[::2], pairs[1::2]):
        exported = exported_by_dll(objdump, dll)
        if problems := compare(exported, keyword):
            sys.exit("\n".join(problems))
        print(f"{len(exported)} symbols exported, all declared with {keyword}")


def main():
    environment = os.environ
    libraries = [("LERPMESH_SHARED_LIBRARY", "LERPMESH_STATIC_LIBRARY", "LM_API"),
                 ("LERPMESH_WRITE_SHARED_LIBRARY", "LERPMESH_WRITE_STATIC_LIBRARY", "LM_WRITE_API"),
                 ("LERPMESH_ASSETS_SHARED_LIBRARY", "LERPMESH_ASSETS_STATIC_LIBRARY",
                  "LM_ASSETS_API")]
    if "LERPMESH_GL_SHARED_LIBRARY" in environment:
        libraries.append(("LERPMESH_GL_SHARED_LIBRARY", "LERPMESH_GL_STATIC_LIBRARY", "LM_GL_API"))
    if "LERPMESH_IMPORT_SHARED_LIBRARY" in environment:
        libraries.append(("LERPMESH_IMPORT_SHARED_LIBRARY", "LERPMESH_IMPORT_STATIC_LIBRARY", "LM_IMPORT_API"))
    if "LERPMESH_CONVERT_SHARED_LIBRARY" in environment:
        libraries.append(("LERPMESH_CONVERT_SHARED_LIBRARY", "LERPMESH_CONVERT_STATIC_LIBRARY", "LM_CONVERT_API"))
    core = environment["LERPMESH_STATIC_LIBRARY"]
    if missing := needed(core) - ALLOWED:
        sys.exit(f"the core uses functions that are not on the list: {', '.join(sorted(missing))}")
    write = environment["LERPMESH_WRITE_STATIC_LIBRARY"]
    if missing := needed(write) - symbols("-g", "--defined-only", core).keys() - ALLOWED:
        sys.exit(f"lerpmesh-write uses functions that are not on the list: {', '.join(sorted(missing))}")
    total = sum(len(declared(f"LM_{name}API")) for name in ("", "WRITE_", "ASSETS_", "IMPORT_", "CONVERT_", "GL_"))
    if total > MAX_PUBLIC:
        sys.exit(f"{total} functions are public, more than {MAX_PUBLIC}: move functions for our own programs to common/")
    print(f"{total} functions are public")
    for shared, static, keyword in libraries:
        problems, count = check(environment[shared], environment[static], keyword)
        if problems:
            sys.exit("\n".join(problems))
        print(f"{count} symbols exported, all declared with {keyword}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        check_dlls(*sys.argv[1:])
    else:
        main()
