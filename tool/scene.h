/* Several models as one: what --attach and --with say, and folders of players. */
#ifndef TOOL_SCENE_H
#define TOOL_SCENE_H

#include "input.h"
#include "lerpmesh/scene.h"
#include "output.h"

/* A model of the scene and the file it comes from. */
typedef struct tool_member {
    char *path;
    tool_input input;
    char *name;     /* of the file, without folder and extension */
    lm_clip *kept;  /* the input's clips, if some of the file's were left out */
    lm_clip *clips; /* room for the input's, for whoever picks some of them */
} tool_member;

/* members[i] is what scene.parts[i] shows. The first is the job's own file. */
typedef struct tool_scene {
    tool_member *members;
    lm_scene_part *parts;
    lm_scene scene;
} tool_scene;

/* Checks how --attach and --with are written. On a mistake says so and returns false. */
bool tool_scene_check(const tool_args *args);

/* Loads the job's file, or the player in the job's folder, and all that hangs on it. Failing, fails
 * the job with a sentence and leaves nothing to close. */
bool tool_scene_open(tool_job *job, const tool_args *args, const tool_load_settings *settings,
                     tool_scene *scene);
void tool_scene_close(tool_scene *scene);

#endif
