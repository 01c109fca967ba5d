#include "clips/clip_names.h"

#include "core/text.h"

#include <math.h>
#include <string.h>

/* ---- Lists --------------------------------------------------------------------------------- */

void lmi_clip_list_begin(lm_clip_list *list, lm_arena *arena) {
    *list = (lm_clip_list){.arena = arena, .scratch = {.heap = arena->heap}};
    list->names = (lm_names){.arena = &list->scratch, .any_case = true};
}

bool lmi_clip_list_add(lm_clip_list *list, lm_clip clip, const void *text, size_t length) {
    char *name = lmi_arena_alloc(list->arena, (uint64_t)length + LM_NAME_ROOM, 1);
    if (!name || !lmi_arena_grow(&list->scratch, &list->clips, &list->capacity, list->count + 1,
                                 sizeof *list->clips))
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    clip.name = lmi_names_unique(&list->names, name);
    list->clips[list->count++] = clip;
    return clip.name != NULL;
}

bool lmi_clip_list_end(lm_clip_list *list, const lm_clip **clips, uint32_t *count) {
    lm_clip *copies = lmi_arena_alloc(list->arena, list->count, sizeof *copies);
    if (copies && list->count > 0)
        memcpy(copies, list->clips, list->count * sizeof *copies);
    *clips = copies;
    *count = (uint32_t)list->count;
    lmi_arena_free(&list->scratch);
    return !lmi_arena_failed(list->arena);
}

/* ---- The standard table of player animations ----------------------------------------------- */

#define PLAYER_FRAMES 198
#define PLAYER_CLIPS 20
#define LIVING_CLIPS 16   /* those before the deaths */
#define LIVING_FRAMES 173 /* their frames; a weapon may have `g_view` after them */

/* Sources: the table of 20 animations in the Kaitai specification of MD2; the loops are those of
 * the game's own code. */
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

