#include "document.h"

#include "display_text.h"
#include "internals.h"
#include "lerpmesh/edit.h"
#include "text.h"

#include <string.h>

/* ---- Requests -------------------------------------------------------------------------------- */

document_request document_request_copy(const document_request *request) {
    document_request copy = *request;
    copy.path = g_strdup(request->path);
    copy.skin = g_strdup(request->skin);
    copy.games = g_strdupv(request->games);
    copy.attached = g_strdupv(request->attached);
    copy.edited = request->edited ? g_hash_table_ref(request->edited) : NULL;
    return copy;
}

void document_request_clear(document_request *request) {
    g_free(request->path);
    g_free(request->skin);
    g_strfreev(request->games);
    g_strfreev(request->attached);
    g_clear_pointer(&request->edited, g_hash_table_unref);
    *request = (document_request){0};
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Lists the attached models. Without a tag, a model takes the place of the related ones. Returns
 * their number. */
static uint32_t list_attachments(char **attached, lm_attachment *list, bool *related) {
    uint32_t count = 0;
    for (; attached && attached[2 * count] && count < LM_MAX_PARTS; count++) {
        const char *tag = attached[2 * count];
        list[count] = (lm_attachment){.tag = *tag ? tag : NULL, .path = attached[2 * count + 1]};
        *related = *related && *tag;
    }
    return count;
}

/* Lists the edited files, whose bytes the request owns. */
static lm_given_file *list_edited(const document_request *request) {
    GHashTableIter each;
    gpointer path, bytes;
    guint count = 0;
    if (!request->edited)
        return NULL;
    lm_given_file *files = g_new0(lm_given_file, g_hash_table_size(request->edited));
    g_hash_table_iter_init(&each, request->edited);
    while (g_hash_table_iter_next(&each, &path, &bytes)) {
        lm_given_file *file = &files[count++];
        file->path = path;
        file->data = g_bytes_get_data(bytes, &file->size);
    }
    return files;
}

static lm_assets *open_assets(const document *d, lm_error *error) {
    const document_request *request = &d->request;
    const char *skin = request->skin;
    lm_attachment attachments[LM_MAX_PARTS];
    bool related = !request->without_related;
    const uint32_t count = list_attachments(request->attached, attachments, &related);
    g_autofree lm_given_file *files = list_edited(request);
    const lm_assets_options options = {
        .load = {.repair = request->repair,
                 .normals = LM_NORMALS_AUTO,
                 .topology =
                     request->gl_commands ? LM_TOPOLOGY_GL_COMMANDS : LM_TOPOLOGY_TRIANGLES},
        .num_files = request->edited ? g_hash_table_size(request->edited) : 0,
        .files = files,
        .related = related,
        .num_attachments = count,
        .attachments = attachments,
        .num_games = request->games ? g_strv_length(request->games) : 0,
        .games = (const char *const *)request->games,
        .num_skins = skin != NULL,
        .skins = &skin,
        .listed_skin = request->listed + 1}; /* 0: any */
    return lm_assets_open(d->shared_vfs->vfs, request->path, &options, error);
}

/* Returns whether every surface has a texture. */
static bool is_textured(const lm_scene *scene) {
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_scene_part *part = &scene->parts[i];
        const lm_scene_material *materials =
            part->num_skins ? part->skins[part->skin].materials : NULL;
        for (uint32_t k = 0; k < part->model->num_surfaces; k++)
            if (!materials || materials[k].texture == LM_NO_TEXTURE)
                return false;
    }
    return true;
}

/* Reports the textures that were not found, each name once. NULL: none, or every surface has a
 * texture nevertheless. */
static char *describe_missing_textures(const lm_assets *assets) {
    if (is_textured(assets->scene))
        return NULL;
    const lm_asset_texture *first = NULL;
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    for (uint32_t part = 0; part < assets->scene->num_parts; part++)
        for (uint32_t i = 0; i < assets->assets[part].num_textures; i++) {
            const lm_asset_texture *texture = &assets->assets[part].textures[i];
            if (texture->match != LM_MATCH_NONE)
                continue;
            g_hash_table_add(names, (void *)texture->name);
            first = first ? first : texture;
        }
    if (!first)
        return NULL;
    guint count = g_hash_table_size(names);
    g_autofree char *name = display_text(first->name);
    if (count == 1)
        return g_strdup_printf(TEXT_TEXTURE_NOT_FOUND(first->num_tried), name, first->num_tried);
    return g_strdup_printf(TEXT_TEXTURES_NOT_FOUND(count), count);
}

