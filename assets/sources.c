#include "sources.h"

#include "files/file.h"

bool lm_source_open(lm_disk *disk, const char *path, size_t archive, lm_source *source,
                    lm_error *error) {
    *source = (lm_source){0};
    if (archive > 0)
        source->archive = lm_disk_archive(disk, path, archive, error);
    source->files = archive == 0      ? lm_disk_folder(disk, path, error)
                    : source->archive ? lm_archive_files(source->archive)
                                      : NULL;
    return source->files != NULL;
}

static bool find_in(const lm_source *source, const char *name, lm_arena *arena,
                    char actual[LM_PATH_SIZE]) {
    const lm_find met = lm_find_in(source->files, source->folder, name, actual);
    lm_arena_starve(arena, met == LM_FIND_STARVED);
    return met == LM_FIND_FILE;
}

char *lm_source_path(const lm_source *source, const char *path, lm_arena *arena) {
    return source->archive ? lm_arena_printf(arena, "%s:%s", source->files->name, path)
                           : lm_join(arena, source->files->name, path);
}

const char *lm_source_sibling(lm_disk *disk, const lm_source *source, const char *path,
                              const char *name, lm_arena *arena) {
    char actual[LM_PATH_SIZE];
    if (!find_in(source, name, arena, actual))
        return NULL;
    if (source->archive)
        return lm_source_path(source, actual, arena);
    return lm_arena_printf(arena, "%.*s%s", (int)(lm_disk_base_name(disk, path) - path), path,
                           actual);
}

const lm_source *lm_places_find(const lm_places *places, const char *name, lm_arena *arena,
                                char actual[LM_PATH_SIZE]) {
    for (uint32_t i = 0; i < places->count; i++)
        if (places->sources[i].folder && find_in(&places->sources[i], name, arena, actual))
            return &places->sources[i];
    return NULL;
}
