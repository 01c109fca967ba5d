/* Reads clips files. The reader of Quake III's animation.cfg follows the engine's player loader,
 * but works line by line, so that a damaged row loses one clip and not all following ones. The
 * reader of .framegroups files follows DarkPlaces, that of .anm files UFO: Alien Invasion. That of
 * weapon.cfg reads words as Return to Castle Wolfenstein does (cg_weapons.c, q_shared.c), because
 * the rows have no names: where the game shifts them, so does it, with a warning. */
#include "clips/clip_names.h"
#include "core/exact.h"
#include "core/options.h"
#include "core/report.h"
#include "core/text.h"
#include "lerpmesh/clips.h"
#include "model/weapon.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_NAME 63
/* Usable rates. A frame that lasts more than a quarter of an hour is not an animation. */
#define SLOWEST_FPS 0.001
#define FASTEST_FPS 10000.0
#define DEFAULT_NAME_ROOM 24
/* The slowest rate of UFO: Alien Invasion, and the number of clips that it reads. */
#define ANM_SLOWEST_FPS 0.01
#define ANM_CLIPS 128

#define LARGEST_INTEGER INT64_C(1000000000000000)

static lm_lines start_text(const void *text, size_t size) {
    static const uint8_t mark[] = {0xef, 0xbb, 0xbf}; /* the byte order mark of UTF-8 */
    lm_lines lines = lmi_lines_of(text, size);
    if (size >= sizeof mark && memcmp(text, mark, sizeof mark) == 0)
        lines.rest.at += sizeof mark;
    return lines;
}

/* ---- Lines --------------------------------------------------------------------------------- */

static lm_word trimmed(lm_text_span span) {
    while (span.at < span.end && *span.at <= ' ')
        span.at++;
    while (span.at < span.end && span.end[-1] <= ' ')
        span.end--;
    return (lm_word){span.at, (size_t)(span.end - span.at)};
}

/* Passes spaces and comments, of which `comment` gets the last. Returns whether a word follows on
 * the line. */
static bool find_word(lm_lines *lines, lm_text_span *rest, lm_word *comment) {
    while (rest->at < rest->end) {
        if (lines->in_comment || lmi_begins_with(rest, "/*")) {
            lmi_pass_comment(lines, rest);
        } else if (lmi_begins_with(rest, "//")) {
            *comment = trimmed((lm_text_span){rest->at + 2, rest->end});
            rest->at = rest->end;
        } else if (*rest->at > ' ') {
            return true;
        } else {
            rest->at++;
        }
    }
    return false;
}

/* Passes a word. The quotation marks around it are no part of it, as in the games. In a weapon.cfg
 * they may span lines, and a comment begins between words only. */
static lm_word pass_word(lm_lines *lines, lm_text_span *rest, bool of_weapon) {
    const bool quoted = *rest->at == '"';
    lm_word word = {rest->at += quoted, 0};
    while (quoted && of_weapon && !memchr(rest->at, '"', (size_t)(rest->end - rest->at)) &&
           lmi_next_line(lines, rest))
        continue;
    while (rest->at < rest->end &&
           (quoted ? *rest->at != '"'
                   : *rest->at > ' ' && (of_weapon || (!lmi_begins_with(rest, "//") &&
                                                       !lmi_begins_with(rest, "/*")))))
        rest->at++;
    word.length = (size_t)(rest->at - word.text);
    rest->at += quoted && rest->at < rest->end;
    return word;
}

/* Reads the next line. Returns false at the end. Any byte up to a space separates words, including
 * NUL. */
static bool next_line(lm_lines *lines, lmi_text_line *line) {
    lm_text_span rest;
    if (!lmi_next_line(lines, &rest))
        return false;
    const lm_word text = trimmed(rest);
    *line = (lmi_text_line){.number = lines->number, .end = text.text + text.length};
    while (find_word(lines, &rest, &line->comment)) {
        const lm_word word = pass_word(lines, &rest, false);
        if (line->num_words == LM_LINE_WORDS)
            continue;
        line->words[line->num_words++] = word;
        line->words_end = rest.at;
    }
    return true;
}

/* ---- Numbers ------------------------------------------------------------------------------- */

/* Parse whole words as numbers, in the C locale. If the word is not a number, return false and the
 * number that it begins with, or 0. Integers are clamped to +-10^15. Decimals may be zero or
 * infinite. */
