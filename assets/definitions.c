/* What the files of two more families of games define for a model: md2.cfg and md3.cfg of Cube,
 * Sauerbraten and AssaultCube, in the model's folder, and MODELDEF of GZDoom, in the root of a
 * project. They are read as .skin files and clips files are. Safe on any bytes. */
#include "parts.h"

#include "core/text.h"
#include "files/file.h"
#include "shaders/tokens.h"
#include "texture_names.h"

#include <stdio.h>
#include <string.h>

#define ALL_SURFACES UINT32_MAX

/* ---- GZDoom ---------------------------------------------------------------------------------- */

#define MAX_MODELS 32              /* of an actor; later ones are ignored */
#define MAX_INCLUDES 64            /* files in all, per project */
#define MAX_TEXT ((size_t)4 << 20) /* of all of them, in bytes */
#define MAX_IMAGES 65536           /* that are found by their names */
#define MAX_DEPTH 16               /* of folders with images */

/* A skin, or a frame, of a model. */
typedef struct lm_definition {
    const char *model;  /* the path, clean; NULL: the actor has no such model */
    uint32_t index;     /* of the model in its actor */
    uint32_t surface;   /* of a skin */
    const char *skin;   /* a texture name; NULL: this is a frame */
    const char *sprite; /* of a frame: the name of the clip */
    const char *frame;  /* its number or name */
    bool is_named;
    uint32_t next; /* 1 + index of the next one of the same model; 0: none */
} lm_definition;

/* A project: a folder or an archive with a file that only GZDoom reads in its root. */
typedef struct lm_project {
    bool is_gzdoom;
    lm_definition *definitions; /* in the order of the files */
    size_t num_definitions, capacity;
    lm_names by_model;   /* to the index + 1 of the first definition */
    const char *path;    /* of the first MODELDEF, as for lm_vfs_read; NULL: none */
    const char *problem; /* of the first that cannot be read; NULL: none */
    lm_code code;
    const char **images;
    size_t num_images, image_capacity;
    lm_names by_name; /* of the images, without folder and extension; to the index + 1 */
} lm_project;

typedef struct reading {
    lm_project *project;
    lm_arena *arena;
    const lm_source *source;
    lm_tokens *tokens;
    const char *folder; /* of files in the actor that is read, or of the images that are listed */
    const char *models[MAX_MODELS];
    size_t size;
    unsigned num_files, depth;
} reading;

/* Returns FOLDER/NAME as a clean path; the name itself if that is none. */
static const char *place(lm_arena *arena, const char *folder, const char *name) {
    char path[LM_PATH_SIZE];
    const char *full = *folder ? lmi_arena_printf(arena, "%s/%s", folder, name) : name;
    return full ? lmi_copy_text(arena, lmi_path_clean(full, path) ? path : name) : NULL;
}

static bool next_number(reading *r, uint32_t *number) {
    const bool found = lmi_tokens_next(r->tokens);
    const float value = lmi_tokens_number(r->tokens);
    *number = value > 0 && value < 65536 ? (uint32_t)value : 0;
    return found && r->tokens->word[0] >= '0' && r->tokens->word[0] <= '9';
}

static void add_definition(reading *r, const lm_definition *definition) {
    lm_project *p = r->project;
    if (lmi_arena_grow(r->arena, &p->definitions, &p->capacity, p->num_definitions + 1,
                       sizeof *p->definitions))
        p->definitions[p->num_definitions++] = *definition;
}

static const char *next_word(reading *r) {
    return lmi_tokens_next(r->tokens) ? lmi_copy_text(r->arena, r->tokens->word) : NULL;
}

/* Reads one property of an actor, from its name on. */
static void read_property(reading *r) {
    lm_tokens *t = r->tokens;
    lm_definition d = {.surface = ALL_SURFACES};
    const bool surface = lmi_tokens_is(t, "SurfaceSkin");
    d.is_named = lmi_tokens_is(t, "Frame");
    if (lmi_tokens_is(t, "Path")) {
        r->folder = next_word(r);
    } else if (lmi_tokens_is(t, "Model")) {
        if (next_number(r, &d.index) && lmi_tokens_next(t) && d.index < MAX_MODELS)
            r->models[d.index] = place(r->arena, r->folder, t->word);
    } else if (surface || lmi_tokens_is(t, "Skin")) {
        if (next_number(r, &d.index) && (!surface || next_number(r, &d.surface)) &&
            lmi_tokens_next(t) && t->word[0]) {
            d.skin = place(r->arena, r->folder, t->word);
            add_definition(r, &d);
        }
    } else if (d.is_named || lmi_tokens_is(t, "FrameIndex")) {
        d.sprite = next_word(r);
        if (d.sprite && lmi_tokens_next(t) && next_number(r, &d.index) &&
            (d.frame = next_word(r)) != NULL)
            add_definition(r, &d);
    }
    r->folder = r->folder ? r->folder : "";
}

