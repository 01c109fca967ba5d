/* Opens the source: a scene or an imported mesh. */
#include "convert_internal.h"
#include "isolate.h"

#include <string.h>

lm_image_mode lmi_cv_images(const conversion *c) {
    const lm_convert_options *o = c->options;
    const bool embeds = c->format && (c->format->features & LM_FEATURE_EMBEDDED_SKINS);
    const bool pixels =
        embeds || (c->format && o->path && (o->player || lmi_cv_has_one_skin(c->format)));
    return pixels                              ? LM_IMAGES_PIXELS
           : c->format && c->is_player         ? LM_IMAGES_FOUND /* for the choice of its skin */
           : c->format || (c->obj && !o->path) ? LM_IMAGES_NONE
                                               : LM_IMAGES_PORTABLE;
}

/* Returns whether the caller has opened the source. */
static bool is_open(const lm_convert_source *given) {
    return given && (given->assets || given->scene || given->mesh);
}

/* Returns whether the options leave out the skins. */
static bool has_none(const conversion *c) {
    const lm_assets_options *o = &c->options->open;
    return o->num_skins == 1 && strcmp(o->skins[0], "none") == 0;
}

bool lmi_cv_takes_skin(const conversion *c) {
    return !c->format || (c->format->features & LM_FEATURE_EMBEDDED_SKINS) || has_none(c) ||
           (c->is_player && lmi_cv_images(c) == LM_IMAGES_PIXELS) || lmi_cv_names_skins(c);
}

bool lmi_cv_names_skins(const conversion *c) {
    return c->assets && c->format && c->is_player && lmi_cv_images(c) == LM_IMAGES_FOUND &&
           c->assets->assets[0].skin_path;
}

bool lmi_cv_check_open(conversion *c) {
    const bool opened = is_open(c->given);
    const lm_assets_options *open = &c->options->open;
    const bool attaches = open->num_attachments > 0;
    const struct {
        bool given;
        const char *name;
    } others[] = {
        {opened && open->load.normals == LM_NORMALS_COMPUTED, "normals"},
        {opened && !c->given->mesh && open->clips, "clips-from"},
        {opened && open->alpha != LM_ALPHA_USE_AUTO, "alpha"},
        {open->load.topology != LM_TOPOLOGY_TRIANGLES, "topology"},
        {open->load.quirks != 0, "quirk"},
        {open->load.repair, "repair"},
        {open->load.strict, "strict"},
        {attaches && open->attachments[0].tag, "attach"},
        {attaches, "with"},
        {opened && open->num_games > 0, "game"},
        {opened && open->num_skins > 0, "skin"},
        {open->palette && !c->options->palette, "palette"},
        {open->transparent_255, "transparent-255"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].given)
            return lm_cv_fail(c, OPTION "%s does not apply to %s", others[i].name,
                              opened ? "models that are open already" : "imported files");
    return true;
}

bool lmi_convert_shows(const lm_convert_options *options, const lm_diagnostic *diagnostic) {
    return strcmp(diagnostic->location.section, LM_SUBJECT_TEXTURE) != 0 &&
           !(options->palette && strcmp(diagnostic->text, LM_PALETTE_UNUSED) == 0);
}

static bool open_scene(conversion *c, const lm_assets_options *options) {
    c->assets = lm_assets_open(c->vfs, c->source, options, NULL);
    if (lmi_arena_out_of_memory(c->arena, !c->assets))
        return false;
    if (c->calls->opened) { /* the caller knows the reason of a failure */
        if (c->calls->opened(c->calls->user, c->assets) && c->assets->scene)
            return true;
        if (c->assets->scene)
            return lm_fail_plain(c->error, LM_CODE_STOPPED, "stopped by the caller");
        *c->error = *lmi_assets_reason(c->assets);
        return false;
    }
    for (uint32_t i = 0; i < c->assets->num_diagnostics; i++)
        if (lmi_convert_shows(c->options, &c->assets->diagnostics[i]))
            lmi_cv_problem(c, LM_CONVERT_KIND_PROBLEM, NULL, &c->assets->diagnostics[i]);
    return c->assets->scene || lmi_cv_fail_error(c, lmi_assets_reason(c->assets));
}

