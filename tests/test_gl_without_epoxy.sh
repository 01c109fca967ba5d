#!/usr/bin/env bash
# The renderer builds without libepoxy and calls nothing of it; then a caller without a loader, or
# who wants a context without a window, is told so.
set -euo pipefail
: "${LERPMESH_SOURCE_DIR:?}" "${LERPMESH_STATIC_LIBRARY:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.c" <<'END'
#include <lerpmesh/gl.h>
static void *no_function(void *user, const char *name) {
    return (void)name, user;
}
int main(void) {
    lm_error error = {0};
    const lm_gl_options options = {no_function, NULL};
    if (lm_gl_new(NULL, &error) || error.code != LM_CODE_NOT_BUILT_IN)
        return 1;
    if (lm_gl_headless_new(NULL, &error) || error.code != LM_CODE_NOT_BUILT_IN)
        return 2;
    return lm_gl_new(&options, &error) || error.code != LM_CODE_GRAPHICS ? 3 : 0;
}
END
cd "$work"
cc -std=c11 -Wall -Wextra -Werror -I"$LERPMESH_SOURCE_DIR/include" -c main.c "$LERPMESH_SOURCE_DIR"/gl/*.c
if nm -u ./*.o | grep -E ' (epoxy|egl|gl[A-Z]|dlopen)'; then
    echo "the renderer calls these without libepoxy"
    exit 1
fi
cc ./*.o "$LERPMESH_STATIC_LIBRARY" -lm -o main
./main
