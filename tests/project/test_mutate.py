"""Tests scripts/mutate.py: the mutants that it makes, and its report on a small tree whose tests detect one
mistake, miss another and never end with a third."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["LERPMESH_SOURCE_DIR"])
sys.path[:0] = [str(SOURCE / "scripts"), str(SOURCE / "tests" / "oracle")]

import mutate
import skipping

BUILD = """cmake_minimum_required(VERSION 3.21)
project(small C)
enable_testing()
if(LERPMESH_SANITIZE)
    add_compile_options(-fsanitize=undefined -fno-sanitize-recover=all)
    add_link_options(-fsanitize=undefined)
endif()
add_library(small STATIC src/small/small.c)
add_executable(test_small tests/test_small.c)
target_link_libraries(test_small small)
add_test(NAME test_small COMMAND test_small)
"""
SUM = """int small_sum(int a, int b) {
    return a + b;
}
"""
UNTESTED = """int small_difference(int a, int b) {
    return a - b;
}
"""
LOOP = """_Static_assert(1, "");
int small_loop(int a) {
    while (a == 5)
        a = 7;
    return a;
}
"""
BIT = """_Static_assert(1, "");
unsigned small_bit(unsigned n) {
    return n < 32 ? 1u << n : 1;
}
"""
BIT_TEST = """unsigned small_bit(unsigned n);
int main(void) {
    return small_bit(3) != 8 || small_bit(31) != 1u << 31 || small_bit(32) != 1 || small_bit(40) != 1;
}
"""
TEST = """int small_sum(int a, int b);
int small_difference(int a, int b);
int small_loop(int a);
int main(void) {
    return small_sum(2, 3) != 5 || small_loop(5) != 7 || %s;
}
"""


def changed(text: str) -> set[str]:
    return {text[:start] + new + text[end:] for start, end, new in mutate.changes(text)}


class Mutants(unittest.TestCase):
    def expect(self, text: str, *mutants: str) -> None:
        self.assertEqual(changed(text), set(mutants))

    def test_operators_numbers_and_conditions(self):
        self.expect("x = a < b;", "x = a <= b;", "x = a >= b;")
        self.expect("x = a && !b;", "x = a || !b;", "x = a && b;")
        self.expect("x = -a - b;", "x = a - b;", "x = -a + b;")
        self.expect("x = 'a';", "x = ('a' + 1);", "x = ('a' - 1);")
        self.expect("#define N 0x10u\n", "#define N (0x10u + 1)\n", "#define N (0x10u - 1)\n")
        self.expect("if (a) b;", "if (!(a)) b;")
        self.expect('x = "ab\\n";', 'x = "b\\n";', 'x = "a\\n";')

    def test_removed_statements(self):
        self.expect("{ f(a); }", "{ ; }")
        self.expect("{ if (a) return b; return c; }", "{ if (!(a)) return b; return c; }", "{ if (a) ; return c; }")
        self.expect("{ while (a) { b = c; break; } }", "{ while (a) { ; break; } }", "{ while (a) { b = c; ; } }",
                    "{ while (a) { b = c; continue; } }")

    def test_swapped_arguments(self):
        self.expect("{ x = f(a, g(b), a); }", "{ ; }", "{ x = f(g(b), a, a); }", "{ x = f(a, a, g(b)); }")
        self.expect("{ x = fmin(a, b); }", "{ ; }", "{ x = fmax(a, b); }")
        self.expect("{ x = f_alloc(a, b, c); }", "{ ; }")
        self.expect("int f(int a, long b);")

    def test_text_outside_code_stays(self):
        self.expect('#include "a.h"\n#if A > 1\n// a + 1\n/* a && b */\nint *a;\n')


class Runs(unittest.TestCase):
    def setUp(self):
        for program in ("git", "ninja"):
            if not shutil.which(program):
                skipping.skip(self, f"there is no {program}")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        self.git("init", "-q", "-b", "main")
        self.write("scripts/mutate.py", (SOURCE / "scripts" / "mutate.py").read_text(encoding="utf-8"))
        self.write(".gitignore", "build\n")
        self.write("CMakeLists.txt", BUILD)
        self.write("src/small/small.c", SUM)
        self.write("tests/test_small.c", TEST % "0")
        self.git("add", "-A")
        self.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a")

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", "-C", self.tree, *arguments], check=True)

    def write(self, name: str, text: str) -> None:
        (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
        (self.tree / name).write_text(text, encoding="utf-8")

    def run_it(self, *arguments: str) -> tuple[int, str]:
        done = subprocess.run([sys.executable, self.tree / "scripts" / "mutate.py", "--patience", "1", *arguments],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_caught_mutants_and_survivors(self):
        status, output = self.run_it()
        self.assertEqual(status, 2, output)
        self.assertIn("nothing to mutate", output)

        source = SUM + UNTESTED + LOOP
        self.write("src/small/small.c", source)
        status, output = self.run_it("-v")
        self.assertEqual(status, 1, output)
        self.assertIn("survived: src/small/small.c:5\n  - return a - b;\n  + return a + b;\n", output)
        self.assertIn("caught by test_small: src/small/small.c:2\n  - return a + b;\n  + return a - b;", output)
        self.assertIn("caught by test_small, which did not end: src/small/small.c:10", output)
        self.assertIn("| `src/small` | 8 | 7 | 87.5 % | 1, 1, 0 |", output)
        self.assertEqual((self.tree / "src/small/small.c").read_text(encoding="utf-8"), source)
        self.assertEqual((self.tree / "build/mutate/0/tree/src/small/small.c").read_text(encoding="utf-8"), source)

        reason = "src/small/small.c\n- return a - b;\n+ return a + b;\nNo test calls it.\n"
        self.write("tests/mutants.txt", "# A comment.\n\n" + reason)
        status, output = self.run_it("--again", "-v")
        self.assertEqual(status, 0, output)
        self.assertIn("No test calls it.: src/small/small.c:5", output)

    def test_stale_equivalent_mutants(self):
        self.write("tests/mutants.txt", "src/small/small.c\n- return a + b;\n+ return a - b;\nNo test calls it.\n")
        self.assertEqual(self.run_it("--check"), (0, ""))
        self.write("src/small/small.c", SUM.replace("a + b", "b + a"))
        status, output = self.run_it("--check")
        self.assertEqual(status, 1)
        self.assertIn("tests/mutants.txt: src/small/small.c has no line 'return a + b;'", output)

    def test_a_survivor_is_tried_again(self):
        self.write("src/small/small.c", SUM + UNTESTED + LOOP)
        self.assertEqual(self.run_it("src/small/small.c")[0], 1)
        self.write("tests/test_small.c", TEST % "small_difference(3, 2) != 1")
        status, output = self.run_it("--again")
        self.assertEqual(status, 0, output)
        self.assertIn("| `src/small` | 1 | 1 | 100.0 % | 0, 0, 0 |", output)

    def test_mutants_that_only_the_sanitizers_catch(self):
        self.write("src/small/small.c", BIT)
        self.write("tests/test_small.c", BIT_TEST)
        status, output = self.run_it()
        self.assertEqual(status, 1, output)
        self.assertEqual(output.count("survived: "), 2, output)  # a shift by 32, as the processor does it
        status, output = self.run_it("--again", "--sanitize")
        self.assertEqual(status, 0, output)
        self.assertIn("| `src/small` | 2 | 2 | 100.0 % | 0, 0, 0 |", output)

    def test_tests_that_fail_anyway_are_not_used(self):
        self.write("src/small/small.c", SUM + UNTESTED + LOOP)
        self.write("tests/test_small.c", TEST % "1")
        status, output = self.run_it()
        self.assertEqual(status, 2, output)
        self.assertIn("test_small: it fails without a mutation", output)


if __name__ == "__main__":
    unittest.main()
