/* Selects and reorders the elements of a list, and adds skins. Selects by words, too: names,
 * numbers and ranges, as users write them. */
#include "edit/editing.h"

#include "core/options.h"
#include "core/report.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

/* ---- Recording changes ---------------------------------------------------------------------- */

/* Writes indices like "0-39, 46", up to `room`. */
static void list_indices(const uint32_t *indices, uint32_t count, char *text, size_t room) {
    size_t length = 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && indices[end] == indices[end - 1] + 1;)
            end++;
        const char *comma = i > 0 ? ", " : "";
        if (length + 32 > room) {
            snprintf(text + length, room - length, ", ...");
            return;
        }
        length +=
            (size_t)snprintf(text + length, room - length, "%s%u", comma, (unsigned)indices[i]);
        if (end - i > 1)
            length +=
                (size_t)snprintf(text + length, room - length, "-%u", (unsigned)indices[end - 1]);
    }
}

static bool ascends(const uint32_t *indices, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        if (indices[i] <= indices[i - 1])
            return false;
    return true;
}

/* Records a selection: in one line for frames, else a line per removed element. */
static bool note_selection(lm_edit *edit, lm_edit_list list, uint32_t surface,
                           const uint32_t *indices, uint32_t count) {
    if (list == LM_EDIT_FRAMES || !ascends(indices, count)) {
        char before[32], after[200], what[LM_EDIT_WHAT_SIZE];
        const int length = snprintf(after, sizeof after, "%u: ", (unsigned)count);
        list_indices(indices, count, after + length, sizeof after - (size_t)length);
        snprintf(before, sizeof before, "%u", (unsigned)lmi_edit_size(edit, list, surface));
        if (lmi_edit_by_surface(edit, list))
            snprintf(what, sizeof what, "surface %u %s", (unsigned)surface,
                     lmi_edit_list_name(list));
        else
            snprintf(what, sizeof what, "%s", lmi_edit_list_name(list));
        return lmi_edit_note(edit, what, before, after);
    }
    const uint32_t all = lmi_edit_size(edit, list, surface);
    bool noted = true;
    for (uint32_t i = 0, next = 0; noted && i < all; i++) {
        char what[LM_EDIT_WHAT_SIZE], name[LM_EDIT_NAME_SIZE];
        if (next < count && indices[next] == i) {
            next++;
            continue;
        }
        lmi_edit_what(edit, list, surface, i, what);
        lm_edit_name(edit, list, surface, i, name);
        noted = lmi_edit_note(edit, what, name, NULL);
    }
    return noted;
}

/* ---- Selecting ----------------------------------------------------------------------------- */

static bool indices_sound(lm_edit *edit, lm_edit_list list, uint32_t surface,
                          const uint32_t *indices, uint32_t count) {
    const uint32_t all = lmi_edit_size(edit, list, surface);
    uint8_t *counts = lmi_arena_zeros(&edit->arena, all, 1);
    if (!counts)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (indices[i] >= all)
            return lmi_edit_has_item(edit, list, surface, indices[i]);
        if (list != LM_EDIT_FRAMES && counts[indices[i]]++)
            return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                                 "%s %u is given twice; only frames may be repeated",
                                 lmi_edit_item_name(list), (unsigned)indices[i]);
    }
    return list != LM_EDIT_FRAMES || count > 0 ||
           lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "at least one frame must remain");
}

/* Does lm_edit_select inside another call. */
static bool edit_keep(lm_edit *edit, lm_edit_list list, uint32_t surface, const uint32_t *indices,
                      uint32_t count) {
    static const uint32_t none;
    indices = indices ? indices : &none;
    if (!lmi_edit_has_list(edit, list, surface))
        return false;
    if (list == LM_EDIT_CLIPS || list == LM_EDIT_HEADER)
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "%s cannot be selected",
                             lmi_edit_list_name(list));
    if (!indices_sound(edit, list, surface, indices, count))
        return false;
    uint32_t same = 0;
    while (same < count && indices[same] == same)
        same++;
    if (same == count && count == lmi_edit_size(edit, list, surface))
        return true;
    const bool done = note_selection(edit, list, surface, indices, count) &&
                      edit->editor->select(edit, list, surface, indices, count);
    if (done && list == LM_EDIT_FRAMES)
        lmi_edit_forget_clips(edit);
    return done;
}

bool lm_edit_select(lm_edit *edit, lm_edit_list list, uint32_t surface, const uint32_t *indices,
                    uint32_t count, lm_error *error) {
    if (!LM_GIVEN(error, edit))
        return false;
    if (!lmi_array_valid(indices, count, edit->info->name, "indices", error))
        return false;
    lmi_edit_begin(edit, error);
    const uint32_t frames = lmi_edit_size(edit, LM_EDIT_FRAMES, 0);
    return lmi_edit_end(
        edit, edit_keep(edit, list, surface, indices, count) &&
                  (list != LM_EDIT_FRAMES || lmi_edit_move_clips(edit, frames, indices, count)));
}

