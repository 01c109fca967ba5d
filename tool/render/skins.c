/* Finding a model's skins and giving them to the driver. */
#include "lerpmesh/image.h"
#include "lerpmesh/skin.h"
#include "lerpmesh/texture.h"
#include "studio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PLACES 32
#define MAX_SKIN_FILE ((size_t)256 << 20)

/* Where skins may be: the model's folder, then those of --game. */
typedef struct wardrobe {
    lm_folder *folders[MAX_PLACES];
    lm_texture_place places[MAX_PLACES];
    lm_texture_search search;
} wardrobe;

static void add_folder(wardrobe *w, const char *path, const char *model_folder) {
    if (w->search.num_places == MAX_PLACES)
        return;
    uint32_t place = w->search.num_places;
    lm_folder *folder = lm_folder_open(path, NULL);
    if (!folder)
        return;
    w->folders[place] = folder;
    w->places[place] = (lm_texture_place){lm_folder_files(folder), model_folder};
    w->search.num_places++;
}

static void wardrobe_open(wardrobe *w, const render_settings *settings, const char *model_path) {
    char folder[4096];
    int length = (int)(tool_base_name(model_path) - model_path);
    const tool_args *args = settings->args;
    *w = (wardrobe){.search = {.places = w->places}};
    snprintf(folder, sizeof folder, "%.*s", length, length > 0 ? model_path : "");
    if (strcmp(model_path, "-") != 0)
        add_folder(w, length > 0 ? folder : ".", "");
    for (size_t i = 0; i < args->num_given; i++)
        if (args->given[i].option == TOOL_GAME)
            add_folder(w, args->given[i].value, NULL);
}

static void wardrobe_close(wardrobe *w) {
    for (uint32_t i = 0; i < w->search.num_places; i++)
        lm_folder_close(w->folders[i]);
}

/* ---- Pictures ------------------------------------------------------------------------------ */

static lm_gl_skin *upload(lm_gl *gl, const void *data, size_t size, lm_error *error) {
    lm_image *image = lm_image_read(data, size, NULL, error);
    if (!image)
        return NULL;
    lm_gl_image picture = {image->width, image->height, image->pixels};
    lm_gl_skin *skin = lm_gl_skin_new(gl, &picture, LM_GL_SMOOTH, error);
    lm_image_free(image);
    return skin;
}

/* A skin by its name in a model, NULL if there is none. One that cannot be used is a remark. */
static lm_gl_skin *find_skin(tool_job *job, const render_settings *settings, render_studio *s,
                             const wardrobe *w, const char *name) {
    lm_texture texture;
    lm_error error;
    lm_buffer data = {0};
    if (!*name || !lm_texture_find(&w->search, name, &texture)) {
        if (settings->verbose && *name)
            tool_say(job, "the skin %s was not found", name);
        return NULL;
    }
    const lm_files *files = w->places[texture.place].files;
    lm_gl_skin *skin = NULL;
    if (files->read(files->user, texture.path, MAX_SKIN_FILE, &data, &error))
        skin = upload(s->gl, data.data, data.size, &error);
    if (!skin && !settings->quiet)
        tool_say(job, "the skin %s/%s is not used: %s", files->name, texture.path, error.message);
    else if (skin && settings->verbose)
        tool_say(job, "wears %s/%s", files->name, texture.path);
    lm_buffer_free(&data);
    return skin;
}

/* ---- Which skin ---------------------------------------------------------------------------- */

/* MD2: the first listed skin that is there, else a picture with the model's own name. */
static void dress_whole(tool_job *job, const render_settings *settings, render_studio *s,
                        const wardrobe *w, render_sitter *sitter) {
    const lm_model *model = sitter->input->model;
    for (uint32_t i = 0; i < model->num_skins && !sitter->skin; i++)
        sitter->skin = find_skin(job, settings, s, w, model->skins[i]);
    if (sitter->skin || model->num_surfaces == 0 || model->surfaces[0].num_materials > 0)
        return;
    const char *file = tool_base_name(job->path);
    char name[LM_PATH_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)(tool_extension(file) - file), file);
    sitter->skin = find_skin(job, settings, s, w, name);
}

/* MDC, MD3: what each surface names, or what the .skin file says. */
static void dress_surfaces(tool_job *job, const render_settings *settings, render_studio *s,
                           const wardrobe *w, const lm_skin_file *skin_file,
                           render_sitter *sitter) {
    const lm_model *model = sitter->input->model;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        const lm_surface *surface = &model->surfaces[i];
        const char *path = skin_file ? lm_skin_path(skin_file, surface->name) : NULL;
        if (!path && surface->num_materials > 0)
            path = surface->materials[0].name;
        if (path)
            sitter->skins[i] = find_skin(job, settings, s, w, path);
    }
}

/* The file of --skin: a .skin file, or a picture for all surfaces. */
static bool dress_as_told(tool_job *job, const render_settings *settings, render_studio *s,
                          const wardrobe *w, const char *path, render_sitter *sitter) {
    lm_error error = {0};
    lm_file file;
    bool worn = lm_file_read(path, MAX_SKIN_FILE, &file, &error);
    if (!worn) {
        tool_fail(job, "--skin %s: %s", path, error.message);
        return false;
    }
    if (tool_same_extension(path, ".skin")) {
        lm_skin_file *skin_file = lm_skin_read(file.data, file.size, NULL, &error);
        worn = skin_file != NULL;
        if (worn)
            dress_surfaces(job, settings, s, w, skin_file, sitter);
        lm_skin_free(skin_file);
    } else {
        sitter->skin = upload(s->gl, file.data, file.size, &error);
        worn = sitter->skin != NULL;
    }
    if (!worn)
        tool_fail(job, "--skin %s: %s", path, error.message);
    lm_file_close(&file);
    return worn;
}

static bool dress(tool_job *job, const render_settings *settings, render_studio *s,
                  render_sitter *sitter) {
    const char *told = tool_value(settings->args, TOOL_SKIN);
    bool dressed = true;
    wardrobe w;
    if (told && strcmp(told, "none") == 0)
        return true;
    wardrobe_open(&w, settings, job->path);
    if (told) {
        dressed = dress_as_told(job, settings, s, &w, told, sitter);
    } else {
        dress_whole(job, settings, s, &w, sitter);
        dress_surfaces(job, settings, s, &w, NULL, sitter);
    }
    wardrobe_close(&w);
    return dressed;
}

bool sitter_open(tool_job *job, const render_settings *settings, render_studio *s,
                 const tool_input *input, render_sitter *out) {
    lm_error error;
    *out = (render_sitter){.input = input};
    out->model = lm_gl_model_new(s->gl, input->model, &error);
    if (!out->model) {
        tool_fail(job, "%s", error.message);
        return false;
    }
    out->skins = calloc(input->model->num_surfaces + (size_t)1, sizeof(lm_gl_skin *));
    if (!out->skins)
        tool_fail(job, "there is not enough memory");
    if (out->skins && dress(job, settings, s, out))
        return true;
    sitter_close(out);
    return false;
}

void sitter_close(render_sitter *sitter) {
    for (uint32_t i = 0; sitter->skins && i < sitter->input->model->num_surfaces; i++)
        lm_gl_skin_free(sitter->skins[i]);
    lm_gl_skin_free(sitter->skin);
    lm_gl_model_free(sitter->model);
    free(sitter->skins);
}
