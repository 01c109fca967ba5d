/* Functions that every editing call uses: they begin and end a call, and record changes. */
#include "edit/editing.h"

#include "clips/clip_names.h"
#include "core/options.h"
#include "core/report.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

static const struct list_words {
    const char *list, *item;
} words[LM_NUM_EDIT_LISTS] = {
    [LM_EDIT_SKINS] = {"skins", "skin"}, [LM_EDIT_FRAMES] = {"frames", "frame"},
    [LM_EDIT_CLIPS] = {"clips", "clip"}, [LM_EDIT_SURFACES] = {"surfaces", "surface"},
    [LM_EDIT_TAGS] = {"tags", "tag"},    [LM_EDIT_HEADER] = {"name in the header", "name"},
};

const char *lmi_edit_list_name(lm_edit_list list) {
    return (unsigned)list < LM_NUM_EDIT_LISTS ? words[list].list : "unknown";
}

const char *lmi_edit_item_name(lm_edit_list list) {
    return (unsigned)list < LM_NUM_EDIT_LISTS ? words[list].item : "unknown";
}

void lmi_edit_begin(lm_edit *edit, lm_error *error) {
    edit->call->error = error;
    edit->call->status = LM_DONE;
    lmi_heap_forget_limit(&edit->heap); /* the previous call may have reached it */
    edit->num_noted = edit->num_changes;
    edit->num_plans = 0;
    edit->walk = (lm_edit_walk){0};
}

bool lmi_edit_end(lm_edit *edit, bool done) {
    lm_call *call = edit->call;
    if (call->status == LM_NO_MEMORY)
        lm_fail_plain(call->error, LM_CODE_OUT_OF_MEMORY, "%s: out of memory while editing",
                      call->name);
    if (done)
        edit->num_changes = edit->num_noted;
    call->error = NULL;
    return done;
}

static bool copy_text(lm_edit *edit, const char *text, const char **copy) {
    *copy = text ? lmi_arena_text(&edit->arena, text, strlen(text)) : NULL;
    return !text || *copy;
}

bool lmi_edit_note(lm_edit *edit, const char *what, const char *before, const char *after) {
    lm_edit_change change;
    if (!copy_text(edit, what, &change.what) || !copy_text(edit, before, &change.before) ||
        !copy_text(edit, after, &change.after) ||
        !lmi_arena_grow(&edit->arena, &edit->changes, &edit->max_changes, edit->num_noted + 1,
                        sizeof *edit->changes))
        return false;
    edit->changes[edit->num_noted++] = change;
    return true;
}

bool lmi_edit_note_count(lm_edit *edit, const char *what, uint32_t before, uint32_t after) {
    char was[16], is[16];
    snprintf(was, sizeof was, "%u", (unsigned)before);
    snprintf(is, sizeof is, "%u", (unsigned)after);
    return lmi_edit_note(edit, what, was, is);
}

void lmi_edit_what(const lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                   char what[LM_EDIT_WHAT_SIZE]) {
    if (lmi_edit_by_surface(edit, list))
        snprintf(what, LM_EDIT_WHAT_SIZE, "surface %u %s %u", (unsigned)surface, words[list].item,
                 (unsigned)index);
    else if (list == LM_EDIT_HEADER)
        snprintf(what, LM_EDIT_WHAT_SIZE, "%s", words[list].list);
    else
        snprintf(what, LM_EDIT_WHAT_SIZE, "%s %u", words[list].item, (unsigned)index);
}

bool lmi_edit_has(const lm_edit *edit, lm_edit_list list) {
    const lm_edit_list shown = list == LM_EDIT_CLIPS ? LM_EDIT_FRAMES : list;
    return (unsigned)list < LM_NUM_EDIT_LISTS && edit->editor->lists >> shown & 1;
}

bool lmi_edit_by_surface(const lm_edit *edit, lm_edit_list list) {
    return list == LM_EDIT_SKINS && lmi_edit_has(edit, LM_EDIT_SURFACES);
}

bool lmi_edit_has_list(lm_edit *edit, lm_edit_list list, uint32_t surface) {
    if (!lmi_edit_has(edit, list))
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "this format has no %s",
                             (unsigned)list < LM_NUM_EDIT_LISTS ? words[list].list : "such list");
    const uint32_t count = lmi_edit_size(edit, LM_EDIT_SURFACES, 0);
    if (lmi_edit_by_surface(edit, list) && surface >= count)
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                             "there is no surface %u: the model has %u", (unsigned)surface,
                             (unsigned)count);
    return true;
}

