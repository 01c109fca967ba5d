#!/usr/bin/env python3
"""Writes viewer/sentences.h: the sentences of the libraries that the viewer can show, for translators and for
viewer/message_text.c, which finds the sentence of a message again. Run it in the repository's root after a change of a
message; --check compares only.

A sentence is the format of a call of a function that is declared with LM_PRINTF, or an argument of a function in PARTS.
Arguments that are themselves texts of the source are inserted: lm_count_words(n, "{frame|frames}") becomes
"%u {frame|frames}". A sentence with such words becomes two, for one and for several."""
import glob
import itertools
import os
import re
import sys

OUTPUT = "viewer/sentences.h"
FOLDERS = ("src", "assets", "write", "gl", "common/image")
# Sources whose messages the viewer never shows: errors of programs that call the library, the command's own features.
LEFT_OUT = re.compile(r"""src/(core/(options|report|json|buffer|arena)|layout|scene/(check|shader))
    |src/formats/.*_(table|layout)\.c
    |assets/(packing|image/[^.]*write|files/archive_write)
    |write/(mesh|optimize|edit/(words|pattern|select|tags|transform)|compose/(join|player)|export/(vat|svg|obj)
    |skeleton/(fit|resample)|formats/(write_document|.*write|.*_optimize))
    |gl/(headless|.*shader)|common/image/(difference|gallery)""", re.VERBOSE)
# Sentences about the arguments of a call, and texts that are no messages.
NO_MESSAGE = re.compile(r"""NULL|`|num_(clips|sh)|shared_grid|needs\ (a\ buffer|the\ uri)
    |^gl:\ (unknown|the\ pose|lerpmesh\ was)|instances|^(mesh|image):\ |mount\ a\ view|such\ list|unknown\ reason
    |not\ a\ code|^cannot\ %s
    |the\ other\ model|both\ models|rotation\ is\ unknown|reversed|be\ scaled|^(bytes\ after|other|names?\ of)\ 
    |^%\S+$|^\S+%\S*$|^standard\ |generator|%s\ scene|%u\ vertices$|:\ vertex$|^lerpmesh\ %s|frames\ %u-|degrees$
    |^maximum\ error|changed$
    |\(the\ file\ ends|^at\ |overlap\ and|^\ and\ %u|^this\ %s|\#version|\\n|OpenGL\ (ES\ )?%u|^models/""", re.VERBOSE)
# Functions and macros that are given a part of a sentence, with the number of that argument.
PARTS = {"mark_bad": 3, "fail_unpack": 3, "warn": 4, "set_damage": 2, "add_sentence": 3, "lm_vfs_can_open": 3,
         "fail_no_frames": 5, "lm_edit_can": 3, "note_count": 2, "lm_encode_text": 6, "LIMIT": 4,
         "lm_read_count": 5, "read_some": 4, "read_positive": 5, "lm_edit_fit": 2, "report_entry": 2, "check_limit": 2,
         "check_num_indices": 3}
# The same for nouns that lm_count_nouns counts.
NOUNS = {"LM_HEADER_LUMP": 4, "read_section": 2}
# Functions that write "3 WORDS; the first is 7".
CASES = {"lm_report_cases": 5, "report_cases": 6}
# Words of sentences that are neither of these.
WORDS = ("skin", "frame", "clip", "surface", "tag", "name", "name in the header", "clips", "surface %u", "skin %u",
         "frame %u", "clip %u", "tag %u", "cannot open", "cannot read", "cannot open folder", "cannot read back %s: %s",
         "file", "files", "models", "shader", "glcmds", "%u {glcmd|glcmds}", "%u {skin|skins}",
         "%s (byte 0x%x)", "%u {path tried|paths tried}", "%s and %u more",
         "this folder contains no models (%s)", "this archive contains no models (%s)", "this folder contains no files",
         "this archive contains no files",
         " to draw (SHADER_MAX_VERTEXES)", " to draw (SHADER_MAX_INDEXES: 6000 indices)")
# The tokens before a part of a sentence that a variable receives or a function returns.
BEFORE_PARTS = {"=", "?", ":", "return"}
# Functions that format a part of a sentence, or that are not declared with LM_PRINTF.
FORMATTING = {"lm_buffer_printf": 2, "lm_arena_printf": 2, "snprintf": 3, "note": 3, "report": 4}