static bool is_of_texture(const lm_diagnostic *diagnostic) {
    return strcmp(diagnostic->location.section, LM_SUBJECT_TEXTURE) == 0;
}

/* Returns whether a diagnostic is about a shader script. Those about textures have the path of the
 * request, of a part, or of its folder, as their subject. */
static bool is_of_script(const document *d, const lm_diagnostic *diagnostic) {
    const char *subject = diagnostic->subject;
    bool of_model = !subject || strcmp(subject, d->request.path) == 0;
    for (uint32_t i = 0; i < document_scene(d)->num_parts && !of_model; i++)
        of_model = g_str_has_prefix(d->assets->assets[i].path, subject);
    return !of_model && is_of_texture(diagnostic);
}

/* Returns the first diagnostic to show, without those of scripts, which are among the problems, and
 * without notes about textures that another text reports or that every surface has. */
static char *find_notice(const document *d, bool reported) {
    const lm_assets *assets = d->assets;
    bool skipped = reported || is_textured(assets->scene);
    for (uint32_t i = 0; i < assets->num_diagnostics; i++) {
        const lm_diagnostic *diagnostic = &assets->diagnostics[i];
        bool of_texture = diagnostic->severity == LM_SEVERITY_NOTE && is_of_texture(diagnostic);
        if ((!of_texture || !skipped) && !is_of_script(d, diagnostic))
            return display_message(diagnostic->code, diagnostic->text);
    }
    return NULL;
}

/* Returns the path that names the document: its first model's, or that of a composition in a
 * script. */
static const char *path_of(const document *d) {
    const bool composed = lmi_vfs_is_script(d->shared_vfs->vfs, d->request.path);
    return composed ? d->request.path : d->assets->assets[0].path;
}

/* A player of several models is named after its folder. */
static char *title_of(const document *d, bool player) {
    const char *path = path_of(d);
    g_autofree char *folder = player ? display_folder(d->shared_vfs->vfs, path) : NULL;
    return folder && *folder ? g_steal_pointer(&folder) : display_title(d->shared_vfs->vfs, path);
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Returns the name of a part, by the name of its file if that is a player's. */
static char *name_of_part(const document *d, uint32_t part) {
    const struct {
        const char *file, *name;
    } names[] = {
        {"lower", TEXT_LEGS}, {"upper", TEXT_TORSO}, {"head", _("Head")}, {"weapon", _("Weapon")}};
    size_t length;
    const char *path = d->assets->assets[part].path;
    const char *stem = lmi_vfs_stem(d->shared_vfs->vfs, path, &length);
    g_autofree char *file = g_strndup(stem, length);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        size_t known = strlen(names[i].file); /* head_1 is a head with fewer triangles */
        if (g_ascii_strncasecmp(file, names[i].file, known) == 0 &&
            (file[known] == '\0' || file[known] == '_'))
            return g_strdup(names[i].name);
    }
    return display_text(file);
}

document_sums document_count(const document *d, uint32_t part) {
    const lm_scene *scene = document_scene(d);
    document_sums sums = {0};
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_model *model = scene->parts[i].model;
        if (part != LM_NO_PART && part != i)
            continue;
        sums.surfaces += model->num_surfaces;
        sums.tags += model->num_tags;
        for (uint32_t k = 0; k < model->num_surfaces; k++) {
            sums.vertices += model->surfaces[k].num_file_vertices;
            sums.triangles += model->surfaces[k].num_triangles;
        }
    }
    return sums;
}

bool document_surface(const document *d, uint32_t index, uint32_t *part, uint32_t *surface) {
    const lm_scene *scene = document_scene(d);
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        if (index < scene->parts[i].model->num_surfaces) {
            *part = i;
            *surface = index;
            return true;
        }
        index -= scene->parts[i].model->num_surfaces;
    }
    return false;
}

/* ---- Clips ----------------------------------------------------------------------------------- */

static void add_clip(GArray *clips, const char *name, const lm_clip *clip, uint32_t part,
                     bool all_frames) {
    document_clip added = {display_text(name), *clip, part, all_frames};
    g_array_append_val(clips, added);
}

