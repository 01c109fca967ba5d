/* Which options apply to which output, and which contradict each other. */
#include "convert_internal.h"

#include "core/options.h"
#include "core/report.h"
#include "vfs.h"

#include <stdio.h>
#include <string.h>

#define fail(...) lmi_cv_option_fail(s->options.option_prefix, error, __VA_ARGS__)
#define HAS(id) lmi_convert_has(s, LM_OPTION_##id)

static const char *name_of(lm_option_id option) {
    return lmi_option_about(option)->name;
}

/* ---- Formats --------------------------------------------------------------------------------- */

/* Returns whether a model has one skin, in a file next to it. */
static bool has_image(const lm_convert_settings *s, const convert_kind *to) {
    return to->model && s->options.path && !to->embeds && lmi_cv_has_one_skin(to->model);
}

static bool find_kind(lm_convert_settings *s, convert_kind *to, lm_error *error) {
    const lm_convert_options *o = &s->options;
    if (!lmi_cv_kind(o->format, to))
        return fail("there is no format \"%s\"", o->format);
    return lmi_cv_fits(lmi_cv_vfs(s), to, o->path) ||
           fail("%s does not match " OPTION "format %s", o->path, o->format);
}

static bool fail_pose(lm_convert_settings *s, const char *option, lm_error *error) {
    return fail(OPTION "%s does not apply to OBJ, which has one pose; use " OPTION "frames F",
                option);
}

bool lmi_engine_formats(lm_engine engine, const lm_format_info *format, lm_buffer *names) {
    bool found = engine == LM_ENGINE_ANY;
    for (uint32_t i = 0; lm_format_at(i); i++) {
        lm_format_limit limit;
        uint32_t k = 0;
        while (lm_format_limits(lm_format_at(i), k, &limit) && limit.engine != engine)
            k++;
        if (!lm_format_limits(lm_format_at(i), k, &limit))
            continue;
        lm_buffer_printf(names, "%s%s", names->size > 0 ? ", " : "", lm_format_at(i)->name);
        found = found || lm_format_at(i) == format;
    }
    return found;
}

/* Returns whether the engine of the options reads the format. */
static bool check_engine(lm_convert_settings *s, const convert_kind *to, lm_error *error) {
    const lm_engine engine = s->options.encode.engine;
    lm_buffer names = {0};
    bool reads = !to->model || lmi_engine_formats(engine, to->model, &names);
    lm_buffer_append(&names, "", 1);
    if (names.failed)
        reads = lmi_fail_memory(error);
    else if (!reads)
        fail(OPTION "engine %s reads %s, not %s", lm_engine_name(engine), (const char *)names.data,
             to->model->name);
    lm_buffer_free(&names);
    return reads;
}

static bool check_formats(lm_convert_settings *s, const convert_kind *to, lm_error *error) {
    const char *kind = to->model ? "model" : to->obj ? "obj" : "gltf";
    const char *skins = to->embeds ? "skins" : has_image(s, to) ? "image" : kind;
    for (int i = LM_NO_OPTION + 1; i < LM_NUM_OPTIONS; i++) {
        const lm_option *option = lmi_option_about((lm_option_id)i);
        const char *formats = option->formats;
        unsigned number;
        if (!lmi_convert_has(s, (lm_option_id)i) || !formats ||
            lmi_word_in(formats, kind, strlen(kind), &number) ||
            lmi_word_in(formats, skins, strlen(skins), &number) ||
            lmi_word_in(formats, to->extension, strlen(to->extension), &number))
            continue;
        if (to->obj && strcmp(formats, "gltf model") == 0 && i != LM_OPTION_MAX_ERROR)
            return fail_pose(s, option->name, error);
        return fail(OPTION "%s does not apply to %s files", option->name, to->extension);
    }
    if (to->obj && s->options.num_frames > 0)
        return fail_pose(s, "frames A-B", error);
    if (!check_engine(s, to, error))
        return false;
    if (HAS(MAX_ERROR) && !(s->options.encode.max_error > 0))
        return fail(OPTION "max-error must be greater than 0");
    return (to->model || !HAS(MAX_ERROR) || HAS(COMPRESS)) ||
           fail(OPTION "max-error does not apply to %s files", to->extension);
}

