/* Writes a model's clips as a clips file. */
#include "core/report.h"

#include "clips/clip_names.h"
#include "core/options.h"
#include "core/text.h"
#include "core/writing.h"
#include "lerpmesh/clips.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Writes a clip's name in a comment. Replaces every character that would end the name. */
static void add_name(const char *name, bool ends_at_space, lm_buffer *out) {
    for (const char *c = name; *c; c++) {
        const bool ends = (unsigned char)*c < ' ' || (ends_at_space && strchr(" (),;:/*", *c));
        lm_buffer_append(out, ends ? "_" : c, 1);
    }
}

static bool same_barrels(const lm_clip *a, const lm_clip *b) {
    return a->animated_barrels == b->animated_barrels && a->animated_weapon == b->animated_weapon &&
           a->hidden_barrels == b->hidden_barrels;
}

static bool same_frames(const lm_clip *a, const lm_clip *b) {
    return a->first == b->first && a->count == b->count && a->loop_frames == b->loop_frames &&
           a->backwards == b->backwards && same_barrels(a, b);
}

/* The formats that are written: the file's name in messages, and the first lines. */
static const struct {
    const char *title, *heading;
} written[] = {
    [LM_CLIPS_AUTO] = {NULL, NULL},
    [LM_CLIPS_ANIMATION_CFG] =
        {"animation.cfg", "// first frame, number of frames, looping frames, frames per second\n"},
    [LM_CLIPS_FRAMEGROUPS] = {".framegroups file",
                              "// first frame, number of frames, frames per second, loop\n"},
    [LM_CLIPS_ANM] = {NULL, NULL},
    [LM_CLIPS_WEAPON_CFG] =
        {"weapon.cfg",
         "newfmt\n// first frame, number of frames, frames per second, looping frames, animated "
         "barrels, animated weapon, hidden barrels\n"},
};

/* Reads the text back and compares the clips. Like the games, the reader subtracts the distance
 * from TORSO_GESTURE to LEGS_WALKCR from LEGS_ clips. */
static bool check_round_trip(const lm_clip *clips, uint32_t num_clips, uint32_t num_frames,
                             lm_clips_format format, const void *text, size_t size,
                             lm_error *error) {
    const lm_clips_options options = {.format = format};
    lm_error why = {.code = LM_CODE_OK};
    lm_clips *read = lm_clips_read(text, size, num_frames, &options, &why);
    bool same = read && read->num_clips == num_clips;
    for (uint32_t i = 0; same && i < num_clips; i++)
        same = same_frames(&read->clips[i], &clips[i]) &&
               (format != LM_CLIPS_WEAPON_CFG || strcmp(read->clips[i].name, clips[i].name) == 0) &&
               fabsf(read->clips[i].fps - clips[i].fps) <= 1e-5f * read->clips[i].fps;
    lm_clips_free(read);
    if (why.code == LM_CODE_OUT_OF_MEMORY)
        return lmi_fail_memory(error);
    return same ||
           lm_fail_plain(error, LM_CODE_NOT_HELD,
                         "%s %s cannot store these clips: games would play other frames or rates",
                         format == LM_CLIPS_ANIMATION_CFG ? "an" : "a", written[format].title);
}

static bool begins(const lm_clip *clip, const char *with) {
    return strncmp(clip->name, with, strlen(with)) == 0;
}

/* Returns the number that is added to the first frames of LEGS_ clips: the frames of the TORSO_
 * ones if legs and torso count their frames separately, as in the files of the games. */
static uint32_t legs_offset(const lm_clip *clips, uint32_t num_clips) {
    const lm_clip *torso = NULL, *legs = NULL;
    uint32_t end = 0;
    for (uint32_t i = 0; i < num_clips; i++) {
        if (strcmp(clips[i].name, "TORSO_GESTURE") == 0)
            torso = &clips[i];
        else if (strcmp(clips[i].name, "LEGS_WALKCR") == 0)
            legs = &clips[i];
        if (begins(&clips[i], "TORSO_") && clips[i].first + clips[i].count > end)
            end = clips[i].first + clips[i].count;
    }
    return torso && legs && torso->first == legs->first ? end - torso->first : 0;
}

