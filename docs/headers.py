"""Doxygen's input filter: prints a header with its plain comments as documentation comments. Keeps the line numbers."""
import re
import sys

COMMENT = re.compile(r"^(?P<code>[^\n]*?)(?P<space> *)/\*(?P<text>.*?)\*/", re.M | re.S)
DOC = r"(/\*\* (?:(?!\*/).)*\*/)"
SEVERAL = re.compile(DOC + r"(\s*)([\w ]*\w) ((?:[*\w\[\]]+, )+[*\w\[\]]+);", re.S)  # members that share a comment
# A member num_NAME, and after it the array NAME that it counts. A comment above or on either documents both.
ARRAY = re.compile(rf"({DOC}?\s*)(\w+ num_(\w+);\n *)(?={DOC}?[\w\s]*\w [*\w ]*\b\4;)", re.S)
CODE = re.compile(r"@verbatim.*?@endverbatim|`([^`]+)`", re.S)
CODE_INDENT = "    "  # lines of a comment that are indented further than its text are preformatted


def preformat(lines):
    """Escapes the text for Doxygen and puts its indented blocks between @verbatim and @endverbatim."""
    lines = [re.sub(r"^ *\*? ?", "", line) if line.lstrip().startswith("*") else line.strip() for line in lines]
    inside = False
    out = []
    for i, line in enumerate(lines):
        code = line.startswith(CODE_INDENT) or inside and not line and any(lines[i:]) and \
            next(later for later in lines[i:] if later).startswith(CODE_INDENT)
        if code and not inside:
            out[-1] += " @verbatim"
        line = line[len(CODE_INDENT):] if code else re.sub(r"([\\@<>#%&])", r"\\\1", line)
        out.append(("@endverbatim " if inside and not code else "") + line)
        inside = code
    return CODE.sub(lambda found: f"<tt>{found[1]}</tt>" if found[1] else found[0],
                    "\n".join(out) + (" @endverbatim" if inside else ""))


def document(match):
    code, space, text = match.group("code", "space", "text")
    if text.startswith(" ----") or "clang-format" in text:
        return match.group()
    text = preformat(text.split("\n"))
    if match.start() == 0:
        return f"/** {text} @file */"
    if not code:
        return f"{space}/** {text} */"
    return f"/** {text} */ {code}" if code.endswith(";") else f"{code} /**< {text} */"


def separate(match):
    comment, space, kind, names = match.groups()
    return comment + space + f" {' '.join(comment.split())} ".join(f"{kind} {name};" for name in names.split(", "))


def count(match):
    before, comment, member, name, array_comment = match.groups()
    if comment:
        return before + member + ("" if array_comment else f"/** See num_{name}. */ ")
    return before + (f"/** Counts {name}. */ " if array_comment else "") + member


with open(sys.argv[1], encoding="utf-8") as header:
    sys.stdout.write(ARRAY.sub(count, SEVERAL.sub(separate, COMMENT.sub(document, header.read()))))
