"""scripts/bench_compare.py runs two programs in turn and prints ratios of neighbouring runs."""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.environ["LERPMESH_SOURCE_DIR"]
# A benchmark on a machine that gets slower with each run of either program.
PROGRAM = """#!/usr/bin/env python3
import json, os, sys
log = {log!r}
open(log, "a").write("{name}")
drift = 1 + len(open(log).read()) // 2
times = {{"lm_load": {load}, "lm_sample": {sample}, "plain": 7}}
rows = [{{"name": name, "median": time * drift}} for name, time in times.items()]
claims = [{{"ours": "lm_load", "other": "plain"}}]
path = sys.argv[sys.argv.index("--json") + 1]
with open(path + ".part", "w") as file:
    json.dump({{"results": [{{"section": "load", "subject": "a", "times": rows, "claims": claims}}]}}, file)
os.replace(path + ".part", path)
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        for name, load, sample in (("o", 10, 5), ("n", 11, 5.1)):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(PROGRAM.format(log=log, name=name, load=load, sample=sample))
            os.chmod(path, 0o755)
        with open(log, "w", encoding="utf-8") as file:
            file.write(" ")
        text = subprocess.run([sys.executable, os.path.join(ROOT, "scripts/bench_compare.py"), "--programs",
                               os.path.join(folder, "o"), os.path.join(folder, "n"), "3", "--only", "load"],
                              check=True, capture_output=True, text=True).stdout
        with open(log, encoding="utf-8") as file:
            order = file.read().strip()
    print(text)
    assert order == "onnoon", order
    assert "ours: 2 rows" in text and "others: 1 rows, 1.000" in text
    assert [float(ratio) for ratio in re.findall(r"^  (\S+)  at most", text, re.M)] == [1.1, 1.02]
    assert "1 rows that differ by more than 3%:\n  1.100 (1.100 .. 1.100)  load: a: lm_load\n" in text


main()
