#!/usr/bin/env python3
"""mutate.py [options] [PATH…]: changes one token of the C sources at a time and reports the mutants that no
test catches.

A PATH is a folder or a file (src/formats, src/check.c). Without one, mutates the C files below src/, write/,
assets/, import/, common/, tool/ and gl/ that changed since a commit (--since). Builds and tests each mutant in a private
copy of the tree (--build), which the next run repairs if this one is interrupted. Mutants that do not compile,
or give the same machine code, do not count. For the others, runs the tests that they could affect until one
fails or takes too long, starting with the tests that caught nearby mutants.

Ends with a table: the number of mutants in each folder, and the number that the tests caught. Status 0: all;
1: not all, and the survivors are listed above the table as file:line with the lines before and after; 2: there
was nothing to try. tests/mutants.txt lists equivalent mutants (those without a visible effect) with the
reasons; they do not count either.

--check reports the entries of tests/mutants.txt that no longer match a source, and tries no mutants.
--again tries the survivors of the last run again. --sanitize tries mutants under the sanitizers, which detect
out-of-bounds accesses and leaks. `make test` runs the C tests under them too.
"""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import dataclasses
import fcntl
import hashlib
import itertools
import json
import math
import os
import pathlib
import queue
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

TREE = pathlib.Path(__file__).resolve().parent.parent
ROOTS = ("src", "write", "assets", "import", "common", "tool", "gl")
# The vector kernels give the same bits as the scalar one, and each needs its own processor.
SKIPPED_SOURCES = re.compile(r"src/sample/sample_(simd128|avx2|avx512)\.c$")
# Tests that read sources, build everything again, or need an idle machine.
SKIPPED_TESTS = re.compile(r"test_(install|exports|gl_without_epoxy|subproject|core_only|portable\w*|dropin|windows"
                     r"|makefile|cross\w*|architecture|closing_line|headers|tables|readme|mutate|steps"
                     r"|crash|heap|oracle_self|without_gl)\.")
EQUIVALENTS = "tests/mutants.txt"
STOPPED = threading.Event()
MEMORY = 4 << 30  # the limit for each program that a mutant runs


# ---- Mutants ------------------------------------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str
    line: int
    old: str  # the lines before and after the change, stripped
    new: str

    @property
    def folder(self) -> str:
        parts = self.path.split("/")
        return "/".join(parts[:2]) if parts[0] in ("src", "write") and len(parts) > 2 else parts[0]

    def text(self, source: str) -> str | None:
        """Returns the whole file with the mutation, or None if its lines no longer exist."""
        lines = source.split("\n")
        count = self.old.count("\n") + 1
        near = sorted(range(len(lines) - count + 1), key=lambda i: abs(i + 1 - self.line))
        for i in near:
            if "\n".join(lines[i:i + count]).strip() == self.old:
                return "\n".join(lines[:i] + [self.new] + lines[i + count:])
        return None

    def description(self) -> str:
        return "\n  - ".join([f"{self.path}:{self.line}", self.old]) + f"\n  + {self.new}"


TOKEN = re.compile(r"""
      (?P<space> \s+ | //[^\n]* | /\*.*?\*/ )
    | (?P<directive> (?<![^\n]) [ \t]*\#(?:[^\n\\]|\\.)* )
    | (?P<string> "(?:[^"\\\n]|\\.)*" )
    | (?P<char> '(?:[^'\\\n]|\\.)*' )
    | (?P<number> \.?\d(?:[eEpP][+-]|[\w.])* )
    | (?P<name> [A-Za-z_]\w* )
    | (?P<op> <<=|>>=|\.\.\.|->|\+\+|--|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|[^\s\w] )
    """, re.X | re.S)