/* Reads "Model ACTOR { ... }" from the opening brace on. */
static void read_actor(reading *r) {
    const size_t first = r->project->num_definitions;
    memset((void *)r->models, 0, sizeof r->models);
    r->folder = "";
    while (lmi_tokens_next(r->tokens) && !lmi_tokens_is(r->tokens, "}"))
        read_property(r);
    for (size_t i = first; i < r->project->num_definitions; i++) {
        lm_definition *d = &r->project->definitions[i];
        d->model = d->index < MAX_MODELS ? r->models[d->index] : NULL;
    }
}

/* Reads a MODELDEF and the files that it includes. */
// NOLINTNEXTLINE(misc-no-recursion): MAX_INCLUDES bounds the depth
static void read_modeldef(reading *r, const char *name) {
    char clean[LM_PATH_SIZE], actual[LM_PATH_SIZE];
    const lm_files *files = r->source->files;
    lm_buffer text = {.allocator = r->arena->heap->allocator};
    lm_error error;
    if (r->num_files++ >= MAX_INCLUDES || r->size >= MAX_TEXT || !lmi_path_clean(name, clean) ||
        files->find(files->user, clean, actual) != LM_FIND_FILE)
        return;
    if (!lmi_view_read(files, actual, MAX_TEXT - r->size, &text, &error)) {
        const bool first = !lmi_ran_out(r->arena, &error) && !r->project->problem;
        if (first)
            r->project->problem =
                lmi_arena_printf(r->arena, "cannot use %s: %s", actual, error.message);
        r->project->code = first ? error.code : r->project->code;
        return;
    }
    r->size += text.size;
    if (!r->project->path)
        r->project->path = lmi_source_path(r->source, actual, r->arena);
    lm_tokens tokens = {.at = text.size ? (const char *)text.data : "", .line = 1, .marks = "{}"};
    tokens.end = tokens.at + text.size;
    lm_tokens *const outer = r->tokens;
    r->tokens = &tokens;
    while (lmi_tokens_next(&tokens) && !lmi_arena_failed(r->arena)) {
        const bool include = lmi_tokens_is(&tokens, "#include");
        if (include && lmi_tokens_argument(&tokens)) {
            read_modeldef(r, tokens.word);
            r->tokens = &tokens;
        } else if (lmi_tokens_is(&tokens, "{")) {
            read_actor(r);
        }
    }
    r->tokens = outer;
    lm_buffer_free(&text);
}

/* Returns whether a file in a root is one of GZDoom's lumps: their extension does not count. */
static bool is_lump(const char *name, const char *lump) {
    const size_t length = strlen(lump);
    return lmi_begins_same(name, lump, length) && (name[length] == '\0' || name[length] == '.');
}

static bool each_in_root(void *caller, const char *name, bool is_folder) {
    static const char *const lumps[] = {"modeldef", "zscript", "decorate",
                                        "gldefs",   "mapinfo", "zmapinfo"};
    reading *r = caller;
    for (size_t i = 0; !is_folder && i < sizeof lumps / sizeof *lumps; i++)
        r->project->is_gzdoom = r->project->is_gzdoom || is_lump(name, lumps[i]);
    if (!is_folder && is_lump(name, "modeldef"))
        read_modeldef(r, name);
    return !lmi_arena_failed(r->arena);
}