static bool use_given(conversion *c) {
    lm_error error;
    c->assets = c->given->assets;
    c->borrows = true;
    const lm_scene *scene = c->given->scene ? c->given->scene : c->assets->scene;
    if (!scene)
        return lmi_cv_fail_error(c, lmi_assets_reason(c->assets));
    return lm_scene_check(scene, &error) ? lmi_cv_plan(c, scene, scene->parts[0].model->num_frames)
                                         : lmi_cv_fail_error(c, &error);
}

/* Names the options that change nothing in a model. */
static void warn_of_imports(conversion *c) {
    const lm_convert_options *o = c->options;
    const struct {
        bool given;
        const char *name;
    } list[] = {
        {o->num_tags > 0, "tag"},
        {o->num_loops > 0, "loop"},
        {o->num_onces > 0, "once"},
        {o->import_memory > 0, "import-memory"},
        {o->import_seconds > 0, "import-time"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].given)
            lm_cv_warn(c, OPTION "%s applies only to imported files (glTF, FBX and others)",
                       list[i].name);
}

static bool fail_skin(conversion *c) {
    return lm_cv_fail(c,
                      OPTION "skin applies to %s files only if they are made of a player's folder "
                             "with .skin files, or of imported files (glTF, FBX and others)",
                      c->extension);
}

/* If the source cannot be read, opening it as a model reports the reason. Only lack of memory is
 * reported here. */
bool lmi_cv_open(conversion *c) {
    lm_assets_options options = c->options->open;
    lm_given_file given = {.path = c->source};
    lm_error error;
    const lm_convert_source *const from = c->given;
    const bool in_memory = from && from->data;
    c->is_player = !in_memory && lmi_vfs_opens_player(c->vfs, c->source, c->arena, &c->path_skin);
    if (is_open(from) && !lmi_cv_check_open(c))
        return false;
    /* A hand shows nothing itself: unless models are attached to it, the weapon is exported. As a
     * model, it stays a model. */
    if (!c->format && !in_memory && !is_open(from) && options.num_attachments == 0 &&
        lmi_vfs_is_weapon(c->vfs, c->source, true, c->arena))
        options.related = true;
    if (from && (from->assets || from->scene))
        return use_given(c);
    options.images = lmi_cv_images(c);
    if (c->options->still || c->obj)
        options.clips = "none";
    if ((from && from->mesh) || (!in_memory && lmi_cv_is_sequence(c)))
        return lmi_cv_import(c);
    if (in_memory)
        c->file = (lm_buffer){.data = (uint8_t *)from->data, .size = from->size};
    if (!c->is_player && !in_memory &&
        !lm_vfs_read(c->vfs, c->source, options.max_input, &c->file, &error)) {
        if (error.code == LM_CODE_OUT_OF_MEMORY)
            return lmi_cv_fail_error(c, &error);
    } else if (!c->is_player) {
        if (lmi_cv_is_import(c, &c->file))
            return lmi_cv_import(c);
        given.data = c->file.data;
        given.size = c->file.size;
        options.files = &given;
        options.num_files = 1;
        const char *name = lm_format_of(c->file.data, c->file.size);
        const lm_format_info *format = name ? lm_format_by_name(name) : NULL;
        if (c->format && c->options->path && format &&
            (format->features & LM_FEATURE_EMBEDDED_SKINS))
            options.images = LM_IMAGES_PIXELS;
    }
    if (options.num_skins > 0 && !c->is_player && !lmi_cv_takes_skin(c))
        return fail_skin(c);
    warn_of_imports(c);
    return open_scene(c, &options) &&
           (options.num_skins == 0 || lmi_cv_takes_skin(c) || fail_skin(c)) &&
           lmi_cv_plan(c, c->assets->scene, c->assets->scene->parts[0].model->num_frames);
}

void lmi_cv_close(conversion *c) {
    for (convert_side *s = c->sides; s; s = s->next)
        lm_buffer_free(&s->file.data);
    lm_buffer_free(&c->out);
    lm_buffer_free(&c->buffer);
    lm_buffer_free(&c->inputs);
    lm_encode_report_free(c->report);
    for (uint32_t i = 0; c->skeletons && i < c->scene.num_parts; i++)
        lm_skeleton_free(c->skeletons[i]);
    lmi_cv_imported_free(&c->imported);
    if (!c->borrows)
        lm_assets_free(c->assets);
    lm_buffer_free(&c->file);
    lmi_shared_free(c->shared);
}