static bool parse_decimal(lm_word word, double *value) {
    *value = 0;
    return word.length > 0 && lmi_read_decimal(word.text, word.length, value) == word.length;
}

static bool parse_integer(lm_word word, int64_t *value) {
    double number;
    lm_word whole = {word.text, 0};
    while (whole.length < word.length && !strchr(".eE", word.text[whole.length]))
        whole.length++;
    const bool is_number = parse_decimal(whole, &number) && whole.length == word.length;
    *value = number < -LARGEST_INTEGER  ? -LARGEST_INTEGER
             : number > LARGEST_INTEGER ? LARGEST_INTEGER
                                        : (int64_t)number;
    return is_number;
}

/* ---- Words --------------------------------------------------------------------------------- */

/* Return true if the word is `text`, or begins with it; case-insensitive. */
static bool begins(lm_word word, const char *text) {
    size_t length = strlen(text);
    return word.length >= length && lmi_same_letters(word.text, text, length);
}

static bool is_word(lm_word word, const char *text) {
    return word.length == strlen(text) && begins(word, text);
}

/* ---- Rows ---------------------------------------------------------------------------------- */

#define NEW_WEAPON_FORMAT "newfmt"
#define OLD_WEAPON_COLUMNS 4
#define NEW_WEAPON_COLUMNS LM_LINE_WORDS
#define UNREAD_SIZE 19999 /* bytes */
#define BARREL_BITS ((INT64_C(1) << LM_MAX_BARRELS) - 1)

/* The engine's order of a player's clips, followed by those of its expansion. Rows without a name
 * get these names by their index. */
static const char *const player_order[] = {
    "BOTH_DEATH1",    "BOTH_DEAD1",      "BOTH_DEATH2",  "BOTH_DEAD2",     "BOTH_DEATH3",
    "BOTH_DEAD3",     "TORSO_GESTURE",   "TORSO_ATTACK", "TORSO_ATTACK2",  "TORSO_DROP",
    "TORSO_RAISE",    "TORSO_STAND",     "TORSO_STAND2", "LEGS_WALKCR",    "LEGS_WALK",
    "LEGS_RUN",       "LEGS_BACK",       "LEGS_SWIM",    "LEGS_JUMP",      "LEGS_LAND",
    "LEGS_JUMPB",     "LEGS_LANDB",      "LEGS_IDLE",    "LEGS_IDLECR",    "LEGS_TURN",
    "TORSO_GETFLAG",  "TORSO_GUARDBASE", "TORSO_PATROL", "TORSO_FOLLOWME", "TORSO_AFFIRMATIVE",
    "TORSO_NEGATIVE",
};

const char *const lmi_weapon_clips[LM_WEAPON_CLIPS] = {
    "IDLE1", "IDLE2",   "ATTACK1", "ATTACK2", "ATTACK_LASTSHOT", "DROP",
    "RAISE", "RELOAD1", "RELOAD2", "RELOAD3", "ALTSWITCHFROM",   "ALTSWITCHTO",
};

/* Returns true for lines about the whole player or weapon, which do not define clips. */
static bool is_header(const lmi_text_line *line) {
    static const char *const words[] = {"sex",        "headoffset",   "footsteps",      "fixedlegs",
                                        "fixedtorso", "nonsegmented", "version",        "skeletal",
                                        "startanims", "endanims",     NEW_WEAPON_FORMAT};
    for (size_t i = 0; line->num_words && i < sizeof words / sizeof *words; i++)
        if (is_word(line->words[0], words[i]))
            return true;
    return false;
}

/* Returns the name in a comment: "BOTH_DEATH1 (twitches)", "-- LEGS_RUN". */
static lm_word name_in_comment(lm_word comment) {
    while (comment.length && !(*comment.text >= '0' && *comment.text <= '9') &&
           !(lmi_lower(*comment.text) >= 'a' && lmi_lower(*comment.text) <= 'z')) {
        comment.text++;
        comment.length--;
    }
    size_t length = 0;
    while (length < comment.length && comment.text[length] > ' ' &&
           !strchr("(),;:", comment.text[length]))
        length++;
    return (lm_word){comment.text, length};
}

static bool numbers_of_cfg(const lm_word *words, lm_clips_row *row) {
    return parse_integer(words[0], &row->first) && parse_integer(words[1], &row->count) &&
           parse_integer(words[2], &row->loop) && parse_decimal(words[3], &row->fps);
}