/* Adds the images in a folder, which GZDoom finds by their names alone. */
// NOLINTNEXTLINE(misc-no-recursion): MAX_DEPTH bounds the depth
static bool each_image(void *caller, const char *name, bool is_folder) {
    reading *r = caller;
    lm_project *p = r->project;
    const char *folder = r->folder, *path = lmi_arena_printf(r->arena, "%s/%s", folder, name);
    lm_error error;
    unsigned rank;
    const size_t stem = lmi_image_stem(name, &rank);
    if (!path || p->num_images >= MAX_IMAGES)
        return false;
    if (is_folder && r->depth < MAX_DEPTH) {
        r->folder = path;
        r->depth++;
        if (!lmi_view_list(r->source->files, path, each_image, r, &error))
            lmi_ran_out(r->arena, &error);
        r->depth--;
        r->folder = folder;
    } else if (!is_folder && name[stem] &&
               lmi_arena_grow(r->arena, &p->images, &p->image_capacity, p->num_images + 1,
                              sizeof(const char *))) {
        const char *key = lmi_arena_text(r->arena, name, stem);
        lm_name *known = key ? lmi_names_put(&p->by_name, key) : NULL;
        p->images[p->num_images++] = path;
        if (known && known->number == 0)
            known->number = (uint32_t)p->num_images;
    }
    return !lmi_arena_failed(r->arena);
}

/* Puts the element `index` before those of its name. Returns 1 + the next of them; 0: none. */
static uint32_t chain(lm_names *names, const char *text, uint32_t index) {
    lm_name *name = lmi_names_put(names, text);
    const uint32_t next = name ? name->number : 0;
    if (name)
        name->number = index + 1;
    return next;
}

static void index_definitions(lm_project *p) {
    for (size_t i = p->num_definitions; i-- > 0;) {
        lm_definition *d = &p->definitions[i];
        if (d->model)
            d->next = chain(&p->by_model, d->model, (uint32_t)i);
    }
}

static bool open_project(const lm_request *request, void *object, lm_error *error) {
    static const char *const folders[] = {"textures", "sprites", "graphics", "patches"};
    lm_project *project = object;
    reading r = {.project = project, .arena = lmi_arena_of(object), .source = request->context};
    const lm_files *files = r.source->files;
    lm_error problem;
    (void)error;
    project->by_name = project->by_model = (lm_names){.arena = r.arena, .any_case = true};
    if (files->list && !lmi_view_list(files, "", each_in_root, &r, &problem))
        lmi_ran_out(r.arena, &problem);
    index_definitions(project);
    for (size_t i = 0; project->is_gzdoom && i < sizeof folders / sizeof *folders; i++) {
        r.folder = folders[i];
        if (!lmi_view_list(files, folders[i], each_image, &r, &problem))
            lmi_ran_out(r.arena, &problem);
    }
    return true;
}

/* Returns the project in a source; NULL: it is none, or there is no memory. */
static const lm_project *project_of(lm_context *c, const lm_source *source) {
    static const lm_opener opener = {LM_CACHED_PROJECT, sizeof(lm_project), open_project, NULL};
    lm_error error = {0};
    const lm_project *project =
        lmi_vfs_open_once(&opener, &(lm_request){c->vfs, source->files->name, source}, &error);
    lmi_arena_out_of_memory(c->arena, !project);
    if (project && project->problem) /* once, as all equal diagnostics */
        lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_WARNING, project->code, c->path, "%s",
                        project->problem);
    return project && project->is_gzdoom ? project : NULL;
}

void lmi_texture_find_by_name(lm_context *c, const lm_search_path *search, const char *name,
                              lm_texture *texture) {
    char base[LM_PATH_SIZE];
    unsigned rank;
    lmi_path_base_name(name, base);
    base[lmi_image_stem(base, &rank)] = '\0';
    for (uint32_t i = 0; *base && !texture->found && i < search->count; i++) {
        const lm_project *p = project_of(c, &search->sources[i]);
        const lm_name *known = p ? lmi_names_find(&p->by_name, base) : NULL;
        const char *path = known && known->number ? p->images[known->number - 1] : "";
        const lm_files *files = search->sources[i].files;
        texture->found = *path && strlen(path) < LM_PATH_SIZE &&
                         files->find(files->user, path, texture->path) == LM_FIND_FILE;
        texture->source = i;
    }
}

/* Returns the project that defines a model, the model's path there, and the index + 1 of its first
 * definition. */
