/* Elements of a file by words: names, numbers and ranges, as people write them. */
#include "core/arena.h"
#include "core/report.h"
#include "lerpmesh/edit.h"

#include <string.h>

/* Elements of a list, in the order in which they were named. */
typedef struct picking {
    lm_edit *edit;
    lm_heap heap;
    lm_arena arena;
    bool *missing;
    lm_error *error;
    uint32_t *list;
    size_t count, capacity;
} picking;

static void begin(picking *p, lm_edit *edit, bool *missing, lm_error *error) {
    *p = (picking){.edit = edit, .error = error};
    p->missing = missing;
    lm_heap_init(&p->heap, &(lm_memory){.max_bytes = SIZE_MAX}, 0);
    p->arena.heap = &p->heap;
}

static bool add(picking *p, uint32_t index) {
    if (!lm_arena_grow(&p->arena, (void *)&p->list, &p->capacity, p->count + 1, sizeof *p->list))
        return lm_fail_memory(p->error);
    p->list[p->count++] = index;
    return true;
}

/* An element that is not there: passed over where the caller wants to know of it, else an error. */
static bool pass_over(const picking *p, const lm_error *why) {
    if (p->missing)
        *p->missing = true;
    else if (p->error)
        *p->error = *why;
    return p->missing != NULL;
}

/* A number that digits alone make, and that an int can hold; where it ends, NULL: it is none. */
static const char *parse_number(const char *word, uint32_t *value) {
    uint64_t number = 0;
    const char *c = word;
    for (; *c >= '0' && *c <= '9' && number <= INT32_MAX; c++)
        number = number * 10 + (uint64_t)(*c - '0');
    *value = (uint32_t)number;
    return c > word && number <= INT32_MAX ? c : NULL;
}

/* "7", or "40-45". */
static bool parse_range(const char *word, uint32_t *first, uint32_t *last) {
    const char *end = parse_number(word, first);
    *last = *first;
    if (end && *end == '-')
        end = parse_number(end + 1, last);
    return end && *end == '\0' && *last >= *first;
}

/* One word of a list: a name, a number or a range of them. */
static bool pick_word(picking *p, lm_edit_list list, uint32_t surface, const char *word) {
    uint32_t first, last, index, frames;
    lm_error why = {.code = LM_CODE_OK};
    const bool ranged = parse_range(word, &first, &last);
    if (!ranged && lm_edit_find(p->edit, list, surface, word, &index, &why))
        return add(p, index);
    if (ranged && list == LM_EDIT_CLIPS && lm_edit_clip(p->edit, last, &index, &frames, &why))
        why.code = LM_CODE_OK;
    if (why.code == LM_CODE_OUT_OF_MEMORY)
        return lm_fail_memory(p->error);
    if (!ranged) {
        lm_fail_plain(&why, LM_CODE_BAD_ARGUMENT, "there is no %s \"%s\"", lm_edit_item_name(list),
                      word);
        return pass_over(p, &why);
    }
    const uint32_t count = lm_edit_count(p->edit, list, surface);
    if (last >= count) {
        lm_fail_plain(&why, LM_CODE_BAD_ARGUMENT, "there is no %s %u: there are %u",
                      lm_edit_item_name(list), (unsigned)last, (unsigned)count);
        return pass_over(p, &why);
    }
    for (uint32_t i = first; i <= last; i++)
        if (!add(p, i))
            return false;
    return true;
}

static bool pick_words(picking *p, lm_edit_list list, uint32_t surface, const char *words) {
    bool found = true;
    while (found && *words) {
        const size_t length = strcspn(words, ",");
        char *word = lm_arena_zeros(&p->arena, length + 1, 1);
        if (!word)
            return lm_fail_memory(p->error);
        memcpy(word, words, length);
        found = length == 0 || pick_word(p, list, surface, word);
        words += length + (words[length] == ',');
    }
    return found;
}

/* Puts clips' frames in their place, one clip after the other. */
static bool take_frames(picking *p) {
    const uint32_t *clips = p->list;
    const size_t count = p->count;
    uint32_t first, frames;
    p->list = NULL;
    p->count = p->capacity = 0;
    for (size_t i = 0; i < count; i++) {
        if (!lm_edit_clip(p->edit, clips[i], &first, &frames, p->error))
            return false;
        for (uint32_t k = 0; k < frames; k++)
            if (!add(p, first + k))
                return false;
    }
    return true;
}

/* All that is picked, or all that is not, in the order of the file. */
static bool put_in_order(picking *p, uint32_t all, bool picked) {
    bool *met = lm_arena_zeros(&p->arena, all, sizeof *met);
    if (!met)
        return lm_fail_memory(p->error);
    for (size_t i = 0; i < p->count; i++)
        met[p->list[i]] = true;
    p->count = 0;
    for (uint32_t i = 0; i < all; i++)
        if (met[i] == picked && !add(p, i))
            return false;
    return true;
}

