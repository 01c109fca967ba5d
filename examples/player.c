/* Plays a model as a game does: one clip after the other, each with a cross-fade into the next.
 * Prints the positions of the first vertex and the first tag at ten times. */
#include <lerpmesh/files.h>
#include <lerpmesh/lerpmesh.h>

#include <stdio.h>
#include <stdlib.h>

#define FADE 0.2 /* seconds */

typedef struct player {
    const lm_model *model;
    const lm_clip *clip, *before; /* `before` fades out; NULL: no fade */
    double began, before_began;   /* start times */
} player;

static void play(player *p, const lm_clip *clip, double now) {
    p->before = p->clip;
    p->before_began = p->began;
    p->clip = clip;
    p->began = now;
}

/* Returns both clips' poses, and the weight of the new one. */
static float poses_of(const player *p, double now, lm_pose *from, lm_pose *to) {
    lm_clip_pose(p->clip, now - p->began, LM_PLAY_AS_CLIP, false, to);
    *from = *to;
    if (!p->before || now - p->began >= FADE)
        return 1;
    lm_clip_pose(p->before, now - p->before_began, LM_PLAY_AS_CLIP, false, from);
    return (float)((now - p->began) / FADE);
}

static bool show(const player *p, double now) {
    lm_pose from, to;
    float weight = poses_of(p, now, &from, &to);
    printf("%.2f %s", now, p->clip->name);
    if (p->model->num_surfaces > 0) {
        size_t count = p->model->surfaces[0].num_vertices;
        float *xyz = calloc(count + 1, 3 * sizeof *xyz);
        lm_sample_target target = {.positions = xyz};
        if (!xyz || lm_sample_blend(p->model, 0, &from, &to, weight, &target) != LM_CODE_OK)
            return false;
        printf(" %.3f %.3f %.3f", (double)xyz[0], (double)xyz[1], (double)xyz[2]);
        free(xyz);
    }
    lm_transform tag;
    if (lm_sample_tag_blend(p->model, 0, &from, &to, weight, &tag) == LM_CODE_OK)
        printf(" %s %.3f %.3f %.3f", p->model->tags[0].name, (double)tag.origin.x,
               (double)tag.origin.y, (double)tag.origin.z);
    printf("\n");
    return true;
}

int main(int argc, char **argv) {
    lm_error error = {.message = "usage: player MODEL [CLIP [CLIP]]"};
    lm_model *model = argc > 1 ? lm_load_file(argv[1], NULL, &error) : NULL;
    if (!model)
        return fprintf(stderr, "%s\n", error.message), 1;
    const lm_clip *clips[2] = {&model->clips[0], &model->clips[model->num_clips - 1]};
    for (int i = 0; i < 2 && i + 2 < argc; i++)
        if (!(clips[i] = lm_model_find_clip(model, argv[i + 2])))
            return fprintf(stderr, "there is no clip %s\n", argv[i + 2]), lm_model_free(model), 1;
    player p = {.model = model};
    play(&p, clips[0], 0);
    bool ok = true;
    for (int tick = 0; tick < 10 && ok; tick++) {
        if (tick == 3)
            play(&p, clips[1], tick * 0.05);
        ok = show(&p, tick * 0.05);
    }
    lm_model_free(model);
    return ok ? 0 : 1;
}
