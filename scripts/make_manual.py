#!/usr/bin/env python3
"""Writes the manual of the command: a man page and a page of the site for each of its commands, and an overview.

Usage: make_manual.py LERPMESH ROOT OUT

LERPMESH is the command. Its help and its table of options are the source of synopsis, options and examples. The texts
are in ROOT/tool/manual: NAME.md describes a command, options.md explains the options that several commands have. A
section `### --option` or `## Exit status` of NAME.md replaces that of options.md. Each explanation needs an option.
Writes OUT/man/lerpmesh-NAME.1, and OUT/commands/NAME.md for docs/reference/commands.

The texts are Markdown of paragraphs, headings, lists without nesting, code blocks, `code` and links. lerpmesh-NAME(1)
becomes a link.
"""
import json
import pathlib
import posixpath
import re
import subprocess
import sys
import textwrap

DATE = "2026-11-23"
NOTE = "Made by scripts/make_manual.py from tool/manual and the command's tables."
FOLDER = "docs/reference/commands"


def read_sections(path):
    """Returns the texts of a file by their headings; that before the first one has the heading ''."""
    text = path.read_text(encoding="utf-8")
    parts = [part.partition("\n") for part in re.split(r"(?m)^(?=##)", "\n" + text)]
    sections = {heading: body.strip() for heading, _, body in parts}
    if len(sections) != len(parts):
        sys.exit(f"{path} has a heading twice")
    return sections


# ---- Pages: {heading: [(kind, text)]} --------------------------------------------------------------------------------


def blocks(text):
    """Yields the blocks of a text."""
    for block in re.findall(r"```\n.*?\n```|[^\n]+(?:\n[^\n]+)*", text, re.S):
        if block.startswith("```"):
            yield "code", block.strip("`\n")
        elif block.startswith("### "):
            yield "chapter", block[4:]
        elif block.startswith("- "):
            yield from (("item", " ".join(item[2:].split())) for item in re.split(r"\n(?=- )", block))
        else:
            yield "text", " ".join(block.split())


def option_blocks(options, sections, used):
    """Yields the blocks of a command's options. Adds the headings of their explanations to `used`."""
    group = None
    for option in options:
        if option["group"] != group:
            group = option["group"]
            yield "chapter", group
        heading, value = "### --" + option["name"], option["value"] or ""
        more = sections.get(heading, "")
        used.add(heading)
        name = f"--{option['name']}" + (f"[={value[1:]}" if value.startswith("[") else "")
        yield "option", (f"`-{option['letter']}`, " if option["letter"] else "") + f"`{name}`" + (
            f" `{value}`" if value and value[0] != "[" else "")
        text = option["help"]
        text = re.sub(r"(?<![\w-])--?[a-z][a-z-]*", r"`\g<0>`", text[0].upper() + text[1:] + ".")
        yield from blocks(text + ("\n\n" if more.startswith("- ") else "\n" if more else "") + more)


def command_page(name, summary, help_page, options, sections, used):
    chapters = [heading + "\n\n" + text for heading, text in sections.items() if re.match("### [^-]", heading)]
    examples = textwrap.dedent(help_page.split("Examples:\n")[1].split("\n\n")[0])
    return {
        "NAME": [("text", f"lerpmesh-{name}"), ("text", summary)],
        "Synopsis": [("code", help_page.split("\n")[0].partition(": ")[2])],
        "Description": [*blocks("\n\n".join([sections[""], *chapters]))],
        "Options": [*option_blocks(options, sections, used)],
        "Examples": [("code", examples), *blocks(sections.get("## Examples", ""))],
        "Exit status": [*blocks(sections["## Exit status"])],
        "See also": [("text", ", ".join(["lerpmesh(1)", *sections.get("## See also", "").split(", ")]))],
    }


def overview_page(commands, sections):
    return {
        "NAME": [("text", "lerpmesh"), ("text", "read, check, draw, edit and convert keyframe meshes")],
        "Synopsis": [("code", "lerpmesh COMMAND [options] FILE...\nlerpmesh help COMMAND\nlerpmesh version")],
        "Description": [*blocks(sections[""])],
        "Commands": [("item", f"lerpmesh-{name}(1): {summary}") for name, summary in commands],
        **{heading[3:]: [*blocks(text)] for heading, text in sections.items() if heading.startswith("## ")},
    }


def wrap(text, width):
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


# ---- Markdown ----------------------------------------------------------------------------------------------------------


def markdown_link(match):
    name = match.group(0)[:-3]
    target = {"lerpmesh": "lerpmesh.md", "lerpmesh-viewer": "../../guides/viewer.md"}
    return f"[{name}]({target.get(name, name[9:] + '.md')})"