bool lmi_edit_has_item(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index) {
    if (!lmi_edit_has_list(edit, list, surface))
        return false;
    const uint32_t count = lmi_edit_size(edit, list, surface);
    if (index < count || edit->call->status != LM_DONE)
        return edit->call->status == LM_DONE;
    return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "there is no %s %u: the model has %u",
                         words[list].item, (unsigned)index, (unsigned)count);
}

bool lmi_edit_can(lm_edit *edit, bool can, const char *what) {
    return can || lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "this format %s", what);
}

bool lmi_edit_fit(lm_edit *edit, const char *what, const char *text, size_t length, size_t room,
                  uint8_t *field) {
    if (length >= room)
        return lmi_call_fail(edit->call, LM_CODE_LIMIT,
                             "%s \"%.80s\" has %zu bytes, but its field holds %zu", what, text,
                             length, room - 1);
    memcpy(field, text, length);
    return true;
}

const lm_edit_change *lm_edit_changes(const lm_edit *edit, uint32_t *count) {
    *count = (uint32_t)edit->num_changes;
    return edit->changes;
}

/* Names in a file: reading, renaming, and replacing by a pattern. */

/* ---- Clips --------------------------------------------------------------------------------- */

/* Returns the clips of a clips file, or those that the frames form; NULL if memory ran out. Valid
 * until names or frames change. */
static const lm_edit_clips *find_clips(lm_edit *edit) {
    if (edit->clips)
        return edit->clips;
    const size_t count = edit->editor->count(edit, LM_EDIT_FRAMES, 0);
    lm_name_fields names;
    lm_arena scratch = {.heap = &edit->heap};
    uint8_t *fields = lmi_arena_alloc(&scratch, count, LM_EDIT_NAME_SIZE);
    uint32_t *groups = lmi_arena_alloc(&scratch, count, sizeof *groups);
    lm_edit_clips *clips = fields && groups ? lmi_object(&edit->heap, sizeof *clips) : NULL;
    bool done = false;
    if (clips) {
        /* Copy the frames' names into one array; in the file they may be apart. */
        const lm_editor *editor = edit->editor;
        names = (lm_name_fields){.first = fields, .stride = LM_EDIT_NAME_SIZE};
        names.count = editor->count(edit, LM_EDIT_FRAMES, 0);
        names.groups = editor->group ? groups : NULL;
        edit->walk = (lm_edit_walk){0};
        for (uint32_t f = 0; f < names.count; f++) {
            const uint8_t *name = editor->name(edit, LM_EDIT_FRAMES, 0, f, &names.size);
            memcpy(fields + (size_t)f * LM_EDIT_NAME_SIZE, name, names.size);
            groups[f] = editor->group ? editor->group(edit, f) : 0;
        }
        done = lmi_clips_of_names(lmi_arena_of(clips), &names, &clips->list, &clips->count);
    }
    lmi_arena_free(&scratch);
    edit->clips = lmi_object_end(clips, done);
    return edit->clips;
}

void lmi_edit_forget_clips(lm_edit *edit) {
    if (!edit->given) {
        lmi_object_free(edit->clips);
        edit->clips = NULL;
    }
    edit->walk = (lm_edit_walk){0};
}

bool lm_edit_use_clips(lm_edit *edit, const lm_clip *clips, uint32_t num_clips, lm_error *error) {
    if (!LM_GIVEN(error, edit) || !lmi_array_valid(clips, num_clips, "edit", "clips", error))
        return false;
    const uint32_t frames = edit->editor->count(edit, LM_EDIT_FRAMES, 0);
    for (uint32_t i = 0; i < num_clips; i++)
        if (!lmi_clip_valid(&clips[i], frames, "clip", i, error))
            return false;
    lmi_edit_begin(edit, error);
    lm_edit_clips *made = lmi_object(&edit->heap, sizeof *made);
    lm_arena *arena = made ? lmi_arena_of(made) : NULL;
    lm_clip *list = made ? lmi_arena_alloc(arena, num_clips, sizeof *list) : NULL;
    for (uint32_t i = 0; list && i < num_clips; i++)
        list[i] = (lm_clip){.name = lmi_arena_text(arena, clips[i].name, strlen(clips[i].name)),
                            .first = clips[i].first,
                            .count = clips[i].count};
    const bool done = list && !lmi_arena_failed(arena);
    if (done)
        *made = (lm_edit_clips){num_clips, list};
    made = lmi_object_end(made, done);
    if (made) {
        lmi_object_free(edit->clips);
        edit->clips = made;
        edit->given = true;
    }
    return lmi_edit_end(edit, made);
}

