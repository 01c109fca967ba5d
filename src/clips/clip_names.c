#include "clips/clip_names.h"

#include "core/report.h"
#include "core/text.h"
#include "core/utf8.h"

#include <string.h>

/* ---- Lists --------------------------------------------------------------------------------- */

bool lm_clip_list_carve(lm_clip_list *list, lm_block *block) {
    uint64_t room = list->name_bytes + (uint64_t)list->count * LM_NAME_ROOM;
    list->names = (lm_names){.capacity = list->count, .any_case = true};
    list->clips = lm_carve(block, list->count, sizeof *list->clips);
    list->names.names = lm_carve(block, list->count, sizeof *list->names.names);
    list->pool = lm_carve(block, room, 1);
    list->count = 0;
    return block->base;
}

void lm_clip_list_add(lm_clip_list *list, lm_clip clip, const void *text, size_t length) {
    uint32_t index = list->count++;
    if (!list->clips) {
        list->name_bytes += length;
        return;
    }
    memcpy(list->pool, text, length);
    list->pool[length] = '\0';
    clip.name = lm_names_unique(&list->names, list->pool);
    list->clips[index] = clip;
    list->pool += strlen(list->pool) + 1;
}

/* ---- The standard table of player animations ----------------------------------------------- */

#define PLAYER_FRAMES 198
#define PLAYER_CLIPS 20
#define LIVING_CLIPS 16   /* those before the death clips */
#define LIVING_FRAMES 173 /* their frames; a weapon may have `g_view` behind them */

/* Source: the table of 20 animations in the Kaitai specification of MD2; which of them loop, the
 * game's own code. */
static const struct player_clip {
    char name[8];
    uint8_t first, count;
    bool loops;
} player_clips[PLAYER_CLIPS] = {
    {"stand", 0, 40, true},    {"run", 40, 6, true},       {"attack", 46, 8, false},
    {"pain1", 54, 4, false},   {"pain2", 58, 4, false},    {"pain3", 62, 4, false},
    {"jump", 66, 6, false},    {"flip", 72, 12, false},    {"salute", 84, 11, false},
    {"taunt", 95, 17, false},  {"wave", 112, 11, false},   {"point", 123, 12, false},
    {"crstnd", 135, 19, true}, {"crwalk", 154, 6, true},   {"crattak", 160, 9, false},
    {"crpain", 169, 4, false}, {"crdeath", 173, 5, false}, {"death1", 178, 6, false},
    {"death2", 184, 6, false}, {"death3", 190, 8, false},
};

static const char view_clip[] = "g_view";

/* ---- Frame names --------------------------------------------------------------------------- */

/* A frame's name without the junk behind its NUL and the spaces around it, in parts. */
typedef struct frame_name {
    const uint8_t *text;
    size_t length;
    size_t digits; /* how many it ends in */
    size_t stem;   /* what agrees within a clip: without the digits and the separators before them;
                      all of a name without digits */
    uint64_t number;
} frame_name;

static bool is_digit(uint8_t byte) {
    return byte >= '0' && byte <= '9';
}

static bool is_separator(uint8_t byte) {
    return byte == ' ' || byte == '_' || byte == '-' || byte == '.';
}

static bool is_white(uint8_t byte) {
    return byte == '\t' || byte == '\n' || byte == '\r';
}

/* Some of Quake III's tools leave names as they found the memory: bytes that no name has. */
static bool is_junk(const frame_name *name) {
    for (size_t i = 0; i < name->length; i++)
        if (name->text[i] < ' ' && !is_white(name->text[i]))
            return true;
    return false;
}

static frame_name name_of(const lm_name_fields *names, uint32_t frame) {
    frame_name name = {.text = names->first + frame * names->stride};
    name.length = lm_field_length(name.text, names->size);
    if (is_junk(&name))
        name.length = 0;
    while (name.length && name.text[name.length - 1] <= ' ')
        name.length--;
    while (name.length && *name.text <= ' ') {
        name.text++;
        name.length--;
    }
    name.stem = name.length;
    while (name.stem && is_digit(name.text[name.stem - 1]))
        name.stem--;
    name.digits = name.length - name.stem;
    for (size_t i = name.stem; i < name.length; i++)
        name.number = name.number * 10 + (uint64_t)(name.text[i] - '0');
    while (name.digits && name.stem && is_separator(name.text[name.stem - 1]))
        name.stem--;
    return name;
}

static bool same_stem(const frame_name *a, const frame_name *b) {
    return a->stem == b->stem && (a->digits != 0) == (b->digits != 0) &&
           lm_same_letters(a->text, b->text, a->stem);
}

static uint32_t group_of(const lm_name_fields *names, uint32_t frame) {
    return names->groups ? names->groups[frame] : 0;
}