/* Parses "first count looping fps // NAME", or a row that begins with the name, as in later
 * engines. */
static bool row_of_cfg(const lmi_text_line *line, lm_clips_row *row) {
    *row = (lm_clips_row){0};
    if (line->num_words >= 4 && numbers_of_cfg(line->words, row)) {
        row->name = name_in_comment(line->comment);
        return true;
    }
    int64_t number;
    if (line->num_words < 5 || parse_integer(line->words[0], &number) ||
        !numbers_of_cfg(line->words + 1, row))
        return false;
    row->name = line->words[0];
    return true;
}

/* Parses "first count fps looping animBits animatedWeapon drawBits", of which the last three may be
 * missing. Returns false if a word is not a number, or others are missing; the game reads such a
 * word as the number that it begins with. */
static bool row_of_weapon(const lmi_text_line *line, lm_clips_row *row) {
    int64_t numbers[LM_LINE_WORDS] = {0};
    bool are_numbers = line->num_words >= OLD_WEAPON_COLUMNS;
    *row = (lm_clips_row){0};
    for (size_t i = 0; i < line->num_words; i++)
        are_numbers = (i == 2 ? parse_decimal(line->words[i], &row->fps)
                              : parse_integer(line->words[i], &numbers[i])) &&
                      are_numbers;
    row->first = numbers[0];
    row->count = numbers[1] > 0 ? numbers[1] : 0;
    row->fps = row->fps == 0 ? 1 : row->fps; /* as the game does */
    row->loop = numbers[3] > 0 ? numbers[3] : 0;
    for (size_t i = OLD_WEAPON_COLUMNS; i < NEW_WEAPON_COLUMNS; i++)
        row->bits[i - OLD_WEAPON_COLUMNS] = numbers[i];
    return are_numbers;
}

/* Parses "first count fps loop // name". The last two numbers may be missing. A fifth word is the
 * name that the engine itself uses. */
static bool row_of_framegroups(const lmi_text_line *line, lm_clips_row *row) {
    int64_t loop = 1;
    *row = (lm_clips_row){.fps = (double)LM_DEFAULT_FPS};
    if (line->num_words < 2 || !parse_integer(line->words[0], &row->first) ||
        !parse_integer(line->words[1], &row->count) ||
        (line->num_words > 2 && !parse_decimal(line->words[2], &row->fps)) ||
        (line->num_words > 3 && !parse_integer(line->words[3], &loop)))
        return false;
    row->loop = loop ? -1 : 0;
    row->name = line->num_words > 4 ? line->words[4] : line->comment;
    return true;
}

/* Returns true for a clip that the game always follows by another: a death by the dead body, a shot
 * by the pose that holds the weapon. */
static bool is_followed(lm_word name) {
    return begins(name, "death") || begins(name, "shoot") || begins(name, "cshoot");
}

/* Parses "name first last fps". The engine plays a clip again at its end, unless the game has
 * chosen the one to follow. */
static bool row_of_anm(const lmi_text_line *line, lm_clips_row *row) {
    int64_t last, number;
    *row = (lm_clips_row){0};
    if (line->num_words != 4 || parse_integer(line->words[0], &number) ||
        !parse_integer(line->words[1], &row->first) || !parse_integer(line->words[2], &last) ||
        !parse_decimal(line->words[3], &row->fps))
        return false;
    row->count = last < row->first ? 0 : last - row->first + 1;
    row->fps = row->fps > ANM_SLOWEST_FPS ? row->fps : ANM_SLOWEST_FPS;
    row->name = line->words[0];
    row->loop = is_followed(row->name) ? 0 : -1;
    return true;
}

typedef bool row_reader(const lmi_text_line *line, lm_clips_row *row);
/* By format. C++ wants an entry for each, in order. */
static const struct {
    row_reader *read;
    const char *const *order; /* the names of rows without a name; NULL: clip0, clip1, ... */
    size_t num_names;         /* in `order` */
    size_t least, most;       /* rows that engines read; most 0: all */
    const char *missing;      /* the problem of a file with fewer */
    const char *problem;      /* of other rows */
} kinds[] = {
    [LM_CLIPS_AUTO] = {NULL, NULL, 0, 0, 0, NULL, NULL},
    [LM_CLIPS_ANIMATION_CFG] = {row_of_cfg, player_order,
                                sizeof player_order / sizeof *player_order, 0, 0, NULL, NULL},
    [LM_CLIPS_FRAMEGROUPS] = {row_of_framegroups, NULL, 0, 0, 0, NULL, NULL},
    [LM_CLIPS_ANM] = {row_of_anm, NULL, 0, 0, ANM_CLIPS, NULL,
                      "the engine reads only 128 clips; ignored"},
    [LM_CLIPS_WEAPON_CFG] = {
        row_of_weapon, lmi_weapon_clips, LM_WEAPON_CLIPS, LM_FEWEST_WEAPON_CLIPS, LM_WEAPON_CLIPS,
        "the last row; the game needs 10 or more", "the game reads only 12 clips; ignored"}};

