/* Which pictures an input gives. */
#ifndef RENDER_SHOTS_H
#define RENDER_SHOTS_H

#include "settings.h"

typedef struct shot_list {
    studio_shot *shots;
    uint32_t num_shots;
    double rate; /* pictures a second */
} shot_list;

/* Fits the settings to a model. On a mistake the job fails with a sentence. Free in any case. */
bool shots_plan(tool_job *job, const render_settings *settings, const lm_scene *scene,
                shot_list *list);
void shots_free(shot_list *list);

#endif
