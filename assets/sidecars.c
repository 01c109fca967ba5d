/* The files next to a model: finds and applies its sidecars, and chooses its clips. */
#include "parts.h"

#include "core/bytes.h"
#include "math/vectors.h"
#include "order.h"

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
                   lmi_begins_same(stem + length - all, mark, all - 1)
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
    const char *stem = lmi_vfs_stem(c->vfs, path, &length);
    const size_t mark = full ? far_mark(stem, length) : 0;
    if (search->own == LM_NO_SOURCE || (full && mark == 0))
        return NULL;
    const char *name = lmi_arena_printf(c->arena, "%.*s%s", (int)(length - mark), stem, extension);
    return name ? lmi_source_sibling(c->vfs, &search->sources[search->own], path, name, c->arena)
                : NULL;
}

/* As find_sibling; for a distant version without such a file (body-lod01.md2), that of the full
 * model. */
static const char *find_any_sibling(lm_parts *all, uint32_t part, const char *extension) {
    const char *found = find_sibling(all, part, false, extension);
    return found ? found : find_sibling(all, part, true, extension);
}

/* ---- Files that the caller has in memory -------------------------------------------------- */

/* Returns the bytes that the caller gave for a path; NULL: none. */
static const lm_given_file *find_given(const lm_parts *all, const char *path) {
    const lm_assets_options *options = all->settings->options;
    for (uint32_t i = 0; i < options->num_files; i++)
        if (strcmp(options->files[i].path, path) == 0)
            return &options->files[i];
    return NULL;
}

bool lmi_part_read(const lm_parts *all, const char *path, size_t max_size, lm_buffer *file,
                   lm_error *error) {
    const lm_given_file *given = find_given(all, path);
    *file = (lm_buffer){.allocator = *lmi_vfs_memory(all->context->vfs)};
    if (!given)
        return lm_vfs_read(all->context->vfs, path, max_size, file, error);
    file->data = (uint8_t *)given->data;
    file->size = given->size;
    return true;
}

/* ---- Tags ------------------------------------------------------------------------------------ */

/* Reads .tag files: the tags of a model whose own format has none
 * (docs/reference/formats/ufoai.md). */

/* The header, as eight 32-bit integers; the last two, the end and another one, are not
 * needed. */
enum {
    HEADER_TAGS = 8,
    HEADER_FRAMES = 12,
    HEADER_NAMES = 16,
    HEADER_POSES = 20
};
#define NAME_SIZE 64
#define POSE_SIZE 48 /* three axes, then the origin */
#define AXES_SIZE 36

typedef struct tag_file {
    uint32_t num_tags, num_frames;
    const uint8_t *names, *poses;
} tag_file;

static bool read_header(const lm_buffer *file, tag_file *t, lm_error *error) {
    const uint8_t *data = file->data;
    const uint32_t names = lmi_get_u32(data + HEADER_NAMES),
                   poses = lmi_get_u32(data + HEADER_POSES);
    *t = (tag_file){lmi_get_u32(data + HEADER_TAGS), lmi_get_u32(data + HEADER_FRAMES), data, data};
    if (t->num_tags == 0 || t->num_frames == 0 || t->num_tags > file->size / NAME_SIZE)
        return lm_fail_plain(error, LM_CODE_BAD_COUNT, "it has %lu tags in %lu frames",
                             (unsigned long)t->num_tags, (unsigned long)t->num_frames);
    if (!lmi_fits(file->size, names, t->num_tags, NAME_SIZE) ||
        !lmi_fits(file->size, poses, (uint64_t)t->num_tags * t->num_frames, POSE_SIZE))
        return lm_fail_plain(error, LM_CODE_BAD_OFFSET,
                             "its tags extend beyond the end of the file");
    t->names += names;
    t->poses += poses;
    return true;
}

static bool all_finite(const tag_file *t) {
    for (size_t i = 0; i < (size_t)t->num_tags * t->num_frames * (POSE_SIZE / 4); i++)
        if (!lmi_sane(lmi_get_f32(t->poses + 4 * i)))
            return false;
    return true;
}

