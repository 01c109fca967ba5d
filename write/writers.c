/* The list of the formats that can be written. */
#include "formats/writer.h"

#include <string.h>

#define X(name) extern const lm_writer lmi_##name##_writer;
#include "formats.inc"
static const lm_writer *const writers[] = {
#define X(name) &lmi_##name##_writer,
#include "formats.inc"
    NULL};

const lm_writer *lmi_find_writer(const char *format) {
    for (size_t i = 0; writers[i]; i++)
        if (strcmp(writers[i]->format->info.name, format) == 0)
            return writers[i];
    return NULL;
}