static const lm_project *find_project(const lm_parts *all, uint32_t part, const char **model,
                                      size_t *first) {
    lm_context *c = all->context;
    const lm_search_path *search = &all->search[part];
    const char *file = lmi_vfs_base_name(c->vfs, all->files[part].path);
    for (uint32_t i = 0; i < search->count; i++) {
        const lm_source *source = &search->sources[i];
        const lm_project *p = source->folder ? project_of(c, source) : NULL;
        *model = p ? place(c->arena, source->folder, file) : NULL;
        const lm_name *name = *model ? lmi_names_find(&p->by_model, *model) : NULL;
        *first = name ? name->number : 0;
        if (*first > 0)
            return p;
    }
    return NULL;
}

/* Appends the frames of a clip as a line of a .framegroups file. */
static void end_clip(lm_names *names, const char *sprite, uint32_t first, uint32_t count,
                     lm_buffer *text) {
    const size_t size = sprite ? strlen(sprite) + LM_NAME_ROOM : 0;
    char *name = sprite && *sprite ? lmi_arena_alloc(names->arena, size, 1) : NULL;
    if (!name || count == 0)
        return;
    memcpy(name, sprite, strlen(sprite) + 1);
    name = lmi_names_unique(names, name);
    if (name)
        lm_buffer_printf(text, "%u %u %g 1 // %s\n", (unsigned)first, (unsigned)count,
                         (double)LM_DEFAULT_FPS, name);
}

/* Returns the frame that a definition shows; the number of frames or more: there is none. `frames`:
 * the model's by their names, filled when it is needed. */
static uint32_t frame_of(const lm_definition *d, const lm_model *model, lm_names *frames) {
    uint32_t frame = 0;
    if (!d->is_named) {
        for (const char *at = d->frame; *at >= '0' && *at <= '9' && frame < model->num_frames;)
            frame = 10 * frame + (uint32_t)(*at++ - '0');
        return frame;
    }
    for (uint32_t i = 0; frames->count == 0 && i < model->num_frames; i++) {
        lm_name *name = lmi_names_put(frames, model->frames[i].name);
        if (name && name->number == 0)
            name->number = i + 1;
    }
    const lm_name *name = lmi_names_find(frames, d->frame);
    return name ? name->number - 1 : model->num_frames;
}

const char *lmi_project_clips(const lm_parts *all, uint32_t part, lm_buffer *text) {
    const char *path;
    const lm_model *model = all->files[part].model;
    size_t at;
    const lm_project *p = find_project(all, part, &path, &at);
    lm_names names = {.arena = all->context->arena},
             frames = {.arena = all->context->arena, .any_case = true};
    const char *sprite = NULL;
    uint32_t first = 0, count = 0;
    for (const lm_definition *d; p && at > 0; at = d->next) {
        d = &p->definitions[at - 1];
        if (d->skin)
            continue;
        const uint32_t frame = frame_of(d, model, &frames);
        if (frame >= model->num_frames) {
            lmi_context_add(
                all->context, LM_SUBJECT_CLIPS, LM_SEVERITY_WARNING, LM_CODE_CLIP_FRAMES, p->path,
                "frame %s of sprite %s does not exist: %s has %u frame%s", d->frame, d->sprite,
                path, (unsigned)model->num_frames, model->num_frames == 1 ? "" : "s");
            continue;
        }
        /* A sprite may repeat a frame. Frames that are not consecutive begin another clip. */
        const bool same = sprite && lmi_same_text(sprite, d->sprite);
        if (same && frame + 1 == first + count)
            continue;
        if (same && frame == first + count) {
            count++;
            continue;
        }
        end_clip(&names, sprite, first, count, text);
        sprite = d->sprite;
        first = frame;
        count = 1;
    }
    end_clip(&names, sprite, first, count, text);
    return p && text->size > 0 ? p->path : NULL;
}

/* ---- Cube ------------------------------------------------------------------------------------ */

/* Reads the skins of md2.cfg or md3.cfg: "md3load FILE", then "md3skin SURFACE IMAGE" for each of
 * its surfaces, "*" for all; the surface of an MD2 may be missing. */
