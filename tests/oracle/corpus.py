"""The test models: the corpus, assimp's test models, our own samples."""
import hashlib
import os
from pathlib import Path

import skipping

ASSIMP_DEFAULT = "/usr/share/assimp/models"


def source_dir() -> Path:
    here = Path(__file__).resolve().parents[2]
    return Path(os.environ.get("LERPMESH_SOURCE_DIR") or here)


def corpus_dir() -> Path:
    return Path(os.environ.get("LERPMESH_CORPUS") or source_dir() / "no corpus")


def assimp_dir() -> Path:
    return Path(os.environ.get("ASSIMP_MODELS") or ASSIMP_DEFAULT)


def is_of_another_game(path: Path) -> bool:
    """Half-Life's and other games' models have the extension .mdl as well."""
    return path.suffix.lower() == ".mdl" and path.read_bytes()[:4] not in (b"IDPO", b"RAPO")


def models_below(folder: Path, formats: tuple[str, ...]) -> list[Path]:
    """Returns models by their suffix, sorted. The corpus has unreadable ones in broken/, and
    malicious ones in attack/."""
    if not folder.is_dir():
        return []
    found = (p for p in folder.rglob("*") if p.suffix.lower()[1:] in formats and p.is_file()
             and not is_of_another_game(p))
    return sorted(p for p in found if not {"broken", "attack"} & set(p.relative_to(folder).parts))


def real_models(formats: tuple[str, ...]) -> list[Path]:
    """Returns every different model of the corpus and of assimp's; the same bytes only once."""
    different: dict[str, Path] = {}
    folders = [("LERPMESH_CORPUS", corpus_dir()), ("ASSIMP_MODELS", assimp_dir())]
    if "mds" in formats:
        folders.append(("LERPMESH_CORPUS", corpus_dir().parent / "rtcw/main/models/players"))
    for name, folder in folders:
        if not folder.is_dir():
            skipping.report_skipped(name, "there are no such models here")
        for path in models_below(folder, formats):
            different.setdefault(hashlib.sha256(path.read_bytes()).hexdigest(), path)
    return list(different.values())


def sample_models(formats: tuple[str, ...]) -> list[Path]:
    """Returns the samples without the hand of a weapon, which the command converts with the other parts."""
    return [path for path in models_below(source_dir() / "samples", formats) if not path.stem.endswith("_hand")]


def broken_models() -> list[Path]:
    folder = corpus_dir() / "broken"
    return sorted(p for p in folder.iterdir() if p.is_file()) if folder.is_dir() else []