/* ---- Format detection ---------------------------------------------------------------------- */

static bool is_player_name(lm_word name) {
    return begins(name, "BOTH_") || begins(name, "TORSO_") || begins(name, "LEGS_");
}

/* Returns whether a name in a comment begins like that of a clip of weapons. */
static bool is_weapon_name(lm_word name) {
    static const char *const stems[] = {"idle", "attack", "drop", "raise", "reload", "altswitch"};
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (begins(name, stems[i]))
            return true;
    return false;
}

/* Tells the files of one extension apart: animation.cfg has the loop before the rate, weapon.cfg
 * after it. A loop has no more frames than its clip. Without such evidence, the file's name decides
 * (`named`: weapon.cfg). A player's words are those of an animation.cfg. Returns LM_CLIPS_AUTO for
 * rates in the third column that are not those of a weapon, as in a .framegroups file. */
static lm_clips_format format_of_cfg(lm_lines text, bool named, bool *names_weapon) {
    size_t rows = 0, third = 0, fourth = 0;
    lmi_text_line line;
    *names_weapon = false;
    while (next_line(&text, &line)) {
        lm_clips_row cfg, weapon;
        const bool is_cfg = row_of_cfg(&line, &cfg), is_weapon = row_of_weapon(&line, &weapon);
        if (line.num_words > 0 && is_word(line.words[0], NEW_WEAPON_FORMAT)) {
            *names_weapon = true;
            return LM_CLIPS_WEAPON_CFG;
        }
        if (is_header(&line) ||
            (is_cfg && (cfg.name.text == line.words[0].text || is_player_name(cfg.name))))
            return LM_CLIPS_ANIMATION_CFG;
        const double count = (double)(cfg.count < 0 ? -cfg.count : cfg.count);
        rows += is_weapon;
        third += is_weapon && (!is_cfg || ((double)cfg.loop > count && cfg.fps <= count));
        fourth += is_cfg && (!is_weapon || (cfg.fps > count && (double)cfg.loop <= count));
        *names_weapon = *names_weapon || is_weapon_name(name_in_comment(line.comment));
    }
    if (third < fourth || (third == fourth && !named))
        return LM_CLIPS_ANIMATION_CFG;
    return named || (rows >= LM_FEWEST_WEAPON_CLIPS && rows <= LM_WEAPON_CLIPS)
               ? LM_CLIPS_WEAPON_CFG
               : LM_CLIPS_AUTO;
}

/* Recognises a format by its distinctive features. Otherwise the fourth column decides: a rate is
 * rarely 0 or 1, and a loop flag is always 0 or 1. */
static lm_clips_format format_of_text(lm_lines text) {
    size_t rates = 0, flags = 0, names = 0;
    lmi_text_line line;
    bool names_weapon;
    if (format_of_cfg(text, false, &names_weapon) == LM_CLIPS_WEAPON_CFG && names_weapon)
        return LM_CLIPS_WEAPON_CFG;
    while (next_line(&text, &line)) {
        lm_clips_row row, group;
        bool cfg = row_of_cfg(&line, &row), framegroups = row_of_framegroups(&line, &group);
        if (is_header(&line) || (cfg && (!framegroups || is_player_name(row.name))))
            return LM_CLIPS_ANIMATION_CFG;
        if (framegroups && cfg && row.fps != 0 && row.fps != 1)
            rates++;
        else if (framegroups)
            flags++;
        else
            names += row_of_anm(&line, &row);
    }
    if (rates == 0 && flags == 0)
        return names > 0 ? LM_CLIPS_ANM : LM_CLIPS_AUTO;
    return rates > flags ? LM_CLIPS_ANIMATION_CFG : LM_CLIPS_FRAMEGROUPS;
}

