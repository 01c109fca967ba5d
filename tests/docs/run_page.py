"""run_page.py PAGE: executes the code blocks of a Markdown page in order, as a reader would, in a new folder
with samples/, the installed lerpmesh, and its sources in ~/lerpmesh. Ends with status 77 if something that the page needs is
missing.

A page and its blocks:
- `<!-- needs: openarena blender -->` at the top names what the page needs: programs, or names in NEEDS.
- In a block of `sh` or `console`, lines that begin with `$ ` are commands; the lines below each are its whole output. In
  both, `…` matches any text of a line, and a line `…` any lines. Without `$ `, the block is a script whose output
  does not matter. Commands succeed. Folder and exported variables are kept from command to command; `command &` continues.
- A block of another language is saved as a file if the paragraph above it says "Save this as `NAME`", or added to
  the end of one if it says "Add this to `NAME`".
- Blocks of `pycon` are sessions of Python. tests/python/test_python_package.py runs them.
- Comments directly above a block:
  `<!-- not run: REASON -->` exempts it.
  `<!-- fails: STATUS -->` says that its last command ends with this status.
  `<!-- window: 800x600 3 -->` runs it on a virtual display of this size. It must not fail within 3 seconds.
- `<!-- run: COMMANDS -->` elsewhere executes commands that the reader does not see. Tutorials have none: the reader must
  get by with what the page says."""
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDS = {
    "display": ["/usr/bin/xvfb-run"],
    "openarena": ["/usr/share/games/openarena/baseoa/pak0.pk3"],
    "openarena-engine": ["/usr/lib/ioquake3/ioquake3", "/usr/lib/openarena/baseoa"],
    "ufoai": ["/usr/share/games/ufoai/base/0models.pk3"],
    "sdl2": ["/usr/include/SDL2/SDL.h"],
    "addon": ["{build}/../blender/lerpmesh_io-addon.zip", "/usr/bin/xvfb-run"],
    "web": ["{build}/../web/npm/view.js", "{root}/tests/web/node_modules/three"],
}
SHELL = ("sh", "console")
COMMENT = re.compile(r"<!--\s*([a-z ]+):\s*(.*?)\s*-->", re.S)
FENCE = re.compile(r"^( *)(`{3,})([^`\n]*)$")
SAVE = re.compile(r"\b([Ss]ave|[Aa]dd) (?:this|it|the [\w ]+) (?:as|to) `([^`]+)`")
LIMIT = 600  # seconds for a command


class Failure(Exception):
    pass


class Block:
    """Code, or a comment that has an effect of its own: its language is then the comment's word."""
    def __init__(self, line, language, text, above, comments):
        self.line, self.language, self.text, self.comments = line, language, text, comments
        self.save = SAVE.search(above) if language not in SHELL else None

    @property
    def problem(self):
        if "not run" in self.comments:
            return None if len(self.comments["not run"]) >= 9 else "is not run and gives no reason"
        if re.search(r"\b(sudo|apt|apt-get) ", self.text):
            return "would change the system"
        if self.language in (*SHELL, "pycon", "run") or self.save:
            return None
        return "is neither a command nor saved as a file, and no comment says why"


def parse(text):
    """Returns the page's blocks, and a dictionary of its comments at the top."""
    lines, blocks, above, comments, top = text.split("\n"), [], "", {}, {}
    number, listed = 0, False
    while number < len(lines):
        line, first = lines[number], number + 1
        fence = FENCE.match(line)
        number += 1
        if fence:
            body = []
            while number < len(lines) and lines[number].strip() != fence[2]:
                body.append(lines[number].removeprefix(fence[1]))
                number += 1
            number += 1
            language = fence[3].strip()
            if not language.startswith("{") or language.startswith("{code"):  # directives of MyST have no code
                blocks.append(Block(first, language, "\n".join(body) + "\n", above, comments))
            above, comments = "", {}
        elif line.lstrip().startswith("<!--"):
            while "-->" not in line and number < len(lines):
                line += "\n" + lines[number]
                number += 1
            comment = COMMENT.search(line)
            if comment and comment[1] == "run":
                blocks.append(Block(first, comment[1], comment[2] + "\n", "", {}))
            elif comment and comment[1] == "needs":
                top["needs"] = comment[2]
            elif comment:
                comments[comment[1]] = comment[2]
        elif line.strip():
            begins = number < 2 or not lines[number - 2].strip()  # a paragraph
            if begins and line.startswith("    ") and not listed:
                blocks.append(Block(first, "indented", line, "", comments))
            if not line.startswith(" "):
                listed = re.match(r"[-*] |\d+\. ", line) is not None
            above = line if begins else above + "\n" + line
            comments = {}
    return blocks, top


def matches(expected, output):
    """Compares lines. `…` stands for any text in a line, and alone for any lines."""
    pattern = "".join(r"(?:.*\n)*" if line.strip() == "…" else ".*".join(map(re.escape, line.rstrip().split("…"))) + r"\n"
                      for line in expected)
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in output.splitlines()))


def split_commands(text):
    """Splits a block with `$ ` into commands with their expected lines."""
    commands = []
    for line in text.splitlines():
        if line.startswith("$ "):
            commands.append([line[2:], []])
        elif not commands:
            raise Failure(f"output without a command: {line}")
        elif commands[-1][0].endswith("\\") and not commands[-1][1]:
            commands[-1][0] += "\n" + line.removeprefix("> ")
        else:
            commands[-1][1].append(line)
    return commands


