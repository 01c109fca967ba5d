"""Checks every model: of the corpus, of assimp and of our samples, and generated ones."""
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import corpus
import make_models
import oracle

FORMATS = ("md2", "mdc", "md3", "mdl")
GENERATED = 48


class Mismatch(Exception):
    """A written file differs from its source."""


class Trials:
    """The models, a folder for outputs, the counts of the checks, and the failures."""

    def __init__(self, folder: Path, seed: int, count: int, formats: Sequence[str] = FORMATS) -> None:
        generated = folder / "generated"
        options = ["--count", str(count), "--seed", str(seed), "--formats", ",".join(formats)]
        make_models.main([str(generated), *options])
        self.binary, self.folder = os.environ["LERPMESH_BINARY"], folder
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        self.models = corpus.real_models(formats) + corpus.sample_models(formats)
        self.models += corpus.models_below(generated, formats)

    def attempt(self, subject: object, check: Callable[..., None], *arguments: object) -> None:
        try:
            check(self.binary, *arguments)
        except (Mismatch, oracle.OracleError) as error:
            self.failures.append(f"{subject}: {error}")


def run(seed: int, tries: Callable[[Trials], None], enough: Callable[[Counter[str]], bool],
        generated: int = GENERATED, formats: Sequence[str] = FORMATS) -> int:
    """Returns the exit status: 1 if a check failed, or if the counts are not `enough`."""
    with tempfile.TemporaryDirectory() as name:
        trials = Trials(Path(name), seed, generated, formats)
        tries(trials)
    for failure in trials.failures[:20]:
        print(failure)
    counts = ", ".join(f"{count} {what}" for what, count in trials.counts.items())
    print(f"{counts}; {len(trials.failures)} failures")
    return 1 if trials.failures or not enough(trials.counts) else 0