/* Returns whether a path ends in the name of the file that the game reads for a weapon. */
static bool is_weapon_file(const char *path) {
    static const char name[] = "weapon.cfg";
    const size_t length = strlen(path), size = sizeof name - 1;
    return lmi_ends_in(path, name) &&
           (length == size || strchr("/\\:", path[length - size - 1]) != NULL);
}

static lm_clips_format format_of(lm_lines text, const lm_clips_options *options) {
    if (options->format != LM_CLIPS_AUTO)
        return options->format;
    static const struct {
        const char *extension;
        lm_clips_format format;
    } formats[] = {{".framegroups", LM_CLIPS_FRAMEGROUPS}, {".anm", LM_CLIPS_ANM}};
    bool names_weapon;
    for (size_t i = 0; options->file_name && i < sizeof formats / sizeof *formats; i++)
        if (lmi_ends_in(options->file_name, formats[i].extension))
            return formats[i].format;
    return options->file_name && lmi_ends_in(options->file_name, ".cfg")
               ? format_of_cfg(text, is_weapon_file(options->file_name), &names_weapon)
               : format_of_text(text);
}

/* ---- Passes over the text ------------------------------------------------------------------ */

#define NUM_WARNINGS 5
static const lm_code warning_codes[NUM_WARNINGS] = {LM_CODE_CLIP_LINE, LM_CODE_CLIP_FRAMES,
                                                    LM_CODE_CLIP_RATE, LM_CODE_CLIP_PART,
                                                    LM_CODE_CLIP_LINE};
enum {
    BAD_LINE,
    BAD_FRAMES,
    BAD_RATE,
    OTHER_PART,
    WHOLE_FILE
};

/* The number of rows with a problem, and a sentence about the first one. */
typedef struct row_tally {
    uint32_t count;
    char message[LM_MESSAGE_SIZE];
} row_tally;

typedef struct clips_pass {
    const char *title; /* for messages */
    size_t size;       /* of the text */
    lm_clips_format format;
    lm_lines text;
    uint32_t num_frames;
    lm_player_part part;
    /* For a Quake III player: the offset to subtract from LEGS_ clips, and the end of each part's
     * frames. */
    int64_t legs_offset, torso_end, legs_end;
    bool has_bits;         /* the text has the word "newfmt", so the rows have bits */
    uint32_t wanted;       /* the clip whose row is sought */
    lm_clips_place *place; /* receives it; may be NULL */

    lm_clip_list list;
    row_tally warnings[NUM_WARNINGS];
} clips_pass;

LM_PRINTF(2, 3) static void fit(char out[LM_MESSAGE_SIZE], const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    lmi_text_fit(out, LM_MESSAGE_SIZE, sentence, arguments);
    va_end(arguments);
}

static void warn(clips_pass *pass, unsigned which, size_t line, const char *problem) {
    row_tally *tally = &pass->warnings[which];
    if (tally->count == 0)
        fit(tally->message, "%s: line %zu: %s", pass->title, line, problem);
    tally->count++;
}

/* Returns a row's name; a default name by its index if it has none. */
static lm_word name_of_row(const clips_pass *pass, const lm_clips_row *row, size_t index,
                           char room[DEFAULT_NAME_ROOM]) {
    if (row->name.length) {
        /* Shorten a name to LONGEST_NAME bytes, without splitting a UTF-8 sequence, and end it at
         * a NUL. */
        lm_word name = row->name;
        if (name.length > LONGEST_NAME) {
            name.length = LONGEST_NAME;
            while (name.length && (name.text[name.length] & 0xc0) == 0x80)
                name.length--;
        }
        const uint8_t *zero = name.length ? memchr(name.text, 0, name.length) : NULL;
        if (zero)
            name.length = (size_t)(zero - name.text);
        return name;
    }
    if (index < kinds[pass->format].num_names) {
        const char *own = kinds[pass->format].order[index];
        return (lm_word){(const uint8_t *)own, strlen(own)};
    }
    int length = snprintf(room, DEFAULT_NAME_ROOM, "clip%lu", (unsigned long)index);
    return (lm_word){(const uint8_t *)room, (size_t)length};
}

/* Returns true if a clip is for the other part of the player. Legs and torso share one file; the
 * number of frames may identify the model's part. */
