/* The options that only `lerpmesh edit` has. */
#ifndef TOOL_EDIT_OPTIONS_H
#define TOOL_EDIT_OPTIONS_H

#define TOOL_EDIT_OPTION_LIST(X)                                                                \
    X(PATH, 0, "path", "s/RE/NEW/", "replace in the paths of skins and shaders by a pattern")   \
    X(SET_SKIN, 0, "set-skin", "N=PATH", "give skin N a path; MD3, MDC: SURFACE:N=PATH")        \
    X(ADD_SKIN, 0, "add-skin", "PATH", "add a skin behind the others; MD3, MDC: SURFACE=PATH")  \
    X(RENAME, 0, "rename", "WHAT:OLD=NEW", "a frame, clip, surface or tag; or WHAT:s/RE/NEW/")  \
    X(NAME, 0, "name", "NAME", "the name in the header of MD3 and MDC")                         \
    X(KEEP, 0, "keep", "WHAT:LIST", "only these frames, clips, surfaces, tags or skins")        \
    X(DROP, 0, "drop", "WHAT:LIST", "all but these: clips:run,jump; frames:40-45; skins:1")     \
    X(ORDER, 0, "order", "WHAT:LIST", "exactly these, in this order; frames may come again")    \
    X(REVERSE, 0, "reverse", "CLIPS", "these clips backwards; all: every frame")                \
    X(APPEND, 0, "append", "FILE", "another model's frames behind these; FILE@CLIPS: some")     \
    X(ADD_TAG, 0, "add-tag", "NAME=X,Y,Z", "add a tag, at one place in every frame")            \
    X(MOVE_TAG, 0, "move-tag", "NAME=X,Y,Z", "move a tag by so much, in every frame")           \
    X(EDIT_SCALE, 0, "scale", "S", "make it larger, exactly where the format can (MD2, MDL)")   \
    X(ROTATE, 0, "rotate", "DEGREES", "turn it around z: 90, 180, -90; others with --reencode") \
    X(MOVE, 0, "move", "X,Y,Z", "move it; MD3, MDC: by whole 64ths of a unit")                  \
    X(ROUND, 0, "round", NULL, "MD3, MDC: scale, rotate and move may round positions")          \
    X(REENCODE, 0, "reencode", NULL, "what a file cannot be changed into is encoded anew")      \
    X(EDIT_FPS, 0, "fps", "N", "with --reencode: so many frames a second in every clip")        \
    X(COMPUTE_NORMALS, 0, "compute-normals", NULL, "normals of the triangles, not the stored")  \
    X(COMPUTE_BOUNDS, 0, "compute-bounds", NULL, "boxes and radii of what is there (not MD2)")  \
    X(REMOVE_UNUSED, 0, "remove-unused", NULL, "take out vertices that nothing draws")          \
    X(IN_PLACE, 0, "in-place", NULL, "write each file over itself")                             \
    X(BACKUP, 0, "backup", NULL, "with --in-place: the file as it was stays as FILE.bak")       \
    X(DRY_RUN, 'n', "dry-run", NULL, "only say what would change")

#endif
