/* The clips of players. The games play fixed ones: Quake III the rows of an animation.cfg by their
 * order, Quake II frames by number, those of the standard table. */
#include "clips/clip_names.h"
#include "compose/composing.h"
#include "core/text.h"
#include "lerpmesh/clips.h"
#include "math/vectors.h"

#include <math.h>
#include <stdio.h>

/* ---- Finding clips by names ------------------------------------------------------------------ */

static bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (lmi_lower(c) >= 'a' && lmi_lower(c) <= 'z');
}

/* Compares a clip's name and a word, without case and punctuation. */
static bool is_word(const char *name, const char *word, size_t length) {
    size_t at = 0;
    for (; *name; name++) {
        if (!is_plain(*name))
            continue;
        while (at < length && !is_plain(word[at]))
            at++;
        if (at == length || lmi_lower(*name) != lmi_lower(word[at++]))
            return false;
    }
    return at == length;
}

const lm_clip *lmi_compose_find_clip(const lm_mesh *mesh, const char *words) {
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        for (uint32_t i = 0; i < mesh->num_clips; i++)
            if (is_word(mesh->clips[i].name, words, length))
                return &mesh->clips[i];
    }
    return NULL;
}

/* Returns whether a clip lacks its last frame. An import leaves it out if it equals the first; a
 * clip that plays once needs it. */
static bool lacks_end(const lm_composing *c, const lm_clip *clip) {
    return !c->from_scene && clip->count > 1 && clip->loop_frames == clip->count &&
           clip->source == LM_CLIP_FILE;
}

/* ---- Quake II: the table
 * -------------------------------------------------------------------------------- */

#define NUM_FRAMES 198
#define NUM_CLIPS 20

/* The names of a clip of the table, in its order, the last one that of a Quake III player, whose
 * other parts then play their idle clips; and of clips that replace it, the best first. */
static const struct {
    const char *own, *nearest;
} names[NUM_CLIPS] = {
    {"stand idle legs_idle", ""},
    {"run legs_run", "walk legs_walk"},
    {"attack shoot fire torso_attack", "stand idle"},
    {"pain1 pain", "pain2 pain3 stand idle"},
    {"pain2", "pain1 pain pain3 stand idle"},
    {"pain3", "pain1 pain pain2 stand idle"},
    {"jump legs_jump", "flip stand idle"},
    {"flip", "wave taunt torso_gesture stand idle"},
    {"salute", "wave taunt torso_gesture point stand idle"},
    {"taunt gesture torso_gesture", "wave salute point stand idle"},
    {"wave", "taunt gesture torso_gesture salute stand idle"},
    {"point", "wave taunt gesture torso_gesture stand idle"},
    {"crstnd crouch legs_idlecr", "crwalk stand idle"},
    {"crwalk crouchwalk legs_walkcr", "walk crstnd run"},
    {"crattak crattack", "attack shoot fire torso_attack crstnd stand idle"},
    {"crpain", "pain1 pain pain2 pain3 crstnd legs_idlecr stand idle"},
    {"crdeath", "death1 death die both_death1 death2 death3"},
    {"death1 death die both_death1", "death2 death3 crdeath"},
    {"death2 both_death2", "death1 death die both_death1 death3 crdeath"},
    {"death3 both_death3", "death1 death die both_death1 death2 crdeath"},
};

/* A clip of the table, and the clip that fills it. */
typedef struct filling {
    const lm_clip *table;
    const lm_clip *clip; /* NULL: the mesh has no clips, and its first frame is used */
    bool own;            /* not a replacement */
    uint32_t count;      /* frames of `clip`, with its last */
} filling;

/* The pose of frame `at`. The table's frames show the whole clip; a loop does not show its first
 * frame again. */
static lm_pose pose_in(const filling *from, uint32_t at) {
    const lm_clip *clip = from->clip;
    if (!clip)
        return (lm_pose){0, 0, 0, false};
    const bool loops = from->table->loop_frames > 0;
    const uint64_t steps = from->table->count - !loops, own = from->count - !loops;
    const uint64_t k = clip->backwards ? steps - at : at;
    const uint64_t whole = k * own / steps, rest = k * own % steps;
    return (lm_pose){clip->first + (uint32_t)(whole % clip->count),
                     clip->first + (uint32_t)((whole + (rest > 0)) % clip->count),
                     (float)rest / (float)steps, false};
}

