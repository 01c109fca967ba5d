#!/usr/bin/env python3
"""fuzz_table.py FOLDER [PAGE]: prints the counts of a campaign (scripts/fuzz.sh --campaign) in FOLDER as a
table. With PAGE, puts it there between the lines <!-- fuzzing --> and <!-- /fuzzing -->."""
import csv
import re
import sys


def main():
    with open(f"{sys.argv[1]}/counts.tsv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    if not rows:
        sys.exit("fuzz_table.py: the campaign has no counts yet")
    lines = ["| fuzzer | executions | hours | edges | findings |", "|---|--:|--:|--:|--:|"]
    total = [0, 0.0, 0]
    for name in dict.fromkeys(row["fuzzer"] for row in rows):
        own = [row for row in rows if row["fuzzer"] == name]
        counts = [sum(int(row["executions"]) for row in own),
                  sum(int(row["seconds"]) for row in own) / 3600,
                  sum(int(row["findings"]) for row in own)]
        edges = max(int(row["edges"]) for row in own)
        total = [sum(pair) for pair in zip(total, counts)]
        lines.append(f"| `{name}` | {counts[0]:,} | {counts[1]:.1f} | {edges:,} | {counts[2]} |")
    lines.append(f"| all | {total[0]:,} | {total[1]:.1f} | | {total[2]} |")
    table = "\n".join(lines)
    if len(sys.argv) < 3:
        print(table)
        return
    with open(sys.argv[2], encoding="utf-8") as file:
        page = file.read()
    page, found = re.subn(r"(<!-- fuzzing -->\n).*?(<!-- /fuzzing -->)",
                          lambda match: match[1] + table + "\n" + match[2], page, flags=re.S)
    if found != 1:
        sys.exit(f"fuzz_table.py: {sys.argv[2]} has no lines <!-- fuzzing --> and <!-- /fuzzing -->")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(page)


main()
