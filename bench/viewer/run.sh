#!/usr/bin/env bash
# run.sh PROGRAM [PATH [grid]]: runs the viewer's benchmark on a virtual display, without settings and a GPU.
set -euo pipefail
program=$1
shift
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
measure() {
    HOME=$home XDG_CONFIG_HOME=$home/config XDG_CACHE_HOME=$home/cache XDG_RUNTIME_DIR=$home GSETTINGS_BACKEND=memory \
        LIBGL_ALWAYS_SOFTWARE=1 DBUS_SESSION_BUS_ADDRESS=disabled: NO_AT_BRIDGE=1 \
        xvfb-run -a -s '-screen 0 1600x1200x24 -noreset' "$program" "$@" 2>"$home/log" || { cat "$home/log" >&2 && return 1; }
}
if [ $# -gt 0 ]; then
    measure "$@"
else
    measure samples/tick.md2
    measure samples/models/players/tick
    measure samples grid
fi
