/* The models and the weapon.cfg of a weapon of Return to Castle Wolfenstein. What is in the
 * output's folder and does not change keeps its bytes. */
#include "convert_internal.h"

#include "lerpmesh/clips.h"
#include "lerpmesh/load.h"
#include "math/turn.h"
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

/* Reads a file of the output's folder, whatever its case, unless `out` is NULL. Returns its name;
 * NULL: there is none. */
static const char *read_old(conversion *c, const char *name, const char *extension, lm_buffer *out,
                            lm_error *error) {
    const char *path = c->options->path;
    char actual[LM_PATH_SIZE];
    const size_t length = (size_t)(lmi_vfs_base_name(c->vfs, path) - path);
    const char *folder = lmi_arena_text(c->arena, path, length);
    const char *file = lmi_arena_printf(c->arena, "%s%s", name, extension);
    const lm_files *files = folder && file ? lm_vfs_folder(c->vfs, folder, error) : NULL;
    const lm_find found = files ? files->find(files->user, file, actual) : LM_FIND_NOTHING;
    lmi_arena_out_of_memory(c->arena, found == LM_FIND_OUT_OF_MEMORY);
    return found == LM_FIND_FILE &&
                   (!out || lmi_view_read(files, actual, c->options->open.max_input, out, error))
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
#define SAME_ST 1e-3
#define SAME_AXIS 2e-3f /* 0.1 degrees */
#define SAME_NORMAL 5.0 /* degrees: other programs keep normals less exactly */
#define SAME_TURN 4e-3  /* radians, between two frames */
#define ARCS (1 / 64.0) /* of half the angle between them, by which arcs may differ */

/* The frames in which a model is compared with the one in the folder. */
typedef struct pairing {
    uint32_t count;
    lm_pose *made, *old;
    uint8_t *hidden; /* barrels that the row hides, whose tags mean nothing */
} pairing;

static bool begin_pairs(conversion *c, uint64_t capacity, pairing *p) {
    *p = (pairing){.made = lmi_arena_zeros(c->arena, capacity, sizeof *p->made),
                   .old = lmi_arena_zeros(c->arena, capacity, sizeof *p->old),
                   .hidden = lmi_arena_zeros(c->arena, capacity, 1)};
    return !lmi_arena_failed(c->arena);
}

static void add_pair(pairing *p, uint32_t made, const lm_pose *old, uint8_t hidden) {
    p->made[p->count] = (lm_pose){.frame_a = made, .frame_b = made};
    p->old[p->count] = *old;
    p->hidden[p->count++] = hidden;
}

/* Returns the seconds from the first frame of a clip to the last, or to the first again if the
 * row loops. */
static double length_of(const lm_clip *clip, const lm_clip *row) {
    return (clip->count - (row->loop_frames == 0 && row->count > 1)) / (double)clip->fps;
}

/* Returns the frame that a row shows of a barrel, which may have fewer frames than the rows. */
static uint32_t shown(uint32_t frame, const lm_clip *row, uint32_t num_frames) {
    return row->first >= num_frames ? 0 : frame < num_frames ? frame : num_frames - 1;
}

/* Pairs the frames of a clip with the poses of a row at these times. Returns false if one lasts
 * longer; programs end an animation at one of their own frames. */
static bool pair_row(pairing *p, const lm_clip *clip, const lm_clip *row, uint32_t num_frames,
                     uint8_t hidden) {
    const double end = length_of(row, row);
    if (fabs(length_of(clip, row) - end) * (double)clip->fps > 0.99)
        return false;
    for (uint32_t f = 0; f < clip->count; f++) {
        lm_pose pose;
        lm_clip_pose(row, fmin(f / (double)clip->fps, end), LM_PLAY_AS_CLIP, false, &pose);
        pose.frame_a = shown(pose.frame_a, row, num_frames);
        pose.frame_b = shown(pose.frame_b, row, num_frames);
        add_pair(p, clip->first + f, &pose, hidden);
    }
    return true;
}

#define ALL_ROWS UINT32_MAX

/* Pairs the frames of a model: of the hand those of the rows, or of one, of a barrel its own ones,
 * else all. `rows` NULL: there is no weapon.cfg with as many. */
static bool pair_frames(const lm_composition *made, uint32_t model, const lm_clip *rows,
                        uint32_t only, uint32_t num_frames, pairing *p) {
    size_t unused;
    const char *name = made->models[model].name;
    const uint32_t kind = lmi_weapon_kind_of(name, strlen(name), &unused);
    const unsigned bit = lmi_barrel_bit(kind);
    uint32_t of_made = 0, of_old = 0; /* the frames of a barrel before a row's */
    for (uint32_t i = 0; rows && i < made->num_player_clips; i++) {
        lm_clip clip = made->player_clips[i], row = rows[i];
        const bool moves = clip.animated_barrels & bit;
        if (only != ALL_ROWS && only != i)
            continue;
        if (model > 0 && moves != ((row.animated_barrels & bit) != 0))
            return false;
        if (model > 0 && !moves)
            continue;
        if (model > 0) {
            clip.first = of_made;
            row.first = of_old;
            of_made += clip.count;
            of_old += row.count;
        }
        if ((model == 0 && row.first + row.count > num_frames) ||
            (!(row.hidden_barrels & bit) &&
             !pair_row(p, &clip, &row, num_frames, model > 0 ? 0 : row.hidden_barrels)))
            return false;
    }
    if (p->count > 0 || of_made > 0)
        return true;
    const uint32_t all = made->models[model].mesh->num_frames;
    for (uint32_t f = 0; f < all; f++)
        add_pair(p, f, &(lm_pose){.frame_a = f, .frame_b = f}, 0);
    return all <= num_frames;
}

static bool is_near(const float *a, const float *b, unsigned count, float most) {
    for (unsigned i = 0; i < count; i++)
        if (!(fabsf(a[i] - b[i]) <= most))
            return false;
    return true;
}

static void quaternion_of(const lm_transform *tag, double q[4]) {
    double r[3][3];
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++)
            r[i][k] = (double)(&tag->axis[i].x)[k];
    lmi_turn_to_quaternion(r, q);
}