OTHERS = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"], "++": ["--"], "--": ["++"], "+=": ["-="], "-=": ["+="], "*=": ["/="],
    "/=": ["*="], "|=": ["&="], "&=": ["|="], "^=": ["|="], "<<=": [">>="], ">>=": ["<<="],
    "<<": [">>"], ">>": ["<<"], "/": ["*"], "%": ["/"], "|": ["&"], "^": ["|"], "!": [""]}
BINARY = {"+": "-", "-": "+", "*": "/", "&": "|"}
NAMES = {"true": "false", "false": "true", "break": "continue", "continue": "break"}
CONTROL = {"if", "for", "while", "switch", "return", "sizeof", "else", "do", "case", "defined"}
ASSIGNS = {"=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>=", "++", "--"}
OPENS, CLOSES = "([{", ")]}"


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    pair: int = -1  # index of the other bracket
    depth: int = 0  # number of enclosing braces


def tokens_of(text: str) -> list[Token]:
    found: list[Token] = []
    stack: list[int] = []
    braces = 0
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "space":
            continue
        if kind == "directive":
            value = re.match(r"[ \t]*#[ \t]*define[ \t]+\w+[ \t]+(\d\w*)$", match[0])
            if value:
                found.append(Token("value", value[1], match.start() + value.start(1), match.end()))
            continue
        token = Token(kind, match[0], match.start(), match.end(), depth=braces)
        if kind == "op" and token.text in OPENS:
            stack.append(len(found))
            braces += token.text == "{"
        elif kind == "op" and token.text in CLOSES and stack:
            token.pair = stack.pop()
            found[token.pair].pair = len(found)
            braces -= token.text == "}"
        found.append(token)
    return found


def after_number(text: str) -> list[str]:
    return [f"({text} + 1)", f"({text} - 1)"]


def shorter(text: str) -> list[str]:
    """Returns the string without its first, and without its last plain character."""
    plain = [m.start() for m in re.finditer(r"\\.|[\w .,:]", text) if len(m[0]) == 1]
    return [text[:i] + text[i + 1:] for i in {plain[0], plain[-1]}] if plain else []


def statement_end(tokens: list[Token], i: int) -> int:
    """Returns the semicolon of the statement that begins at I, or -1 if it is not a simple statement."""
    while i < len(tokens) and tokens[i].text != ";":
        if tokens[i].text in "{})]" and tokens[i].kind == "op":
            if tokens[i].text != "{" or tokens[i].pair < 0:
                return -1
        i = tokens[i].pair + 1 if tokens[i].text in OPENS and tokens[i].pair > i else i + 1
    return i if i < len(tokens) else -1


def begins_statement(tokens: list[Token], i: int) -> bool:
    before = tokens[i - 1]
    if before.text == ")" and before.pair > 0:
        return tokens[before.pair - 1].text in ("if", "for", "while")
    return before.text in (";", "{", "}", "else")


def removals(tokens: list[Token], i: int):
    """Removes the statement at I: a call, an assignment, or a jump that is not a function's last line."""
    if tokens[i].depth == 0 or not begins_statement(tokens, i):
        return
    name, following = tokens[i].text, tokens[i + 1].text
    if name in ("break", "continue", "goto"):
        pass
    elif name == "return":
        if tokens[i].depth < 2 and tokens[i - 1].text not in (")", "else"):
            return
    elif name in CONTROL or (following not in ASSIGNS and following not in ("(", "[", "->", ".")):
        return
    end = statement_end(tokens, i)
    if end > 0:
        yield tokens[i].start, tokens[end].start, ""


