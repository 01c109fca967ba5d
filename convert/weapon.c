/* The models and the weapon.cfg of a weapon of Return to Castle Wolfenstein. What is in the
 * output's folder and does not change keeps its bytes. */
#include "convert_internal.h"

#include "lerpmesh/clips.h"
#include "lerpmesh/load.h"
#include "sources.h"

#include <math.h>
#include <string.h>

const char *lmi_weapon_folder(conversion *c) {
    const char *path = c->options->path, *found = NULL;
    const size_t length = (size_t)(lmi_vfs_base_name(c->vfs, path) - path);
    for (const char *at = path; (at = strstr(at, "models/")) != NULL; at++)
        if (at == path || at[-1] == '/')
            found = at;
    const size_t room = found ? length - (size_t)(found - path) - 1 : SIZE_MAX;
    return room <= LM_MAX_COMPOSED_FOLDER
               ? lmi_arena_text(c->arena, found, room)
               : lmi_arena_printf(c->arena, "models/weapons2/%s", c->options->player_name);
}

/* A model in the output's folder. */
typedef struct old_model {
    lm_buffer file;
    const char *name; /* as its folder spells it */
    const lm_format_info *format;
    lm_mesh *mesh; /* NULL: there is none, or it cannot be read */
} old_model;

/* Reads a file of the output's folder, whatever its case. Returns its name; NULL: there is none. */
static const char *read_old(conversion *c, const char *name, const char *extension, lm_buffer *out,
                            lm_error *error) {
    const char *path = c->options->path;
    char actual[LM_PATH_SIZE];
    const size_t length = (size_t)(lmi_vfs_base_name(c->vfs, path) - path);
    const char *folder = lmi_arena_text(c->arena, path, length);
    const char *file = lmi_arena_printf(c->arena, "%s%s", name, extension);
    const lm_files *files = folder && file ? lm_vfs_folder(c->vfs, folder, error) : NULL;
    return files && files->find(files->user, file, actual) == LM_FIND_FILE &&
                   lmi_view_read(files, actual, c->options->open.max_input, out, error)
               ? lmi_copy_text(c->arena, actual)
               : NULL;
}

/* Returns false, and fails, if memory ran out, which looks like a file that is not there. */
static bool knows_memory(conversion *c, const lm_error *error) {
    return (error->code != LM_CODE_OUT_OF_MEMORY && !lmi_arena_failed(c->arena)) ||
           lm_cv_fail_memory(c);
}

/* Opens the file that the game opens for a name: .mdc before .md3. */
static bool open_old(conversion *c, const char *name, old_model *old) {
    lm_error error = {.code = LM_CODE_OK};
    for (size_t i = 0; i < LM_NUM_MODEL_EXTENSIONS && !old->name; i++) {
        old->format = lm_format_by_extension(lmi_model_extensions[i]);
        old->name = read_old(c, name, lmi_model_extensions[i], &old->file, &error);
    }
    lm_model *model =
        old->file.size > 0 ? lm_load_memory(old->file.data, old->file.size, NULL, &error) : NULL;
    old->mesh = model ? lm_mesh_from_model(model, NULL, &error) : NULL;
    lm_model_free(model);
    return knows_memory(c, &error);
}

static void close_old(old_model *old) {
    lm_buffer_free(&old->file);
    lm_mesh_free(old->mesh);
}

/* ---- What does not change -------------------------------------------------------------------- */

#define SAME_PLACE (1 / 256.0f) /* units: a quarter of a step of MD3 and MDC */
#define SAME_ST 1e-3f
#define SAME_AXIS 2e-3f   /* 0.1 degrees */
#define SAME_NORMAL 0.05f /* 3 degrees: other programs keep normals less exactly */

/* Two meshes, and the frames that are compared: those of `rows`, or if there are none all of the
 * first mesh. The second may have more, which the game does not show. */
typedef struct comparing {
    const lm_mesh *a, *b;
    uint32_t num_rows;
    const lm_clip *rows_a, *rows_b;
} comparing;

static bool is_near(const float *a, const float *b, unsigned count, float most) {
    for (unsigned i = 0; i < count; i++)
        if (!(fabsf(a[i] - b[i]) <= most))
            return false;
    return true;
}

/* Calls `same` for each pair of frames. Returns whether it always returns true. */
static bool in_frames(const comparing *c,
                      bool (*same)(const comparing *c, uint32_t a, uint32_t b)) {
    bool all = true;
    for (uint32_t i = 0; i < c->num_rows; i++)
        for (uint32_t f = 0; all && f < c->rows_a[i].count; f++)
            all = same(c, c->rows_a[i].first + f, c->rows_b[i].first + f);
    for (uint32_t f = 0; all && c->num_rows == 0 && f < c->a->num_frames; f++)
        all = same(c, f, f);
    return all;
}