static double dot(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* Returns whether a tag is turned as between two others. Programs interpolate the numbers of
 * quaternions, or along the arc, which differs little. */
static bool is_turned_between(const lm_transform *tag, const lm_transform *first,
                              const lm_transform *second, float t) {
    double q[4], a[4], b[4], mean[4];
    quaternion_of(tag, q);
    quaternion_of(first, a);
    quaternion_of(second, b);
    const double cosine = dot(a, b), sign = cosine < 0 ? -1 : 1;
    for (unsigned i = 0; i < 4; i++)
        mean[i] = (1 - (double)t) * a[i] + (double)t * sign * b[i];
    /* Half an angle is nearly as long as its chord. */
    const double near = fabs(dot(q, mean)) / sqrt(dot(q, q) * dot(mean, mean));
    const double most = 0.5 * (SAME_TURN + ARCS * sqrt(2 - 2 * fmin(fabs(cosine), 1)));
    return 2 - 2 * near <= most * most;
}

/* Returns whether a row hides the barrel that a tag holds. */
static bool is_hidden(const char *tag, uint8_t hidden) {
    for (uint32_t kind = LM_WEAPON_BARREL; kind < LM_WEAPON_KINDS; kind++)
        if ((hidden & lmi_barrel_bit(kind)) && strcmp(tag, lmi_weapon_kinds[kind].tag) == 0)
            return true;
    return false;
}

/* Returns a tag of a mesh by its name; NULL: it has none. */
static const lm_mesh_tag *find_tag(const lm_mesh *mesh, const char *name) {
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        if (strcmp(mesh->tags[i].name, name) == 0)
            return &mesh->tags[i];
    return NULL;
}

/* Compares the tags of two meshes with the paired frames. `old`: the second before. */
static bool same_tags(const lm_mesh *a, const lm_mesh *b, const lm_mesh *old, const pairing *p) {
    for (uint32_t i = 0; i < a->num_tags; i++) {
        const lm_mesh_tag *tag = find_tag(b, a->tags[i].name);
        if (!tag)
            return false;
        const lm_transform *poses = old->tags[tag - b->tags].poses;
        for (uint32_t f = 0; f < p->count; f++) {
            const lm_pose *pose = &p->old[f];
            const lm_transform *x = &a->tags[i].poses[f], *y = &tag->poses[f];
            const bool between = pose->t > 0 && pose->t < 1 && pose->frame_a != pose->frame_b;
            if (!is_hidden(a->tags[i].name, p->hidden[f]) &&
                !(is_near(&x->origin.x, &y->origin.x, 3, SAME_PLACE) &&
                  (between
                       ? is_turned_between(x, &poses[pose->frame_a], &poses[pose->frame_b], pose->t)
                       : is_near(&x->axis[0].x, &y->axis[0].x, 9, SAME_AXIS))))
                return false;
        }
    }
    return true;
}

static const char *shader_of(const lm_mesh_surface *s) {
    return s->num_materials > 0 ? s->materials[0].name : "";
}

/* Returns the surface of a mesh with the same name and shader as another; NULL: there is none. */
static const lm_mesh_surface *find_other(const lm_mesh *mesh, const lm_mesh_surface *s) {
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *other = &mesh->surfaces[i];
        if (strcmp(s->name, other->name) == 0 && strcmp(shader_of(s), shader_of(other)) == 0)
            return other;
    }
    return NULL;
}