static void read_cube(lm_context *c, const lm_source *source, const char *file, lm_tokens *t,
                      lm_texture_names *n) {
    const char digit = n->model->features & LM_FEATURE_SURFACES ? '3' : '2';
    const char load[] = {'m', 'd', digit, 'l', 'o', 'a', 'd', 0},
               skin[] = {'m', 'd', digit, 's', 'k', 'i', 'n', 0};
    bool is_loaded = true, all_defined = false;
    uint32_t *next = lmi_arena_zeros(c->arena, n->model->num_surfaces, sizeof *next);
    lm_names surfaces = {.arena = c->arena, .any_case = true};
    if (!next)
        return;
    for (uint32_t i = n->model->num_surfaces; i-- > 0;)
        next[i] = chain(&surfaces, n->model->surfaces[i].name, i);
    while (lmi_tokens_next(t) && !lmi_arena_failed(c->arena)) {
        char base[LM_PATH_SIZE];
        if (lmi_tokens_is(t, load) && lmi_tokens_argument(t)) {
            lmi_path_base_name(t->word, base);
            is_loaded = lmi_same_text(base, file);
        }
        if (!is_loaded || !lmi_tokens_is(t, skin) || !lmi_tokens_argument(t))
            continue;
        const char *surface = lmi_copy_text(c->arena, t->word), *image = surface;
        if (lmi_tokens_argument(t))
            image = t->word;
        else
            surface = "*";
        const char *end = image && *image == '<' ? strchr(image, '>') : NULL; /* <dds>a.png */
        image = image ? place(c->arena, source->folder, end ? end + 1 : image) : NULL;
        if (!image || !*image || !surface)
            continue;
        const lm_name *name = lmi_names_find(&surfaces, surface);
        for (uint32_t i = name ? name->number : 0; i > 0; i = next[i - 1])
            n->defined[i - 1] = image;
        const bool defines_all = strcmp(surface, "*") == 0 && !all_defined;
        for (uint32_t i = 0; defines_all && i < n->model->num_surfaces; i++)
            n->defined[i] = n->defined[i] ? n->defined[i] : image;
        all_defined = all_defined || defines_all;
    }
}

static bool find_cube(lm_context *c, lm_texture_names *n) {
    const bool surfaces = n->model->features & LM_FEATURE_SURFACES;
    char actual[LM_PATH_SIZE];
    const lm_source *source =
        lmi_search_path_find(n->search, surfaces ? "md3.cfg" : "md2.cfg", c->arena, actual);
    lm_buffer text = {.allocator = *lmi_vfs_memory(c->vfs)};
    const char *path;
    lm_error error;
    if (!source)
        return false;
    if (!lmi_view_read(source->files, actual, LM_MAX_TEXT_FILE, &text, &error)) {
        path = lmi_ran_out(c->arena, &error) ? NULL : lmi_source_path(source, actual, c->arena);
        if (path)
            lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_WARNING, error.code, path,
                            "cannot use its skins: %s", error.message);
        return false;
    }
    lm_tokens tokens = {.at = text.size ? (const char *)text.data : "", .line = 1, .marks = ";"};
    tokens.end = tokens.at + text.size;
    read_cube(c, source, lmi_vfs_base_name(c->vfs, n->path), &tokens, n);
    lm_buffer_free(&text);
    n->skin_path = lmi_source_path(source, actual, c->arena);
    return true;
}

void lmi_texture_names_define(const lm_parts *all, uint32_t part, lm_texture_names *n) {
    lm_context *c = all->context;
    const uint32_t count = n->model->num_surfaces;
    const char *path;
    n->defined = lmi_arena_zeros(c->arena, count + (uint64_t)1, sizeof(const char *));
    if (!n->defined || n->model->embedded_skins || find_cube(c, n))
        return;
    size_t first;
    const lm_project *p = find_project(all, part, &path, &first);
    const char *of_all = NULL;
    /* Skins of single surfaces precede that of all. Of several actors, the first counts. */
    for (size_t at = p ? first : 0; at > 0; at = p->definitions[at - 1].next) {
        const lm_definition *d = &p->definitions[at - 1];
        if (!d->skin)
            continue;
        if (d->surface == ALL_SURFACES)
            of_all = of_all ? of_all : d->skin;
        else if (d->surface < count && !n->defined[d->surface])
            n->defined[d->surface] = d->skin;
        n->skin_path = p->path;
    }
    for (uint32_t s = 0; of_all && s < count; s++)
        n->defined[s] = n->defined[s] ? n->defined[s] : of_all;
}
