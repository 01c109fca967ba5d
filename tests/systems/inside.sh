#!/usr/bin/env bash
# Runs in a fresh Debian that scripts/test_systems.sh makes: clones /try/lerpmesh.git, and types the README's commands there
# as a new user does. Writes a line for each into /try/out/results: its name, ok or FAILED, and the seconds that it took.
# After a failure, goes on with the next one.
set -uo pipefail
git clone -q /try/lerpmesh.git ~/lerpmesh || exit 1
cd ~/lerpmesh || exit 1

# step NAME COMMAND: runs a command of the shell.
step() {
    local result=ok start=$SECONDS
    printf '\n==== %s: %s\n' "$1" "$2"
    bash -euo pipefail -c "$2" || result=FAILED
    echo "==== $1: $result, $((SECONDS - start)) s"
    echo "$1 $result $((SECONDS - start))" >>/try/out/results
}

step demo 'make demo'
step make 'make'
step test 'make test 2>&1 | tee /try/out/test.log'
step install 'make install && lerpmesh info samples/tick.md2 && lerpmesh-viewer --version'
step C "sed -n '/^\`\`\`c\$/,/^\`\`\`\$/{/^\`\`\`/!p}' README.md >pose.c
eval \"\$(grep '^cc pose.c ' README.md)\"
./pose samples/tick.md2 | grep '^the first vertex is at '"
step python 'make python
PYTHONPATH=build/python/lib python3 -c "import lerpmesh; print(lerpmesh.load(\"samples/tick.md2\").num_frames)" | grep -x 49'
# Debian 12 has Node 18, which is too old for the package.
# shellcheck disable=SC2016 # the shell of the step expands it
step web 'make web
said=$(node build/web/npm/command.js info samples/tick.md2 2>&1) || [[ $said = *"needs Node "*", not v18."* ]]
echo "$said"'
step deb 'make deb && cp build/deb/*.deb build/deb/*.tar.xz /try/out'