static const float *corner(const lm_mesh_surface *s, uint32_t triangle, unsigned k) {
    return s->positions + 3 * (size_t)s->triangles[3 * (size_t)triangle + k];
}

/* Returns the first triangle from `t` on with three places in the first frame. */
static uint32_t next_drawn(const lm_mesh_surface *s, uint32_t t) {
    while (t < s->num_triangles && (is_near(corner(s, t, 0), corner(s, t, 1), 3, 0) ||
                                    is_near(corner(s, t, 1), corner(s, t, 2), 3, 0) ||
                                    is_near(corner(s, t, 2), corner(s, t, 0), 3, 0)))
        t++;
    return t;
}

/* Returns whether two triangles have the same corners in the first frame, from any corner on. */
static bool same_corners(const lm_mesh_surface *s, uint32_t a, const lm_mesh_surface *o, uint32_t b,
                         bool reversed) {
    for (unsigned turn = 0; turn < 3; turn++) {
        unsigned k = 0;
        while (k < 3 && is_near(corner(s, a, k), corner(o, b, (turn + (reversed ? 3 - k : k)) % 3),
                                3, SAME_PLACE))
            k++;
        if (k == 3)
            return true;
    }
    return false;
}

#define MOST_TWINS 64 /* of a surface, for which all triangles are searched */

/* Returns whether another triangle is the back of a triangle. */
static bool has_back(const lm_mesh_surface *s, uint32_t triangle) {
    for (uint32_t t = 0; t < s->num_triangles; t++)
        if (t != triangle && same_corners(s, triangle, s, t, true))
            return true;
    return false;
}

/* Returns whether the triangles that are drawn have the same corners in the first frame, in the
 * same order. `old` may have both sides of a triangle, of which Blender keeps one. */
static bool same_triangles(const lm_mesh *mesh, const lm_mesh *old) {
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i], *o = find_other(old, s);
        uint32_t a = next_drawn(s, 0), twins = 0;
        for (uint32_t b = o ? next_drawn(o, 0) : 0; o && b < o->num_triangles;
             b = next_drawn(o, b + 1))
            if (a < s->num_triangles && same_corners(s, a, o, b, false))
                a = next_drawn(s, a + 1);
            else if (twins++ == MOST_TWINS || !has_back(o, b))
                return false;
        if (!o || a < s->num_triangles)
            return false;
    }
    return true;
}

/* Returns whether the vertices of two meshes are at the same places in all frames. */
static bool same_vertices(const lm_mesh *a, const lm_mesh *b, lm_error *error) {
    lm_comparison *found = lm_mesh_compare(a, b, NULL, error);
    const bool same = found && found->all.max_distance <= (double)SAME_PLACE &&
                      found->all.max_angle_error <= SAME_NORMAL && found->max_st <= SAME_ST;
    lm_comparison_free(found);
    return same;
}

/* Returns whether a model looks the same in the game as the one in the folder. `only`: the hand in
 * this row. */