HEAD = """/* The sentences of the libraries' messages, from their sources by scripts/make_sentences.py. */
/* clang-format off */
"""

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|\'(?:\\.|[^\'\\])+\'|"(?:\\.|[^"\\])*"|\w+|\s+|.', re.S)
CONVERSION = re.compile(r"%(?:%|[-+ #0]*(\*|\d+)?(?:\.(\*|\d+))?(?:hh|h|ll|l|z|j|t)?([diuxXcsgfeG]))")


def tokens_of(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^\s*#\s*include.*$", "", file.read(), flags=re.M)
    text = re.sub(r"\\\n", "\n", text)
    return [token for token in TOKEN.findall(text) if not token.isspace() and not token.startswith(("/*", "//"))]


def arguments_at(tokens, i):
    """Returns the arguments of the call whose parenthesis is at i, as lists of tokens."""
    depth, out = 0, [[]]
    for token in tokens[i:]:
        depth += (token in "([{") - (token in ")]}") if len(token) == 1 else 0
        if depth == 0:
            return out
        if depth == 1 and token == ",":
            out.append([])
        elif not (depth == 1 and token == "(" and out == [[]]):
            out[-1].append(token)
    return out


def sources(*folders):
    return sorted(sum((glob.glob(f"{folder}/**/*.[ch]", recursive=True) for folder in folders), []))


def printf_functions():
    """Returns the functions declared with LM_PRINTF, with the number of their format."""
    found = {}
    for path in sources(*FOLDERS, "include"):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for name, number in re.findall(r"\b(\w+)\([^;{}()]*\.\.\.\)\s*LM_PRINTF\((\d+), \d+\)", text):
            found[name] = int(number)
        for number, name in re.findall(r"LM_PRINTF\((\d+), \d+\)\s+static\s+\w+\s+(\w+)\(", text):
            found[name] = int(number)
    return {**found, **FORMATTING}


def literal(tokens):
    """Returns the text of adjacent literals, or None."""
    if not tokens or not all(token.startswith('"') for token in tokens):
        return None
    return "".join(token[1:-1] for token in tokens)


def choices(tokens, numbers=()):
    """Returns the texts that an expression can have: of a literal, or of conditions with literals; None: any text. A
    condition that one of the numbers is 1 becomes "{text|other text}"."""
    while tokens and tokens[0] == "(" and tokens[-1] == ")":
        tokens = tokens[1:-1]
    if literal(tokens) is not None:
        return [literal(tokens)]
    if "?" not in tokens or ":" not in tokens:
        return [None]
    first = tokens.index("?")
    depths = itertools.accumulate((token == "?") - (token == ":") for token in tokens)
    second = next(i for i, depth in enumerate(depths) if i > first and depth == 0)
    texts = choices(tokens[first + 1:second], numbers) + choices(tokens[second + 1:], numbers)
    is_counted = tokens[first - 3:first] == ["=", "=", "1"] and tokens[:first - 3] in numbers
    if is_counted and len(texts) == 2 and None not in texts:
        return ["{" + "|".join(texts) + "}"]
    return texts


def number_of(tokens):
    """Returns the number that an argument prints, without its cast."""
    if tokens[:1] == ["lm_count_words"]:
        tokens = arguments_at(tokens, 1)[0]
    return tokens[tokens.index(")") + 1:] if tokens[:1] == ["("] else tokens


def inserted(tokens, numbers):
    """Returns the texts of an argument that stand in its sentence."""
    if tokens[:1] == ["lm_count_words"]:
        words = literal(arguments_at(tokens, 1)[1])
        return [words and "%u " + words]
    return choices(tokens, numbers)


def with_arguments(template, arguments):
    """Returns the sentences of a format: its arguments that are texts are inserted."""
    parts, at, used, numbers = [], 0, 0, [number_of(tokens) for tokens in arguments]
    for match in CONVERSION.finditer(template):
        parts.append([template[at:match.start()]])
        at = match.end()
        if match.group(3) is None:
            parts.append(["%%"])
            continue
        used += (match.group(1) == "*") + (match.group(2) == "*")
        texts = inserted(arguments[used], numbers) if match.group(3) == "s" and used < len(arguments) else [None]
        kind = "%" + {"d": "u", "i": "u", "X": "x", "e": "g", "f": "g", "G": "g"}.get(match.group(3), match.group(3))
        parts.append([kind if text is None else text for text in texts])
        used += 1
    return ["".join(chosen) for chosen in itertools.product(*parts, [template[at:]])]


def is_message(text):
    return text and re.search(r"[A-Za-z]{2}", CONVERSION.sub("", text)) and not NO_MESSAGE.search(text)


def counted(nouns):
    one = nouns[:-8] + "vertex" if nouns.endswith("vertices") else nouns[:-1] if nouns.endswith("s") else nouns
    return f"%u {{{one}|{nouns}}}"


def length_of(tokens, i):
    """Returns the number of tokens up to the end of a call whose parenthesis is at i."""
    depth = 0
    for length, token in enumerate(tokens[i:]):
        depth += (token == "(") - (token == ")")
        if depth == 0:
            return length
    return 0


def is_part(before, text):
    """Returns true for a part of a sentence in a condition, an assignment or a return, and for a noun in a list."""
    if before in BEFORE_PARTS:
        return re.search("[a-z] [a-z(]", text)
    return before == "," and re.match('"an? [A-Za-z]', text)


def sentences_of_call(name, arguments, functions):
    def texts(numbers):
        return filter(None, choices(arguments[numbers[name] - 1]) if len(arguments) >= numbers[name] else [])

    if name in functions:
        for template in texts(functions):
            yield from with_arguments(template, arguments[functions[name]:])
    elif name in CASES:
        kinds = choices(arguments[5]) if name == "lm_report_cases" else [""]
        yield from (f"%u {text}; the first is {kind or ''}%u" for text in texts(CASES) for kind in kinds)
    elif name in PARTS:
        yield from texts(PARTS)
    elif name in NOUNS:
        yield from (sentence for nouns in texts(NOUNS) for sentence in (nouns, counted(nouns)))


def sentences_of(path, functions):
    tokens, end = tokens_of(path), 0
    for i in range(1, len(tokens) - 1):
        name = tokens[i]
        if name in functions:
            end = max(end, i + length_of(tokens, i + 1))
        if i >= end and name.startswith('"') and is_part(tokens[i - 1], name):
            yield from with_arguments(literal(list(itertools.takewhile(lambda t: t.startswith('"'), tokens[i:]))), [])
        if tokens[i + 1] == "(":
            yield from sentences_of_call(name, arguments_at(tokens, i + 1), functions)


def entry(text):
    """Returns the lines of a sentence."""
    number = CONVERSION.findall(text.split("{")[0])
    if not re.search(r"\{[^{}|]*\|[^{}|]*\}", text):
        return [f'SENTENCE("{text}")']
    one, many = (re.sub(r"\{([^{}|]*)\|([^{}|]*)\}", rf"\{side}", text) for side in (1, 2))
    numbers = [i for i, (_, _, kind) in enumerate(found for found in number if found[2]) if kind == "u"]
    return [f'COUNTED({numbers[-1]}, "{one}", "{many}")'] if numbers else [f'SENTENCE("{one}")', f'SENTENCE("{many}")']


def generate():
    functions, out = printf_functions(), ["/* words */"] + [line for text in WORDS for line in entry(text)]
    seen = set(out)
    for path in sources(*FOLDERS):
        if LEFT_OUT.match(path):
            continue
        lines = [line for text in sentences_of(path, functions) if is_message(text) for line in entry(text)]
        lines = [line for line in dict.fromkeys(lines) if line not in seen]
        seen.update(lines)
        out += [f"/* {path} */", *lines] if lines else []
    return HEAD + "\n".join(out) + "\n"


def main():
    text = generate()
    if "--check" not in sys.argv:
        with open(OUTPUT, "w", encoding="utf-8") as file:
            file.write(text)
        return
    with open(OUTPUT, encoding="utf-8") as file:
        if file.read() != text:
            sys.exit(f"{OUTPUT} is out of date: run scripts/make_sentences.py, and translate viewer/po/*.po")


main()
