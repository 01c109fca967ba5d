"""Vertices, normals and tags of Return to Castle Wolfenstein's MDC, in the numbers that its own engine computed."""
import re
import unittest
from pathlib import Path

import corpus
import package
import skipping
import numpy as np

import lerpmesh

GAME = Path(corpus.corpus_dir()).parent / "rtcw"
POSITION, NORMAL, TAG = 1e-5, 0.5, 1e-5  # units; degrees, because the engine's table of sines is coarse; units


def read_poses(path):
    """Yields file, pose, [(surface, rows of six numbers)] and {tag: rows of origin and axes} of each pose."""
    file = pose = None
    surfaces, tags = [], {}
    for line in [*path.read_text(encoding="latin-1").splitlines(), "pose"]:
        word, _, rest = line.partition(" ")
        if word in ("file", "pose") and pose is not None:
            yield file, pose, surfaces, tags
            surfaces, tags, pose = [], {}, None
        if word == "file":
            file = rest
        elif word == "pose" and rest:
            old, new, back = rest.split()
            pose = (int(new), int(old), float(back))
        elif word == "surface":
            surfaces.append((re.fullmatch(r"\d+ (.*) vertices \d+", rest)[1], []))
        elif word == "tag":
            name, *numbers = rest.split()
            tags[name] = np.array(numbers, float).reshape(4, 3)
        elif word not in ("frames", "pose"):
            surfaces[-1][1].append([float(number) for number in line.split()])


class Engine(unittest.TestCase):
    def setUp(self):
        if not (GAME / "engine/mdc.txt").is_file():
            skipping.skip(self, "there are no files of Return to Castle Wolfenstein")

    def test_all_models_load(self):
        """Two files need repair: their surfaces after an empty one have to be found. Three texture coordinates are NaN."""
        found = {path.relative_to(GAME / "main/models/mapobjects").as_posix(): len(lerpmesh.load(path, repair=True).surfaces)
                 for path in (GAME / "main/models/mapobjects").rglob("*") if path.suffix.lower() in (".md3", ".mdc")}
        refused = {}
        for path in found:
            try:
                lerpmesh.load(GAME / "main/models/mapobjects" / path)
            except lerpmesh.Error as error:
                refused[path] = error.code, found[path]
        self.assertEqual(refused, {"light/test.md3": ("bad-offset", 3), "vehicles/rocket_train.md3": ("bad-offset", 8)})
        tank = lerpmesh.load(GAME / "main/models/mapobjects/vehicles/shermanimtest_135.md3")
        self.assertEqual([(warning.code, warning.count) for warning in tank.warnings], [("bad-st", 3)])

    def test_models_of_tags_are_sound(self):
        hands = sorted((GAME / "main").rglob("*_hand.mdc"))
        self.assertGreater(len(hands), 9)
        self.assertEqual([path for path in hands if lerpmesh.load(path).warnings], [])

    def test_mdc(self):
        models, poses, worst = {}, 0, [0.0, 0.0, 0.0]
        for file, pose, surfaces, tags in read_poses(GAME / "engine/mdc.txt"):
            model = models.setdefault(file, lerpmesh.load(GAME / "main" / file))
            self.assertEqual([surface.name for surface in model.surfaces], [name for name, _ in surfaces])
            self.assertEqual(set(model.tags), set(tags))
            for i, (_, rows) in enumerate(surfaces):
                expected = np.array(rows)
                positions, normals = model.sample(pose, i)
                cosines = np.sum(normals * expected[:, 3:], 1) / np.linalg.norm(expected[:, 3:], axis=1)
                worst[0] = max(worst[0], np.abs(positions - expected[:, :3]).max())
                worst[1] = max(worst[1], np.degrees(np.arccos(np.clip(cosines, -1, 1))).max())
            for name, expected in tags.items():
                matrix = model.tag(name, pose)[:3]
                worst[2] = max(worst[2], np.abs(np.roll(matrix, 1, 1).T - expected).max())
            poses += 1
        self.assertEqual((len(models), poses), (8, 29))
        for value, limit in zip(worst, (POSITION, NORMAL, TAG)):
            self.assertLess(value, limit, worst)


if __name__ == "__main__":
    unittest.main()
