#!/usr/bin/env python3
"""The positions of an MD2 survive `lerpmesh convert`, directly and through glTF: its frames already lie on
grids of 256 lines. The models are those of UFO: Alien Invasion, of the corpus and the samples."""
from __future__ import annotations

import os
import struct
import subprocess
import tempfile
import unittest
import zipfile
from pathlib import Path

import corpus
import skipping

BINARY = os.environ["LERPMESH_BINARY"]
GAME = Path("/usr/share/games/ufoai/base/0models.pk3")
# The rounding of floats that are stored and scaled several times, as a fraction of the frame. Half a
# step is 0.002.
SAME = 1e-5
AT_LEAST = 0.99
PART = 40  # every 40th model of the game: all of them take minutes


def convert(sources: list[Path], folder: Path, *options: str) -> None:
    """Some of the game's models do not load, so that the status does not count."""
    subprocess.run([BINARY, "convert", "-q", *options, "-o", f"{folder}/", *map(str, sources)],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


class Md2:
    """The frames and triangles of a file."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        head = struct.unpack_from("<17i", data)
        size, num_xyz, num_tris, num_frames, ofs_tris, ofs_frames = (head[i] for i in (4, 6, 8, 10, 13, 14))
        self.triangles = [struct.unpack_from("<3H", data, ofs_tris + 12 * t) for t in range(num_tris)]
        self.frames = []
        for at in range(ofs_frames, ofs_frames + num_frames * size, size):
            v = struct.unpack_from("<6f", data, at)
            rows = data[at + 40 : at + 40 + 4 * num_xyz]
            self.frames.append([[q * v[k] + v[3 + k] for q in rows[k::4]] for k in range(3)])

    def corners(self) -> list[int]:
        """Returns the vertices of all triangles with an area in some frame."""
        moves = [tuple(frame[k][v] for frame in self.frames for k in range(3))
                 for v in range(len(self.frames[0][0]))]
        return [v for t in self.triangles if len({moves[v] for v in t}) == 3 for v in t]


def is_same(before: Path, after: Path) -> bool:
    a, b = Md2(before), Md2(after)
    pairs = set(zip(a.corners(), b.corners()))
    if len(a.frames) != len(b.frames) or len(a.corners()) != len(b.corners()):
        return False
    for p, q in zip(a.frames, b.frames):
        most = SAME * max(max(axis) - min(axis) for axis in p)
        if any(abs(p[k][v] - q[k][w]) > most for k in range(3) for v, w in pairs):
            return False
    return True


class KeptGrids(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in "in", "md2", "glb", "back":
            (self.folder / name).mkdir()

    def check(self, sources: list[Path]) -> None:
        convert(sources, self.folder / "md2", "--format", "md2", "--strips", "fast")
        convert(sources, self.folder / "glb", "--format", "glb")
        convert(sorted((self.folder / "glb").glob("*.glb")), self.folder / "back", "--format", "md2",
                "--strips", "fast")
        for way in "md2", "back":
            made = sorted((self.folder / way).glob("*.md2"))
            self.assertTrue(made)
            changed = [p.name for p in made
                       if not is_same(next(s for s in sources if s.name == p.name), p)]
            print(f"{way}: {len(made) - len(changed)} of {len(made)} models keep their positions {changed[:9]}")
            self.assertGreaterEqual(len(made) - len(changed), AT_LEAST * len(made), way)

    def test_corpus_and_samples(self) -> None:
        self.check([p for p in corpus.real_models(("md2",)) + corpus.sample_models(("md2",))
                    if "broken" not in str(p).lower()])

    def test_models_of_a_game(self) -> None:
        if not GAME.exists():
            skipping.skip(self, f"there is no {GAME}: install ufoai-data")
        sources = []
        with zipfile.ZipFile(GAME) as archive:
            for name in archive.namelist():
                if name.endswith(".md2"):
                    sources.append(self.folder / "in" / name.replace("/", "__"))
                    sources[-1].write_bytes(archive.read(name))
        self.check(sources[::PART])


if __name__ == "__main__":
    unittest.main()
