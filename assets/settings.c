#include "settings.h"

#include "core/options.h"
#include "model/load_options.h"

#include <string.h>

#define MAX_PALETTE_FILE ((size_t)16 << 20) /* the palette of an image is accepted too */

/* ---- Files that options name --------------------------------------------------------------- */

/* A file that an option names, with its parsed content. */
typedef struct named_file {
    lm_buffer file; /* only while it is parsed; clips keep it */
    lm_palette palette;
    lm_skin_file *skin;
} named_file;

static void close_file(void *object) {
    named_file *named = object;
    lm_skin_file_free(named->skin);
    lm_buffer_free(&named->file);
}

/* The content of a file: clips keep its bytes, and the others are parsed. */
static bool open_file(const lm_request *request, void *object, lm_error *error) {
    const lm_cached kind = *(const lm_cached *)request->context;
    const lm_memory memory = {.allocator = *lmi_vfs_memory(request->vfs)};
    const size_t limit = kind == LM_CACHED_PALETTE ? MAX_PALETTE_FILE : LM_MAX_TEXT_FILE;
    named_file *named = object;
    lm_buffer *file = &named->file;
    file->allocator = memory.allocator;
    if (!lm_vfs_read(request->vfs, request->key, limit, file, error))
        return false;
    if (kind == LM_CACHED_CLIPS)
        return true;
    if (kind == LM_CACHED_SKIN)
        named->skin = lm_skin_file_read(file->data, file->size, &memory, error);
    const bool read = kind == LM_CACHED_SKIN
                          ? named->skin != NULL
                          : lm_palette_read(file->data, file->size, &named->palette, error);
    lm_buffer_free(file);
    return read;
}

static const lm_opener clips_opener = {LM_CACHED_CLIPS, sizeof(named_file), open_file, close_file},
                       palette_opener = {LM_CACHED_PALETTE, sizeof(named_file), open_file,
                                         close_file},
                       skin_opener = {LM_CACHED_SKIN, sizeof(named_file), open_file, close_file};

/* ---- Options ------------------------------------------------------------------------------- */

/* Rewrites an error as "VALUE: SENTENCE", without the value in the sentence. Returns false. */
static bool name_value(const char *value, lm_error *error) {
    char text[LM_MESSAGE_SIZE];
    const lm_error plain = *error;
    if (error->code != LM_CODE_OUT_OF_MEMORY)
        lm_fail_plain(error, plain.code, "%s: %s", value, lmi_without_path(&plain, value, text));
    return false;
}

static const named_file *open_named(lm_vfs *vfs, const lm_opener *opener, const char *path,
                                    lm_error *error) {
    const named_file *named =
        lmi_vfs_open_once(opener, &(lm_request){vfs, path, &opener->kind}, error);
    if (!named)
        name_value(path, error);
    return named;
}

static bool read_clips(lm_vfs *vfs, lm_settings *s, lm_error *error) {
    const char *path = s->options->clips;
    s->no_clip_files = path && strcmp(path, "none") == 0;
    s->clips_of_quake2 = path && strcmp(path, "quake2") == 0;
    if (!path || s->no_clip_files || s->clips_of_quake2)
        return true;
    const named_file *named = open_named(vfs, &clips_opener, path, error);
    s->clips = named ? &named->file : NULL;
    return named != NULL;
}

static bool read_games(lm_vfs *vfs, lm_arena *arena, lm_settings *s, lm_error *error) {
    const uint32_t count = s->options->num_games;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
    s->games = lmi_arena_alloc(arena, count + (size_t)1, sizeof *s->games);
    if (!s->games)
        return lmi_fail_memory(error);
    for (; s->num_games < count; s->num_games++) {
        const char *path = s->options->games[s->num_games];
        s->games[s->num_games] = lmi_game_open(vfs, path, error);
        if (!s->games[s->num_games])
            return name_value(path, error);
    }
    return true;
}

static bool read_skin(lm_vfs *vfs, lm_arena *arena, const char *value, lm_skin_option *skin,
                      lm_error *error) {
    /* A folder of that name does not count. */
    bool exists = lmi_vfs_kind(vfs, value) == LM_PATH_OTHER || lmi_vfs_is_file(vfs, value);
    const char *equals = exists ? NULL : strchr(value, '=');
    if (*value == '\0' || equals == value || (equals && equals[1] == '\0'))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "takes FILE, SURFACE=FILE or NAME.skin, not \"%s\"", value);
    *skin = (lm_skin_option){.kind = LM_SKIN_IMAGE, .text = value};
    if (equals) {
        *skin = (lm_skin_option){LM_SKIN_OF_SURFACE, equals + 1,
                                 lmi_arena_text(arena, value, (size_t)(equals - value)), NULL};
    } else if (lmi_same_text(lmi_vfs_extension(vfs, value), ".skin")) {
        const named_file *named = open_named(vfs, &skin_opener, value, error);
        if (!named)
            return false;
        skin->kind = LM_SKIN_FILE;
        skin->file = named->skin;
    } else if (!exists && strcmp(value, "none") == 0) {
        skin->kind = LM_SKIN_NONE;
    } else if (!exists && !strpbrk(value, "./=")) {
        skin->kind = LM_SKIN_NAME;
    }
    bool given = skin->kind == LM_SKIN_IMAGE || skin->kind == LM_SKIN_OF_SURFACE;
    if (given && !lmi_vfs_can_open(vfs, skin->text, "no such file", error))
        return name_value(value, error);
    return !lmi_arena_failed(arena) || lmi_fail_memory(error);
}

