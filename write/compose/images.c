/* Prepares a mesh's images for a format. */
#include "compose/player.h"

/* Quake II's loader of PCX rejects larger images. */
#define MAX_PCX_WIDTH 640
#define MAX_PCX_HEIGHT 480

bool lm_compose_needs_pixels(const lm_format_info *format) {
    return (format->features & LM_FEATURE_SURFACES) == 0;
}

/* Warns about images that Quake II itself rejects. */
static void note_large(lm_composing *c) {
    for (uint32_t i = 0; c->pcx && i < c->made.num_images; i++)
        if (c->made.images[i].width > MAX_PCX_WIDTH || c->made.images[i].height > MAX_PCX_HEIGHT) {
            lm_composing_note(c, LM_WARNING,
                              "the image %.63s has %u x %u pixels; Quake II itself reads at most "
                              "%d x %d",
                              c->made.images[i].name, (unsigned)c->made.images[i].width,
                              (unsigned)c->made.images[i].height, MAX_PCX_WIDTH, MAX_PCX_HEIGHT);
        }
}

bool lm_compose_images(lm_composition *composition, const lm_format_info *format, const char *path,
                       const char *folder, lm_error *error) {
    lm_composing *c = composition->own;
    lm_image_plan plan = {.c = c, .format = format, .folder_given = folder != NULL};
    c->heap.call = (lm_call){.name = c->heap.call.name, .error = error};
    if (folder && strlen(folder) > LM_MAX_COMPOSED_FOLDER)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "the folder name %s is longer than %u bytes", folder,
                             LM_MAX_COMPOSED_FOLDER);
    if (composition->num_skins > 0 && composition->skin >= composition->num_skins)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "there is no skin %u: the model has %u",
                             (unsigned)composition->skin, (unsigned)composition->num_skins);
    bool done = true;
    if (path) {
        size_t length;
        const char *stem = lm_compose_stem(path, "/", &length);
        lm_compose_clean(stem, length, "-_.", true, plan.called, sizeof plan.called);
        lm_compose_folder(&plan, path, folder);
        done = lm_compose_files(&plan) &&
               (!lm_compose_needs_pixels(format) || lm_compose_atlas(&plan)) &&
               (c->player == LM_PLAYER_NONE || lm_player_images(&plan));
    }
    done = done && (!lm_has_feature(&plan, LM_FEATURE_EMBEDDED_SKINS) || lm_compose_embed(&plan));
    if (done)
        note_large(c);
    return (done && c->heap.call.status == LM_DONE) || lm_heap_diagnose(&c->heap);
}
