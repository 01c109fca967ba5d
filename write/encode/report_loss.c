/* Reports the parts of a mesh that a format cannot store. */
#include "encode/encoding.h"

#include "core/text.h"

#include <math.h>

bool lm_plays_normally(const lm_clip *clip) {
    return !clip->times && fabsf(clip->fps - LM_DEFAULT_FPS) <= 1e-3f;
}

uint32_t lm_count_unusual_clips(const lm_mesh *mesh, const lm_clip **first) {
    uint32_t count = 0;
    *first = NULL;
    for (uint32_t i = mesh->num_clips; i-- > 0;)
        if (mesh->clips[i].backwards || !lm_plays_normally(&mesh->clips[i])) {
            *first = &mesh->clips[i];
            count++;
        }
    return count;
}

static bool note_names(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    if (*mesh->name &&
        !lm_encode_note(encoding, LM_CODE_NOT_HELD, "mesh", 0,
                        "the model's name, \"%s\", is dropped: the format stores none", mesh->name))
        return false;
    if (mesh->num_surfaces == 1 && *mesh->surfaces[0].name)
        return lm_encode_note(encoding, LM_CODE_NOT_HELD, "mesh", 0,
                              "the surface's name, \"%s\", is dropped: the format stores none",
                              mesh->surfaces[0].name);
    return mesh->num_surfaces <= 1 ||
           lm_encode_note(encoding, LM_CODE_NOT_HELD, "mesh", 0,
                          "%u surfaces become one, and their names are dropped",
                          (unsigned)mesh->num_surfaces);
}

static bool note_tags(lm_encoding *encoding) {
    const uint32_t count = encoding->mesh->num_tags;
    return count == 0 || lm_encode_note(encoding, LM_CODE_NOT_HELD, "mesh", 0,
                                        "%s dropped: the format stores none",
                                        lm_count_words(count, "{tag is|tags are}").text);
}

/* Reports that flags or numbers of `count` things are lost. */
static bool note_count(lm_encoding *encoding, const char *what, uint32_t count, const char *words) {
    return count == 0 || lm_encode_note(encoding, LM_CODE_NOT_HELD, "mesh", 0,
                                        "the %s of %s are dropped: the format stores none", what,
                                        lm_count_words(count, words).text);
}

static bool note_surfaces(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    uint32_t flagged = 0, numbered = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        flagged += mesh->surfaces[i].flags != 0;
        for (uint32_t m = 0; m < mesh->surfaces[i].num_materials; m++)
            numbered += mesh->surfaces[i].materials[m].flags != 0;
    }
    return note_count(encoding, "flags", flagged, "{surface|surfaces}") &&
           note_count(encoding, "numbers", numbered, "{shader|shaders}");
}

/* Reports the loss of a skin size. Nothing looks different without it, but texture coordinates may
 * leave their texels if the model becomes an MD2 again. So the loss matters only for skins in
 * files, and for sizes that are not the default. */
static bool note_skin_size(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    const uint32_t w = mesh->skin_width, h = mesh->skin_height;
    return mesh->num_skins == 0 || mesh->embedded_skins || w == 0 || h == 0 ||
           (w == LM_USUAL_SKIN && h == LM_USUAL_SKIN) ||
           lm_encode_note(encoding, LM_CODE_NOT_HELD, "mesh", 0,
                          "the skin's size, %u x %u, is dropped: the format's texture coordinates "
                          "do not depend on it",
                          (unsigned)w, (unsigned)h);
}

static bool note_flags(lm_encoding *encoding) {
    const int32_t flags = encoding->mesh->flags;
    return flags == 0 ||
           lm_encode_note(encoding, LM_CODE_NOT_HELD, "mesh", 0,
                          "the model's flags, 0x%x, are dropped: the format stores none",
                          (unsigned)flags);
}

static bool note_eye(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    const lm_vec3 eye = mesh->eye;
    if ((eye.x != 0 || eye.y != 0 || eye.z != 0) &&
        !lm_encode_note(encoding, LM_CODE_NOT_HELD, "mesh", 0,
                        "the eye position, %g %g %g, is dropped: the format stores none",
                        (double)eye.x, (double)eye.y, (double)eye.z))
        return false;
    return mesh->synctype == 0 ||
           lm_encode_note(encoding, LM_CODE_NOT_HELD, "mesh", 0,
                          "the random start time (synctype) is dropped: the format stores none");
}

/* Reports clips whose rates and times the file cannot store. */
static bool note_clips(lm_encoding *encoding) {
    const lm_clip *first;
    const uint32_t count = lm_count_unusual_clips(encoding->mesh, &first);
    return !first || lm_encode_note(encoding, LM_CODE_NOT_HELD, "mesh", 0,
                                    "the format stores no times: those of %s, such as \"%s\" at %g "
                                    "fps%s, belong in an animation.cfg in the same folder",
                                    lm_count_words(count, "{clip|clips}").text, first->name,
                                    (double)first->fps,
                                    first->times       ? " on average"
                                    : first->backwards ? " backwards"
                                                       : "");
}

bool lm_encode_report_loss(lm_encoding *encoding, unsigned stores) {
    const lm_mesh *mesh = encoding->mesh;
    return lm_encode_note_winding(encoding) && ((stores & LM_STORES_TAGS) || note_tags(encoding)) &&
           ((stores & LM_STORES_NAMES) || (note_names(encoding) && note_surfaces(encoding))) &&
           ((stores & LM_STORES_SKIN_SIZE) || note_skin_size(encoding)) &&
           ((stores & LM_STORES_FLAGS) || note_flags(encoding)) &&
           ((stores & LM_STORES_EYE) || note_eye(encoding)) &&
           ((stores & LM_STORES_CLIPS) || encoding->options->sidecar_clips ||
            note_clips(encoding)) &&
           ((stores & LM_STORES_PIXELS) || mesh->num_skins == 0 || !mesh->embedded_skins ||
            lm_encode_note(encoding, LM_CODE_NOT_HELD, "mesh", 0,
                           "the skins' pixels are dropped: the format refers to image files"));
}