/* A frame's name in parts, without bytes after its NUL and without surrounding spaces. */
typedef struct frame_name {
    const uint8_t *text;
    size_t length;
    size_t digits; /* number of digits at the end */
    size_t stem; /* the common part of a clip's names: without the digits and the separators before
                    them; the whole name if it has no digits */
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

/* Returns true if a name contains control characters. Some of Quake III's tools leave names
 * uninitialised. */
static bool is_junk(const frame_name *name) {
    for (size_t i = 0; i < name->length; i++)
        if (name->text[i] < ' ' && !is_white(name->text[i]))
            return true;
    return false;
}

/* Returns true if a name is that of the program that wrote the file: "(from ASE)". */
static bool is_stamp(const frame_name *name) {
    static const char *const stamps[] = {"from ase", "milkshape 3d"};
    bool found = name->length > 1 && name->text[0] == '(' && name->text[name->length - 1] == ')';
    for (size_t i = 0; !found && i < sizeof stamps / sizeof *stamps; i++)
        found = name->length == strlen(stamps[i]) &&
                lmi_same_letters(name->text, stamps[i], name->length);
    return found;
}

static frame_name name_of(const lm_name_fields *names, uint32_t frame) {
    frame_name name = {.text = names->first + frame * names->stride};
    name.length = lmi_field_length(name.text, names->size);
    if (is_junk(&name))
        name.length = 0;
    while (name.length && name.text[name.length - 1] <= ' ')
        name.length--;
    while (name.length && *name.text <= ' ') {
        name.text++;
        name.length--;
    }
    if (is_stamp(&name))
        name.length = 0;
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
           lmi_same_letters(a->text, b->text, a->stem);
}

static uint32_t group_of(const lm_name_fields *names, uint32_t frame) {
    return names->groups ? names->groups[frame] : 0;
}

static bool begins_like(const frame_name *name, const char *clip) {
    size_t letters = strcspn(clip, "0123456789");
    return name->length >= letters && lmi_same_letters(name->text, clip, letters);
}

/* ---- By the table -------------------------------------------------------------------------- */

/* Returns the number of the table's clips that fit the frames; 0 if the table does not apply to
 * this model. */
static uint32_t fitting_player_clips(const lm_name_fields *names) {
    uint32_t clips = 0, matching = 0;
    for (uint32_t i = 0; names->groups && i < names->count; i++)
        if (names->groups[i] != 0)
            return 0;
    if (names->count == PLAYER_FRAMES)
        clips = PLAYER_CLIPS;
    else if (names->count == LIVING_FRAMES || names->count == LIVING_FRAMES + 1)
        clips = LIVING_CLIPS;
    for (uint32_t i = 0; i < clips; i++) {
        frame_name name = name_of(names, player_clips[i].first);
        matching += begins_like(&name, player_clips[i].name);
    }
    return 2 * matching > clips ? clips : 0;
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

static bool add_player_clips(lm_arena *arena, const lm_name_fields *names, uint32_t num_table,
                             const lm_clip **clips, uint32_t *count) {
    frame_name last = name_of(names, names->count - 1);
    /* A weapon with 173 frames may lack one of another clip and still end with its view. */
    bool view = names->count == LIVING_FRAMES + 1 ||
                (names->count == LIVING_FRAMES && begins_like(&last, view_clip));
    lm_clip *table = lmi_arena_alloc(arena, num_table + view, sizeof *table);
    if (!table)
        return false;
    for (uint32_t i = 0; i < num_table; i++)
        table[i] = table_clip(i);
    if (view) {
        lm_clip *before = &table[num_table - 1];
        before->count = names->count - 1 - before->first;
        table[num_table] = plain_clip(view_clip, names->count - 1, 1, true, LM_CLIP_TABLE);
    }
    *clips = table;
    *count = num_table + view;
    return true;
}

/* ---- By frame names ------------------------------------------------------------------------ */

static bool is_letter(uint8_t byte) {
    return lmi_lower(byte) >= 'a' && lmi_lower(byte) <= 'z';
}

/* Returns true if a word of a name begins with one of `words`, which are in lower case. */
static bool has_word(const uint8_t *name, size_t length, const char words[][8], size_t count) {
    for (size_t at = 0; at < length; at++) {
        if (at > 0 && is_letter(name[at - 1]))
            continue;
        const int first = lmi_lower(name[at]);
        for (size_t i = 0; i < count; i++)
            if (words[i][0] == first && strlen(words[i]) <= length - at &&
                lmi_same_letters(name + at, words[i], strlen(words[i])))
                return true;
    }
    return false;
}

/* Returns true if a name is that of a continuous action, which loops: standing, walking and the
 * like. */
static bool is_continuous(const uint8_t *name, size_t length) {
    static const char words[][8] = {"stand",  "stnd",  "idle",  "breath", "walk",  "run",
                                    "swim",   "fly",   "hover", "float",  "crawl", "crstnd",
                                    "crwalk", "tread", "loop",  "cycle",  "spin",  "rotate"};
    return has_word(name, length, words, sizeof words / sizeof *words);
}

/* Returns true if a name is that of a single action, which does not loop even as a model's only
 * clip. */
static bool is_single_action(const uint8_t *name, size_t length) {
    static const char words[][8] = {"att",     "pain",  "jump",  "flip",  "salute",
                                    "taunt",   "wave",  "point", "cratt", "crpain",
                                    "crdeath", "death", "die",   "dead"};
    return has_word(name, length, words, sizeof words / sizeof *words);
}

static bool add(lm_clip_list *list, const frame_name *name, size_t length, uint32_t first,
                uint32_t count, bool group) {
    static const char nameless[] = "frames";
    const bool loops = group || length == 0 || is_continuous(name->text, length);
    const lm_clip clip =
        plain_clip(NULL, first, count, loops, group ? LM_CLIP_GROUP : LM_CLIP_FRAME_NAMES);
    return length ? lmi_clip_list_add(list, clip, name->text, length)
                  : lmi_clip_list_add(list, clip, nameless, sizeof nameless - 1);
}

/* Returns true if the first of three digits counts clips in a run of frames with one stem:
 * pain101..104, 201..204. Each hundred must start at 00 or 01, and 199 must not continue as 200:
 * a100..a250 is one clip, as is walk001..walk120. */
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

static bool continues_clip(const frame_name *name, uint64_t before, bool hundreds) {
    return name->number >= before && (!hundreds || name->number / 100 == before / 100);
}

/* Adds the clips of a run of frames with one stem. A number below the previous one starts a new
 * clip. */
static bool add_run(lm_clip_list *list, const lm_name_fields *names, uint32_t first, uint32_t end) {
    const bool hundreds = hundreds_are_clips(names, first, end);
    frame_name start = name_of(names, first);
    uint64_t before = start.number;
    for (uint32_t i = first + 1; i < end; i++) {
        const frame_name name = name_of(names, i);
        if (!continues_clip(&name, before, hundreds)) {
            if (!add(list, &start, hundreds ? start.length - 2 : start.stem, first, i - first,
                     false))
                return false;
            first = i;
            start = name;
        }
        before = name.number;
    }
    return add(list, &start, hundreds ? start.length - 2 : start.stem, first, end - first, false);
}

/* Returns the end of the run from `first` on: the frames of one clip, or of clips with one stem. */
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

bool lmi_clips_of_names(lm_arena *arena, const lm_name_fields *names, const lm_clip **clips,
                        uint32_t *count) {
    const uint32_t num_table = fitting_player_clips(names);
    if (num_table > 0)
        return add_player_clips(arena, names, num_table, clips, count);
    lm_clip_list list;
    lmi_clip_list_begin(&list, arena);
    /* A model's only clip loops, such as that of a torch or a flag, unless it is a single
     * action. */
    bool done = true;
    for (uint32_t first = 0, end; done && first < names->count; first = end) {
        frame_name start = name_of(names, first);
        end = run_end(names, &start, first);
        done = group_of(names, first) != 0
                   ? add(&list, &start, start.stem, first, end - first, true)
                   : add_run(&list, names, first, end);
    }
    if (done && list.count == 1 &&
        !is_single_action((const uint8_t *)list.clips->name, strlen(list.clips->name)))
        list.clips->loop_frames = list.clips->count;
    return lmi_clip_list_end(&list, clips, count);
}

/* ---- By the table, regardless of names ----------------------------------------------------- */

bool lmi_clips_of_table(lm_arena *arena, uint32_t num_frames, lm_clips *clips) {
    lm_clip *list = lmi_arena_alloc(arena, PLAYER_CLIPS, sizeof *list);
    clips->clips = list;
    for (uint32_t i = 0; list && i < PLAYER_CLIPS && player_clips[i].first < num_frames; i++) {
        lm_clip clip = table_clip(i);
        if (clip.count > num_frames - clip.first)
            clip.count = num_frames - clip.first;
        clip.loop_frames = clip.loop_frames < clip.count ? clip.loop_frames : clip.count;
        list[clips->num_clips++] = clip;
    }
    return list;
}

/* ---- Times of clips ----------------------------------------------------------------------------
 */

bool lmi_plays_normally(const lm_clip *clip) {
    return !clip->times && fabsf(clip->fps - LM_DEFAULT_FPS) <= 1e-3f;
}

uint32_t lmi_count_unusual_clips(const lm_clip *clips, uint32_t count, const lm_clip **first) {
    uint32_t unusual = 0;
    *first = NULL;
    for (uint32_t i = count; i-- > 0;)
        if (clips[i].backwards || !lmi_plays_normally(&clips[i])) {
            *first = &clips[i];
            unusual++;
        }
    return unusual;
}

bool lmi_clips_lose_times(const lm_clip *clips, uint32_t count, bool hand, lm_error *loss) {
    const lm_clip *first;
    const uint32_t unusual = lmi_count_unusual_clips(clips, count, &first);
    return first && !lm_fail_plain(loss, LM_CODE_NOT_HELD,
                                   "the format stores no times: those of %s, such as \"%s\" at %g "
                                   "fps%s, belong in %s in the same folder",
                                   lmi_count_words(unusual, "{clip|clips}").text, first->name,
                                   (double)first->fps,
                                   first->times       ? " on average"
                                   : first->backwards ? " backwards"
                                                      : "",
                                   hand ? "a weapon.cfg" : "an animation.cfg");
}
