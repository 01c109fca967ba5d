"""Makes the declarations for cffi from the public headers, without a compiler.

    declarations.of(Path("include"), ["lerpmesh/lerpmesh.h"])

This is a small preprocessor. It reads the headers and those that they include, removes comments, chooses the branches
of #if, expands macros (also lists such as LM_CODE_LIST), and keeps each LM_ macro with an integer value as a constant.
System headers are ignored, because cffi knows their types. Functions with a va_list are left out, because no other
language can call them."""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

LIMITS = {"UINT16_MAX": "65535", "INT32_MAX": "2147483647", "UINT32_MAX": "4294967295"}
CAST = re.compile(r"\((?:size_t|u?int\d+_t)\)")
NUMBER = re.compile(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b")


@dataclass
class Macro:
    body: str
    parameters: list[str] | None = None  # None: an object-like macro


@dataclass
class Preprocessor:
    include: Path
    macros: dict[str, Macro] = field(default_factory=lambda: {name: Macro(value) for name, value in LIMITS.items()})
    seen: set[str] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)  # of C, expanded

    def read(self, header: str) -> None:
        """Reads a header once."""
        if header in self.seen:
            return
        self.seen.add(header)
        text = (self.include / header).read_text(encoding="utf-8")
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S).replace("\\\n", " ")
        active = [True]  # for each open #if: whether its current branch is read
        taken = [True]  # and whether one of its branches was
        code: list[str] = []
        for line in text.split("\n"):
            directive = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
            if not directive:
                if all(active):
                    code.append(line)
                continue
            self.flush(code)
            word, rest = directive[1], directive[2].strip()
            if word in ("if", "ifdef", "ifndef"):
                active.append(self.holds(word, rest))
                taken.append(active[-1])
            elif word in ("elif", "else"):
                active[-1] = not taken[-1] and (word == "else" or self.holds("if", rest))
                taken[-1] = taken[-1] or active[-1]
            elif word == "endif":
                active.pop()
                taken.pop()
            elif all(active):
                self.direct(word, rest)
        self.flush(code)

    def flush(self, code: list[str]) -> None:
        """Expands the collected lines with the macros of this moment."""
        self.lines.append(self.expand("\n".join(code)))
        code.clear()

    def holds(self, word: str, condition: str) -> bool:
        name = re.fullmatch(r"(?:defined\()?(\w+)\)?", condition)
        if not name:
            raise ValueError(f"#{word} {condition}: only names are supported")
        return (name[1] in self.macros) != (word == "ifndef")

    def direct(self, word: str, rest: str) -> None:
        """Executes #include, #define and #undef."""
        if word == "include" and rest.startswith('"'):
            self.read(rest.strip('"'))
        elif word == "undef":
            self.macros.pop(rest, None)
        elif word == "define":
            name, parameters, body = re.fullmatch(r"(\w+)(\([^)]*\))?\s*(.*)", rest, re.S).groups()  # type: ignore
            listed = None if parameters is None else [part.strip() for part in parameters[1:-1].split(",")]
            self.macros[name] = Macro(body.strip(), listed)

    def expand(self, text: str) -> str:
        """Expands all macros in a text, also in the results. No macro of the headers contains its own name."""
        position = 0
        while found := re.compile(r'"(?:\\.|[^"])*"|\b[A-Za-z_]\w*').search(text, position):
            macro = self.macros.get(found[0])
            end = found.end()
            body = macro.body if macro else ""
            if macro and macro.parameters is not None:
                if not text[end:].lstrip().startswith("("):
                    macro = None
                else:
                    arguments, end = arguments_at(text, text.index("(", end))
                    body = substitute(macro, arguments)
            if macro is None:
                position = end
                continue
            text = text[:found.start()] + body + text[end:]
            position = found.start()
        return text

    def constants(self) -> dict[str, int]:
        """Returns the macros with an integer value."""
        found = {}
        for name, macro in self.macros.items():
            value = NUMBER.sub(r"\1", CAST.sub("", self.expand(macro.body)))
            if name.startswith("LM_") and macro.parameters is None and re.fullmatch(r"[0-9a-fxA-FX()<|*+ -]+", value):
                found[name] = int(eval(value, {"__builtins__": {}}))
        return found


def arguments_at(text: str, start: int) -> tuple[list[str], int]:
    """Returns the arguments of the call whose parenthesis is at `start`, and the position after it."""
    arguments, depth = [""], 0
    for part in re.compile(r'"(?:\\.|[^"])*"|.', re.S).finditer(text, start):
        depth += (part[0] == "(") - (part[0] == ")")
        if depth == 0:
            return [argument.strip() for argument in arguments], part.end()
        if part[0] == "," and depth == 1:
            arguments.append("")
        elif not (part[0] == "(" and depth == 1):
            arguments[-1] += part[0]
    raise ValueError(f"unbalanced parentheses: {text[start:start + 60]}")


def substitute(macro: Macro, arguments: list[str]) -> str:
    """Returns a macro's body with its arguments."""
    values = dict(zip(macro.parameters or [], arguments))
    body = re.sub(r"[A-Za-z_]\w*", lambda word: values.get(word[0], word[0]), macro.body)
    return re.sub(r"\s*##\s*", "", body)


def of(include: Path, headers: list[str]) -> str:
    """Returns the declarations of headers, and of the headers that they include."""
    preprocessor = Preprocessor(include)
    for header in headers:
        preprocessor.read(header)
    text = "\n".join(preprocessor.lines)
    text = re.sub(r"_Static_assert\([^;]*;", "", text)
    text = re.sub(r"[^;{}]*\bva_list\b[^;]*;", "", text)
    constants = [f"#define {name} {value}" for name, value in preprocessor.constants().items()]
    return "\n".join(constants + [line for line in text.split("\n") if line.strip()]) + "\n"