static bool read_skins(lm_vfs *vfs, lm_arena *arena, lm_settings *s, lm_error *error) {
    s->skins = lmi_arena_zeros(arena, s->options->num_skins, sizeof *s->skins);
    if (!s->skins)
        return lmi_fail_memory(error);
    for (; s->num_skins < s->options->num_skins; s->num_skins++) {
        const char *value = lmi_copy_text(arena, s->options->skins[s->num_skins]);
        lm_skin_option *skin = &s->skins[s->num_skins];
        if (!value)
            return lmi_fail_memory(error);
        if (!read_skin(vfs, arena, value, skin, error))
            return false;
        if (skin->kind == LM_SKIN_NAME && s->skin_name)
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, LM_ONE_SKIN_NAME, s->skin_name,
                                 skin->text);
        if (skin->kind == LM_SKIN_NAME)
            s->skin_name = skin->text;
        s->no_textures = skin->kind == LM_SKIN_NONE;
    }
    return true;
}

bool lmi_assets_options_valid(const lm_assets_options *options, lm_error *error) {
    static const char caller[] = "assets options";
    static const lm_option_member table[] = {
        LM_MEMBER(lm_assets_options, alpha, ENUM, LM_ALPHA_USE_BLEND),
        LM_MEMBER(lm_assets_options, images, ENUM, LM_IMAGES_NONE),
        LM_MEMBER(lm_assets_options, engine, ENUM, LM_NUM_ENGINES - 1),
        LM_MEMBER(lm_assets_options, reserved, RESERVED, 0)};
    const lm_list lists[] = {LM_ITEMS(options, files, lm_given_file, path),
                             LM_ITEMS(options, attachments, lm_attachment, path),
                             LM_TEXTS(options, games), LM_TEXTS(options, skins)};
    if (!lmi_options_valid(options, caller, table, sizeof table / sizeof *table, error) ||
        !lmi_load_options_valid(&options->load, error) ||
        !lmi_lists_valid(caller, lists, sizeof lists / sizeof *lists, error))
        return false;
    if (options->load.bytes != LM_BYTES_COPIED)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "%s: load.bytes must be 0: the files are read into buffers of their "
                             "own",
                             caller);
    for (uint32_t i = 0; i < options->num_attachments; i++)
        if (!LM_RESERVED_VALID(&options->attachments[i], error, "%s: attachments[%u]", caller,
                               (unsigned)i))
            return false;
    for (uint32_t i = 0; i < options->num_files; i++) {
        const lm_given_file *file = &options->files[i];
        if (!LM_RESERVED_VALID(file, error, "%s: files[%u]", caller, (unsigned)i))
            return false;
        if (!file->data && file->size > 0)
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: files[%u].data is NULL", caller,
                                 (unsigned)i);
    }
    return true;
}

/* Reads the files, and sets `option` to the name of the option that is read. */
static bool read_options(lm_vfs *vfs, const lm_assets_options *options, lm_arena *arena,
                         lm_settings *settings, const char **option, lm_error *error) {
    *settings = (lm_settings){.options = options};
    *option = "clips";
    if (!read_clips(vfs, settings, error))
        return false;
    *option = "game";
    if (!read_games(vfs, arena, settings, error))
        return false;
    *option = "palette";
    const named_file *palette =
        options->palette ? open_named(vfs, &palette_opener, options->palette, error) : NULL;
    if (options->palette && !palette)
        return false;
    settings->palette = palette ? &palette->palette : NULL;
    *option = "skin";
    return read_skins(vfs, arena, settings, error);
}

bool lmi_settings_read(lm_vfs *vfs, const lm_assets_options *options, lm_arena *arena,
                       lm_settings *settings, lm_error *error) {
    const char *option;
    lm_error plain;
    if (!lmi_assets_options_valid(options, error))
        return false;
    if (read_options(vfs, options, arena, settings, &option, &plain))
        return true;
    if (lmi_ran_out(arena, &plain))
        return lmi_fail_memory(error);
    return lm_fail_plain(error, LM_CODE_BAD_OPTION, "%s %s", option, plain.message);
}

bool lm_assets_read_options(lm_vfs *vfs, const lm_assets_options *options, lm_error *error) {
    if (!LM_GIVEN(error, vfs))
        return false;
    static const lm_assets_options defaults;
    lm_settings settings;
    lm_arena *arena = lmi_arena_new(lmi_vfs_memory(vfs));
    if (!arena)
        return lmi_fail_memory(error);
    const bool read =
        lmi_settings_read(vfs, options ? options : &defaults, arena, &settings, error);
    lmi_arena_delete(arena);
    return read;
}
