"""What an engine is asked: does it show a rewritten model as it shows the original?"""
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from engine import Shot
from pictures import Picture, count_different, count_outline, largest_difference, marked, middle_row, row, write_png

# More pixels than this may not differ, beyond 1.2 times what differs between two pictures of the original.
NOISE = 20
# A model is in the picture if it covers more pixels than this.
VISIBLE = 12
TROUBLE = r"Error parsing|Failed to load|R_Load|no such frame|Can't register|Could not (load|find)|mdx and model"


@dataclass
class Case:
    """A model as it is, rewritten, and as it is again."""
    name: str
    kind: str
    original: Shot
    rewritten: Shot
    control: Shot
    earlier: Shot | None = None  # one more control, before
    exempt: str = ""      # the reason why the pictures need not be equal
    outline: float = 0    # > 0: compares only outlines; this share of the visible pixels may differ
    share: float = 0      # this share of the visible pixels may differ, too
    bands: list[str] = field(default_factory=list)  # not like the original: these colours, from top to bottom
    alias: tuple[str, str] = ("", "")  # the player's new name and its own, in messages
    broken: bool = False  # rewritten wrongly on purpose: must be noticed
    outcome: str = ""
    detail: str = ""

    def shots(self) -> list[Shot]:
        return [*([self.earlier] if self.earlier else []), self.original, self.rewritten, self.control]


def case(name: str, kind: str, original: list[str], rewritten: list[str], earlier: list[str] | None = None,
         **more) -> Case:
    stem = re.sub(r"[^A-Za-z0-9_]", "-", f"{kind}.{name}")
    return Case(name, kind, Shot(stem + "-1original", original), Shot(stem + "-2rewritten", rewritten),
                Shot(stem + "-3control", original),
                Shot(stem + "-0earlier", earlier) if earlier else None, **more)


def problem(one: Case, empty: Picture) -> tuple[str, str]:
    """Returns the outcome of a case, and the figures or the reason."""
    a, b, c = one.original.picture, one.rewritten.picture, one.control.picture
    if not a or not b or not c:
        return "failed", "a picture is missing"
    known = {line for shot in one.shots() if shot is not one.rewritten for line in shot.messages}
    new = [line for line in one.rewritten.messages if line not in known and not said_of_original(line, known, one.alias)]
    shown, was_shown = count_different(b, empty), count_different(a, empty)
    trouble = next((line for line in sorted(known) if re.search(TROUBLE, line)), "")
    if trouble and (was_shown <= VISIBLE or one.alias[0]):  # in a player's place, the engine shows another
        return "refused", "the engine does not load the original: " + trouble
    if was_shown <= VISIBLE:
        return ("hidden", "") if shown <= VISIBLE else ("failed", "only the rewritten model is visible")
    if new:
        return "failed", "the console says: " + new[0]
    if shown <= VISIBLE:
        return "failed", "nothing is visible"
    if one.bands:
        rows = [middle_row(b, colour) for colour in one.bands]
        return "within" if None not in rows and rows == sorted(rows) else "failed", f"rows of {one.bands}: {rows}"
    differ, noise = count_different(a, b), count_different(a, c)
    if one.earlier and one.earlier.picture:
        noise = max(noise, count_different(a, one.earlier.picture))
    if differ == 0:
        return "identical", ""
    if one.outline:
        differ = count_outline(a, b, empty)
        figures = f"{differ} of {was_shown} pixels of the outline differ"
        if differ <= one.outline * was_shown + NOISE:
            return "within", figures
        return ("exempt", f"{one.exempt}: {figures}") if one.exempt else ("failed", figures)
    figures = f"{differ} pixels differ by up to {largest_difference(a, b)}; {noise} in the control; {was_shown} are visible"
    if differ <= 1.2 * noise + NOISE + one.share * was_shown:
        return "within", figures
    return ("exempt", f"{one.exempt}: {figures}") if one.exempt else ("failed", figures)


def said_of_original(line: str, known: set[str], alias: tuple[str, str]) -> bool:
    """Returns true if the original gave the same message, but for paths and the player's name."""
    def plain(text: str) -> str:
        text = re.sub(r"models/\S+", "", text)
        return re.sub(rf"\b{re.escape(alias[0])}\b", alias[1], text) if alias[0] else text
    return plain(line) in {plain(other) for other in known}


@dataclass
class Figures:
    """The sums of one engine."""
    title: str
    counts: Counter = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    seconds: float = 0


def judge(figures: Figures, cases: list[Case], empty: Picture | None) -> None:
    """Adds the outcomes of a session. `empty` is its picture without a model."""
    if not empty:
        figures.failures.append(f"{figures.title}: the engine took no pictures; see its log")
        return
    for one in cases:
        one.outcome, one.detail = problem(one, empty)
        if one.broken:
            noticed = one.outcome == "failed"
            one.outcome = "noticed" if noticed else "failed"
            one.detail = one.detail if noticed else "it is broken on purpose, and passed"
        figures.counts[one.kind, one.outcome] += 1
        if one.outcome == "failed":
            figures.failures.append(f"{figures.title}: {one.kind}: {one.name}: {one.detail}")


ORDER = ["identical", "within", "exempt", "hidden", "refused", "noticed", "failed"]
WORDS = {"within": "within the threshold", "hidden": "hidden in the original, too",
         "refused": "refused by the engine in the original", "noticed": "broken on purpose and noticed"}


def summary(figures: Figures) -> list[str]:
    """Returns one line for each kind of case."""
    kinds = list(dict.fromkeys(kind for kind, _ in figures.counts))
    lines = []
    for kind in kinds:
        counts = [(figures.counts[kind, outcome], WORDS.get(outcome, outcome)) for outcome in ORDER]
        total = sum(count for count, _ in counts)
        lines.append(f"{kind}: {total} models: " + ", ".join(f"{n} {word}" for n, word in counts if n))
    return lines


def publish(cases: list[Case], folder: Path) -> None:
    """Writes the pictures of the remarkable cases: original, rewritten and what differs."""
    for one in cases:
        a, b = one.original.picture, one.rewritten.picture
        if a and b and one.outcome not in ("identical", "hidden"):
            path = folder / one.outcome / (one.rewritten.name.rsplit("-", 1)[0] + ".png")
            write_png(row([a, b, marked(a, b)]), path)