static bool is_same(conversion *c, const lm_composition *made, uint32_t model, const lm_clip *rows,
                    uint32_t only, const lm_mesh *old) {
    const lm_mesh *mesh = made->models[model].mesh;
    lm_error error = {.code = LM_CODE_OK};
    pairing p;
    uint64_t most = mesh->num_frames;
    for (uint32_t i = 0; i < made->num_player_clips; i++)
        most += made->player_clips[i].count;
    if (!old || c->options->decimate > 0 || c->options->lods > 0 ||
        mesh->num_surfaces != old->num_surfaces || mesh->num_tags != old->num_tags ||
        !begin_pairs(c, most, &p) || !pair_frames(made, model, rows, only, old->num_frames, &p))
        return false;
    if (p.count == 0) /* a barrel that is never drawn */
        return true;
    lm_mesh *a = lm_mesh_select_frames(mesh, p.made, p.count, NULL, 0, NULL, &error);
    lm_mesh *b = a ? lm_mesh_select_frames(old, p.old, p.count, NULL, 0, NULL, &error) : NULL;
    const bool same = b && same_tags(a, b, old, &p) && same_triangles(a, b) &&
                      (a->num_surfaces == 0 || same_vertices(a, b, &error));
    lm_mesh_free(a);
    lm_mesh_free(b);
    return knows_memory(c, &error) && same;
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

static bool same_rate(const lm_clip *a, const lm_clip *b) {
    return fabsf(a->fps - b->fps) <= 1e-4f * b->fps;
}

static bool same_row(const lm_clip *a, const lm_clip *b) {
    return a->count == b->count && a->loop_frames == b->loop_frames && same_rate(a, b) &&
           a->backwards == b->backwards && a->animated_barrels == b->animated_barrels &&
           a->hidden_barrels == b->hidden_barrels && a->animated_weapon == b->animated_weapon;
}

/* Fails if weapon.cfg would change although other weapons of the folder read it, too. */
static bool owns_rows(conversion *c, const lm_buffer *text, const char *weapon) {
    const char *path = c->options->path;
    const size_t length = (size_t)(lmi_vfs_base_name(c->vfs, path) - path);
    const char *folder = length > 0 ? lmi_arena_text(c->arena, path, length) : ".";
    const char *others =
        text->size > 0 && folder ? lmi_other_weapons(c->vfs, folder, weapon, c->arena) : NULL;
    return !lmi_arena_failed(c->arena) &&
           (!others ||
            lm_cv_fail(c,
                       "%.*sweapon.cfg stays, because it is also that of %s: keep the rows of this "
                       "weapon as they are, or write it into another folder",
                       (int)length, path, others));
}

/* The weapon of the output's folder, and how the file with the new one shows it at its keys. */
typedef struct comparing {
    const lm_composition *keyed;
    lm_buffer text; /* of weapon.cfg */
    lm_clips *clips;
    const lm_clip *rows;            /* of the old hand; NULL: there are not as many */
    lm_clip shown[LM_WEAPON_CLIPS]; /* the frames of the old hand that show each; count 0: none */
} comparing;

/* Makes weapon.cfg, whose rows count the frames of the hand. The old text stays if its rows do. */
static bool make_rows(conversion *c, const lm_clip *rows, uint32_t num_rows, uint32_t num_frames,
                      const char *weapon, comparing *with) {
    const lm_clip *old = with->clips ? with->rows : NULL;
    lm_error error;
    bool same = old && with->clips->num_clips == num_rows;
    for (uint32_t i = 0; same && i < num_rows; i++)
        same = rows[i].first == old[i].first && same_row(&rows[i], &old[i]);
    if (!same && !owns_rows(c, &with->text, weapon))
        return false;
    c->out = same ? with->text : (lm_buffer){.max_size = (size_t)c->options->max_output};
    if (same)
        with->text = (lm_buffer){0};
    return same ||
           lm_clips_write(rows, num_rows, num_frames, LM_CLIPS_WEAPON_CFG, &c->out, &error) ||
           lmi_cv_fail_error(c, &error);
}

/* Finds the rows of the old hand. Without a weapon.cfg, they are the new ones, if all have clips.
 */
static bool read_rows(conversion *c, const lm_composition *made, comparing *with,
                      uint32_t num_frames) {
    const lm_clips_options options = {.format = LM_CLIPS_WEAPON_CFG};
    lm_error error = {.code = LM_CODE_OK};
    c->out_name = read_old(c, "weapon.cfg", "", &with->text, &error);
    if (c->out_name)
        with->clips = lm_clips_read(with->text.data, with->text.size, num_frames, &options, &error);
    if (with->clips && with->clips->num_clips >= made->num_player_clips)
        with->rows = with->clips->clips;
    else if (!with->clips && made->mesh->num_clips >= made->num_player_clips)
        with->rows = made->player_clips;
    return knows_memory(c, &error);
}

/* Finds the frames of the old hand that show the rows: those of the row, of one that plays the same
 * frames, such as that of a removed animation, or the first of IDLE1. Returns whether all have
 * some.
 */
static bool find_shown(conversion *c, const lm_composition *made, comparing *with,
                       const lm_mesh *old) {
    const lm_clip *clips = with->keyed->player_clips;
    const uint32_t count = with->keyed->num_player_clips;
    bool all = true;
    for (uint32_t i = 0; i < count; i++)
        if (same_rate(&made->player_clips[i], &with->rows[i]) &&
            is_same(c, with->keyed, 0, with->rows, i, old))
            with->shown[i] = with->rows[i];
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < count && with->shown[i].count == 0; k++)
            if (clips[k].first == clips[i].first && clips[k].count == clips[i].count)
                with->shown[i] = with->shown[k];
        if (with->shown[i].count == 0 && clips[i].count == 1 && clips[i].first == clips[0].first) {
            with->shown[i] = with->shown[0];
            with->shown[i].count = with->shown[0].count > 0;
        }
        all = all && with->shown[i].count > 0;
    }
    return all;
}