static bool is_other_part(const clips_pass *pass, lm_word name) {
    if (pass->torso_end == pass->legs_end)
        return false;
    return (begins(name, "LEGS_") && pass->torso_end == pass->num_frames) ||
           (begins(name, "TORSO_") && pass->legs_end == pass->num_frames);
}

/* Returns true if the caller wants the clip. Others are left out without a warning. */
static bool is_requested(const clips_pass *pass, lm_word name) {
    return !(pass->part == LM_PART_LEGS && begins(name, "TORSO_")) &&
           !(pass->part == LM_PART_TORSO && begins(name, "LEGS_"));
}

/* Makes a row's clip and cuts it to the model's frames. If nothing remains, warns and returns
 * false. */
static bool fit_row(clips_pass *pass, const lm_clips_row *row, lm_word name, size_t line,
                    lm_clip *clip) {
    int64_t first = row->first - (begins(name, "LEGS_") ? pass->legs_offset : 0);
    int64_t count = row->count < 0 ? -row->count : row->count;
    if (is_other_part(pass, name)) {
        warn(pass, OTHER_PART, line,
             "the clip belongs to the other part of the player (legs or torso); ignored");
        return false;
    }
    if (count == 0 || first < 0 || first >= pass->num_frames) {
        warn(pass, BAD_FRAMES, line, "the model has none of the clip's frames; ignored");
        return false;
    }
    if (count > pass->num_frames - first) {
        warn(pass, BAD_FRAMES, line, "the clip extends beyond the model's last frame; shortened");
        count = pass->num_frames - first;
    }
    bool playable = row->fps >= SLOWEST_FPS && row->fps <= FASTEST_FPS;
    if (!playable)
        warn(pass, BAD_RATE, line, "the rate is invalid; 10 fps is used");
    int64_t loop = row->loop < 0 || row->loop > count ? count : row->loop;
    *clip = (lm_clip){.first = (uint32_t)first,
                      .count = (uint32_t)count,
                      .fps = playable ? (float)row->fps : LM_DEFAULT_FPS,
                      .loop_frames = (uint32_t)loop,
                      .backwards = row->count < 0,
                      .animated_barrels = (uint8_t)(row->bits[0] & BARREL_BITS),
                      .hidden_barrels = (uint8_t)(row->bits[2] & BARREL_BITS),
                      .animated_weapon = row->bits[1] != 0,
                      .source = LM_CLIP_FILE};
    return true;
}

/* ---- The words of a weapon.cfg ------------------------------------------------------------- */

typedef struct weapon_words {
    lm_lines lines;
    lm_text_span line; /* what is left of the current line */
    bool begun;        /* the first row, with a word that begins with a digit */
    size_t end;        /* the line of the last row's last word */
} weapon_words;

static bool next_word(weapon_words *w, lm_word *word) {
    lm_word comment;
    while (!find_word(&w->lines, &w->line, &comment))
        if (!lmi_next_line(&w->lines, &w->line))
            return false;
    *word = pass_word(&w->lines, &w->line, true);
    return true;
}

/* Reads the next row, or a word before the first row. Sets the problem of a row that is not as the
 * lines show it; NULL: there is none. */
static bool next_row(weapon_words *w, bool has_bits, lmi_text_line *row, const char **problem) {
    static const char missing[] = "numbers are missing; the game takes those of the next row, or 0",
                      others[] = "the line has more words than its rows; the game begins the next "
                                 "row with them";
    weapon_words ahead = *w;
    lm_word word;
    if (!next_word(&ahead, &word))
        return false;
    w->begun = w->begun || (word.length > 0 && *word.text >= '0' && *word.text <= '9');
    const size_t columns = !w->begun ? 1 : has_bits ? NEW_WEAPON_COLUMNS : OLD_WEAPON_COLUMNS;
    *row = (lmi_text_line){.number = ahead.lines.number};
    while (row->num_words < columns && next_word(w, &word)) {
        row->words[row->num_words++] = word;
        row->end = row->words_end = w->line.at;
    }
    const size_t end = w->lines.number;
    ahead = *w;
    const bool splits = end > row->number && next_word(&ahead, &word) && ahead.lines.number == end;
    *problem = row->num_words == columns && !splits ? NULL
               : splits && row->number == w->end    ? others
                                                    : missing;
    w->end = w->begun ? end : 0;
    return true;
}

