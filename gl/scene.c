/* A scene on the GPU: its models uploaded with their textures, posed and drawn: its shadow, its
 * surfaces in the order of their shaders, and the overlays. */
#include "gl_internal.h"

#include <stdlib.h>

/* ---- Uploading ------------------------------------------------------------------------------- */

static bool upload_textures(lm_gl_scene *f, lm_error *error) {
    for (uint32_t i = 0; i < f->scene->num_textures; i++) {
        const lm_scene_texture *texture = &f->scene->textures[i];
        const lm_gl_image image = {
            .width = texture->width, .height = texture->height, .pixels = texture->pixels};
        if (!texture->pixels)
            continue;
        f->textures[i] = lmi_gl_texture_share(f->gl, &image, error);
        if (!f->textures[i])
            return false;
    }
    return true;
}

static bool upload_part(lm_gl_scene *f, uint32_t index, lm_error *error) {
    const lm_scene_part *part = &f->scene->parts[index];
    gl_scene_part *out = &f->parts[index];
    out->textures = calloc(part->model->num_surfaces + (size_t)1, sizeof(lm_gl_texture *));
    if (!out->textures)
        return lmi_gl_no_memory(error);
    for (uint32_t i = 0; i < part->model->num_surfaces && part->num_skins > 0; i++) {
        uint32_t image = part->skins[part->skin].materials[i].texture;
        out->textures[i] = image == LM_NO_TEXTURE ? NULL : f->textures[image];
    }
    out->model = lm_gl_model_new(f->gl, part->model, error);
    return out->model != NULL;
}

static bool allocate(lm_gl_scene *f) {
    size_t parts = f->scene->num_parts, textures = f->scene->num_textures, surfaces, max_vertices;
    /* Count the surfaces, and the vertices of the largest. */
    surfaces = max_vertices = 0;
    for (size_t i = 0; i < f->scene->num_parts; i++) {
        const lm_model *model = f->scene->parts[i].model;
        surfaces += model->num_surfaces;
        for (uint32_t k = 0; k < model->num_surfaces; k++)
            if (model->surfaces[k].num_vertices > max_vertices)
                max_vertices = model->surfaces[k].num_vertices;
    }
    f->textures =
        calloc(textures + 1, sizeof(lm_gl_texture *)); /* NOLINT(bugprone-sizeof-expression) */
    f->parts = calloc(parts + 1, sizeof *f->parts);
    f->at = calloc(parts + 1, sizeof *f->at);
    f->transforms = calloc(parts + 1, sizeof *f->transforms);
    f->order = calloc(surfaces + 1, sizeof *f->order);
    f->positions = calloc(max_vertices + 1, sizeof *f->positions);
    f->generated = calloc(max_vertices + 1, sizeof *f->generated);
    return f->textures && f->parts && f->at && f->transforms && f->order && f->positions &&
           f->generated;
}

/* ---- Drawing order --------------------------------------------------------------------------- */

static float sort_of(const lm_scene_material *material) {
    lm_shader_summary summary;
    if (material && material->shader) {
        lm_shader_summarize(material->shader, &summary);
        return summary.sort;
    }
    return material && material->alpha == LM_ALPHA_BLEND ? LM_SORT_SEE_THROUGH : LM_SORT_OPAQUE;
}

static int compare(const void *a, const void *b) {
    const gl_scene_surface *x = a, *y = b;
    if (x->sort != y->sort)
        return x->sort < y->sort ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return x->surface < y->surface ? -1 : x->surface > y->surface;
}

/* ---- Poses --------------------------------------------------------------------------------- */

/* Poses the parts of a scene; part i is written to out[i * stride], and so is its transform. */
static bool pose_parts(const lm_scene *scene, const lm_gl_scene_instance *in, lm_gl_instance *out,
                       lm_transform *places, size_t stride, lm_error *error) {
    static const lm_pose first_frames[LM_MAX_PARTS];
    const lm_pose *poses = in->poses ? in->poses : first_frames;
    lm_transform transforms[LM_MAX_PARTS];
    const bool fades = in->to && in->weights;
    if (!lmi_gl_sound_reserved(in->reserved, 2, error))
        return false;
    if (!isfinite(in->seconds))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "gl: the time is not finite");
    if (!lm_scene_evaluate(scene, poses, in->to, in->weights, transforms, error))
        return false;
    for (uint32_t i = 0; i < scene->num_parts; i++, out += stride, places += stride) {
        lm_transform_nest(in->transform, &transforms[i], places);
        *out = (lm_gl_instance){.transform = places, .pose = poses[i], .to = poses[i]};
        if (fades) {
            out->to = in->to[i];
            out->weight = in->weights[i];
        }
    }
    return true;
}