static void fill(const lm_composing *c, const lm_clips *table, filling *fillings) {
    const lm_mesh *mesh = &c->mesh;
    for (uint32_t i = 0; i < NUM_CLIPS; i++) {
        filling *made = &fillings[i];
        *made = (filling){.table = &table->clips[i]};
        made->clip = lmi_compose_find_clip(mesh, names[i].own);
        made->own = made->clip != NULL;
        if (!made->clip)
            made->clip = lmi_compose_find_clip(mesh, names[i].nearest);
        if (!made->clip)
            made->clip = lmi_rest_clip(mesh->clips, mesh->num_clips);
        if (made->clip)
            made->count =
                made->clip->count + (made->table->loop_frames == 0 && lacks_end(c, made->clip));
    }
}

static void report(lm_composing *c, const filling *fillings) {
    char missing[256] = "", resized[768] = "";
    size_t m = 0, r = 0;
    for (uint32_t i = 0; i < NUM_CLIPS; i++) {
        const filling *made = &fillings[i];
        if (!made->own)
            m += (size_t)snprintf(missing + m, sizeof missing - m, "%s%s", m ? ", " : "",
                                  made->table->name);
        else if (made->count != made->table->count)
            r += (size_t)snprintf(resized + r, sizeof resized - r, "%s%s (%u to %u)", r ? ", " : "",
                                  made->table->name, (unsigned)made->count,
                                  (unsigned)made->table->count);
    }
    if (m > 0)
        lmi_composing_note(c, LM_SEVERITY_WARNING,
                           "the player lacks %s of the game's 20 clips: the nearest clips replace "
                           "them",
                           missing);
    if (r > 0)
        lmi_composing_note(c, LM_SEVERITY_WARNING,
                           "clips with other numbers of frames than the game's are resampled: %s",
                           resized);
}

/* ---- The floor ------------------------------------------------------------------------------- */

/* The floor in a player's space, and the distance within which feet stand on a floor. */
#define FLOOR (-24)
#define NEAR 4

float lmi_player_lift(lm_composing *c, uint32_t frame, bool legs) {
    float lowest = INFINITY;
    for (uint32_t i = 0; i < c->mesh.num_surfaces; i++) {
        const lm_mesh_surface *s = &c->mesh.surfaces[i];
        const float *row = s->positions + (size_t)frame * s->num_vertices * 3;
        const bool counts = !legs || s->body == LM_BODY_LOWER;
        for (size_t k = 0; counts && k < 3 * (size_t)s->num_triangles; k++)
            lowest = fminf(lowest, lmi_vec3_at(row, s->triangles[k]).z);
    }
    if (!(fabsf(lowest) <= NEAR))
        return 0;
    lmi_composing_note(
        c, LM_SEVERITY_WARNING,
        "the feet are at the origin's height: the player is moved down by 24 units, to "
        "the game's floor");
    return FLOOR;
}

