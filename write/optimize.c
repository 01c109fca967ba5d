/* Optimizing: the format's optimizer writes the file, which is then read back and proven to show
 * the same before it is delivered. */
#include "lerpmesh/encode.h"

#include "core/options.h"
#include "core/report.h"
#include "core/writing.h"
#include "formats/edit_document.h"
#include "formats/writer.h"
#include "optimize/optimizing.h"
#include "sample/smooth.h"

/* A report and its list. */
typedef struct results {
    lm_optimize_report report;
    lm_optimize_gain gains[LM_NUM_OPTIMIZE_STEPS];
} results;

static void begin_results(results *r) {
    static const char *const steps[] = {"vertices", "st", "frames", "GL commands", "junk", "loss"};
    *r = (results){.report = {.num_gains = LM_NUM_OPTIMIZE_STEPS, .gains = r->gains}};
    for (int i = 0; i < LM_NUM_OPTIMIZE_STEPS; i++)
        r->gains[i].step = steps[i];
}

/* ---- Without loss --------------------------------------------------------------------------- */

static lm_model *load(const lm_optimizing *o, lm_bytes file) {
    const lm_load_options options = {.memory = {.allocator = o->heap->allocator},
                                     .bytes = LM_BYTES_BORROWED};
    lm_model *model = lm_load_memory(file.data, file.size, &options, o->heap->call.error);
    lmi_call_join(&o->heap->call, model != NULL);
    return model;
}

/* Attributes savings of no step to junk. If the new file would be larger, keeps the original
 * bytes. */
static void keep_smaller(lm_optimizing *o, lm_buffer *file) {
    lm_optimize_report *report = o->report;
    if (file->size > o->file.size) {
        file->size = 0;
        lm_buffer_append(file, o->file.data, o->file.size);
        report->transforms_after = report->transforms_before;
        for (int i = 0; i < LM_NUM_OPTIMIZE_STEPS; i++)
            o->gains[i].count = 0, o->gains[i].bytes = 0;
    }
    report->size_before = o->file.size;
    report->size_after = file->size;
    int64_t junk = (int64_t)o->file.size - (int64_t)file->size;
    for (int i = 0; i < LM_OPTIMIZE_JUNK; i++)
        junk -= o->gains[i].bytes;
    o->gains[LM_OPTIMIZE_JUNK].bytes = junk;
}

static void *read_document(const lm_optimizing *o, lm_bytes file) {
    const lm_memory memory = {.allocator = o->heap->allocator};
    lm_call *call = &o->heap->call;
    void *document = lmi_read_document(o->editor->kind, file.data, file.size, &memory, call->error);
    lmi_call_join(call, document != NULL);
    return document;
}

static bool put_document(const lm_optimizing *o, const void *document, lm_buffer *out) {
    lm_call *call = &o->heap->call;
    return lmi_call_join(call, lmi_put_as(o->editor, document, out, call->error));
}

/* Clears the bytes after the names of one list, of the document or of a surface, if the format has
 * names. */
static bool clean_list(lm_optimizing *o, const lm_part *part, lm_edit_list list, void *owner) {
    if (!o->editor->tables)
        return true;
    const lm_edit_names *names = &o->editor->tables->names[list];
    if (names->lump == 0) {
        lmi_clean_name((uint8_t *)owner + names->at, names->room);
        return true;
    }
    const lm_header_lump *lump = lmi_lump_at(part->header, names->lump);
    const lm_extent extent = lmi_part_extent(part, lump);
    const uint8_t *clean = lmi_clean_names(o, lmi_lump_data(lump, owner), (size_t)extent.count,
                                           extent.element, names->at, names->room);
    lmi_set_lump_data(lump, owner, clean);
    return clean;
}

/* Cleans the names in a document except its own. Forgets the lumps' offsets and the trailing
 * bytes. */
static bool clean_document(lm_optimizing *o, void *document) {
    const lm_header *header = o->editor->kind->header;
    const lm_part file = lmi_document_part(header, document);
    bool done = clean_list(o, &file, LM_EDIT_FRAMES, document) &&
                clean_list(o, &file, lmi_chain_of(header) ? LM_EDIT_TAGS : LM_EDIT_SKINS, document);
    for (uint32_t s = 0; done && s < lmi_num_surfaces(header, document); s++) {
        const lm_part part = lmi_surface_part(&file, s);
        void *surface = lmi_surface_of(header, document, s);
        done = clean_list(o, &part, LM_EDIT_SURFACES, surface) &&
               clean_list(o, &part, LM_EDIT_SKINS, surface);
        lmi_forget_offsets(part.header, surface);
    }
    lmi_forget_offsets(header, document);
    memset((char *)document + header->trailing, 0, sizeof(lm_trailing));
    return done;
}