def swaps(text: str, tokens: list[Token], i: int):
    """Swaps two adjacent arguments of a call, unless its name says that their order does not matter."""
    close = tokens[i + 1].pair
    before = tokens[i - 1]
    if close < 0 or tokens[i].depth == 0 or re.search("min|max|equal|alloc|zeros", tokens[i].text) or (
            before.kind == "name" and before.text not in CONTROL):
        return
    starts = [i + 2]
    k = i + 2
    while k < close:
        if tokens[k].text == ",":
            starts.append(k + 1)
        k = tokens[k].pair + 1 if tokens[k].text in OPENS and tokens[k].pair > k else k + 1
    ends = [start - 1 for start in starts[1:]] + [close]
    for k in range(len(starts) - 1):
        first = text[tokens[starts[k]].start:tokens[ends[k] - 1].end]
        between = text[tokens[ends[k] - 1].end:tokens[starts[k + 1]].start]
        last = tokens[ends[k + 1] - 1].end
        second = text[tokens[starts[k + 1]].start:last]
        if first != second:
            yield tokens[starts[k]].start, last, second + between + first


def of_name(text: str, tokens: list[Token], i: int):
    token, following = tokens[i], tokens[i + 1] if i + 1 < len(tokens) else tokens[i]
    if token.text in NAMES:
        yield token.start, token.end, NAMES[token.text]
    if re.search(r"(^|_|f)(min|max)(_|f?$)", token.text) and following.text == "(":
        other = {"min": "max", "max": "min"}
        yield token.start, token.end, re.sub("min|max", lambda m: other[m[0]], token.text)
    if token.text == "if" and following.pair > 0:
        inner = text[following.start:tokens[following.pair].end]
        yield following.start, tokens[following.pair].end, f"(!{inner})"
    elif following.text == "(" and token.text not in CONTROL:
        yield from swaps(text, tokens, i)
    if i > 0 and following is not token:
        yield from removals(tokens, i)


def changes(text: str):
    """Yields all mutations of a source: start, end, replacement."""
    tokens = tokens_of(text)
    for i, token in enumerate(tokens):
        instead: list[str] = []
        if token.kind in ("number", "value", "char"):
            instead = after_number(token.text)
        elif token.kind == "string" and not (i and tokens[i - 1].text == "include"):
            instead = shorter(token.text)
        elif token.kind == "name":
            yield from of_name(text, tokens, i)
        elif token.text in BINARY and i:
            before = tokens[i - 1]
            if token.text in "*&" and text[token.end] != " ":
                pass  # a pointer
            elif before.kind != "op" and before.text not in CONTROL or before.text in (")", "]"):
                instead = [BINARY[token.text]]
            elif token.text == "-":
                instead = [""]
        else:
            instead = OTHERS.get(token.text, [])
        for replacement in instead:
            yield token.start, token.end, replacement


def mutants_of(path: str) -> list[Mutant]:
    text = (TREE / path).read_text(encoding="utf-8")
    found = []
    for start, end, replacement in changes(text):
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", end)
        last = len(text) if last < 0 else last
        new = text[first:start] + replacement + text[end:last]
        found.append(Mutant(path, text.count("\n", 0, start) + 1, text[first:last].strip(), new.strip()))
    return list(dict.fromkeys(found))


# ---- A private copy of the tree -----------------------------------------------------------------