bool lmi_edit_move_clips(lm_edit *edit, uint32_t num_before, const uint32_t *indices,
                         uint32_t count) {
    lm_edit_clips *given = edit->given ? edit->clips : NULL;
    lm_arena scratch = {.heap = &edit->heap};
    uint32_t *places = given ? lmi_arena_alloc(&scratch, num_before, sizeof *places) : NULL;
    uint32_t *runs = given ? lmi_arena_zeros(&scratch, num_before, sizeof *runs) : NULL;
    uint32_t kept = 0;
    for (uint32_t i = count; places && runs && i-- > 0;) {
        const uint32_t f = indices[i];
        runs[f] = i + 1 < count && indices[i + 1] == f + 1 ? runs[f + 1] + 1 : 1;
        places[f] = i;
    }
    for (uint32_t i = 0; places && runs && i < given->count; i++) {
        lm_clip clip = given->list[i];
        const uint32_t run = runs[clip.first];
        clip.first = run > 0 ? places[clip.first] : 0;
        clip.count = run < clip.count ? run : clip.count;
        if (clip.count > 0)
            ((lm_clip *)given->list)[kept++] = clip;
    }
    const bool done = !given || (places && runs);
    if (given && done)
        given->count = kept;
    lmi_arena_free(&scratch);
    return done;
}

bool lm_edit_clip(lm_edit *edit, uint32_t clip, uint32_t *first, uint32_t *count, lm_error *error) {
    if (!LM_GIVEN(error, edit, first, count))
        return false;
    lmi_edit_begin(edit, error);
    const bool found = lmi_edit_has_item(edit, LM_EDIT_CLIPS, 0, clip);
    if (found) {
        *first = edit->clips->list[clip].first;
        *count = edit->clips->list[clip].count;
    }
    return lmi_edit_end(edit, found);
}

/* ---- Reading -------------------------------------------------------------------------------- */

uint32_t lmi_edit_size(lm_edit *edit, lm_edit_list list, uint32_t surface) {
    if (list == LM_EDIT_CLIPS) {
        const lm_edit_clips *clips = find_clips(edit);
        return clips ? clips->count : 0;
    }
    if (!lmi_edit_has(edit, list) || (lmi_edit_by_surface(edit, list) &&
                                      surface >= edit->editor->count(edit, LM_EDIT_SURFACES, 0)))
        return 0;
    return edit->editor->count(edit, list, surface);
}

bool lm_edit_count(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t *count,
                   lm_error *error) {
    if (!LM_GIVEN(error, edit, count))
        return false;
    lmi_edit_begin(edit, error);
    if ((unsigned)list >= LM_NUM_EDIT_LISTS)
        return lmi_edit_end(edit, lmi_edit_has_list(edit, list, surface));
    *count = lmi_edit_size(edit, list, surface);
    return lmi_edit_end(edit, edit->call->status == LM_DONE);
}

/* Reads the name of an existing element. */
static bool read_name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                      char name[LM_EDIT_NAME_SIZE]) {
    size_t length = 0;
    const void *text = NULL;
    name[0] = '\0';
    if (list == LM_EDIT_CLIPS)
        length = strlen(text = edit->clips->list[index].name);
    else if ((text = edit->editor->name(edit, list, surface, index, &length)) != NULL)
        length = lmi_field_length(text, length);
    if (!text)
        return false;
    length = length < LM_EDIT_NAME_SIZE ? length : LM_EDIT_NAME_SIZE - 1;
    memcpy(name, text, length);
    name[length] = '\0';
    return true;
}

bool lm_edit_name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                  char name[LM_EDIT_NAME_SIZE]) {
    name[0] = '\0';
    edit->walk = (lm_edit_walk){0}; /* the caller may have changed the document */
    return index < lmi_edit_size(edit, list, surface) &&
           read_name(edit, list, surface, index, name);
}

bool lmi_edit_seek(lm_edit *edit, lm_edit_list list, uint32_t surface, const char *name,
                   uint32_t *index) {
    char text[LM_EDIT_NAME_SIZE];
    const uint32_t count = lmi_edit_size(edit, list, surface);
    *index = 0;
    while (*index < count &&
           (!read_name(edit, list, surface, *index, text) || lmi_compare_letters(text, name) != 0))
        ++*index;
    *index = *index < count ? *index : LM_EDIT_NONE;
    return edit->call->status == LM_DONE;
}