static bool optimize(lm_optimizing *o, const lm_writer *writer, const lm_model *before,
                     lm_buffer *file) {
    o->num_surfaces = before->num_surfaces;
    o->surfaces = lmi_arena_zeros(&o->arena, before->num_surfaces, sizeof *o->surfaces);
    void *document = o->surfaces ? read_document(o, o->file) : NULL;
    const bool put = document && writer->optimize(o, document) && clean_document(o, document) &&
                     put_document(o, document, file);
    lmi_object_free(document);
    /* The file is read back and compared with the original. */
    lm_model *after = put ? load(o, (lm_bytes){file->data, file->size}) : NULL;
    const bool proven = after && lmi_prove_same(o, before, after);
    lm_model_free(after);
    if (!proven)
        return false;
    keep_smaller(o, file);
    return !file->failed || lmi_call_end(&o->heap->call, LM_NO_MEMORY);
}

/* ---- Loss ----------------------------------------------------------------------------------- */

/* Re-encodes a model. Leaves `file` empty if the error is too large. Returns false if memory ran
 * out. */
static bool encode_again(lm_optimizing *o, const lm_writer *writer, const lm_model *model,
                         lm_buffer *file, double *max_error) {
    const lm_encode_options options = {.memory = o->options->memory,
                                       .max_error = o->options->max_error};
    lm_error error = {0};
    lm_encode_report *report = NULL;
    lm_mesh *mesh = lm_mesh_from_model(model, &o->options->memory, &error);
    if (mesh && lm_encode(mesh, &writer->format->info, &options, file, &report, &error))
        *max_error = report->max_error;
    else if (error.code == LM_CODE_OUT_OF_MEMORY)
        lmi_call_end(&o->heap->call, LM_NO_MEMORY);
    lm_encode_report_free(report);
    lm_mesh_free(mesh);
    return o->heap->call.status == LM_DONE;
}

/* Appends the file with the frames of another. Appends nothing if they do not fit. */
static bool adopt(const lm_optimizing *o, const lm_writer *writer, lm_bytes other, lm_buffer *out) {
    void *document = read_document(o, o->file), *from = document ? read_document(o, other) : NULL;
    const bool done = from && (!writer->adopt(document, from) || put_document(o, document, out));
    lmi_object_free(document);
    lmi_object_free(from);
    return done;
}

/* Writes the smallest file with the re-encoded frames; writes nothing if they do not fit. Returns
 * false on failure. */
static bool make_lossy(lm_optimizing *o, const lm_writer *writer, const lm_buffer *encoded,
                       lm_buffer *file, results *made) {
    lm_buffer combined = {.allocator = file->allocator};
    bool done =
        encoded->size == 0 || adopt(o, writer, (lm_bytes){encoded->data, encoded->size}, &combined);
    if (done && combined.size > 0) {
        lm_optimizing second = {.file = {combined.data, combined.size},
                                .editor = o->editor,
                                .options = o->options,
                                .heap = o->heap,
                                .arena = {.heap = o->heap},
                                .report = &made->report,
                                .gains = made->gains};
        lm_model *model = load(&second, second.file);
        done = model && optimize(&second, writer, model, file);
        lm_model_free(model);
        lmi_arena_free(&second.arena);
    }
    lm_buffer_free(&combined);
    return done;
}

/* Replaces a losslessly optimized file by one with less exact frames, if that is smaller. Returns
 * false on failure. */
static bool optimize_lossy(lm_optimizing *o, const lm_writer *writer, const lm_model *model,
                           lm_buffer *file) {
    lm_buffer encoded = {.allocator = file->allocator}, smaller = encoded;
    results made;
    double max_error = 0;
    begin_results(&made);
    const bool done = encode_again(o, writer, model, &encoded, &max_error) &&
                      make_lossy(o, writer, &encoded, &smaller, &made);
    if (done && smaller.size > 0 && smaller.size < file->size) {
        const lm_buffer exact = *file;
        *file = smaller;
        smaller = exact;
        o->gains[LM_OPTIMIZE_LOSS].bytes = (int64_t)(exact.size - file->size);
        o->report->size_after = file->size;
        o->report->transforms_after = made.report.transforms_after;
        o->report->max_error = max_error;
    }
    lm_buffer_free(&encoded);
    lm_buffer_free(&smaller);
    return done;
}

