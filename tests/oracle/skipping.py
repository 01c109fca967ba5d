"""A skipped test prints a line of its own, which `make test` counts in its last line."""
import shutil
import unittest


def report_skipped(what: str, why: str) -> None:
    # unittest's dots do not end their line.
    print(f"\nskipped: {what}: {why}", flush=True)


def skip(test: unittest.TestCase, why: str) -> None:
    report_skipped(test.id().split(".")[-1], why)
    test.skipTest(why)


def need(test: unittest.TestCase, *programs: str) -> None:
    """Skips a test if a program is not installed."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        skip(test, f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed")