bool lmi_player_fill_table(lm_composing *c) {
    const lm_memory *memory = &c->options->memory;
    lm_error *error = c->heap.call.error;
    lm_mesh mesh = c->mesh;
    filling fillings[NUM_CLIPS];
    const lm_clips_options options = {.memory = *memory, .format = LM_CLIPS_QUAKE2};
    lm_clips *table = lm_clips_read(NULL, 0, NUM_FRAMES, &options, error);
    lm_pose *poses = lmi_composing_alloc(c, NUM_FRAMES, sizeof *poses);
    bool done = lmi_call_join(&c->heap.call, table != NULL) && poses;
    mesh.frame_names = NULL; /* the game's tools name frames by their clips */
    if (done) {
        fill(c, table, fillings);
        for (uint32_t i = 0; i < NUM_CLIPS; i++)
            for (uint32_t k = 0; k < fillings[i].table->count; k++)
                poses[fillings[i].table->first + k] = pose_in(&fillings[i], k);
        report(c, fillings);
        done = lmi_composing_adopt(c, lm_mesh_select_frames(&mesh, poses, NUM_FRAMES, table->clips,
                                                            NUM_CLIPS, memory, error));
    }
    lm_clips_free(table);
    if (!done)
        return false;
    const float lift = lmi_player_lift(c, 0, false);
    const lm_transform to = {{0, 0, lift}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return lift == 0 || lmi_composing_adopt(c, lm_mesh_transform(&c->mesh, &to, &c->options->memory,
                                                                 c->heap.call.error));
}

/* ---- Quake III: the rows --------------------------------------------------------------------- */

#define NUM_ROWS 31 /* of an animation.cfg: 25, and six of the expansion */
#define OLD_ROWS 25 /* those that every player has */

typedef enum row_use {
    WHOLE,
    LAST,     /* only the last frame */
    REVERSED, /* backwards */
} row_use;

typedef enum row_group {
    BOTH,
    TORSO,
    LEGS,
    NUM_GROUPS
} row_group;

/* A row of animation.cfg. */
typedef struct row {
    const char *name;
    const char *words; /* other names of its clip */
    bool loops;
    row_use use;         /* of the nearest row's clip, if it has none of its own */
    const char *nearest; /* rows whose clips replace it, the best first */
} row;

/* Order and loops: ioquake3's CG_ParseAnimationFile and bg_public.h, and id's own players. */
static const row rows[NUM_ROWS] = {
    {"BOTH_DEATH1", "death1 death die", false, WHOLE, "BOTH_DEATH2 BOTH_DEATH3"},
    {"BOTH_DEAD1", "dead1 dead", false, LAST, "BOTH_DEATH1 BOTH_DEATH2 BOTH_DEATH3"},
    {"BOTH_DEATH2", "death2", false, WHOLE, "BOTH_DEATH1 BOTH_DEATH3"},
    {"BOTH_DEAD2", "dead2", false, LAST, "BOTH_DEATH2 BOTH_DEATH1 BOTH_DEATH3"},
    {"BOTH_DEATH3", "death3", false, WHOLE, "BOTH_DEATH1 BOTH_DEATH2"},
    {"BOTH_DEAD3", "dead3", false, LAST, "BOTH_DEATH3 BOTH_DEATH1 BOTH_DEATH2"},
    {"TORSO_GESTURE", "gesture taunt salute wave", false, WHOLE, "TORSO_STAND TORSO_ATTACK"},
    {"TORSO_ATTACK", "attack shoot fire", false, WHOLE, "TORSO_ATTACK2 TORSO_STAND"},
    {"TORSO_ATTACK2", "attack2 melee punch", false, WHOLE, "TORSO_ATTACK TORSO_STAND"},
    {"TORSO_DROP", "drop", false, WHOLE, "TORSO_STAND"},
    {"TORSO_RAISE", "raise", false, WHOLE, "TORSO_STAND"},
    {"TORSO_STAND", "stand idle", true, WHOLE, "TORSO_STAND2 LEGS_IDLE"},
    {"TORSO_STAND2", "stand2 idle2", true, WHOLE, "TORSO_STAND LEGS_IDLE"},
    {"LEGS_WALKCR", "walkcr crwalk crouchwalk", true, WHOLE, "LEGS_WALK LEGS_RUN"},
    {"LEGS_WALK", "walk", true, WHOLE, "LEGS_RUN LEGS_WALKCR"},
    {"LEGS_RUN", "run", true, WHOLE, "LEGS_WALK LEGS_WALKCR"},
    {"LEGS_BACK", "back runback backpedal", true, REVERSED, "LEGS_RUN LEGS_WALK"},
    {"LEGS_SWIM", "swim", true, WHOLE, "LEGS_WALK LEGS_RUN LEGS_IDLE"},
    {"LEGS_JUMP", "jump", false, WHOLE, "LEGS_JUMPB LEGS_IDLE"},
    {"LEGS_LAND", "land", false, WHOLE, "LEGS_LANDB LEGS_IDLE"},
    {"LEGS_JUMPB", "jumpb jumpback", false, WHOLE, "LEGS_JUMP LEGS_IDLE"},
    {"LEGS_LANDB", "landb landback", false, WHOLE, "LEGS_LAND LEGS_IDLE"},
    {"LEGS_IDLE", "idle stand", true, WHOLE, "TORSO_STAND"},
    {"LEGS_IDLECR", "idlecr crstnd crouch", true, LAST, "LEGS_WALKCR LEGS_IDLE"},
    {"LEGS_TURN", "turn", true, WHOLE, "LEGS_IDLE TORSO_STAND"},
    {"TORSO_GETFLAG", "getflag", false, WHOLE, "TORSO_GESTURE"},
    {"TORSO_GUARDBASE", "guardbase", false, WHOLE, "TORSO_GESTURE"},
    {"TORSO_PATROL", "patrol", false, WHOLE, "TORSO_GESTURE"},
    {"TORSO_FOLLOWME", "followme", false, WHOLE, "TORSO_GESTURE"},
    {"TORSO_AFFIRMATIVE", "affirmative yes", false, WHOLE, "TORSO_GESTURE"},
    {"TORSO_NEGATIVE", "negative no", false, WHOLE, "TORSO_GESTURE"},
};

static row_group group_of(const row *r) {
    return *r->name == 'B' ? BOTH : *r->name == 'T' ? TORSO : LEGS;
}

/* ---- Choosing clips -------------------------------------------------------------------------- */

/* The source of a row. */
typedef struct choice {
    const lm_clip *clip; /* NULL: the mesh has no clips, and its first frame is used */
    row_use use;
    bool own; /* not a replacement */
} choice;

static const lm_clip *find_nearest(const choice *own, const row *r) {
    for (const char *word = r->nearest; *word;) {
        const size_t length = strcspn(word, " ");
        for (uint32_t i = 0; i < NUM_ROWS; i++)
            if (own[i].own && strlen(rows[i].name) == length &&
                strncmp(rows[i].name, word, length) == 0)
                return own[i].clip;
        word += length + (word[length] == ' ');
    }
    return NULL;
}

/* Returns the number of rows to write. */
static uint32_t choose_clips(const lm_mesh *mesh, choice *choices) {
    uint32_t count = OLD_ROWS;
    for (uint32_t i = 0; i < NUM_ROWS; i++) {
        const lm_clip *own = lmi_compose_find_clip(mesh, rows[i].name);
        const lm_clip *clip = own ? own : lmi_compose_find_clip(mesh, rows[i].words);
        choices[i] = (choice){.clip = clip, .own = clip != NULL};
        if (clip && i >= OLD_ROWS)
            count = NUM_ROWS;
    }
    for (uint32_t i = 0; i < NUM_ROWS; i++)
        if (!choices[i].own) {
            choices[i].clip = find_nearest(choices, &rows[i]);
            choices[i].use = rows[i].use;
        }
    for (uint32_t i = 0; i < NUM_ROWS; i++)
        if (!choices[i].clip)
            choices[i].clip = lmi_rest_clip(mesh->clips, mesh->num_clips);
    return count;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

typedef struct laying {
    const lm_composing *c;
    const choice *choices;
    lm_player_plan *plan;
    uint32_t firsts[NUM_ROWS]; /* the frames' start in the model */
} laying;

static uint32_t frames_of(const laying *l, uint32_t i) {
    const lm_clip *clip = l->choices[i].clip;
    return !clip || l->choices[i].use == LAST
               ? 1
               : clip->count + (!rows[i].loops && lacks_end(l->c, clip));
}

/* Finds an earlier row of the group with the same frames. Returns false if there is none. */
static bool find_same(const laying *l, uint32_t i, uint32_t *first) {
    const choice *own = &l->choices[i];
    for (uint32_t k = 0; k < i; k++) {
        const bool last = own->use == LAST && l->choices[k].use != LAST;
        if (group_of(&rows[k]) != group_of(&rows[i]) || l->choices[k].clip != own->clip ||
            (!last && frames_of(l, k) != frames_of(l, i)))
            continue;
        *first = l->firsts[k] + (last ? frames_of(l, k) - 1 : 0);
        return true;
    }
    return false;
}

/* Adds the frames of a group's rows to a model. */
static void lay_group(laying *l, row_group group, lm_player_frames *to) {
    for (uint32_t i = 0; i < l->plan->num_rows; i++) {
        if (group_of(&rows[i]) != group)
            continue;
        if (find_same(l, i, &l->firsts[i]))
            continue;
        l->firsts[i] = to->count;
        const lm_clip *clip = l->choices[i].clip;
        const uint32_t count = frames_of(l, i);
        const bool last = clip && l->choices[i].use == LAST;
        for (uint32_t f = 0; f < count; f++)
            to->frames[to->count++] =
                clip ? clip->first + (last ? clip->count - 1 : f % clip->count) : 0;
    }
}

static void set_row(const laying *l, uint32_t i) {
    const choice *from = &l->choices[i];
    const uint32_t count = frames_of(l, i);
    const uint32_t part = from->clip ? from->clip->loop_frames : 0;
    l->plan->rows[i] =
        (lm_clip){.name = rows[i].name,
                  .first = l->firsts[i],
                  .count = count,
                  .fps = from->clip ? from->clip->fps : LM_DEFAULT_FPS,
                  .loop_frames = !rows[i].loops             ? 0
                                 : part > 0 && part < count ? part
                                                            : count,
                  .backwards = (from->clip && from->clip->backwards) != (from->use == REVERSED),
                  .source = LM_CLIP_FILE};
}

static bool lay_rows(lm_composing *c, const choice *choices, lm_player_plan *plan) {
    laying l = {.c = c, .choices = choices, .plan = plan};
    uint64_t most = 0; /* frames of a model, at the most */
    for (uint32_t i = 0; i < plan->num_rows; i++)
        most += frames_of(&l, i);
    if (most > LM_MAX_COMPOSED_FRAMES)
        return lmi_composing_fail(c, LM_CODE_LIMIT,
                                  "the player's clips have %llu frames in total; the limit is %u",
                                  (unsigned long long)most, LM_MAX_COMPOSED_FRAMES);
    plan->rows = lmi_composing_alloc(c, plan->num_rows, sizeof *plan->rows);
    plan->lower.frames = lmi_composing_alloc(c, most, sizeof *plan->lower.frames);
    plan->upper.frames = lmi_composing_alloc(c, most, sizeof *plan->upper.frames);
    if (!plan->rows || !plan->lower.frames || !plan->upper.frames)
        return false;
    lay_group(&l, BOTH, &plan->lower);
    lay_group(&l, LEGS, &plan->lower);
    lay_group(&l, BOTH, &plan->upper);
    lay_group(&l, TORSO, &plan->upper);
    for (uint32_t i = 0; i < plan->num_rows; i++)
        set_row(&l, i);
    return true;
}

/* ---- Reports --------------------------------------------------------------------------------- */

/* Reports the rows that play the clip of row `i` instead of one of their own. */
static void note_replaced(lm_composing *c, const choice *choices, uint32_t num_rows, uint32_t i) {
    char list[512];
    size_t at = 0;
    for (uint32_t k = i; k < num_rows; k++)
        if (!choices[k].own && choices[k].clip == choices[i].clip && at < sizeof list)
            at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", at > 0 ? ", " : "",
                                   rows[k].name);
    if (choices[i].clip)
        lmi_composing_note(c, LM_SEVERITY_WARNING,
                           "the player has no clip for %s: the game plays %.100s", list,
                           choices[i].clip->name);
    else
        lmi_composing_note(c, LM_SEVERITY_WARNING,
                           "the player has no clips: the game shows the same pose for all %u",
                           (unsigned)num_rows);
}

static void note_unused(lm_composing *c, const choice *choices, uint32_t num_rows) {
    const lm_mesh *mesh = &c->mesh;
    const lm_clip *first = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->num_clips; i++) {
        uint32_t k = 0;
        while (k < num_rows && choices[k].clip != &mesh->clips[i])
            k++;
        first = first || k < num_rows ? first : &mesh->clips[i];
        count += k == num_rows;
    }
    if (first)
        lmi_composing_note(
            c, LM_SEVERITY_NOTE,
            "%u clip%s not among those that the game plays, such as %.100s: left out",
            (unsigned)count, count == 1 ? " is" : "s are", first->name);
}

bool lmi_player_plan_clips(lm_composing *c, lm_player_plan *plan) {
    choice choices[NUM_ROWS];
    plan->num_rows = choose_clips(&c->mesh, choices);
    if (!lay_rows(c, choices, plan))
        return false;
    for (uint32_t i = 0; i < NUM_ROWS && choices[i].clip; i++) {
        if (strcmp(rows[i].name, "TORSO_STAND") == 0)
            plan->rest = choices[i].clip->first;
        if (strcmp(rows[i].name, "LEGS_IDLE") == 0)
            plan->idle = choices[i].clip->first;
    }
    for (uint32_t i = 0; i < plan->num_rows; i++) {
        uint32_t k = 0;
        while (k < i && (choices[k].own || choices[k].clip != choices[i].clip))
            k++;
        if (!choices[i].own && k == i)
            note_replaced(c, choices, plan->num_rows, i);
    }
    note_unused(c, choices, plan->num_rows);
    return true;
}
