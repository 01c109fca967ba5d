/* Writes the files of a conversion. An existing file with other contents that the caller did not
 * name, or that the source was made from, stops the conversion before anything is written. */
#include "convert_internal.h"

#include "core/options.h"
#include "lerpmesh/files.h"

#include <stdio.h>
#include <string.h>

typedef struct writing {
    conversion *c;
    const lm_convert_target *target;
    lm_error *error;
    bool out_of_memory;
} writing;

static bool fail(const writing *w, const char *sentence, const char *path) {
    char text[LM_MESSAGE_SIZE + 4096];
    snprintf(text, sizeof text, sentence, path);
    lm_fail_plain(w->error, LM_CODE_IO, "%s", text);
    if (w->target->report)
        w->target->report(w->target->user, &(lm_convert_message){.kind = LM_CONVERT_KIND_FAILURE,
                                                                 .subject = w->c->source,
                                                                 .text = text});
    return false;
}

/* ---- Existing files -------------------------------------------------------------------------- */

/* Returns whether the same file exists, or an image with the same pixels. Lack of memory ends
 * writing. */
static bool is_there(writing *w, const char *path, const lm_convert_file *file) {
    const lm_buffer *data = &file->data;
    lm_error error = {.code = LM_CODE_OK};
    /* The pixels of a table are numbers of more than 8 bits, which reading as an image rounds. */
    const bool there = file->role == LM_CONVERT_ROLE_IMAGE
                           ? lmi_output_is_there(path, data->data, data->size,
                                                 w->c->options->open.max_input, &error)
                           : lmi_file_is_there(path, data->data, data->size, &error);
    w->out_of_memory = w->out_of_memory || error.code == LM_CODE_OUT_OF_MEMORY;
    return there;
}

/* Returns whether the source was made from that file. */
static bool was_read(const conversion *c, const char *path) {
    lm_path_identity about, other;
    lmi_path_identify(path, &about);
    if (about.kind == LM_PATH_NOTHING)
        return false;
    for (size_t at = 0; at < c->inputs.size; at += sizeof other) {
        memcpy(&other, c->inputs.data + at, sizeof other);
        if (lmi_path_is_same(&about, &other))
            return true;
    }
    for (uint32_t i = 0; c->assets && i < c->assets->scene->num_parts; i++)
        for (uint32_t k = 0; k < c->assets->assets[i].num_textures; k++) {
            const char *texture = c->assets->assets[i].textures[k].path;
            if (!texture)
                continue;
            lmi_path_identify(texture, &other);
            if (lmi_path_is_same(&about, &other))
                return true;
        }
    return false;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Returns the path of a file; NULL: memory ran out. */
static const char *path_of(const writing *w, const lm_convert_file *file) {
    const char *path = w->c->options->path;
    return lmi_arena_printf(w->c->arena, "%.*s%s", (int)(lmi_vfs_base_name(w->c->vfs, path) - path),
                            path, file->name);
}

/* Returns whether the user named the file: the main one, but not that of a folder. */
static bool is_named(const writing *w, const lm_convert_file *file) {
    const bool in_folder = w->c->made.player_folder && !w->c->options->archive;
    return file->role == LM_CONVERT_ROLE_MAIN && !in_folder;
}

/* Returns whether a file may be written next to the output. */
static bool allows(const writing *w, const char *path) {
    const lm_convert_target *target = w->target;
    lm_path_identity identity;
    if (was_read(w->c, path))
        return fail(w,
                    "%s, a texture of the model, would be replaced by another file: write the "
                    "model under another name, or into another folder",
                    path);
    if (target->allows)
        return target->allows(target->user, path);
    lmi_path_identify(path, &identity);
    return target->replaces || identity.kind == LM_PATH_NOTHING ||
           fail(w, "%s already exists, with other contents: choose another folder or name", path);
}

/* Returns whether an optional file stays, because it exists and files are not replaced. Reports
 * what is lost. */
static bool is_kept(const writing *w, const char *path, const lm_convert_file *file) {
    const lm_error *lost = &w->c->times_lost;
    lm_path_identity identity;
    char text[LM_MESSAGE_SIZE + 4096];
    if (file->role != LM_CONVERT_ROLE_OPTIONAL || w->target->replaces)
        return false;
    lmi_path_identify(path, &identity);
    if (identity.kind != LM_PATH_FILE)
        return false;
    snprintf(text, sizeof text, "%s exists and stays, because other models may need it", path);
    if (w->target->report)
        w->target->report(w->target->user, &(lm_convert_message){.kind = LM_CONVERT_KIND_WARNING,
                                                                 .subject = w->c->source,
                                                                 .text = text});
    const lm_diagnostic loss = {
        .code = lost->code, .severity = LM_SEVERITY_WARNING, .text = lost->message, .count = 1};
    if (w->target->report && lost->code != LM_CODE_OK)
        w->target->report(w->target->user, &(lm_convert_message){.kind = LM_CONVERT_KIND_PROBLEM,
                                                                 .code = loss.code,
                                                                 .subject = w->c->source,
                                                                 .text = loss.text,
                                                                 .mark = "warning",
                                                                 .problem = &loss});
    return true;
}

/* Adds a file to the list, unless the existing one has the same contents. A .bin is written in any
 * case if files are replaced: another process may be about to replace the existing one. */
static bool add(writing *w, lm_convert_file *file, lm_file_output *files, size_t *count) {
    const char *path = path_of(w, file);
    const bool named = is_named(w, file);
    const bool compared = !w->target->replaces || file->role == LM_CONVERT_ROLE_IMAGE ||
                          w->c->options->player == LM_PLAYER_WEAPON;
    const bool there = path && !named && compared && is_there(w, path, file);
    file->stays = path && !named && !there && !w->out_of_memory && is_kept(w, path, file);
    if (!path || w->out_of_memory || there || file->stays)
        return path && !w->out_of_memory;
    if (!named && !allows(w, path))
        return false;
    files[(*count)++] =
        (lm_file_output){.path = path, .data = file->data.data, .size = file->data.size};
    return true;
}

bool lm_convert_write(lm_conversion *made, const lm_convert_target *target, lm_error *error) {
    if (!LM_GIVEN(error, made))
        return false;
    static const lm_convert_target plain = {0};
    lm_error unused;
    writing w = {.c = (conversion *)made,
                 .target = target ? target : &plain,
                 .error = error ? error : &unused};
    size_t count = 0;
    lm_file_output *files = lmi_arena_zeros(w.c->arena, made->num_files, sizeof *files);
    *w.error = (lm_error){.code = LM_CODE_OK};
    bool ok = files != NULL;
    if (!LM_RESERVED_VALID(w.target, w.error, "convert: target"))
        return false;
    if (!w.c->options->path)
        return lm_fail_plain(w.error, LM_CODE_BAD_ARGUMENT,
                             "convert: the options of the conversion have no path to write to");
    for (uint32_t i = 0; ok && i < made->num_files; i++)
        ok = add(&w, &made->files[i], files, &count);
    made->num_written = (uint32_t)count;
    if (ok && target && target->write)
        ok = target->write(target->user, files, count);
    else if (ok)
        ok = lm_file_write(files, count, false, w.error);
    if (!ok && (w.out_of_memory || lmi_arena_failed(w.c->arena)))
        lm_fail_plain(w.error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    else if (!ok && w.error->code == LM_CODE_OK)
        lm_fail_plain(w.error, LM_CODE_STOPPED, "stopped by the caller");
    return ok;
}