static void write_row(const lm_clip *clip, lm_clips_format format, uint32_t first, lm_buffer *out) {
    const char gap = format == LM_CLIPS_FRAMEGROUPS ? ' ' : '\t';
    lm_buffer_printf(out, "%u%c%s%u%c", (unsigned)first, gap, clip->backwards ? "-" : "",
                     (unsigned)clip->count, gap);
    if (format == LM_CLIPS_ANIMATION_CFG)
        lm_buffer_printf(out, "%u\t", (unsigned)clip->loop_frames);
    lmi_buffer_float(out, clip->fps);
    if (format == LM_CLIPS_WEAPON_CFG)
        lm_buffer_printf(out, "\t%u\t%u\t%u\t%u", (unsigned)clip->loop_frames,
                         clip->animated_barrels, clip->animated_weapon, clip->hidden_barrels);
    lm_buffer_text(out, format != LM_CLIPS_FRAMEGROUPS ? "\t\t// "
                        : clip->loop_frames > 0        ? " 1 // "
                                                       : " 0 // ");
    add_name(clip->name, format != LM_CLIPS_FRAMEGROUPS, out);
    lm_buffer_text(out, "\n");
}

bool lm_clips_write(const lm_clip *clips, uint32_t num_clips, uint32_t num_frames,
                    lm_clips_format format, lm_buffer *out, lm_error *error) {
    if (!LM_GIVEN(error, out) || !lmi_buffer_valid(out, __func__, error))
        return false;
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    if (!lmi_array_valid(clips, num_clips, "clips", "clips", error))
        return false;
    for (uint32_t i = 0; i < num_clips; i++)
        if (!lmi_clip_valid(&clips[i], num_frames, "clip", i, error))
            return false;
        else if (*clips[i].name == '\0')
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "clip %u has no name", (unsigned)i);
    format = format == LM_CLIPS_AUTO ? LM_CLIPS_ANIMATION_CFG : format;
    if (format >= sizeof written / sizeof *written || !written[format].title)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "clips are written as animation.cfg, weapon.cfg or .framegroups only");
    const uint32_t offset = format == LM_CLIPS_ANIMATION_CFG ? legs_offset(clips, num_clips) : 0;
    lm_buffer_text(out, written[format].heading);
    for (uint32_t i = 0; i < num_clips; i++)
        write_row(&clips[i], format, clips[i].first + (begins(&clips[i], "LEGS_") ? offset : 0),
                  out);
    const bool done =
        !out->failed && check_round_trip(clips, num_clips, num_frames, format,
                                         out->data + mark.size, out->size - mark.size, error);
    return lmi_buffer_end(out, mark, done, written[format].title, error);
}

/* ---- Changing a clip ------------------------------------------------------------------------- */

#define PATCH_SIZE 96 /* bytes for the longest name, with a comment's beginning */
#define MAX_PATCHES 8 /* the values of a row */

/* New text for a part of the line; an empty part is an insertion. */
typedef struct patch {
    const uint8_t *at;
    size_t length;
    char text[PATCH_SIZE];
    bool is_rate; /* `rate` follows the text */
    float rate;
} patch;

typedef struct row_change {
    const lm_clips_place *place;
    patch patches[MAX_PATCHES];
    size_t num_patches;
} row_change;

/* The numbers of a row. The second one is the last frame in an .anm file. */
typedef enum row_column {
    COLUMN_FIRST,
    COLUMN_COUNT,
    COLUMN_LOOP,
    COLUMN_FPS,
    COLUMN_ANIMATED_BARRELS,
    COLUMN_ANIMATED_WEAPON,
    COLUMN_HIDDEN_BARRELS,
    NUM_COLUMNS
} row_column;
#define NO_COLUMN LM_LINE_WORDS

static const uint8_t *end_of(lm_word word) {
    return word.text + word.length;
}

/* Returns an empty patch, in the order of the text. Of those at one position, the first stays
 * first. */
static patch *add_patch(row_change *change, const uint8_t *at, size_t length) {
    size_t i = change->num_patches++;
    for (; i > 0 && change->patches[i - 1].at > at; i--)
        change->patches[i] = change->patches[i - 1];
    change->patches[i] = (patch){.at = at, .length = length};
    return &change->patches[i];
}