bool lm_edit_pick(lm_edit *edit, lm_edit_list list, uint32_t surface, const char *words,
                  bool *missing, uint32_t *indices, uint32_t most, uint32_t *count,
                  lm_error *error) {
    picking p;
    begin(&p, edit, missing, error);
    const bool done = pick_words(&p, list, surface, words);
    for (uint32_t i = 0; i < most && i < p.count; i++)
        indices[i] = p.list[i];
    *count = (uint32_t)p.count;
    lm_arena_free(&p.arena);
    return done;
}

/* ---- Selecting ------------------------------------------------------------------------------ */

static bool select_picked(const picking *p, lm_edit_list list, uint32_t surface) {
    static const uint32_t none;
    return lm_edit_select(p->edit, list, surface, p->list ? p->list : &none, (uint32_t)p->count,
                          p->error);
}

/* "SURFACE:WORDS": which surface it is; WORDS in the place of `words`. */
static bool split_surface(picking *p, const char **words, uint32_t *surface) {
    const char *text = *words, *colon = strrchr(text, ':');
    if (!colon)
        return lm_fail_plain(p->error, LM_CODE_BAD_ARGUMENT, "say of which surface: SURFACE:%s",
                             text);
    const size_t length = (size_t)(colon - text);
    char *name = lm_arena_zeros(&p->arena, length + 1, 1);
    if (!name)
        return lm_fail_memory(p->error);
    memcpy(name, text, length);
    if (!pick_words(p, LM_EDIT_SURFACES, 0, name))
        return false;
    if (p->count != 1)
        return lm_fail_plain(p->error, LM_CODE_BAD_ARGUMENT, "there is no surface \"%s\"", name);
    *surface = p->list[0];
    *words = colon + 1;
    p->count = 0;
    return true;
}

static bool choose(picking *p, lm_edit_list list, lm_edit_choice choice, const char *words) {
    const lm_edit_list selected = list == LM_EDIT_CLIPS ? LM_EDIT_FRAMES : list;
    uint32_t surface = 0;
    if (!lm_edit_has(p->edit, list))
        return lm_fail_plain(p->error, LM_CODE_BAD_ARGUMENT, "%s has no %s",
                             lm_edit_format(p->edit)->name, lm_edit_list_name(list));
    if ((lm_edit_by_surface(p->edit, list) && !split_surface(p, &words, &surface)) ||
        !pick_words(p, list, surface, words) || (list == LM_EDIT_CLIPS && !take_frames(p)))
        return false;
    const uint32_t all = lm_edit_count(p->edit, selected, surface);
    if (choice != LM_EDIT_ORDER && !put_in_order(p, all, choice == LM_EDIT_KEEP))
        return false;
    if (p->count == 0 && selected == LM_EDIT_FRAMES)
        return lm_fail_plain(p->error, LM_CODE_BAD_ARGUMENT, "no frame would be left");
    return select_picked(p, selected, surface);
}

bool lm_edit_choose(lm_edit *edit, lm_edit_list list, lm_edit_choice choice, const char *words,
                    bool *missing, lm_error *error) {
    picking p;
    begin(&p, edit, missing, error);
    const bool done = choose(&p, list, choice, words);
    lm_arena_free(&p.arena);
    return done;
}

/* ---- Turning around ------------------------------------------------------------------------- */

static void turn(uint32_t *order, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint32_t kept = order[first + i];
        order[first + i] = order[first + count - 1 - i];
        order[first + count - 1 - i] = kept;
    }
}

/* Each of the clips by itself: none takes the place of another. */
static bool reverse(picking *p, const char *words) {
    uint32_t first, count;
    const uint32_t all = lm_edit_count(p->edit, LM_EDIT_FRAMES, 0);
    uint32_t *order = lm_arena_alloc(&p->arena, all, sizeof *order);
    if (!order)
        return lm_fail_memory(p->error);
    for (uint32_t i = 0; i < all; i++)
        order[i] = i;
    if (strcmp(words, "all") == 0)
        turn(order, 0, all);
    else if (!pick_words(p, LM_EDIT_CLIPS, 0, words))
        return false;
    for (size_t i = 0; i < p->count; i++) {
        if (!lm_edit_clip(p->edit, p->list[i], &first, &count, p->error))
            return false;
        turn(order, first, count);
    }
    return lm_edit_select(p->edit, LM_EDIT_FRAMES, 0, order, all, p->error);
}

bool lm_edit_reverse(lm_edit *edit, const char *words, bool *missing, lm_error *error) {
    picking p;
    begin(&p, edit, missing, error);
    const bool done = reverse(&p, words);
    lm_arena_free(&p.arena);
    return done;
}
