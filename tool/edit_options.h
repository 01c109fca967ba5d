/* The options that only `lerpmesh edit` has. */
#ifndef TOOL_EDIT_OPTIONS_H
#define TOOL_EDIT_OPTIONS_H

#define TOOL_EDIT_OPTION_LIST(X)                                                                   \
    X(GROUP_NAMES, 0, NULL, NULL, "Skins and names")                                               \
    X(PATH, 0, "path", "s/RE/NEW/", "replace in the paths of skins; {dir}, {name}: the model's")   \
    X(SET_SKIN, 0, "set-skin", "N=PATH", "set the path of skin N; MD3, MDC: SURFACE:N=PATH")       \
    X(ADD_SKIN, 0, "add-skin", "PATH", "append a skin; MD3, MDC: SURFACE=PATH")                    \
    X(RENAME, 0, "rename", "KIND:OLD=NEW",                                                         \
      "rename a frame, clip, surface or tag; or KIND:s/RE/NEW/")                                   \
    X(NAME, 0, "name", "NAME", "set the name in the header of MD3 and MDC")                        \
    X(FIX, 0, "fix", "[CODES]", "fix problems that check reports; only CODES, if given")           \
    X(GROUP_LISTS, 0, NULL, NULL, "Lists of frames, clips, surfaces, tags and skins")              \
    X(KEEP, 0, "keep", "KIND:LIST", "keep only these frames, clips, surfaces, tags or skins")      \
    X(DROP, 0, "drop", "KIND:LIST", "remove these: clips:run,jump; frames:40-45; skins:1")         \
    X(ORDER, 0, "order", "KIND:LIST", "keep exactly these, in this order; frames may repeat")      \
    X(REVERSE, 0, "reverse", "CLIPS", "reverse these clips; all: all frames")                      \
    X(APPEND, 0, "append", "FILE", "append another model's frames; FILE@CLIPS: some of them")      \
    X(GROUP_TAGS, 0, NULL, NULL, "Tags")                                                           \
    X(ADD_TAG, 0, "add-tag", "NAME=X,Y,Z",                                                         \
      "add a tag; X,Y,Z,follow@FRAME: one that follows the surface")                               \
    X(MOVE_TAG, 0, "move-tag", "NAME=X,Y,Z", "move a tag by this offset in every frame")           \
    X(GROUP_TRANSFORMS, 0, NULL, NULL, "Transforms")                                               \
    X(EDIT_SCALE, 0, "scale", "S", "scale the model, exactly if the format can (MD2, MDL)")        \
    X(ROTATE, 0, "rotate", "DEGREES", "rotate around z: 90, 180, -90; others with --reencode")     \
    X(MOVE, 0, "move", "X,Y,Z", "move the model; MD3, MDC: by whole 64ths of a unit")              \
    X(ROUND, 0, "round", NULL, "MD3, MDC: let scale, rotate and move round positions")             \
    X(REENCODE, 0, "reencode", NULL, "re-encode the model if a change needs it")                   \
    X(EDIT_FPS, 0, "fps", "N", "with --reencode: resample every clip to N frames per second")      \
    X(GROUP_COMPUTED, 0, NULL, NULL, "Computed data")                                              \
    X(COMPUTE_NORMALS, 0, "compute-normals", NULL, "recompute normals from the triangles")         \
    X(COMPUTE_BOUNDS, 0, "compute-bounds", NULL, "recompute bounds and radii of frames (not MD2)") \
    X(REMOVE_UNUSED, 0, "remove-unused", NULL, "remove unused vertices")

#endif
