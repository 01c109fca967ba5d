/* What lies beside a model and belongs to it: heads and weapons to attach, skins to wear. */
#ifndef VIEWER_COMPANIONS_H
#define VIEWER_COMPANIONS_H

#include "document.h"

/* The options with which the command would load the model at `path` with what belongs to it, into
 * given[COMPANIONS_MAX]; values are put into `kept` to be freed. Returns how many. */
#define COMPANIONS_MAX 2
size_t companions_find(const char *path, tool_given *given, GPtrArray *kept);

/* The path to open for a player's legs or body: the folder that holds all of it; else a copy. */
char *companions_whole(const char *path);

/* Fills the document's list of skins: those that the model lists, .skin files and, for an MD2,
 * pictures beside it. */
void companions_list_skins(document *d);

#endif