static bool same_tags(const comparing *c, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < c->a->num_tags; i++) {
        uint32_t k = 0;
        while (k < c->b->num_tags && strcmp(c->a->tags[i].name, c->b->tags[k].name) != 0)
            k++;
        if (k == c->b->num_tags)
            return false;
        const lm_transform *p = &c->a->tags[i].poses[a], *q = &c->b->tags[k].poses[b];
        if (!is_near(&p->origin.x, &q->origin.x, 3, SAME_PLACE) ||
            !is_near(&p->axis[0].x, &q->axis[0].x, 9, SAME_AXIS))
            return false;
    }
    return true;
}

static const char *shader_of(const lm_mesh_surface *s) {
    return s->num_materials > 0 ? s->materials[0].name : "";
}

/* Returns the first triangle from `t` on with three places in the first frame. */
static uint32_t next_drawn(const lm_mesh_surface *s, uint32_t t) {
    for (; t < s->num_triangles; t++) {
        const float *p[3];
        for (int i = 0; i < 3; i++)
            p[i] = s->positions + 3 * (size_t)s->triangles[3 * (size_t)t + (size_t)i];
        if (!is_near(p[0], p[1], 3, 0) && !is_near(p[1], p[2], 3, 0) && !is_near(p[2], p[0], 3, 0))
            break;
    }
    return t;
}

static bool same_corner(const lm_mesh_surface *s, size_t corner_a, uint32_t frame_a,
                        const lm_mesh_surface *o, size_t corner_b, uint32_t frame_b) {
    static const float none[2];
    const size_t a = 3 * ((size_t)frame_a * s->num_vertices + s->triangles[corner_a]),
                 b = 3 * ((size_t)frame_b * o->num_vertices + o->triangles[corner_b]);
    const uint32_t *in_a = s->st_triangles ? s->st_triangles : s->triangles,
                   *in_b = o->st_triangles ? o->st_triangles : o->triangles;
    return is_near(s->positions + a, o->positions + b, 3, SAME_PLACE) &&
           is_near(s->st ? s->st + 2 * (size_t)in_a[corner_a] : none,
                   o->st ? o->st + 2 * (size_t)in_b[corner_b] : none, 2, SAME_ST) &&
           (!s->normals || !o->normals || is_near(s->normals + a, o->normals + b, 3, SAME_NORMAL));
}

/* Returns the surface of the second mesh with the same name and shader; NULL: there is none. */
static const lm_mesh_surface *find_other(const comparing *c, const lm_mesh_surface *s) {
    for (uint32_t i = 0; i < c->b->num_surfaces; i++) {
        const lm_mesh_surface *other = &c->b->surfaces[i];
        if (strcmp(s->name, other->name) == 0 && strcmp(shader_of(s), shader_of(other)) == 0)
            return other;
    }
    return NULL;
}

/* Compares the triangles that are drawn, which have the same order but may begin at another
 * corner. */
static bool same_surfaces(const comparing *c, uint32_t frame_a, uint32_t frame_b) {
    for (uint32_t i = 0; i < c->a->num_surfaces; i++) {
        const lm_mesh_surface *s = &c->a->surfaces[i], *o = find_other(c, s);
        uint32_t a = next_drawn(s, 0), b = o ? next_drawn(o, 0) : 0;
        if (!o)
            return false;
        for (; a < s->num_triangles && b < o->num_triangles;
             a = next_drawn(s, a + 1), b = next_drawn(o, b + 1)) {
            bool same = false;
            for (unsigned turn = 0; turn < 3 && !same; turn++) {
                same = true;
                for (unsigned k = 0; same && k < 3; k++)
                    same = same_corner(s, 3 * (size_t)a + k, frame_a, o,
                                       3 * (size_t)b + (k + turn) % 3, frame_b);
            }
            if (!same)
                return false;
        }
        if (a < s->num_triangles || b < o->num_triangles)
            return false;
    }
    return true;
}

