/* What the options name, read. */
#include "opening.h"

#include "core/report.h"
#include "system.h"

#include <string.h>

/* "VALUE: SENTENCE", in which the value is not named again. */
static bool name_value(const char *value, lm_error *error) {
    const lm_error plain = *error;
    const char *named = strstr(plain.message, value);
    bool again = named && named > plain.message && named[-1] == ' ' && named[strlen(value)] == ':';
    int length = (int)(again ? named - 1 - plain.message : (ptrdiff_t)strlen(plain.message));
    if (error->code != LM_CODE_OUT_OF_MEMORY)
        lm_fail_plain(error, plain.code, "%s: %.*s%s", value, length, plain.message,
                      again ? named + strlen(value) : "");
    return false;
}

static const lm_kept *keep(lm_disk *disk, lm_kept_kind kind, const char *path, lm_error *error) {
    const lm_kept *kept = lm_disk_keep(disk, kind, path, error);
    if (!kept)
        name_value(path, error);
    return kept;
}

static bool read_clips(lm_disk *disk, lm_settings *s, lm_error *error) {
    const char *path = s->options->clips;
    s->no_clip_files = path && strcmp(path, "none") == 0;
    s->clips_of_quake2 = path && strcmp(path, "quake2") == 0;
    if (!path || s->no_clip_files || s->clips_of_quake2)
        return true;
    s->clips = keep(disk, LM_KEPT_CLIPS, path, error);
    return s->clips != NULL;
}

static bool read_games(lm_disk *disk, lm_pool *pool, lm_settings *s, lm_error *error) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what is wanted
    s->games = lm_pool_get(pool, s->options->num_games, sizeof *s->games);
    if (!s->games)
        return lm_fail_memory(error);
    for (; s->num_games < s->options->num_games; s->num_games++) {
        const char *path = s->options->games[s->num_games];
        s->games[s->num_games] = keep(disk, LM_KEPT_GAME, path, error);
        if (!s->games[s->num_games])
            return false;
    }
    return true;
}

static bool read_palette(lm_disk *disk, lm_settings *s, lm_error *error) {
    if (!s->options->palette)
        return true;
    const lm_kept *kept = keep(disk, LM_KEPT_PALETTE, s->options->palette, error);
    s->palette = kept ? &kept->palette : NULL;
    return kept != NULL;
}

/* A folder of the name of a skin does not stand in its way. */
static bool is_there(lm_disk *disk, const char *path) {
    return lm_kind_of(path) == LM_PATH_OTHER || lm_disk_is_file(disk, path);
}

static bool read_skin(lm_disk *disk, lm_pool *pool, const char *value, lm_skin_option *skin,
                      lm_error *error) {
    bool there = is_there(disk, value);
    const char *equals = there ? NULL : strchr(value, '=');
    if (*value == '\0' || equals == value || (equals && equals[1] == '\0'))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "takes FILE, SURFACE=FILE or NAME.skin, not \"%s\"", value);
    *skin = (lm_skin_option){.kind = LM_SKIN_PICTURE, .text = value};
    if (equals) {
        *skin = (lm_skin_option){LM_SKIN_OF_SURFACE, equals + 1,
                                 lm_pool_text(pool, value, (size_t)(equals - value)), NULL};
    } else if (lm_same_text(lm_disk_extension(disk, value), ".skin")) {
        const lm_kept *kept = keep(disk, LM_KEPT_SKIN, value, error);
        if (!kept)
            return false;
        skin->kind = LM_SKIN_LIST;
        skin->list = kept->skin;
    } else if (!there && strcmp(value, "none") == 0) {
        skin->kind = LM_SKIN_NONE;
    } else if (!there && !strpbrk(value, "./=")) {
        skin->kind = LM_SKIN_NAME;
    }
    bool given = skin->kind == LM_SKIN_PICTURE || skin->kind == LM_SKIN_OF_SURFACE;
    if (given && !lm_disk_can_open(disk, skin->text, error))
        return name_value(value, error);
    return !pool->failed || lm_fail_memory(error);
}

static bool read_skins(lm_disk *disk, lm_pool *pool, lm_settings *s, lm_error *error) {
    s->skins = lm_pool_get(pool, s->options->num_skins, sizeof *s->skins);
    if (!s->skins)
        return lm_fail_memory(error);
    for (; s->num_skins < s->options->num_skins; s->num_skins++) {
        const char *value = s->options->skins[s->num_skins];
        lm_skin_option *skin = &s->skins[s->num_skins];
        value = lm_pool_text(pool, value, strlen(value));
        if (!value)
            return lm_fail_memory(error);
        if (!read_skin(disk, pool, value, skin, error))
            return false;
        if (skin->kind == LM_SKIN_NAME)
            s->skin_name = skin->text;
        s->plain = skin->kind == LM_SKIN_NONE;
    }
    return true;
}

bool lm_settings_read(lm_disk *disk, const lm_assets_options *options, lm_pool *pool,
                      lm_settings *settings, const char **option, lm_error *error) {
    *settings = (lm_settings){.options = options};
    *option = "clips";
    if (!read_clips(disk, settings, error))
        return false;
    *option = "game";
    if (!read_games(disk, pool, settings, error))
        return false;
    *option = "palette";
    if (!read_palette(disk, settings, error))
        return false;
    *option = "skin";
    return read_skins(disk, pool, settings, error);
}

bool lm_assets_read_options(lm_disk *disk, const lm_assets_options *options, const char **option,
                            lm_error *error) {
    lm_pool pool;
    lm_settings settings;
    lm_error unused;
    const char *which;
    lm_pool_init(&pool, NULL);
    bool read = lm_settings_read(disk, options, &pool, &settings, &which, error ? error : &unused);
    if (!read && option)
        *option = which;
    lm_pool_free(&pool);
    return read;
}
