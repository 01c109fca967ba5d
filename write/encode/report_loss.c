/* Reports the parts of a mesh that a format cannot store. */
#include "encode/encoding.h"

#include "clips/clip_names.h"
#include "core/text.h"

#include <string.h>

/* ---- Losses ------------------------------------------------------------------------------- */

/* Reports that something of the mesh is lost. */
#define NOTE_LOSS(encoding, ...) lmi_encode_note(encoding, LM_CODE_NOT_HELD, "mesh", 0, __VA_ARGS__)

static bool note_names(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    if (*mesh->name &&
        !NOTE_LOSS(encoding, "the model's name, \"%s\", is dropped: the format stores none",
                   mesh->name))
        return false;
    if (mesh->num_surfaces == 1 && *mesh->surfaces[0].name)
        return NOTE_LOSS(encoding, "the surface's name, \"%s\", is dropped: the format stores none",
                         mesh->surfaces[0].name);
    return mesh->num_surfaces <= 1 ||
           NOTE_LOSS(encoding, "%u surfaces become one, and their names are dropped",
                     (unsigned)mesh->num_surfaces);
}

/* Reports that flags or numbers of `count` things are lost. */
static bool note_count(lm_encoding *encoding, const char *what, uint32_t count, const char *words) {
    return count == 0 || NOTE_LOSS(encoding, "the %s of %s are dropped: the format stores none",
                                   what, lmi_count_words(count, words).text);
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
           NOTE_LOSS(encoding,
                     "the skin's size, %u x %u, is dropped: the format's texture coordinates "
                     "do not depend on it",
                     (unsigned)w, (unsigned)h);
}

static bool note_eye(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    const lm_vec3 eye = mesh->eye;
    if ((eye.x != 0 || eye.y != 0 || eye.z != 0) &&
        !NOTE_LOSS(encoding, "the eye position, %g %g %g, is dropped: the format stores none",
                   (double)eye.x, (double)eye.y, (double)eye.z))
        return false;
    return mesh->synctype == 0 ||
           NOTE_LOSS(encoding,
                     "the random start time (synctype) is dropped: the format stores none");
}

/* Reports clips whose rates and times the file cannot store. A hand of a weapon has only tags. */
static bool note_clips(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    lm_error loss;
    return !lmi_clips_lose_times(mesh->clips, mesh->num_clips, mesh->num_surfaces == 0, &loss) ||
           NOTE_LOSS(encoding, "%s", loss.message);
}

bool lmi_encode_report_loss(lm_encoding *encoding, unsigned stores) {
    const lm_mesh *mesh = encoding->mesh;
    return ((stores & LM_STORES_TAGS) || mesh->num_tags == 0 ||
            NOTE_LOSS(encoding, "%s dropped: the format stores none",
                      lmi_count_words(mesh->num_tags, "{tag is|tags are}").text)) &&
           ((stores & LM_STORES_NAMES) || (note_names(encoding) && note_surfaces(encoding))) &&
           ((stores & LM_STORES_SKIN_SIZE) || note_skin_size(encoding)) &&
           ((stores & LM_STORES_FLAGS) || mesh->flags == 0 ||
            NOTE_LOSS(encoding, "the model's flags, %u, are dropped: the format stores none",
                      (unsigned)mesh->flags)) &&
           ((stores & LM_STORES_EYE) || note_eye(encoding)) &&
           ((stores & LM_STORES_CLIPS) || encoding->options->sidecar_clips ||
            note_clips(encoding)) &&
           ((stores & LM_STORES_PIXELS) || mesh->num_skins == 0 || !mesh->embedded_skins ||
            NOTE_LOSS(encoding, "the skins' pixels are dropped: the format refers to image files"));
}
