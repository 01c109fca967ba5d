"""Every string of the viewer that a user reads is marked by _() or in viewer/text.h, or translatable in viewer/ui/. The
meanings of the libraries' codes are in LM_CODE_LIST. gettext's xgettext extracts all of them, with their plural forms."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ROOT = os.environ["LERPMESH_SOURCE_DIR"]
LIST = "viewer/po/POTFILES.in"
CODES = "include/lerpmesh/base.h"
EXTRACT = ["xgettext", "--from-code=UTF-8", "--keyword=_", "--keyword=X:4", "--no-wrap", "--files-from=" + LIST]
KEYS_AND_INTERFACES = ("viewer/application.c",)
MARKED = re.compile(r'\b_\((?:\s*"(?:[^"\\]|\\.)*")+\s*\)')
SEVERAL_WORDS = re.compile(r"[^\W\d_]{2,}[,.:;]? [^\W\d_]{2,}")
CAPITALIZED = re.compile(r"_?[A-Z][a-z]+")
SHOWN = ("label", "title", "tooltip-text")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def literals(code):
    """Returns the string literals of C code; adjacent ones count as one."""
    tokens = re.findall(r'/\*.*?\*/|//[^\n]*|\'(?:\\.|[^\'])+\'|(?:"(?:\\.|[^"\\])*"\s*)+', code, re.S)
    includes = set(re.findall(r'#include\s+("[^"]+")', code))
    return ["".join(re.findall(r'"((?:\\.|[^"\\])*)"', token))
            for token in tokens if token.startswith('"') and token.strip() not in includes]


def is_text(path, literal):
    capitalized = CAPITALIZED.match(literal) and path not in KEYS_AND_INTERFACES
    return bool(capitalized or SEVERAL_WORDS.search(literal))


def check_code(path):
    return [f'{path}: "{literal}" is not marked by _()' for literal in literals(MARKED.sub("", read(path)))
            if is_text(path, literal)]


def check_interface(path):
    tree = ElementTree.fromstring(read(path))
    errors = [f'{path}: "{element.text}" lacks translatable="yes"' for element in tree.iter()
              if (element.get("name") in SHOWN or element.tag == "item") and re.search("[A-Za-z]", element.text or "")
              and element.get("translatable") != "yes" and not (element.tag == "item" and len(element))]
    return errors + ([] if tree.get("domain") == "lerpmesh-viewer" else [f"{path}: <interface> names no domain"])


def check_extraction():
    """Extracts the strings as a translator does."""
    if not shutil.which("xgettext"):
        print("\nskipped: extraction: xgettext is not installed")
        return []
    run = subprocess.run([*EXTRACT, "--output=-"], cwd=ROOT, capture_output=True, text=True, check=False)
    meanings = re.findall(r'\bX\(\w+, "[^"]+", \w+,[\s\\]*"([^"]+)"\)', read(CODES))
    wanted = ['msgid "All frames"', 'msgid_plural "%u frames"', 'msgid "Bounding box"', 'msgid "Zoom in, zoom out"',
              *(f'msgid "{meaning}"' for meaning in meanings)]
    # gettext 0.23 warns of its own rules for viewer/data/*.metainfo.xml, unless AppStream's are installed.
    warnings = [line for line in run.stderr.splitlines() if "fallback ITS rule file" not in line]
    errors = warnings + [f"{CODES} has no codes"] * (len(meanings) < 70)
    return errors + [f"{entry} is not extracted" for entry in wanted if entry not in run.stdout]


def check_translations():
    """Each translation is complete, and its formats have the same arguments."""
    if not (shutil.which("msgcmp") and shutil.which("xgettext")):
        print("\nskipped: translations: gettext is not installed")
        return []
    errors = []
    translations = sorted(glob.glob(os.path.join(ROOT, "viewer/po/*.po")))
    with tempfile.TemporaryDirectory() as folder:
        catalogue = os.path.join(folder, "all.pot")
        subprocess.run([*EXTRACT, "--output=" + catalogue], cwd=ROOT, check=True)
        for path in translations:
            for command in ["msgcmp", path, catalogue], ["msgfmt", "--check", "--output-file=/dev/null", path]:
                run = subprocess.run(command, capture_output=True, text=True, check=False)
                errors += [f"{os.path.basename(path)}: {run.stderr}"] * bool(run.returncode or run.stderr)
    languages = [line for line in read("viewer/po/LINGUAS").splitlines() if not line.startswith("#")]
    if [language + ".po" for language in languages] != [os.path.basename(path) for path in translations]:
        errors.append("viewer/po/LINGUAS does not list viewer/po/*.po")
    return errors if len(translations) >= 2 else ["there are no translations"]


def main():
    paths = [os.path.relpath(path, ROOT) for path in sorted(glob.glob(os.path.join(ROOT, "viewer", "*.[ch]")))]
    interfaces = [os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "viewer/ui/*.ui"))]
    listed = read(LIST).split()
    errors = [error for path in paths if path != "viewer/text.h" for error in check_code(path)]
    errors += [error for path in interfaces for error in check_interface(path)]
    errors += [f"{LIST} lacks {path}" for path in ["viewer/text.h", CODES, *interfaces] if path not in listed]
    errors += [f"{LIST} lacks {path}" for path in paths if MARKED.search(read(path)) and path not in listed]
    if len(paths) < 20 or len(interfaces) < 2 or len(literals(read("viewer/text.h"))) < 50:
        errors.append("the sources of the viewer were not found")
    errors += check_extraction() + check_translations()
    sys.exit("\n".join(errors) or 0)


main()