class Reader:
    """A reader at a terminal: a folder, an environment, and the programs that still run."""
    def __init__(self, scratch, build):
        self.folder, self.state, self.groups = scratch / "work", scratch / "state", []
        prefix = scratch / "prefix"
        libraries = prefix / self.install(build, prefix)
        clone = scratch / "home/lerpmesh"
        (clone / "build").mkdir(parents=True)
        for name in ("Makefile", "examples", "samples", "scripts", "tests"):
            (clone / name).symlink_to(ROOT / name)
        for name in ("web", "blender"):
            (clone / "build" / name).symlink_to(build.parent / name)
        shutil.copytree(ROOT / "samples", self.folder / "samples")
        self.environment = {
            # Debian's Blender finds its modules next to the first python3.
            "PATH": f"{prefix}/bin:/usr/bin:{os.environ['PATH']}:/usr/games", "HOME": str(scratch / "home"), "LANG": "C.UTF-8",
            "LIBGL_ALWAYS_SOFTWARE": "1", "GDK_BACKEND": "x11", "SDL_AUDIODRIVER": "dummy", "PKG_CONFIG_PATH": f"{libraries}/pkgconfig", "LD_LIBRARY_PATH": str(libraries),
            "CMAKE_PREFIX_PATH": str(prefix), "PYTHONPATH": f"{ROOT}/tests/oracle:{ROOT}/tests/support",
            "LERPMESH_SOURCE_DIR": str(ROOT), "LERPMESH_BUILD_DIR": str(build)}
        self.state.write_text(f"cd '{self.folder}'\n")

    @staticmethod
    def install(build, prefix):
        """Returns the folder of the libraries, below the prefix."""
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        return next(prefix.glob("lib*/**/pkgconfig")).parent.relative_to(prefix)

    def start(self, commands, output):
        script = (f". '{self.state}'\n{commands}\nstatus=$?\n"
                  f"{{ export -p; printf 'cd %q\\n' \"$PWD\"; }} >'{self.state}'\nexit $status")
        process = subprocess.Popen(["bash", "-c", script], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                   env=self.environment, start_new_session=True)
        self.groups.append(process.pid)
        return process

    def run(self, commands):
        """Returns the status and the output. A program in the background may continue to write into the file."""
        with tempfile.TemporaryFile() as output:
            try:
                status = self.start(commands, output).wait(LIMIT)
            except subprocess.TimeoutExpired as late:
                raise Failure(f"$ {commands}\ndoes not end in {LIMIT} s") from late
            output.seek(0)
            return status, output.read().decode(errors="replace")

    def close(self):
        for group in self.groups:
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                pass


def run_shell(reader, block):
    wanted = int(block.comments.get("fails", 0))
    if not re.search(r"^\$ ", block.text, re.M):
        commands = [["set -e\n" * (wanted == 0) + block.text, None]]
    else:
        commands = split_commands(block.text)
    for number, (command, expected) in enumerate(commands):
        status, output = reader.run(command)
        if status != (wanted if number == len(commands) - 1 else 0):
            raise Failure(f"$ {command}\nends with status {status}:\n{output}")
        if expected is not None and not matches(expected, output):
            raise Failure(f"$ {command}\nprints:\n{output}The page has:\n" + "\n".join(expected))


def save(reader, block):
    path = reader.folder / block.save[2]
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a" if block.save[1].lower() == "add" else "w", encoding="utf-8") as file:
        file.write(block.text)


def run_window(reader, block):
    """Runs a block that opens a window, until it ends or its time is over."""
    size, seconds = block.comments["window"].split()
    status, output = reader.run(f"timeout {seconds} xvfb-run -a -s '-screen 0 {size}x24 -noreset' bash -c {shlex.quote(block.text)}")
    if status not in (0, 124):
        raise Failure(f"{block.text}ends with status {status}:\n{output}")


# ---- Pages --------------------------------------------------------------------------------------

def missing(needs, build):
    """Returns those of the needs that this system does not have."""
    return [need for need in needs.split() if not (
        all(os.path.exists(path.format(build=build, root=ROOT)) for path in NEEDS[need]) if need in NEEDS else shutil.which(need))]


def run_page(page, build):
    """Raises Failure. Returns how many blocks ran, or a text: what is missing."""
    blocks, top = parse(page.read_text(encoding="utf-8"))
    lacks = missing(top.get("needs", ""), build)
    if lacks:
        return "this system lacks " + ", ".join(lacks)
    count = 0
    with tempfile.TemporaryDirectory(prefix="lerpmesh-page-") as scratch:
        reader = Reader(pathlib.Path(scratch), build)
        try:
            for block in blocks:
                try:
                    if block.problem:
                        raise Failure("the block " + block.problem)
                    if "not run" in block.comments or block.language == "pycon":
                        continue
                    count += block.language in SHELL
                    if "window" in block.comments:
                        run_window(reader, block)
                    elif block.save:
                        save(reader, block)
                    else:
                        run_shell(reader, block)
                except Failure as failure:
                    raise Failure(f"{page}:{block.line}: {failure}") from failure
        finally:
            reader.close()
    if count == 0 and "tutorials" in page.parts:
        raise Failure(f"{page}: no block runs")
    return count


def main():
    build = pathlib.Path(os.environ.get("LERPMESH_BUILD_DIR", ROOT / "build/release")).resolve()
    try:
        result = run_page(pathlib.Path(sys.argv[1]).resolve(), build)
    except Failure as failure:
        sys.exit(str(failure))
    if isinstance(result, str):
        print(f"skipped: {sys.argv[1]}: {result}")
        sys.exit(77)
    print(f"{sys.argv[1]}: {result} blocks of commands")


if __name__ == "__main__":
    main()