/* Reads all rows. Returns false if memory ran out. */
static bool run_pass(clips_pass *pass, size_t *num_rows) {
    weapon_words words = {.lines = pass->text};
    lmi_text_line line;
    const char *problem = NULL;
    size_t last = 0; /* the line of the last row */
    const bool is_weapon = pass->format == LM_CLIPS_WEAPON_CFG;
    *num_rows = 0;
    while (is_weapon ? next_row(&words, pass->has_bits, &line, &problem)
                     : next_line(&words.lines, &line)) {
        lm_clips_row row;
        if (is_weapon && !words.begun && is_word(line.words[0], NEW_WEAPON_FORMAT))
            pass->has_bits = true;
        if (line.num_words == 0 || (!words.begun && is_header(&line)))
            continue;
        const bool is_clip = kinds[pass->format].read(&line, &row);
        if (!is_clip && (!words.begun || line.num_words < OLD_WEAPON_COLUMNS)) {
            warn(pass, BAD_LINE, line.number, "not a clip; ignored");
            continue;
        }
        if (kinds[pass->format].most > 0 && *num_rows == kinds[pass->format].most) {
            warn(pass, BAD_LINE, line.number, kinds[pass->format].problem);
            continue;
        }
        if (problem || !is_clip)
            warn(pass, BAD_LINE, line.number,
                 problem ? problem
                         : "a word is no number; the game reads the digits that it begins with, or "
                           "0");
        else if (((row.bits[0] | row.bits[2]) & ~BARREL_BITS) != 0)
            warn(pass, BAD_LINE, line.number,
                 "a bit is that of no barrel, of which the game has 7");
        char room[DEFAULT_NAME_ROOM];
        lm_clip clip;
        lm_word name = name_of_row(pass, &row, (*num_rows)++, room);
        last = line.number;
        if (!fit_row(pass, &row, name, line.number, &clip) || !is_requested(pass, name))
            continue;
        if (pass->place && pass->list.count == pass->wanted)
            *pass->place = (lm_clips_place){pass->format, row, line, pass->legs_offset};
        if (!lmi_clip_list_add(&pass->list, clip, name.text, name.length))
            return false;
    }
    if (is_weapon && pass->size >= UNREAD_SIZE)
        warn(pass, WHOLE_FILE, last, "the last row; the game reads no file of 19999 bytes or more");
    if (*num_rows < kinds[pass->format].least)
        warn(pass, WHOLE_FILE, last, kinds[pass->format].missing);
    else if (!is_weapon && is_weapon_file(pass->title))
        warn(pass, WHOLE_FILE, last,
             "the last row of an animation.cfg; the game reads this file as a weapon.cfg, with the "
             "rate before the loop");
    return true;
}

/* Finds the offset of LEGS_ clips. The engine numbers their frames as if lower.md3 contained those
 * of TORSO_ clips too, and subtracts the distance from TORSO_GESTURE to LEGS_WALKCR. */
static void find_legs_offset(clips_pass *pass) {
    int64_t gesture = -1, walk = -1, torso_end = 0, legs_end = 0;
    lm_lines text = pass->text;
    lmi_text_line line;
    for (size_t rows = 0; next_line(&text, &line);) {
        lm_clips_row row;
        char room[DEFAULT_NAME_ROOM];
        if (is_header(&line) || !kinds[pass->format].read(&line, &row))
            continue;
        lm_word name = name_of_row(pass, &row, rows++, room);
        int64_t end = row.first + (row.count < 0 ? -row.count : row.count);
        if (is_word(name, "TORSO_GESTURE") && gesture < 0)
            gesture = row.first;
        if (is_word(name, "LEGS_WALKCR") && walk < 0)
            walk = row.first;
        if (begins(name, "TORSO_") && end > torso_end)
            torso_end = end;
        if (begins(name, "LEGS_") && end > legs_end)
            legs_end = end;
    }
    if (gesture < 0 || walk < gesture)
        return;
    pass->legs_offset = walk - gesture;
    pass->torso_end = torso_end;
    pass->legs_end = legs_end - pass->legs_offset;
}

/* ---- Reading a file ------------------------------------------------------------------------ */

static void copy_warnings(const clips_pass *pass, lm_arena *arena, lm_clips *clips) {
    lm_diagnostic found[NUM_WARNINGS];
    for (unsigned i = 0; i < NUM_WARNINGS; i++) {
        const row_tally *tally = &pass->warnings[i];
        if (tally->count > 0)
            found[clips->num_warnings++] =
                (lm_diagnostic){.text = tally->message,
                                .code = warning_codes[i],
                                .severity = lm_code_severity(warning_codes[i]),
                                .count = tally->count};
    }
    clips->warnings = lmi_diagnostics_copy(arena, found, clips->num_warnings);
}