/* ---- Adding -------------------------------------------------------------------------------- */

static bool add_skin(lm_edit *edit, uint32_t surface, const char *path) {
    const lm_editor *editor = edit->editor;
    uint8_t field[LM_EDIT_NAME_SIZE] = {0};
    char what[LM_EDIT_WHAT_SIZE];
    if (!lmi_edit_has_list(edit, LM_EDIT_SKINS, surface))
        return false;
    if (!editor->add_skin)
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                             "the skins are images inside the file: a path cannot be added");
    if (!lmi_edit_fit(edit, "the path", path, strlen(path), editor->skin_room, field))
        return false;
    lmi_edit_what(edit, LM_EDIT_SKINS, surface, lmi_edit_size(edit, LM_EDIT_SKINS, surface), what);
    return lmi_edit_note(edit, what, NULL, path) && editor->add_skin(edit, surface, field);
}

bool lmi_edit_add_skin(lm_edit *edit, uint32_t surface, const char *path, lm_error *error) {
    lmi_edit_begin(edit, error);
    return lmi_edit_end(edit, add_skin(edit, surface, path));
}

/* Elements of a list, in the order in which they were named. */
typedef struct picking {
    lm_edit *edit;
    lm_arena arena;
    bool *missing;
    uint32_t *list;
    size_t count, capacity;
} picking;

static picking begin(lm_edit *edit, bool *missing, lm_error *error) {
    lmi_edit_begin(edit, error);
    return (picking){.edit = edit, .arena = {.heap = &edit->heap}, .missing = missing};
}

static bool end(picking *p, bool done) {
    lmi_arena_free(&p->arena);
    return lmi_edit_end(p->edit, done);
}

/* Fails with a sentence about the words, without the format's name in front. */
LM_PRINTF(2, 3) static bool fail(const picking *p, const char *sentence, ...) {
    lm_call *call = p->edit->call;
    va_list arguments;
    va_start(arguments, sentence);
    lmi_fail_vplain(call->error, LM_CODE_BAD_ARGUMENT, sentence, arguments);
    va_end(arguments);
    return lmi_call_join(call, false);
}

/* Skips a missing element if the caller asked for `missing`. Returns false if not. */
static bool skip_missing(const picking *p) {
    if (p->missing)
        *p->missing = true;
    return p->missing != NULL;
}

static bool add(picking *p, uint32_t index) {
    if (!lmi_arena_grow(&p->arena, (void *)&p->list, &p->capacity, p->count + 1, sizeof *p->list))
        return false;
    p->list[p->count++] = index;
    return true;
}

const char *lmi_edit_read_index(const char *word, uint32_t *index) {
    uint64_t number = 0;
    const char *c = word;
    for (; *c >= '0' && *c <= '9' && number <= INT32_MAX; c++)
        number = number * 10 + (uint64_t)(*c - '0');
    *index = (uint32_t)number;
    return c > word && number <= INT32_MAX ? c : NULL;
}

/* Parses "7" or "40-45". */
static bool parse_range(const char *word, uint32_t *first, uint32_t *last) {
    const char *end = lmi_edit_read_index(word, first);
    *last = *first;
    if (end && *end == '-')
        end = lmi_edit_read_index(end + 1, last);
    return end && *end == '\0' && *last >= *first;
}

/* Selects by one word of a list: a name, a number or a range. */
static bool pick_word(picking *p, lm_edit_list list, uint32_t surface, const char *word) {
    uint32_t first, last;
    const bool ranged = parse_range(word, &first, &last);
    const uint32_t count = lmi_edit_size(p->edit, list, surface);
    if (!ranged && lmi_edit_seek(p->edit, list, surface, word, &first))
        last = first;
    if (p->edit->call->status != LM_DONE)
        return false;
    if (last >= count && ranged)
        return skip_missing(p) || fail(p, "there is no %s %u: the model has %u",
                                       lmi_edit_item_name(list), (unsigned)last, (unsigned)count);
    if (last >= count)
        return skip_missing(p) || fail(p, "there is no %s \"%s\"", lmi_edit_item_name(list), word);
    for (uint32_t i = first; i <= last; i++)
        if (!add(p, i))
            return false;
    return true;
}

static bool pick_words(picking *p, lm_edit_list list, uint32_t surface, const char *words) {
    bool found = true;
    while (found && *words) {
        const size_t length = strcspn(words, ",");
        const char *word = lmi_arena_text(&p->arena, words, length);
        found = word && (length == 0 || pick_word(p, list, surface, word));
        words += length + (words[length] == ',');
    }
    return found;
}

/* Replaces clips by their frames, one clip after the other. */
static bool replace_by_frames(picking *p) {
    const uint32_t *clips = p->list;
    const size_t count = p->count;
    p->list = NULL;
    p->count = p->capacity = 0;
    for (size_t i = 0; i < count; i++) {
        const lm_clip *clip = &p->edit->clips->list[clips[i]];
        for (uint32_t k = 0; k < clip->count; k++)
            if (!add(p, clip->first + k))
                return false;
    }
    return true;
}