/* Gives a changed hand the frames that it had in the rows that did not change, which the rate of
 * another program has smoothed. */
static void keep_rows(const lm_composition *made, const comparing *with, const lm_mesh *old) {
    const lm_mesh *hand = made->models[0].mesh;
    for (uint32_t i = 0; i < made->num_player_clips && hand->num_surfaces == 0; i++) {
        const lm_clip *row = &made->player_clips[i], *before = &with->shown[i];
        if (row->count != before->count)
            continue;
        for (uint32_t t = 0; t < hand->num_tags; t++) {
            const lm_mesh_tag *tag = find_tag(old, hand->tags[t].name);
            if (tag)
                memcpy((lm_transform *)hand->tags[t].poses + row->first, tag->poses + before->first,
                       row->count * sizeof(lm_transform));
        }
    }
}

/* Makes the hand with weapon.cfg. If the hand is the same, its rows keep their frames. */
static bool make_hand(conversion *c, const lm_composition *made, comparing *with, old_model *old,
                      uint32_t *unchanged) {
    const lm_mesh *hand = made->models[0].mesh;
    const uint32_t count = made->num_player_clips;
    const uint32_t frames = old->mesh ? old->mesh->num_frames : hand->num_frames;
    lm_clip *rows = lmi_arena_zeros(c->arena, count, sizeof *rows);
    if (!rows || !read_rows(c, made, with, frames))
        return false;
    memcpy(rows, made->player_clips, count * sizeof *rows);
    const bool same = with->rows ? old->mesh && find_shown(c, made, with, old->mesh)
                                 : is_same(c, made, 0, NULL, ALL_ROWS, old->mesh);
    if (!same && with->rows && old->mesh)
        keep_rows(made, with, old->mesh);
    for (uint32_t i = 0; same && with->rows && i < count; i++) {
        const lm_clip *row = &with->shown[i];
        const bool loops = rows[i].loop_frames == rows[i].count;
        rows[i].first = row->first;
        rows[i].count = row->count;
        if (loops || rows[i].loop_frames > row->count)
            rows[i].loop_frames = row->count;
    }
    *unchanged += same;
    return !lmi_arena_failed(c->arena) && add_model(c, &made->models[0], old, same) &&
           make_rows(c, rows, count, same ? frames : hand->num_frames, made->models[1].name, with);
}

