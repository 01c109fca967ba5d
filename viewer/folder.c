#include "folder.h"
#include "display_text.h"
#include "internals.h"
#include "lerpmesh/check.h"
#include "lerpmesh/files.h"
#include "text.h"

#include <gio/gio.h>
#include <string.h>

/* ---- The sample ------------------------------------------------------------------------------ */

#define FOLDER "/org/lerpmesh/Viewer/samples/"

static char *resource_of(const char *path) {
    g_autofree char *lower = g_ascii_strdown(path, -1);
    return g_strconcat(FOLDER, lower, NULL);
}

static lm_find find(void *user, const char *path, char actual[LM_PATH_SIZE]) {
    g_autofree char *resource = resource_of(path);
    bool found = strchr(path, '/') == NULL && *path && strlen(path) < LM_PATH_SIZE &&
                 g_resources_get_info(resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL);
    if (found)
        g_strlcpy(actual, resource + strlen(FOLDER), LM_PATH_SIZE);
    return found ? LM_FIND_FILE : LM_FIND_NOTHING;
}

/* A sample is far below any limit. */
static bool read_sample(void *user, const char *path, size_t max_size, lm_buffer *out,
                        lm_error *error) {
    g_autofree char *resource = resource_of(path);
    g_autoptr(GBytes) bytes = g_resources_lookup_data(resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    if (!bytes)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "%s", TEXT_OUT_OF_MEMORY);
    lm_buffer_append(out, g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    return true;
}

/* ---- References ------------------------------------------------------------------------------ */

shared_vfs *shared_vfs_new(void) {
    static const lm_files samples = {.name = "samples", .find = find, .read = read_sample};
    shared_vfs *s = g_atomic_rc_box_new0(shared_vfs);
    s->vfs = lm_vfs_new(NULL, NULL);
    if (!s->vfs || !lm_vfs_mount(s->vfs, "lerpmesh-samples", &samples, NULL))
        g_error("%s", TEXT_OUT_OF_MEMORY);
    return s;
}

shared_vfs *shared_vfs_ref(shared_vfs *s) {
    return g_atomic_rc_box_acquire(s);
}

static void clear_vfs(void *user) {
    lm_vfs_free(((shared_vfs *)user)->vfs);
}

void shared_vfs_unref(shared_vfs *s) {
    if (s)
        g_atomic_rc_box_release_full(s, clear_vfs);
}

/* ---- Order ----------------------------------------------------------------------------------- */

static size_t digits(const char *text) {
    return strspn(text, "0123456789");
}

/* Sorts "a2" before "a10", case-insensitive. Names are bytes, not necessarily UTF-8. */
static int compare_names(const char *x, const char *y) {
    while (*x && *y) {
        size_t m = digits(x), n = digits(y);
        bool numbers = m > 0 && n > 0;
        size_t zeros_x = numbers ? strspn(x, "0") : 0, zeros_y = numbers ? strspn(y, "0") : 0;
        int order = numbers && m - zeros_x != n - zeros_y
                        ? (m - zeros_x > n - zeros_y ? 1 : -1)
                        : g_ascii_tolower(x[zeros_x]) - g_ascii_tolower(y[zeros_y]);
        if (numbers && order == 0)
            order = strncmp(x + zeros_x, y + zeros_y, m - zeros_x);
        if (order)
            return order;
        x += numbers ? m : 1;
        y += numbers ? n : 1;
    }
    return (int)(*x != 0) - (int)(*y != 0);
}

static int compare_models(const void *a, const void *b) {
    const char *x = ((const folder_model *)a)->path, *y = ((const folder_model *)b)->path;
    int order = compare_names(x, y);
    return order ? order : strcmp(x, y);
}

/* ---- Lists ----------------------------------------------------------------------------------- */

static void clear_model(void *user) {
    folder_model *model = user;
    g_free(model->path);
    g_free(model->problem);
}

static GArray *new_list(void) {
    GArray *list = g_array_new(FALSE, FALSE, sizeof(folder_model));
    g_array_set_clear_func(list, clear_model);
    return list;
}

/* Lists the models in the folder of `path`, whose spelling stays. */
static GArray *siblings(lm_vfs *vfs, const char *path) {
    GArray *list = new_list();
    g_autofree char *folder = g_path_get_dirname(path);
    char body[4096] = "";
    size_t before = strrchr(path, '/') ? (size_t)(strrchr(path, '/') + 1 - path) : 0;
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    bool known = lmi_vfs_is_player_folder(vfs, folder) &&
                 lm_vfs_find_player(vfs, folder, body, sizeof body, NULL);
    const char *player = known ? lmi_vfs_base_name(vfs, body) : "";
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        folder_model sibling = {.path = g_strdup_printf("%.*s%s", (int)before, path, name),
                                .player = strcmp(name, player) == 0};
        sibling.player = sibling.player || lmi_vfs_is_weapon(vfs, sibling.path, true, NULL);
        bool wanted =
            strcmp(sibling.path, path) == 0 || (lm_format_by_extension(name) && name[0] != '.' &&
                                                g_file_test(sibling.path, G_FILE_TEST_IS_REGULAR));
        if (wanted)
            g_array_append_val(list, sibling);
        else
            clear_model(&sibling);
    }
    g_array_sort(list, compare_models);
    return list;
}

/* ---- Arguments ------------------------------------------------------------------------------- */

/* Expands folders and archives to their models, players first. A path without any models stays, so
 * that opening it reports the reason. */
