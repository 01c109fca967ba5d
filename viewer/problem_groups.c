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
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const lm_diagnostic *problems = ((const lm_report *)report)->problems;
    const lm_diagnostic *x = &problems[i], *y = &problems[k];
    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    return (i > k) - (i < k);
}

static void add_rows(problem_groups *groups, uint32_t first, uint32_t count) {
    problem_row row = {first, count};
    g_array_append_val(groups->rows, row);
    for (uint32_t i = 0; i < count && count > 1; i++) {
        row = (problem_row){first + i, 1};
        g_array_append_val(groups->rows, row);
    }
}

problem_groups problem_groups_new(const lm_report *report) {
    uint32_t count = report ? report->num_problems : 0, first = 0;
    problem_groups groups = {g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                             g_array_new(FALSE, FALSE, sizeof(problem_row))};
    for (uint32_t i = 0; i < count; i++)
        g_array_append_val(groups.order, i);
    g_array_sort_with_data(groups.order, compare_problems, (gpointer)report);
    const uint32_t *order = (const uint32_t *)(void *)groups.order->data;
    for (uint32_t i = 1; i <= count; i++)
        if (i == count || report->problems[order[i]].code != report->problems[order[first]].code) {
            add_rows(&groups, first, i - first);
            first = i;
        }
    return groups;
}

void problem_groups_clear(problem_groups *groups) {
    g_clear_pointer(&groups->order, g_array_unref);
    g_clear_pointer(&groups->rows, g_array_unref);
}
