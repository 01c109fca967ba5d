/* Finds and applies the sidecars of a model. */
#include "sidecars.h"

#include "core/bytes.h"
#include "order.h"
#include "parts.h"

#include <stddef.h>
#include <string.h>

#define MAX_SIDECAR ((size_t)256 << 20)

/* ---- Files ----------------------------------------------------------------------------------- */

/* Returns the length of the end of a name that marks a distant version, as in body-lod01; 0: it has
 * none. */
static size_t far_mark(const char *stem, size_t length) {
    static const char mark[] = "-lod0";
    const size_t all = sizeof mark; /* with a digit */
    return length > all && stem[length - 1] >= '1' && stem[length - 1] <= '9' &&
                   lm_begins_same(stem + length - all, mark, all - 1)
               ? all
               : 0;
}

/* Returns the path of the file with the model's stem and an extension, in the model's folder.
 * `full`: with the stem of the model of which it is a distant version. NULL: there is none. */
static const char *find_sibling(lm_parts *all, uint32_t part, bool full, const char *extension) {
    lm_context *c = all->context;
    const lm_search_path *search = &all->search[part];
    const char *path = all->files[part].path;
    size_t length;
    const char *stem = lm_vfs_stem(c->vfs, path, &length);
    const size_t mark = full ? far_mark(stem, length) : 0;
    if (search->own == LM_NO_SOURCE || (full && mark == 0))
        return NULL;
    const char *name = lm_arena_printf(c->arena, "%.*s%s", (int)(length - mark), stem, extension);
    return name ? lm_source_sibling(c->vfs, &search->sources[search->own], path, name, c->arena)
                : NULL;
}