/* Adds a clip of all frames of the first part, and of each other part that moves on its own. */
static void add_all_frames(const document *d, GArray *clips) {
    const lm_scene *scene = document_scene(d);
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_scene_part *part = &scene->parts[i];
        uint32_t frames = part->model->num_frames;
        lm_clip all = {.count = frames, .fps = LM_DEFAULT_FPS, .loop_frames = frames};
        g_autofree char *name = scene->num_parts == 1
                                    ? g_strdup(_("All frames"))
                                    : g_strdup_printf(TEXT_ALL_FRAMES_OF, d->part_names[i]);
        if (i == 0 || (frames > 1 && !part->follows))
            add_clip(clips, name, &all, i, true);
    }
}

uint32_t document_all_frames(const document *d, uint32_t part) {
    uint32_t found = d->num_clips - 1;
    for (uint32_t i = d->num_clips; i-- > 0 && d->clips[i].all_frames;) {
        found = i;
        if (d->clips[i].part == part)
            break;
    }
    return found;
}

/* Lists each clip name once, in the order of the parts; then all frames. */
static void list_clips(document *d) {
    const lm_scene *scene = document_scene(d);
    GArray *clips = g_array_new(FALSE, FALSE, sizeof(document_clip));
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (uint32_t part = 0; part < scene->num_parts; part++)
        for (uint32_t i = 0; i < scene->parts[part].num_clips; i++) {
            const lm_clip *clip = &scene->parts[part].clips[i];
            if (!scene->parts[part].follows && g_hash_table_add(seen, (void *)clip->name))
                add_clip(clips, clip->name, clip, part, false);
        }
    add_all_frames(d, clips);
    d->num_clips = clips->len;
    d->clips = (document_clip *)(void *)g_array_free(clips, FALSE);
}

/* ---- Textures -------------------------------------------------------------------------------- */

#define MAX_TEXELS 2048 /* per side: no screen shows more of a texture on a model */

/* Averages `step` x `step` texels to one. */
static void shrink_texel(const lm_scene_texture *from, uint32_t step, uint32_t x, uint32_t y,
                         uint8_t *out) {
    uint32_t end_x = MIN((x + 1) * step, from->width), end_y = MIN((y + 1) * step, from->height);
    uint32_t sums[4] = {0}, count = MAX((end_x - x * step) * (end_y - y * step), 1);
    for (uint32_t v = y * step; v < end_y; v++)
        for (uint32_t u = x * step; u < end_x; u++) {
            const uint8_t *texel = from->pixels + 4 * ((size_t)v * from->width + u);
            for (unsigned c = 0; c < 4; c++)
                sums[c] += texel[c];
        }
    for (unsigned c = 0; c < 4; c++)
        out[c] = (uint8_t)((sums[c] + count / 2) / count);
}

static void shrink(lm_scene_texture *texture) {
    lm_scene_texture from = *texture;
    uint32_t step = (MAX(from.width, from.height) - 1) / MAX_TEXELS + 1;
    texture->width = (from.width - 1) / step + 1;
    texture->height = (from.height - 1) / step + 1;
    uint8_t *out = g_malloc((size_t)texture->width * texture->height * 4);
    texture->pixels = out;
    for (uint32_t y = 0; y < texture->height; y++)
        for (uint32_t x = 0; x < texture->width; x++, out += 4)
            shrink_texel(&from, step, x, y, out);
}

static void shrink_images(document *d) {
    const lm_scene *scene = document_scene(d);
    lm_scene_texture *textures =
        g_memdup2(scene->textures, scene->num_textures * sizeof *scene->textures);
    for (uint32_t i = 0; i < scene->num_textures; i++)
        if (textures[i].pixels && MAX(textures[i].width, textures[i].height) > MAX_TEXELS)
            shrink(&textures[i]);
    d->drawn = *scene;
    d->drawn.textures = textures;
}

/* ---- Problems -------------------------------------------------------------------------------- */

uint32_t problem_locate(const lm_model *model, const lm_diagnostic *problem, GArray *triangles) {
    lm_buffer found = {0};
    uint32_t frame;
    if (lm_diagnostic_locate(model, problem, &found, &frame, NULL) && found.size > 0)
        g_array_append_vals(triangles, found.data,
                            (guint)(found.size / sizeof(lm_diagnostic_triangle)));
    lm_buffer_free(&found);
    return frame;
}

/* The problems of one report keep their order. */
static gint compare_problems(gconstpointer a, gconstpointer b) {
    const lm_diagnostic *x = *(const lm_diagnostic *const *)a,
                        *y = *(const lm_diagnostic *const *)b;
    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    return (x > y) - (x < y);
}

