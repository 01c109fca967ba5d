#include "document.h"

#include "companions.h"
#include "info.h"
#include "lerpmesh/export.h"
#include "shown.h"

#include <stdlib.h>
#include <string.h>

/* Archives are opened once for all and must not be closed under somebody's feet; besides, the
 * disk gains nothing from two models at a time. */
static GMutex lock;

void document_lock(void) {
    g_mutex_lock(&lock);
}

void document_unlock(void) {
    g_mutex_unlock(&lock);
}

/* ---- Wishes -------------------------------------------------------------------------------- */

document_wish document_wish_copy(const document_wish *wish) {
    document_wish copy = *wish;
    copy.path = g_strdup(wish->path);
    copy.skin = g_strdup(wish->skin);
    copy.games = g_strdupv(wish->games);
    return copy;
}

void document_wish_clear(document_wish *wish) {
    g_free(wish->path);
    g_free(wish->skin);
    g_strfreev(wish->games);
    *wish = (document_wish){0};
}

/* ---- As the command would ------------------------------------------------------------------ */

/* The command line that a wish amounts to. */
typedef struct order {
    tool_args args;
    const char *input;
    GArray *given;
    GPtrArray *kept; /* values */
    lm_buffer complaints;
    tool_load_settings load;
    tool_texture_settings textures;
    tool_job job;
} order;

static const tool_command command = {.name = "viewer"};

static void give(order *o, tool_option option, const char *value) {
    tool_given given = {option, value};
    g_array_append_val(o->given, given);
}

static bool order_begin(order *o, const document_wish *wish, const char *path, bool alone) {
    *o = (order){.input = path,
                 .given = g_array_new(FALSE, FALSE, sizeof(tool_given)),
                 .kept = g_ptr_array_new_with_free_func(g_free),
                 .job = {.path = path}};
    if (wish->gl_commands)
        give(o, TOOL_TOPOLOGY, "glcommands");
    if (wish->repair)
        give(o, TOOL_REPAIR, NULL);
    if (wish->skin)
        give(o, TOOL_SKIN, wish->skin);
    for (char **game = wish->games; game && *game; game++)
        give(o, TOOL_GAME, *game);
    tool_given companions[COMPANIONS_MAX];
    size_t count = alone ? 0 : companions_find(path, companions, o->kept);
    g_array_append_vals(o->given, companions, (guint)count);
    o->args = (tool_args){.command = &command,
                          .num_given = o->given->len,
                          .given = (tool_given *)(void *)o->given->data,
                          .num_inputs = 1,
                          .inputs = &o->input,
                          .complaints = &o->complaints};
    return tool_load_settings_read(&o->args, &o->load) &&
           tool_texture_settings_read(&o->args, &o->textures);
}

static void order_end(order *o) {
    tool_load_settings_free(&o->load);
    tool_texture_settings_free(&o->textures);
    lm_buffer_free(&o->job.log);
    lm_buffer_free(&o->complaints);
    g_array_unref(o->given);
    g_ptr_array_unref(o->kept);
}

/* What was said, line by line, without the "lerpmesh: PATH: " in front; to be freed. */
static char *said(const order *o) {
    GString *text = g_string_new(NULL);
    const lm_buffer *from = o->complaints.size > 0 ? &o->complaints : &o->job.log;
    char *all = g_strndup(from->size ? (const char *)from->data : "", from->size);
    char *front = g_strdup_printf("lerpmesh: %s: ", o->job.path);
    char **lines = g_strsplit(all, "\n", -1);
    for (char **line = lines; *line; line++) {
        const char *sentence = g_str_has_prefix(*line, front) ? *line + strlen(front) : *line;
        if (*sentence)
            g_string_append_printf(text, "%s%s", text->len ? "\n" : "", sentence);
    }
    g_strfreev(lines);
    g_free(front);
    g_free(all);
    return g_string_free(text, FALSE);
}

/* ---- Reading ------------------------------------------------------------------------------- */

