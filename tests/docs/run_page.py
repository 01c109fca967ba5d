"""run_page.py PAGE [--pictures]: executes the code blocks of a Markdown page in order, as a reader would, in a new folder
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
  `<!-- not run: REASON -->` exempts it. tests/docs/test_pages.py counts these.
  `<!-- fails: STATUS -->` says that its last command ends with this status.
  `<!-- window: NAME.png 800x600 3 -->` runs it on a virtual display of this size, writes a picture 3 seconds after its
  window opened, and closes it. With a further number, SDL's clock stands still at so many milliseconds.
- Comments elsewhere:
  `<!-- browser: NAME.png 800x600 http://localhost:8000/x.html -->` writes a picture of the address in Chromium
  (browse.mjs). The page must report no error and must not be blank. With `moves` at the end, it must also move.
  `<!-- clicks: SCRIPT.py FILE.blend 800x600 NAME.png… -->` runs a script of this folder in Blender with this file, in a
  window of this size. It calls the operators of the buttons that the page names, and writes the pictures.
  `<!-- run: COMMANDS -->` executes commands that the reader does not see. Tutorials have none: the reader must get by
  with what the page says.
- Each picture of a page, images/PAGE/NAME.png, must be similar to the file NAME.png that the page's commands wrote, and
  have its size. Of those of windows and browsers, a tenth may differ, because models move. Of a WebP, only the canvas
  and the number of images count. --pictures replaces those that are not similar; a PNG gets a palette."""
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BROWSE = ROOT / "tests/docs/browse.mjs"
sys.path.insert(0, str(ROOT / "tests/oracle"))
import image_files  # noqa: E402

NEEDS = {
    "display": ["/usr/bin/Xvfb", "/usr/bin/xdotool"],
    "openarena": ["/usr/share/games/openarena/baseoa/pak0.pk3"],
    "openarena-engine": ["/usr/lib/ioquake3/ioquake3", "/usr/lib/openarena/baseoa"],
    "ufoai": ["/usr/share/games/ufoai/base/0models.pk3"],
    "sdl2": ["/usr/include/SDL2/SDL.h"],
    "addon": ["{build}/../blender/lerpmesh_io-addon.zip", "/usr/bin/xvfb-run"],
    "web": ["{build}/../web/npm/view.js", "{root}/tests/web/node_modules/three", "/usr/bin/chromium"],
}
SHELL = ("sh", "console")
COMMENT = re.compile(r"<!--\s*([a-z ]+):\s*(.*?)\s*-->", re.S)
FENCE = re.compile(r"^( *)(`{3,})([^`\n]*)$")
SAVE = re.compile(r"\b([Ss]ave|[Aa]dd) (?:this|it|the [\w ]+) (?:as|to) `([^`]+)`")
LIMIT = 600  # seconds for a command
LARGEST = 40000  # bytes of a tutorial's picture


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
        if self.language in (*SHELL, "pycon", "run", "browser", "clicks") or self.save:
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
            if comment and comment[1] in ("run", "browser", "clicks"):
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
            "LIBGL_ALWAYS_SOFTWARE": "1", "PKG_CONFIG_PATH": f"{libraries}/pkgconfig", "LD_LIBRARY_PATH": str(libraries),
            "CMAKE_PREFIX_PATH": str(prefix), "PYTHONPATH": f"{ROOT}/tests/oracle:{ROOT}/tests/support",
            "LERPMESH_SOURCE_DIR": str(ROOT), "LERPMESH_BUILD_DIR": str(build)}
        self.state.write_text(f"cd '{self.folder}'\n")

    @staticmethod
    def install(build, prefix):
        """Returns the folder of the libraries, below the prefix."""
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        return next(prefix.glob("lib*/**/pkgconfig")).parent.relative_to(prefix)

    def start(self, commands, output, environment=None):
        script = (f". '{self.state}'\n{commands}\nstatus=$?\n"
                  f"{{ export -p; printf 'cd %q\\n' \"$PWD\"; }} >'{self.state}'\nexit $status")
        process = subprocess.Popen(["bash", "-c", script], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                   env=environment or self.environment, start_new_session=True)
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


