/* Editing: reads a file as a document, and writes the changed document over the file's bytes. */
#include "lerpmesh/edit.h"

#include "core/exact.h"
#include "core/options.h"
#include "core/report.h"
#include "core/text.h"
#include "core/writing.h"
#include "edit/editing.h"
#include "formats/edit_document.h"
#include "formats/write_document.h"
#include "formats/writer.h"
#include "lerpmesh/encode.h"
#include "mesh/mesh_make.h"
#include "model/load_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Following a surface ------------------------------------------------------------------ */

static bool finite_vector(lm_edit *edit, const lm_vec3 *v) {
    return (isfinite(v->x) && isfinite(v->y) && isfinite(v->z)) ||
           lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "a tag's position must be finite");
}

static void print_vector(const lm_vec3 *v, const char *word, char text[80]) {
    snprintf(text, 80, "%s %g, %g, %g", word, (double)v->x, (double)v->y, (double)v->z);
}

/* Appends a tag with its poses in all frames. The format must have tags. */
static bool edit_put_tag(lm_edit *edit, const char *name, const lm_edit_tag *tag,
                         const lm_transform *poses) {
    uint8_t field[LM_EDIT_NAME_SIZE] = {0};
    char what[LM_EDIT_WHAT_SIZE], text[112 + LM_EDIT_NAME_SIZE], position[80];
    if (!lmi_edit_can(edit, edit->editor->add_tag, "does not support new tags") ||
        !finite_vector(edit, &tag->origin) ||
        !lmi_edit_fit(edit, "the name", name, strlen(name), 64, field))
        return false;
    lmi_edit_what(edit, LM_EDIT_TAGS, 0, lmi_edit_size(edit, LM_EDIT_TAGS, 0), what);
    print_vector(&tag->origin, "at", position);
    snprintf(text, sizeof text, "%.64s %s%s", name, position,
             tag->follows ? ", following the surface" : "");
    return lmi_edit_note(edit, what, NULL, text) && edit->editor->add_tag(edit, field, poses);
}

bool lmi_edit_move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by) {
    char what[LM_EDIT_WHAT_SIZE], name[LM_EDIT_NAME_SIZE], text[80];
    if (!lmi_edit_has_item(edit, LM_EDIT_TAGS, 0, tag) ||
        !lmi_edit_can(edit, edit->editor->move_tag, "does not support moved tags") ||
        !finite_vector(edit, by))
        return false;
    if (by->x == 0 && by->y == 0 && by->z == 0)
        return true;
    lmi_edit_what(edit, LM_EDIT_TAGS, 0, tag, what);
    lm_edit_name(edit, LM_EDIT_TAGS, 0, tag, name);
    print_vector(by, "moved by", text);
    return lmi_edit_note(edit, what, name, text) && edit->editor->move_tag(edit, tag, by);
}

/* Reads a file, and keeps a copy of the original document. Changes nothing on failure. */
static bool open_file(lm_edit *edit, lm_bytes file, const lm_load_options *options,
                      lm_load_reporter *reporter, lm_error *error) {
    const lm_document_kind *kind = edit->editor->kind;
    void *document = lmi_read_document_as(kind, file, options, reporter, error);
    if (document) /* changes allocate from the edit's heap */
        lmi_arena_of(document)->heap = &edit->heap;
    void *original = document ? lmi_copy_document(kind, document) : NULL;
    if (!original) {
        lmi_object_free(document);
        return document ? lmi_fail_memory(error) : false;
    }
    edit->file = file;
    edit->document = document;
    edit->original = original;
    return true;
}