def run(command, seconds=None, **options) -> tuple[int | None, str]:
    """Returns the status (None: it was stopped) and the output, or only its end."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          start_new_session=True, **options) as process:
        try:
            output = process.communicate(timeout=seconds)[0]
            return process.returncode, output.decode(errors="replace")
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            try:  # also ends processes that it left running
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


@dataclasses.dataclass
class Test:
    name: str
    command: list[str]
    target: str | None  # the program to build; None for a script
    environment: dict[str, str]
    folder: str | None
    seconds: float = 0  # processor time without a mutation
    key: str = ""  # identifies the programs of that run


class Copy:
    """A copy of the tree, with its build."""

    def __init__(self, folder: pathlib.Path, sanitized: bool):
        self.tree, self.build = folder / "tree", folder / "build"
        self.sanitized = sanitized
        self.remembered = folder / "tests.json"
        self.tests: list[Test] = []

    def mirror(self) -> None:
        listed = subprocess.run(["git", "-C", TREE, "ls-files", "-zco", "--exclude-standard"],
                                capture_output=True, check=True, text=True).stdout
        wanted = {name for name in listed.split("\0") if name and (TREE / name).is_file()}
        for file in [file for file in self.tree.rglob("*") if not file.is_dir()]:
            if str(file.relative_to(self.tree)) not in wanted:
                file.unlink()
        for name in wanted:
            source, target = TREE / name, self.tree / name
            if not target.is_file() or target.read_bytes() != source.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
                os.utime(target)

    def configure(self) -> None:
        # Optimized, so that mutations without effect give the same code. Mutations that cause a warning
        # would be caught without a test.
        quick = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        quick += ["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld"] if shutil.which("ld.lld") else []
        quick += ["-DLERPMESH_SANITIZE=ON"] if self.sanitized else []
        status, output = run(["cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build, "-Wno-dev", *quick,
                            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_BUILD_TYPE=Release",
                            "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG",
                            "-DLERPMESH_TESTS=ON", "-DLERPMESH_BENCH=OFF", "-DLERPMESH_VIEWER=OFF",
                            "-DLERPMESH_EXAMPLES=OFF", "-DLERPMESH_WERROR=ON"])
        if status != 0:
            give_up(output)
        with open(self.build / "compile_commands.json", encoding="utf-8") as file:
            self.objects = collections.defaultdict(list)
            for entry in json.load(file):
                path = os.path.relpath(entry["file"], self.tree)
                words = shlex.split(entry["command"])
                self.objects[path].append(self.build / words[words.index("-o") + 1])

    def make(self, *targets, jobs=1) -> tuple[bool, str]:
        names = [os.path.relpath(target, self.build) for target in targets]
        status, output = run(["ninja", "-C", self.build, f"-j{jobs}", *names],
                           env={**os.environ, "CCACHE_BASEDIR": str(self.tree.parent)})
        return status == 0, output

    def find_tests(self, folders: set[str]) -> list[Test]:
        status, output = run(["ctest", "--test-dir", self.build, "--show-only=json-v1"])
        if status != 0:
            give_up(output)
        drawn = any(folder.split("/")[0] in ("gl", "tool") for folder in folders)
        found = []
        for test in json.loads(output[output.index("{"):])["tests"]:
            command = test.get("command")
            properties = {p["name"]: p["value"] for p in test.get("properties", [])}
            if not command or SKIPPED_TESTS.match(test["name"]) or (not drawn and self.draws(command)):
                continue
            own = command[0].startswith(f"{self.build}/")
            if not own and (self.sanitized or "script" not in properties.get("LABELS", [])):
                continue
            environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
            found.append(Test(test["name"], command, os.path.relpath(command[0], self.build) if own else None,
                              environment, properties.get("WORKING_DIRECTORY")))
        return found

    @staticmethod
    def draws(command) -> bool:
        return re.search(r"test_gl_|/gl/test_", command[-1]) is not None

    def programs(self, test: Test) -> list[pathlib.Path]:
        """Returns the files that the build must make for a test."""
        if test.target:
            return [self.build / test.target]
        named = [pathlib.Path(value) for value in test.environment.values()]
        return [path for path in named if path.is_relative_to(self.build) and path != self.build]

    def key_of(self, test: Test) -> str:
        digest = hashlib.sha256()
        for path in self.programs(test) + [pathlib.Path(p) for p in test.command[1:]]:
            digest.update(path.read_bytes() if path.is_file() else b"")
        return digest.hexdigest()

    def try_test(self, test: Test, seconds: float) -> tuple[int | None, float]:
        """Returns the status, or None if the test did not end in SECONDS of processor time, and the time it
        took. Wall time is unreliable on a shared machine; it only stops tests that sleep."""
        script = pathlib.Path(test.command[-1])
        first = ["--failfast"] if script.suffix == ".py" and "unittest.main(" in script.read_text("utf-8") else []
        bounded = ["bash", "-c", f'ulimit -S -t {math.ceil(seconds)}; exec "$@"', "bash", *test.command, *first]
        begin = resource.getrusage(resource.RUSAGE_CHILDREN)
        status, _ = run(bounded, 30 + 20 * seconds, env={**os.environ, **test.environment},
                        cwd=test.folder or self.build)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
        return None if status == -signal.SIGXCPU else status, took

    def choose_tests(self, folders: set[str], pattern: str) -> None:
        self.tests = [test for test in self.find_tests(folders) if re.search(pattern, test.name)]
        for test in self.tests:
            test.key = self.key_of(test)

    def try_unchanged(self, longest: float) -> dict[str, float]:
        """Runs the tests without a mutation. Returns those that pass quickly enough, with their times; only
        these run on mutants."""
        known = json.loads(self.remembered.read_text()) if self.remembered.exists() else {}
        passing = {}
        for test in self.tests:
            status, seconds = known.get(test.name + test.key, (None, 0.0))
            if status is None and seconds < longest:
                status, seconds = self.try_test(test, longest)
                if status in (0, 77, None):
                    known[test.name + test.key] = (status, seconds)
            if status == 0 and seconds <= longest:
                passing[test.name] = seconds
            else:
                reason = {0: "it is slow", 77: "it is skipped", None: "it is slow"}
                print(f"not used: {test.name}: {reason.get(status, 'it fails without a mutation')}", flush=True)
        self.remembered.write_text(json.dumps(known))
        return passing

    def keep_tests(self, passing: dict[str, float]) -> None:
        self.tests = [test for test in self.tests if test.name in passing]
        for test in self.tests:
            test.seconds = passing[test.name]


# ---- Testing mutants ----------------------------------------------------------------------------

def words(text: str) -> set[str]:
    return set(re.split(r"[^a-z0-9]+", text)) - {"test", "src", "write", "c", "py"}


class TestOrder:
    """The order of tests for a file: first the tests that caught mutants in it, the most recent first, then those
    with its name, then the fastest."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.lock = threading.Lock()
        self.last: dict[str, list[str]] = json.loads(path.read_text()) if path.exists() else {}

    def sort(self, mutant: Mutant, tests: list[Test]) -> list[Test]:
        def rank(test: Test):
            in_file, in_folder = self.last.get(mutant.path, []), self.last.get(mutant.folder, [])
            by_file = in_file.index(test.name) if test.name in in_file else len(in_file)
            by_folder = in_folder.index(test.name) if test.name in in_folder else len(in_folder)
            common = words(test.name) & words(mutant.path)
            return by_file, by_folder, not common, test.target is None, test.seconds
        with self.lock:
            return sorted(tests, key=rank)

    def caught(self, mutant: Mutant, name: str) -> None:
        with self.lock:
            for key in (mutant.path, mutant.folder):
                names = self.last.setdefault(key, [])
                self.last[key] = [name, *(other for other in names if other != name)]

    def save(self) -> None:
        self.path.write_text(json.dumps(self.last))