/* Returns false if the row lacks the number, or its format has none. */
static bool find_word(const row_change *change, row_column column, lm_word *word) {
    static const uint8_t columns[][NUM_COLUMNS] = {
        [LM_CLIPS_AUTO] = {0},
        [LM_CLIPS_ANIMATION_CFG] = {0, 1, 2, 3, NO_COLUMN, NO_COLUMN, NO_COLUMN},
        [LM_CLIPS_FRAMEGROUPS] = {0, 1, 3, 2, NO_COLUMN, NO_COLUMN, NO_COLUMN},
        [LM_CLIPS_ANM] = {1, 2, NO_COLUMN, 3, NO_COLUMN, NO_COLUMN, NO_COLUMN},
        [LM_CLIPS_WEAPON_CFG] = {0, 1, 3, 2, 4, 5, 6}};
    const lm_clips_place *place = change->place;
    const lmi_text_line *line = &place->line;
    const bool name_first =
        place->format == LM_CLIPS_ANIMATION_CFG && place->row.name.text == line->words[0].text;
    const size_t index = columns[place->format][column] + (name_first ? 1U : 0U);
    if (index >= line->num_words)
        return false;
    *word = line->words[index];
    return true;
}

/* Returns a patch in place of a number, or after the last word. */
static patch *patch_number(row_change *change, row_column column) {
    const lmi_text_line *line = &change->place->line;
    lm_word word;
    if (find_word(change, column, &word))
        return add_patch(change, word.text, word.length);
    patch *added = add_patch(change, line->words_end, 0);
    added->text[0] = ' ';
    return added;
}

static void put_integer(row_change *change, row_column column, int64_t value) {
    patch *added = patch_number(change, column);
    const size_t used = strlen(added->text);
    snprintf(added->text + used, sizeof added->text - used, "%" PRId64, value);
}

/* Puts a name in place of the old one, or in a comment. */
static void put_name(row_change *change, const char *name) {
    const lm_clips_row *row = &change->place->row;
    const lmi_text_line *line = &change->place->line;
    const bool commented = line->comment.text != NULL;
    const uint8_t *at = row->name.length ? row->name.text
                        : commented      ? end_of(line->comment)
                                         : line->end;
    patch *added = add_patch(change, at, row->name.length);
    snprintf(added->text, sizeof added->text, "%s%s",
             row->name.length ? ""
             : commented      ? " "
                              : "\t// ",
             name);
}

/* ---- Values -------------------------------------------------------------------------------- */

/* Changes the numbers of frames that would not read as those of the clip. The reader cuts clips to
 * the model's frames. */
static void change_frames(row_change *change, const lm_clip *to, uint32_t num_frames) {
    const lm_clips_place *place = change->place;
    const lm_clips_row *row = &place->row;
    const bool is_last = place->format == LM_CLIPS_ANM;
    const size_t length = strlen("LEGS_");
    const bool legs = strlen(to->name) >= length && lmi_same_letters(to->name, "LEGS_", length);
    const int64_t first = (int64_t)to->first + (legs ? place->legs_offset : 0);
    const int64_t most = (int64_t)num_frames - to->first;
    int64_t count = row->count < 0 ? -row->count : row->count;
    if (is_last)
        count += row->first - first;
    if (row->first != first)
        put_integer(change, COLUMN_FIRST, first);
    if ((count < most ? count : most) == to->count && (row->count < 0) == to->backwards)
        return;
    put_integer(change, COLUMN_COUNT,
                is_last         ? first + to->count - 1
                : to->backwards ? -(int64_t)to->count
                                : to->count);
}

static void change_row(row_change *change, const lm_clip *from, const lm_clip *to,
                       uint32_t num_frames) {
    /* Change the loop, unless the row already reads so: a negative number, and one that exceeds the
     * clip, mean all frames. An .anm file has no loops. */
    const int64_t loop = change->place->row.loop;
    const bool loops = change->place->format != LM_CLIPS_ANM &&
                       (loop < 0 || loop > to->count ? to->count : loop) != to->loop_frames;
    lm_word word;
    change_frames(change, to, num_frames);
    /* A loop follows a rate. */
    if (from->fps != to->fps || (loops && !find_word(change, COLUMN_FPS, &word))) {
        patch *added = patch_number(change, COLUMN_FPS);
        added->is_rate = true;
        added->rate = to->fps;
    }
    if (loops)
        put_integer(change, COLUMN_LOOP,
                    change->place->format == LM_CLIPS_FRAMEGROUPS ? to->loop_frames > 0
                                                                  : to->loop_frames);
    const bool has_bits = find_word(change, COLUMN_HIDDEN_BARRELS, &word);
    if (has_bits && from->animated_barrels != to->animated_barrels)
        put_integer(change, COLUMN_ANIMATED_BARRELS, to->animated_barrels);
    if (has_bits && from->animated_weapon != to->animated_weapon)
        put_integer(change, COLUMN_ANIMATED_WEAPON, to->animated_weapon);
    if (has_bits && from->hidden_barrels != to->hidden_barrels)
        put_integer(change, COLUMN_HIDDEN_BARRELS, to->hidden_barrels);
    if (strcmp(from->name, to->name) != 0)
        put_name(change, to->name);
}

