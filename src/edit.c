/* Editing: a file is read by the format that knows it, and written back over itself. */
#include "lerpmesh/edit.h"

#include "core/report.h"
#include "core/writing.h"
#include "edit/editing.h"
#include "formats/format.h"
#include "lerpmesh/take.h"

lm_edit *lm_edit_open(const void *data, size_t size, const lm_memory *memory, lm_error *error) {
    static const lm_memory defaults;
    const lm_bytes file = {data, size};
    const lm_format *format = lm_find_format(file);
    lm_heap heap;
    if (!format) {
        lm_fail_unknown(file, error);
        return NULL;
    }
    if (!format->edit) {
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: this format cannot be edited",
                      format->info.name);
        return NULL;
    }
    lm_heap_init(&heap, memory ? memory : &defaults, size);
    lm_edit *edit = lm_heap_alloc(&heap, 1, sizeof *edit);
    if (!edit)
        return lm_heap_fail(&heap, format->info.name, error);
    *edit = (lm_edit){.editor = format->edit, .info = &format->info, .file = file, .heap = heap};
    edit->arena.heap = &edit->heap;
    edit->document = format->edit->read(data, size, memory, error);
    if (edit->document)
        return edit;
    lm_edit_free(edit);
    return NULL;
}

void lm_edit_free(lm_edit *edit) {
    if (!edit)
        return;
    const lm_allocator allocator = edit->heap.allocator;
    lm_edit_forget_clips(edit);
    lm_arena_free(&edit->arena);
    if (edit->document)
        edit->editor->free(edit->document);
    allocator.free(allocator.user, edit, sizeof *edit);
}

const lm_format_info *lm_edit_format(const lm_edit *edit) {
    return edit->info;
}

void *lm_edit_document(lm_edit *edit) {
    return edit->document;
}

bool lm_edit_write(const lm_edit *edit, lm_buffer *out, lm_error *error) {
    return edit->editor->write(edit, out, error);
}

/* ---- Normals ------------------------------------------------------------------------------- */

/* What the document shows, with normals that are computed, of the file's own vertices. */
static lm_take *take_computed(lm_edit *edit) {
    const lm_allocator *allocator = &edit->heap.allocator;
    const lm_memory memory = {.allocator = *allocator};
    const lm_load_options options = {.memory = memory, .normals = LM_NORMALS_COMPUTED};
    lm_error error;
    lm_buffer file = {.allocator = *allocator};
    lm_take *take = NULL;
    lm_model *model = NULL;
    if (edit->editor->write(edit, &file, &error))
        model = lm_load_memory(file.data, file.size, &options, &error);
    if (model)
        take = lm_take_from_model(model, &memory, &error);
    if (!take && error.code != LM_CODE_OUT_OF_MEMORY)
        lm_edit_fail(edit, error.code, "%s", error.message);
    lm_model_free(model);
    lm_buffer_free(&file);
    return take;
}

bool lm_edit_compute_normals(lm_edit *edit, lm_error *error) {
    lm_edit_begin(edit, error);
    lm_take *take = take_computed(edit);
    const bool done = take && edit->editor->put_normals(edit, take);
    lm_take_free(take);
    return lm_edit_end(edit, done);
}
