#!/usr/bin/env bash
# The renderer builds without libepoxy and calls none of its functions. A caller without a loader, or one
# that needs a context without a window, then gets an error.
set -euo pipefail
: "${LERPMESH_SOURCE_DIR:?}" "${LERPMESH_STATIC_LIBRARY:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.c" <<'END'
#include <lerpmesh/gl.h>
#include <stdio.h>
static void *no_function(void *user, const char *name) {
    return (void)name, user;
}
static int fails(const char *what, const void *object, const lm_error *error, lm_code expected) {
    if (!object && error->code == expected)
        return 1;
    fprintf(stderr, "%s %s: %s (%s), not %s\n", what, object ? "was created" : "was rejected",
            lm_code_name(error->code), error->message, lm_code_name(expected));
    return 0;
}
int main(void) {
    lm_error no_loader = {0}, no_window = {0}, no_functions = {0};
    const lm_gl_options options = {.get_proc = no_function};
    const void *renderer = lm_gl_new(NULL, &no_loader);
    const void *context = lm_gl_headless_new(NULL, &no_window);
    const void *loaded = lm_gl_new(&options, &no_functions);
    int passed = fails("a renderer without a loader", renderer, &no_loader, LM_CODE_NOT_BUILT_IN);
    passed &= fails("a context without a window", context, &no_window, LM_CODE_NOT_BUILT_IN);
    passed &= fails("a renderer without functions", loaded, &no_functions, LM_CODE_GRAPHICS);
    return !passed;
}
END
cd "$work"
cc -std=c11 -Wall -Wextra -Werror -I"$LERPMESH_SOURCE_DIR/include" -c main.c "$LERPMESH_SOURCE_DIR"/gl/*.c
if nm -u ./*.o | grep -E ' (epoxy|egl|gl[A-Z]|dlopen)'; then
    echo "FAILED: without libepoxy, the renderer calls these" >&2
    exit 1
fi
cc ./*.o "$LERPMESH_STATIC_LIBRARY" -lm -o main
./main