static bool begins_as(const frame_name *name, const char *clip) {
    size_t letters = strcspn(clip, "0123456789");
    return name->length >= letters && lm_same_letters(name->text, clip, letters);
}

/* ---- By the table -------------------------------------------------------------------------- */

/* How many of the table's clips fit the frames; 0: the table is not for this model. */
static uint32_t fitting_player_clips(const lm_name_fields *names) {
    uint32_t clips = 0, alike = 0;
    for (uint32_t i = 0; names->groups && i < names->count; i++)
        if (names->groups[i] != 0)
            return 0;
    if (names->count == PLAYER_FRAMES)
        clips = PLAYER_CLIPS;
    else if (names->count == LIVING_FRAMES || names->count == LIVING_FRAMES + 1)
        clips = LIVING_CLIPS;
    for (uint32_t i = 0; i < clips; i++) {
        frame_name name = name_of(names, player_clips[i].first);
        alike += begins_as(&name, player_clips[i].name);
    }
    return 2 * alike > clips ? clips : 0;
}

static lm_clip plain_clip(const char *name, uint32_t first, uint32_t count, bool loops,
                          lm_clip_source source) {
    return (lm_clip){.name = name,
                     .first = first,
                     .count = count,
                     .fps = LM_DEFAULT_FPS,
                     .loop_frames = loops ? count : 0,
                     .source = source};
}

static lm_clip table_clip(uint32_t index) {
    const struct player_clip *clip = &player_clips[index];
    return plain_clip(clip->name, clip->first, clip->count, clip->loops, LM_CLIP_TABLE);
}

static uint32_t carve_player_clips(lm_block *block, const lm_name_fields *names, uint32_t num_table,
                                   lm_clip **clips) {
    frame_name last = name_of(names, names->count - 1);
    /* A weapon of 173 frames may lack one elsewhere and still end in its view. */
    bool view = names->count == LIVING_FRAMES + 1 ||
                (names->count == LIVING_FRAMES && begins_as(&last, view_clip));
    uint32_t num_clips = num_table + view;
    lm_clip *table = lm_carve(block, num_clips, sizeof *table);
    if (!table)
        return num_clips;
    for (uint32_t i = 0; i < num_table; i++)
        table[i] = table_clip(i);
    if (view) {
        lm_clip *before = &table[num_table - 1];
        before->count = names->count - 1 - before->first;
        table[num_table] = plain_clip(view_clip, names->count - 1, 1, true, LM_CLIP_TABLE);
    }
    *clips = table;
    return num_clips;
}

/* ---- By the names -------------------------------------------------------------------------- */

static bool is_letter(uint8_t byte) {
    return lm_lower(byte) >= 'a' && lm_lower(byte) <= 'z';
}

/* Whether one of a name's words begins with one of ours, which are in small letters. */
static bool has_word(const uint8_t *name, size_t length, const char words[][8], size_t count) {
    for (size_t at = 0; at < length; at++) {
        if (at > 0 && is_letter(name[at - 1]))
            continue;
        const int first = lm_lower(name[at]);
        for (size_t i = 0; i < count; i++)
            if (words[i][0] == first && strlen(words[i]) <= length - at &&
                lm_same_letters(name + at, words[i], strlen(words[i])))
                return true;
    }
    return false;
}

/* What is done for as long as it pleases. */
static bool goes_on_for_ever(const uint8_t *name, size_t length) {
    static const char words[][8] = {"stand",  "stnd",  "idle",  "breath", "walk",  "run",
                                    "swim",   "fly",   "hover", "float",  "crawl", "crstnd",
                                    "crwalk", "tread", "loop",  "cycle",  "spin",  "rotate"};
    return has_word(name, length, words, sizeof words / sizeof *words);
}

/* What is done and then over, even if it is all that a model does. */
static bool is_deed(const uint8_t *name, size_t length) {
    static const char words[][8] = {"att",     "pain",  "jump",  "flip",  "salute",
                                    "taunt",   "wave",  "point", "cratt", "crpain",
                                    "crdeath", "death", "die",   "dead"};
    return has_word(name, length, words, sizeof words / sizeof *words);
}

/* `only`: nothing else is there to be played, as of a torch or a flag. */
static bool loops_by_name(const uint8_t *name, size_t length, bool only) {
    return length == 0 || goes_on_for_ever(name, length) || (only && !is_deed(name, length));
}

static void add_clip(lm_clip_list *list, const frame_name *name, size_t length, uint32_t first,
                     uint32_t count, bool group) {
    static const char nameless[] = "frames";
    const bool only = list->names.capacity == 1;
    /* While clips are only counted, it does not matter. */
    const bool loops = group || !list->clips || loops_by_name(name->text, length, only);
    lm_clip clip =
        plain_clip(NULL, first, count, loops, group ? LM_CLIP_GROUP : LM_CLIP_FRAME_NAMES);
    if (length)
        lm_clip_list_add(list, clip, name->text, length);
    else
        lm_clip_list_add(list, clip, nameless, sizeof nameless - 1);
}