static void add_code(problem_groups *groups, uint32_t part, uint32_t first, uint32_t count) {
    const problem_row code = {PROBLEM_CODE, part, first, count};
    if (count > 1)
        g_array_append_val(groups->rows, code);
    for (uint32_t i = 0; i < count; i++) {
        const problem_row one = {PROBLEM_ONE, part, first + i, 1};
        g_array_append_val(groups->rows, one);
    }
}

static void add_part(problem_groups *groups, uint32_t part, const lm_report *report) {
    const uint32_t count = report ? report->num_problems : 0, begin = groups->order->len;
    uint32_t first = 0;
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();
    for (uint32_t i = 0; i < count; i++)
        g_ptr_array_add(sorted, (gpointer)&report->problems[i]);
    g_ptr_array_sort(sorted, compare_problems);
    for (uint32_t i = 1; i <= count; i++)
        if (i == count || ((const lm_diagnostic *)sorted->pdata[i])->code !=
                              ((const lm_diagnostic *)sorted->pdata[first])->code) {
            add_code(groups, part, begin + first, i - first);
            first = i;
        }
    g_ptr_array_extend(groups->order, sorted, NULL, NULL);
}

problem_groups problem_groups_new(lm_report *const *reports, uint32_t num_parts) {
    problem_groups groups = {g_ptr_array_new(), g_array_new(FALSE, FALSE, sizeof(problem_row))};
    for (uint32_t i = 0; i < num_parts; i++) {
        uint32_t count = reports[i] ? reports[i]->num_problems : 0;
        const problem_row heading = {PROBLEM_PART, i, groups.order->len, count};
        if (num_parts > 1)
            g_array_append_val(groups.rows, heading);
        add_part(&groups, i, reports[i]);
    }
    return groups;
}

void problem_groups_add(problem_groups *groups, const lm_diagnostic *problem) {
    const problem_row row = {PROBLEM_ONE, LM_NO_PART, groups->order->len, 1};
    g_ptr_array_add(groups->order, (gpointer)problem);
    g_array_append_val(groups->rows, row);
}

void problem_groups_clear(problem_groups *groups) {
    g_clear_pointer(&groups->order, g_ptr_array_unref);
    g_clear_pointer(&groups->rows, g_array_unref);
}

/* ---- Fixes ----------------------------------------------------------------------------------- */

uint32_t document_own_part(const document *d) {
    for (uint32_t i = 0; i < document_scene(d)->num_parts; i++)
        if (strcmp(d->assets->assets[i].path, d->request.path) == 0)
            return i;
    return 0;
}

char *document_clips_path(const document *d, uint32_t part) {
    const lm_asset *asset = &d->assets->assets[part];
    return asset->clips_path ? g_strdup(asset->clips_path)
                             : g_strconcat(asset->path, ".framegroups", NULL);
}

const lm_diagnostic *document_problem(const document *d, uint32_t row) {
    const problem_row *at = &g_array_index(d->problems.rows, problem_row, row);
    return g_ptr_array_index(d->problems.order, at->first);
}

const char *document_fix(const document *d, uint32_t row) {
    return row < d->fixes->len ? g_ptr_array_index(d->fixes, row) : NULL;
}

static char *find_fix(const document *d, lm_edit *edit, uint32_t row) {
    lm_buffer sentence = {0};
    char *text = NULL;
    if (lm_edit_can_fix(edit, document_problem(d, row), &sentence)) {
        lm_buffer_append(&sentence, "", 1);
        text = sentence.failed ? NULL : display_text((const char *)sentence.data);
    }
    lm_buffer_free(&sentence);
    return text;
}

/* Finds the fixes of all parts. The rows of a part follow one another. */
static void find_fixes(document *d) {
    lm_edit *edit = NULL;
    uint32_t part = LM_NO_PART;
    lm_error error;
    d->fixes = g_ptr_array_new_with_free_func(g_free);
    for (guint row = 0; row < d->problems.rows->len; row++) {
        const problem_row *at = &g_array_index(d->problems.rows, problem_row, row);
        if (at->part == LM_NO_PART) {
            g_ptr_array_add(d->fixes, NULL);
            continue;
        }
        if (at->part != part) {
            const lm_asset *asset = &d->assets->assets[at->part];
            lm_edit_free(edit);
            edit = lm_edit_open(asset->data, asset->size, NULL, &error);
            part = at->part;
        }
        const bool one = edit && at->kind == PROBLEM_ONE;
        g_ptr_array_add(d->fixes, one ? find_fix(d, edit, row) : NULL);
    }
    lm_edit_free(edit);
}

