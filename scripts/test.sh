#!/usr/bin/env bash
# test.sh BUILD JOBS daily|rest [SUMS]: runs one of the two sets of tests. The daily set is tests without the labels
# `slow` and `hard` (tests/CMakeLists.txt), and the quick linters; the rest is those with the label `slow`, the tests in C
# under the sanitizers, and clang-tidy. Continues after a failure, so that one run shows everything, and ends with one
# line that sums up the results. If SUMS is a file, adds its counts. Writes the sums to SUMS, for the other set.
#
# A test counts as skipped if it ends with status 77, or if all of its cases are skipped. In any other test, each
# skipped case counts: one that prints a line `skipped: WHAT: WHY`, or that cmocka or unittest reports as skipped.
set -uo pipefail
build=$1
jobs=$2
set=$3
sums=${4:-}
passed=0
failed=0
skipped=0
skipped_names= # one line per skipped test or case

# skips LOG WHOLE…: lists the skipped tests and cases in ctest's LOG, as lines of a number (1: the whole test) and a
# name. WHOLE are the tests that ctest itself counts.
skips() {
    awk -v whole=" ${*:2} " '
        function flush(    what, count, reasons) {
            for (what in cases) {
                count++
                reasons = reasons (reasons ? "; " : "") what
            }
            if (index(whole, " " name " ") || (ran > 0 && reported == ran))
                print 1, name (reasons ? ": " reasons : "")
            else {
                for (what in cases)
                    print 0, name ": " what
                for (; count < reported; count++)
                    print 0, name ": a case without a reason"
            }
        }
        /^[0-9]+\/[0-9]+ Test: / { name = $3; ran = reported = 0; split("", cases) }
        /^skipped: / { cases[substr($0, 10)] }
        /^\[==========\] .*test\(s\) run/ { ran += $(NF - 2) }
        /^\[  SKIPPED \] .*test\(s\), listed below/ { reported += $(NF - 3) }
        /^Ran [0-9]+ tests? in / { ran += $2 }
        /^(OK|FAILED) \(.*skipped=[0-9]+/ { match($0, /skipped=[0-9]+/); reported += substr($0, RSTART + 8) }
        /^"[^"]*" end time: / { flush() }
    ' "$1"
}

# run_ctest CONFIGURATION ARGUMENTS…: runs ctest and adds its counts to the sums.
run_ctest() {
    local configuration=$1 log status counts whole found
    shift
    log=$build/$configuration/ctest.log
    echo "== $configuration"
    # The limit ends a test that hangs; beside other work, a test takes many times longer than alone.
    ctest --test-dir "$build/$configuration" --output-on-failure --no-tests=error --timeout 3000 -j "$jobs" "$@" \
        2>&1 | tee "$log"
    status=$?
    counts=$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+)$/\1 \2/p' "$log" | tail -n 1) # a failed test may print such lines of its own
    if [ -z "$counts" ]; then
        echo "make test: ctest in $build/$configuration ran no test" >&2
        failed=$((failed + 1))
        return
    fi
    if [ "$(grep -cE '^[0-9]+/[0-9]+ Test: ' "$build/$configuration/Testing/Temporary/LastTest.log")" -lt "${counts#* }" ]; then
        echo "make test: another ctest in $build/$configuration overwrote the log of the tests" >&2
        failed=$((failed + 1))
    fi
    whole=$(sed -nE 's/^[[:space:]]+[0-9]+ - (.*) \(Skipped\)$/\1/p' "$log")
    # shellcheck disable=SC2086 # a list of names
    found=$(skips "$build/$configuration/Testing/Temporary/LastTest.log" $whole)
    whole=$(grep -c '^1 ' <<<"$found")
    skipped=$((skipped + $(grep -c . <<<"$found")))
    skipped_names+=$(sed -nE "s/^[01] /  $configuration: /p" <<<"$found")${found:+$'\n'}
    failed=$((failed + ${counts% *}))
    passed=$((passed + ${counts#* } - ${counts% *} - whole))
    if [ $status -ne 0 ] && [ "${counts% *}" -eq 0 ]; then
        echo "make test: ctest in $build/$configuration ended with status $status" >&2
        failed=$((failed + 1))
    fi
}

# Slow tests wait for windows and browsers, which draw in software meanwhile: more of them at a time take longer in all.
if [ "$set" = daily ]; then
    run_ctest release --label-exclude '^(slow|hard)$'
    linters="format architecture"
else
    jobs=$((jobs + 1)) run_ctest release --label-regex '^slow$'
    run_ctest sanitize --label-exclude '^(script|hard)$'
    linters=tidy
fi
echo "== lint: $linters"
# shellcheck disable=SC2086 # a list of names
if make --no-print-directory -s -k -j "$jobs" -f scripts/lint.mk BUILD="$build" $linters; then
    echo "lint: no problems"
else
    echo "make test: the linters found problems (counted as one failure)" >&2
    failed=$((failed + 1))
fi

[ -z "$skipped_names" ] || printf '== skipped\n%s' "$skipped_names"
if [ -n "$sums" ]; then
    [ ! -f "$sums" ] || read -r more_passed more_failed more_skipped <"$sums"
    passed=$((passed + ${more_passed:-0})) failed=$((failed + ${more_failed:-0}))
    skipped=$((skipped + ${more_skipped:-0}))
    echo "$passed $failed $skipped" >"$sums"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