/* Makes another file the edit's file. Keeps the header's name, which a mesh does not store. */
static bool replace_file(lm_edit *edit, lm_buffer *made) {
    const lm_load_options options = {.memory = {.allocator = edit->heap.allocator}};
    const lm_editor *editor = edit->editor;
    lm_load_reporter reporter;
    const bool named = lmi_edit_has(edit, LM_EDIT_HEADER);
    uint8_t field[LM_EDIT_NAME_SIZE] = {0};
    size_t room = 0;
    void *old = edit->document;
    const uint8_t *name = named ? editor->name(edit, LM_EDIT_HEADER, 0, 0, &room) : NULL;
    if (named)
        memcpy(field, name, room);
    if (!lmi_call_join(edit->call, open_file(edit, (lm_bytes){made->data, made->size}, &options,
                                             &reporter, edit->call->error)))
        return false;
    lmi_object_free(old);
    lm_buffer_free(&edit->made);
    edit->made = *made;
    edit->origins = NULL;
    *made = (lm_buffer){0};
    if (named)
        editor->put_name(edit, LM_EDIT_HEADER, 0, 0, field);
    edit->given = false; /* there may be other frames */
    lmi_edit_forget_clips(edit);
    return true;
}

/* Records each kind of damage as a change. Returns false if memory ran out. */
static bool note_damage(lm_edit *edit, lm_load_reporter *reporter, bool *damaged) {
    const lm_diagnostic *found;
    const uint32_t count = lmi_warnings_copy(&edit->arena, reporter, &found);
    bool done = count == 0 || found;
    *damaged = false;
    for (uint32_t i = 0; done && i < count; i++) {
        const lm_code code = found[i].code;
        const bool harmless = code < 64 && LM_HARMLESS_DAMAGE >> code & 1;
        if (!(harmless && edit->editor->mend) && lm_code_severity(code) != LM_SEVERITY_ERROR)
            continue;
        *damaged = true;
        done = lmi_edit_note(edit, lm_code_name(code), found[i].text, "repaired");
    }
    return done;
}

/* Repairs the document, and makes the repaired file the edit's, so that later changes meet no
 * damage. */
static bool mend(lm_edit *edit, lm_load_reporter *reporter) {
    const lm_editor *editor = edit->editor;
    lm_error *error = edit->call->error;
    lm_buffer made = {.allocator = edit->heap.allocator};
    bool damaged, done = note_damage(edit, reporter, &damaged);
    if (done && damaged)
        done = (!editor->mend || editor->mend(edit)) &&
               lmi_call_join(edit->call, lm_edit_write(edit, &made, error)) &&
               replace_file(edit, &made);
    lm_buffer_free(&made);
    return done;
}

lm_edit *lm_edit_open(const void *data, size_t size, const lm_load_options *options,
                      lm_error *error) {
    if (!lmi_bytes_valid(data, size, __func__, error))
        return NULL;
    static const lm_load_options defaults;
    const lm_bytes file = {data, size};
    const lm_format *format = lmi_find_format(file);
    lm_heap heap;
    if (!format) {
        lmi_fail_unknown(file, error);
        return NULL;
    }
    const lm_writer *writer = lmi_find_writer(format->info.name);
    if (!writer || !writer->edit) {
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: this format cannot be edited",
                      format->info.name);
        return NULL;
    }
    options = options ? options : &defaults;
    if (!lmi_load_options_valid(options, error))
        return NULL;
    lmi_heap_begin(&heap, &options->memory, size, format->info.name, error);
    lm_edit *edit = lmi_heap_alloc(&heap, 1, sizeof *edit);
    if (!edit)
        return lmi_heap_diagnose(&heap);
    *edit = (lm_edit){.editor = writer->edit, .info = &format->info, .heap = heap};
    edit->call = &edit->heap.call;
    edit->arena.heap = &edit->heap;
    edit->heap.max_bytes = SIZE_MAX; /* the caller's bounds apply to reading only */
    edit->heap.max_allocations = 0;
    lm_load_reporter reporter;
    bool opened = open_file(edit, file, options, &reporter, error);
    if (opened && options->repair && !options->strict) {
        lmi_edit_begin(edit, error);
        opened = lmi_edit_end(edit, mend(edit, &reporter));
    }
    edit->call->error = NULL;
    if (opened)
        return edit;
    lm_edit_free(edit);
    return NULL;
}

