#!/usr/bin/env bash
# fuzz.sh BUILD SECONDS [NAME…]: runs each fuzzer (or those named) for SECONDS. Keeps the corpus in BUILD/fuzz/corpus
# and writes failing inputs to BUILD/fuzz/findings.
#
# fuzz.sh --campaign BUILD FOLDER EXECUTIONS [ROUND]: runs the fuzzers in turn, repeatedly and at the lowest priority,
# until FOLDER/counts.tsv counts EXECUTIONS in total, or FOLDER/stop exists. A turn takes at most ROUND seconds (300),
# or a third of that if the last one found no new edge. A campaign may be stopped at any time and resumed later.
# Findings are kept in FOLDER/findings and counted; the fuzzer continues with its next turn. FOLDER should be outside
# the tree, so that counts add up over several builds.
#
# fuzz.sh --table FOLDER…: adds up the counts of campaigns, and prints the table of docs/internals/fuzzing.md.
set -euo pipefail

if [ "${1:-}" = --table ]; then
    shift
    tail -qn +2 "${@/%//counts.tsv}" | awk -F '\t' '
        !($2 in runs) { names[++count] = $2 }
        { runs[$2] += $3; seconds[$2] += $4; findings[$2] += $7; all += $3; time += $4; found += $7 }
        $5 > edges[$2] + 0 { edges[$2] = $5 + 0 }
        END {
            print "| fuzzer | executions | hours | edges | findings |\n|---|--:|--:|--:|--:|"
            for (i = 1; i <= count; i++) {
                name = names[i]
                hours = seconds[name] / 3600
                printf "| `%s` | %.0f | %.1f | %d | %d |\n", name, runs[name], hours, edges[name], findings[name]
            }
            printf "| all | %.0f | %.1f | | %d |\n", all, time / 3600, found
        }' | sed -E ':a; s/([0-9])([0-9]{3})([, ])/\1,\2\3/; ta'
    exit 0
fi
campaign=
[ "${1:-}" != --campaign ] || { campaign=1; shift; }
build=$1/fuzz
list=$(dirname "$0")/../fuzz
# An execution frees less than the quarantine keeps. Run a finding again without these options for full stacks.
export ASAN_OPTIONS=quarantine_size_mb=1:malloc_context_size=1 UBSAN_OPTIONS=print_stacktrace=1

# run NAME FOLDER LOG OPTIONS…: runs one turn of a fuzzer. Entropic scheduling is off, because it takes up to half of
# the time if there are many inputs.
run() {
    local name=$1 folder=$2 log=$3 dictionary seeds
    shift 3
    read -r _ _ dictionary seeds <<<"$("$build/fuzz" | grep "^$name ")"
    mkdir -p "$folder/corpus/$name" "$folder/findings"
    # shellcheck disable=SC2046,SC2059,SC2086 # a list of folders
    "$build/fuzz" "$name" -entropic=0 -dict="$list/$dictionary.dict" -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$folder/findings/$name-" "$@" \
        "$folder/corpus/$name" $(printf "$build/seeds/%s " $seeds) >"$log" 2>&1
}

names() { "$build/fuzz" | cut -d ' ' -f 1; }

# number LABEL LOG: prints the last number after LABEL in a log.
number() { sed -nE "s/.*$1 *([0-9]+).*/\1/p" "$2" | tail -1; }

findings() { find "$folder/findings" -type f ! -name '*.log' | wc -l; }

# left EXECUTIONS: prints the remaining number of executions.
left() { awk -v all="$1" 'NR > 1 { all -= $3 } END { print all }' "$counts"; }

if [ -z "$campaign" ]; then
    seconds=$2
    shift 2
    [ $# -gt 0 ] || mapfile -t list_of_names < <(names)
    for name in "${@:-${list_of_names[@]}}"; do
        echo "== $name"
        if ! run "$name" "$build" "$build/$name.log" -max_total_time="$seconds"; then
            tail -40 "$build/$name.log"
            exit 1
        fi
        grep -E 'DONE|average_exec' "$build/$name.log"
    done
    exit 0
fi

# turn NAME: prints the duration of a fuzzer's next turn in seconds.
turn() {
    awk -v name="$1" -v round="$round" '$2 == name { grew = $5 != edges; edges = $5; turns++ }
        END { print turns < 2 || grew ? round : int((round + 2) / 3) }' "$counts"
}

folder=$(realpath -m "$2") # fuzz/tool.c changes the current folder
goal=$3
round=${4:-300}
mkdir -p "$folder/findings"
counts=$folder/counts.tsv
[ -f "$counts" ] || printf 'when\tfuzzer\texecutions\tseconds\tedges\tfeatures\tfindings\n' >"$counts"
renice -n 19 $$ >/dev/null
while [ "$(left "$goal")" -gt 0 ] && [ ! -e "$folder/stop" ]; do
    for name in $(names); do
        [ ! -e "$folder/stop" ] || break
        log=$folder/$name.log
        start=$(date +%s)
        before=$(findings)
        if ! run "$name" "$folder" "$log" -max_total_time="$(turn "$name")" -runs="$(left "$goal")"; then
            cp "$log" "$folder/findings/$name-$start.log"
            sleep 1
        fi
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$(date -u +%FT%TZ)" "$name" \
            "$(number number_of_executed_units: "$log" | grep . || echo 0)" $(($(date +%s) - start)) \
            "$(number cov: "$log" | grep . || echo 0)" "$(number ft: "$log" | grep . || echo 0)" \
            $(($(findings) - before)) >>"$counts"
    done
done