/* Whether the first of three digits counts clips in a run of frames with one stem: pain101..104,
 * 201..204. Each hundred must start anew at 00 or 01, and 199 must not go on as 200: a100..a250 is
 * one clip, as is walk001..walk120. */
static bool hundreds_are_clips(const lm_name_fields *names, uint32_t first, uint32_t end) {
    bool several = false;
    uint64_t before = 0, start = 0;
    for (uint32_t i = first; i < end; i++) {
        frame_name name = name_of(names, i);
        if (name.digits != 3 || name.stem == 0 || name.number < 100)
            return false;
        bool other = i > first && name.number / 100 != before / 100;
        if ((i == first || other || name.number < before) && name.number % 100 > 1)
            return false;
        if (other && name.number == before + 1)
            return false;
        several = several || other;
        start = i == first ? name.number : start;
        before = name.number;
    }
    return several || start % 100 == 1;
}

static bool goes_on(const frame_name *name, uint64_t before, bool hundreds) {
    return name->number >= before && (!hundreds || name->number / 100 == before / 100);
}

/* The clips of a run of frames with one stem. A number smaller than the one before starts anew. */
static void add_run(lm_clip_list *list, const lm_name_fields *names, uint32_t first, uint32_t end) {
    const bool hundreds = hundreds_are_clips(names, first, end);
    frame_name start = name_of(names, first);
    uint64_t before = start.number;
    for (uint32_t i = first + 1; i < end; i++) {
        const frame_name name = name_of(names, i);
        if (!goes_on(&name, before, hundreds)) {
            add_clip(list, &start, hundreds ? start.length - 2 : start.stem, first, i - first,
                     false);
            first = i;
            start = name;
        }
        before = name.number;
    }
    add_clip(list, &start, hundreds ? start.length - 2 : start.stem, first, end - first, false);
}

/* Where the frames end that belong to the clip, or clips of one stem, that start at `first`. */
static uint32_t run_end(const lm_name_fields *names, const frame_name *start, uint32_t first) {
    const uint32_t group = group_of(names, first);
    uint32_t end = first + 1;
    for (; end < names->count && group_of(names, end) == group; end++) {
        frame_name name = name_of(names, end);
        if (group == 0 && !same_stem(start, &name))
            break;
    }
    return end;
}

static void add_runs(lm_clip_list *list, const lm_name_fields *names) {
    for (uint32_t first = 0, end; first < names->count; first = end) {
        frame_name start = name_of(names, first);
        end = run_end(names, &start, first);
        if (group_of(names, first) != 0)
            add_clip(list, &start, start.stem, first, end - first, true);
        else
            add_run(list, names, first, end);
    }
}

static uint32_t carve_named_clips(lm_block *block, const lm_name_fields *names, lm_clip **clips) {
    lm_clip_list list = {0};
    add_runs(&list, names);
    uint32_t count = list.count;
    if (lm_clip_list_carve(&list, block)) {
        add_runs(&list, names);
        *clips = list.clips;
    }
    return count;
}

uint32_t lm_clips_carve(lm_block *block, const lm_name_fields *names, lm_clip **clips) {
    *clips = NULL;
    uint32_t num_table = fitting_player_clips(names);
    return num_table ? carve_player_clips(block, names, num_table, clips)
                     : carve_named_clips(block, names, clips);
}

/* ---- By the table, whatever the names ------------------------------------------------------ */

static void *carve_quake2(lm_block *block, void *context) {
    const uint32_t num_frames = *(const uint32_t *)context;
    lm_clips *clips = lm_carve(block, 1, sizeof *clips);
    lm_clip *list = lm_carve(block, PLAYER_CLIPS, sizeof *list);
    if (!clips)
        return NULL;
    *clips = (lm_clips){.clips = list};
    for (uint32_t i = 0; i < PLAYER_CLIPS && player_clips[i].first < num_frames; i++) {
        lm_clip clip = table_clip(i);
        if (clip.count > num_frames - clip.first)
            clip.count = num_frames - clip.first;
        clip.loop_frames = clip.loop_frames < clip.count ? clip.loop_frames : clip.count;
        list[clips->num_clips++] = clip;
    }
    return clips;
}

lm_clips *lm_clips_quake2(uint32_t num_frames, const lm_memory *memory, lm_error *error) {
    lm_heap heap;
    lm_heap_begin(&heap, memory, 0, "clips", error);
    lm_clips *clips = lm_make(&heap, carve_quake2, &num_frames);
    return clips ? clips : lm_heap_diagnose(&heap);
}