void lm_edit_free(lm_edit *edit) {
    if (!edit)
        return;
    const lm_allocator allocator = edit->heap.allocator;
    lmi_object_free(edit->clips);
    lmi_arena_free(&edit->arena);
    lmi_object_free(edit->document);
    lm_buffer_free(&edit->made);
    allocator.free(allocator.user, edit, sizeof *edit);
}

const lm_format_info *lm_edit_format(const lm_edit *edit) {
    return edit->info;
}

void *lm_edit_document(lm_edit *edit) {
    return edit->document;
}

/* Writes a format whose sections follow one another, so that no bytes between them can be lost. */
static bool write_sections(const lm_edit *edit, lm_buffer *out, lm_error *error) {
    const lm_document_kind *kind = edit->editor->kind;
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    const lm_memory memory = {.allocator = out->allocator};
    if (!lmi_put_as(edit->editor, edit->document, out, error))
        return false;
    void *again =
        lmi_read_document(kind, out->data + mark.size, out->size - mark.size, &memory, error);
    const bool same = again && lmi_equal_as(edit->editor, again, edit->document);
    if (again && !same)
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                      "%s: the written file does not read back as the same document",
                      edit->info->name);
    lmi_object_free(again);
    return lmi_buffer_end(out, mark, same, edit->info->name, error);
}

bool lm_edit_write(const lm_edit *edit, lm_buffer *out, lm_error *error) {
    if (!LM_GIVEN(error, edit, out) || !lmi_buffer_valid(out, __func__, error))
        return false;
    const lm_editor *editor = edit->editor;
    return editor->put ? write_sections(edit, out, error)
                       : lmi_patch_document(editor->kind, edit->file, edit->original,
                                            edit->document, edit->origins, out, error);
}

/* ---- Frames and vertices -------------------------------------------------------------------- */

static bool append(lm_edit *edit, const lm_edit *other) {
    if (edit->editor != other->editor)
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                             "the other model is an %s: convert it first", other->info->name);
    const uint32_t ours = lmi_edit_size(edit, LM_EDIT_FRAMES, 0);
    const uint32_t theirs = other->editor->count(other, LM_EDIT_FRAMES, 0);
    if (theirs > INT32_MAX - ours)
        return lmi_call_fail(edit->call, LM_CODE_LIMIT, "the result would have more than %d frames",
                             INT32_MAX);
    if (!lmi_edit_note_count(edit, "frames", ours, ours + theirs) ||
        !edit->editor->append(edit, other->document))
        return false;
    lmi_edit_forget_clips(edit);
    return true;
}

bool lm_edit_append(lm_edit *edit, const lm_edit *other, lm_error *error) {
    if (!LM_GIVEN(error, edit, other))
        return false;
    lmi_edit_begin(edit, error);
    return lmi_edit_end(edit, append(edit, other));
}

bool lmi_edit_remove_unused(lm_edit *edit, lm_error *error) {
    const lm_editor *editor = edit->editor;
    lmi_edit_begin(edit, error);
    return lmi_edit_end(edit, lmi_edit_can(edit, editor->remove_unused,
                                           "does not support removing unused vertices") &&
                                  editor->remove_unused(edit));
}

/* ---- Normals and bounds -------------------------------------------------------------------- */

/* Returns the document as a mesh of the file's own vertices, or NULL if the call ended. */
static lm_mesh *mesh_of(lm_edit *edit, lm_normals normals) {
    const lm_memory memory = {.allocator = edit->heap.allocator};
    const lm_load_options options = {.memory = memory, .normals = normals};
    lm_error *error = edit->call->error;
    lm_buffer file = {.allocator = memory.allocator};
    lm_mesh *mesh = NULL;
    lm_model *model = NULL;
    if (lmi_put_as(edit->editor, edit->document, &file, error))
        model = lm_load_memory(file.data, file.size, &options, error);
    if (model)
        mesh = lm_mesh_from_model(model, &memory, error);
    lmi_call_join(edit->call, mesh != NULL);
    lm_model_free(model);
    lm_buffer_free(&file);
    return mesh;
}