static GArray *expanded(lm_vfs *vfs, const char *const *paths, char **message) {
    GArray *list = new_list();
    for (; *paths; paths++) {
        lm_path_list *models = lm_vfs_list(vfs, *paths, LM_LIST_MODELS, NULL);
        uint32_t count = models ? models->num_paths : 0;
        if (list->len == 0 && count == 1 && models->paths[0].problem)
            *message = g_strdup(models->paths[0].problem->message);
        for (unsigned rest = 0; rest < 2; rest++)
            for (uint32_t i = 0; i < count; i++) {
                const lm_listed_path *listed = &models->paths[i];
                folder_model model = {.player = listed->player != NULL};
                if (model.player == (rest == 1))
                    continue;
                model.path = g_strdup(listed->path);
                model.problem = listed->problem ? display_message(listed->problem->code,
                                                                  listed->problem->message)
                                                : NULL;
                g_array_append_val(list, model);
            }
        lm_path_list_free(models);
    }
    if (list->len != 1)
        g_clear_pointer(message, g_free);
    return list;
}

/* Returns a path into an archive in the archive's own spelling; NULL: there is no such member. */
static char *member_of(lm_vfs *vfs, const char *path, size_t archive) {
    lm_archive *opened = lmi_vfs_archive(vfs, path, archive, NULL);
    const lm_member *member = opened ? lm_archive_find(opened, path + archive + 1) : NULL;
    return member ? g_strdup_printf("%.*s:%s", (int)archive, path, member->path) : NULL;
}

static const char *path_at(const GArray *list, guint index) {
    return g_array_index(list, folder_model, index).path;
}

/* A player's folder begins with the player, not with a model of a subfolder. */
static char *first_of(lm_vfs *vfs, const GArray *list, const char *path) {
    char body[4096];
    bool player = !lm_archive_is(path) && lm_vfs_find_player(vfs, path, body, sizeof body, NULL) &&
                  folder_index(list, body) >= 0;
    return g_strdup(player ? body : list->len > 0 ? path_at(list, 0) : path);
}

folder_listing folder_list(lm_vfs *vfs, const char *const *paths) {
    const char *path = paths[0];
    folder_listing listing = {0};
    size_t archive = paths[1] ? 0 : lmi_vfs_archive_length(vfs, path);
    const bool script = lmi_vfs_is_script(vfs, path);
    if (archive > 0 && !script)
        listing.first = member_of(vfs, path, archive);
    if (listing.first) {
        g_autofree char *root = g_strndup(path, archive);
        listing.models = expanded(vfs, (const char *const[]){root, NULL}, &listing.message);
    } else if (paths[1] || archive > 0 || script || lmi_vfs_is_folder(vfs, path) ||
               lm_archive_is(path)) {
        listing.several = true;
        listing.models = expanded(vfs, paths, &listing.message);
        listing.first = first_of(vfs, listing.models, path);
    } else {
        listing.models = siblings(vfs, path);
        listing.first = g_strdup(path);
    }
    return listing;
}

void folder_listing_clear(folder_listing *listing) {
    g_clear_pointer(&listing->models, g_array_unref);
    g_free(listing->first);
    g_free(listing->message);
    *listing = (folder_listing){0};
}

/* ---- Search ---------------------------------------------------------------------------------- */

bool folder_equal(const GArray *a, const GArray *b) {
    bool equal = a && b && a->len == b->len;
    for (guint i = 0; equal && i < a->len; i++) {
        const folder_model *x = &g_array_index(a, folder_model, i),
                           *y = &g_array_index(b, folder_model, i);
        equal = strcmp(x->path, y->path) == 0 && x->player == y->player;
    }
    return equal;
}

int folder_index(const GArray *list, const char *path) {
    for (guint i = 0; list && i < list->len; i++)
        if (strcmp(path_at(list, i), path) == 0)
            return (int)i;
    return -1;
}

folder_model *folder_find(GArray *list, const char *path) {
    int index = folder_index(list, path);
    return index < 0 ? NULL : &g_array_index(list, folder_model, index);
}

/* ---- Facts ----------------------------------------------------------------------------------- */

static void add_file(model_facts *facts, const void *data, size_t size) {
    lm_report *report = lm_check_memory(data, size, NULL, NULL);
    facts->size += size;
    facts->problems += report ? report->num_errors + report->num_warnings : 0;
    lm_report_free(report);
}

static void add_scene(model_facts *facts, const lm_assets *assets) {
    const lm_scene *scene = assets->scene;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_model *model = scene->parts[i].model;
        for (uint32_t k = 0; k < model->num_surfaces; k++)
            facts->triangles += model->surfaces[k].num_triangles;
        add_file(facts, assets->assets[i].data, assets->assets[i].size);
    }
    facts->frames = scene->num_parts > 0 ? scene->parts[0].model->num_frames : 0;
}

model_facts model_facts_read(lm_vfs *vfs, const char *path, bool player) {
    model_facts facts = {0};
    lm_error error;
    lm_buffer file = {0};
    const lm_assets_options options = {
        .load.normals = LM_NORMALS_AUTO, .related = player, .images = LM_IMAGES_NONE};
    lm_assets *assets = lm_assets_open(vfs, path, &options, &error);
    if (assets && assets->scene) {
        add_scene(&facts, assets);
    } else {
        facts.damage = display_message(error.code, error.message);
        if (lm_vfs_read(vfs, path, 0, &file, &error)) {
            add_file(&facts, file.data, file.size);
            lm_buffer_free(&file);
        }
    }
    lm_assets_free(assets);
    return facts;
}

void model_facts_clear(model_facts *facts) {
    g_free(facts->damage);
    *facts = (model_facts){0};
}
