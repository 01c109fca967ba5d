/* A player of Quake II: the game plays frames by number, those of the standard table. */
#include "compose/player.h"
#include "core/text.h"
#include "lerpmesh/clips.h"
#include "math/vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Finding clips by names ------------------------------------------------------------------ */

static bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (lm_lower(c) >= 'a' && lm_lower(c) <= 'z');
}

/* Compares a clip's name and a word, without case and punctuation. */
static bool is_word(const char *name, const char *word, size_t length) {
    size_t at = 0;
    for (; *name; name++) {
        if (!is_plain(*name))
            continue;
        while (at < length && !is_plain(word[at]))
            at++;
        if (at == length || lm_lower(*name) != lm_lower(word[at++]))
            return false;
    }
    return at == length;
}

static const lm_clip *find_clip(const lm_mesh *mesh, const char *word, size_t length) {
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        if (is_word(mesh->clips[i].name, word, length))
            return &mesh->clips[i];
    return NULL;
}

const lm_clip *lm_player_find_clip(const lm_mesh *mesh, const char *words) {
    const lm_clip *found = NULL;
    for (size_t length; !found && *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        found = find_clip(mesh, words, length);
    }
    return found;
}

/* ---- The table ------------------------------------------------------------------------------- */

#define NUM_FRAMES 198
#define NUM_CLIPS 20

/* The names of a clip of the table, in its order, and of clips that replace it, the best first. */
static const struct {
    const char *own, *nearest;
} names[NUM_CLIPS] = {
    {"stand idle", ""},
    {"run", "walk"},
    {"attack shoot fire", "stand idle"},
    {"pain1 pain", "pain2 pain3 stand idle"},
    {"pain2", "pain1 pain pain3 stand idle"},
    {"pain3", "pain1 pain pain2 stand idle"},
    {"jump", "flip stand idle"},
    {"flip", "wave taunt stand idle"},
    {"salute", "wave taunt point stand idle"},
    {"taunt gesture", "wave salute point stand idle"},
    {"wave", "taunt gesture salute stand idle"},
    {"point", "wave taunt gesture stand idle"},
    {"crstnd crouch", "crwalk stand idle"},
    {"crwalk crouchwalk", "walk crstnd run"},
    {"crattak crattack", "attack shoot fire crstnd stand idle"},
    {"crpain", "pain1 pain pain2 pain3 crstnd stand idle"},
    {"crdeath", "death1 death die death2 death3"},
    {"death1 death die", "death2 death3 crdeath"},
    {"death2", "death1 death die death3 crdeath"},
    {"death3", "death1 death die death2 crdeath"},
};

/* A clip of the table, and the clip that fills it. */
typedef struct choice {
    const lm_clip *table;
    const lm_clip *clip; /* NULL: the mesh has no clips, and its first frame is used */
    bool own;            /* not a replacement */
    uint32_t count;      /* frames of `clip`, with its last */
} choice;

/* The pose of frame `at`. The table's frames show the whole clip; a loop does not show its first
 * frame again. */
static lm_pose pose_in(const choice *from, uint32_t at) {
    const lm_clip *clip = from->clip;
    if (!clip)
        return (lm_pose){0, 0, 0};
    const bool loops = from->table->loop_frames > 0;
    const uint64_t steps = from->table->count - !loops, own = from->count - !loops;
    const uint64_t k = clip->backwards ? steps - at : at;
    const uint64_t whole = k * own / steps, rest = k * own % steps;
    return (lm_pose){clip->first + (uint32_t)(whole % clip->count),
                     clip->first + (uint32_t)((whole + (rest > 0)) % clip->count),
                     (float)rest / (float)steps};
}

