/* The options of `lerpmesh edit` that no other command has. */
#ifndef TOOL_EDIT_OPTIONS_H
#define TOOL_EDIT_OPTIONS_H

#define TOOL_EDIT_OPTION_LIST(X)                                                               \
    X(PATH, 0, "path", "s/RE/NEW/", "replace in the paths of skins and shaders by a pattern")  \
    X(SET_SKIN, 0, "set-skin", "N=PATH", "give skin N a path; MD3, MDC: SURFACE:N=PATH")       \
    X(ADD_SKIN, 0, "add-skin", "PATH", "add a skin behind the others; MD3, MDC: SURFACE=PATH") \
    X(RENAME, 0, "rename", "WHAT:OLD=NEW", "a frame, clip, surface or tag; or WHAT:s/RE/NEW/") \
    X(NAME, 0, "name", "NAME", "the name in the header of MD3 and MDC")                        \
    X(KEEP, 0, "keep", "WHAT:LIST", "only these frames, clips, surfaces, tags or skins")       \
    X(DROP, 0, "drop", "WHAT:LIST", "all but these: clips:run,jump; frames:40-45; skins:1")    \
    X(ORDER, 0, "order", "WHAT:LIST", "exactly these, in this order; frames may come again")   \
    X(REVERSE, 0, "reverse", "CLIPS", "these clips backwards; all: every frame")               \
    X(IN_PLACE, 0, "in-place", NULL, "write each file over itself")                            \
    X(BACKUP, 0, "backup", NULL, "with --in-place: the file as it was stays as FILE.bak")      \
    X(DRY_RUN, 'n', "dry-run", NULL, "only say what would change")

#endif