bool lmi_gl_pose_scene(lm_gl_scene *f, const lm_gl_scene_instance *instance, lm_error *error) {
    f->seconds = instance->seconds;
    return pose_parts(f->scene, instance, f->at, f->transforms, 1, error);
}

/* ---- The scene ----------------------------------------------------------------------------- */

lm_gl_scene *lm_gl_scene_new(lm_gl *gl, const lm_scene *scene, lm_error *error) {
    lm_gl_scene *f = calloc(1, sizeof *f);
    if (!f) {
        lmi_gl_no_memory(error);
        return NULL;
    }
    *f = (lm_gl_scene){.gl = gl, .scene = scene};
    bool ok = allocate(f) ? upload_textures(f, error) : lmi_gl_no_memory(error);
    for (uint32_t i = 0; ok && i < scene->num_parts; i++)
        ok = upload_part(f, i, error);
    if (ok) {
        /* Sort the surfaces and omit hidden ones. */
        for (uint32_t i = 0; i < f->scene->num_parts; i++)
            for (uint32_t k = 0; k < f->scene->parts[i].model->num_surfaces; k++) {
                const lm_scene_part *p = &f->scene->parts[i];
                const lm_scene_material *material =
                    p->num_skins > 0 ? &p->skins[p->skin].materials[k] : NULL;
                if (!(material && material->shader && material->shader->hidden))
                    f->order[f->num_ordered++] =
                        (gl_scene_surface){i, k, sort_of(material), material};
            }
        qsort(f->order, f->num_ordered, sizeof *f->order, compare);
    }
    if (ok)
        return f;
    lm_gl_scene_free(f);
    return NULL;
}

void lm_gl_scene_free(lm_gl_scene *f) {
    if (!f)
        return;
    for (uint32_t i = 0; f->parts && i < f->scene->num_parts; i++) {
        lm_gl_model_free(f->parts[i].model);
        free(f->parts[i].textures);
    }
    for (uint32_t i = 0; f->textures && i < f->scene->num_textures; i++)
        lm_gl_texture_free(f->textures[i]);
    free(f->textures);
    free(f->parts);
    free(f->at);
    free(f->transforms);
    free(f->order);
    free(f->positions);
    free(f->generated);
    free(f);
}

/* ---- Grid, box and axes ---------------------------------------------------------------------- */

/* Draws the grid below the given extent, else below the box. */
static bool draw_grid(const lm_gl_scene *f, const lm_gl_view *view, const lm_gl_box *extent,
                      const lm_gl_box *box, lm_error *error) {
    const lm_vec3 *min = extent && extent->any ? &extent->min : &box->min;
    const lm_vec3 *max = extent && extent->any ? &extent->max : &box->max;
    const lm_vec3 ground = {(min->x + max->x) / 2, (min->y + max->y) / 2, min->z};
    return lmi_gl_draw_grid(f->gl, view, &ground, lmi_gl_size_of(min, max), error);
}

static bool draw_guides(const lm_gl_scene *f, const lm_gl_view *view,
                        const lm_gl_render_options *options, lm_error *error) {
    const gl_guides guides = lmi_gl_find_guides(f);
    const unsigned show = options->show;
    return (!(show & LM_GL_SHOW_GRID) || draw_grid(f, view, options->extent, &guides.box, error)) &&
           (!(show & LM_GL_SHOW_BOX) ||
            lmi_gl_draw_box(f->gl, view, guides.place, &guides.min, &guides.max, error)) &&
           (!(show & LM_GL_SHOW_AXES) ||
            lmi_gl_draw_axes(f->gl, view, f->at[0].transform, guides.length, error));
}

/* ---- Surfaces ------------------------------------------------------------------------------ */

/* Draws a surface with its shader. */
static bool draw_shaded(const lm_gl_scene *f, const gl_scene_surface *o, const lm_gl_instance *at,
                        const lm_gl_view *view, double seconds, const lm_gl_style *style,
                        lm_error *error) {
    gl_generated generated;
    return !lmi_gl_make_surface(f, o, at, view, seconds, &generated) ||
           lmi_gl_draw_generated(&generated, f->parts[o->part].model, o->surface,
                                 (const lm_gl_texture *const *)f->textures, o->material->texture,
                                 view, at->transform, style, error);
}

/* Instances to draw: `count` of each part, in the order of the parts. */
typedef struct scene_instances {
    const lm_gl_scene_instance *given; /* [count] */
    const lm_gl_instance *at;          /* [num_parts][count] */
    uint32_t count;
} scene_instances;