bool lm_edit_find(lm_edit *edit, lm_edit_list list, uint32_t surface, const char *name,
                  uint32_t *index, lm_error *error) {
    if (!LM_GIVEN(error, edit, index))
        return false;
    uint32_t found = LM_EDIT_NONE;
    lmi_edit_begin(edit, error);
    bool done = lmi_edit_has_list(edit, list, surface) &&
                (!name || lmi_edit_seek(edit, list, surface, name, &found));
    if (done && found == LM_EDIT_NONE)
        done = lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "there is no %s \"%.80s\"",
                             lmi_edit_item_name(list), name ? name : "");
    if (done)
        *index = found;
    return lmi_edit_end(edit, done);
}

/* ---- Renaming ------------------------------------------------------------------------------- */

static bool add_plan(lm_edit *edit, const lm_edit_name_plan *plan) {
    if (!lmi_arena_grow(&edit->arena, &edit->plans, &edit->max_plans, edit->num_plans + 1,
                        sizeof *edit->plans))
        return false;
    edit->plans[edit->num_plans++] = *plan;
    return true;
}

/* Plans a new name for an existing element, if it differs from its name. */
static bool plan_name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                      const char *name, size_t length) {
    size_t room = 0;
    char what[LM_EDIT_WHAT_SIZE], label[LM_EDIT_WHAT_SIZE + 16];
    lm_edit_name_plan plan = {.list = list, .surface = surface, .index = index};
    const uint8_t *field = edit->editor->name(edit, list, surface, index, &room);
    lmi_edit_what(edit, list, surface, index, what);
    if (!field)
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                             "%s is an image inside the file and has no name", what);
    if (room == 0)
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "%s has no name in this format",
                             what);
    snprintf(label, sizeof label, "%s: the name", what);
    if (!lmi_edit_fit(edit, label, name, length, room, plan.field))
        return false;
    if (lmi_field_length(field, room) == length && memcmp(field, name, length) == 0)
        return true;
    return add_plan(edit, &plan);
}

static bool put_name(lm_edit *edit, const lm_edit_name_plan *plan, const uint8_t *field) {
    return edit->editor->put_name(edit, plan->list, plan->surface, plan->index, field);
}

/* Writes the planned names. Writes the old names first, which allocates all memory, so that the new
 * ones cannot fail. */
bool lmi_edit_write_plans(lm_edit *edit) {
    for (size_t i = 0; i < edit->num_plans; i++) {
        const lm_edit_name_plan *plan = &edit->plans[i];
        size_t room = 0;
        uint8_t same[LM_EDIT_NAME_SIZE];
        const uint8_t *field =
            edit->editor->name(edit, plan->list, plan->surface, plan->index, &room);
        memcpy(same, field, room);
        if (!put_name(edit, plan, same))
            return false;
    }
    for (size_t i = 0; i < edit->num_plans; i++)
        put_name(edit, &edit->plans[i], edit->plans[i].field);
    if (edit->num_plans > 0)
        lmi_edit_forget_clips(edit);
    return true;
}

static bool note_all(lm_edit *edit) {
    bool noted = true;
    for (size_t i = 0; noted && i < edit->num_plans; i++) {
        const lm_edit_name_plan *plan = &edit->plans[i];
        char what[LM_EDIT_WHAT_SIZE], before[LM_EDIT_NAME_SIZE];
        lmi_edit_what(edit, plan->list, plan->surface, plan->index, what);
        read_name(edit, plan->list, plan->surface, plan->index, before);
        noted = lmi_edit_note(edit, what, before, (const char *)plan->field);
    }
    return noted;
}

/* ---- Names of clips ------------------------------------------------------------------------- */

/* Returns the length of the stem with which all names of a clip's frames begin: the clip's name, or
 * that without its distinguishing suffix ("run_2"). Returns 0 if they begin otherwise. */
static size_t common_stem(lm_edit *edit, const lm_clip *clip) {
    size_t length = strlen(clip->name), room = 0;
    for (int attempt = 0; attempt < 2; attempt++) {
        uint32_t matching = 0;
        for (; matching < clip->count; matching++) {
            const uint8_t *field =
                edit->editor->name(edit, LM_EDIT_FRAMES, 0, clip->first + matching, &room);
            if (lmi_field_length(field, room) < length ||
                !lmi_same_letters(field, clip->name, length))
                break;
        }
        if (matching == clip->count)
            return length;
        while (length > 0 && clip->name[length - 1] >= '0' && clip->name[length - 1] <= '9')
            length--;
        if (length == 0 || clip->name[length - 1] != '_')
            return 0;
        length--;
    }
    return 0;
}

/* Returns whether frames with this name and a number are a clip of this name. */
static bool makes_clip(const char *name) {
    bool letters = false;
    char last = 0;
    for (; *name; name++) {
        last = *name;
        letters = letters || (last >= 'a' && last <= 'z') || (last >= 'A' && last <= 'Z');
    }
    return letters && !(last >= '0' && last <= '9');
}