def try_mutant(copy: Copy, mutant: Mutant, order: TestOrder, patience: float) -> str:
    """Returns `same`, `invalid`, `survived` or `caught by …`; `stopped` if the result is no longer needed."""
    file = copy.tree / mutant.path
    source = file.read_bytes()
    text = mutant.text(source.decode("utf-8"))
    objects = copy.objects.get(mutant.path, [])
    if text is None or not objects:
        return "invalid"
    before = [path.read_bytes() for path in objects]
    try:
        file.write_text(text, encoding="utf-8")
        if not copy.make(*objects)[0]:
            return "invalid"
        if before == [path.read_bytes() for path in objects]:
            return "same"
        for test in order.sort(mutant, copy.tests):
            if STOPPED.is_set():
                return "stopped"
            made, output = copy.make(*copy.programs(test))
            if not made:
                give_up(output)
            if copy.key_of(test) == test.key:
                continue
            status, _ = copy.try_test(test, patience + 3 * test.seconds)
            if status not in (0, 77):
                order.caught(mutant, test.name)
                return f"caught by {test.name}" + (", which did not end" if status is None else "")
        return "survived"
    finally:
        file.write_bytes(source)
        copy.make(*objects)


def equivalents() -> dict[tuple[str, str, str], str]:
    """Reads the equivalent mutants from EQUIVALENTS: four lines each, then an empty one."""
    file = TREE / EQUIVALENTS
    found = {}
    for block in file.read_text(encoding="utf-8").split("\n\n") if file.exists() else []:
        lines = [line for line in block.split("\n") if line and not line.startswith("#")]
        if lines:
            path, old, new, why = lines
            found[path, old.removeprefix("- "), new.removeprefix("+ ")] = why
    return found


