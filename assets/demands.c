/* Whether what was asked for to be worn is there, and dresses anything. */
#include "opening.h"

#include "system.h"

#include <string.h>

static bool dresses(const lm_lookup *lookup, const lm_skin_option *skin,
                    const lm_surface *surface) {
    switch (skin->kind) {
    case LM_SKIN_OF_SURFACE:
        return lm_same_text(surface->name, skin->surface);
    case LM_SKIN_LIST:
        return lm_skin_path(skin->list, surface->name) != NULL;
    case LM_SKIN_PICTURE:
        return lm_lookup_is_whole(lookup, surface);
    case LM_SKIN_NAME:
        return lookup->has_named_skin || lookup->wears_named;
    default:
        return true;
    }
}

static bool dresses_any(const lm_opening *o, const lm_skin_option *skin) {
    for (uint32_t part = 0; part < o->scene.num_parts; part++) {
        const lm_lookup *lookup = &o->states[part].lookup;
        const lm_model *model = o->files[part].model;
        for (uint32_t i = 0; i < model->num_surfaces; i++)
            if (dresses(lookup, skin, &model->surfaces[i]))
                return true;
    }
    return false;
}

static void note(lm_opening *o, const lm_skin_option *skin, const char *problem) {
    lm_note(o, LM_SUBJECT_TEXTURE, LM_ERROR, LM_CODE_BAD_ARGUMENT, o->path, "--skin %s: %s",
            skin->text, problem);
}

static void note_surface(lm_opening *o, const lm_skin_option *skin) {
    lm_guess guess = {.word = skin->surface};
    for (uint32_t part = 0; part < o->scene.num_parts; part++)
        for (uint32_t i = 0; i < o->files[part].model->num_surfaces; i++)
            lm_guess_try(&guess, o->files[part].model->surfaces[i].name);
    if (guess.best)
        lm_note(o, LM_SUBJECT_TEXTURE, LM_ERROR, LM_CODE_BAD_ARGUMENT, o->path,
                "--skin %s=%s: there is no surface of that name; did you mean \"%s\"?",
                skin->surface, skin->text, guess.best);
    else
        lm_note(o, LM_SUBJECT_TEXTURE, LM_ERROR, LM_CODE_BAD_ARGUMENT, o->path,
                "--skin %s=%s: there is no surface of that name; info lists those that there are",
                skin->surface, skin->text);
}

void lm_note_demands(lm_opening *o) {
    const lm_settings *s = &o->settings;
    for (uint32_t i = 0; i < s->num_skins; i++) {
        const lm_skin_option *skin = &s->skins[i];
        if (dresses_any(o, skin))
            continue;
        if (skin->kind == LM_SKIN_OF_SURFACE)
            note_surface(o, skin);
        else if (skin->kind == LM_SKIN_LIST)
            note(o, skin, "it names none of the surfaces");
        else if (skin->kind == LM_SKIN_PICTURE)
            note(o, skin,
                 "the surfaces have textures of their own; SURFACE=FILE dresses one of them");
        else
            lm_note(
                o, LM_SUBJECT_TEXTURE, LM_ERROR, LM_CODE_BAD_ARGUMENT, o->path,
                "--skin %s: there is no such file, and no ..._%s.skin nor picture %s beside the "
                "model",
                skin->text, skin->text, skin->text);
    }
}