/* Returns whether two meshes look the same in the game. */
static bool is_same(const lm_convert_options *o, const comparing *c) {
    const lm_mesh *a = c->a, *b = c->b;
    if (!b || o->decimate > 0 || o->lods > 0 || a->num_surfaces != b->num_surfaces ||
        a->num_tags != b->num_tags || (c->num_rows == 0 && a->num_frames > b->num_frames))
        return false;
    for (uint32_t i = 0; i < c->num_rows; i++)
        if (c->rows_a[i].count != c->rows_b[i].count)
            return false;
    return in_frames(c, same_tags) && in_frames(c, same_surfaces);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Adds a model: its old bytes if it is the same, else encoded, in its old format if there is one.
 */
static bool add_model(conversion *c, const lm_player_model *model, old_model *old, bool same) {
    const lm_format_info *format = c->format;
    const char *extension = c->extension;
    lm_encode_report *report = NULL;
    if (old->name) {
        c->format = old->format;
        c->extension = lmi_arena_printf(c->arena, ".%s", old->format->extension);
    }
    convert_side *side = lmi_cv_add(c, LM_CONVERT_ROLE_SIDE, old->name ? old->name : model->name,
                                    old->name ? "" : extension);
    bool ok = side && c->extension;
    if (ok && same) {
        side->file.data = old->file;
        old->file = (lm_buffer){0};
    } else if (ok) {
        side->file.data.max_size = (size_t)c->options->max_output;
        ok = lmi_cv_encode(c, &c->encode, model->mesh, model->name, &side->file.data, &report);
        if (ok)
            lmi_cv_model_done(c, side->file.name, report);
        lm_encode_report_free(report);
    }
    c->format = format;
    c->extension = extension;
    return ok;
}

static bool same_row(const lm_clip *a, const lm_clip *b) {
    return a->count == b->count && a->loop_frames == b->loop_frames &&
           fabsf(a->fps - b->fps) <= 1e-4f * b->fps && a->backwards == b->backwards &&
           a->animated_barrels == b->animated_barrels && a->hidden_barrels == b->hidden_barrels &&
           a->animated_weapon == b->animated_weapon;
}

/* Makes weapon.cfg, whose rows count the frames of the hand. The old text stays if its rows do.
 * `old` NULL: there is none. */
static bool make_rows(conversion *c, const lm_clip *rows, uint32_t num_rows, uint32_t num_frames,
                      const lm_clips *old, lm_buffer *text) {
    lm_error error;
    bool same = old && old->num_clips == num_rows;
    for (uint32_t i = 0; same && i < num_rows; i++)
        same = rows[i].first == old->clips[i].first && same_row(&rows[i], &old->clips[i]);
    c->out = same ? *text : (lm_buffer){.max_size = (size_t)c->options->max_output};
    if (same)
        *text = (lm_buffer){0};
    return same ||
           lm_clips_write(rows, num_rows, num_frames, LM_CLIPS_WEAPON_CFG, &c->out, &error) ||
           lmi_cv_fail_error(c, &error);
}

/* Makes the hand with weapon.cfg. If the hand is the same, its frames keep their numbers. */
static bool make_hand(conversion *c, const lm_composition *made, old_model *old,
                      uint32_t *unchanged) {
    lm_error error = {.code = LM_CODE_OK};
    lm_buffer text = {0};
    const lm_mesh *hand = made->models[0].mesh;
    const uint32_t count = made->num_player_clips, frames = old->mesh ? old->mesh->num_frames : 0;
    lm_clip *rows = lmi_arena_zeros(c->arena, count, sizeof *rows);
    lm_clips *clips = NULL;
    if (!rows)
        return false;
    memcpy(rows, made->player_clips, count * sizeof *rows);
    if (frames > 0 && read_old(c, "weapon.cfg", "", &text, &error))
        clips = lm_clips_read(text.data, text.size, frames,
                              &(lm_clips_options){.format = LM_CLIPS_WEAPON_CFG}, &error);
    const bool fits = clips && clips->num_clips == count;
    const bool same =
        fits && is_same(c->options, &(comparing){hand, old->mesh, count, rows, clips->clips});
    for (uint32_t i = 0; same && i < count; i++)
        rows[i].first = clips->clips[i].first;
    const bool ok = knows_memory(c, &error) && add_model(c, &made->models[0], old, same) &&
                    make_rows(c, rows, count, same ? frames : hand->num_frames,
                              same || frames == hand->num_frames ? clips : NULL, &text);
    *unchanged += same;
    lm_clips_free(clips);
    lm_buffer_free(&text);
    return ok;
}

bool lmi_cv_weapon_models(conversion *c, const lm_composition *composition) {
    uint32_t unchanged = 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < composition->num_models; i++) {
        const lm_player_model *model = &composition->models[i];
        old_model old = {0};
        ok = open_old(c, model->name, &old);
        if (ok && i == 0) {
            ok = make_hand(c, composition, &old, &unchanged);
        } else if (ok) {
            const bool same = is_same(c->options, &(comparing){.a = model->mesh, .b = old.mesh});
            unchanged += same;
            ok = add_model(c, model, &old, same);
        }
        close_old(&old);
    }
    if (ok && unchanged > 0)
        lm_cv_note(c, "%u of %u models of the weapon are unchanged", (unsigned)unchanged,
                   (unsigned)composition->num_models);
    return ok;
}