static void fill_parts(document *d) {
    const uint32_t count = document_scene(d)->num_parts;
    lm_error error;
    for (uint32_t i = 0; i < count; i++) {
        const lm_asset *asset = &d->assets->assets[i];
        d->part_names[i] = name_of_part(d, i);
        d->reports[i] = lm_check_memory(asset->data, asset->size, NULL, &error);
    }
    d->problems = problem_groups_new(d->reports, count);
    for (uint32_t i = 0; i < d->assets->num_diagnostics; i++)
        if (is_of_script(d, &d->assets->diagnostics[i]))
            problem_groups_add(&d->problems, &d->assets->diagnostics[i]);
}

static void fill(document *d) {
    const lm_scene *scene = document_scene(d);
    bool player = scene->num_parts > 1 && g_strcmp0(scene->parts[1].tag, "tag_torso") == 0;
    size_t length;
    const char *stem = lmi_vfs_stem(d->shared_vfs->vfs, path_of(d), &length);
    shrink_images(d);
    d->title = title_of(d, player);
    d->name = player ? g_strdup(d->title) : g_strndup(stem, length);
    d->file_name = display_file_name(d->title);
    fill_parts(d);
    find_fixes(d);
    d->missing_textures = describe_missing_textures(d->assets);
    d->notice = find_notice(d, d->missing_textures != NULL);
    d->skins = lm_assets_list_skins(d->assets, NULL);
    list_clips(d);
}

document *document_open(shared_vfs *from, const document_request *request, lm_error *error) {
    document *d = g_atomic_rc_box_new0(document);
    d->request = document_request_copy(request);
    d->shared_vfs = shared_vfs_ref(from);
    d->assets = open_assets(d, error);
    if (d->assets && d->assets->scene) {
        fill(d);
        if (d->skins)
            return d;
    }
    if (!d->assets || d->assets->scene)
        lm_fail_plain(error, LM_CODE_OK, "%s", TEXT_OUT_OF_MEMORY);
    document_unref(d);
    return NULL;
}

document *document_ref(document *d) {
    return g_atomic_rc_box_acquire(d);
}

static void clear(void *user) {
    document *d = user;
    for (uint32_t i = 0; i < d->num_clips; i++)
        g_free(d->clips[i].name);
    g_free(d->clips);
    g_free(d->name);
    g_free(d->title);
    g_free(d->file_name);
    g_free(d->missing_textures);
    g_free(d->notice);
    for (uint32_t i = 0; i < d->drawn.num_textures; i++)
        if (d->drawn.textures[i].pixels != document_scene(d)->textures[i].pixels)
            g_free((void *)d->drawn.textures[i].pixels);
    g_free((void *)d->drawn.textures);
    skeletons_free(d->skeletons, LM_MAX_PARTS);
    for (uint32_t i = 0; i < LM_MAX_PARTS; i++) {
        skeleton_bones_free(d->bones[i]);
        lm_report_free(d->reports[i]);
        g_free(d->part_names[i]);
    }
    lm_skin_choices_free(d->skins);
    problem_groups_clear(&d->problems);
    g_clear_pointer(&d->fixes, g_ptr_array_unref);
    lm_assets_free(d->assets);
    shared_vfs_unref(d->shared_vfs);
    document_request_clear(&d->request);
}

void document_unref(document *d) {
    if (d)
        g_atomic_rc_box_release_full(d, clear);
}

const lm_scene *document_scene(const document *d) {
    return d->assets->scene;
}

bool document_moves(const document *d) {
    const lm_scene *scene = document_scene(d);
    for (uint32_t i = 0; i < scene->num_parts; i++)
        if (scene->parts[i].model->num_frames > 1)
            return true;
    return false;
}

bool document_has_animated_shaders(const document *d) {
    const lm_scene *scene = document_scene(d);
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_scene_part *part = &scene->parts[i];
        for (uint32_t k = 0; part->num_skins > 0 && k < part->model->num_surfaces; k++) {
            const lm_shader *shader = part->skins[part->skin].materials[k].shader;
            lm_shader_summary summary = {.moves = false};
            if (shader)
                lm_shader_summarize(shader, &summary);
            if (summary.moves)
                return true;
        }
    }
    return false;
}

const lm_model *document_model(const document *d) {
    return d->assets->assets[0].model;
}

/* ---- Time ------------------------------------------------------------------------------------ */

