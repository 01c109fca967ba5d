#include "info.h"
#include "text.h"

#include <string.h>

#define MAX_LISTED 256 /* names; real models have a few */

/* Calls `tell` with each texture that the model wears, once a name. */
typedef struct listing {
    const tool_lookup *lookup;
    void (*tell)(const tool_lookup *lookup, const tool_texture *texture, void *context);
    void *context;
    lm_buffer seen; /* names, each with its NUL */
    uint32_t num_seen;
} listing;

static bool is_seen(const listing *l, const char *name) {
    const char *text = (const char *)l->seen.data;
    for (size_t at = 0; at < l->seen.size; at += strlen(text + at) + 1)
        if (strcmp(text + at, name) == 0)
            return true;
    return false;
}

static void list_surface(listing *l, uint32_t surface, uint32_t skin) {
    tool_texture texture;
    if (l->lookup->input->model->surfaces[surface].num_triangles == 0 || l->num_seen == MAX_LISTED)
        return;
    tool_lookup_find(l->lookup, surface, skin, &texture);
    if (texture.name[0] == '\0' || is_seen(l, texture.name))
        return;
    lm_buffer_append(&l->seen, texture.name, strlen(texture.name) + 1);
    l->num_seen++;
    l->tell(l->lookup, &texture, l->context);
}

static void list(listing *l) {
    uint32_t num_skins = tool_lookup_skins(l->lookup);
    for (uint32_t skin = 0; skin < num_skins; skin++)
        for (uint32_t i = 0; i < l->lookup->input->model->num_surfaces; i++)
            list_surface(l, i, skin);
    lm_buffer_free(&l->seen);
}

/* "FOLDER/PATH", "ARCHIVE:PATH": as it would be given to the command. */
static void append_place(const tool_lookup *lookup, uint32_t place, const char *path,
                         lm_buffer *out) {
    const char *where = lookup->places[place].files->name;
    bool folder = lookup->opened[place].opened;
    bool ends = *where && where[strlen(where) - 1] == '/';
    lm_buffer_text(out, where);
    lm_buffer_text(out, !folder ? ":" : ends ? "" : "/");
    lm_buffer_text(out, path);
}

static void text_place(const tool_lookup *lookup, uint32_t place, const char *path,
                       lm_buffer *out) {
    lm_buffer whole = {0};
    append_place(lookup, place, path, &whole);
    lm_buffer_append(&whole, "", 1);
    if (!whole.failed)
        tool_text(out, (const char *)whole.data);
    lm_buffer_free(&whole);
}

/* ---- For people -------------------------------------------------------------------------------
 */

static void print_tried(const tool_lookup *lookup, const tool_texture *texture, lm_buffer *out) {
    char path[LM_PATH_SIZE];
    uint32_t place;
    lm_buffer_text(out, "        not found; tried\n");
    for (uint32_t i = 0; i < texture->result.num_tried &&
                         lm_texture_candidate(&lookup->search, texture->name, i, &place, path);
         i++) {
        lm_buffer_text(out, "          ");
        text_place(lookup, place, path, out);
        lm_buffer_text(out, "\n");
    }
}

static void print_texture(const tool_lookup *lookup, const tool_texture *texture, void *context) {
    lm_buffer *out = context;
    lm_buffer_text(out, "    ");
    tool_text(out, texture->name);
    lm_buffer_printf(out, " (from %s)\n", texture->source);
    if (texture->result.unsafe)
        lm_buffer_printf(out, "        [%s] the name leads out of where textures are looked up\n",
                         lm_code_name(LM_CODE_UNSAFE_PATH));
    if (texture->given)
        return;
    if (!texture->result.found) {
        print_tried(lookup, texture, out);
        return;
    }
    lm_buffer_text(out, "        found: ");
    text_place(lookup, texture->result.place, texture->result.path, out);
    lm_buffer_text(out, "\n");
}

void tool_info_textures(const tool_lookup *lookup, lm_buffer *out) {
    lm_buffer text = {0};
    listing l = {.lookup = lookup, .tell = print_texture, .context = &text};
    list(&l);
    if (text.size > 0) {
        lm_buffer_text(out, "\n  Textures\n");
        lm_buffer_append(out, text.data, text.size);
    }
    lm_buffer_free(&text);
}

/* ---- For programs -----------------------------------------------------------------------------
 */

static void json_place(lm_json *json, const char *key, const tool_lookup *lookup, uint32_t place,
                       const char *path) {
    lm_buffer whole = {0};
    append_place(lookup, place, path, &whole);
    lm_buffer_append(&whole, "", 1);
    lm_json_string(json, key, whole.failed ? NULL : (const char *)whole.data);
    lm_buffer_free(&whole);
}

static void json_texture(const tool_lookup *lookup, const tool_texture *texture, void *context) {
    lm_json *json = context;
    char path[LM_PATH_SIZE];
    uint32_t place;
    lm_json_open(json, NULL, '{');
    lm_json_string(json, "name", texture->name);
    if (texture->given)
        lm_json_string(json, "found", texture->name);
    else if (texture->result.found)
        json_place(json, "found", lookup, texture->result.place, texture->result.path);
    else
        lm_json_string(json, "found", NULL);
    lm_json_bool(json, "unsafe", texture->result.unsafe);
    lm_json_open(json, "tried", '[');
    for (uint32_t i = 0; !texture->given && i < texture->result.num_tried &&
                         lm_texture_candidate(&lookup->search, texture->name, i, &place, path);
         i++)
        json_place(json, NULL, lookup, place, path);
    lm_json_close(json);
    lm_json_close(json);
}

void tool_info_json_textures(const tool_lookup *lookup, lm_json *json) {
    listing l = {.lookup = lookup, .tell = json_texture, .context = json};
    lm_json_open(json, "textures", '[');
    list(&l);
    lm_json_close(json);
}
