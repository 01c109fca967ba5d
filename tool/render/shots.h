/* Which pictures an input gives. */
#ifndef RENDER_SHOTS_H
#define RENDER_SHOTS_H

#include "picture/shots.h"
#include "settings.h"

/* Fits the settings to a model. On a mistake the job fails with a sentence. Free in any case. */
bool shots_plan(tool_job *job, const render_settings *settings, const lm_scene *scene,
                shot_list *list);

#endif