static bool optimize_bytes(lm_bytes bytes, const lm_optimize_options *options, lm_buffer *out,
                           results *made, lm_error *error) {
    const lm_format *format = lmi_find_format(bytes);
    lm_heap heap;
    if (!format)
        return lmi_fail_unknown(bytes, error);
    const lm_writer *writer = lmi_find_writer(format->info.name);
    if (!writer || !writer->optimize)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: this format cannot be optimized",
                             format->info.name);
    made->report.format = format->info.name;
    lmi_heap_begin(&heap, &options->memory, bytes.size, format->info.name, error);
    lm_optimizing o = {.file = bytes,
                       .editor = writer->edit,
                       .options = options,
                       .heap = &heap,
                       .arena = {.heap = &heap},
                       .report = &made->report,
                       .gains = made->gains};
    lm_buffer file = {.allocator = heap.allocator};
    const bool lossy = options->max_error > 0 && writer->adopt;
    lm_model *before = load(&o, bytes);
    bool done = before && optimize(&o, writer, before, &file) &&
                (!lossy || optimize_lossy(&o, writer, before, &file));
    lm_model_free(before);
    if (!done)
        lmi_heap_diagnose(&heap);
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    if (done)
        lm_buffer_append(out, file.data, file.size);
    done = lmi_buffer_end(out, mark, done, format->info.name, error);
    lm_buffer_free(&file);
    lmi_arena_free(&o.arena);
    return done;
}

/* Removes all frames but the first, if they are equal. */
static bool keep_one_frame(lm_edit *edit, lm_bytes bytes, const lm_optimize_options *options,
                           results *made, lm_error *error) {
    const lm_load_options loading = {
        .memory = options->memory, .repair = options->repair, .bytes = LM_BYTES_BORROWED};
    lm_heap heap;
    lm_model *model = lm_load_memory(bytes.data, bytes.size, &loading, error);
    lmi_heap_begin(&heap, &options->memory, bytes.size, "optimize", error);
    const bool is_static = model && lmi_model_is_static(model, &heap);
    const bool done =
        model && (heap.call.status == LM_DONE || lmi_heap_diagnose(&heap)) &&
        (!is_static || lm_edit_select(edit, LM_EDIT_FRAMES, 0, &(uint32_t){0}, 1, error));
    if (done && is_static)
        made->gains[LM_OPTIMIZE_FRAMES].count += model->num_frames - 1;
    lm_model_free(model);
    return done;
}

/* Repairs a file, or removes equal frames, and optimizes the result. */
static bool optimize_edited(lm_bytes bytes, const lm_optimize_options *options, lm_buffer *out,
                            results *made, lm_error *error) {
    const lm_load_options loading = {.memory = options->memory, .repair = options->repair};
    lm_buffer repaired = {.allocator = options->memory.allocator}, edited = repaired;
    lm_edit *edit = lm_edit_open(bytes.data, bytes.size, &loading, error);
    const bool done =
        edit && lm_edit_write(edit, &repaired, error) &&
        (!options->one_frame || keep_one_frame(edit, bytes, options, made, error)) &&
        lm_edit_write(edit, &edited, error) &&
        optimize_bytes((lm_bytes){edited.data, edited.size}, options, out, made, error);
    if (done) {
        made->gains[LM_OPTIMIZE_FRAMES].bytes += (int64_t)repaired.size - (int64_t)edited.size;
        made->gains[LM_OPTIMIZE_JUNK].bytes += (int64_t)bytes.size - (int64_t)repaired.size;
        made->report.size_before = bytes.size;
    }
    lm_edit_free(edit);
    lm_buffer_free(&repaired);
    lm_buffer_free(&edited);
    return done;
}

bool lm_optimize(const void *data, size_t size, const lm_optimize_options *options, lm_buffer *out,
                 lm_optimize_report **report, lm_error *error) {
    static const lm_optimize_options defaults;
    static const lm_option_member table[] = {
        LM_MEMBER(lm_optimize_options, memory, MEMORY, 0),
        LM_MEMBER(lm_optimize_options, strips, ENUM, LM_STRIPS_NONE),
        LM_MEMBER(lm_optimize_options, max_error, DOUBLE, 0),
        LM_MEMBER(lm_optimize_options, reserved, RESERVED, 0)};
    lm_heap heap;
    options = options ? options : &defaults;
    if (report)
        *report = NULL;
    if (!lmi_bytes_valid(data, size, __func__, error) || !LM_GIVEN(error, out) ||
        !lmi_buffer_valid(out, __func__, error) ||
        !lmi_options_valid(options, "optimize", table, sizeof table / sizeof *table, error))
        return false;
    lmi_heap_begin(&heap, &options->memory, size, "optimize", error);
    results *made = lmi_object(&heap, sizeof *made);
    if (!made)
        return lmi_heap_diagnose(&heap);
    begin_results(made);
    const bool done = (options->repair || options->one_frame ? optimize_edited : optimize_bytes)(
        (lm_bytes){data, size}, options, out, made, error);
    made = lmi_object_end(made, done);
    if (report)
        *report = made ? &made->report : NULL;
    else
        lmi_object_free(made);
    return done;
}

void lm_optimize_report_free(lm_optimize_report *report) {
    lmi_object_free(report);
}