/* Gives a model the tags of a file. On failure, as lmi_sidecar_normals. */
static bool read_tags(const lm_sidecar *s, lm_error *error) {
    tag_file t = {0};
    if (!read_header(s->file, &t, error))
        return false;
    if (t.num_frames != s->model->num_frames)
        return lm_fail_plain(error, LM_CODE_BAD_COUNT, "it has %lu frames, but the model has %lu",
                             (unsigned long)t.num_frames, (unsigned long)s->model->num_frames);
    if (!all_finite(&t))
        return lm_fail_plain(error, LM_CODE_NOT_FINITE, "a number is infinite or NaN");
    lm_arena *arena = s->result;
    const size_t num_poses = (size_t)t.num_tags * t.num_frames;
    lm_tag *tags = lmi_arena_alloc(arena, t.num_tags, sizeof *tags);
    uint8_t *poses = lmi_arena_alloc(arena, num_poses, POSE_SIZE);
    for (size_t i = 0; tags && poses && i < t.num_tags; i++)
        tags[i] = (lm_tag){lmi_arena_field(arena, t.names + i * NAME_SIZE, NAME_SIZE), LM_TAG_AXES,
                           poses + i * t.num_frames * POSE_SIZE, POSE_SIZE};
    if (!tags || !poses || lmi_arena_failed(arena))
        return false;
    /* Copy poses with the origin first, and make tiny numbers 0. */
    for (size_t i = 0; i < num_poses; i++, poses += POSE_SIZE, t.poses += POSE_SIZE)
        for (size_t k = 0; k < POSE_SIZE; k += 4)
            lmi_put_f32(poses + (k < AXES_SIZE ? k + POSE_SIZE - AXES_SIZE : k - AXES_SIZE),
                        lmi_sanitize(lmi_get_f32(t.poses + k)));
    s->model->tags = tags;
    s->model->num_tags = t.num_tags;
    return true;
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
    {".tag", "JDP2", LM_TAGS_HEADER, "tags", true, always, read_tags,
     offsetof(lm_asset, tags_path)},
    {".mdx", "UFOMDX", LM_NORMALS_HEADER, "smoothing", false, may_replace_normals,
     lmi_sidecar_normals, offsetof(lm_asset, normals_path)},
};

static bool has_header(const sidecar_kind *kind, const lm_buffer *file, lm_error *error) {
    const size_t length = strlen(kind->ident);
    const uint8_t *data = file->data;
    if (file->size < length || memcmp(data, kind->ident, length) != 0)
        return lm_fail_plain(error, LM_CODE_UNKNOWN_FORMAT, "the file does not begin with %s",
                             kind->ident);
    if (file->size < kind->header_size)
        return lm_fail_plain(error, LM_CODE_TRUNCATED, "the file ends inside its header");
    const long version = lmi_get_s32(data + length);
    return version == 1 ||
           lm_fail_plain(error, LM_CODE_BAD_VERSION, "its version is %ld instead of 1", version);
}

/* Applies a sidecar. The limits of loading bound its memory, as for a file of both sizes. */
static bool apply(const sidecar_kind *kind, const lm_buffer *file, const lm_memory *memory,
                  lm_asset *asset, lm_error *error) {
    lm_model *model = (lm_model *)asset->model;
    lm_heap heap;
    if (!has_header(kind, file, error))
        return false;
    lmi_heap_begin(&heap, memory, asset->size + file->size, kind->content, error);
    lm_arena scratch = {.heap = &heap}, result = {.heap = &heap};
    const lm_sidecar sidecar = {file, model, &scratch, &result};
    error->code = LM_CODE_OK;
    const bool applied = kind->apply(&sidecar, error);
    lmi_arena_free(&scratch);
    if (applied)
        lmi_arena_join(lmi_arena_of(model), &result);
    lmi_arena_free(&result);
    if (!applied && error->code == LM_CODE_OK)
        lmi_heap_diagnose(&heap);
    return applied;
}

/* Returns the severity of a sidecar that cannot be used. */
static lm_severity severity_of(const lm_parts *all, uint32_t part, lm_code code) {
    const lm_engine_files *demands = lmi_engine_files_of(all->settings->options->engine);
    if (part == 0 && demands && demands->strict)
        return LM_SEVERITY_ERROR;
    return code == LM_CODE_UNKNOWN_FORMAT ? LM_SEVERITY_NOTE : LM_SEVERITY_WARNING;
}

static void read_sidecar(lm_parts *all, uint32_t part, const sidecar_kind *kind, const char *path) {
    lm_context *c = all->context;
    lm_asset *asset = &all->files[part];
    lm_memory memory = all->settings->options->load.memory;
    lm_buffer file = {.allocator = *lmi_vfs_memory(c->vfs)};
    lm_error error;
    if (!memory.allocator.alloc)
        memory.allocator = *lmi_vfs_memory(c->vfs);
    bool used = lm_vfs_read(c->vfs, path, MAX_SIDECAR, &file, &error);
    if (used) {
        used = apply(kind, &file, &memory, asset, &error);
        lm_buffer_free(&file);
    }
    if (used)
        *(const char **)(void *)((char *)asset + kind->path) = path;
    else if (!lmi_ran_out(c->arena, &error))
        lmi_context_add(c, LM_SUBJECT_MODEL, severity_of(all, part, error.code), error.code,
                        asset->path, "cannot use the %s in %s: %s", kind->content, path,
                        error.message);
}