# ---- Pictures -----------------------------------------------------------------------------------

def write_png(path, width, height, rgb):
    rows = b"".join(b"\0" + rgb[3 * width * y:3 * width * (y + 1)] for y in range(height))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + image_files.chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                     image_files.chunk(b"IDAT", zlib.compress(rows)) + image_files.chunk(b"IEND", b""))


def read_screen(path):
    """Reads the display's memory, an XWD file. Returns width, height and the pixels."""
    data = path.read_bytes()
    header = struct.unpack_from(">25I", data)
    width, height, line, pixels = header[4], header[5], header[12], header[0] + 12 * header[19]
    rgb = bytearray(3 * width * height)
    lines = b"".join(data[pixels + line * y:pixels + line * y + 4 * width] for y in range(height))
    rgb[0::3], rgb[1::3], rgb[2::3] = lines[2::4], lines[1::4], lines[0::4]
    return width, height, bytes(rgb)


def run_window(reader, block):
    """Runs a block on a display of its own, writes a picture of its window and ends it."""
    name, size, seconds, *clock = block.comments["window"].split()
    width, height = size.split("x")
    screen = reader.folder.parent / "screen"
    screen.mkdir(exist_ok=True)
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-fbdir", screen, "-nolisten", "tcp",
                               "-noreset"], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read, encoding="ascii") as line:
        number = line.readline().strip()
    environment = {**reader.environment, "DISPLAY": ":" + number, "GDK_BACKEND": "x11", "SDL_AUDIODRIVER": "dummy"}
    if clock:
        environment["LD_PRELOAD"] = str(screen / "clock.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-o", environment["LD_PRELOAD"], "-"], check=True, text=True,
                       input=f"unsigned SDL_GetTicks(void) {{ return {clock[0]}; }}")
    try:
        with tempfile.TemporaryFile() as output:
            process = reader.start(block.text, output, environment)
            end, window = time.monotonic() + LIMIT, None
            while not window:
                found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "."], env=environment, check=False,
                                       capture_output=True, text=True)
                window = found.stdout.split()[-1:]
                if process.poll() is not None or time.monotonic() > end:
                    output.seek(0)
                    raise Failure(f"{block.text}opens no window:\n" + output.read().decode(errors="replace"))
                time.sleep(0.1)
            subprocess.run(["xdotool", "windowmove", window[0], "0", "0", "windowsize", window[0], width, height,
                            "mousemove", width, height], env=environment, check=False)
            time.sleep(float(seconds))
            write_png(reader.folder / name, *read_screen(screen / "Xvfb_screen0"))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    finally:
        server.kill()
        server.wait()


def run_browser(reader, block, page):
    name, size, address, *moves = block.text.split()
    committed = page.parents[1] / "images" / page.stem / name
    status, output = reader.run(f"node '{BROWSE}' \"{address}\" {size} '{reader.folder / name}' '{committed}' {' '.join(moves)}")
    if status:
        raise Failure(f"Chromium does not show {address}:\n{output}")


def run_clicks(reader, block):
    script, file, size, *pictures = block.text.split()
    width, height = size.split("x")
    status, output = reader.run(
        f"xvfb-run -a -s '-screen 0 {size}x24 -noreset' blender --enable-event-simulate --window-geometry 0 0 {width} {height} "
        f"{file} --python '{ROOT}/tests/docs/{script}'")
    if status or not all((reader.folder / name).exists() for name in pictures):
        raise Failure(f"{script} fails:\n{output}")


def webp_shape(path):
    """Returns flags and canvas of an extended WebP, and its number of images."""
    data = path.read_bytes()
    return data[20:30], data.count(b"ANMF")


