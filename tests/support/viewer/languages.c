#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "languages.h"
#include "text.h"

#include <glib.h>
#include <locale.h>

bool use_language(const char *language) {
    char *folder = g_build_filename(g_getenv("LERPMESH_BUILD_DIR"), "locale", NULL);
    const bool built = g_file_test(folder, G_FILE_TEST_IS_DIR);
    g_setenv("LANGUAGE", language, TRUE);
    setlocale(LC_ALL, "C.UTF-8");
    bindtextdomain(TEXT_DOMAIN, folder);
    bind_textdomain_codeset(TEXT_DOMAIN, "UTF-8");
    textdomain(TEXT_DOMAIN);
    g_free(folder);
    return built;
}

void expect_no_english(const char *text) {
    static const char *const english[] = {" the ",  " has ", " have ",   " is ",     " are ",
                                          " but ",  " of ",  " and ",    " no ",     " not ",
                                          " uses ", " its ", " file ",   " first ",  " model ",
                                          " with ", " ends", " frames ", " cannot ", " there "};
    char *spaced = g_strconcat(" ", text, " ", NULL);
    if (!strchr(text, ' ')) /* a name */
        *spaced = '\0';
    for (size_t i = 0; i < G_N_ELEMENTS(english); i++)
        if (strstr(spaced, english[i]))
            fail_msg("\"%s\" is English", text);
    g_free(spaced);
}