/* Draws a surface of all instances of its part. */
static bool draw_surface(const lm_gl_scene *f, const gl_scene_surface *o,
                         const scene_instances *all, const lm_gl_view *view,
                         const lm_gl_render_options *options, lm_error *error) {
    static const lm_gl_alpha alphas[] = {[LM_ALPHA_OPAQUE] = LM_GL_ALPHA_OPAQUE,
                                         [LM_ALPHA_MASK] = LM_GL_ALPHA_TEST,
                                         [LM_ALPHA_BLEND] = LM_GL_ALPHA_BLEND};
    const lm_gl_instance *at = all->at + (size_t)o->part * all->count;
    gl_draw_surface *draw = all->count == 1 ? lmi_gl_draw_each : lmi_gl_draw_instanced;
    const gl_scene_part *part = &f->parts[o->part];
    const lm_shader *shader = o->material ? o->material->shader : NULL;
    /* Without a stage and an image, a surface is drawn as one without a shader. */
    const bool by_shader = shader && lmi_gl_shows_textures(options->shade) &&
                           (shader->num_stages > 0 || part->textures[o->surface]);
    const lm_gl_style style = {
        .shade = options->shade,
        .alpha = o->material ? alphas[o->material->alpha] : LM_GL_ALPHA_OPAQUE,
        .two_sided =
            options->two_sided || (shader && shader->sides != LM_SIDES_FRONT && !by_shader),
        .engine = options->engine,
        .environment = options->environment,
        .exposure = options->exposure,
        .textures = part->textures,
        .num_textures = f->scene->parts[o->part].model->num_surfaces};
    lmi_gl_set_state(f->gl, &style);
    for (uint32_t i = 0; by_shader && i < all->count; i++)
        if (!draw_shaded(f, o, &at[i], view, all->given[i].seconds, &style, error))
            return false;
    return by_shader || draw(part->model, o->surface, view, at, all->count, &style, error);
}

static bool draw_surfaces(const lm_gl_scene *f, const scene_instances *all, const lm_gl_view *view,
                          const lm_gl_render_options *options, lm_error *error) {
    for (size_t i = 0; i < f->num_ordered; i++)
        if (!draw_surface(f, &f->order[i], all, view, options, error))
            return false;
    f->gl->api.BindVertexArray(0);
    return true;
}

static bool draw_tags(const lm_gl_scene *f, const lm_gl_view *view, lm_error *error) {
    for (uint32_t i = 0; i < f->scene->num_parts; i++)
        if (!lmi_gl_draw_tags(f->parts[i].model, view, &f->at[i], GL_TAG_LENGTH, error))
            return false;
    return true;
}

/* Draws one instance, with everything that is shown. */
static bool draw_one(lm_gl_scene *f, const lm_gl_view *view, const lm_gl_scene_instance *instance,
                     const lm_gl_render_options *options, lm_error *error) {
    return lmi_gl_pose_scene(f, instance, error) &&
           (!(options->show & LM_GL_SHOW_SHADOW) || lmi_gl_draw_shadow(f, view, options, error)) &&
           draw_surfaces(f, &(scene_instances){instance, f->at, 1}, view, options, error) &&
           lmi_gl_draw_overlays(f, view, options->show, error) &&
           (!lmi_gl_shows_tags(f, options->show) || draw_tags(f, view, error)) &&
           draw_guides(f, view, options, error) && lmi_gl_draw_marks(f, view, options, error);
}

static bool draw_many(const lm_gl_scene *f, const lm_gl_view *view,
                      const lm_gl_scene_instance *instances, uint32_t count,
                      const lm_gl_render_options *options, lm_error *error) {
    const size_t parts = f->scene->num_parts;
    const bool few = count <= INT32_MAX;
    lm_gl_instance *at = few ? calloc(count, parts * sizeof *at) : NULL;
    lm_transform *places = few ? calloc(count, parts * sizeof *places) : NULL;
    bool ok = at && places;
    if (!ok)
        lmi_gl_no_memory(error);
    for (uint32_t i = 0; ok && i < count; i++)
        ok = pose_parts(f->scene, &instances[i], at + i, places + i, count, error);
    ok = ok && draw_surfaces(f, &(scene_instances){instances, at, count}, view, options, error);
    free(at);
    free(places);
    return ok;
}

bool lm_gl_scene_draw(lm_gl_scene *f, const lm_gl_view *view, const lm_gl_scene_instance *instances,
                      uint32_t num_instances, const lm_gl_render_options *options,
                      lm_error *error) {
    if (!lmi_gl_ready(f->gl, error) || !lmi_gl_sound_view(view, error) ||
        !lmi_gl_sound_options(f, &options, error) ||
        !lmi_gl_sound_array(instances, num_instances, "instances", error))
        return false;
    if (num_instances > 1 && (options->show != 0 || options->num_marks != 0))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "gl: many instances are drawn without overlays and marks: show and "
                             "num_marks must be 0");
    if (num_instances == 1)
        return draw_one(f, view, instances, options, error);
    return num_instances == 0 || draw_many(f, view, instances, num_instances, options, error);
}
