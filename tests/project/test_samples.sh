#!/usr/bin/env bash
# The sample models equal their generator's output, to the byte, and have no errors and no warnings, as
# samples/README.md states.
set -euo pipefail
: "${LERPMESH_SAMPLES:?the generator is not built}" "${LERPMESH_SOURCE_DIR:?}"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$LERPMESH_SAMPLES" "$out" >"$out/list"
count=0
while read -r path; do
    cmp "$path" "$LERPMESH_SOURCE_DIR/samples/${path#"$out/"}"
    count=$((count + 1))
done <"$out/list"
committed=$(find "$LERPMESH_SOURCE_DIR/samples" -type f ! -name '*.[ch]' ! -name README.md | wc -l)
[ "$count" -eq "$committed" ]

: "${LERPMESH_BINARY:?the command is not built}"
"$LERPMESH_BINARY" check --json "$out" >"$out/report"
python3 - "$out/report" <<'END'
import json
import sys

files = {"tick.md2", "tick_head.mdc", "tick_torch.mdl", "lower.md3", "upper.md3", "head.md3"}
seen = {}
for line in open(sys.argv[1]):
    report = json.loads(line)
    worse = [p for p in report["problems"] if p["severity"] != "note"]
    if any(p["severity"] == "error" for p in worse):
        sys.exit(f"errors: {line}")
    seen[report["file"].rsplit("/", 1)[1]] = {p["code"] for p in worse}
if seen != {file: set() for file in files}:
    sys.exit(f"warnings are {seen}, but samples/README.md states that there are none")
END

# A generator that cannot write reports it.
if "$LERPMESH_SAMPLES" "$out/nowhere" >/dev/null 2>"$out/error"; then
    echo "the generator wrote into a directory that is not there" >&2
    exit 1
fi
grep -q tick.md2 "$out/error"
