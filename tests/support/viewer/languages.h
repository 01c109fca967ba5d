/* The viewer's translations in tests. */
#ifndef TESTS_LANGUAGES_H
#define TESTS_LANGUAGES_H

#include "skipping.h"

#include <stdbool.h>

/* Chooses a language of the build's catalogues. Returns false if they were not built. */
bool use_language(const char *language);

#define USE_LANGUAGE(language)                 \
    do {                                       \
        if (!use_language(language))           \
            SKIP("there are no translations"); \
    } while (0)

/* Fails if a text in German or French contains a word that only English has. */
void expect_no_english(const char *text);

#endif