/* Selects the picked elements, or all others if not `picked`, in the order of the file. */
static bool put_in_order(picking *p, uint32_t all, bool picked) {
    bool *named = lmi_arena_zeros(&p->arena, all, sizeof *named);
    if (!named)
        return false;
    for (size_t i = 0; i < p->count; i++)
        named[p->list[i]] = true;
    p->count = 0;
    for (uint32_t i = 0; i < all; i++)
        if (named[i] == picked && !add(p, i))
            return false;
    return true;
}

static bool pick_surface(picking *p, const char *word, uint32_t *surface) {
    if (!pick_words(p, LM_EDIT_SURFACES, 0, word))
        return false;
    if (p->count != 1 && !(p->count == 0 && skip_missing(p)))
        return fail(p, "there is no surface \"%s\"", word);
    *surface = p->count ? p->list[0] : LM_EDIT_NONE;
    p->count = 0;
    return true;
}

bool lmi_edit_pick_surface(lm_edit *edit, const char *word, bool *missing, uint32_t *surface,
                           lm_error *error) {
    picking p = begin(edit, missing, error);
    return end(&p, pick_surface(&p, word, surface));
}

bool lmi_edit_move_tags(lm_edit *edit, const char *words, const lm_vec3 *by, bool *missing,
                        lm_error *error) {
    picking p = begin(edit, missing, error);
    bool done = pick_words(&p, LM_EDIT_TAGS, 0, words);
    for (size_t i = 0; done && i < p.count; i++)
        done = lmi_edit_move_tag(edit, p.list[i], by);
    return end(&p, done);
}

/* ---- Selecting ------------------------------------------------------------------------------ */

/* Parses "SURFACE:WORDS". Sets the surface, and `words` to WORDS. */
static bool split_surface(picking *p, const char **words, uint32_t *surface) {
    const char *text = *words, *colon = strrchr(text, ':');
    if (!colon)
        return fail(p, "the surface is missing: use SURFACE:%s", text);
    const char *name = lmi_arena_text(&p->arena, text, (size_t)(colon - text));
    *words = colon + 1;
    return name && pick_surface(p, name, surface);
}

static bool choose(picking *p, lm_edit_list list, lm_edit_choice choice, const char *words) {
    const lm_edit_list selected = list == LM_EDIT_CLIPS ? LM_EDIT_FRAMES : list;
    uint32_t surface = 0;
    if (!lmi_edit_has(p->edit, list))
        return fail(p, "%s has no %s", p->edit->info->name, lmi_edit_list_name(list));
    if (lmi_edit_by_surface(p->edit, list) && !split_surface(p, &words, &surface))
        return false;
    if (surface == LM_EDIT_NONE)
        return true;
    if (!pick_words(p, list, surface, words) || (list == LM_EDIT_CLIPS && !replace_by_frames(p)))
        return false;
    const uint32_t all = lmi_edit_size(p->edit, selected, surface);
    if (choice != LM_EDIT_ORDER && !put_in_order(p, all, choice == LM_EDIT_KEEP))
        return false;
    if (p->count == 0 && selected == LM_EDIT_FRAMES)
        return fail(p, "no frames would remain");
    return edit_keep(p->edit, selected, surface, p->list, (uint32_t)p->count) &&
           (selected != LM_EDIT_FRAMES ||
            lmi_edit_move_clips(p->edit, all, p->list, (uint32_t)p->count));
}

bool lmi_edit_choose(lm_edit *edit, lm_edit_list list, lm_edit_choice choice, const char *words,
                     bool *missing, lm_error *error) {
    picking p = begin(edit, missing, error);
    return end(&p, choose(&p, list, choice, words));
}

/* ---- Reversing ------------------------------------------------------------------------------ */

static void reverse_range(uint32_t *order, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint32_t saved = order[first + i];
        order[first + i] = order[first + count - 1 - i];
        order[first + count - 1 - i] = saved;
    }
}

/* Reverses each of the clips in its place. */
static bool reverse(picking *p, const char *words) {
    const uint32_t all = lmi_edit_size(p->edit, LM_EDIT_FRAMES, 0);
    uint32_t *order = lmi_arena_alloc(&p->arena, all, sizeof *order);
    if (!order)
        return false;
    for (uint32_t i = 0; i < all; i++)
        order[i] = i;
    if (strcmp(words, "all") == 0)
        reverse_range(order, 0, all);
    else if (!pick_words(p, LM_EDIT_CLIPS, 0, words))
        return false;
    for (size_t i = 0; i < p->count; i++) {
        const lm_clip *clip = &p->edit->clips->list[p->list[i]];
        reverse_range(order, clip->first, clip->count);
    }
    return edit_keep(p->edit, LM_EDIT_FRAMES, 0, order, all);
}

bool lmi_edit_reverse(lm_edit *edit, const char *words, bool *missing, lm_error *error) {
    picking p = begin(edit, missing, error);
    return end(&p, reverse(&p, words));
}