static bool plan_clip(lm_edit *edit, const lm_clip *clip, const char *name) {
    const size_t stem = common_stem(edit, clip);
    if (*name == '\0')
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                             "clip %s: a clip's name cannot be empty", clip->name);
    if (!makes_clip(name))
        return lmi_call_fail(edit->call, LM_CODE_NOT_HELD,
                             "clip %s: a clip's name is the start of its frames' names, so \"%s\" "
                             "would be lost: it needs a letter, and no digit at its end",
                             clip->name, name);
    for (uint32_t i = 0; i < clip->count; i++) {
        size_t room = 0;
        const uint8_t *field = edit->editor->name(edit, LM_EDIT_FRAMES, 0, clip->first + i, &room);
        char text[LM_EDIT_NAME_SIZE + LM_EDIT_NAME_SIZE];
        if (stem > 0)
            snprintf(text, sizeof text, "%.79s%.*s", name,
                     (int)(lmi_field_length(field, room) - stem), (const char *)field + stem);
        else
            snprintf(text, sizeof text, "%.79s%02u", name, (unsigned)i + 1);
        if (!plan_name(edit, LM_EDIT_FRAMES, 0, clip->first + i, text, strlen(text)))
            return false;
    }
    return true;
}

/* ---- The calls ----------------------------------------------------------------------------- */

static bool rename_clip(lm_edit *edit, uint32_t index, const char *name) {
    char what[LM_EDIT_WHAT_SIZE];
    const lm_clip *clip = &edit->clips->list[index];
    lmi_edit_what(edit, LM_EDIT_CLIPS, 0, index, what);
    return strcmp(clip->name, name) == 0 ||
           (plan_clip(edit, clip, name) && lmi_edit_note(edit, what, clip->name, name));
}

bool lm_edit_rename(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                    const char *name, lm_error *error) {
    if (!LM_GIVEN(error, edit, name))
        return false;
    lmi_edit_begin(edit, error);
    bool done = lmi_edit_has_item(edit, list, surface, index);
    if (done && list == LM_EDIT_CLIPS)
        done = rename_clip(edit, index, name);
    else
        done = done && plan_name(edit, list, surface, index, name, strlen(name)) && note_all(edit);
    return lmi_edit_end(edit, done && lmi_edit_write_plans(edit));
}

/* Plans the result of a pattern for one name. */
static bool substitute_one(lm_edit *edit, const lm_pattern *pattern, lm_edit_list list,
                           uint32_t surface, uint32_t index) {
    char name[LM_EDIT_NAME_SIZE], made[LM_MESSAGE_SIZE];
    size_t length;
    if (!read_name(edit, list, surface, index, name) ||
        lmi_pattern_apply(pattern, name, made, sizeof made, &length) == 0 ||
        (length < sizeof made && strcmp(name, made) == 0))
        return true;
    return list == LM_EDIT_CLIPS ? rename_clip(edit, index, made)
                                 : plan_name(edit, list, surface, index, made, length);
}

bool lmi_edit_substitute(lm_edit *edit, lm_edit_list list, const char *substitution,
                         lm_error *error) {
    lm_pattern pattern;
    lmi_edit_begin(edit, error);
    const bool by_surface = lmi_edit_by_surface(edit, list);
    bool done =
        (by_surface || lmi_edit_has_list(edit, list, 0)) &&
        (list != LM_EDIT_CLIPS || find_clips(edit)) &&
        lmi_call_join(edit->call, lmi_pattern_compile(&pattern, substitution, edit->call->error));
    const uint32_t surfaces = by_surface ? lmi_edit_size(edit, LM_EDIT_SURFACES, 0) : 1;
    for (uint32_t s = 0; done && s < surfaces; s++) {
        const uint32_t names = lmi_edit_size(edit, list, s);
        for (uint32_t i = 0; done && i < names; i++)
            done = substitute_one(edit, &pattern, list, s, i);
    }
    done = done && (list == LM_EDIT_CLIPS || note_all(edit)) && lmi_edit_write_plans(edit);
    return lmi_edit_end(edit, done);
}

bool lmi_edit_plan_clean_name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index) {
    size_t room = 0;
    lm_edit_name_plan plan = {.list = list, .surface = surface, .index = index};
    const uint8_t *field = edit->editor->name(edit, list, surface, index, &room);
    if (!field)
        return true;
    memcpy(plan.field, field, lmi_field_length(field, room));
    return add_plan(edit, &plan);
}
