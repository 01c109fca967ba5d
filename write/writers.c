/* The list of the formats that can be written. */
#include "formats/writer.h"

#include <string.h>

/* Each is lm_NAME_writer in write/formats/NAME/. */
#define WRITERS(X) X(md2) X(mdc) X(md3) X(mdl)

#define DECLARE(name) extern const lm_writer lm_##name##_writer;
#define LIST(name) &lm_##name##_writer,
WRITERS(DECLARE)
static const lm_writer *const writers[] = {WRITERS(LIST) NULL};

const lm_writer *lm_find_writer(const char *format) {
    for (size_t i = 0; writers[i]; i++)
        if (strcmp(writers[i]->format->info.name, format) == 0)
            return writers[i];
    return NULL;
}