def difference(one, other):
    """Returns the share of pixels that differ clearly, or why the two files cannot be compared."""
    try:
        if one.suffix == ".webp":
            return 0 if webp_shape(one) == webp_shape(other) else "its canvas or number of images differs"
        (*size, pixels), (*other_size, others) = (image_files.png_read(path.read_bytes()) for path in (one, other))
    except FileNotFoundError:
        return f"{one} does not exist"
    if size != other_size:
        return f"it has {size[0]}x{size[1]} pixels, not {other_size[0]}x{other_size[1]}"
    count = sum(any(abs(a - b) > 40 for a, b in zip(pixels[i:i + 4], others[i:i + 4]))
                for i in range(0, len(pixels), 4) if pixels[i:i + 4] != others[i:i + 4])
    return count / (size[0] * size[1])


def is_blank(path):
    """Returns whether nearly all pixels have the colour of the corner."""
    width, height, pixels = image_files.png_read(path.read_bytes())
    return sum(pixels[i:i + 4] != pixels[:4] for i in range(0, len(pixels), 4)) < 0.02 * width * height


def check_pictures(page, text, reader, replace):
    for link in re.findall(rf"!\[[^\]]*\]\(([^)]*/{page.stem}/[^)]*)\)", text):
        committed, made = (page.parent / link).resolve(), reader.folder / pathlib.PurePath(link).name
        if not made.exists():
            raise Failure(f"no command of the page writes {made.name}")
        if made.suffix == ".png" and is_blank(made):
            raise Failure(f"{made.name} is blank")
        found = difference(committed, made)
        # An animation's moment differs.
        moving = re.search(rf"<!-- (window|browser|clicks): [^>]*\b{re.escape(made.name)} ", text)
        if isinstance(found, (int, float)) and found <= (0.1 if moving else 0.005):
            continue
        if not replace:
            raise Failure(f"{link} is not the picture that the page's commands write (`make tutorial-pictures` replaces it): " +
                          (found if isinstance(found, str) else f"{100 * found:.1f} % of its pixels differ"))
        committed.parent.mkdir(parents=True, exist_ok=True)
        if made.suffix == ".webp":
            shutil.copy(made, committed)
            continue
        for colours in (["96"], ["48"], ["64", "--nofs"], ["24", "--nofs"]):
            subprocess.run(["pngquant", *colours, "--strip", "--speed", "1", "--force", "--output", committed, made], check=True)
            if committed.stat().st_size <= LARGEST or "tutorials" not in page.parts:
                break
        print(f"wrote {committed.relative_to(ROOT)}: {committed.stat().st_size} bytes")


# ---- Pages --------------------------------------------------------------------------------------

def missing(needs, build):
    """Returns those of the needs that this system does not have."""
    return [need for need in needs.split() if not (
        all(os.path.exists(path.format(build=build, root=ROOT)) for path in NEEDS[need]) if need in NEEDS else shutil.which(need))]


def run_page(page, build, replace=False):
    """Raises Failure. Returns how many blocks ran, or a text: what is missing."""
    text = page.read_text(encoding="utf-8")
    blocks, top = parse(text)
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
                    elif block.language == "browser":
                        run_browser(reader, block, page)
                    elif block.language == "clicks":
                        run_clicks(reader, block)
                    elif block.save:
                        save(reader, block)
                    else:
                        run_shell(reader, block)
                except Failure as failure:
                    raise Failure(f"{page}:{block.line}: {failure}") from failure
            check_pictures(page, text, reader, replace)
        finally:
            reader.close()
    if count == 0 and "tutorials" in page.parts:
        raise Failure(f"{page}: no block runs")
    return count


def main():
    build = pathlib.Path(os.environ.get("LERPMESH_BUILD_DIR", ROOT / "build/release")).resolve()
    try:
        result = run_page(pathlib.Path(sys.argv[1]).resolve(), build, "--pictures" in sys.argv[2:])
    except Failure as failure:
        sys.exit(str(failure))
    if isinstance(result, str):
        print(f"skipped: {sys.argv[1]}: {result}")
        sys.exit(77)
    print(f"{sys.argv[1]}: {result} blocks of commands")


if __name__ == "__main__":
    main()
