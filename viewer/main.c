/* lerpmesh-viewer: shows keyframe meshes in a window. */
#include "application.h"
#include "lerpmesh/base.h"

#include <stdio.h>
#include <string.h>

static bool is_given(int argc, char **argv, const char *option) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], option) == 0)
            return true;
    return false;
}

int main(int argc, char **argv) {
    bool help = is_given(argc, argv, "--help") || is_given(argc, argv, "-h");
    if (is_given(argc, argv, "--version") && !help)
        return printf("lerpmesh-viewer %s\n", lm_version()) < 0;
    if (!help && !gtk_init_check()) {
        fprintf(stderr, "lerpmesh-viewer: there is no display to open a window on: neither "
                        "WAYLAND_DISPLAY nor DISPLAY names one that answers. "
                        "`lerpmesh render` draws without.\n");
        return 1;
    }
    GtkApplication *application = viewer_application_new();
    int status = g_application_run(G_APPLICATION(application), argc, argv);
    g_object_unref(application);
    return status;
}