/* Reads the clips of the requested part; all clips, if the part has none. */
static bool run_passes(clips_pass *pass, lm_player_part part, size_t *num_rows) {
    const clips_pass before = *pass;
    pass->part = part;
    bool done = run_pass(pass, num_rows);
    if (done && pass->list.count == 0 && part != LM_PART_FULL) {
        *pass = before;
        done = run_pass(pass, num_rows);
    }
    return done;
}

static bool check_arguments(const void *text, size_t size, const lm_clips_options *options,
                            const char *title, lm_error *error) {
    static const lm_option_member table[] = {
        LM_MEMBER(lm_clips_options, memory, MEMORY, 0),
        LM_MEMBER(lm_clips_options, format, ENUM, LM_CLIPS_QUAKE2),
        LM_MEMBER(lm_clips_options, player_part, ENUM, LM_PART_TORSO),
        LM_MEMBER(lm_clips_options, reserved, RESERVED, 0)};
    if (!lmi_options_valid(options, title, table, sizeof table / sizeof *table, error))
        return false;
    if (!text && size)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: the text is NULL", title);
    return size < UINT32_MAX ||
           lm_fail_plain(error, LM_CODE_LIMIT, "%s: the clips file is larger than 4 GiB", title);
}

/* Reads the clips. Fails if there are none. */
static bool read_clips(clips_pass *pass, const lm_clips_options *options, lm_arena *arena,
                       lm_clips *clips) {
    lm_call *call = &arena->heap->call;
    size_t num_rows = 0;
    if (options->format == LM_CLIPS_QUAKE2 && pass->place)
        return lmi_call_fail(call, LM_CODE_BAD_ARGUMENT, "the standard table is no file");
    if (options->format == LM_CLIPS_QUAKE2)
        return lmi_clips_of_table(arena, pass->num_frames, clips);
    pass->format = format_of(pass->text, options);
    if (pass->format == LM_CLIPS_ANIMATION_CFG)
        find_legs_offset(pass);
    lmi_clip_list_begin(&pass->list, arena);
    if (pass->format != LM_CLIPS_AUTO && !run_passes(pass, options->player_part, &num_rows))
        return lmi_clip_list_end(&pass->list, &clips->clips, &clips->num_clips);
    copy_warnings(pass, arena, clips);
    const bool done = lmi_clip_list_end(&pass->list, &clips->clips, &clips->num_clips);
    if (num_rows == 0)
        return lmi_call_fail(call, LM_CODE_UNKNOWN_FORMAT,
                             "no line has the form of an animation.cfg, weapon.cfg, .framegroups "
                             "or .anm file");
    if (clips->num_clips == 0)
        return lmi_call_fail(call, LM_CODE_FRAME_INDEX,
                             "none of its %zu clips is within the model's %lu frames", num_rows,
                             (unsigned long)pass->num_frames);
    return done;
}

lm_clips *lmi_clips_read_place(const void *text, size_t size, uint32_t num_frames,
                               const lm_clips_options *options, uint32_t clip,
                               lm_clips_place *place, lm_error *error) {
    static const lm_clips_options defaults;
    options = options ? options : &defaults;
    const char *title = options->file_name ? options->file_name : "clips";
    if (!check_arguments(text, size, options, title, error))
        return NULL;
    clips_pass pass = {.title = title,
                       .size = size,
                       .text = start_text(text, size),
                       .num_frames = num_frames,
                       .wanted = clip,
                       .place = place};
    lm_heap heap;
    lmi_heap_begin(&heap, &options->memory, size, title, error);
    lm_clips *clips = lmi_object(&heap, sizeof *clips);
    clips = lmi_object_end(clips, clips && read_clips(&pass, options, lmi_arena_of(clips), clips));
    return clips ? clips : lmi_heap_diagnose(&heap);
}

lm_clips *lm_clips_read(const void *data, size_t size, uint32_t num_frames,
                        const lm_clips_options *options, lm_error *error) {
    return lmi_clips_read_place(data, size, num_frames, options, 0, NULL, error);
}

void lm_clips_free(lm_clips *clips) {
    lmi_object_free(clips);
}