/* ---- Contradictions -------------------------------------------------------------------------- */

/* Returns whether an option is given; LM_OPTION_FRAMES: as one pose. */
static bool is_given(const lm_convert_settings *s, lm_option_id option) {
    return lmi_convert_has(s, option) && (option != LM_OPTION_FRAMES || s->options.still);
}

static bool check_pairs(lm_convert_settings *s, lm_error *error) {
    static const struct {
        lm_option_id option, other;
        const char *reason;
    } pairs[] = {
        {LM_OPTION_CLIPS, LM_OPTION_FRAMES, " F, which writes one pose"},
        {LM_OPTION_CLIP, LM_OPTION_FRAMES, " F, which writes one pose"},
        {LM_OPTION_FPS, LM_OPTION_FRAMES, " F, which writes one pose"},
        {LM_OPTION_SPEED, LM_OPTION_FRAMES, " F, which writes one pose"},
        {LM_OPTION_VAT, LM_OPTION_FRAMES, " F, which writes one pose"},
        {LM_OPTION_SKELETON, LM_OPTION_FRAMES, " F, which writes one pose"},
        {LM_OPTION_COMPRESS, LM_OPTION_QUANTIZE, ""},
        {LM_OPTION_AXES, LM_OPTION_VAT, ""},
        {LM_OPTION_QUANTIZE, LM_OPTION_VAT, ""},
        {LM_OPTION_COMPRESS, LM_OPTION_SKELETON, ""},
        {LM_OPTION_PLAYER, LM_OPTION_WEAPON, ""},
        {LM_OPTION_WEAPON, LM_OPTION_FRAMES, " F, which writes one pose"},
        {LM_OPTION_SHARED_GRID, LM_OPTION_DECIMATE, ", which opens cracks between the models"},
        {LM_OPTION_SHARED_GRID, LM_OPTION_LODS, ", which open cracks between the models"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (is_given(s, pairs[i].option) && is_given(s, pairs[i].other))
            return fail(OPTION "%s cannot be combined with " OPTION "%s%s",
                        name_of(pairs[i].option), name_of(pairs[i].other), pairs[i].reason);
    return !HAS(VAT) || !HAS(SKELETON) || HAS(FPS) ||
           fail(OPTION "vat can be combined with " OPTION "skeleton only to resample, with " OPTION
                       "fps");
}

static bool check_folder(lm_convert_settings *s, const convert_kind *to, lm_error *error) {
    const char *folder = s->options.skin_path;
    if (!folder)
        return true;
    if (to->embeds)
        return fail(OPTION "skin-path does not apply to %s files, which embed their skins",
                    to->extension);
    if (s->options.player == LM_PLAYER_QUAKE3)
        return fail(OPTION "skin-path does not apply to a whole player, whose images lie in "
                           "models/players/NAME");
    if (!s->options.path)
        return fail(OPTION "skin-path applies to images next to the model, which needs a file");
    if (*folder == '/' || strpbrk(folder, "\\:\"") || strstr(folder, ".."))
        return fail(OPTION "skin-path takes a folder of the game, such as models/robot, not \"%s\"",
                    folder);
    return strlen(folder) <= LM_MAX_COMPOSED_FOLDER ||
           fail(OPTION "skin-path has %zu bytes; the maximum is %u", strlen(folder),
                LM_MAX_COMPOSED_FOLDER);
}

/* Names a whole player of Quake III, or a weapon, after its folder or archive. */
static bool name_player(lm_convert_settings *s, size_t end, lm_error *error) {
    lm_convert_options *o = &s->options;
    while (end > 0 && o->path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && o->path[start - 1] != '/')
        start--;
    const bool weapon = o->player == LM_PLAYER_WEAPON;
    const char *name = o->player_name =
        lmi_arena_text(lmi_arena_of(s), o->path + start, end - start);
    if (!name)
        return lmi_fail_memory(error);
    return (*name && strspn(name, LM_NAME_CHARACTERS) == end - start &&
            end - start <= LM_CONVERT_MAX_PLAYER_NAME) ||
           fail(OPTION
                "%s names the %s after %s, such as -o %s: up to %d letters, digits, - and _, "
                "not \"%s\"",
                weapon ? "weapon" : "player", weapon ? "weapon" : "player",
                o->archive ? "the archive" : "the folder",
                weapon ? "weapons2/thompson/" : "players/hero/ or -o hero.pk3",
                (int)LM_CONVERT_MAX_PLAYER_NAME, name);
}

/* Makes weapon.cfg the first file of a weapon. */
static bool check_weapon(lm_convert_settings *s, lm_error *error) {
    lm_convert_options *o = &s->options;
    const size_t length = o->path ? strlen(o->path) : 0;
    if (length == 0 || o->path[length - 1] != '/')
        return fail(OPTION "weapon writes several files into a folder: -o %s/",
                    length > 0 ? o->path : "DIR");
    if (!name_player(s, length, error))
        return false;
    o->path = lmi_arena_printf(lmi_arena_of(s), "%sweapon.cfg", o->path);
    return o->path || lmi_fail_memory(error);
}

static bool check_player(lm_convert_settings *s, const convert_kind *to, lm_error *error) {
    lm_convert_options *o = &s->options;
    if (!o->player)
        return true;
    if (o->player == LM_PLAYER_WEAPON)
        return check_weapon(s, error);
    if (strcmp(to->extension, "md2") == 0 && o->encode.engine == LM_ENGINE_QUAKE2 && !o->still) {
        o->player = LM_PLAYER_QUAKE2;
        return true;
    }
    if (!to->lacks_clips)
        return fail(OPTION "player applies only to .md3 and .mdc, and to .md2 with " OPTION
                           "engine quake2");
    const char *extension = o->path ? lmi_vfs_extension(lmi_cv_vfs(s), o->path) : "";
    const size_t length = o->path ? strlen(o->path) : 0;
    o->archive = lmi_same_text(extension, ".pk3");
    const bool folder = length > 0 && o->path[length - 1] == '/';
    if (folder || o->archive)
        o->player = LM_PLAYER_QUAKE3;
    if ((folder || o->archive) && !name_player(s, length - strlen(extension), error))
        return false;
    if (folder)
        o->path = lmi_arena_printf(lmi_arena_of(s), "%slower.%s", o->path, to->extension);
    if (folder && !o->path)
        return lmi_fail_memory(error);
    return o->path || fail(OPTION "player writes several files, which need a folder");
}

static bool check_output(lm_convert_settings *s, const convert_kind *to, lm_error *error) {
    static const lm_option_id textures[] = {LM_OPTION_GAME, LM_OPTION_SKIN, LM_OPTION_PALETTE,
                                            LM_OPTION_TRANSPARENT_255, LM_OPTION_ALPHA};
    const lm_convert_options *o = &s->options;
    for (size_t i = 0; i < sizeof textures / sizeof *textures && to->obj && !o->path; i++)
        if (lmi_convert_has(s, textures[i]))
            return fail(OPTION "%s does not apply to OBJ on standard output, which has no textures",
                        name_of(textures[i]));
    if (HAS(WRITE_CLIPS) && !o->path)
        return fail(OPTION "write-clips writes animation.cfg next to the model, which needs a "
                           "file");
    if (HAS(LODS) && !o->path)
        return fail(OPTION "lods writes files next to the model, which needs a file");
    if (HAS(VNRM) && !HAS(VAT))
        return fail(OPTION "vnrm needs " OPTION "vat");
    if (HAS(VAT) && (strcmp(to->extension, "glb") != 0 || !o->path))
        return fail(OPTION "vat writes several files; name the first: FILE.glb");
    if (HAS(CORRECTIVES) && !HAS(SKELETON))
        return fail(OPTION "correctives needs " OPTION "skeleton");
    static const lm_option_id others[] = {LM_OPTION_ENGINE, LM_OPTION_LODS, LM_OPTION_CORRECTIVES};
    for (size_t i = 0; i < sizeof others / sizeof *others && to->iqm; i++)
        if (lmi_convert_has(s, others[i]))
            return fail(OPTION "%s does not apply to iqm files", name_of(others[i]));
    return !HAS(SKELETON) || (!to->model && !to->obj) || to->iqm ||
           lmi_cv_resamples(&s->options, to->model) ||
           fail(OPTION "skeleton applies to glTF and IQM, and with " OPTION "fps to other models");
}

/* ---- Programs -------------------------------------------------------------------------------- */

typedef struct program {
    const char *name;
    const char *loop_suffix; /* of looping animations; NULL: none */
    bool quantize;
    bool reads_quantized, reads_compressed;
    const char *about;
} program;

/* By lm_convert_program. */
static const program programs[] = {
    {"", NULL, false, true, true, NULL},
    {"blender", NULL, false, true, false,
     "Blender: plain floats; before the import, set the scene's frame rate to that of the clips"},
    {"godot", "-loop", false, false, false,
     "Godot: looping animations end in -loop; plain floats; GLES 2 shows no blend shapes, so use "
     "GLES 3"},
    {"three", NULL, true, true, true, "three.js: quantized, unless compressed for MeshoptDecoder"},
    {"unreal", NULL, false, false, false, "Unreal: plain floats; not tested with Unreal"},
    {"assimp", NULL, false, false, false,
     "Assimp: plain floats, because it misreads quantized files"},
};

const char *lmi_convert_program_about(lm_convert_program program_number) {
    return programs[program_number].about;
}

static bool apply_program(lm_convert_settings *s, lm_error *error) {
    lm_convert_options *o = &s->options;
    const program *p = &programs[o->program];
    if (o->quantize && !p->reads_quantized)
        return fail(OPTION "quantize does not apply to " OPTION "for %s, which misreads it",
                    p->name);
    if (o->compress && !p->reads_compressed)
        return fail(OPTION "compress does not apply to " OPTION "for %s, which cannot read it",
                    p->name);
    o->loop_suffix = p->loop_suffix;
    o->quantize = o->quantize || (p->quantize && !o->compress);
    if (o->compress)
        o->packer = lmi_convert_packer();
    return true;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Reads the palette of the images to write. */
static bool read_palette(lm_convert_settings *s, lm_vfs *vfs, lm_error *error) {
    lm_palette *palette = lmi_arena_zeros(lmi_arena_of(s), 1, sizeof *palette);
    lm_buffer file = {0};
    lm_error problem;
    const bool read = palette && lm_vfs_read(vfs, s->options.open.palette, 0, &file, &problem) &&
                      lm_palette_read(file.data, file.size, palette, &problem);
    lm_buffer_free(&file);
    s->options.palette = palette;
    if (!palette || (!read && problem.code == LM_CODE_OUT_OF_MEMORY))
        return lmi_fail_memory(error);
    return read || fail(OPTION "palette %s", problem.message);
}

static bool check_format(lm_convert_settings *s, convert_kind *to, lm_error *error) {
    return find_kind(s, to, error) && check_formats(s, to, error) && check_pairs(s, error) &&
           apply_program(s, error) && check_player(s, to, error) && check_output(s, to, error) &&
           check_folder(s, to, error);
}

/* Fails with the reason for which the options of opening cannot be read. It begins with the name of
 * the member, which but for `clips` is that of the option. */
static bool fail_open(lm_convert_settings *s, const lm_error *problem, lm_error *error) {
    const char *text = problem->message;
    const bool clips = strncmp(text, "clips ", 6) == 0;
    if (problem->code != LM_CODE_BAD_OPTION) {
        *error = *problem;
        return false;
    }
    return fail(OPTION "%s%s", clips ? "clips-from " : "", clips ? text + 6 : text);
}

bool lm_convert_settings_check(lm_convert_settings *s, lm_error *error) {
    if (!lmi_given(&(lm_pointers){{s}}, "settings", __func__, error))
        return false;
    const lm_convert_options *o = &s->options;
    lm_error problem, unused;
    convert_kind to = {0};
    error = error ? error : &unused;
    if (o->open.load.repair && o->open.load.strict)
        return fail(OPTION "repair and " OPTION "strict cannot be combined");
    if (o->format && !check_format(s, &to, error))
        return false;
    if (!lm_assets_read_options(lmi_cv_vfs(s), &o->open, &problem))
        return fail_open(s, &problem, error);
    return !has_image(s, &to) || !o->open.palette || read_palette(s, lmi_cv_vfs(s), error);
}