static bool decode_images(document *d, lm_error *error) {
    d->images = g_new0(lm_image *, d->wardrobe.num_pictures + 1);
    for (uint32_t i = 0; i < d->wardrobe.num_pictures; i++) {
        const lm_scene_texture *texture = &d->wardrobe.textures[i];
        d->images[i] = lm_image_read(texture->data, texture->size, NULL, error);
        if (!d->images[i])
            return false;
    }
    return true;
}

static void wear_listed(document *d) {
    lm_scene_part *part = &d->scene.parts[0];
    if (d->wish.listed < part->num_skins)
        part->skin = d->wish.listed;
}

static bool write_info(document *d, order *o) {
    tool_lookup lookup;
    lm_buffer text = {0};
    const tool_member *member = &d->scene.members[0];
    if (!tool_lookup_open(&o->job, &o->textures, member->path, &member->input, &lookup))
        return false;
    tool_job job = {.path = member->path};
    tool_info_sheet(&job, &member->input, &lookup, false, &text);
    tool_lookup_close(&lookup);
    d->info = g_strndup((const char *)text.data, text.size);
    lm_buffer_free(&text);
    return true;
}

static void add_clip(GArray *clips, const char *name, const lm_clip *clip, uint32_t part,
                     bool whole) {
    document_clip one = {shown_text(name), *clip, part, whole};
    g_array_append_val(clips, one);
}

/* Each name once, in the order of the parts; then all frames. */
static void list_clips(document *d) {
    const lm_scene *scene = &d->scene.scene;
    GArray *clips = g_array_new(FALSE, FALSE, sizeof(document_clip));
    GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (uint32_t part = 0; part < scene->num_parts; part++)
        for (uint32_t i = 0; i < scene->parts[part].num_clips; i++) {
            const lm_clip *clip = &scene->parts[part].clips[i];
            if (!scene->parts[part].follows && g_hash_table_add(seen, (void *)clip->name))
                add_clip(clips, clip->name, clip, part, false);
        }
    uint32_t frames = document_model(d)->num_frames;
    lm_clip whole = {.count = frames, .fps = LM_DEFAULT_FPS, .loop_frames = frames};
    add_clip(clips, "All frames", &whole, 0, true);
    g_hash_table_unref(seen);
    d->num_clips = clips->len;
    d->clips = (document_clip *)(void *)g_array_free(clips, FALSE);
}

static bool open_scene(document *d, order *o) {
    lm_error error;
    if (!tool_scene_open(&o->job, &o->args, &o->load, &d->scene)) {
        d->scene = (tool_scene){0};
        return false;
    }
    bool ok =
        tool_wardrobe_fill(&o->job, &o->textures, &d->scene, &d->wardrobe) && write_info(d, o);
    if (ok && !decode_images(d, &error)) {
        tool_fail_error(&o->job, &error, false);
        ok = false;
    }
    if (!ok)
        return false;
    tool_wardrobe_tell(&o->job, &o->textures, &d->wardrobe);
    wear_listed(d);
    return true;
}

static bool attempt(document *d, const char *path, bool alone, char **words) {
    order o;
    bool ok = order_begin(&o, &d->wish, path, alone) && open_scene(d, &o);
    *words = said(&o);
    order_end(&o);
    return ok;
}

static void forget_scene(document *d) {
    for (uint32_t i = 0; d->images && i < d->wardrobe.num_pictures; i++)
        lm_image_free(d->images[i]);
    g_clear_pointer(&d->images, g_free);
    g_clear_pointer(&d->info, g_free);
    tool_wardrobe_close(&d->wardrobe);
    tool_scene_close(&d->scene);
    d->wardrobe = (tool_wardrobe){0};
    d->scene = (tool_scene){0};
}

/* With what belongs to it; where that does not fit, alone. */
static bool open_parts(document *d, char **words) {
    if (!d->wish.alone) {
        char *whole = companions_whole(d->wish.path);
        bool ok = attempt(d, whole, false, words);
        g_free(whole);
        if (ok)
            return true;
        forget_scene(d);
        g_free(*words);
    }
    return attempt(d, d->wish.path, true, words);
}

