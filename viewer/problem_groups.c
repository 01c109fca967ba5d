#include "problem_groups.h"

uint32_t problem_locate(const lm_model *model, const lm_diagnostic *problem, GArray *triangles) {
    lm_buffer found = {0};
    const uint32_t frame = lm_diagnostic_locate(model, problem, &found);
    if (!found.failed && found.size > 0)
        g_array_append_vals(triangles, found.data,
                            (guint)(found.size / sizeof(lm_diagnostic_triangle)));
    lm_buffer_free(&found);
    return frame;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

static gint compare_problems(gconstpointer a, gconstpointer b, gpointer report) {
    uint32_t i = ((const problem_place *)a)->index, k = ((const problem_place *)b)->index;
    const lm_diagnostic *problems = ((const lm_report *)report)->problems;
    const lm_diagnostic *x = &problems[i], *y = &problems[k];
    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    return (i > k) - (i < k);
}

static void add_row(problem_groups *groups, problem_row row) {
    g_array_append_val(groups->rows, row);
}

static void add_code(problem_groups *groups, uint32_t part, uint32_t first, uint32_t count) {
    if (count > 1)
        add_row(groups, (problem_row){PROBLEM_CODE, part, first, count});
    for (uint32_t i = 0; i < count; i++)
        add_row(groups, (problem_row){PROBLEM_ONE, part, first + i, 1});
}

static void add_part(problem_groups *groups, uint32_t part, const lm_report *report) {
    uint32_t count = report ? report->num_problems : 0, begin = groups->order->len, first = 0;
    GArray *order = g_array_new(FALSE, FALSE, sizeof(problem_place));
    for (uint32_t i = 0; i < count; i++) {
        problem_place place = {part, i};
        g_array_append_val(order, place);
    }
    g_array_sort_with_data(order, compare_problems, (gpointer)report);
    const problem_place *sorted = (const problem_place *)(void *)order->data;
    for (uint32_t i = 1; i <= count; i++)
        if (i == count ||
            report->problems[sorted[i].index].code != report->problems[sorted[first].index].code) {
            add_code(groups, part, begin + first, i - first);
            first = i;
        }
    if (count > 0)
        g_array_append_vals(groups->order, sorted, count);
    g_array_unref(order);
}

problem_groups problem_groups_new(lm_report *const *reports, uint32_t num_parts) {
    problem_groups groups = {g_array_new(FALSE, FALSE, sizeof(problem_place)),
                             g_array_new(FALSE, FALSE, sizeof(problem_row))};
    for (uint32_t i = 0; i < num_parts; i++) {
        uint32_t count = reports[i] ? reports[i]->num_problems : 0;
        if (num_parts > 1)
            add_row(&groups, (problem_row){PROBLEM_PART, i, groups.order->len, count});
        add_part(&groups, i, reports[i]);
    }
    return groups;
}

void problem_groups_clear(problem_groups *groups) {
    g_clear_pointer(&groups->order, g_array_unref);
    g_clear_pointer(&groups->rows, g_array_unref);
}
