#include "batch.h"
#include "describe.h"

#include <inttypes.h>
#include <string.h>

static void print_fields(const lm_layout *layout, uint32_t first, uint32_t end, lm_buffer *out) {
    static const char *const headings[] = {"offset", "name", "value", "meaning"};
    lm_text_table table;
    lmi_text_table_begin(&table, "rlrl", headings);
    for (uint32_t i = first; i < end; i++) {
        const lm_field *field = &layout->fields[i];
        lmi_text_cell_printf(&table, "%zu", field->offset);
        lmi_text_cell(&table, field->name);
        if (field->text)
            lmi_text_cell(&table, field->text);
        else if (field->is_real)
            lmi_text_cell_printf(&table, "%g", (double)field->real);
        else
            lmi_text_cell_printf(&table, "%" PRId32, field->value);
        lmi_text_cell(&table, field->meaning);
    }
    lmi_text_table_print(&table, "  ", out);
}

static void print_headers(const lm_layout *layout, lm_buffer *out) {
    lm_buffer_text(out, "\nheader\n");
    print_fields(layout, 0, layout->num_header_fields, out);
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        const lm_lump *lump = &layout->lumps[i];
        if (lump->num_fields == 0 || lump->first_field == 0)
            continue;
        lmi_text_line(out, "\n", lump->name);
        print_fields(layout, lump->first_field, lump->first_field + lump->num_fields, out);
    }
}

static void print_lumps(const lm_layout *layout, lm_buffer *out) {
    static const char *const headings[] = {"name", "starts", "count", "bytes each",
                                           "size", "ends",   ""};
    lm_text_table table;
    lm_buffer_text(out, "\nlumps\n");
    lmi_text_table_begin(&table, "lrrrrrl", headings);
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        const lm_lump *lump = &layout->lumps[i];
        lmi_text_cell(&table, lump->name);
        lmi_text_cell_printf(&table, "%llu", (unsigned long long)lump->offset);
        lmi_text_cell_printf(&table, "%" PRIu64, lump->count);
        lmi_text_cell_printf(&table, "%" PRIu64, lump->element_size);
        lmi_text_cell_printf(&table, "%" PRIu64, lump->size);
        lmi_text_cell_printf(&table, "%" PRIu64, lump->end);
        lmi_text_cell(&table, lump->outside ? "outside the file" : "");
    }
    lmi_text_table_print(&table, "  ", out);
}

static void print_span(const lm_span *span, lm_buffer *out) {
    lm_buffer_printf(out, "  %zu to %zu: %s%s", span->offset, span->offset + span->size,
                     lmi_count_nouns(span->size, "bytes").text,
                     span->kind == LM_SPAN_GAP       ? " unclaimed"
                     : span->kind == LM_SPAN_OVERLAP ? " shared"
                                                     : " after the end");
    if (span->before) {
        lm_buffer_text(out, span->kind == LM_SPAN_OVERLAP ? " by " : ", after ");
        lmi_text_harmless(out, span->before);
    }
    if (span->after) {
        lm_buffer_text(out, span->kind == LM_SPAN_OVERLAP ? " and " : ", before ");
        lmi_text_harmless(out, span->after);
    }
    lm_buffer_text(out, "\n");
}

static void print_spans(const lm_layout *layout, lm_buffer *out) {
    static const struct {
        lm_span_kind kind;
        const char *title;
    } kinds[] = {
        {LM_SPAN_GAP, "gaps"}, {LM_SPAN_OVERLAP, "overlaps"}, {LM_SPAN_TRAILING, "trailing bytes"}};
    for (size_t k = 0; k < TOOL_COUNT_OF(kinds); k++) {
        bool found = false;
        for (uint32_t i = 0; i < layout->num_spans; i++) {
            if (layout->spans[i].kind != kinds[k].kind)
                continue;
            if (!found)
                lm_buffer_printf(out, "\n%s\n", kinds[k].title);
            print_span(&layout->spans[i], out);
            found = true;
        }
    }
    if (layout->num_spans == 0)
        lm_buffer_text(out, "\nno gaps, no overlaps, no trailing bytes\n");
}

/* Some tables have no lump of their own in the layout: an MD2's "vertices" are in its frames. */
static void print_table(tool_job *job, const lm_buffer *file, const lm_layout *layout,
                        const char *name) {
    lm_error error;
    lm_guess guess = {.word = name};
    bool has_lump = false;
    if (job->args->num_inputs > 1)
        lmi_text_line(&job->out, "", tool_shown_path(job->path));
    if (lm_layout_table(file->data, file->size, name, &job->out, &error))
        return;
    job->out.size = 0;
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        has_lump = has_lump || strcmp(layout->lumps[i].name, name) == 0;
        lmi_guess_try(&guess, layout->lumps[i].name);
    }
    if (error.code != LM_CODE_BAD_ARGUMENT || has_lump)
        tool_fail_error(job, &error);
    else if (guess.best)
        tool_inapplicable(job, "there is no lump \"%s\"; did you mean \"%s\"?", name, guess.best);
    else
        tool_inapplicable(job, "there is no lump \"%s\"; without --lump, examine lists them", name);
}

static void examine_file(tool_job *job, const void *lump) {
    lm_buffer file = {0};
    lm_error error;
    if (!tool_read(job, &file))
        return;
    lm_layout *layout = lm_layout_memory(file.data, file.size, NULL, &error);
    if (!layout) {
        tool_fail_error(job, &error);
    } else if (lump) {
        print_table(job, &file, layout, lump);
    } else if (job->json) {
        lm_json json = tool_json_begin(job);
        lmi_describe_layout(layout, &json);
        tool_json_end(&json);
    } else {
        tool_begin_line(job, &job->out);
        lm_buffer_printf(&job->out, "%s, %s\n", layout->format,
                         lmi_count_nouns(layout->file_size, "bytes").text);
        print_headers(layout, &job->out);
        print_lumps(layout, &job->out);
        print_spans(layout, &job->out);
    }
    lm_layout_free(layout);
    lm_buffer_free(&file);
}

static int run_examine(const tool_args *args) {
    const char *lump = tool_value(args, LM_OPTION_LUMP);
    const bool json = tool_has(args, LM_OPTION_JSON);
    if (lump && json && !tool_usage(args, "--lump prints a table: leave out --json"))
        return TOOL_USAGE;
    return tool_batch_run(&(tool_batch){
        .args = args, .work = examine_file, .context = lump, .done = "read", .blank_lines = !json});
}

const tool_command tool_examine = {
    .name = "examine",
    .usage = "[options] FILE|DIR|ARCHIVE...",
    .summary = "show each header field and each lump with its location",
    .about =
        "Shows the layout of a file: each header field with its offset, value and meaning; each\n"
        "lump with its start, count, size and end; and gaps, overlaps and trailing bytes.\n"
        "Offsets count bytes from the start of the file. --lump shows positions and angles as\n"
        "stored, and in units and degrees. Damaged files are shown as far as their headers go.",
    .usual = {LM_OPTION_LUMP, LM_OPTION_JSON, LM_OPTION_JOBS, LM_OPTION_MAX_INPUT, LM_OPTION_QUIET},
    .expand = TOOL_EXPAND_FOLDERS,
    .examples = "  lerpmesh examine tris.md2\n"
                "  lerpmesh examine tris.md2 --lump triangles\n"
                "  lerpmesh examine tris.md2 --lump \"frame 12 vertices\"\n"
                "  lerpmesh examine spider.mdc --lump \"surface 2 shaders\"\n"
                "  lerpmesh examine --json tris.md2 | jq .lumps\n",
    .run = run_examine,
};
