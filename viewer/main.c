/* lerpmesh-viewer: shows keyframe meshes in a window. */
#include "lerpmesh/base.h"
#include "text.h"
#include "thumbnails.h"
#include "window.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static bool is_given(int argc, char **argv, const char *option) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], option) == 0)
            return true;
    return false;
}

static void find_translations(void) {
    setlocale(LC_ALL, "");
    const char *folder = g_getenv("LERPMESH_LOCALE_DIR"); /* before the installation */
    bindtextdomain(TEXT_DOMAIN, folder ? folder : LERPMESH_LOCALE_DIR);
    bind_textdomain_codeset(TEXT_DOMAIN, "UTF-8");
    textdomain(TEXT_DOMAIN);
}

int main(int argc, char **argv) {
    bool help = is_given(argc, argv, "--help") || is_given(argc, argv, "-h");
    if (is_given(argc, argv, "--version") && !help)
        return printf("lerpmesh-viewer %s\n", lm_version()) < 0;
    find_translations();
    if (!help && !gtk_init_check()) {
        fprintf(stderr, "lerpmesh-viewer: %s\n", TEXT_NO_DISPLAY);
        return 1;
    }
    g_autoptr(GtkApplication) application = viewer_application_new();
    int status = g_application_run(G_APPLICATION(application), argc, argv);
    thumbnails_end();
    return status;
}
