#!/usr/bin/env python3
"""fuzz_table.py SOURCE... [--page PAGE] [--counts FOLDER]: adds up the counts of fuzzing campaigns. A SOURCE is a folder
of a campaign (scripts/fuzz.sh --campaign), or a page with a table of earlier ones. Campaigns that run side by side each
have a folder. Prints a table, or puts it in PAGE between the lines <!-- fuzzing --> and <!-- /fuzzing -->. --counts
writes FOLDER/counts.tsv instead, which must not exist, so that a campaign continues from there."""
import argparse
import csv
import pathlib
import re
import sys

FIELDS = ["when", "fuzzer", "executions", "seconds", "edges", "features", "findings"]
TABLE = re.compile(r"(<!-- fuzzing -->\n)(.*?)(<!-- /fuzzing -->)", re.S)
ROW = re.compile(r"^\| `(\w+)` \| ([\d,]+) \| ([\d.,]+) \| ([\d,]+) \| ([\d,]+) \|$", re.M)


def table_of(page):
    found = TABLE.findall(page.read_text(encoding="utf-8"))
    if len(found) != 1:
        sys.exit(f"fuzz_table.py: {page} has no lines <!-- fuzzing --> and <!-- /fuzzing -->")
    return found[0][1]


def read(source):
    """Returns the rows of a folder or of a page."""
    if source.is_dir():
        with open(source / "counts.tsv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
    else:
        numbers = [[text.replace(",", "") for text in row] for row in ROW.findall(table_of(source))]
        rows = [dict(zip(FIELDS, ("-", name, executions, str(round(float(hours) * 3600)), edges, "0", findings)))
                for name, executions, hours, edges, findings in numbers]
    if not rows:
        sys.exit(f"fuzz_table.py: {source} has no counts yet")
    return rows


def format_table(rows):
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
    return "\n".join(lines)


def write_counts(folder, rows):
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "counts.tsv", "x", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="+", type=pathlib.Path, metavar="SOURCE")
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--counts", type=pathlib.Path, metavar="FOLDER")
    args = parser.parse_args()
    rows = [row for source in args.sources for row in read(source)]
    if args.counts:
        write_counts(args.counts, rows)
    elif args.page:
        table_of(args.page)
        text = args.page.read_text(encoding="utf-8")
        text = TABLE.sub(lambda match: match[1] + format_table(rows) + "\n" + match[3], text)
        args.page.write_text(text, encoding="utf-8")
    else:
        print(format_table(rows))


main()
