#!/usr/bin/env bash
# test_engines.sh BUILD: loads files that lerpmesh wrote in the engines of free games, on a virtual screen, and compares
# their pictures with those of the originals. An engine that is not installed is left out by name.
set -euo pipefail
export PYTHONPATH=$PWD/tests/oracle
command -v xvfb-run >/dev/null 2>&1 || { echo "test-engines: xvfb is not installed" >&2; exit 1; }
exec python3 tests/engines/run.py "$1"