uint32_t document_torso(const document *d) {
    const lm_scene *scene = document_scene(d);
    for (uint32_t i = 1; i < scene->num_parts; i++)
        if (g_strcmp0(scene->parts[i].tag, "tag_torso") == 0 && !scene->parts[i].follows &&
            scene->parts[i].num_clips > 0)
            return i;
    return LM_NO_PART;
}

bool document_is_weapon(const document *d) {
    return lmi_vfs_is_weapon(d->shared_vfs->vfs, d->assets->assets[0].path, true, NULL);
}

const char *document_torso_clip(const document *d, uint32_t row) {
    uint32_t part = document_torso(d);
    return part != LM_NO_PART && row > 0 && row <= document_scene(d)->parts[part].num_clips
               ? document_scene(d)->parts[part].clips[row - 1].name
               : NULL;
}

/* Returns the clip that the torso plays apart from the clip; NULL: none. */
static const lm_clip *find_torso(const document *d, uint32_t clip, const char *torso) {
    const uint32_t part = document_torso(d);
    return part == LM_NO_PART || d->clips[clip].part == part
               ? NULL
               : lm_scene_find_clip(document_scene(d), part, torso);
}

char *document_clip_names(const document *d, uint32_t clip, const char *torso) {
    const document_clip *named = &d->clips[clip];
    const char *name = named->all_frames ? NULL : named->clip.name;
    if (!find_torso(d, clip, torso))
        return g_strdup(name);
    return name ? g_strconcat(torso, "+", name, NULL) : g_strdup(torso);
}

void document_pose(const document *d, uint32_t clip, const char *torso, const lm_playback *play,
                   lm_pose *poses) {
    const document_clip *named = &d->clips[clip];
    g_autofree char *names = document_clip_names(d, clip, torso);
    lm_playback playback = *play;
    playback.clip = &named->clip;
    lm_playback_scene(&playback, document_scene(d), named->part, names, poses);
}

lm_playback document_clock(const document *d, uint32_t clip, const char *torso,
                           const lm_playback *play) {
    const lm_clip *own = find_torso(d, clip, torso);
    lm_playback clock = *play;
    const bool ends = clock.mode == LM_PLAY_ONCE || clock.clip->loop_frames == 0;
    const bool goes_on = own && own->loop_frames != 0 && clock.mode != LM_PLAY_ONCE;
    if (own && ends &&
        (goes_on || lm_clip_duration(own, clock.mode) > lm_clip_duration(clock.clip, clock.mode)))
        clock.clip = own;
    return clock;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void add_source(const document *d, GPtrArray *sources, const char *path) {
    size_t length = path ? lmi_vfs_archive_length(d->shared_vfs->vfs, path) : 0;
    g_autofree char *file = length > 0 ? g_strndup(path, length) : g_strdup(path);
    if (file && !g_ptr_array_find_with_equal_func(sources, file, g_str_equal, NULL) &&
        g_file_test(file, G_FILE_TEST_EXISTS))
        g_ptr_array_add(sources, g_steal_pointer(&file));
}

/* A composition in a script has a path below a file, so the first folder above it counts. */
char *document_folder(const document *d) {
    size_t archive = lmi_vfs_archive_length(d->shared_vfs->vfs, d->request.path);
    char *path = archive > 0 ? g_strndup(d->request.path, archive) : g_strdup(d->request.path);
    while (!g_file_test(path, G_FILE_TEST_IS_DIR) && strchr(path, '/')) {
        char *folder = g_path_get_dirname(path);
        g_free(path);
        path = folder;
    }
    return path;
}

char **document_sources(const document *d) {
    GPtrArray *sources = g_ptr_array_new();
    for (uint32_t i = 0; i < document_scene(d)->num_parts; i++) {
        const lm_asset *asset = &d->assets->assets[i];
        add_source(d, sources, asset->path);
        add_source(d, sources, asset->clips_path);
        add_source(d, sources, asset->tags_path);
        add_source(d, sources, asset->normals_path);
        for (uint32_t k = 0; k < asset->num_textures; k++)
            add_source(d, sources, asset->textures[k].path);
    }
    g_ptr_array_add(sources, NULL);
    return (char **)g_ptr_array_free(sources, FALSE);
}

void document_set_skeletons(document *d, lm_skeleton **found) {
    for (uint32_t i = 0; i < document_scene(d)->num_parts; i++) {
        d->skeletons[i] = g_steal_pointer(&found[i]);
        if (d->skeletons[i]->verdict != LM_SKELETON_REFUSED)
            d->bones[i] = skeleton_bones_new(d->skeletons[i]);
    }
}
