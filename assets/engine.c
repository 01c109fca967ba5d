#include "engine.h"

#include <string.h>

/* Source: docs/reference/formats/ufoai.md. */
static const lm_engine_files all[] = {{LM_ENGINE_UFOAI, ".png or .jpg"}};

const lm_engine_files *lm_engine_files_of(lm_engine engine) {
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].engine == engine)
            return &all[i];
    return NULL;
}

bool lm_engine_reads_image(const lm_engine_files *demands, const char *path) {
    const char *extension = strrchr(path, '.');
    return extension && extension[1] && strstr(demands->images, extension);
}
