#!/usr/bin/env bash
# test.sh BUILD JOBS: every test plainly, the C tests under the sanitizers, then the linters. Goes on
# after a failure, so that one run shows everything, and ends with one line that sums it up.
set -uo pipefail
build=$1
jobs=$2
passed=0
failed=0

# run_ctest CONFIGURATION ARGUMENTS…: adds its counts to the sum.
run_ctest() {
    local configuration=$1 log status counts
    shift
    log=$build/$configuration/ctest.log
    echo "== $configuration"
    ctest --test-dir "$build/$configuration" --output-on-failure --no-tests=error -j "$jobs" "$@" \
        2>&1 | tee "$log"
    status=$?
    counts=$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+)$/\1 \2/p' "$log")
    if [ -z "$counts" ]; then
        echo "make test: ctest in $build/$configuration ran no test" >&2
        failed=$((failed + 1))
        return
    fi
    failed=$((failed + ${counts% *}))
    passed=$((passed + ${counts#* } - ${counts% *}))
    if [ $status -ne 0 ] && [ "${counts% *}" -eq 0 ]; then
        echo "make test: ctest in $build/$configuration ended with status $status" >&2
        failed=$((failed + 1))
    fi
}

run_ctest release
run_ctest sanitize --label-exclude script
echo "== lint"
if make --no-print-directory -s -k -j "$jobs" -f scripts/lint.mk BUILD="$build"; then
    echo "lint: quiet"
else
    echo "make test: the linters are not quiet (counted as one failure)" >&2
    failed=$((failed + 1))
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
