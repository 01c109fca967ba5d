/* From a surface's name to the shader that a script gives it, with its pictures. */
#include "opening.h"

#include "shaders/reading.h"
#include "system.h"

#include <string.h>

/* ---- Finding ------------------------------------------------------------------------------- */

static bool has_damage(const lm_scripts *scripts) {
    return scripts->num_damaged > 0 || scripts->problem;
}

/* Names in what was not read are missed by nobody else. */
static void note_damage(lm_opening *o, const lm_scripts *scripts) {
    for (uint32_t i = 0; i < scripts->num_files; i++) {
        const lm_scripts_file *file = &scripts->files[i];
        if (file->script->damage)
            lm_note(o, LM_SUBJECT_TEXTURE, LM_WARNING, LM_CODE_SHADER_WORD, file->path,
                    "line %u: %s; ioquake3 leaves the script out",
                    (unsigned)file->script->damage_line, file->script->damage);
    }
    if (scripts->problem)
        lm_note(o, LM_SUBJECT_TEXTURE, LM_WARNING, scripts->problem_code, scripts->problem_path,
                "%s", scripts->problem);
}

/* Of a player's parts the first that asks is told. */
static bool is_told(const lm_opening *o, const lm_scripts *scripts) {
    for (uint32_t part = 0; part < o->scene.num_parts; part++) {
        const lm_lookup *other = &o->states[part].lookup;
        for (uint32_t i = 0; i < other->num_scripts; i++)
            if (other->scripts[i] == scripts)
                return true;
    }
    return false;
}

/* The model's own archive is a place as the games are, but its folder is none. */
static bool open_places(lm_opening *o, lm_lookup *lookup) {
    if (lookup->scripts)
        return true;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what is wanted
    lookup->scripts = lm_pool_get(&o->pool, lookup->search.num_roots, sizeof *lookup->scripts);
    for (uint32_t i = 0; lookup->scripts && i < lookup->search.num_roots; i++) {
        const lm_shelf *shelf = &lookup->shelves[i];
        if (i == lookup->own && !shelf->archive)
            continue;
        const lm_scripts *scripts = lm_disk_scripts(o->disk, shelf);
        o->pool.failed = o->pool.failed || !scripts;
        if (!scripts || (scripts->num_files == 0 && !scripts->problem))
            continue;
        if (has_damage(scripts) && !is_told(o, scripts))
            note_damage(o, scripts);
        lookup->scripts[lookup->num_scripts++] = scripts;
    }
    return !o->pool.failed;
}

static size_t stem_length(const char *name) {
    const char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
    return dot && dot > (slash ? slash : name) ? (size_t)(dot - name) : strlen(name);
}

/* The engines ask for a name without its extension; Wolfenstein's with '/' for '\\'. */
static const lm_scripts_file *find_label(lm_opening *o, lm_lookup *lookup, const char *name,
                                         uint32_t *label) {
    char *asked = lm_pool_text(&o->pool, name, stem_length(name));
    if (!asked || !open_places(o, lookup))
        return NULL;
    const lm_scripts_file *found =
        lm_scripts_find(lookup->scripts, lookup->num_scripts, asked, label);
    if (found || !strchr(asked, '\\'))
        return found;
    for (char *at = asked; (at = strchr(at, '\\')) != NULL;)
        *at = '/';
    return lm_scripts_find(lookup->scripts, lookup->num_scripts, asked, label);
}

/* ---- Pictures ------------------------------------------------------------------------------ */

typedef struct shading {
    lm_opening *o;
    lm_lookup *lookup;
    lm_worn *worn;
    lm_script_shader read;
    lm_sought *pictures; /* [read.num_pictures] */
    lm_stage *stages;
} shading;

static lm_sought *base_picture(const shading *s) {
    const lm_shader *shader = &s->read.shader;
    const bool there = shader->base < shader->num_stages;
    return there ? &s->pictures[shader->stages[shader->base].pictures[0]] : NULL;
}

/* Only a screen needs more than the one that is the material's texture. */
static void seek(shading *s, lm_sought *picture, bool is_texture) {
    lm_pictures wanted = s->o->settings.options->pictures;
    lm_seek_picture(s->o, s->lookup, picture);
    if (picture->path &&
        (wanted == LM_PICTURES_PIXELS || (wanted == LM_PICTURES_PORTABLE && is_texture)))
        lm_read_picture(s->o, s->lookup, picture);
}

static void seek_all(shading *s) {
    s->pictures = lm_pool_get(&s->o->pool, s->read.num_pictures, sizeof *s->pictures);
    for (uint32_t i = 0; s->pictures && i < s->read.num_pictures; i++) {
        const char *name = s->read.pictures[i];
        s->pictures[i].name = *name ? name : s->worn->texture.name;
        seek(s, &s->pictures[i], &s->pictures[i] == base_picture(s));
    }
}

/* The stages with the scene's pictures instead of the script's. */
static void resolve(shading *s) {
    const lm_shader *shader = &s->read.shader;
    s->stages = lm_pool_get(&s->o->pool, shader->num_stages, sizeof *s->stages);
    for (uint32_t i = 0; s->stages && i < shader->num_stages; i++) {
        lm_stage *stage = &s->stages[i];
        *stage = shader->stages[i];
        uint32_t *numbers = lm_pool_get(&s->o->pool, stage->num_pictures, sizeof *numbers);
        for (uint32_t k = 0; numbers && k < stage->num_pictures; k++)
            numbers[k] = s->pictures[stage->pictures[k]].picture;
        stage->pictures = numbers;
    }
}