const char *lm_part_sibling(lm_parts *all, uint32_t part, const char *extension) {
    const char *found = find_sibling(all, part, false, extension);
    return found ? found : find_sibling(all, part, true, extension);
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

/* A kind of sidecar, for models whose format has no tags: with them, the engine that reads these
 * files expects everything in the model. */
typedef struct sidecar_kind {
    /* A file that begins otherwise is another program's. A version, 1, follows. */
    const char *extension, *ident;
    size_t header_size;
    const char *content; /* for messages */
    bool of_full;        /* distant versions without a file of their own use the full model's */
    bool (*is_wanted)(const lm_load_options *options);
    bool (*apply)(const lm_sidecar *sidecar, lm_error *error);
    size_t path; /* the member of lm_asset for its path */
} sidecar_kind;

static bool always(const lm_load_options *options) {
    (void)options;
    return true;
}

/* The file's corners are those of the triangle list. */
static bool may_replace_normals(const lm_load_options *options) {
    return options->normals == LM_NORMALS_AUTO && options->topology == LM_TOPOLOGY_TRIANGLES;
}

static const sidecar_kind kinds[] = {
    {".tag", "JDP2", LM_TAGS_HEADER, "tags", true, always, lm_sidecar_tags,
     offsetof(lm_asset, tags_path)},
    {".mdx", "UFOMDX", LM_NORMALS_HEADER, "smoothing", false, may_replace_normals,
     lm_sidecar_normals, offsetof(lm_asset, normals_path)},
};

static bool has_header(const sidecar_kind *kind, const lm_file *file, lm_error *error) {
    const size_t length = strlen(kind->ident);
    const uint8_t *data = file->data;
    if (file->size < length || memcmp(data, kind->ident, length) != 0)
        return lm_fail_plain(error, LM_CODE_UNKNOWN_FORMAT, "the file does not begin with %s",
                             kind->ident);
    if (file->size < kind->header_size)
        return lm_fail_plain(error, LM_CODE_TRUNCATED, "the file ends inside its header");
    const long version = lm_get_s32(data + length);
    return version == 1 ||
           lm_fail_plain(error, LM_CODE_BAD_VERSION, "its version is %ld instead of 1", version);
}

/* Applies a sidecar. The limits of loading bound its memory, as for a file of both sizes. */
static bool apply(const sidecar_kind *kind, const lm_file *file, const lm_memory *memory,
                  lm_asset *asset, lm_error *error) {
    lm_model *model = (lm_model *)asset->model;
    lm_heap heap;
    if (!has_header(kind, file, error))
        return false;
    lm_heap_begin(&heap, memory, asset->file.size + file->size, kind->content, error);
    lm_arena scratch = {.heap = &heap}, result = {.heap = &heap};
    const lm_sidecar sidecar = {file, model, &scratch, &result};
    error->code = LM_CODE_OK;
    const bool applied = kind->apply(&sidecar, error);
    lm_arena_free(&scratch);
    if (applied)
        lm_arena_join(lm_arena_of(model), &result);
    lm_arena_free(&result);
    if (!applied && error->code == LM_CODE_OK)
        lm_heap_diagnose(&heap);
    return applied;
}

/* Returns the severity of a sidecar that cannot be used. */
static lm_severity severity_of(const lm_parts *all, uint32_t part, lm_code code) {
    if (part == 0 && lm_engine_files_of(all->settings->options->engine))
        return LM_ERROR;
    return code == LM_CODE_UNKNOWN_FORMAT ? LM_NOTE : LM_WARNING;
}

static void read_sidecar(lm_parts *all, uint32_t part, const sidecar_kind *kind, const char *path) {
    lm_context *c = all->context;
    lm_asset *asset = &all->files[part];
    lm_memory memory = all->settings->options->load.memory;
    lm_file file;
    lm_error error;
    if (!memory.allocator.alloc)
        memory.allocator = *lm_vfs_memory(c->vfs);
    bool used = lm_vfs_read(c->vfs, path, MAX_SIDECAR, &file, &error);
    if (used) {
        used = apply(kind, &file, &memory, asset, &error);
        lm_file_free(&file);
    }
    if (used)
        *(const char **)(void *)((char *)asset + kind->path) = path;
    else if (!lm_ran_out(c->arena, &error))
        lm_context_add(c, LM_SUBJECT_MODEL, severity_of(all, part, error.code), error.code,
                       asset->path, "cannot use the %s in %s: %s", kind->content, path,
                       error.message);
}

/* ---- The full model -------------------------------------------------------------------------- */

/* Gives a model the skins of the full model. */
static void use_skins(lm_arena *arena, const lm_model *full, lm_model *model) {
    const char **skins = lm_arena_alloc(arena, full->num_skins, sizeof *skins);
    for (uint32_t i = 0; skins && i < full->num_skins; i++)
        skins[i] = lm_copy_text(arena, full->skins[i]);
    if (!skins)
        return;
    model->skins = skins;
    model->num_skins = full->num_skins;
}

/* Distant versions wear the skins of the full model, as in the engine. */
static void use_full_skins(lm_parts *all, uint32_t part) {
    lm_context *c = all->context;
    lm_model *model = (lm_model *)all->files[part].model;
    const char *path =
        (model->features & LM_FEATURE_SKINS)
            ? find_sibling(all, part, true, lm_vfs_extension(c->vfs, all->files[part].path))
            : NULL;
    lm_load_options options = {.memory.allocator = *lm_vfs_memory(c->vfs), .repair = true};
    lm_file file;
    lm_error error;
    if (!path)
        return;
    if (!lm_vfs_read(c->vfs, path, all->settings->options->max_input, &file, &error)) {
        lm_ran_out(c->arena, &error);
        return;
    }
    lm_model *full = lm_load_memory(file.data, file.size, &options, &error);
    if (full)
        use_skins(c->arena, full, model);
    else
        lm_ran_out(c->arena, &error);
    lm_model_free(full);
    lm_file_free(&file);
}

bool lm_part_read_sidecars(lm_parts *all, uint32_t part) {
    const lm_model *model = all->files[part].model;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if ((model->features & LM_FEATURE_TAGS) ||
            !kinds[i].is_wanted(&all->settings->options->load))
            continue;
        const char *path = kinds[i].of_full ? lm_part_sibling(all, part, kinds[i].extension)
                                            : find_sibling(all, part, false, kinds[i].extension);
        if (path)
            read_sidecar(all, part, &kinds[i], path);
    }
    use_full_skins(all, part);
    return !lm_arena_failed(all->context->arena);
}

/* ---- Files that the caller has in memory -------------------------------------------------- */

/* Returns the bytes that the caller gave for a path; NULL: none. */
static const lm_file *find_given(const lm_parts *all, const char *path) {
    const lm_assets_options *options = all->settings->options;
    for (uint32_t i = 0; i < options->num_files; i++)
        if (strcmp(options->files[i].path, path) == 0)
            return &options->files[i].file;
    return NULL;
}

bool lm_part_is_given(const lm_parts *all, const char *path) {
    return find_given(all, path) != NULL;
}

bool lm_part_read(const lm_parts *all, const char *path, size_t max_size, lm_file *file,
                  lm_error *error) {
    const lm_file *given = find_given(all, path);
    if (!given)
        return lm_vfs_read(all->context->vfs, path, max_size, file, error);
    *file = (lm_file){given->data, given->size, NULL};
    return true;
}