/* Warns of barrels and a scope in the folder that the weapon lacks but the game shows with it, at
 * their tags. */
static bool name_others(conversion *c, const lm_composition *made) {
    const char *weapon = made->models[1].name;
    lm_error error = {.code = LM_CODE_OK};
    bool gap = false;
    for (uint32_t kind = LM_WEAPON_SCOPE; kind < LM_WEAPON_KINDS; kind++) {
        const char *name =
            lmi_arena_printf(c->arena, "%s%s", weapon, lmi_weapon_kinds[kind].suffix);
        const lm_mesh *holder = made->models[kind < LM_WEAPON_BARREL].mesh;
        const char *found = NULL;
        uint32_t own = 0;
        while (name && own < made->num_models && strcmp(made->models[own].name, name) != 0)
            own++;
        if (kind == LM_WEAPON_FLASH || own < made->num_models)
            continue;
        for (size_t i = 0; name && i < LM_NUM_MODEL_EXTENSIONS && !found; i++)
            found = read_old(c, name, lmi_model_extensions[i], NULL, &error);
        if (found && !gap && find_tag(holder, lmi_weapon_kinds[kind].tag))
            lm_cv_warn(c, "%s is not of this weapon, but the game shows it with it: remove it",
                       found);
        gap = gap || (!found && kind >= LM_WEAPON_BARREL && !lmi_same_text(weapon, "v_mauser"));
    }
    return knows_memory(c, &error);
}

static bool make_models(conversion *c, const lm_composition *made, comparing *with) {
    uint32_t unchanged = 0, others = 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < made->num_models; i++) {
        old_model old = {0};
        ok = open_old(c, made->models[i].name, &old);
        others += old.name && old.format != c->format;
        if (ok && i == 0) {
            ok = make_hand(c, made, with, &old, &unchanged);
        } else if (ok) {
            const bool same = is_same(c, with->keyed, i, with->rows, ALL_ROWS, old.mesh);
            unchanged += same;
            ok = !lmi_arena_failed(c->arena) && add_model(c, &made->models[i], &old, same);
        }
        close_old(&old);
    }
    if (ok && unchanged > 0)
        lm_cv_note(c, "%u of %u models of the weapon are unchanged", (unsigned)unchanged,
                   (unsigned)made->num_models);
    if (ok && others > 0)
        lm_cv_note(c, "%s format in the folder",
                   lmi_count_words(others, "{model keeps its|models keep their}").text);
    return ok && name_others(c, made);
}

/* Gives the surfaces of the same models the same shaders: images that are written have paths in
 * `from` only. Returns false if they are not the same models. */
static bool take_shaders(lm_composition *to, const lm_composition *from) {
    bool same =
        to->num_models == from->num_models && to->num_player_clips == from->num_player_clips;
    for (uint32_t i = 0; same && i < to->num_models; i++) {
        const lm_mesh *mesh = to->models[i].mesh, *other = from->models[i].mesh;
        same = mesh->num_surfaces == other->num_surfaces;
        for (uint32_t s = 0; same && s < mesh->num_surfaces; s++) {
            lm_mesh_surface *surface = (lm_mesh_surface *)&mesh->surfaces[s];
            surface->num_materials = other->surfaces[s].num_materials;
            surface->materials = other->surfaces[s].materials;
        }
    }
    return same;
}

bool lmi_cv_weapon_models(conversion *c, const lm_composition *composition) {
    /* Other programs sample a weapon of the game at a rate of their own. What they did not change
     * is the same at their keys. */
    lm_import *keys = lmi_cv_import_keys(c);
    const lm_compose_options options = {
        .player = LM_PLAYER_WEAPON, .from_game = true, .name = c->stem};
    lm_error error = {.code = LM_CODE_OK};
    lm_composition *keyed = keys ? lm_compose_mesh(keys->mesh, &options, &error) : NULL;
    comparing with = {.keyed = keyed && take_shaders(keyed, composition) ? keyed : composition};
    const bool ok = knows_memory(c, &error) && make_models(c, composition, &with);
    lm_clips_free(with.clips);
    lm_buffer_free(&with.text);
    lm_composition_free(keyed);
    lm_import_free(keys);
    return ok;
}