def stale_equivalents() -> list[tuple[str, str, str]]:
    """Returns the entries of EQUIVALENTS that no source has any more."""
    possible = {path: {(mutant.old, mutant.new) for mutant in mutants_of(path)}
                for path in {path for path, _, _ in equivalents()} if (TREE / path).is_file()}
    return [entry for entry in equivalents() if entry[1:] not in possible.get(entry[0], ())]


def give_up(reason: str):
    print(f"mutate.py: {reason}", file=sys.stderr)
    sys.exit(2)


def chosen_files(options) -> list[str]:
    if options.paths:
        named = [path.rstrip("/") for path in options.paths]
        paths = [str(file.relative_to(TREE)) for root in ROOTS for file in (TREE / root).rglob("*.c")]
        paths = [path for path in paths if any(path == chosen or path.startswith(chosen + "/") for chosen in named)]
    else:
        command = ["git", "-C", str(TREE), "diff", "--name-only", options.since, "--", *ROOTS]
        status, output = run(command)
        if status != 0:
            give_up(output)
        paths = [path for path in output.split() if path.endswith(".c") and (TREE / path).is_file()]
    return sorted(path for path in paths if not SKIPPED_SOURCES.match(path))


class Trial:
    """Tests mutants in the copies, and counts the results."""

    def __init__(self, options, copies: list[Copy], order: TestOrder):
        self.options, self.order = options, order
        self.copies: queue.Queue[Copy] = queue.Queue()
        for copy in copies:
            self.copies.put(copy)
        self.jobs = len(copies)
        self.known = equivalents()
        self.counts: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
        self.survivors: list[Mutant] = []

    def try_one(self, mutant: Mutant) -> None:
        copy = self.copies.get()
        begin = time.monotonic()
        try:
            result = try_mutant(copy, mutant, self.order, self.options.patience)
        finally:
            self.copies.put(copy)
        reason = self.known.get((mutant.path, mutant.old, mutant.new)) if result == "survived" else None
        kind = "equivalent" if reason else result.split(" ", 1)[0]
        self.counts[mutant.folder][kind] += 1
        if kind == "survived":
            self.survivors.append(mutant)
            print(f"survived: {mutant.description()}", flush=True)
        elif self.options.verbose:
            print(f"{reason or result}: {mutant.description()} ({time.monotonic() - begin:.1f} s)", flush=True)

    def try_folder(self, mutants: list[Mutant], count: int | None) -> None:
        """Continues until COUNT mutants differ from the source in machine code."""
        waiting = iter(mutants)
        counts = self.counts[mutants[0].folder]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            while count is None or counts["caught"] + counts["survived"] < count:
                left = len(mutants) if count is None else count - counts["caught"] - counts["survived"]
                some = list(itertools.islice(waiting, left))
                if not some:
                    break
                try:
                    list(pool.map(self.try_one, some))
                except BaseException:
                    STOPPED.set()
                    pool.shutdown(cancel_futures=True)
                    raise

    def table(self) -> str:
        lines = ["| folder | mutants | caught | score | same code, invalid C, equivalent |", "|---|--:|--:|--:|--:|"]
        total = collections.Counter()
        for folder, counts in sorted(self.counts.items()):
            total += counts
            lines.append(self.row(f"`{folder}`", counts))
        return "\n".join(lines + ([self.row("all", total)] if len(self.counts) > 1 else []))

    @staticmethod
    def row(name: str, counts) -> str:
        tried = counts["caught"] + counts["survived"]
        score = f"{100 * counts['caught'] / tried:.1f} %" if tried else "–"
        others = ", ".join(str(counts[kind]) for kind in ("same", "invalid", "equivalent"))
        return f"| {name} | {tried} | {counts['caught']} | {score} | {others} |"


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="folders or files; default: the changed files")
    parser.add_argument("--since", default="main", help="mutate the files that changed since this commit (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the random choice of mutants (%(default)s)")
    parser.add_argument("--count", type=int, default=40, help="mutants per folder (%(default)s)")
    parser.add_argument("--longest", type=float, default=15,
                        help="skip tests that take more processor time, in seconds (%(default)s)")
    parser.add_argument("--tests", default="", metavar="REGEX", help="run only tests with such names")
    parser.add_argument("--patience", type=float, default=2,
                        help="a test ends after this many seconds plus three times its usual time (%(default)s)")
    parser.add_argument("--build", default=str(TREE / "build" / "mutate"), help="folder for copies (%(default)s)")
    parser.add_argument("--again", action="store_true", help="try the survivors of the last run again")
    parser.add_argument("--check", action="store_true", help="find stale entries of tests/mutants.txt")
    parser.add_argument("--sanitize", action="store_true", help="use the sanitizers, and only the tests in C")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="mutants at the same time, each with its own copy (%(default)s)")
    parser.add_argument("-v", "--verbose", action="store_true", help="report every mutant")
    return parser.parse_args()