bool lmi_edit_compute_normals(lm_edit *edit, lm_error *error) {
    lmi_edit_begin(edit, error);
    const bool can =
        lmi_edit_can(edit, edit->editor->put_normals, "does not support computing normals");
    lm_mesh *mesh = can ? mesh_of(edit, LM_NORMALS_COMPUTED) : NULL;
    const bool done = mesh && edit->editor->put_normals(edit, mesh);
    lm_mesh_free(mesh);
    return lmi_edit_end(edit, done);
}

bool lmi_edit_compute_bounds(lm_edit *edit, lm_error *error) {
    const lm_editor *editor = edit->editor;
    lmi_edit_begin(edit, error);
    return lmi_edit_end(edit, lmi_edit_can(edit, editor->bounds, "has no bounds") &&
                                  editor->bounds(edit));
}

/* ---- Moved vertices ------------------------------------------------------------------------- */

/* Returns true if the mesh has the file's vertices; ends the call with an error if not. */
static bool has_vertices_of(lm_edit *edit, const lm_mesh *mesh, const lm_mesh *old) {
    bool same = mesh->num_frames == old->num_frames && mesh->num_surfaces == old->num_surfaces &&
                mesh->num_tags == old->num_tags;
    for (uint32_t s = 0; same && s < old->num_surfaces; s++)
        same = mesh->surfaces[s].num_vertices == old->surfaces[s].num_vertices;
    return same ||
           lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                         "the mesh does not have the frames, vertices and tags of the file");
}

static bool put_frames(lm_edit *edit, const lm_moves *moves, uint32_t *changed) {
    uint32_t count = 0;
    char text[160];
    for (uint32_t f = 0; f < moves->old->num_frames; f++)
        count += lmi_moves_frame(moves, f);
    if (changed)
        *changed = count;
    snprintf(text, sizeof text, "%s changed", lmi_count_words(count, "{frame|frames}").text);
    return count == 0 || (lmi_edit_note(edit, "vertices", "as stored", text) &&
                          edit->editor->put_frames(edit, moves));
}

bool lm_edit_put_frames(lm_edit *edit, const lm_mesh *mesh, double tolerance, uint32_t *changed,
                        lm_error *error) {
    if (!LM_GIVEN(error, edit))
        return false;
    if (!lm_mesh_check(mesh, error))
        return false;
    lmi_edit_begin(edit, error);
    lm_mesh *old = lmi_edit_can(edit, edit->editor->put_frames, "does not support moved vertices")
                       ? mesh_of(edit, LM_NORMALS_STORED)
                       : NULL;
    const lm_moves moves = {mesh, old, tolerance};
    const bool done = old && has_vertices_of(edit, mesh, old) && put_frames(edit, &moves, changed);
    lm_mesh_free(old);
    return lmi_edit_end(edit, done);
}

/* ---- Tags ----------------------------------------------------------------------------------- */

/* Sets the tag's poses in all frames. */
static bool pose_tag(lm_edit *edit, const lm_edit_tag *tag, lm_transform *poses, uint32_t count) {
    for (uint32_t f = 0; f < count; f++)
        poses[f] = (lm_transform){tag->origin, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    lm_mesh *mesh = tag->follows ? mesh_of(edit, LM_NORMALS_STORED) : NULL;
    const bool done = mesh ? lmi_mesh_follow(mesh, tag->frame, poses) ||
                                 lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                                               "the model has no triangle that a tag could follow")
                           : !tag->follows;
    lm_mesh_free(mesh);
    return done;
}

