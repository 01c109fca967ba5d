#!/usr/bin/env bash
# The last line of `make test` is correct: runs scripts/test.sh on mock build folders.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
# The linters.
cat >"$folder/bin/make" <<END
#!/bin/sh
for set in "\$@"; do :; done
echo "lint \$set" >>"$folder/ran"
exit "\${LINT_STATUS:-0}"
END
chmod +x "$folder/bin/make"
export PATH=$folder/bin:$PATH

# tests CONFIGURATION: begins a build folder. A test is a NAME and a shell command.
tests() {
    rm -rf "${folder:?}/build/$1"
    mkdir -p "$folder/build/$1"
    list=$folder/build/$1/CTestTestfile.cmake
    : >"$list"
}
a_test() {
    printf 'add_test(%s "sh" "-c" [==[%s]==])\n' "$1" "$2" >>"$list"
    echo "set_tests_properties($1 PROPERTIES SKIP_RETURN_CODE 77 LABELS \"${3:-}\")" >>"$list"
}

# expect STATUS LINE: expects this end. SET and SUMS are arguments of test.sh.
expect() {
    local status=0 last
    bash "$LERPMESH_SOURCE_DIR/scripts/test.sh" "$folder/build" 2 "${SET:-daily}" ${SUMS:-} >"$folder/output" 2>&1 || status=$?
    last=$(tail -n 1 "$folder/output")
    if [ "$status $last" != "$*" ]; then
        cat "$folder/output"
        echo "FAILED: '$status $last' instead of '$*'" >&2
        exit 1
    fi
}
# names TEXT: expects the name of a skipped test.
names() { grep -qF "$1" "$folder/output" || { cat "$folder/output"; echo "FAILED: no '$1'" >&2; exit 1; }; }

tests release
a_test good 'echo fine'
a_test better 'echo not skipped: at all'
tests sanitize
a_test good 'true'
expect 0 '3 passed, 0 failed, 0 skipped'
LINT_STATUS=2 expect 1 '3 passed, 1 failed, 0 skipped'

a_test bad 'exit 3'
a_test gone 'kill -SEGV $$'
expect 1 '3 passed, 2 failed, 0 skipped'

# Whole tests, and cases of a test that ran; repeated names count once.
tests sanitize
a_test good 'true'
a_test whole 'echo "skipped: this machine: has no moon"; exit 77'
a_test part_of_the_build 'echo "skipped: viewer: built without it"'
echo 'set_tests_properties(part_of_the_build PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped")' >>"$list"
a_test partly 'printf "skipped: a case: no data\nskipped: a case: no data\nskipped: another: no tool\n"'
a_test worse 'echo "skipped: a case: no data"; exit 1'
expect 1 '4 passed, 1 failed, 5 skipped'
names 'sanitize: whole: this machine: has no moon'
names 'sanitize: partly: another: no tool'

# In the formats of cmocka and unittest.
tests sanitize
a_test cmocka 'echo "[==========] 3 test(s) run."
    echo "skipped: test_a: why"
    echo "[  PASSED  ] 1 test(s)."
    echo "[  SKIPPED ] 2 test(s), listed below:"
    echo "[  SKIPPED ] test_a"'
a_test newer 'echo "[==========] tests: 2 test(s) run."
    echo "[  SKIPPED ] tests: 2 test(s), listed below:"'
a_test unittest 'printf "..s\nRan 3 tests in 0.1s\n\nOK (skipped=1)\n"'
a_test nothing 'printf "s\nRan 1 test in 0.1s\n\nOK (skipped=1)\n"'
expect 0 '4 passed, 0 failed, 5 skipped'
names 'sanitize: cmocka: test_a: why'
names 'sanitize: cmocka: a case without a reason'
names 'sanitize: nothing'

# Nothing ran, or only skipped tests.
tests sanitize
expect 1 '2 passed, 1 failed, 0 skipped'
tests release
a_test whole 'exit 77'
tests sanitize
a_test whole 'exit 77'
expect 1 '0 passed, 0 failed, 2 skipped'

# Together the two sets run each test and each linter once, scripts only without sanitizers, and the second set's last
# line counts both.
every_kind() {
    tests "$1"
    for labels in "" slow script 'script;slow'; do
        a_test "of_${labels/;/_and_}" "echo '$1 $labels' >>$folder/ran" "$labels"
    done
}
every_kind release
every_kind sanitize
rm "$folder/ran"
SUMS=$folder/sums expect 0 '3 passed, 0 failed, 0 skipped'
sort "$folder/ran" >"$folder/daily"
diff "$folder/daily" <(printf '%s\n' 'lint daily' 'release ' 'release script' 'sanitize ')
SET=rest SUMS=$folder/sums expect 0 '6 passed, 0 failed, 0 skipped'
sort "$folder/ran" >"$folder/both"
diff "$folder/both" <(printf '%s\n' 'lint daily' 'lint rest' 'release ' 'release script' 'release script;slow' \
    'release slow' 'sanitize ' 'sanitize slow')
echo 0 1 2 >"$folder/sums"
SET=rest SUMS=$folder/sums expect 1 '3 passed, 1 failed, 2 skipped'
echo 'the closing line is right'