/* ---- The full model -------------------------------------------------------------------------- */

/* Gives a model the skins of the full model. */
static void use_skins(lm_arena *arena, const lm_model *full, lm_model *model) {
    const char **skins = lmi_arena_alloc(arena, full->num_skins, sizeof *skins);
    for (uint32_t i = 0; skins && i < full->num_skins; i++)
        skins[i] = lmi_copy_text(arena, full->skins[i]);
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
            ? find_sibling(all, part, true, lmi_vfs_extension(c->vfs, all->files[part].path))
            : NULL;
    lm_load_options options = {.memory.allocator = *lmi_vfs_memory(c->vfs), .repair = true};
    lm_buffer file = {.allocator = options.memory.allocator};
    lm_error error;
    if (!path)
        return;
    if (!lm_vfs_read(c->vfs, path, all->settings->options->max_input, &file, &error)) {
        lmi_ran_out(c->arena, &error);
        return;
    }
    lm_model *full = lm_load_memory(file.data, file.size, &options, &error);
    if (full)
        use_skins(c->arena, full, model);
    else
        lmi_ran_out(c->arena, &error);
    lm_model_free(full);
    lm_buffer_free(&file);
}

bool lmi_part_read_sidecars(lm_parts *all, uint32_t part) {
    const lm_model *model = all->files[part].model;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if ((model->features & LM_FEATURE_TAGS) ||
            !kinds[i].is_wanted(&all->settings->options->load))
            continue;
        const char *path = kinds[i].of_full ? find_any_sibling(all, part, kinds[i].extension)
                                            : find_sibling(all, part, false, kinds[i].extension);
        if (path)
            read_sidecar(all, part, &kinds[i], path);
    }
    use_full_skins(all, part);
    return !lmi_arena_failed(all->context->arena);
}

/* ---- Clips ----------------------------------------------------------------------------------- */

/* Returns MODEL.md2.framegroups, MODEL.framegroups or MODEL.anm. NULL: none exists, or it is a link
 * that leads out of the model's folder. */
static const char *find_own_clips(lm_parts *all, uint32_t part) {
    lm_vfs *vfs = all->context->vfs;
    static const char extension[] = ".framegroups";
    const char *long_extension = lmi_arena_printf(
        all->context->arena, "%s%s", lmi_vfs_extension(vfs, all->files[part].path), extension);
    const char *extensions[] = {long_extension, extension, ".anm"}, *found = NULL;
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions && !found; i++)
        found = extensions[i] ? find_any_sibling(all, part, extensions[i]) : NULL;
    return found;
}

bool lmi_is_hand(lm_vfs *vfs, const char *path) {
    size_t length, unused;
    const char *stem = lmi_vfs_stem(vfs, path, &length);
    return lmi_begins_same(stem, "v_", 2) &&
           lmi_weapon_kind_of(stem, length, &unused) == LM_WEAPON_HAND;
}

/* Returns the name of the clips file that a folder's models share. */
static const char *shared_clips(const lm_parts *all, uint32_t part) {
    return lmi_is_hand(all->context->vfs, all->files[part].path) ? "weapon.cfg"
           : all->files[part].model->bones                       ? "wolfanim.cfg"
                                                                 : "animation.cfg";
}

/* Returns the clips file of a model: its own, else its folder's animation.cfg, wolfanim.cfg for a
 * model with bones, or weapon.cfg for a hand, which may be in any of the game's search. NULL:
 * none. */
static const char *find_clips_file(lm_parts *all, uint32_t part) {
    lm_context *c = all->context;
    const lm_search_path *search = &all->search[part];
    char actual[LM_PATH_SIZE];
    const char *given = lmi_arena_printf(c->arena, "%s.framegroups", all->files[part].path);
    if (given && find_given(all, given))
        return given;
    const char *found = find_own_clips(all, part);
    if (found)
        return found;
    const lm_source *source =
        lmi_search_path_find(search, shared_clips(all, part), c->arena, actual);
    if (source && strcmp(source->files->name, ".") == 0)
        return lmi_copy_text(c->arena, actual);
    return source ? lmi_source_path(source, actual, c->arena) : NULL;
}

/* Returns false if there are none. */
static bool use_clips(lm_parts *all, uint32_t part, lm_clips *clips, const char *path) {
    if (!clips)
        return false;
    all->files[part].clips = clips;
    all->files[part].clips_path = path;
    all->parts[part].clips = clips->clips;
    all->parts[part].num_clips = clips->num_clips;
    return true;
}