/* ---- Findings ------------------------------------------------------------------------------ */

static void note(const shading *s, const char *path) {
    const lm_shader *shader = &s->read.shader;
    for (uint32_t i = 0; i < s->read.num_notes; i++) {
        const lm_script_note *n = &s->read.notes[i];
        lm_note(s->o, LM_SUBJECT_TEXTURE, n->refused ? LM_WARNING : LM_NOTE, LM_CODE_SHADER_WORD,
                path, "line %u: shader %s: %s%s", (unsigned)n->line, shader->name, n->sentence,
                n->refused ? "; the games refuse the shader" : "");
    }
    for (uint32_t i = 0; i < s->read.num_pictures; i++)
        if (!s->pictures[i].path)
            lm_note(s->o, LM_SUBJECT_TEXTURE, LM_WARNING, LM_CODE_SHADER_PICTURE, path,
                    "line %u: shader %s: there is no picture %s; the games refuse the shader",
                    (unsigned)shader->line, shader->name, s->pictures[i].name);
        else if (s->pictures[i].problem)
            lm_note(s->o, LM_SUBJECT_TEXTURE, LM_WARNING, s->pictures[i].code, path,
                    "line %u: shader %s: the picture %s is not used: %s", (unsigned)shader->line,
                    shader->name, s->pictures[i].shown, s->pictures[i].problem);
}

/* ---- All of it ----------------------------------------------------------------------------- */

/* The picture that stands for all of them: the material's, else the first that there is. */
static const lm_sought *shown_picture(const shading *s) {
    const lm_sought *base = base_picture(s);
    if (base && base->path)
        return base;
    for (uint32_t i = 0; i < s->read.num_pictures; i++)
        if (!base && s->pictures[i].path)
            return &s->pictures[i];
    return base;
}

/* What the name leads to. A script without stages, or without its picture, leaves the picture that
 * has the name itself, which is more than the games show. */
static void choose(shading *s) {
    lm_worn *worn = s->worn;
    const lm_shader *shader = worn->texture.shader;
    const lm_sought *picture = shown_picture(s);
    bool plain = shader->num_stages == 0 && !shader->hidden;
    worn->texture.way = LM_FOUND_BY_SCRIPT;
    if (plain || (picture && !picture->path)) {
        seek(s, &worn->sought, true);
        worn->texture.way = worn->sought.path ? LM_FOUND_BY_FALLBACK : LM_FOUND_NOT;
    }
    if (picture && !worn->sought.path)
        worn->sought = *picture;
    if (picture && picture != base_picture(s))
        worn->sought.picture = LM_NO_TEXTURE; /* what is reflected is no texture */
    worn->sought.problem = NULL;              /* said already */
}

bool lm_shade(lm_opening *o, lm_lookup *lookup, lm_worn *worn) {
    uint32_t label;
    const lm_scripts_file *file = find_label(o, lookup, worn->texture.name, &label);
    shading s = {.o = o, .lookup = lookup, .worn = worn};
    if (!file || !lm_shader_fill(file->script, label, &o->pool, &s.read))
        return false;
    seek_all(&s);
    resolve(&s);
    lm_shader *shader = lm_pool_get(&o->pool, 1, sizeof *shader);
    if (o->pool.failed)
        return false;
    *shader = s.read.shader;
    shader->stages = s.stages;
    shader->path = lm_pool_text(&o->pool, file->path, strlen(file->path));
    /* The games show a grey picture where a model names what is not whole, and nothing where a
     * .skin file does: which is how parts of a player are left out. */
    shader->hidden = shader->num_stages == 0 && worn->texture.source != LM_TEXTURE_OF_MODEL;
    worn->texture.shader = shader;
    note(&s, file->path);
    choose(&s);
    return !o->pool.failed;
}

/* ---- Nothing ------------------------------------------------------------------------------- */

/* Where the game's files may only be missing here, "nodraw" is believed, and where its scripts are
 * here, what is no path of a picture. */
static bool means_nothing(const lm_lookup *lookup, const char *name) {
    static const char nothing[] = "nodraw";
    size_t length = stem_length(name), size = sizeof nothing - 1;
    bool ends = length >= size && lm_begins_same(name + length - size, nothing, size);
    if (ends && (length == size || strchr("/\\", name[length - size - 1])))
        return true;
    return lookup->num_scripts > 0 && !strpbrk(name, "/\\.");
}

bool lm_leave_out(lm_opening *o, const lm_lookup *lookup, lm_worn *worn) {
    lm_asset_texture *t = &worn->texture;
    if (t->source == LM_TEXTURE_OF_MODEL || !means_nothing(lookup, t->name))
        return false;
    lm_shader *shader = lm_pool_get(&o->pool, 1, sizeof *shader);
    if (!shader)
        return false;
    *shader = (lm_shader){.name = t->name, .hidden = true};
    t->shader = shader;
    return true;
}