document *document_open(const document_wish *wish, char **sentence) {
    lm_error error;
    document *d = g_atomic_rc_box_new0(document);
    d->wish = document_wish_copy(wish);
    document_lock();
    char *words;
    bool ok = open_parts(d, &words);
    if (ok) {
        const lm_file *file = &d->scene.members[0].input.file;
        list_clips(d);
        companions_list_skins(d);
        d->remarks = words;
        d->report = lm_check_memory(file->data, file->size, NULL, &error);
    }
    document_unlock();
    if (ok)
        return d;
    /* The last line is why; those before are remarks on the way. */
    const char *last = strrchr(words, '\n');
    *sentence = g_strdup(last ? last + 1 : words);
    g_free(words);
    document_unref(d);
    return NULL;
}

document *document_ref(document *d) {
    return g_atomic_rc_box_acquire(d);
}

static void clear(void *user) {
    document *d = user;
    forget_scene(d);
    for (uint32_t i = 0; i < d->num_clips; i++)
        g_free(d->clips[i].name);
    for (uint32_t i = 0; i < d->num_skins; i++) {
        g_free(d->skins[i].name);
        g_free(d->skins[i].skin);
    }
    g_free(d->clips);
    g_free(d->skins);
    g_free(d->remarks);
    lm_report_free(d->report);
    document_wish_clear(&d->wish);
}

void document_unref(document *d) {
    if (d)
        g_atomic_rc_box_release_full(d, clear);
}

const lm_scene *document_scene(const document *d) {
    return &d->scene.scene;
}

const lm_model *document_model(const document *d) {
    return d->scene.parts[0].model;
}

/* ---- Time ---------------------------------------------------------------------------------- */

void document_pose(const document *d, uint32_t clip, const playback *play, lm_pose *poses) {
    const lm_scene *scene = &d->scene.scene;
    const document_clip *named = &d->clips[clip];
    const char *name = named->whole ? NULL : named->clip.name;
    lm_scene_pose(scene, name, play->seconds, poses);
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_clip *own = i == named->part ? &named->clip : lm_scene_find_clip(scene, i, name);
        if (own)
            poses[i] = playback_pose(play, own);
    }
    lm_scene_follow(scene, poses);
}

/* ---- Files --------------------------------------------------------------------------------- */

static void add_source(GPtrArray *sources, const char *path) {
    size_t length = tool_archive_length(path);
    char *file = length > 0 ? g_strndup(path, length) : g_strdup(path);
    if (g_ptr_array_find_with_equal_func(sources, file, g_str_equal, NULL) ||
        !g_file_test(file, G_FILE_TEST_EXISTS))
        g_free(file);
    else
        g_ptr_array_add(sources, file);
}

char **document_sources(const document *d) {
    GPtrArray *sources = g_ptr_array_new();
    for (uint32_t i = 0; i < d->scene.scene.num_parts; i++) {
        const lm_buffer *clips = &d->scene.members[i].input.clips_path;
        add_source(sources, d->scene.members[i].path);
        if (clips->size > 0)
            add_source(sources, (const char *)clips->data);
    }
    for (uint32_t i = 0; i < d->wardrobe.num_pictures; i++)
        add_source(sources, d->wardrobe.pictures[i].key);
    g_ptr_array_add(sources, NULL);
    return (char **)g_ptr_array_free(sources, FALSE);
}

char *document_export(const document *d, const char *path) {
    lm_error error = {.message = ""};
    lm_buffer out = {0};
    const lm_gltf_options options = {.glb = true, .common = {.name = d->scene.members[0].name}};
    bool written = lm_gltf_write_scene(&d->scene.scene, &options, &out, NULL, NULL, &error) &&
                   lm_file_write(path, out.data, out.size, &error);
    lm_buffer_free(&out);
    return written ? NULL : g_strdup(error.message);
}