/* Returns the player part that a file's name means: lower or upper, also with a suffix such as _1
 * for distant levels of detail. */
static lm_player_part part_of(lm_vfs *vfs, const char *path) {
    size_t length;
    const char *stem = lmi_vfs_stem(vfs, path, &length);
    if (length < 5 || (length > 5 && stem[5] != '_'))
        return LM_PART_FULL;
    return lmi_begins_same(stem, "lower", 5)   ? LM_PART_LEGS
           : lmi_begins_same(stem, "upper", 5) ? LM_PART_TORSO
                                               : LM_PART_FULL;
}

/* Uses the model's own clips without those of the player's other part, or all of them if none are
 * left. */
static void use_own_clips(lm_parts *all, uint32_t part) {
    static const char *const others[] = {NULL, "TORSO_", "LEGS_"}; /* by lm_player_part */
    const lm_model *model = all->files[part].model;
    const char *other = others[part_of(all->context->vfs, all->files[part].path)];
    lm_clip *clips =
        other ? lmi_arena_alloc(all->context->arena, model->num_clips, sizeof *clips) : NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; clips && i < model->num_clips; i++)
        if (!lmi_begins_same(model->clips[i].name, other, strlen(other)))
            clips[count++] = model->clips[i];
    all->parts[part].clips = count ? clips : model->clips;
    all->parts[part].num_clips = count ? count : model->num_clips;
}

static bool use_clips_file(lm_parts *all, uint32_t part, const lm_buffer *file, const char *path,
                           lm_clips_format format, lm_error *error) {
    const lm_asset *asset = &all->files[part];
    const lm_clips_options options = {.file_name = path,
                                      .format = format,
                                      .player_part = part_of(all->context->vfs, asset->path),
                                      .memory.allocator = *lmi_vfs_memory(all->context->vfs)};
    uint32_t num_frames = asset->model->num_frames;
    return use_clips(all, part, lm_clips_read(file->data, file->size, num_frames, &options, error),
                     path);
}

static void use_sibling_clips(lm_parts *all, uint32_t part) {
    lm_context *c = all->context;
    const lm_asset *asset = &all->files[part];
    lm_buffer file = {.allocator = *lmi_vfs_memory(c->vfs)};
    lm_error error;
    char text[LM_MESSAGE_SIZE];
    /* A model with one frame has nothing to play, such as a player's head. */
    if (all->settings->no_clip_files || asset->model->num_frames < 2)
        return;
    const char *path = find_clips_file(all, part);
    const char *project = path ? NULL : lmi_project_clips(all, part, &file);
    if (!path && !project) {
        if (lmi_is_hand(c->vfs, asset->path) || asset->model->bones)
            lmi_context_add(c, LM_SUBJECT_CLIPS, LM_SEVERITY_NOTE, LM_CODE_OK, asset->path,
                            "without %s, which names its clips: there is no such file",
                            shared_clips(all, part));
        return;
    }
    bool used = project || lmi_part_read(all, path, LM_MAX_TEXT_FILE, &file, &error);
    path = project ? project : path;
    if (used) {
        used = use_clips_file(all, part, &file, path,
                              project ? LM_CLIPS_FRAMEGROUPS : LM_CLIPS_AUTO, &error);
        lm_buffer_free(&file);
    }
    /* The file is the subject, so that the parts of a player report it once. */
    const size_t length = strlen(path);
    const bool named = !used && strncmp(error.message, path, length) == 0 &&
                       strncmp(error.message + length, ": ", 2) == 0;
    if (!used && !lmi_ran_out(c->arena, &error))
        lmi_context_add(c, LM_SUBJECT_CLIPS, LM_SEVERITY_WARNING, error.code, path,
                        "cannot use these clips: %s",
                        named ? error.message + length + 2 : lmi_without_path(&error, path, text));
}

bool lmi_part_choose_clips(lm_parts *all, uint32_t part, lm_error *error) {
    const lm_settings *s = all->settings;
    const lm_model *model = all->files[part].model;
    use_own_clips(all, part);
    if (s->clips_of_quake2 && part == 0) {
        const lm_clips_options options = {.memory.allocator = *lmi_vfs_memory(all->context->vfs),
                                          .format = LM_CLIPS_QUAKE2};
        return use_clips(all, part, lm_clips_read(NULL, 0, model->num_frames, &options, error),
                         NULL);
    }
    if (!s->clips) {
        use_sibling_clips(all, part);
        return true;
    }
    /* Requested clips need not fit the models attached to the first. */
    const char *path = lmi_copy_text(all->context->arena, s->options->clips);
    return (path && use_clips_file(all, part, s->clips, path, LM_CLIPS_AUTO, error)) || part > 0;
}
