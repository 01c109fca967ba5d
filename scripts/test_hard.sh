#!/usr/bin/env bash
# test_hard.sh BUILD JOBS [PART…]: runs the tests that take too long to run daily. Each part below is a function that
# prints a line "ok: …", or "FAILED: …" and fails. Continues after a failure.
set -uo pipefail
build=$1
jobs=$2
every=${LERPMESH_EVERY:-1} # scripts/compare.py runs only every N-th comparison
export PYTHONPATH=$PWD/tests/oracle:$PWD/tests/support
passed=0
failed=0

fail() {
    echo "FAILED: $1" >&2
    return 1
}

# compile PRESET: builds into $build/PRESET, with the sanitizer of that name.
compile() {
    { cmake --preset "$1" -B "$build/$1" && cmake --build "$build/$1" -j "$jobs"; } \
        >"$build/$1.log" 2>&1 || { tail -30 "$build/$1.log"; fail "$1 does not build"; return; }
    grep -qx "LERPMESH_SANITIZE:STRING=$1" "$build/$1/CMakeCache.txt" || fail "the build does not use $1"
}

# tests PRESET: runs all C programs of tests/.
tests() {
    ctest --test-dir "$build/$1" --label-exclude script --no-tests=error -j "$jobs" \
        --output-on-failure >"$build/$1.log" 2>&1 ||
        { grep -E 'WARNING: |ERROR|\*\*\*|    #[0-5] ' "$build/$1.log" | head -80; fail "tests under $1"; return; }
    echo "ok: $1: $(grep 'tests passed' "$build/$1.log")"
}

# outputs PRESET: runs the command on all models, and compares its output byte for byte with that of the release build.
outputs() {
    python3 scripts/compare.py "$build/release/lerpmesh" "$build/$1/lerpmesh" samples ${LERPMESH_CORPUS:+"$LERPMESH_CORPUS"} \
        --every "$every" >"$build/$1.log" 2>&1 ||
        { head -60 "$build/$1.log"; fail "the command under $1: $(tail -1 "$build/$1.log")"; return; }
    echo "ok: $1, the command: $(tail -1 "$build/$1.log") (every $every)"
}

# hard PRESET ARGUMENTS…: runs the tests with the label `hard` that ctest selects.
hard() {
    local log=$build/$1-hard.log
    { cmake --preset "$1" -B "$build/$1" -DLERPMESH_TESTS=ON && cmake --build "$build/$1" -j "$jobs" &&
        ctest --test-dir "$build/$1" --label-regex '^hard$' --no-tests=error -j "$jobs" --output-on-failure "${@:2}"; } \
        >"$log" 2>&1 || { tail -80 "$log"; fail "the hard tests of the $1 build"; return; }
    echo "ok: $1: $(grep 'tests passed' "$log")"
}

separate() {
    local failures=0
    hard release || failures=1
    hard sanitize --label-exclude '^script$' || failures=1 # scripts would be slow
    return $failures
}

analyzer() {
    make --no-print-directory -s -k -j "$jobs" -f scripts/lint.mk BUILD="$build" analyzer || fail "the analyzer found problems"
}

memory() { compile memory && tests memory && outputs memory; }
undefined() { compile undefined && tests undefined; }
threads() { compile thread && tests thread && outputs thread; }

# all_cases SCRIPT: runs a test of the command with all of its cases.
all_cases() {
    local out
    out=$(LERPMESH_BINARY=$PWD/$build/release/lerpmesh LERPMESH_SOURCE_DIR=$PWD \
        LERPMESH_HEAP=$PWD/$build/release/tests/liblerpmesh-heap.so python3 "$1" --all 2>&1) ||
        { tail -60 <<<"$out"; fail "$1"; return; }
    echo "ok: $1: $(grep '^Ran ' <<<"$out")"
}

allocations() { all_cases tests/heap/test_heap.py; }
kills() { all_cases tests/tool/test_crash.py && all_cases tests/heap/test_kills.py; }

# Only if PARTS names it: random events in the sanitized viewer for EVENTS_SECONDS, and WEB_CALLS of the WebAssembly modules.
events() {
    compile sanitize && make --no-print-directory -s web BUILD="$build" >"$build/web.log" 2>&1 || { fail "the builds for events"; return; }
    local log=$build/events.log
    export LERPMESH_SOURCE_DIR=$PWD
    { LERPMESH_BUILD_DIR=$PWD/$build/sanitize LSAN_OPTIONS=suppressions=$PWD/tests/viewer/leaks.supp:print_suppressions=0 \
        python3 tests/viewer/test_events.py "${EVENTS_SECONDS:-3600}" &&
        LERPMESH_BUILD_DIR=$PWD/$build/release node tests/web/test_web_calls.mjs "${WEB_CALLS:-1000000}"; } >"$log" 2>&1 ||
        { tail -60 "$log"; fail "random events"; return; }
    echo "ok: events: $(grep -hE 'sequences|calls' "$log" | tr '\n' ' ')"
}

oss_fuzz() { LERPMESH_SOURCE_DIR=$PWD bash scripts/test_oss_fuzz.sh; }

shift 2
[ $# -gt 0 ] || set -- separate analyzer allocations kills memory undefined threads oss_fuzz
for part in "$@"; do
    echo "== $part"
    if $part; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