static void write_patches(const row_change *change, const uint8_t *text, size_t size,
                          lm_buffer *out) {
    const uint8_t *at = text;
    for (size_t i = 0; i < change->num_patches; i++) {
        const patch *p = &change->patches[i];
        lm_buffer_append(out, at, (size_t)(p->at - at));
        lm_buffer_text(out, p->text);
        if (p->is_rate)
            lmi_buffer_float(out, p->rate);
        at = p->at + p->length;
    }
    lm_buffer_append(out, at, size - (size_t)(at - text));
}

static bool same_numbers(const lm_clip *a, const lm_clip *b) {
    return same_frames(a, b) && a->fps == b->fps;
}

/* Returns the sentence about the first difference to the intended clips; NULL: there is none. Other
 * clips may get another number at the end of a repeated name. */
static const char *find_difference(const lm_clips *before, const lm_clips *after, uint32_t clip,
                                   const lm_clip *to) {
    const lm_clip *changed = &after->clips[clip];
    bool others = before->num_clips != after->num_clips;
    for (uint32_t i = 0; !others && i < before->num_clips; i++)
        others = i != clip && !same_numbers(&before->clips[i], &after->clips[i]);
    return others                                    ? "other clips would change too"
           : strcmp(changed->name, to->name) != 0    ? "the file cannot store this name of a clip"
           : changed->loop_frames != to->loop_frames ? "the file cannot store this loop of a clip"
           : changed->fps != to->fps                 ? "the file cannot store this rate of a clip"
           : changed->backwards != to->backwards     ? "the file cannot store this direction"
           : !same_barrels(changed, to)              ? "the file cannot store these barrels"
           : same_numbers(changed, to)               ? NULL
                                                     : "the file cannot store these frames";
}

/* Reads the new text back. */
static bool check_change(const lm_clips *before, const void *text, size_t size, uint32_t num_frames,
                         const lm_clips_options *options, const char *title, uint32_t clip,
                         const lm_clip *to, lm_error *error) {
    lm_error why = {.code = LM_CODE_OK};
    lm_clips *after = lm_clips_read(text, size, num_frames, options, &why);
    const char *difference =
        after ? find_difference(before, after, clip, to) : "the file cannot store this clip";
    lm_clips_free(after);
    if (why.code == LM_CODE_OUT_OF_MEMORY)
        return lmi_fail_memory(error);
    return !difference || lm_fail_plain(error, LM_CODE_NOT_HELD, "%s: %s", title, difference);
}

bool lm_clips_change(const void *text, size_t size, uint32_t num_frames, uint32_t clip,
                     const lm_clip *to, const lm_clips_options *options, lm_buffer *out,
                     lm_error *error) {
    if (!LM_GIVEN(error, to, out) || !lmi_buffer_valid(out, __func__, error))
        return false;
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    lm_clips_place place = {.format = LM_CLIPS_AUTO};
    row_change change = {.place = &place};
    if (!lmi_clip_valid(to, num_frames, "clip", clip, error))
        return false;
    lm_clips *before = lmi_clips_read_place(text, size, num_frames, options, clip, &place, error);
    const char *title = options && options->file_name ? options->file_name : "clips";
    bool done = before;
    if (before && clip >= before->num_clips)
        done = lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: there is no clip %lu", title,
                             (unsigned long)clip);
    if (done) {
        change_row(&change, &before->clips[clip], to, num_frames);
        write_patches(&change, text, size, out);
        done = out->failed || check_change(before, out->data + mark.size, out->size - mark.size,
                                           num_frames, options, title, clip, to, error);
    }
    lm_clips_free(before);
    return lmi_buffer_end(out, mark, done, "a clips file", error);
}