static void choose(const lm_composing *c, const lm_clips *table, choice *choices) {
    const lm_mesh *mesh = &c->made.mesh;
    for (uint32_t i = 0; i < NUM_CLIPS; i++) {
        choice *made = &choices[i];
        *made = (choice){.table = &table->clips[i]};
        made->clip = lm_player_find_clip(mesh, names[i].own);
        made->own = made->clip != NULL;
        if (!made->clip)
            made->clip = lm_player_find_clip(mesh, names[i].nearest);
        if (!made->clip)
            made->clip = lm_rest_clip(mesh->clips, mesh->num_clips);
        if (made->clip)
            made->count = made->clip->count +
                          (made->table->loop_frames == 0 && lm_player_lacks_end(c, made->clip));
    }
}

static void report(lm_composing *c, const choice *choices) {
    char missing[256] = "", resized[768] = "";
    size_t m = 0, r = 0;
    for (uint32_t i = 0; i < NUM_CLIPS; i++) {
        const choice *made = &choices[i];
        if (!made->own)
            m += (size_t)snprintf(missing + m, sizeof missing - m, "%s%s", m ? ", " : "",
                                  made->table->name);
        else if (made->count != made->table->count)
            r += (size_t)snprintf(resized + r, sizeof resized - r, "%s%s (%u to %u)", r ? ", " : "",
                                  made->table->name, (unsigned)made->count,
                                  (unsigned)made->table->count);
    }
    if (m > 0)
        lm_composing_note(c, LM_WARNING,
                          "the player lacks %s of the game's 20 clips: the nearest clips replace "
                          "them",
                          missing);
    if (r > 0)
        lm_composing_note(c, LM_WARNING,
                          "clips with other numbers of frames than the game's are resampled: %s",
                          resized);
}

/* ---- The floor ------------------------------------------------------------------------------- */

/* The floor in a player's space, and the distance within which feet stand on a floor. */
#define FLOOR (-24)
#define NEAR 4

float lm_player_lift(lm_composing *c, uint32_t frame, bool legs) {
    float lowest = INFINITY;
    for (uint32_t i = 0; i < c->made.mesh.num_surfaces; i++) {
        const lm_mesh_surface *s = &c->made.mesh.surfaces[i];
        const float *row = s->positions + (size_t)frame * s->num_vertices * 3;
        const bool counts = !legs || s->body == LM_BODY_LOWER;
        for (size_t k = 0; counts && k < 3 * (size_t)s->num_triangles; k++)
            lowest = fminf(lowest, lm_vec3_at(row, s->triangles[k]).z);
    }
    if (!(fabsf(lowest) <= NEAR))
        return 0;
    lm_composing_note(
        c, LM_WARNING,
        "the feet are at the origin's height: the player is moved down by 24 units, to "
        "the game's floor");
    return FLOOR;
}

bool lm_player_fill_table(lm_composing *c) {
    const lm_memory *memory = &c->options->memory;
    lm_error *error = c->heap.call.error;
    lm_mesh mesh = c->made.mesh;
    choice choices[NUM_CLIPS];
    lm_clips *table = lm_clips_quake2(NUM_FRAMES, memory, error);
    lm_pose *poses = lm_composing_alloc(c, NUM_FRAMES, sizeof *poses);
    bool done = lm_call_join(&c->heap.call, table != NULL) && poses;
    mesh.frame_names = NULL; /* the game's tools name frames by their clips */
    if (done) {
        choose(c, table, choices);
        for (uint32_t i = 0; i < NUM_CLIPS; i++)
            for (uint32_t k = 0; k < choices[i].table->count; k++)
                poses[choices[i].table->first + k] = pose_in(&choices[i], k);
        report(c, choices);
        done = lm_composing_adopt(c, lm_mesh_select_frames(&mesh, poses, NUM_FRAMES, table->clips,
                                                           NUM_CLIPS, memory, error));
    }
    lm_clips_free(table);
    if (!done)
        return false;
    const float lift = lm_player_lift(c, 0, false);
    const lm_transform to = {{0, 0, lift}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return lift == 0 ||
           lm_composing_adopt(
               c, lm_mesh_transform(&c->made.mesh, &to, &c->options->memory, c->heap.call.error));
}