bool lmi_edit_add_tag(lm_edit *edit, const char *name, const lm_edit_tag *tag, lm_error *error) {
    lmi_edit_begin(edit, error);
    const uint32_t count = lmi_edit_size(edit, LM_EDIT_FRAMES, 0);
    const bool exists =
        tag->frame < count || lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                                            "there is no frame %u: the last frame is %u",
                                            (unsigned)tag->frame, (unsigned)count - 1);
    lm_transform *poses = exists && lmi_edit_has_list(edit, LM_EDIT_TAGS, 0)
                              ? lmi_heap_alloc(&edit->heap, count, sizeof *poses)
                              : NULL;
    const bool done =
        poses && pose_tag(edit, tag, poses, count) && edit_put_tag(edit, name, tag, poses);
    lmi_heap_free(&edit->heap, poses, count * sizeof *poses);
    return lmi_edit_end(edit, done);
}

/* ---- Re-encoding ---------------------------------------------------------------------------- */

/* Resamples and transforms a mesh, and frees the original. Returns NULL if the call ended. */
static lm_mesh *reencode_mesh(lm_edit *edit, lm_mesh *mesh,
                              const lm_edit_reencode_options *options) {
    const lm_memory memory = {.allocator = edit->heap.allocator};
    const double turns = options->degrees / 360;
    const double scale = options->scale > 0 ? (double)options->scale : 1;
    const float c = (float)(lmi_cosine(turns) * scale), s = (float)(lmi_sine(turns) * scale);
    const lm_transform to = {options->move, {{c, s, 0}, {-s, c, 0}, {0, 0, (float)scale}}};
    lm_error *error = edit->call->error;
    lm_mesh *resampled =
        options->fps > 0 ? lm_mesh_resample(mesh, NULL, options->fps, &memory, error) : mesh;
    lm_mesh *transformed = resampled ? lm_mesh_transform(resampled, &to, &memory, error) : NULL;
    lmi_call_join(edit->call, transformed != NULL);
    if (resampled != mesh)
        lm_mesh_free(resampled);
    lm_mesh_free(mesh);
    return transformed;
}

static bool reencode(lm_edit *edit, const lm_edit_reencode_options *options, double *max_error) {
    const lm_encode_options encoding = {.memory = {.allocator = edit->heap.allocator}};
    lm_encode_report *report = NULL;
    lm_buffer made = {.allocator = edit->heap.allocator};
    lm_mesh *mesh = mesh_of(edit, LM_NORMALS_STORED);
    mesh = mesh ? reencode_mesh(edit, mesh, options) : NULL;
    char text[120];
    bool done = mesh && lmi_call_join(edit->call, lm_encode(mesh, edit->info, &encoding, &made,
                                                            &report, edit->call->error));
    if (done) {
        snprintf(text, sizeof text, "maximum error %.3g units, RMS %.2g", report->max_error,
                 report->rms_error);
        done = lmi_edit_note(edit, "encoding", "as stored", text) && replace_file(edit, &made);
    }
    if (done && max_error)
        *max_error = report->max_error;
    lm_encode_report_free(report);
    lm_mesh_free(mesh);
    lm_buffer_free(&made);
    return done;
}

bool lm_edit_reencode(lm_edit *edit, const lm_edit_reencode_options *options, double *max_error,
                      lm_error *error) {
    if (!LM_GIVEN(error, edit))
        return false;
    static const lm_edit_reencode_options defaults;
    static const lm_option_member table[] = {
        LM_MEMBER(lm_edit_reencode_options, scale, FLOAT, 0),
        LM_MEMBER(lm_edit_reencode_options, degrees, REAL, 0),
        LM_MEMBER(lm_edit_reencode_options, move, VEC3, 0),
        LM_MEMBER(lm_edit_reencode_options, fps, FLOAT, 0),
        LM_MEMBER(lm_edit_reencode_options, reserved, RESERVED, 0)};
    options = options ? options : &defaults;
    if (!lmi_options_valid(options, "reencode", table, sizeof table / sizeof *table, error))
        return false;
    lmi_edit_begin(edit, error);
    return lmi_edit_end(edit, reencode(edit, options, max_error));
}
