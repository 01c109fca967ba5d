"""`make test`, `make test-rest` and `make test-hard` run each test once: every name in the lists of slow and hard tests is
a test, and every test file below tests/ is one of ctest's tests."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

TESTS = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"], "tests")
BUILD = os.environ["LERPMESH_BUILD_DIR"]


def listed(*arguments: str) -> list[str]:
    """Returns the names of the tests that ctest selects with these arguments, without those that these need. It runs in
    a folder of its own, because it overwrites the log of the tests that run now."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "CTestTestfile.cmake").write_text(f'subdirs("{BUILD}")\n', encoding="utf-8")
        done = subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1", "--fixture-exclude-any", ".*",
                               *arguments], capture_output=True, text=True, check=True)
    return [test["name"] for test in json.loads(done.stdout)["tests"]]


def names_of_files() -> set[str]:
    files = (path for kind in ("c", "py", "sh", "mjs") for path in TESTS.rglob(f"test_*.{kind}")
             if "node_modules" not in path.parts)
    return {path.stem if path.suffix == ".c" else path.name for path in files}


class Sets(unittest.TestCase):
    def test_each_test_is_in_one_set(self) -> None:
        everything = listed()
        sets = [listed("-LE", "^(slow|hard)$"), listed("-L", "^slow$"), listed("-L", "^hard$")]
        self.assertTrue(all(sets))
        self.assertEqual(sorted(sum(sets, [])), sorted(everything))
        self.assertEqual(len(set(everything)), len(everything))

    def test_lists_name_tests(self) -> None:
        text = (TESTS / "CMakeLists.txt").read_text(encoding="utf-8")
        for label in "slow", "hard":
            names = set(re.sub(r"#.*", "", re.search(rf"set\({label}_tests\n(.*?)\)", text, re.S)[1]).split())
            self.assertGreater(len(names), 8)
            self.assertEqual(sorted(names - names_of_files() - {"test_viewer_es"}), [])
            self.assertEqual(sorted(names & set(listed("-LE", f"^{label}$"))), [])

    def test_each_file_is_a_test(self) -> None:
        """Folders of parts that this build leaves out have a skipped test of their own."""
        missing = names_of_files() - set(listed())
        for part, folder in (("import", "import"), ("gl", "gl"), ("viewer", "viewer"), ("render", "gl"),
                             ("heap_and_steps", "heap"), ("examples", "examples"), ("python", "python")):
            if part in listed():
                missing -= {path.stem if path.suffix == ".c" else path.name
                            for path in (TESTS / folder).rglob("test_*")}
        self.assertEqual(sorted(missing), [])