def markdown(page):
    (_, name), (_, summary) = page["NAME"]
    lines = [f"<!-- {NOTE} -->", f"# {name}", "", f"{summary[0].upper()}{summary[1:]}.", ""]
    before = None
    for heading, content in list(page.items())[1:]:
        untitled = heading in ("Synopsis", "Description")
        lines += [] if untitled else [f"## {heading}", ""]
        for kind, text in content:
            if kind not in ("code", "option"):
                text = re.sub(r"\blerpmesh(-[a-z0-9]+)?\(1\)", markdown_link, text)
            text = {"code": f"```sh\n{text}\n```", "chapter": f"{'##' if untitled else '###'} {text}",
                    "option": f"#### {text}",
                    "item": "- " + wrap(text, 118).replace("\n", "\n  ")}.get(kind) or wrap(text, 120)
            if before == "item" == kind:
                lines.pop()
            lines += [text, ""]
            before = kind
    return "\n".join(lines)


# ---- Man pages ---------------------------------------------------------------------------------------------------------


def roff(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def lines_of(text):
    """Returns lines that are no requests."""
    return re.sub(r"(?m)^(?=[.'])", r"\\&", text)


def inline(text):
    """Returns a text with the fonts of its code spans; placeholders are italic."""
    text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)",
                  lambda match: f"{match.group(1)} (`{posixpath.normpath(posixpath.join(FOLDER, match.group(2)))}`)", text)
    text = re.sub(r"\b(lerpmesh(?:-[a-z0-9]+)?)\(1\)", r"`\1`(1)", text)
    spans = re.split(r"`([^`]+)`", text)
    for i, span in enumerate(spans):
        font = "I" if re.fullmatch(r"[A-Z][A-Z=:,|/]*", span) else "B"
        spans[i] = f"\\f{font}{roff(span)}\\fR" if i % 2 else span.replace("\\", "\\e")
    return "".join(spans)


def manual(page, version):
    (_, name), (_, summary) = page["NAME"]
    lines = [f'.\\" {NOTE}', f'.TH {name.upper()} 1 {DATE} "{version}"', ".SH NAME",
             wrap(f"{roff(name)} \\- {summary}", 80)]
    for heading, content in list(page.items())[1:]:
        lines.append(f".SH {heading.upper()}")
        inside, first = False, True
        for kind, text in content:
            body = lines_of(roff(text) if kind == "code" else wrap(inline(text), 80))
            if kind == "chapter":
                inside = False
                lines.append(f".SS {body}")
            elif kind == "option":
                inside = True
                lines += [".TP", body]
            elif kind == "code":
                lines += [".PP"] * (not first) + [".RS 4", ".nf", body, ".fi", ".RE"]
            elif kind == "item":
                lines += [".RS"] * inside + [".IP \\(bu 2", body] + [".RE"] * inside
            else:
                lines += ([] if first else [".IP" if inside else ".PP"]) + [body]
            first = kind in ("option", "chapter")
    return "\n".join(lines) + "\n"


def main():
    tool, root, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])

    def ask(*words):
        return subprocess.run([tool, *words], check=True, capture_output=True, text=True).stdout

    commands = [(name, summary) for name, summary in re.findall(r"(?m)^  ([a-z]+) +(.*)$", ask("help").split("\nExamples")[0])
                if name not in ("help", "version")]
    shared, used = read_sections(root / "tool/manual/options.md"), set()
    pages = {"lerpmesh": overview_page(commands, read_sections(root / "tool/manual/lerpmesh.md"))}
    left = []
    for name, summary in commands:
        own, own_used = read_sections(root / f"tool/manual/{name}.md"), set()
        pages[name] = command_page(name, summary, ask("help", name), json.loads(ask("help", name, "--json")), {**shared, **own},
                                   own_used)
        left += [f"{name}.md explains {heading[4:]}, which {name} does not have" for heading in own
                 if heading.startswith("### -") and heading not in own_used]
        used |= own_used - set(own)
    left += [f"options.md explains {heading[4:]}, which no command needs" for heading in shared
             if heading.startswith("### ") and heading not in used]
    if left or len(pages) < 10:
        sys.exit("make_manual: " + ("\n".join(left) or f"found only {len(pages)} pages"))
    for folder in "man", "commands":
        (out / folder).mkdir(parents=True, exist_ok=True)
    for name, page in pages.items():
        title = page["NAME"][0][1]
        (out / f"man/{title}.1").write_text(manual(page, ask("version").strip()), encoding="utf-8")
        (out / f"commands/{name}.md").write_text(markdown(page), encoding="utf-8")


main()