def main() -> None:
    options = parse()
    if options.check:
        stale = stale_equivalents()
        sys.exit("\n".join(f"{EQUIVALENTS}: {path} has no line '{old}' to change into '{new}'" for path, old, new in stale) or 0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # runs every `finally`
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not options.sanitize:  # the sanitizers reserve terabytes of address space
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    folder = pathlib.Path(options.build).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    lock = open(folder / "lock", "w", encoding="utf-8")  # held until exit
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        give_up(f"another run uses {folder}")
    last = folder / "survivors.json"
    if options.again:
        mutants = [Mutant(**fields) for fields in json.loads(last.read_text())] if last.exists() else []
    else:
        mutants = [mutant for path in chosen_files(options) for mutant in mutants_of(path)]
        random.Random(options.seed).shuffle(mutants)
    folders = {mutant.folder for mutant in mutants}
    if not mutants:
        give_up("there is nothing to mutate: name a path, or another commit with --since")
    kind = "sanitized-" if options.sanitize else ""
    copies = [Copy(folder / f"{kind}{i}", options.sanitize) for i in range(options.jobs)]
    for copy in copies:
        copy.tree.mkdir(parents=True, exist_ok=True)
        copy.mirror()
        copy.configure()
        made, output = copy.make(jobs=options.jobs)
        if not made:
            give_up(output)
        copy.choose_tests(folders, options.tests)
    passing = copies[0].try_unchanged(options.longest)
    if not passing:
        give_up("no test can catch a mutant")
    for copy in copies:
        copy.keep_tests(passing)
    order = TestOrder(folder / "caught.json")
    trial = Trial(options, copies, order)
    try:
        for name in sorted(folders):
            trial.try_folder([m for m in mutants if m.folder == name], None if options.again else options.count)
    finally:
        order.save()
        last.write_text(json.dumps([dataclasses.asdict(mutant) for mutant in trial.survivors], indent=1))
        print(trial.table())
    sys.exit(1 if trial.survivors else 0)


if __name__ == "__main__":
    main()
